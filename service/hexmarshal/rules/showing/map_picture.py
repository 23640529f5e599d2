"""A picture of a position: the map with its units, and what a caller wants marked on it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import GeometryError, HexMarshalError, NotFoundError
from hexmarshal.geometry.lattice.hexes import Hex
from hexmarshal.geometry.lattice.squares import Square
from hexmarshal.geometry.svg import Picture, Unit
from hexmarshal.geometry.svg.lettering import width
from hexmarshal.geometry.svg.movement_layers import outline
from hexmarshal.geometry.svg.palette import side_colour
from hexmarshal.geometry.svg.picture import Entry
from hexmarshal.geometry.svg.view import View

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from hexmarshal.geometry.svg.canvas import Canvas, Point
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position

__all__ = ["Marked", "map_picture", "shown_position"]

# For sides that name no colour of their own, in their order.
_COLOURS: Final = ("blue", "red", "green", "yellow", "brown", "grey")
_AREAS: Final = ("#8a4fbf", "#c77d1e", "#1f8a8a", "#b0305c")
_CAPTION: Final = 13.5
"""No caption is written larger than this."""
_GOLD: Final = "#e0a91b"
_INK: Final = "#3a2a00"


@dataclass(frozen=True, slots=True)
class Marked:
    """What is marked on the map besides units, by the names of cells.

    Areas as pairs of a title and cells, objectives, markers as pairs of a cell and a title;
    `places` says of units that are in no cell where they are, in words.
    """

    areas: Sequence[tuple[str, Sequence[str]]] = ()
    objectives: Sequence[str] = ()
    markers: Sequence[tuple[str, str]] = ()
    places: Mapping[str, str] = field(default_factory=dict)


NOTHING: Final = Marked()


def shown_position(position: Position) -> str | None:
    """The picture of a position as SVG; None where its game is not installed or has no map."""
    from hexmarshal.rules.plugins.registry import default

    try:
        return map_picture(default().get(position.game), position).svg()
    except HexMarshalError:
        return None


def map_picture(
    plugin: GamePlugin,
    position: Position,
    title: str = "",
    marked: Marked = NOTHING,
    *,
    names: bool = True,
    legend: bool = True,
) -> Picture:
    """The map with the units of a position on it; a game that keeps no map cannot be drawn."""
    terrain = plugin.terrain_map(position)
    if terrain is None:
        raise NotFoundError(
            f"{plugin.game.title} gives no map to draw",
            hint="'hexmarshal scenario convert' makes a save that 'hexmarshal render' draws",
        )
    colours = _colours(plugin)
    arms = {kind.key: kind.arm for kind in plugin.game.unit_types}
    view = View(terrain)
    units = [
        Unit(
            cell,
            colours.get(unit.side, "grey"),
            unit.id,
            arms.get(unit.type, ""),
            None if unit.facing is None else _heading(view, cell, unit.facing),
        )
        for name, stack in position.occupied.items()
        if (cell := _cell(terrain, name)) is not None
        for unit in stack
    ]
    said = title or f"{plugin.game.title}, turn {position.turn}, {position.phase}"
    layer = _layer(plugin, position, terrain, colours, marked)
    return Picture(terrain, (layer,), tuple(units), said, names, legend)


def _heading(view: View, cell: Hashable, facing: int) -> float | None:
    """Where a facing points on the map: to a side of a hex, by eighths of a circle in squares."""
    if isinstance(cell, Square):
        return 45.0 * facing
    if not isinstance(cell, Hex):
        return None
    (x, y), (to_x, to_y) = view.centre(cell), view.centre(cell.neighbour(facing))
    return math.degrees(math.atan2(to_x - x, y - to_y))


def _colours(plugin: GamePlugin) -> dict[str, str]:
    return {
        side.key: str(side.values.get("colour") or _COLOURS[i % len(_COLOURS)])
        for i, side in enumerate(plugin.game.sides)
    }


def _cell(terrain: TerrainMap, name: str) -> Hashable | None:
    try:
        return terrain.cell(name)
    except GeometryError:
        return None


def _layer(
    plugin: GamePlugin,
    position: Position,
    terrain: TerrainMap,
    colours: dict[str, str],
    marked: Marked,
) -> _MapLayer:
    def cells(names: Sequence[str]) -> tuple[Hashable, ...]:
        return tuple(cell for name in names if (cell := _cell(terrain, name)) is not None)

    named = {side.key: side.title for side in plugin.game.sides}
    return _MapLayer(
        areas=tuple((title, cells(names)) for title, names in marked.areas),
        objectives=cells(marked.objectives),
        markers=tuple(
            (cell, title)
            for name, title in marked.markers
            if (cell := _cell(terrain, name)) is not None
        ),
        stacks=tuple(
            (cell, len(stack))
            for name, stack in position.occupied.items()
            if len(stack) > 1 and (cell := _cell(terrain, name)) is not None
        ),
        sides=tuple((named.get(s, s), colours.get(s, "grey")) for s in position.sides),
        told=(*_stacked(position), *_off_map(plugin, position, marked.places)),
    )


def _stacked(position: Position) -> Iterator[str]:
    """Who lies in a stack, where a counter hides the one below it: from the bottom up."""
    stacks = [
        f"{cell} {', '.join(unit.id for unit in stack)}"
        for cell, stack in position.occupied.items()
        if len(stack) > 1
    ]
    if stacks:
        yield "stacks: " + "; ".join(stacks)


def _off_map(plugin: GamePlugin, position: Position, places: Mapping[str, str]) -> Iterator[str]:
    """Every unit that no cell has, by the place where it is."""
    boxes = {box.key: box.title or box.key for box in plugin.game.boxes}
    found: dict[str, list[str]] = {}
    for unit in position.units.values():
        if not position.cell_of(unit):
            where = boxes.get(unit.box, unit.box) if unit.box else "elsewhere"
            place = f"aboard {unit.carrier}" if unit.carrier else where
            found.setdefault(places.get(unit.id, place), []).append(unit.id)
    for place, units in found.items():
        yield f"off the map, {place}: {', '.join(units)}"


def _wrapped(text: str, wide: float, high: float) -> Iterator[str]:
    """A text in lines that are no wider than the map."""
    line = ""
    for word in text.split(" "):
        if line and width(f"{line} {word}", high) > wide:
            yield line
            line = f"   {word}"
        else:
            line = f"{line} {word}" if line else word
    yield line


@dataclass(frozen=True, slots=True)
class _MapLayer:
    """Areas tinted, objectives starred, markers as small lozenges; the legend names the sides."""

    areas: tuple[tuple[str, tuple[Hashable, ...]], ...]
    objectives: tuple[Hashable, ...]
    markers: tuple[tuple[Hashable, str], ...]
    stacks: tuple[tuple[Hashable, int], ...]
    sides: tuple[tuple[str, str], ...]
    told: tuple[str, ...]

    def under(self, canvas: Canvas, view: View) -> None:
        """Tints of areas."""
        for i, (_, cells) in enumerate(self.areas):
            colour = _AREAS[i % len(_AREAS)]
            for cell in cells:
                canvas.polygon(view.corners(cell), fill=colour, fill_opacity=0.18)
        for cell in self.objectives:
            canvas.polygon(view.corners(cell), fill=_GOLD, fill_opacity=0.45)

    def over(self, canvas: Canvas, view: View) -> None:
        """Borders; stars and lozenges at the rim of cells, where counters do not hide them."""
        for i, (_, cells) in enumerate(self.areas):
            outline(canvas, view.border(cells), _AREAS[i % len(_AREAS)], 0.06 * view.unit)
        for cell in self.objectives:
            x, y = view.centre(cell)
            _star(canvas, (x + 0.5 * view.unit, y - 0.52 * view.unit), 0.24 * view.unit)
        heights: dict[Hashable, int] = {}
        for cell, title in self.markers:
            nth = heights[cell] = heights.get(cell, -1) + 1
            x, y = view.centre(cell)
            at = (x - 0.42 * view.unit + 0.36 * nth * view.unit, y + 0.5 * view.unit)
            _lozenge(canvas, at, 0.22 * view.unit, self._letters(title), title)
        for cell, count in self.stacks:
            x, y = view.centre(cell)
            at = (x - 0.44 * view.unit, y - 0.42 * view.unit)
            canvas.circle(at, 0.17 * view.unit, fill="#fffdf2", stroke=_INK, stroke_width=1)
            below = (at[0], at[1] + 0.09 * view.unit)
            canvas.write(str(count), below, 0.22 * view.unit, colour=_INK, weight=1.3)

    def _letters(self, title: str) -> str:
        """The first letter of a kind of marker, or two where others begin alike."""
        alike = {other for _, other in self.markers if other[:1] == title[:1]}
        return title[: 1 if len(alike) == 1 else 2].capitalize()

    def entries(self, view: View) -> Iterator[Entry]:  # noqa: ARG002
        """Sides, areas, objectives, markers."""
        for title, colour in self.sides:
            yield Entry(title, _Patch(side_colour(colour), 1.0))
        for i, (title, _) in enumerate(self.areas):
            yield Entry(title, _Patch(_AREAS[i % len(_AREAS)], 0.35))
        if self.objectives:
            yield Entry("objective", lambda canvas, at, wide: _star(
                canvas, (at[0] + wide / 2, at[1] + 0.35 * wide), 0.4 * wide))  # fmt: skip
        for title in dict.fromkeys(title for _, title in self.markers):
            yield Entry(title.lower(), _Sign(self._letters(title)))

    def captions(self, view: View) -> Iterator[str]:
        """Units that the map hides or does not show."""
        left, _, right, _ = view.bounds
        for text in self.told:
            yield from _wrapped(text, right - left, _CAPTION)


@dataclass(frozen=True, slots=True)
class _Patch:
    colour: str
    opacity: float

    def __call__(self, canvas: Canvas, at: Point, wide: float) -> None:
        canvas.rectangle(
            at, wide, 0.7 * wide, fill=self.colour, fill_opacity=self.opacity, stroke=_INK
        )


@dataclass(frozen=True, slots=True)
class _Sign:
    letters: str

    def __call__(self, canvas: Canvas, at: Point, wide: float) -> None:
        _lozenge(canvas, (at[0] + wide / 2, at[1] + 0.35 * wide), 0.42 * wide, self.letters)


_STAR: Final = (
    (0.0, -1.0), (0.22, -0.31), (0.95, -0.31), (0.36, 0.12), (0.59, 0.81), (0.0, 0.38),
    (-0.59, 0.81), (-0.36, 0.12), (-0.95, -0.31), (-0.22, -0.31),
)  # fmt: skip


def _star(canvas: Canvas, at: Point, size: float) -> None:
    corners = [(at[0] + x * size, at[1] + y * size) for x, y in _STAR]
    canvas.polygon(corners, fill=_GOLD, stroke=_INK, stroke_width=0.12 * size)


def _lozenge(canvas: Canvas, at: Point, size: float, letters: str, title: str = "") -> None:
    (x, y), s = at, size
    corners = ((x, y - s), (x + s, y), (x, y + s), (x - s, y))
    canvas.polygon(corners, title, fill="#fff6d8", stroke=_INK, stroke_width=0.12 * s)
    canvas.write(letters, (x, y + 0.36 * s), 0.78 * s, colour=_INK, weight=1.2)
