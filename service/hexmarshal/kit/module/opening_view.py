"""The view that a game opens with: where the sides stand against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hexmarshal.kit.module.pictures import Pictures
    from hexmarshal.table.placing.places import Point
    from hexmarshal.vassal.builder import MapBuilder, ModuleBuilder
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["add_view", "front_of", "turn_view"]

_NAME: Final = "The front"
_PROPERTIES: Final = ("FrontX", "FrontY")


def add_view(module: ModuleBuilder, main: MapBuilder, pictures: Pictures) -> None:
    """A button that shows the front, pressed by itself when a game is opened."""
    for name in _PROPERTIES:
        module.global_property(name, "0", "Where the view begins")
    main.view(_NAME, *_PROPERTIES, icon=pictures.icon("front"))
    module.on_opening(_NAME)


def turn_view(state: GameState, lying: Mapping[str, Sequence[Point]]) -> None:
    """Let a set-up open where the sides are closest; `lying` are the units of each side."""
    at = front_of(lying)
    if at is None:
        return
    for key in state.properties:
        if key[1] in _PROPERTIES:
            state.properties[key] = str(at[_PROPERTIES.index(key[1])])


def front_of(lying: Mapping[str, Sequence[Point]]) -> Point | None:
    """The middle of the half of all units that is nearest to the enemy."""
    placed = [(point, side) for side, points in lying.items() for point in points]
    if not placed:
        return None

    def to_enemy(one: tuple[Point, str]) -> int:
        (x, y), side = one
        away = [(x - a) ** 2 + (y - b) ** 2 for (a, b), other in placed if other != side]
        return min(away, default=0)

    near = sorted(placed, key=lambda one: (to_enemy(one), one))[: (len(placed) + 1) // 2]
    count = len(near)
    return sum(x for (x, _), _ in near) // count, sum(y for (_, y), _ in near) // count
