"""What the candidates of all slots are made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.fire.fire_offers import FireOffers
from hexmarshal.games.conflict_of_heroes.rules.movement.move_offers import MoveOffers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

LEFT_OUT: tuple[Value, ...] = (None,)
OR_NOT: tuple[Value, ...] = (None, True)


class Menu(MoveOffers, FireOffers):
    """What the lists of a side are made from, kept with the position."""


def menu_of(now: Situation, side: str) -> Menu:
    """The lists of a side, made once for a position."""
    position = now.position
    return position.remember(f"menu of {side}", lambda: Menu(None, position, side))


def unit_of(now: Situation, action: Action) -> Unit:
    """The unit that acts."""
    return now.position.unit(action.text("unit"))


def chosen(now: Situation, action: Action, name: str = "units") -> list[Unit]:
    """The units chosen for a slot so far."""
    return [now.position.unit(u) for u in action.so_far(name)]


def if_so(condition: object, values: Iterable[Value]) -> Iterable[Value]:
    """These values under that condition; else the slot is left out."""
    return values if condition else LEFT_OUT
