"""Cells of a grid that is numbered in another way than the rules', found by where they lie."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import GeometryError, Place, RulesError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.table.binding import Binding
    from hexmarshal.vassal.state.game_state import GameState
    from hexmarshal.vassal.state.locator import ModuleLocator

__all__ = ["numbered"]

_HINT: Final = "name three cells or more that lie far apart and not in one line"
_Point = tuple[float, float]
# What becomes of a point: x and y are each a * x + b * y + c.
_Turn = tuple[tuple[float, float, float], tuple[float, float, float]]


def shown_board(binding: Binding, state: GameState) -> str:
    """What the rules call the board that lies on the table; empty if nothing tells."""
    names = binding.map.boards
    for choice in state.boards.get(binding.map.name, ()):
        if choice.name in names:
            return names[choice.name]
    return next(iter(names.values())) if len(names) == 1 else ""


def numbered(
    binding: Binding, plugin: GamePlugin, state: GameState, locator: ModuleLocator
) -> Binding:
    """The binding with the rules' name of each location; as it is where `same` names none."""
    shown = binding.map
    if not shown.same:
        return binding
    land = plugin.terrain_map(replace(plugin.blank(), board=shown_board(binding, state)))
    if land is None:
        raise _wrong("", "the game has no map that tells where its cells lie")
    of = locator.on(shown.name)
    pairs: list[tuple[_Point, _Point]] = []
    for location, cell in shown.same.items():
        try:
            there = of.pixel_named(location)
        except GeometryError:
            raise _wrong(location, f"the map {shown.name!r} has no location {location!r}") from None
        try:
            pairs.append((_middle(land, cell), (there[0], there[1])))
        except GeometryError as error:
            raise _wrong(location, error.message) from None
    turn = _fitted(pairs)
    names: dict[str, str] = {}
    for cell in map(land.name, land.cells()):
        x, y = (round(one) for one in _turned(turn, _middle(land, cell)))
        location = locator.locate(shown.name, x, y).name
        # A module may lack what lies at the edge of the rules' map.
        if location and of.board_at((x, y)) is not None:
            names.setdefault(location, cell)
    for location, cell in shown.same.items():
        if names.get(location) != cell:
            text = f"{location!r} does not lie where {cell} is, as the others tell"
            raise _wrong(location, text)
    return replace(binding, map=replace(shown, table=names, back={c: n for n, c in names.items()}))


def _middle(land: TerrainMap, cell: str) -> _Point:
    middle = land.polygon(land.cell(cell)).centroid
    return float(middle.x), float(middle.y)


def _fitted(pairs: Sequence[tuple[_Point, _Point]]) -> _Turn:
    """The way to turn, scale and shift points that takes the first ones nearest to the others."""
    rows = [(x, y, 1.0) for (x, y), _ in pairs]
    square = [[sum(row[i] * row[j] for row in rows) for j in range(3)] for i in range(3)]
    found = []
    for axis in range(2):
        right = [
            sum(row[i] * to[axis] for row, (_, to) in zip(rows, pairs, strict=True))
            for i in range(3)
        ]
        found.append(_solved(square, right))
    return found[0], found[1]


def _solved(
    square: Sequence[Sequence[float]], right: Sequence[float]
) -> tuple[float, float, float]:
    """Three equations by Cramer's rule."""
    whole = _determinant(square)
    # Of the order of the map's area, squared, where the cells lie apart.
    if abs(whole) < 1.0:
        raise _wrong("", "the cells lie in one line, or are too few")
    parts = (
        _determinant([[right[r] if c == at else square[r][c] for c in range(3)] for r in range(3)])
        for at in range(3)
    )
    one, two, three = (part / whole for part in parts)
    return one, two, three


def _determinant(m: Sequence[Sequence[float]]) -> float:
    return (
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    )


def _turned(turn: _Turn, point: _Point) -> _Point:
    (a, b, c), (d, e, f) = turn
    x, y = point
    return a * x + b * y + c, d * x + e * y + f


def _wrong(location: str, text: str) -> RulesError:
    return RulesError(text, place=Place(field=f"map.same.{location}".rstrip(".")), hint=_HINT)
