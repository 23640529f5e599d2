"""Attacks tried on how things stand, and who suffers by them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import asked_about, changed
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.silence.silent_decisions import Unsaid
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value

__all__ = ["AttackTrials", "Hit"]

_MOST_ANSWERS: Final = 3


class Hit(NamedTuple):
    """An attack by which units suffer, with its answers; `asked` if they are to do something.

    `after` is how things stand then; the fewer of the `odd` books are otherwise on the table, the
    better.
    """

    done: Unsaid
    asked: bool
    after: Position
    odd: int = 0


class AttackTrials:
    """Carries attacks out on trial, with what silence answers until all dice are used."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def on(self, here: Position, cell: str) -> Iterator[Action]:
        """What units may do to others in a cell."""
        rules = self._case.rules
        for kind in rules.game.actions.values() if cell else ():
            required = [param for param in kind.params if param.required]
            aims: dict[str, Value] = {p.name: cell for p in required if p.type is ParamType.CELL}
            aims |= {p.name: (cell,) for p in required if p.type is ParamType.CELLS}
            several = any(param.type is ParamType.UNITS for param in required)
            if not several or len(aims) != 1 or not kind.fits(here.phase, here.state):
                continue
            for side in here.active:
                try:
                    offers = rules.offers(here, side, (kind.name,), aims)
                    yield from (offer.action for offer in offers)
                except HexMarshalError:
                    continue

    def hit(
        self, here: Position, action: Action, tray: Sequence[Throw], units: Collection[str]
    ) -> Hit | None:
        """An action with what silence answers then, if all dice are for it and units suffer."""
        rules, dice, at = self._case.rules, LogDice(tray), here
        done: Unsaid = ()
        one: Action | None = action
        while one is not None and len(done) < _MOST_ANSWERS:
            try:
                at = rules.apply(at, one, dice).position
            except HexMarshalError:
                return None
            done = (*done, one)
            if not dice.left:
                asked = not asked_about(at).isdisjoint(units)
                suffer = asked or not {*units}.isdisjoint(changed(here, at))
                books, shown = self._case.books, self._case.sights.books
                items = {*books.changed(here, at), *self._case.mind.due}
                odd = sum(books.apart(at, shown, item) for item in items)
                return Hit(done, asked, at, odd) if dice.used and suffer else None
            said = (rules.silence(at, side) for side in at.active)
            one = next((answer for answer in said if answer is not None), None)
        return None

    def is_refused(self, here: Position, action: Action) -> bool:
        """Whether an action breaks rules."""
        try:
            return not self._case.rules.check(here, action).legal
        except HexMarshalError:
            return True
