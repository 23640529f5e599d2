"""Houses and the yards around them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import shapely
from shapely import affinity

from hexmarshal.kit.drawing.outlines import path, rounded, uneven

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shapely.geometry.base import BaseGeometry

    from hexmarshal.kit.drawing.canvas import Canvas
    from hexmarshal.kit.ground.land import Land

__all__ = ["Houses", "Roof", "Yards", "factory", "stone", "wooden"]


@dataclass(frozen=True, slots=True)
class Roof:
    """How the buildings of a terrain look: lit and shaded roof, ridge, wall, and the yard.

    A `hipped` roof slopes at its ends too; `large` buildings fill their cell.
    """

    terrain: str
    lit: str
    shaded: str
    ridge: str
    wall: str
    yard: str
    hipped: bool = False
    large: bool = False


def wooden(terrain: str) -> Roof:
    """Cottages and barns."""
    return Roof(terrain, "#a9754a", "#83552f", "#5b3819", "#4a2f18", "#d0bd8c")


def stone(terrain: str) -> Roof:
    """Houses of stone under tiles."""
    return Roof(terrain, "#b9695a", "#8f4a40", "#6c6f73", "#5d6064", "#c9c3b3", hipped=True)


def factory(terrain: str) -> Roof:
    """Large halls of brick under sheet metal."""
    return Roof(terrain, "#a7a59c", "#7d7b74", "#4c4b47", "#5d4038", "#b9b2a4", large=True)


class House(NamedTuple):
    """A building on the board: its roof, middle, length, width and turn in degrees."""

    roof: Roof
    x: float
    y: float
    long: float
    wide: float
    turn: float

    @property
    def outline(self) -> BaseGeometry:
        """The ground that it covers."""
        x, y = self.long / 2, self.wide / 2
        box = shapely.box(self.x - x, self.y - y, self.x + x, self.y + y)
        return affinity.rotate(box, self.turn)


@dataclass(frozen=True, slots=True)
class Yards:
    """Trodden ground around houses, so that the whole cell reads as built up."""

    roofs: tuple[Roof, ...]

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw the yards of all kinds of buildings."""
        for roof in self.roofs:
            area = land.area(roof.terrain)
            if not area.is_empty:
                land.covers(area)
                yard = uneven(rounded(area.buffer(-3.5), 8), 1.0)
                canvas.element("path", d=path(yard), fill=roof.yard, fill_opacity=0.9)
                canvas.element(
                    "path", d=path(yard.buffer(-1.4)), fill="none", stroke="#8a7650",
                    stroke_width=0.8, stroke_dasharray="3 2.2", stroke_opacity=0.8,
                )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Houses:
    """The houses of every built-up cell, beside ways of the terrains named."""

    roofs: tuple[Roof, ...]
    ways: tuple[str, ...] = ("road",)

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw shadows, then roofs, seen from above and lit from the north-west."""
        built = tuple(self._built(land))
        for house in built:
            land.covers(house.outline, built=True)
            for reach in (1.5, 3.0, 4.5):
                shadow = affinity.translate(house.outline, reach * 0.8, reach)
                canvas.element("path", d=path(shadow), fill="#231a0c", fill_opacity=0.22)
        for house in built:
            _draw_roof(canvas, house)

    def _built(self, land: Land) -> Iterator[House]:
        lines = [road.line for road in land.roads(*self.ways)]
        roads = shapely.union_all(lines) if lines else shapely.Point()
        roofs = {roof.terrain: roof for roof in self.roofs}
        for cell in land.cells:
            roof = roofs.get(land.terrain(cell))
            if roof is not None:
                yield from _in_cell(land, cell, roof, roads)


def _in_cell(
    land: Land,
    cell: Any,  # noqa: ANN401 - a hex or a square
    roof: Roof,
    roads: BaseGeometry,
) -> Iterator[House]:
    """One house over the middle and some around it, or all of them beside the road."""
    rng = Random(f"houses {cell}")
    x, y = land.centre(cell)
    plot = land.polygon(cell).buffer(-5)
    way = roads.intersection(plot)
    if roof.large and way.is_empty:
        yield House(roof, x, y, land.breadth * 0.72, land.breadth * 0.52, 0)
        return
    turn = rng.uniform(-22, 22)
    if way.is_empty:
        yield House(roof, x, y - 1, 36, 25, turn)
        built = House(roof, x, y - 1, 36, 25, turn).outline
        sizes: tuple[tuple[float, float], ...] = ((17, 12), (13, 10))
    else:
        turn = _bearing(way)
        built = way.buffer(6.5)
        sizes = ((27, 17), (25, 16), (17, 12), (13, 10))
    for long, wide in sizes:
        for _ in range(160):
            at = (x + rng.uniform(-30, 30), y + rng.uniform(-26, 26))
            bend = turn + rng.choice((0, 90)) + rng.uniform(-5, 5)
            house = House(roof, *at, long, wide, bend)
            outline = house.outline
            if plot.contains(outline) and built.distance(outline) > 1.6:
                built = built.union(outline)
                yield house
                break


def _bearing(way: BaseGeometry) -> float:
    left, top, right, bottom = way.bounds
    return math.degrees(math.atan2(bottom - top, right - left))


def _draw_roof(canvas: Canvas, house: House) -> None:
    roof = house.roof
    a, b = house.long / 2, house.wide / 2
    hip = min(a, b) * (0.85 if roof.hipped else 0.0)
    # The lit slope is the one that looks north or west.
    upper_is_lit = math.cos(math.radians(house.turn)) + math.sin(math.radians(house.turn)) > 0
    first, second = (roof.lit, roof.shaded) if upper_is_lit else (roof.shaded, roof.lit)
    turned = f"translate({house.x:.1f} {house.y:.1f}) rotate({house.turn:.1f})"
    with canvas.group(transform=turned):
        canvas.rectangle((-a, -b), 2 * a, 2 * b, fill=roof.wall, stroke=roof.wall, stroke_width=1.6)
        if roof.large:
            _saw_teeth(canvas, roof, a, b)
            return
        canvas.polygon([(-a, -b), (a, -b), (a - hip, 0), (-a + hip, 0)], fill=first)
        canvas.polygon([(-a, b), (a, b), (a - hip, 0), (-a + hip, 0)], fill=second)
        if hip:
            canvas.polygon([(-a, -b), (-a, b), (-a + hip, 0)], fill=first, fill_opacity=0.85)
            canvas.polygon([(a, -b), (a, b), (a - hip, 0)], fill=second, fill_opacity=0.85)
        rows = "".join(
            f"M{-a + hip * abs(k) * 3 / b:.1f} {s * 3 * k:.1f}H{a - hip * abs(k) * 3 / b:.1f}"
            for k in range(1, int(b / 3) + 1)
            for s in (-1, 1)
            if hip == 0
        )
        if rows:
            canvas.element("path", d=rows, stroke=roof.ridge, stroke_width=0.5, stroke_opacity=0.55)
        canvas.polyline([(-a + hip, 0), (a - hip, 0)], stroke=roof.ridge, stroke_width=1.3)
        if house.long > 20:
            canvas.rectangle((a * 0.35, -b * 0.55), 3.4, 3.0, fill="#4b4540", stroke="#2d2925")


def _saw_teeth(canvas: Canvas, roof: Roof, a: float, b: float) -> None:
    """The roof of a hall: strips, each with a lit and a shaded side."""
    count = max(3, round(2 * a / 9))
    step = 2 * a / count
    for i in range(count):
        left = -a + i * step
        canvas.rectangle((left, -b), step * 0.62, 2 * b, fill=roof.lit)
        canvas.rectangle((left + step * 0.62, -b), step * 0.38, 2 * b, fill=roof.shaded)
        canvas.polyline([(left, -b), (left, b)], stroke=roof.ridge, stroke_width=0.7)
