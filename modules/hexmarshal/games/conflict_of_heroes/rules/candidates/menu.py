"""What the candidates of all slots are made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from hexmarshal.games.conflict_of_heroes.rules.fire.fire_offers import FireOffers
from hexmarshal.games.conflict_of_heroes.rules.movement import barriers
from hexmarshal.games.conflict_of_heroes.rules.movement.move_offers import MoveOffers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value

T = TypeVar("T")
LEFT_OUT: tuple[Value, ...] = (None,)
OR_NOT: tuple[Value, ...] = (None, True)


class Menu(MoveOffers, FireOffers):
    """What the lists of a side are made from, kept with the position."""

    def __init__(self, plugin: GamePlugin | None, position: Position, side: str) -> None:
        super().__init__(plugin, position, side)
        self.ap = self.now.ap(side)
        self._kept: dict[str, Any] = {}
        self._able: dict[str, bool] = {}
        self._dark: dict[str, bool] = {}

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """Something worked out for this side once."""
        if name not in self._kept:
            self._kept[name] = make()
        found: T = self._kept[name]
        return found

    def able(self, unit: Unit) -> bool:
        """Whether a unit can move or pivot by itself."""
        found = self._able.get(unit.id)
        if found is None:
            found = next(barriers.able_to_move(self.now, unit), None) is None
            self._able[unit.id] = found
        return found

    def dark(self, cell: str) -> bool:
        """Whether no enemy of the side sees a hex."""
        found = self._dark.get(cell)
        if found is None:
            found = self._dark[cell] = not self.now.watched(cell, self.side)
        return found


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
