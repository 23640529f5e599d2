"""Land on the scale of divisions: steppe, woods, rivers on sides, cities, towns, ways."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.geometry.svg.canvas import bend
from hexmarshal.kit.drawing.outlines import jitter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.kit.drawing.canvas import Canvas, Point
    from hexmarshal.kit.ground.land import Land

__all__ = [
    "CELLS", "Cities", "Crowns", "Numbers", "Outlines", "Rivers", "Steppe", "Tints", "Towns", "Way",
    "Ways", "chains", "to_the_edge",
]  # fmt: skip

CELLS: Final = (64.0, 74.0)
"""The pitch and breadth of the cells that these brushes are made for."""
_AT_THE_EDGE: Final = 76.0


@dataclass(frozen=True, slots=True)
class Steppe:
    """Bare ground with patches of tilled land, so that it is not one flat colour."""

    colour: str = "#efe6cc"
    field: str = "#e6dbb8"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw it over the whole map."""
        left, top, _, _ = land.bounds
        canvas.rectangle((left, top), *land.size, fill=self.colour)
        with canvas.group(fill=self.field, fill_opacity=0.55):
            for cell in land.cells:
                (q, r), (x, y) = _whole(cell), land.centre(cell)
                for k in range(3):
                    if jitter(q, r, k) > 0.45:
                        continue
                    turn = 180 * jitter(q, r, k, 1)
                    dx, dy = 60 * (jitter(q, r, k, 2) - 0.5), 60 * (jitter(q, r, k, 3) - 0.5)
                    wide, high = 26 + 30 * jitter(q, k, 4), 10 + 12 * jitter(r, k, 5)
                    canvas.element(
                        "rect", x=x + dx - wide / 2, y=y + dy - high / 2, width=wide, height=high,
                        rx=3, transform=f"rotate({turn:.0f} {x + dx:.1f} {y + dy:.1f})",
                    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tints:
    """Cells in a plain colour: hills, marsh, desert, sea."""

    terrain: str
    colour: str
    opacity: float = 1.0

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw every cell of the terrain."""
        with canvas.group(
            fill=self.colour, stroke=self.colour, stroke_width=1, fill_opacity=self.opacity
        ):
            for cell in _of(land, self.terrain):
                canvas.polygon(land.corners(cell))


@dataclass(frozen=True, slots=True)
class Crowns:
    """Woods: the crowns of trees on green ground."""

    terrain: str
    ground: str = "#a9bf86"
    trees: tuple[str, ...] = ("#5f8a4c", "#76a05c", "#4f7842")
    line: str = "#40663a"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw every wood of the terrain."""
        woods = sorted(_of(land, self.terrain))
        with canvas.group(fill=self.ground, stroke=self.ground, stroke_width=3):
            for cell in woods:
                canvas.polygon(land.corners(cell))
        crowns = []
        for cell in woods:
            (q, r), (x, y) = _whole(cell), land.centre(cell)
            for k in range(34):
                reach = 34 * math.sqrt(jitter(q, r, k))
                turn = 2 * math.pi * jitter(r, q, k, 7)
                crown = x + reach * math.cos(turn), y + reach * math.sin(turn)
                crowns.append((crown[1], crown[0], k, 4.2 + 2.6 * jitter(q, k, 9)))
        for y, x, k, radius in sorted(crowns):
            colour = self.trees[k % len(self.trees)]
            canvas.circle((x, y), radius, fill=colour, stroke=self.line, stroke_width=0.7)


@dataclass(frozen=True, slots=True)
class Outlines:
    """The grid."""

    line: str = "#9d9272"
    wide: float = 1.1

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw the outline of every cell."""
        with canvas.group(fill="none", stroke=self.line, stroke_width=self.wide):
            for cell in land.cells:
                canvas.polygon(land.corners(cell))


@dataclass(frozen=True, slots=True)
class Rivers:
    """Rivers on sides, by terrain and width, the wider ones last."""

    widths: tuple[tuple[str, float], ...]
    water: str = "#5b9bcc"
    bank: str = "#2f6b9c"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw all rivers, the banks first, so that they flow together."""
        drawn = [
            (bend(to_the_edge(land, chain)), wide)
            for terrain, wide in self.widths
            for chain in chains(land.side(side) for side in _sides(land, terrain))
        ]
        for colour, more in ((self.bank, 2.4), (self.water, 0.0)):
            with canvas.group(
                fill="none", stroke=colour, stroke_linecap="round", stroke_linejoin="round"
            ):
                for d, wide in drawn:
                    canvas.element("path", d=d, stroke_width=wide + more)


@dataclass(frozen=True, slots=True)
class Cities:
    """Cells that a city fills, block by block."""

    terrain: str
    ground: str = "#b9aca1"
    block: str = "#6f5f58"
    line: str = "#9d9272"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw every cell of the terrain."""
        for cell in _of(land, self.terrain):
            canvas.polygon(land.corners(cell), fill=self.ground, stroke=self.line, stroke_width=1.1)
            (q, r), (x, y) = _whole(cell), land.centre(cell)
            with canvas.group(fill=self.block, fill_opacity=0.72):
                for row in range(-3, 4):
                    for column in range(-3, 4):
                        bx, by = 10 * column + 5 * (row % 2), 10.5 * row
                        if abs(bx) * 0.6 + abs(by) > 34 or abs(bx) > 30:
                            continue
                        wide = 5 + 3.6 * jitter(q, row, column)
                        high = 5 + 3.4 * jitter(r, row, column, 3)
                        canvas.rectangle((x + bx - wide / 2, y + by - high / 2), wide, high)


@dataclass(frozen=True, slots=True)
class Towns:
    """A few houses in the middle of a cell."""

    terrain: str
    ground: str = "#b9aca1"
    block: str = "#6f5f58"
    edge: str = "#f7f1de"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw every town of the terrain."""
        for cell in _of(land, self.terrain):
            x, y = land.centre(cell)
            canvas.circle((x, y), 12, fill=self.ground, fill_opacity=0.8)
            with canvas.group(fill=self.block, stroke=self.edge, stroke_width=0.8):
                for dx, dy, wide, high in (
                    (-11, -8, 9, 7), (1, -9, 10, 8), (-9, 2, 8, 8), (2, 2, 9, 6), (-3, -3, 6, 6)
                ):  # fmt: skip
                    canvas.rectangle((x + dx, y + dy), wide, high)


@dataclass(frozen=True, slots=True)
class Way:
    """How a way looks: strokes one over the other, each a colour, a width and dashes."""

    terrain: str
    strokes: tuple[tuple[str, float, str | None], ...]
    shift: float = 0.0
    """So far down, so that two ways through the same cells both show."""

    @classmethod
    def road(cls, terrain: str, colour: str = "#c7502f", edge: str = "#6d2a18") -> Way:
        """A road with an edge."""
        return cls(terrain, ((edge, 6.4, None), (colour, 4.0, None)))

    @classmethod
    def rail(cls, terrain: str, colour: str = "#35302b", shift: float = 9.0) -> Way:
        """A railway with sleepers."""
        return cls(terrain, ((colour, 2.2, None), (colour, 8.0, "1.8 8")), shift)


@dataclass(frozen=True, slots=True)
class Ways:
    """Roads and rails through the middles of cells."""

    kinds: tuple[Way, ...]

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw all ways, kind by kind."""
        for kind in self.kinds:
            lines = []
            for path in land.map.paths:
                if path.terrain == kind.terrain:
                    middles = to_the_edge(land, [land.centre(cell) for cell in path.cells])
                    lines.append(bend([(x, y + kind.shift) for x, y in middles]))
            for colour, wide, dashes in kind.strokes:
                with canvas.group(
                    fill="none", stroke=colour, stroke_width=wide, stroke_linejoin="round",
                    stroke_linecap="butt" if dashes else "round", stroke_dasharray=dashes,
                ):  # fmt: skip
                    for d in lines:
                        canvas.element("path", d=d)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The names of cells at their top, small."""

    colour: str = "#75694a"
    halo: str = "#f4ecd4"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Write the name of every cell."""
        for cell in land.cells:
            x, y = land.centre(cell)
            canvas.write(
                land.map.name(cell), (x, y - 24), 7.6, colour=self.colour, weight=0.95,
                halo=self.halo,
            )  # fmt: skip


def _whole(cell: tuple[Any, Any]) -> tuple[int, int]:
    """Numbers for the chance of a cell; squares across the grid have halves."""
    q, r = (one if isinstance(one, int) else int(2 * one) for one in cell)
    return q, r


def _of(land: Land, terrain: str) -> list[tuple[int, int]]:
    return [cell for cell, kinds in land.map.cell_terrain.items() if terrain in kinds]  # type: ignore[misc]


def _sides(land: Land, terrain: str) -> list[object]:
    return [side for side, kinds in land.map.side_terrain.items() if terrain in kinds]


def chains(stretches: Iterable[list[Point]]) -> list[list[Point]]:
    """Stretches strung together to lines; a line ends where it meets another."""
    ends: dict[Point, Point] = {}

    def met(point: Point) -> Point:
        # Corners that two cells computed may differ in the last bits.
        return ends.setdefault((round(point[0], 2), round(point[1], 2)), point)

    pieces = [(met(line[0]), met(line[-1])) for line in stretches if len(line) > 1]
    at: dict[Point, list[int]] = {}
    for i, piece in enumerate(pieces):
        for end in piece:
            at.setdefault(end, []).append(i)
    used: set[int] = set()
    starts = [*(point for point, own in at.items() if len(own) != 2), *at]
    return [
        _walk(start, first, pieces, at, used)
        for start in starts
        for first in at[start]
        if first not in used
    ]


def _walk(
    start: Point,
    first: int,
    pieces: list[tuple[Point, Point]],
    at: dict[Point, list[int]],
    used: set[int],
) -> list[Point]:
    way, here, piece = [start], start, first
    while True:
        used.add(piece)
        one, other = pieces[piece]
        here = other if here == one else one
        way.append(here)
        onward = [p for p in at[here] if p not in used]
        if len(at[here]) != 2 or not onward:
            return way
        piece = onward[0]


def to_the_edge(land: Land, points: list[Point]) -> list[Point]:
    """A line that ends at the map's edge runs on over it."""
    return [*_beyond(land, points[0]), *points, *_beyond(land, points[-1])]


def _beyond(land: Land, end: Point) -> list[Point]:
    (left, top, right, bottom), (x, y) = land.bounds, end
    edges = (
        (x - left, (left - 10.0, y)),
        (right - x, (right + 10.0, y)),
        (y - top, (x, top - 10.0)),
        (bottom - y, (x, bottom + 10.0)),
    )
    distance, point = min(edges)
    return [point] if distance < _AT_THE_EDGE else []
