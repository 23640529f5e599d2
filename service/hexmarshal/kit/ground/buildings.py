"""What people built: roads, bridges, houses and walls."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import shapely
from shapely import affinity

from hexmarshal.geometry.route import lattice_point
from hexmarshal.geometry.svg.canvas import points
from hexmarshal.kit.drawing.outlines import drawn, path, rounded, uneven

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shapely.geometry.base import BaseGeometry

    from hexmarshal.games.conflict_of_heroes.art.land import Land
    from hexmarshal.geometry.hexes import Hex
    from hexmarshal.geometry.svg.canvas import Canvas

__all__ = ["BUILDINGS", "House", "draw_houses", "draw_roads", "draw_walls", "draw_yards", "houses"]

BUILDINGS = ("wooden_building", "stone_building")
ROAD_WIDTH = 9.0


class _Roof(NamedTuple):
    """The look of a kind of building: lit and shaded roof, ridge, wall, and its yard."""

    lit: str
    shaded: str
    ridge: str
    wall: str
    yard: str


_ROOFS = {
    "wooden_building": _Roof("#a9754a", "#83552f", "#5b3819", "#4a2f18", "#d0bd8c"),
    "stone_building": _Roof("#b9695a", "#8f4a40", "#6c6f73", "#5d6064", "#c9c3b3"),
}


class House(NamedTuple):
    """A building on the board: its kind, middle, length, width and turn in degrees."""

    kind: str
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


def draw_roads(canvas: Canvas, land: Land) -> None:
    """Sandy roads with ruts; over water they become bridges."""
    bands = (
        (ROAD_WIDTH + 3.4, "#8a7146", 0.55),
        (ROAD_WIDTH + 1.2, "#9c8253", 1.0),
        (ROAD_WIDTH - 0.8, "#e2d2a4", 1.0),
    )
    for wide, colour, opacity in bands:
        for road in land.roads:
            canvas.polyline(
                drawn(road.line),
                stroke=colour,
                stroke_width=wide,
                stroke_opacity=opacity,
                stroke_linejoin="round",
                stroke_linecap="round",
            )
    for road in land.roads:
        for aside in (-1.9, 1.9):
            rut = road.line.offset_curve(aside)
            if isinstance(rut, shapely.LineString) and not rut.is_empty:
                canvas.polyline(
                    drawn(rut),
                    stroke="#b59f6c",
                    stroke_width=0.9,
                    stroke_opacity=0.8,
                    stroke_dasharray="14 3 6 4",
                )
    _draw_bridges(canvas, land)


def _draw_bridges(canvas: Canvas, land: Land) -> None:
    water = uneven(rounded(land.area("water").buffer(-4), 13), 2.2).buffer(5)
    for road in land.roads:
        over = road.line.intersection(water)
        for span in getattr(over, "geoms", (over,)):
            if not isinstance(span, shapely.LineString) or span.length < 20:
                continue
            deck = span.buffer(ROAD_WIDTH / 2 + 1.6, cap_style="flat")
            shadow = affinity.translate(deck, 2.5, 3.5)
            canvas.element("path", d=path(shadow), fill="#1d3340", fill_opacity=0.4)
            canvas.element("path", d=path(deck), fill="#b49467")
            planks = []
            for i in range(int(span.length / 3)):
                at = span.interpolate(3 * i + 1)
                on = span.interpolate(min(3 * i + 2, span.length))
                dx, dy = on.x - at.x, on.y - at.y
                length = math.hypot(dx, dy) or 1
                ux, uy = -dy / length * 5.6, dx / length * 5.6
                planks.append(f"M{at.x - ux:.1f} {at.y - uy:.1f}l{2 * ux:.1f} {2 * uy:.1f}")
            canvas.element("path", d="".join(planks), stroke="#7c5f38", stroke_width=0.7)
            for aside in (-6.0, 6.0):
                rail = span.offset_curve(aside)
                if isinstance(rail, shapely.LineString):
                    canvas.polyline(drawn(rail), stroke="#54401f", stroke_width=1.7)


def houses(land: Land) -> tuple[House, ...]:
    """The houses of every hex of buildings: one over the dot, or some beside the road."""
    roads = shapely.union_all([r.line for r in land.roads]) if land.roads else shapely.Point()
    found: list[House] = []
    for cell in land.hexes:
        kind = land.terrain(cell)
        if kind in BUILDINGS:
            found += _in_hex(land, cell, kind, roads)
    return tuple(found)


def _in_hex(land: Land, hex: Hex, kind: str, roads: BaseGeometry) -> Iterator[House]:
    rng = Random(f"houses {hex}")
    x, y = land.layout.centre(hex)
    plot = land.layout.polygon(hex).buffer(-5)
    way = roads.intersection(plot)
    turn = rng.uniform(-22, 22)
    if way.is_empty:
        yield House(kind, x, y - 1, 36, 25, turn)
        built = House(kind, x, y - 1, 36, 25, turn).outline
        sizes: tuple[tuple[float, float], ...] = ((17, 12), (13, 10))
    else:
        turn = _bearing(way)
        built = way.buffer(ROAD_WIDTH / 2 + 2)
        sizes = ((27, 17), (25, 16), (17, 12), (13, 10))
    for long, wide in sizes:
        for _ in range(160):
            at = (x + rng.uniform(-30, 30), y + rng.uniform(-26, 26))
            bend = turn + rng.choice((0, 90)) + rng.uniform(-5, 5)
            house = House(kind, *at, long, wide, bend)
            outline = house.outline
            if plot.contains(outline) and built.distance(outline) > 1.6:
                built = built.union(outline)
                yield house
                break


def _bearing(way: BaseGeometry) -> float:
    left, top, right, bottom = way.bounds
    return math.degrees(math.atan2(bottom - top, right - left))


def draw_yards(canvas: Canvas, land: Land) -> None:
    """Trodden ground around houses, so that the whole hex reads as built up."""
    for kind, roof in _ROOFS.items():
        area = land.area(kind)
        if not area.is_empty:
            yard = uneven(rounded(area.buffer(-3.5), 8), 1.0)
            canvas.element("path", d=path(yard), fill=roof.yard, fill_opacity=0.9)
            canvas.element(
                "path",
                d=path(yard.buffer(-1.4)),
                fill="none",
                stroke="#8a7650",
                stroke_width=0.8,
                stroke_dasharray="3 2.2",
                stroke_opacity=0.8,
            )


def draw_houses(canvas: Canvas, built: tuple[House, ...]) -> None:
    """Roofs, seen from above and lit from the north-west."""
    for house in built:
        for reach in (1.5, 3.0, 4.5):
            shadow = affinity.translate(house.outline, reach * 0.8, reach)
            canvas.element("path", d=path(shadow), fill="#231a0c", fill_opacity=0.22)
    for house in built:
        _draw_roof(canvas, house)


def _draw_roof(canvas: Canvas, house: House) -> None:
    roof = _ROOFS[house.kind]
    a, b = house.long / 2, house.wide / 2
    hip = min(a, b) * (0.85 if house.kind == "stone_building" else 0.0)
    # The lit slope is the one that looks north or west.
    upper_is_lit = math.cos(math.radians(house.turn)) + math.sin(math.radians(house.turn)) > 0
    first, second = (roof.lit, roof.shaded) if upper_is_lit else (roof.shaded, roof.lit)
    turned = f"translate({house.x:.1f} {house.y:.1f}) rotate({house.turn:.1f})"
    with canvas.group(transform=turned):
        canvas.rectangle((-a, -b), 2 * a, 2 * b, fill=roof.wall, stroke=roof.wall, stroke_width=1.6)
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


def draw_walls(canvas: Canvas, land: Land) -> None:
    """Dry-stone walls on hexsides."""
    for side in land.walls():
        ends = [land.layout.pixel(*lattice_point(v)) for v in side.vertices]
        shifted = [(x + 1.6, y + 2.2) for x, y in ends]
        canvas.element(
            "polyline", points=points(shifted), stroke="#231a0c", stroke_opacity=0.35,
            stroke_width=6, stroke_linecap="round",
        )  # fmt: skip
        canvas.polyline(ends, stroke="#3f3b35", stroke_width=6.4, stroke_linecap="round")
        canvas.polyline(ends, stroke="#a09a8c", stroke_width=4.2, stroke_linecap="round")
        _stones(canvas, ends, Random(f"wall {side}"))


def _stones(canvas: Canvas, ends: list[tuple[float, float]], rng: Random) -> None:
    (x, y), (u, v) = ends
    length = math.hypot(u - x, v - y)
    dx, dy = (u - x) / length, (v - y) / length
    run = 0.0
    while run < length - 2:
        run += rng.uniform(3.2, 5.4)
        at = min(run, length)
        px, py = x + dx * at, y + dy * at
        canvas.polyline(
            [(px - dy * 2.1, py + dx * 2.1), (px + dy * 2.1, py - dx * 2.1)],
            stroke="#55504a",
            stroke_width=0.8,
        )
    canvas.polyline(
        [(x - dy * 0.9, y + dx * 0.9), (u - dy * 0.9, v + dx * 0.9)]
        if dx < 0
        else [(x + dy * 0.9, y - dx * 0.9), (u + dy * 0.9, v - dx * 0.9)],
        stroke="#cfc9ba",
        stroke_width=0.9,
        stroke_opacity=0.7,
    )
