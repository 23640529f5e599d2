"""Actions that nobody announced and no single drag is: found by what they leave on the table."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.interpret.drag_actions import named
from hexmarshal.referee.judge.case import Guess
from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from hexmarshal.referee.interpret.drag_run import Now
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.judge.case import Case, Mind
    from hexmarshal.referee.judge.silent_decisions import SilentDecisions
    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.state.position import Position

__all__ = ["UnspokenActions"]

# So many actions of a kind are looked at, and so many in all are carried out on trial.
_MOST_LISTED: Final = 400
_MOST_TRIED: Final = 60
# More questions than this in a row nobody answers without a word.
_MOST_ANSWERS: Final = 3
_MOST_WAYS: Final = 4
_CELLS: Final = frozenset({ParamType.CELL, ParamType.CELLS, ParamType.PATH})


class UnspokenActions:
    """Carries out on trial what players may have done, and keeps the first that explains it.

    An attack shows by its dice and by what became of those who took part; what is asked in the
    course of it and nobody answers is answered by silence.
    """

    def __init__(
        self,
        case: Case,
        runner: ActionRunner,
        silent: SilentDecisions,
        drags: Collection[str],
    ) -> None:
        self._case, self._runner, self._silent = case, runner, silent
        self._drags = frozenset(drags)

    def found(self, units: Collection[str], now: Now, explains: Callable[[], bool]) -> bool:
        """Whether an action was found and carried out after which `explains` holds.

        `units` are those that look otherwise. If nothing explains it, all is as it was before. It
        may have been another: nothing after it is certain, and what follows may tell better.
        """
        case = self._case
        before = case.mind
        self._let_pass(units, now)
        start = case.mind
        best: tuple[int, Mind] | None = None
        for action in islice(self._likely(start.belief, frozenset(units)), _MOST_TRIED):
            case.mind = start.copy()
            self._begin(action, now)
            if self._goes_on(units, now, explains, _MOST_ANSWERS) and self._is_same_phase(before):
                # Of those that explain the units, the one that explains most of the books.
                apart = sum(map(case.item_apart, case.sights.books))
                if best is None or apart < best[0]:
                    best = apart, case.mind
                if not apart:
                    break
        if best is None:
            case.mind = before
            return False
        case.mind = best[1]
        case.mind.guessed = True
        case.mind.guess = Guess(before, tuple(units), now)
        return True

    def _let_pass(self, units: Collection[str], now: Now) -> None:
        """Where sides act in turn and it is not these units' turn, the others pass first."""
        case = self._case
        here = case.mind.belief
        sides = {here.units[unit].side for unit in units if unit in here.units}
        if len(sides) != 1 or sides & {*here.active}:
            return
        unsaid = self._silent.passes(here, *sides)
        if unsaid is not None and self._silent.after(here, unsaid) is not None:
            case.mind = case.mind.copy()
            self._begin(unsaid, now)
            case.mind.belief = self._silent.unharmed(here, unsaid, case.mind.belief)

    def _is_same_phase(self, before: Mind) -> bool:
        old, new = before.belief, self._case.mind.belief
        return (old.turn, old.phase) == (new.turn, new.phase)

    def found_anew(self, units: Collection[str], explains: Callable[[], bool]) -> bool:
        """Whether another guess than the last explains what that did, and this as well."""
        case, kept = self._case, self._case.mind
        guess = kept.guess
        if guess is None:
            return False
        earlier = [unit for unit in guess.units if unit not in units]

        def both() -> bool:
            return not any(case.apart(unit) for unit in earlier) and explains()

        case.mind = replace(guess.before.copy(), tray=kept.tray or guess.before.tray)
        if self.found((*guess.units, *units), guess.now, both) or self.found(
            guess.units, guess.now, both
        ):
            return True
        case.mind = kept
        return False

    def _goes_on(
        self, units: Collection[str], now: Now, explains: Callable[[], bool], most: int
    ) -> bool:
        """Whether it is explained now, or after what is asked was answered one way or another."""
        case = self._case
        self._runner.results.redraw(units)
        if case.mind.pending is None and explains():
            return True
        here = case.mind
        if not most or not here.belief.state:
            return False
        for answer in self._answers(here.belief):
            case.mind = here.copy()
            self._begin(answer, now)
            if self._goes_on(units, now, explains, most - 1):
                return True
        case.mind = here
        return False

    def _answers(self, position: Position) -> list[Action]:
        """What may be said to the question that is open, silence first; no choice of units."""
        first = self._silent.answer(position)
        found = [] if first is None else [first]
        for side in position.active:
            try:
                for offer in islice(self._case.rules.offers(position, side), _MOST_WAYS):
                    if offer.action not in found and not named(offer.action):
                        found.append(offer.action)
            except HexMarshalError:
                break
        return found

    def _begin(self, action: Action, now: Now) -> None:
        what = f"in silence: {action}"
        self._runner.begin(action, now, now.step, what, unsaid=True)

    def _likely(self, position: Position, units: frozenset[str]) -> Iterator[Action]:
        """Legal actions that concern the units, those of fewest others first."""
        dice = bool(self._case.mind.tray)
        found: list[tuple[int, int, Action]] = []
        for side in position.active:
            for kind in self._case.rules.game.actions.values():
                if kind.name in self._drags and not dice:
                    continue
                for action in self._listed(position, side, kind):
                    others = self._others(position, action, kind, units)
                    if others is not None:
                        found.append((others, len(found), action))
        return (action for *_, action in sorted(found, key=lambda one: one[:2]))

    def _listed(self, position: Position, side: str, kind: ActionType) -> Iterator[Action]:
        try:
            offers = self._case.rules.offers(position, side, (kind.name,))
            yield from (offer.action for offer in islice(offers, _MOST_LISTED))
        except HexMarshalError:
            return

    @staticmethod
    def _others(
        position: Position, action: Action, kind: ActionType, units: frozenset[str]
    ) -> int | None:
        """How many units an action concerns besides these; None if it concerns none of them."""
        cells = {
            cell
            for param in kind.params
            if param.type in _CELLS and param.name in action.params
            for cell in _texts(action.params[param.name])
        }
        concerned = {name for name in named(action) if name in position.units}
        concerned |= {unit.id for cell in cells for unit in position.at(cell)}
        # Whoever has no place yet may be brought in by an action that does not name him.
        waiting = {name for name in units if name in position.units and position.units[name].box}
        if not concerned or (not concerned & units and not waiting):
            return None
        if not units <= concerned | waiting:
            return None
        return len(concerned - units)


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(str(one) for one in value) if isinstance(value, tuple) else ()
