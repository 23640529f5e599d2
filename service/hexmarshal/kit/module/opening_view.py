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
_HALF: Final = 780
"""Half of the width of the window of a screen that is not large."""
_MARGIN: Final = 100


def add_view(module: ModuleBuilder, main: MapBuilder, pictures: Pictures) -> None:
    """A button that shows the front, pressed by itself when a game is opened."""
    for name in _PROPERTIES:
        module.global_property(name, "0", "Where the view begins")
    main.view(_NAME, *_PROPERTIES, icon=pictures.icon("front"))
    module.on_opening(_NAME)


def turn_view(
    state: GameState, lying: Mapping[str, Sequence[Point]], *, beside: int | None = None
) -> None:
    """Let a set-up open where the sides are closest; `lying` are the units of each side.

    What lies beside the board up to the pixel `beside` is in view, too, as far as no unit of the
    front goes out of it.
    """
    at = front_of(lying)
    if at is None:
        return
    if beside is not None:
        most = min(x for x, _ in _near(lying)) + _HALF - _MARGIN
        at = max(at[0], min(beside - _HALF, most)), at[1]
    for key in state.properties:
        if key[1] in _PROPERTIES:
            state.properties[key] = str(at[_PROPERTIES.index(key[1])])


def front_of(lying: Mapping[str, Sequence[Point]]) -> Point | None:
    """The middle of the half of all units that is nearest to the enemy."""
    near = _near(lying)
    count = len(near)
    return (sum(x for x, _ in near) // count, sum(y for _, y in near) // count) if near else None


def _near(lying: Mapping[str, Sequence[Point]]) -> list[Point]:
    placed = [(point, side) for side, points in lying.items() for point in points]

    def to_enemy(one: tuple[Point, str]) -> int:
        (x, y), side = one
        away = [(x - a) ** 2 + (y - b) ** 2 for (a, b), other in placed if other != side]
        return min(away, default=0)

    ordered = sorted(placed, key=lambda one: (to_enemy(one), one))
    return [point for point, _ in ordered[: (len(placed) + 1) // 2]]
