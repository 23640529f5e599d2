"""Dice for something that was told in plain words: who does it, and to whom, right before them."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import changed
from hexmarshal.referee.chat.chat_mentions import speaker, spoken_of
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions, Unsaid
    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value

__all__ = ["SpokenDice"]

_LOOKED: Final = 60
# So many aims are tried of those that were named.
_AIMS: Final = 6
# How something is done nobody has to say: the table shows it.
_HOW: Final = (ParamType.CHOICE, ParamType.BOOL)


class SpokenDice:
    """Finds the action that uses all dice that lie there, and is about those who were named.

    Of several ways to do it the one that the table shows most of.
    """

    def __init__(self, case: Case, runner: ActionRunner, silent: SilentDecisions) -> None:
        self._case, self._runner, self._silent = case, runner, silent

    def explain(self) -> bool:
        """Whether such an action was found, and done; others may have passed before it."""
        case, kept = self._case, self._case.mind
        tray, side = kept.tray, speaker(kept.tray, kept.belief)
        best: tuple[int, Unsaid] | None = None
        units, about = kept.belief.units, spoken_of(tray)
        own = [name for name in about if name in units and units[name].side == side]
        for first, here in self._moments(kept.belief, side, own[0]) if own else ():
            for action in self._actions(here, own, about):
                odd = self._odd(here, action)
                if odd is not None and (best is None or odd < best[0]):
                    best = odd, (*first, action)
        for action in () if best is None else best[1]:
            now, what = Now(tray[-1].step, tray[-1].player, action.side), case.spoken(action)
            self._runner.begin(action, now, tray[0].step, f"in silence: {what}", unsaid=True)
            case.mind.guessed = True
        return best is not None

    def _moments(self, here: Position, side: str, doer: str) -> Iterator[tuple[Unsaid, Position]]:
        """As things stand, if it is this side's go, or after the others have passed.

        And after who is named first was made ready for it, without a word.
        """
        done: Unsaid = ()
        at: Position | None = here
        if side not in here.active:
            passed = self._silent.passes(here, side)
            at = None if passed is None else self._silent.after(here, passed)
            if passed is None or at is None or side not in at.active:
                return
            done, at = (passed,), self._silent.unharmed(here, passed, at)
        assert at is not None
        yield done, at
        for kind in self._case.rules.game.actions.values():
            required = [param for param in kind.params if param.required]
            if [param.type for param in required] != [ParamType.UNIT]:
                continue
            action = self._case.rules.game.actions.make(kind.name, side, **{required[0].name: doer})
            ready = self._silent.makes_ready(action) and self._silent.after(at, action)
            if ready:
                yield (*done, action), ready

    def _actions(
        self, here: Position, own: Sequence[str], about: Sequence[str]
    ) -> Iterator[Action]:
        """What the first of those who were named may do, to others that were."""
        rules, units = self._case.rules, here.units
        side = units[own[0]].side
        others = [name for name in about if name not in own][:_AIMS]
        aims = dict.fromkeys(units[n].cell if n in units else n for n in others)
        for kind in rules.game.actions.values():
            if not kind.fits(here.phase, here.state):
                continue
            for held in _held(kind, own[0], [n for n in others if n in units], [*aims]):
                try:
                    offers = rules.offers(here, side, (kind.name,), held)
                    yield from (offer.action for offer in islice(offers, _LOOKED))
                except HexMarshalError:
                    continue

    def _odd(self, here: Position, action: Action) -> int | None:
        """How much the table shows otherwise; None if the dice that lie there are not for this."""
        case, kept = self._case, self._case.mind
        dice = LogDice(kept.tray)
        try:
            after = case.rules.apply(here, action, dice).position
        except HexMarshalError:
            return None
        if dice.left or not dice.used:
            return None
        case.mind = replace(kept, belief=after)
        try:
            units = sum(case.apart(unit) for unit in changed(here, after))
            items = sum(map(case.item_apart, case.books.changed(here, after)))
            return units + items + self._unseen_cards(here, after)
        finally:
            case.mind = kept

    def _unseen_cards(self, here: Position, after: Position) -> int:
        """How many piles would be changed that are not on the table."""
        return sum(
            sorted(cards) != sorted(after.pile(name).cards)
            for name, cards in self._case.sights.piles().items()
            if here.pile(name).cards != after.pile(name).cards
        )


def _held(
    kind: ActionType, own: str, others: Sequence[str], aims: Sequence[str]
) -> Iterator[dict[str, Value]]:
    """The slots of a kind with those who were named: who acts, and whom or what he aims at.

    None where players did not name all that it needs.
    """
    slots = [param for param in kind.params if param.required and param.type not in _HOW]
    if not slots or slots[0].type is not ParamType.UNIT:
        return
    first, *rest = slots
    if not rest:
        yield {first.name: own}
    elif len(rest) == 1:
        found: Sequence[Value] = ()
        match rest[0].type:
            case ParamType.UNIT:
                found = others
            case ParamType.CELL:
                found = aims
            case ParamType.CELLS:
                found = [(aim,) for aim in aims]
        yield from ({first.name: own, rest[0].name: one} for one in found)
