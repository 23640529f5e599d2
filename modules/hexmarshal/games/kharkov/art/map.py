"""The map sheet: steppe, woods, rivers, roads, rails, towns, hex numbers and the line of 12 May."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.art import colours
from hexmarshal.geometry.hexes import Hex
from hexmarshal.kit.drawing.canvas import Drawing
from hexmarshal.kit.drawing.curves import bend, jitter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.kharkov.art.field import Field
    from hexmarshal.geometry.hexes import Hexside
    from hexmarshal.kit.drawing.canvas import Canvas, Point

__all__ = ["map_sheet"]

_RIVERS = (("river", 5.5), ("donets", 11.0), ("dnieper", 20.0))
# Rails run a little lower than roads, so that both show where they share a way.
_RAIL_SHIFT = 9.0
_AT_THE_EDGE = 76.0
_HALO = "#f4ecd4"


def map_sheet(field: Field) -> str:
    """The whole map as SVG, one unit a pixel of the board."""
    wide, high = field.size
    canvas = Drawing(wide, high)
    canvas.rectangle((0, 0), wide, high, fill=colours.STEPPE)
    _fields(canvas, field)
    _woods(canvas, field)
    _grid(canvas, field)
    _rivers(canvas, field)
    _cities(canvas, field)
    _ways(canvas, field)
    _towns(canvas, field)
    _lines(canvas, field)
    _numbers(canvas, field)
    _names(canvas, field)
    _garrisons(canvas, field)
    _points(canvas, field)
    canvas.rectangle((2, 2), wide - 4, high - 4, fill="none", stroke=colours.INK, stroke_width=4)
    return canvas.svg(field.map["title"])


def _fields(canvas: Canvas, field: Field) -> None:
    """Patches of tilled land, so that the steppe is not one flat colour."""
    with canvas.group(fill=colours.FIELD, fill_opacity=0.55):
        for cell in field.hexes.values():
            x, y = field.centre(cell)
            for k in range(3):
                if jitter(cell.q, cell.r, k) > 0.45:
                    continue
                turn = 180 * jitter(cell.q, cell.r, k, 1)
                dx, dy = (
                    60 * (jitter(cell.q, cell.r, k, 2) - 0.5),
                    60 * (jitter(cell.q, cell.r, k, 3) - 0.5),
                )
                wide, high = 26 + 30 * jitter(cell.q, k, 4), 10 + 12 * jitter(cell.r, k, 5)
                canvas.element(
                    "rect", x=x + dx - wide / 2, y=y + dy - high / 2, width=wide, height=high,
                    rx=3, transform=f"rotate({turn:.0f} {x + dx:.1f} {y + dy:.1f})",
                )  # fmt: skip


def _woods(canvas: Canvas, field: Field) -> None:
    woods = sorted(field.cells("forest"))
    with canvas.group(fill=colours.WOOD, stroke=colours.WOOD, stroke_width=3):
        for cell in woods:
            canvas.polygon(field.layout.corners(cell))
    crowns = []
    for cell in woods:
        x, y = field.centre(cell)
        for k in range(34):
            reach = 34 * math.sqrt(jitter(cell.q, cell.r, k))
            turn = 2 * math.pi * jitter(cell.r, cell.q, k, 7)
            crown = x + reach * math.cos(turn), y + reach * math.sin(turn)
            crowns.append((crown[1], crown[0], k, 4.2 + 2.6 * jitter(cell.q, k, 9)))
    for y, x, k, r in sorted(crowns):
        canvas.circle((x, y), r, fill=colours.TREES[k % 3], stroke="#40663a", stroke_width=0.7)


def _grid(canvas: Canvas, field: Field) -> None:
    with canvas.group(fill="none", stroke=colours.GRID, stroke_width=1.1):
        for cell in field.hexes.values():
            canvas.polygon(field.layout.corners(cell))


def _rivers(canvas: Canvas, field: Field) -> None:
    drawn = [
        (bend(chain), width)
        for kind, width in _RIVERS
        for chain in _drawn_out(field, field.sides(kind))
    ]
    for colour, more in ((colours.BANK, 2.4), (colours.WATER, 0.0)):
        with canvas.group(
            fill="none", stroke=colour, stroke_linecap="round", stroke_linejoin="round"
        ):
            for d, width in drawn:
                canvas.element("path", d=d, stroke_width=width + more)


def _cities(canvas: Canvas, field: Field) -> None:
    for cell in field.cells("city"):
        canvas.polygon(
            field.layout.corners(cell), fill=colours.CITY, stroke=colours.GRID, stroke_width=1.1
        )
        x, y = field.centre(cell)
        with canvas.group(fill=colours.BLOCK, fill_opacity=0.72):
            for row in range(-3, 4):
                for column in range(-3, 4):
                    bx, by = 10 * column + 5 * (row % 2), 10.5 * row
                    if abs(bx) * 0.6 + abs(by) > 34 or abs(bx) > 30:
                        continue
                    wide = 5 + 3.6 * jitter(cell.q, row, column)
                    high = 5 + 3.4 * jitter(cell.r, row, column, 3)
                    canvas.rectangle((x + bx - wide / 2, y + by - high / 2), wide, high)


def _ways(canvas: Canvas, field: Field) -> None:
    def along(kind: str, shift: float = 0.0) -> list[str]:
        lines = []
        for path in field.terrain.paths:
            if path.terrain == kind:
                middles = [field.centre(cell) for cell in path.cells if isinstance(cell, Hex)]
                lines.append(bend([(x, y + shift) for x, y in _to_the_edge(field, middles)]))
        return lines

    roads, rails = along("road"), along("rail", _RAIL_SHIFT)
    for lines, colour, width, dashes in (
        (roads, colours.ROAD_EDGE, 6.4, None),
        (roads, colours.ROAD, 4.0, None),
        (rails, colours.RAIL, 2.2, None),
        (rails, colours.RAIL, 8.0, "1.8 8"),
    ):
        with canvas.group(
            fill="none", stroke=colour, stroke_width=width, stroke_linejoin="round",
            stroke_linecap="butt" if dashes else "round", stroke_dasharray=dashes,
        ):  # fmt: skip
            for d in lines:
                canvas.element("path", d=d)


def _to_the_edge(field: Field, points: list[Point]) -> list[Point]:
    """A line that ends at the map's edge runs on over it."""
    return [*_beyond(field, points[0]), *points, *_beyond(field, points[-1])]


