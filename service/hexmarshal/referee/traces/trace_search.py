"""Looks for the actions after which rules and table agree entirely, dice and cards included."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.referee.chat.chat_mentions import is_rolled_for_others, spoken_near
from hexmarshal.referee.chat.spoken_doers import doers_named_for, named_doers
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.interpret.deed import only_marks
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.referee.traces.drawn_trials import DrawnTrials, is_later
from hexmarshal.referee.traces.left_out_units import beside, lacks, leaves_out
from hexmarshal.referee.traces.ruled_out import RuledOut, unshown
from hexmarshal.referee.traces.traced_actions import TracedActions
from hexmarshal.referee.traces.trials import FruitfulKinds, Trial, Trials
from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from hexmarshal.referee.drags.routes import Routes
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions
    from hexmarshal.referee.traces.drawn_trials import Window
    from hexmarshal.referee.traces.table_traces import TableView, Traces
    from hexmarshal.rules.action import Action, Param
    from hexmarshal.rules.state.position import Position

__all__ = ["Explanations", "Found", "TraceSearch"]

# So many actions are carried out on trial, and so many one after the other.
_TRIALS: Final = 60
# Dice tell a part of it; and where nothing near explains it, something far off seldom does.
_DICE_TRIALS: Final = 45
_WIDE_TRIALS: Final = 12
# Where so many searches found nothing, what comes later seldom explains it: try half as many.
_FRUITLESS: Final = 4
_DEEP: Final = 5
_OF_A_KIND: Final = 24
_POINTS: Final = 4
_PARTS: Final = 8
_DOERS: Final = (ParamType.UNIT, ParamType.UNITS)


class Found(NamedTuple):
    """An action that was found, with its draws.

    `seen` if it is what was seen, or what silence means: then it is no guess.
    """

    action: Action
    seen: bool
    picks: tuple[int, ...] = ()


class Explanations(NamedTuple):
    """The actions, in order, that explain a window: the first found, and the first without rest.

    Empty where there are none; `cut` if trials ran out, so that more may be found by more of them.
    """

    first: tuple[Found, ...] = ()
    whole: tuple[Found, ...] = ()
    cut: bool = False


class _Step(NamedTuple):
    """An action of an explanation, with what it was found for."""

    found: Found
    traces: Traces
    tray: tuple[Throw, ...]
    here: Position


class TraceSearch:
    """Tries actions on a position until one leaves what the table shows; remembers what did."""

    def __init__(
        self,
        rules: Rules,
        routes: Routes,
        silent: SilentDecisions,
        drags: Collection[str],
        advance: str,
    ) -> None:
        """`drags` are the kinds that dragging can be, `advance` is what the tracker shows."""
        self._rules, self._routes = rules, routes
        self._silent, self._trials = silent, Trials(rules, silent)
        self._drags, self._advance = drags, advance
        # What somebody does who was made ready for it.
        self._deeds = frozenset(
            kind.name
            for kind in rules.game.actions.values()
            if any(param.type in _DOERS for param in kind.params)
            if [param.type for param in kind.params if param.required] != [ParamType.UNIT]
        )
        self._fruitful = FruitfulKinds()
        self._drawn = DrawnTrials(rules, self._trials, advance)
        self._left = 0
        self.unharmed, self.made_ready = silent.unharmed, silent.made_ready
        self._wide = False
        self._tells_who = True
        self._ready: Collection[str] = ()

    def found(self, window: Window, view: TableView, *, whole: bool = False) -> Explanations:
        """What explains a window; with `whole`, looked for until nothing is left to do."""
        self._ready = window.ready
        start = view.traces(window.start, window.start, window.units, window.items)
        self._tells_who = start.tells_who or bool(window.start.state)
        first: tuple[_Step, ...] = ()
        cut = False
        for self._wide in (False, True) if window.throws else (False,):
            self._left = self._trials.carried_out + self._most(window)
            self._drawn.forget()
            for steps, is_whole in self._ways(window, view, window.start, window.throws, _DEEP):
                first = first or steps
                if is_whole or not whole:
                    self._remember(steps)
                    return Explanations(_found(first), _found(steps))
            cut |= self._trials.carried_out >= self._left
        if not first:
            self._trials.give_up(window.start)
        self._remember(first)
        return Explanations(_found(first), cut=cut)

    def _most(self, window: Window) -> int:
        """How many actions may be carried out on trial."""
        most = _WIDE_TRIALS if self._wide else _DICE_TRIALS if window.throws else _TRIALS
        return most if self._trials.fruitless(window.start) < _FRUITLESS else most // 2

    def passed(self, position: Position) -> Action | None:
        """The pass of whoever acts; None if he has the marker for whose go it is.

        Nor does anybody pass whose phase the tracker ends.
        """
        passed = self._silent.passes(position, "")
        if passed is None or self._silent.still_acts(passed):
            return None
        return None if self._silent.is_shown_by_tracker(position, passed) else passed

    def begun(
        self, position: Position, deeds: Sequence[Deed], view: TableView, tray: tuple[Throw, ...]
    ) -> tuple[Action, ...]:
        """An action of which these deeds are a part; the others may have passed before it.

        What else it would leave on the table may still come; the less that is, the likelier.
        """
        units, dragged = [deed.unit for deed in deeds], any(deed.cells for deed in deeds)
        marked = not dragged and all(map(only_marks, deeds))
        sides = {position.units[unit].side for unit in units if unit in position.units}
        self._wide, self._left = False, self._trials.carried_out + _TRIALS
        self._ready = ()
        best: tuple[int, tuple[Action, ...]] = (0, ())
        parts = 0
        for side in dict.fromkeys((*position.active, *sorted(sides))):
            passed = self._silent.passes(position, side)
            before: Trial | None = (position, LogDice(tray))
            if passed is not None and self._silent.still_acts(passed):
                continue
            if passed is not None:
                before = self._trials.applied(position, passed, tray)
            if before is None or side not in before[0].active or is_later(position, before[0]):
                continue
            here, first = before[0], () if passed is None else (passed,)
            if passed is not None:
                here = self.unharmed(position, passed, here)
            for action in self._likely(here, view, view.traces(here, here, units, ()), tray):
                if self._trials.carried_out >= self._left:
                    break
                if dragged and action.kind in self._drags:
                    # As a drag by itself it was judged.
                    continue
                trial = self._trials.applied(here, action, tray)
                if trial is None or is_later(here, trial[0]):
                    continue
                if self._is_about_others(here, action, trial[1]):
                    continue
                if self._leaves_out(None, here, action, tray):
                    continue
                if not all(view.comes_of(here, trial[0], deed) for deed in deeds):
                    continue
                if marked and any(view.lacks(trial[0], unit) for unit in units):
                    # Who is only marked may be so for something of which all is still to come.
                    continue
                missing = view.missing(here, trial[0], units)
                if not best[1] or missing < best[0]:
                    best = missing, (*first, action)
                parts += 1
                if not best[0] or parts >= _PARTS:
                    return best[1]
        return best[1]

    def _ways(
        self,
        window: Window,
        view: TableView,
        here: Position,
        tray: tuple[Throw, ...],
        deep: int,
        doer: str = "",
    ) -> Iterator[tuple[tuple[_Step, ...], bool]]:
        """Explanations from here on, and whether each leaves nothing to do.

        Where a `doer` was made ready for it, it is what he does.
        """
        traces = view.traces(window.start, here, window.units, window.items)
        for action, trial in self._on_trial(window, view, here, traces, tray, doer):
            after, dice = trial
            seen = self._is_seen(here, action, traces, dice)
            done = _Step(Found(action, seen, tuple(dice.picks)), traces, tray, here)
            left = _without(tray, dice.used)
            agrees = view.agrees(window.start, after, window.units, window.items)
            if window.less:
                agrees &= view.is_paid_in_part(window.start, after, window.items)
            # Nobody else moved a track that is taken for a price.
            agrees &= all(after.track(i.name) != window.start.track(i.name) for i in window.paid)
            # Dice that left nothing on the table may have been rolled for fun: then nobody owes a
            # result for them. Nor does a track alone tell who paid, if more is to come of it.
            tells = traces.any if here.state and self._tells_who else traces.tells_who
            if agrees and not left and (tells or not after.state):
                # What silence answers nobody still has to do.
                is_whole = not after.state or self._trials.silence(after) is not None
                yield (done,), is_whole
            if deep > 1 and self._goes_on(view, traces, here, after, action, tray, dice):
                # Who is made ready has still the go, and does what the dice or the price are for.
                ready = self._silent.makes_ready(action) and after.active == here.active
                by = next(iter(named(action)), "") if ready and (left or traces.items) else ""
                for more, is_whole in self._ways(window, view, after, left, deep - 1, by):
                    yield (done, *more), is_whole

    def _on_trial(
        self,
        window: Window,
        view: TableView,
        here: Position,
        traces: Traces,
        tray: tuple[Throw, ...],
        doer: str = "",
    ) -> Iterator[tuple[Action, Trial]]:
        """What may have been done, with what comes of it, as long as trials are left.

        With points added, only where a track tells of them, or nobody keeps those.
        """
        out = RuledOut(self._rules.game.actions, here)
        for action in self._likely(here, view, traces, tray, out, doer):
            if self._trials.carried_out >= self._left:
                return
            if action.kind == self._advance and here is not window.start and not window.handed:
                # Nobody gave the go back: the marker was not moved at all yet.
                continue
            if self._leaves_out(window, here, action, tray):
                continue
            trial = self._drawn.tried(window, view, here, action, tray)
            if trial is None:
                continue
            odd = tuple(unshown(view, traces, here, trial[0]))
            if odd:
                out.learn(action, trial[0], odd, rolled=bool(trial[1].used))
            if self._is_about_others(here, action, trial[1]):
                continue
            if trial[1].used:
                out.learn_otherwise(action, view, traces, trial[0])
            yield action, trial
            if action.kind == self._advance and here is window.start and window.waits:
                yield action, (self.unharmed(here, action, trial[0]), trial[1])
            wanted = view.left_on_tracks(traces, trial[0])
            if wanted is None or view.leaves_own(traces, trial[0], action.side):
                continue
            if any(name in here.units for name in odd):
                continue
            options = TracedActions(self._trials, self._routes, view, here, action.side)
            for more in options.with_points(action, traces, wanted)[:_POINTS]:
                if self._trials.carried_out >= self._left:
                    return
                trial = self._drawn.tried(window, view, here, more, tray)
                if trial is not None and not self._is_about_others(here, more, trial[1]):
                    yield more, trial

    def _leaves_out(
        self, window: Window | None, here: Position, action: Action, tray: tuple[Throw, ...]
    ) -> bool:
        """Whether somebody takes no part who was named for it, or else was turned up, and may.

        Or other dice are those that were named for it.
        """
        game, turned = self._rules.game, () if window is None else window.turned
        told = doers_named_for(game, action, tray, here) if tray else ()
        if not told and window is not None and doers_named_for(game, action, window.kept, here):
            return True
        if leaves_out(self._rules, told or turned, here, action):
            return True
        # Who was named beside the dice and may not did it all the same: that is told.
        near = beside(told, here, action, self._routes, spoken_near(tray)) if told else ()
        return lacks(self._rules.game, near, here, action)

    def _is_about_others(self, here: Position, action: Action, dice: LogDice) -> bool:
        """Whether its dice were rolled for something else, by what players said before them."""
        return is_rolled_for_others(self._rules.game, action, dice.used, here)

    def _is_seen(self, here: Position, action: Action, traces: Traces, dice: LogDice) -> bool:
        if action.kind == self._advance or action == self._trials.silence(here):
            return True
        units = [name for name in named(action) if name in here.units]
        moved = bool(units) and all(unit in traces.ends for unit in units)
        return moved and action.kind in self._drags and not dice.used

    def _goes_on(
        self,
        view: TableView,
        traces: Traces,
        here: Position,
        after: Position,
        action: Action,
        tray: Sequence[Throw],
        dice: LogDice,
    ) -> bool:
        """Whether more may have been done after this: what it asks, or nobody wants more of it.

        Whoever does something of himself leaves a trace, and be it dice.
        """
        silent = action == self._trials.silence(here)
        asks = bool(after.state) and after.frames != here.frames
        answered = bool(here.state) and not after.state and view.mends(traces, after)
        asks |= answered
        # Dice may be for what a unit was made ready for, and so may a track that was moved up.
        left = len(dice.used) < len(tray)
        ready = (left or view.is_raised(here, traces.items)) and self._silent.makes_ready(action)
        if not (silent or after.state or self._wide or answered or left or ready):
            # Nothing is asked and no die is left: whatever comes now is another action.
            return False
        ready = ready and (view.mends(traces, after) or traces.is_about(here, after))
        goes_on = silent or asks or dice.used or ready
        if not goes_on or not self._is_on_the_way(view, traces, here, after):
            return False
        return silent or bool(tray) or ready or view.mends(traces, after)

    def _is_on_the_way(
        self, view: TableView, traces: Traces, before: Position, after: Position
    ) -> bool:
        """Whether nothing was done that the table does not show."""
        return not is_later(before, after) and not any(unshown(view, traces, before, after))

    # In which order

    def _likely(
        self,
        here: Position,
        view: TableView,
        traces: Traces,
        tray: Sequence[Throw],
        out: RuledOut | None = None,
        doer: str = "",
    ) -> Iterator[Action]:
        unsaid = self._trials.silence(here)
        if unsaid is not None:
            yield unsaid
        for side in here.active:
            options = TracedActions(
                self._trials,
                self._routes,
                view,
                here,
                side,
                wide=self._wide,
                ready=self._ready,
                spoken=named_doers(tray, here, side),
                doer=doer,
            )
            fruitful = self._fruitful.of(traces, tray, here, side)
            kinds = sorted(options.kinds(traces), key=lambda kind: -fruitful[kind.name])
            hand = {c for p in here.piles.values() if p.known_to for c in p.cards}
            if not hand.isdisjoint(traces.cards):
                # A card that has left its hand was played.
                kinds.sort(key=lambda kind: not any(map(_is_card, kind.params)))
            if doer:
                kinds = [kind for kind in kinds if kind.name in self._deeds]
            if not traces.handed_over:
                # Who has still the go may do more than pass it on.
                kinds.sort(key=lambda kind: kind.name == self._advance)
            for kind in kinds:
                found = (action for action in options.of(kind, traces) if action != unsaid)
                found = (a for a in found if out is None or not out.has(a))
                near = (a for a in found if self._wide or options.concerns(a, traces))
                yield from islice(near, _OF_A_KIND)

    def _remember(self, steps: Sequence[_Step]) -> None:
        for (action, *_), traces, tray, here in steps:
            self._fruitful.of(traces, tray, here, action.side)[action.kind] += 1


def _found(steps: Sequence[_Step]) -> tuple[Found, ...]:
    return tuple(step.found for step in steps)


def _is_card(param: Param) -> bool:
    return param.required and param.type in (ParamType.CARD, ParamType.TEXT)


def _without(tray: tuple[Throw, ...], used: Sequence[Throw]) -> tuple[Throw, ...]:
    left = list(tray)
    for throw in used:
        left.remove(throw)
    return tuple(left)
