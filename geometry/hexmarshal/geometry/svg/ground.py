"""Draws the map itself: ground by level, terrain, hexsides, roads, the grid and the names."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.geometry.svg.canvas import Canvas, Point, bend, number
from hexmarshal.geometry.svg.palette import Style, ground, style
from hexmarshal.geometry.svg.symbols import stamp
from hexmarshal.geometry.terrain.outlines import Polygon

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from hexmarshal.geometry.svg.view import View

__all__ = ["draw_areas", "draw_lines", "draw_names", "draw_sample"]

_GRID = "#8d8877"
_CONTOUR = "#8a6536"


def draw_areas(canvas: Canvas, view: View) -> None:
    """Ground and terrain, on which answers are tinted."""
    _cells(canvas, view)
    _shapes(canvas, view)


def draw_lines(canvas: Canvas, view: View) -> None:
    """The grid, hexsides and roads, which stay sharp over any tint."""
    _grid(canvas, view)
    _contours(canvas, view)
    _sides(canvas, view)
    _paths(canvas, view)
    _vertices(canvas, view)


def draw_names(canvas: Canvas, view: View) -> None:
    """The printed names, at the top of the cells."""
    unit = view.unit
    for cell in view.terrain.cells():
        x, y = view.centre(cell)
        top = min(corner_y for _, corner_y in view.corners(cell))
        at = (x, max(top + 0.28 * unit, y - 0.58 * unit))
        canvas.write(view.terrain.name(cell), at, 0.17 * unit, colour="#4c4a40", halo="#fffdf2")


def draw_sample(canvas: Canvas, corner: Point, wide: float, *, look: Style, line: bool) -> None:
    """A sample for the legend: a patch of the terrain, or a stretch of its line."""
    x, y = corner
    high = wide * 0.7
    fill = ground(Fraction(0)) if line or look.fill == "none" else look.fill
    canvas.rectangle(corner, wide, high, fill=fill, stroke=_GRID)
    if line:
        _line(canvas, ((x, y + high / 2), (x + wide, y + high / 2)), look, wide)
    elif look.symbol:
        stamp(canvas, look, (x + wide / 2, y + high / 2), wide * 0.62)


def _cells(canvas: Canvas, view: View) -> None:
    terrain = view.terrain
    for cell in terrain.cells():
        looks = [style(terrain.types[kind]) for kind in terrain.cell_terrain.get(cell, ())]
        fills = [look.fill for look in looks if look.fill != "none"]
        corners = view.corners(cell)
        level = terrain.level(cell)
        kinds = ", ".join(terrain.cell_terrain.get(cell, ()))
        title = terrain.name(cell) + (f": {kinds}" if kinds else "")
        canvas.polygon(corners, f"{title}, level {level}" if level else title, fill=ground(level))
        if fills:
            # The ground shows at the rim, so that a wood on a hill is seen to be on a hill.
            inner = corners if level == 0 else _shrunk(corners, view.centre(cell), 0.84)
            canvas.polygon(inner, fill=fills[-1])
        for look in looks:
            if look.symbol:
                stamp(canvas, look, view.centre(cell), _room(corners, view.unit))
        if level:
            x, _ = view.centre(cell)
            low = max(corner_y for _, corner_y in corners)
            at = (x, low - 0.13 * view.unit)
            canvas.write(f"{level}", at, 0.2 * view.unit, colour="#6f4a1d", halo="#fffdf2")


def _room(corners: Sequence[Point], unit: float) -> float:
    """The side of a hex that a narrow cell has room for."""
    wide, high = (max(axis) - min(axis) for axis in zip(*corners, strict=True))
    return float(min(unit, wide / 1.7, high / 1.7))


def _shrunk(corners: Sequence[Point], centre: Point, by: float) -> list[Point]:
    return [
        (centre[0] + (x - centre[0]) * by, centre[1] + (y - centre[1]) * by) for x, y in corners
    ]


def _shapes(canvas: Canvas, view: View) -> None:
    terrain = view.terrain
    for shape in terrain.shapes:
        look = style(terrain.types[shape.terrain])
        chains = [[view.point(point) for point in chain] for chain in shape.outline.chains]
        title = f"{shape.name}: {shape.terrain}"
        if isinstance(shape.outline, Polygon):
            rings = "".join(
                "M" + "L".join(f"{number(x)} {number(y)}" for x, y in ring) + "Z" for ring in chains
            )
            canvas.element(
                "path",
                title,
                d=rings,
                fill=look.fill,
                fill_rule="evenodd",
                stroke=look.line,
                stroke_width=0.05 * view.unit,
                stroke_linejoin="round",
            )
        else:
            for chain in chains:
                _line(canvas, chain, look, view.unit)


def _grid(canvas: Canvas, view: View) -> None:
    with canvas.group(fill="none", stroke=_GRID, stroke_width=max(0.5, 0.02 * view.unit)):
        for cell in view.terrain.cells():
            canvas.polygon(view.corners(cell))


def _contours(canvas: Canvas, view: View) -> None:
    """A heavier line where the ground steps up, with the weight of the step."""
    terrain = view.terrain
    if terrain.outlines is not None:
        return
    with canvas.group(stroke=_CONTOUR, stroke_linecap="round"):
        for cell in terrain.cells():
            for to in terrain.neighbours(cell):
                step = terrain.level(cell) - terrain.level(to)
                border = view.side(terrain.side(cell, to)) if step > 0 else ()
                if border:
                    one, other = border
                    _segment(canvas, one, other, view.unit * (0.03 + 0.03 * min(float(step), 3)))


def _segment(canvas: Canvas, one: Point, other: Point, width: float) -> None:
    canvas.element("line", x1=one[0], y1=one[1], x2=other[0], y2=other[1], stroke_width=width)


def _sides(canvas: Canvas, view: View) -> None:
    terrain = view.terrain
    for side, kinds in terrain.side_terrain.items():
        corners = view.side(side)
        for kind in kinds:
            look = style(terrain.types[kind])
            if corners:
                title = f"{terrain.describe(side)}: {kind}"
                _line(canvas, corners, look, view.unit, title)


def _line(
    canvas: Canvas, corners: Sequence[Point], look: Style, unit: float, title: str = ""
) -> None:
    d = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in corners)
    _stroke(canvas, d, look, unit, title)


def _stroke(canvas: Canvas, d: str, look: Style, unit: float, title: str = "") -> None:
    """A line in its style: casing first, then the line, then ticks across it."""

    def draw(title: str, colour: str, width: float, dashes: Sequence[float]) -> None:
        canvas.element(
            "path", title, d=d, fill="none", stroke=colour, stroke_width=width * unit,
            stroke_linecap="butt" if dashes else "round", stroke_linejoin="round",
            stroke_dasharray=" ".join(number(dash * unit) for dash in dashes) or None,
        )  # fmt: skip

    if look.casing is not None:
        draw("", look.casing, look.width + 0.06, ())
    draw(title, look.line, look.width, look.dashes)
    if look.ticks:
        draw("", look.line, look.width + 0.14, (0.05, 0.17))


def _paths(canvas: Canvas, view: View) -> None:
    """Roads and rivers bend through the cells: straight over the sides, round in the middle."""
    terrain = view.terrain
    for path in terrain.paths:
        look = style(terrain.types[path.terrain])
        curve = bend([view.centre(cell) for cell in path.cells])
        _stroke(canvas, curve, look, view.unit, f"{path.name}: {path.terrain}")


def _vertices(canvas: Canvas, view: View) -> None:
    terrain = view.terrain
    places: list[tuple[Hashable, tuple[str, ...]]] = list(terrain.vertex_terrain.items())
    for vertex, kinds in places:
        look = style(terrain.types[kinds[-1]])
        title = f"{terrain.describe(vertex)}: {', '.join(kinds)}"
        canvas.circle(
            view.vertex(vertex), 0.14 * view.unit, title,
            fill=look.fill, stroke=look.line, stroke_width=0.05 * view.unit,
        )  # fmt: skip