def _drawn_out(field: Field, sides: Iterable[Hexside]) -> list[list[Point]]:
    return [_to_the_edge(field, chain) for chain in field.chains(sides)]


def _beyond(field: Field, end: Point) -> list[Point]:
    (wide, high), (x, y) = field.size, end
    edges = (
        (x, (-10.0, y)),
        (wide - x, (wide + 10.0, y)),
        (y, (x, -10.0)),
        (high - y, (x, high + 10.0)),
    )
    distance, point = min(edges)
    return [point] if distance < _AT_THE_EDGE else []


def _towns(canvas: Canvas, field: Field) -> None:
    for cell in field.cells("town"):
        x, y = field.centre(cell)
        canvas.circle((x, y), 12, fill=colours.CITY, fill_opacity=0.8)
        with canvas.group(fill=colours.BLOCK, stroke=colours.PAPER, stroke_width=0.8):
            for dx, dy, wide, high in (
                (-11, -8, 9, 7), (1, -9, 10, 8), (-9, 2, 8, 8), (2, 2, 9, 6), (-3, -3, 6, 6)
            ):  # fmt: skip
                canvas.rectangle((x + dx, y + dy), wide, high)


def _lines(canvas: Canvas, field: Field) -> None:
    for chain in _drawn_out(field, field.sector):
        canvas.polyline(
            chain, stroke=colours.SECTOR, stroke_width=5, stroke_dasharray="16 9",
            stroke_linejoin="round", stroke_opacity=0.85,
        )  # fmt: skip
    for chain in _drawn_out(field, field.front):
        for colour, width in (("#fff6e0", 9.0), (colours.FRONT, 5.5)):
            canvas.polyline(
                chain, stroke=colour, stroke_width=width, stroke_linejoin="round",
                stroke_opacity=0.9,
            )  # fmt: skip


def _numbers(canvas: Canvas, field: Field) -> None:
    for name, cell in field.hexes.items():
        x, y = field.centre(cell)
        canvas.write(name, (x, y - 24), 7.6, colour=colours.NUMBER, weight=0.95, halo=_HALO)


def _names(canvas: Canvas, field: Field) -> None:
    for name, city in field.map["cities"].items():
        middles = [field.centre(field.hexes[cell]) for cell in city["hexes"]]
        x = sum(m[0] for m in middles) / len(middles)
        y = min(m[1] for m in middles) if len(middles) == 1 else max(m[1] for m in middles)
        _write(canvas, name.upper(), (x, y + 56), 15 if len(middles) > 1 else 12.5, 1.5)
    for cell, name in field.map.get("towns", {}).items():
        x, y = field.centre(field.hexes[cell])
        _write(canvas, name, (x, y + 27), 8.6, 1.15)
    _waters(canvas, field)


def _waters(canvas: Canvas, field: Field) -> None:
    for name, places in (field.map.get("rivers") or {}).items():
        for cell in places:
            x, y = field.centre(field.hexes[cell])
            canvas.write(name, (x, y + 22), 8.5, colour=colours.BANK, weight=1.1, halo=_HALO)


def _write(canvas: Canvas, text: str, at: Point, size: float, weight: float) -> None:
    canvas.write(text, at, size, colour=colours.INK, weight=weight, halo=_HALO)


def _garrisons(canvas: Canvas, field: Field) -> None:
    for city in field.map["cities"].values():
        for cell, strength in city["hexes"].items():
            x, y = field.centre(field.hexes[cell])
            canvas.rectangle(
                (x - 11, y - 12), 22, 22, rx=4, fill=colours.PAPER,
                stroke=colours.INK, stroke_width=1.6,
            )  # fmt: skip
            canvas.write(str(strength), (x, y + 5.5), 12, weight=1.5, colour=colours.INK)


def _points(canvas: Canvas, field: Field) -> None:
    for name, at, beside in field.points_of_the_line():
        reach = math.dist(at, beside) or 1.0
        x = at[0] + 20 * (beside[0] - at[0]) / reach
        y = at[1] + 20 * (beside[1] - at[1]) / reach
        x, y = _kept_inside((x, y), field.size)
        fill = colours.AXIS if name.isdigit() else colours.GUARDS
        canvas.circle((x, y), 13, fill=fill, stroke=colours.PAPER, stroke_width=2.4)
        ink = colours.INK if name.isdigit() else colours.PAPER
        canvas.write(name, (x, y + 6), 12, weight=1.6, colour=ink)


def _kept_inside(at: Point, size: Iterable[int]) -> Point:
    x, y = (min(max(v, 16.0), top - 16.0) for v, top in zip(at, size, strict=True))
    return x, y
