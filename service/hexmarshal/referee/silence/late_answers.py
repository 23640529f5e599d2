"""What is asked, and is not done yet when somebody goes on: he may do it later."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import apart, asked_about
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.interpret.open_question import concerned_names
from hexmarshal.rules.dice import Dice

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.drag_run import DragRun, Now
    from hexmarshal.referee.silence.silent_decisions import Unsaid
    from hexmarshal.referee.silence.unspoken import Unspoken
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position

__all__ = ["LateAnswers"]

# So many answers are tried, so many of a kind, and so many one after the other.
_TRIALS: Final = 24
_OF_A_KIND: Final = 6
_DEEP: Final = 3


class LateAnswers:
    """Answers what is asked by what no drag shows, where something is right only then.

    Who takes the hex that was fought for before he takes off the step that it cost him owes that.
    """

    def __init__(self, case: Case, unspoken: Unspoken, drags: Collection[str]) -> None:
        """`drags` are the kinds that dragging can be: those show."""
        self._case, self._unspoken, self._drags = case, unspoken, drags

    def go(self, is_right: Callable[[Position], bool], run: DragRun) -> bool:
        """Whether a drag to where all this is about is right after such answers; then they are."""
        here = self._case.mind.belief
        if not here.state or run.cells[-1] not in concerned_names(self._case.rules.game, here):
            return False
        found = self._search(here, is_right, run.units)
        if found is None:
            return False
        first = len(self._case.mind.entries)
        self._unspoken.do(found, run.now)
        self._owe(first)
        return True

    def go_on(self, now: Now) -> bool:
        """Whether a part of what is asked was done when something else begins: it owes the rest.

        Who has taken one of two steps off may take the other off when the next attack is over.
        """
        mind = self._case.mind
        here, units = mind.belief, {deed.unit for deed, _ in mind.waiting}
        answer = self._begun(here, units)
        if answer is None:
            return False
        first, mind.waiting = len(mind.entries), ()
        self._unspoken.do((answer,), now)
        self._owe(first)
        return True

    def answer(self, here: Position, units: Collection[str]) -> Action | None:
        """The answer to what is asked that leaves units as they are shown; or begins to."""
        shown = self._case.sights.units
        for action, after in self._applied(here, units):
            if not any(apart(after, shown, unit) for unit in units):
                return action
        return self._begun(here, units)

    def _begun(self, here: Position, units: Collection[str]) -> Action | None:
        """The answer of which units show a part, and no more than that."""
        for action, after in self._applied(here, units):
            if all(self._is_on_its_way(here, after, unit) for unit in units):
                return action
        return None

    def _applied(self, here: Position, units: Collection[str]) -> Iterator[tuple[Action, Position]]:
        """Answers to what is asked about units, and what comes of them."""
        if not here.state or not units or not {*units} <= asked_about(here):
            return
        for action in self._answers(here, ()):
            try:
                yield action, self._case.rules.apply(here, action, Dice(None, given=())).position
            except HexMarshalError:
                continue

    def _is_on_its_way(self, here: Position, after: Position, unit: str) -> bool:
        """Whether a unit has lost something on the table, and is to lose more."""
        known, left = here.units.get(unit), after.units.get(unit)
        seen = self._case.sights.units.get(unit)
        if known is None or seen is None or not seen.at_place_of(known):
            return False
        shown = [one.value for right, one in seen.against(known) if right.of == "steps"]
        gone = left is None or not left.cell
        steps = 0 if gone or left is None else left.steps
        return any(isinstance(n, int) and steps < n < known.steps for n in shown)

    def _owe(self, first: int) -> None:
        """What entries leave that nobody made is owed for the dice of which it came."""
        case, mind = self._case, self._case.mind
        if mind.rolled is None:
            return
        for unit, number in tuple(mind.owed.items()):
            if number >= first:
                mind.owed[unit] = mind.rolled.entry
                mind.slight -= {*case.differences(unit)}

    def _search(
        self, here: Position, is_right: Callable[[Position], bool], units: Collection[str]
    ) -> Unsaid | None:
        tried = 0
        todo: deque[tuple[Position, Unsaid]] = deque([(here, ())])
        while todo:
            at, done = todo.popleft()
            for action in self._answers(at, units):
                tried += 1
                if tried > _TRIALS:
                    return None
                try:
                    applied = self._case.rules.apply(at, action, Dice(None, given=()))
                    after = replace(applied.position, generator=None)
                except HexMarshalError:
                    continue
                if (after.turn, after.phase) != (here.turn, here.phase):
                    continue
                if is_right(after):
                    return (*done, action)
                if after.state and len(done) + 1 < _DEEP:
                    todo.append((after, (*done, action)))
        return None

    def _answers(self, at: Position, units: Collection[str]) -> Iterator[Action]:
        """What may be answered, rather by others than those who went on."""
        kinds = self._case.rules.game.actions.values()
        for kind in kinds:
            if kind.name in self._drags or not kind.states or not kind.fits(at.phase, at.state):
                continue
            for side in at.active:
                try:
                    offers = self._case.rules.offers(at, side, (kind.name,))
                    some = [offer.action for offer in islice(offers, _OF_A_KIND)]
                except HexMarshalError:
                    continue
                yield from sorted(some, key=lambda one: not {*units}.isdisjoint(named(one)))
