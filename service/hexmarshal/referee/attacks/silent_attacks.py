"""Attacks without a word, found by a wrong result: the loser is dragged as nobody may be then."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.attacks.attack_trials import AttackTrials
from hexmarshal.referee.attacks.attacks_by_anybody import AttacksByAnybody
from hexmarshal.referee.attacks.before_dice import before_dice, before_guess
from hexmarshal.referee.attacks.fewer_attackers import FewerAttackers
from hexmarshal.referee.case.table_comparison import apart, changed
from hexmarshal.referee.chat.chat_mentions import spoken_near, spoken_of
from hexmarshal.referee.chat.spoken_doers import named_doers
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.values import thaw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hexmarshal.referee.attacks.attack_trials import Hit
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.referee.drags.drag_run import DragRun
    from hexmarshal.referee.drags.routes import Routes
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions, Unsaid
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position

__all__ = ["SilentAttacks"]

_MOST_TRIED: Final = 24
_MOST_LISTED: Final = 200
_MOST_ANSWERS: Final = 3
_MOST_ENTERING: Final = 4


class SilentAttacks:
    """Finds the attack for which dice were rolled that explain nothing that is right.

    Whoever goes back although he is to lose steps, or further than he may, carries a result out
    wrongly: that is told then, and not that it is not his turn.
    """

    def __init__(
        self, case: Case, runner: ActionRunner, silent: SilentDecisions, routes: Routes
    ) -> None:
        self._case, self._runner, self._silent = case, runner, silent
        self._trials = AttackTrials(case)
        self._anybody = AttacksByAnybody(case, routes, self._trials)
        self.fewer = FewerAttackers(case, self._trials)

    def strike(self, run: DragRun, is_right: Callable[[Position], bool]) -> bool:
        """Whether others rolled for an attack, in silence, on units that are dragged out of turn.

        Then that is done: what they were dragged for is its result, carried out wrongly unless
        after one such attack it `is_right`.
        """
        case, before = self._case, before_dice(self._case) or before_guess(self._case, run)
        if before is None:
            return False
        here = before.belief
        known = [here.units[unit] for unit in run.units if unit in here.units]
        if not known or any(one.side in here.active for one in known):
            return False
        if here.state and self._is_rolled_for_announced(before):
            return False
        for first, at in self._moments(here):
            hits = self._hits(at, run, before)
            told = self._anybody.beside(self._named(at, before.tray), at, {run.start})
            by_all = any(told <= {*named(hit.done[0])} for hit in hits)
            if not by_all and self._strike_wrongly(before, sorted(told), run.units):
                # Who was named for it did it, though he may not.
                return True
            if hits:
                case.mind = before
                best = min(hits, key=self._likeliest(at, before, is_right))
                self._do(first, (self._by_fewer(at, best, run.units) or best).done)
                return True
        return self._strike_when_ready(run, before, is_right) or self._strike_from_afar(run, before)

    def _strike_from_afar(self, run: DragRun, before: Mind) -> bool:
        """Whether those who were named with whoever is dragged attacked him, though far off."""
        own, aims = self._named(before.belief, before.tray), spoken_of(before.tray)
        named_too = not {*run.units, run.start}.isdisjoint(aims)
        return named_too and self._strike_wrongly(before, sorted(own), run.units)

    def _strike_when_ready(
        self, run: DragRun, before: Mind, is_right: Callable[[Position], bool]
    ) -> bool:
        """The same after somebody was made ready for it in silence: rather who was named."""
        names = self._named(before.belief, before.tray)
        found = [
            ((*first, action), hit, (names.isdisjoint(named(action)), *likeliest(hit)))
            for first, then in self._moments(before.belief)
            for action, at in self._silent.made_ready_now(then)
            for likeliest in (self._likeliest(at, before, is_right),)
            for hit in self._hits(at, run, before)
        ]
        if found:
            first, hit, _ = min(found, key=lambda one: one[2])
            self._case.mind = before
            self._do(first, hit.done)
        return bool(found)

    def _hits(self, at: Position, run: DragRun, before: Mind) -> list[Hit]:
        """The attacks by which those who are dragged suffer what the dice say."""
        some = islice(self._by_revealed(at, run.start, before), _MOST_TRIED)
        hits = (self._trials.hit(at, action, before.tray, {*run.units}) for action in some)
        return [hit for hit in hits if hit is not None]

    def _likeliest(
        self, at: Position, before: Mind, is_right: Callable[[Position], bool]
    ) -> Callable[[Hit], tuple[int, ...]]:
        """Rather who is dragged was asked to go than taken off, by all who were named.

        And may go there; of such attacks, rather that which the tracks show.
        """
        told = self._by_named(at, before.tray)
        return lambda hit: (
            *(not hit.asked, told(hit.done[0])[0]),
            *(not is_right(hit.after), hit.odd),
        )

    def _strike_wrongly(self, before: Mind, own: Sequence[str], units: Sequence[str]) -> bool:
        """Whether some attacked units against the rules, as things stood; then they did."""
        case, kept = self._case, self._case.mind
        case.mind = before
        found = self._refused(before.belief, own, units)
        if found is None:
            case.mind = kept
            return False
        self._do(*found, wrongly=True)
        return True

    def _is_rolled_for_announced(self, before: Mind) -> bool:
        """Whether what was asked when the dice were rolled came of what somebody announced."""
        kept, self._case.mind = self._case.mind, before
        asked_by, self._case.mind = self._case.history.asked_by, kept
        return asked_by is not None and asked_by not in before.unsaid

    def enter(self, run: DragRun, is_right: Callable[[Position], bool]) -> bool:
        """Whether units go where others stood before dice that were taken for an attack by others.

        Then those who go there took part; what became of the others is its result, carried out
        otherwise.
        """
        case, kept = self._case, self._case.mind
        origin = None if kept.anchor is None else kept.anchor.origin
        if origin is None or not origin.throws or kept.tray or kept.pending is not None:
            return False
        since = range(len(origin.before.entries), len(kept.entries))
        if not any(number in kept.unsaid and kept.entries[number].dice for number in since):
            return False
        before, cell = origin.before.copy(), run.cells[-1]
        before.tray, before.step = origin.dice, kept.step
        before.ahead, before.kept = kept.ahead, kept.kept
        before.anchor = replace(origin, origin=None)
        here = before.belief
        own = [here.units[unit] for unit in run.units if unit in here.units]
        there = {u.id for u in here.units.values() if u.cell == cell}
        if not (own and there) or not there <= origin.units:
            return False
        if any(one.side not in here.active for one in own):
            return False
        stack = {u.id for u in here.units.values() if u.cell in {one.cell for one in own}}
        some = islice(self._trials.on(here, cell), _MOST_LISTED)
        every = [one for one in some if {*run.units} <= {*named(one)}]
        # Who stands together hardly attacks in part.
        every.sort(key=lambda one: (len({*named(one)} - stack), -len({*named(one)})))
        for action in every[:_MOST_ENTERING]:
            hit = self._trials.hit(here, action, before.tray, there)
            if hit is None:
                continue
            case.mind = before.copy()
            self._do((), hit.done)
            self._runner.results.settle(dragged=run.units)
            if is_right(case.mind.belief):
                return True
            case.mind = kept
        return False

    def hit(self, units: Sequence[str]) -> bool:
        """Whether dice lie there for an attack, in silence, by all who were named for it.

        Or else by all who were turned up before them, or by whomever it was. Then that is done:
        what units lost is its result, perhaps carried out wrongly.
        """
        if not self._may_suffer(units):
            return self._hit_back(units)
        before, turned = self._case.mind.belief, self._turned_up()
        told = self._named(before, self._case.mind.tray)
        for own, is_named in ((told, True), (turned, False)):
            # Who does not stand beside those who suffered was named, or turned up, for others.
            beside = self._anybody.beside(own, before, {before.units[units[0]].cell})
            if any(self._hit_by(units, some, is_named=is_named) for some in (own, beside) if some):
                return True
            if self._hit_wrongly(units, beside or (set() if is_named else own)):
                return True
        return not (told or turned) and self._hit_by_anybody(units)

    def _hit_by(self, units: Sequence[str], own: set[str], *, is_named: bool = False) -> bool:
        """Whether some may have attacked units, perhaps with others; then they did."""
        for first, here in self._moments(self._case.mind.belief):
            found = self._by_all(here, units, own, is_named=is_named)
            if found is not None:
                self._do(first, (self._by_fewer(here, found, units) or found).done)
                return True
        return False

    def _hit_by_anybody(self, units: Sequence[str]) -> bool:
        """Whether somebody rolled for an attack on units; then he did."""
        for first, here in self._moments(self._case.mind.belief):
            found = self._anybody.on(here, units)
            if found is not None:
                refused = bool(self._trials.is_refused(here, found.done[0]))
                self._do(first, found.done, wrongly=refused)
                return True
        return False

    def _hit_back(self, units: Sequence[str]) -> bool:
        """Whether units of the side that acts suffered by an attack of theirs; then that is done.

        By all who were named for it or turned up, if they are among those.
        """
        mind = self._case.mind
        known = [mind.belief.units[unit] for unit in units if unit in mind.belief.units]
        if not mind.tray or mind.pending is not None or mind.anchor is None:
            return False
        if len(known) < len(units) or any(one.side not in mind.belief.active for one in known):
            return False
        if not all(one.cell for one in known):
            return False
        cells = {one.cell for one in known}
        told = self._named(mind.belief, mind.tray)
        turned = {u for u in self._turned_up() if mind.belief.units[u].cell in cells}
        aims = self._named_aims(mind.belief, mind.tray) if told else ()
        for own, there in ((told, aims), (turned, ())):
            for first, here in self._moments(mind.belief) if own.issuperset(units) else ():
                found = self._anybody.wrongly_by(here, sorted(own), units, there)
                if found is not None:
                    self._do(first, found.done, wrongly=True)
                    return True
        return False

    def _named_aims(self, here: Position, tray: Sequence[Throw]) -> tuple[str, ...]:
        """The cells of those of the others who were named beside dice."""
        known = (here.units[name] for name in spoken_near(tray) if name in here.units)
        return tuple(dict.fromkeys(u.cell for u in known if u.side not in here.active and u.cell))

    def _by_all(
        self, here: Position, units: Sequence[str], own: set[str], *, is_named: bool
    ) -> Hit | None:
        """An attack on units in which all of some took part."""
        tray = self._case.mind.tray
        some = self._trials.on(here, here.units[units[0]].cell)
        every, told = list(islice(some, _MOST_LISTED)), self._by_named(here, tray)
        # Who turns up more than he names has more in mind.
        best: Hit | None = None
        for action in sorted((one for one in every if own <= {*named(one)}), key=told):
            if best is not None and not is_named:
                break
            if best is not None and {*named(action)} != {*named(best.done[0])}:
                continue
            hit = self._trials.hit(here, action, tray, {*units})
            # Of ways in which the same units do it, rather that which the tracks show.
            if hit is not None and (best is None or hit.odd < best.odd):
                best = hit
        return best

    def _by_fewer(self, here: Position, hit: Hit, units: Sequence[str]) -> Hit | None:
        """The same attack without those who would be turned up by it, and lie there as before."""
        first = hit.done[0]
        shown, after = self._case.sights.units, hit.after
        covered = {
            unit
            for unit in changed(here, after)
            if here.units[unit].side == first.side and apart(after, shown, unit)
        }
        kind = self._case.rules.game.actions[first.kind]
        fewer = {
            p.name: [u for u in value if u not in covered]
            for p in kind.params
            if p.type is ParamType.UNITS and isinstance(value := first.params.get(p.name), tuple)
        }
        if not covered or not all(fewer.values()):
            return None
        given = {name: thaw(value) for name, value in first.params.items()} | fewer
        action = self._case.rules.game.actions.make(first.kind, first.side, **given)
        return self._trials.hit(here, action, self._case.mind.tray, {*units})

    def _may_suffer(self, units: Sequence[str]) -> bool:
        """Whether dice lie there, and changed units are of the other side, in one cell."""
        mind = self._case.mind
        here = mind.belief
        known = [here.units[unit] for unit in units if unit in here.units]
        if not mind.tray or mind.pending is not None or mind.anchor is None:
            return False
        if len(known) < len(units) or len({one.cell for one in known}) != 1:
            return False
        return not any(one.side in here.active for one in known)

    def _named(self, here: Position, tray: Sequence[Throw]) -> set[str]:
        """Who of the side that acts was named beside dice."""
        return {unit for side in here.active for unit in named_doers(tray, here, side)}

    def _turned_up(self) -> set[str]:
        """Who of the side that acts was turned up right before the dice that lie there."""
        mind = self._case.mind
        here = mind.belief
        first = min(throw.step for throw in mind.tray)
        rolled = max((e.last for e in mind.entries if e.dice), default=0)
        turned = {one.unit for one in mind.revealed if rolled < one.now.step < first}
        return {u for u in turned if u in here.units and here.units[u].side in here.active}

    def _hit_wrongly(self, units: Sequence[str], turned: set[str]) -> bool:
        """Whether those who were turned up attacked units against the rules; then they did.

        In a phase in which nobody attacks, or out of supply: their dice fit it, and what was lost.
        """
        found = self._refused(self._case.mind.belief, sorted(turned), units)
        if found is not None:
            self._do(*found, wrongly=True)
        return found is not None

    def _refused(
        self, here: Position, own: Sequence[str], units: Sequence[str]
    ) -> tuple[Unsaid, Unsaid] | None:
        """What silence decides, and what those did then against the rules, by the fewest faults."""
        found: dict[int, tuple[Unsaid, Unsaid]] = {}
        for first, at in self._moments(here) if own else ():
            for faults, hit in self._anybody.refused(at, own, units):
                if len(hit.done) <= _MOST_ANSWERS:
                    found.setdefault(faults, (first, hit.done))
        return found[min(found)] if found else None

    def _do(self, first: Unsaid, actions: Unsaid, *, wrongly: bool = False) -> None:
        """Carry out what silence decided first, and what was done then, perhaps `wrongly`."""
        case, tray = self._case, self._case.mind.tray
        first_done = len(case.mind.entries)
        for number, one in enumerate((*first, *actions)):
            now, what = Now(tray[-1].step, tray[-1].player, one.side), case.in_silence(one)
            wrong = wrongly and number == len(first)
            begun = tray[0].step if wrong else now.step
            self._runner.begin(one, now, begun, what, unsaid=not wrong, sure=not wrong)
        case.guess(first_done)

    def _moments(self, here: Position) -> Iterator[tuple[Unsaid, Position]]:
        """As things stand, and after what silence decides then."""
        at: Position | None = here
        done: Unsaid = ()
        for _ in range(_MOST_ANSWERS):
            if at is None or (at.turn, at.phase) != (here.turn, here.phase):
                return
            yield done, at
            answer = self._silent.answer(at)
            at = None if answer is None else self._silent.after(at, answer)
            done = done if answer is None else (*done, answer)

    def _by_revealed(self, here: Position, cell: str, before: Mind) -> Iterator[Action]:
        """The same, those first in which all take part who were touched before the dice."""
        touched = () if before.anchor is None else before.anchor.units
        own = {u for u in touched if u in here.units and here.units[u].side in here.active}
        every = list(islice(self._trials.on(here, cell), _MOST_LISTED))
        told = self._by_named(here, before.tray)
        return iter(sorted(every, key=lambda one: (told(one), len(own.difference(named(one))))))

    def _by_named(
        self, here: Position, tray: Sequence[Throw]
    ) -> Callable[[Action], tuple[int, int]]:
        """How many an action leaves out who were named beside dice, and how many it adds."""
        names = self._named(here, tray)

        def odd(action: Action) -> tuple[int, int]:
            own = {
                u for u in named(action) if u in here.units and here.units[u].side in here.active
            }
            return (len(names - own), len(own - names)) if names else (0, 0)

        return odd
