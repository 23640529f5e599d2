"""Looks for the actions after which rules and table agree entirely, dice and cards included."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.interpret.drag_actions import named
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.referee.judge.case import Done
from hexmarshal.referee.judge.draw_search import Piles, fitting_draws
from hexmarshal.referee.judge.table_comparison import changed
from hexmarshal.referee.traces.traced_actions import TracedActions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.interpret.routes import Routes
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.referee.judge.silent_decisions import SilentDecisions
    from hexmarshal.referee.traces.table_traces import TableView, Traces
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.bookkeeping import Item

__all__ = ["Found", "TraceSearch", "Window"]

# So many actions are carried out on trial, and so many one after the other.
_TRIALS: Final = 60
_DEEP: Final = 5
_OF_A_KIND: Final = 24
_SEVERAL: Final = 2


class Found(NamedTuple):
    """An action that was found; `plain` if it is what was seen, or what silence means."""

    action: Action
    plain: bool


@dataclass(frozen=True, slots=True)
class Window:
    """What happened since rules and table last agreed: what was touched, and the dice."""

    start: Position
    units: Collection[str]
    items: Collection[Item]
    throws: tuple[Throw, ...]


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
        self._rules, self._routes, self._silent = rules, routes, silent
        self._drags, self._advance = drags, advance
        self._fruitful: dict[object, Counter[str]] = {}
        self._left = 0
        self._wide = False

    def found(self, window: Window, view: TableView) -> tuple[Found, ...] | None:
        """The actions, in order; None if there are none."""
        for self._wide in (False, True) if window.throws else (False,):
            self._left = _TRIALS
            found = self._from(window, view, window.start, window.throws, _DEEP)
            if found is not None:
                return found
        return None

    def _from(
        self,
        window: Window,
        view: TableView,
        here: Position,
        tray: tuple[Throw, ...],
        deep: int,
    ) -> tuple[Found, ...] | None:
        traces = view.traces(window.start, here, window.units, window.items)
        for action in self._likely(here, view, traces, tray):
            if self._left <= 0:
                return None
            trial = self._tried(window, view, here, action, tray)
            if trial is None:
                continue
            after, dice = trial
            done = Found(action, self._is_plain(here, action, traces, dice))
            left = _without(tray, dice.used)
            agrees = view.agrees(window.start, after, window.units, window.items)
            # Dice that left nothing on the table may have been rolled for fun: then nobody owes a
            # result for them.
            if agrees and not left and (traces.any or not after.state):
                self._remember(traces, tray, here, action)
                return (done,)
            if deep > 1 and self._goes_on(view, traces, here, after, action, tray, dice):
                more = self._from(window, view, after, left, deep - 1)
                if more is not None:
                    self._remember(traces, tray, here, action)
                    return (done, *more)
        return None

    def _is_plain(self, here: Position, action: Action, traces: Traces, dice: LogDice) -> bool:
        if action.kind == self._advance or (here.state and action == self._silent.answer(here)):
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
        silent = bool(here.state) and action == self._silent.answer(here)
        asks = bool(after.state) and after.frames != here.frames
        if not (silent or asks or dice.used) or not self._is_on_the_way(view, traces, here, after):
            return False
        return silent or bool(tray) or view.mends(traces, after)

    def _is_on_the_way(
        self, view: TableView, traces: Traces, before: Position, after: Position
    ) -> bool:
        """Whether nothing was done that the table does not show."""
        others = (unit for unit in changed(before, after) if unit not in traces.units)
        return not _later(before, after) and not any(
            view.unit_apart(after, unit) for unit in others
        )

    # On trial

    def _tried(
        self,
        window: Window,
        view: TableView,
        here: Position,
        action: Action,
        tray: tuple[Throw, ...],
    ) -> tuple[Position, LogDice] | None:
        self._left -= 1
        trial = self._applied(here, action, LogDice(tray))
        if trial is None or (action.kind == self._advance and _later(here, trial[0])):
            # A phase that players end by the tracker, they end by the tracker.
            return None
        after, dice = trial
        if not dice.counts or not view.piles:
            return trial
        # What was drawn left its pile: draw after draw, the first card that is gone.
        piles, picks = Piles(here, view.piles), list[int]()
        while len(picks) < len(dice.counts):
            likely = piles.likely(dice.counts, picks)
            picks.append(likely[0] if likely else 0)
            again = self._applied(here, action, LogDice(tray, picks))
            if again is None:
                return after, dice
            after, dice = again
        return self._mended(window, view, here, action, after, dice) or (after, dice)

    def _mended(
        self,
        window: Window,
        view: TableView,
        here: Position,
        action: Action,
        after: Position,
        dice: LogDice,
    ) -> tuple[Position, LogDice] | None:
        """With other draws, where nothing is wrong but who drew what."""
        if len(dice.counts) < _SEVERAL:
            return None
        left = view.traces(window.start, after, window.units, window.items)
        drawn = {*changed(here, after)}
        if not left.any or left.items or not drawn.issuperset(left.units) or left.ends:
            return None
        done = Done(here, after, action, tuple(dice.used), tuple(dice.picks), tuple(dice.counts), 0)
        found = fitting_draws(self._rules, done, view.sights, window.units)
        return None if found is None else (replace(found[1].position, generator=None), found[0])

    def _applied(
        self, here: Position, action: Action, dice: LogDice
    ) -> tuple[Position, LogDice] | None:
        try:
            applied = self._rules.apply(here, action, dice)
        except HexMarshalError:
            return None
        return replace(applied.position, generator=None), dice

    # In which order

    def _likely(
        self, here: Position, view: TableView, traces: Traces, tray: Sequence[Throw]
    ) -> Iterator[Action]:
        unsaid = self._silent.answer(here) if here.state else None
        if unsaid is not None:
            yield unsaid
        for side in here.active:
            options = TracedActions(self._rules, self._routes, view, here, side, wide=self._wide)
            fruitful = self._fruitful.get(_look(traces, tray, here, side), Counter())
            kinds = sorted(options.kinds(traces), key=lambda kind: -fruitful[kind.name])
            for kind in kinds:
                for number, action in enumerate(options.of(kind, traces)):
                    if number >= _OF_A_KIND:
                        break
                    if action != unsaid:
                        yield action

    def _remember(
        self, traces: Traces, tray: Sequence[Throw], here: Position, action: Action
    ) -> None:
        look = _look(traces, tray, here, action.side)
        self._fruitful.setdefault(look, Counter())[action.kind] += 1


def _look(traces: Traces, tray: Sequence[Throw], here: Position, side: str) -> object:
    """What traces have in common that come of the same kind of action."""
    own = [u for u in traces.units if u in here.units and here.units[u].side == side]
    return (
        here.phase,
        here.state,
        side,
        bool(tray),
        min(len(own), 2),
        any(unit in traces.ends for unit in own),
        len(own) < len(traces.units),
        frozenset(item.name for item in traces.items if item.of == "track"),
        bool(traces.cards),
        traces.handed_over,
    )


def _later(before: Position, after: Position) -> bool:
    return (before.turn, before.phase) != (after.turn, after.phase)


def _without(tray: tuple[Throw, ...], used: Sequence[Throw]) -> tuple[Throw, ...]:
    left = list(tray)
    for throw in used:
        left.remove(throw)
    return tuple(left)
