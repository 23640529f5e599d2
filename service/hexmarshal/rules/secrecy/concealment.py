"""Concealed stacks: others see that something is there, and neither how many nor what.

What they see is a counter, a unit like any other with a type that says nothing. The units lie under
it: the counter holds them by the bond `conceals`, only their side sees them, and they go where it
goes. A counter with nothing under it is a dummy, and looks the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import RulesError
from hexmarshal.rules.state.effects import AddUnit, ChangeUnit, MoveUnit, RemoveUnit
from hexmarshal.rules.state.whereabouts import BondRole
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from hexmarshal.rules.state.ledger import Ledger
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["CONCEALS", "conceal", "reveal"]

CONCEALS = BondRole("conceals", "Conceals", "the counter under which units lie unseen")


def conceal(ledger: Ledger, counter: Unit, *units: str) -> None:
    """Lay units under a counter; a new one, under a name of its own, makes others lose track."""
    ledger.do(AddUnit(counter.id, counter))
    for name in units:
        unit = ledger.position.unit(name)
        if unit.side != counter.side:
            raise RulesError(f"{name} is not of the side {counter.side}")
        bonds: FrozenMap[tuple[str, ...]] = FrozenMap({CONCEALS.key: (counter.id,)})
        # Unseen first, so that no moment of it shows more than all of it does.
        ledger.do(ChangeUnit(name, seen_by=(unit.side,), bonds=bonds), MoveUnit(name))


def reveal(ledger: Ledger, counter: str, *units: str) -> tuple[str, ...]:
    """Turn over units under a counter, or all of them; the counter goes when none is left.

    Gives the units that all see now: none of them, where the counter was a dummy.
    """
    position = ledger.position
    under = [unit.id for unit in position.bonded(counter, CONCEALS.key)]
    for name in units:
        if name not in under:
            raise RulesError(f"{name} does not lie under {counter}")
    shown = units or tuple(under)
    cover = position.unit(counter)
    for name in shown:
        where = MoveUnit(name, cover.cell, cover.level, cover.box, place=cover.place)
        loose: FrozenMap[tuple[str, ...]] = FrozenMap({CONCEALS.key: ()})
        ledger.do(where, ChangeUnit(name, seen_by=("*",), bonds=loose))
    if len(shown) == len(under):
        ledger.do(RemoveUnit(counter))
    return shown
