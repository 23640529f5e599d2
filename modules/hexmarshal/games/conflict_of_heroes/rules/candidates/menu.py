"""What the candidates of all slots are made from."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.fire.fire_offers import FireOffers
from hexmarshal.games.conflict_of_heroes.rules.movement import barriers
from hexmarshal.games.conflict_of_heroes.rules.movement.move_offers import MoveOffers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.games.conflict_of_heroes.state.tables import Card, Hit
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

LEFT_OUT: tuple[Value, ...] = (None,)
OR_NOT: tuple[Value, ...] = (None, True)


class Menu(MoveOffers, FireOffers):
    """What the lists of a side are made from, kept with the position."""

    def __init__(self, now: Situation, side: str) -> None:
        super().__init__(None, now, side)
        self.ap = self.now.ap(side)
        self.prices: dict[str, dict[str, int]] = {}
        self.cards: dict[str, list[Card]] = {}
        self._struck = {marker.unit for marker in self.position.markers.values()}
        self._able: dict[str, bool] = {}
        self._dark: dict[str, bool] = {}

    def able(self, unit: Unit) -> bool:
        """Whether a unit can move or pivot by itself."""
        found = self._able.get(unit.id)
        if found is None:
            held = unit.carrier or unit.flags or unit.id in self._struck
            found = not held or next(barriers.able_to_move(self.now, unit), None) is None
            self._able[unit.id] = found
        return found

    @cached_property
    def struck(self) -> list[Unit]:
        """The units on which a marker lies."""
        return [unit for unit in self.units if unit.id in self._struck]

    @cached_property
    def vehicles(self) -> list[Unit]:
        """The vehicles on the map."""
        return [unit for unit in self.units if unit.cell and self.now.counter(unit).vehicle]

    def hit(self, unit: Unit) -> Hit | None:
        """What the hit marker under a unit does."""
        return self.now.hit(unit) if unit.id in self._struck else None

    def dark(self, cell: str) -> bool:
        """Whether no enemy of the side sees a hex."""
        found = self._dark.get(cell)
        if found is None:
            found = self._dark[cell] = not self.now.watched(cell, self.side)
        return found


def menu_of(now: Situation, side: str) -> Menu:
    """The lists of a side, made once for a position."""
    return now.position.remember(f"menu of {side}", lambda: Menu(now, side))


def unit_of(now: Situation, action: Action) -> Unit:
    """The unit that acts."""
    return now.position.unit(action.text("unit"))


def chosen(now: Situation, action: Action, name: str = "units") -> list[Unit]:
    """The units chosen for a slot so far."""
    return [now.position.unit(u) for u in action.so_far(name)]


def if_so(condition: object, values: Iterable[Value]) -> Iterable[Value]:
    """These values under that condition; else the slot is left out."""
    return values if condition else LEFT_OUT
