"""Ways and what stands on the sides of cells: roads with bridges, rails, walls, hedges, streams."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import shapely
from shapely import affinity

from hexmarshal.geometry.svg.canvas import points
from hexmarshal.kit.drawing.outlines import drawn, path
from hexmarshal.kit.ground.areas import shore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shapely.geometry.base import BaseGeometry

    from hexmarshal.kit.drawing.canvas import Canvas, Point
    from hexmarshal.kit.ground.land import Land, Road

__all__ = ["Hedges", "Rails", "Roads", "Streams", "Walls"]


@dataclass(frozen=True, slots=True)
class Roads:
    """Sandy or paved roads; over water of the terrain named they become bridges."""

    terrain: str
    water: str = ""
    wide: float = 9.0
    edge: tuple[str, str] = ("#8a7146", "#9c8253")
    top: str = "#e2d2a4"
    ruts: str = "#b59f6c"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw every road of the terrain."""
        roads = land.roads(self.terrain)
        bands = (
            (self.wide + 3.4, self.edge[0], 0.55),
            (self.wide + 1.2, self.edge[1], 1.0),
            (self.wide - 0.8, self.top, 1.0),
        )
        for wide, colour, opacity in bands:
            for road in roads:
                canvas.polyline(
                    drawn(road.line), stroke=colour, stroke_width=wide, stroke_opacity=opacity,
                    stroke_linejoin="round", stroke_linecap="round",
                )  # fmt: skip
        for road in roads:
            land.covers(road.line.buffer(self.wide / 2 + 1), built=True)
            for aside in (-1.9, 1.9) if self.ruts else ():
                rut = road.line.offset_curve(aside)
                if isinstance(rut, shapely.LineString) and not rut.is_empty:
                    canvas.polyline(
                        drawn(rut), stroke=self.ruts, stroke_width=0.9, stroke_opacity=0.8,
                        stroke_dasharray="14 3 6 4",
                    )  # fmt: skip
        if self.water and not land.area(self.water).is_empty:
            self._bridges(canvas, roads, shore(land, self.water).buffer(5))

    def _bridges(self, canvas: Canvas, roads: Sequence[Road], water: BaseGeometry) -> None:
        for road in roads:
            over = road.line.intersection(water)
            for span in getattr(over, "geoms", (over,)):
                if isinstance(span, shapely.LineString) and span.length >= 20:
                    self._bridge(canvas, span)

    def _bridge(self, canvas: Canvas, span: shapely.LineString) -> None:
        deck = span.buffer(self.wide / 2 + 1.6, cap_style="flat")
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


@dataclass(frozen=True, slots=True)
class Rails:
    """A railway: a bed of gravel, sleepers, two rails."""

    terrain: str
    bed: str = "#a89c8a"
    rail: str = "#3a3630"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw every railway of the terrain."""
        for road in land.roads(self.terrain):
            land.covers(road.line.buffer(6), built=True)
            line = drawn(road.line)
            canvas.polyline(line, stroke=self.bed, stroke_width=10, stroke_linejoin="round")
            canvas.polyline(line, stroke="#6b5a44", stroke_width=8, stroke_dasharray="1.6 3.4")
            for aside in (-2.4, 2.4):
                rail = road.line.offset_curve(aside)
                if isinstance(rail, shapely.LineString) and not rail.is_empty:
                    canvas.polyline(drawn(rail), stroke=self.rail, stroke_width=1.0)


@dataclass(frozen=True, slots=True)
class Walls:
    """Dry-stone walls on sides."""

    terrain: str

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw every wall of the terrain."""
        for side in land.sides(self.terrain):
            ends = land.side(side)
            if len(ends) < 2:
                continue
            shifted = [(x + 1.6, y + 2.2) for x, y in ends]
            canvas.element(
                "polyline", points=points(shifted), stroke="#231a0c", stroke_opacity=0.35,
                stroke_width=6, stroke_linecap="round",
            )  # fmt: skip
            canvas.polyline(ends, stroke="#3f3b35", stroke_width=6.4, stroke_linecap="round")
            canvas.polyline(ends, stroke="#a09a8c", stroke_width=4.2, stroke_linecap="round")
            _stones(canvas, ends, Random(f"wall {side}"))


def _stones(canvas: Canvas, ends: Sequence[Point], rng: Random) -> None:
    (x, y), *_, (u, v) = ends
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


@dataclass(frozen=True, slots=True)
class Hedges:
    """Hedges and bocage on sides."""

    terrain: str
    leaves: tuple[str, ...] = ("#4f6b34", "#66853f", "#7f9b4d")

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw every hedge of the terrain, bush by bush."""
        for side in land.sides(self.terrain):
            ends = land.side(side)
            if len(ends) < 2:
                continue
            rng, line = Random(f"hedge {sorted(ends)}"), shapely.LineString(ends)
            for colour, size, shift in zip(
                self.leaves, (4.6, 3.8, 2.4), (0, -0.6, -1.4), strict=True
            ):
                for i in range(int(line.length / 4) + 1):
                    at = line.interpolate(min(4 * i, line.length))
                    place = at.x + shift + rng.uniform(-0.8, 0.8), at.y + shift
                    canvas.circle(place, size + rng.uniform(-0.6, 0.6), fill=colour)


@dataclass(frozen=True, slots=True)
class Streams:
    """Rivers and brooks that run along sides, as wide as is told."""

    terrain: str
    wide: float = 8.0
    water: str = "#86b3c9"
    bank: str = "#5d8aa3"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw every stream of the terrain, smoothly through its corners."""
        lines = [
            shapely.LineString(e) for s in land.sides(self.terrain) if len(e := land.side(s)) > 1
        ]
        if not lines:
            return
        snapped = [shapely.set_precision(line, 0.01) for line in lines]
        course = shapely.line_merge(shapely.union_all(snapped))
        soft = course.buffer(self.wide * 0.9).buffer(-self.wide * 0.9 + self.wide / 2)
        land.covers(soft, built=True)
        canvas.element("path", d=path(soft.buffer(1.6)), fill=self.bank)
        canvas.element("path", d=path(soft), fill=self.water)
