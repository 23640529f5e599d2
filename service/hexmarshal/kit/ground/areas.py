"""Areas of land: ploughed fields, water, marsh, rubble."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import shapely
from shapely import affinity

from hexmarshal.kit.drawing.outlines import path, polygons, rounded, uneven

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from hexmarshal.kit.drawing.canvas import Canvas
    from hexmarshal.kit.ground.land import Land

__all__ = ["Fields", "Marsh", "Rubble", "Water", "shore"]


@dataclass(frozen=True, slots=True)
class Fields:
    """Ploughed land: each field with its own earth and its own direction of furrows."""

    terrain: str
    earth: tuple[str, ...] = ("#a98a5c", "#b4956a", "#9c7f54")
    furrows: tuple[str, str] = ("#7d6139", "#c9ad7d")
    hem: str = "#8f9a58"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw every field of the terrain."""
        area = land.area(self.terrain)
        land.covers(area)
        fields = [f for f in polygons(area) if f.intersects(land.sheet)]
        for i, field in enumerate(sorted(fields, key=lambda f: f.bounds)):
            rng = Random(f"field {i}")
            shape = uneven(rounded(field.buffer(-2.5), 5), 0.7)
            canvas.element("path", d=path(shape.buffer(1.6)), fill=self.hem, fill_opacity=0.8)
            canvas.element("path", d=path(shape), fill=self.earth[i % len(self.earth)])
            self._plough(canvas, field, shape, rng.uniform(-35, 35))

    def _plough(
        self, canvas: Canvas, field: BaseGeometry, shape: BaseGeometry, slope: float
    ) -> None:
        x, y = field.centroid.x, field.centroid.y
        left, top, right, bottom = field.bounds
        reach = math.hypot(right - left, bottom - top)
        steps = range(-int(reach), int(reach), 8)
        for colour, shift in zip(self.furrows, (0.0, 2.2), strict=True):
            rows = [
                shapely.LineString(
                    [(x + t, y + 5 * k + shift + 1.3 * math.sin(t * 0.06)) for t in steps]
                )
                for k in range(int(-reach / 5), int(reach / 5))
            ]
            furrows = affinity.rotate(shapely.MultiLineString(rows), slope, origin=(x, y))
            kept = furrows.intersection(shape.buffer(-1.5))
            canvas.element(
                "path", d=_lines(kept), fill="none", stroke=colour, stroke_width=1.0,
                stroke_opacity=0.65, stroke_linecap="round",
            )  # fmt: skip


def _lines(shape: BaseGeometry) -> str:
    parts = []
    for line in getattr(shape, "geoms", (shape,)):
        if isinstance(line, shapely.LineString) and not line.is_empty:
            (x, y), *rest = line.coords
            parts.append(f"M{x:.1f} {y:.1f}L" + " ".join(f"{a:.1f} {b:.1f}" for a, b in rest))
    return "".join(parts)


def shore(land: Land, terrain: str) -> BaseGeometry:
    """Water, narrower than its cells, so that the banks read as part of the cell."""
    return uneven(rounded(land.area(terrain).buffer(-4), 13), 2.2)


@dataclass(frozen=True, slots=True)
class Water:
    """Water with a sandy bank, deeper in the middle, with ripples."""

    terrain: str
    shallow: str = "#86b3c9"
    deep: str = "#5f97b8"
    bank: str = "#dccf9d"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw every lake and river of the terrain."""
        area = land.area(self.terrain)
        if area.is_empty:
            return
        land.covers(area)
        water = shore(land, self.terrain)
        canvas.element("path", d=path(water.buffer(4.2)), fill="#8a8f55", fill_opacity=0.75)
        canvas.element("path", d=path(water.buffer(2.4)), fill=self.bank)
        canvas.element("path", d=path(water), fill=self.shallow)
        for reach, opacity in ((4, 0.5), (9, 0.5), (14, 0.45)):
            below = uneven(water.buffer(-reach), 0.8)
            canvas.element("path", d=path(below), fill=self.deep, fill_opacity=opacity)
        shadow = water.difference(affinity.translate(water, 1.6, 2.2))
        canvas.element("path", d=path(shadow), fill="#2f5368", fill_opacity=0.45)
        _ripples(canvas, water.buffer(-7), land)


def _ripples(canvas: Canvas, water: BaseGeometry, land: Land) -> None:
    rng = Random("ripples")
    shapely.prepare(water)
    left, top, _, _ = land.bounds
    wide, high = land.size
    strokes = []
    for _ in range(round(wide * high / 160)):
        x, y = rng.uniform(left, left + wide), rng.uniform(top, top + high)
        reach = rng.uniform(3, 8)
        if water.contains(shapely.LineString([(x, y), (x + 2 * reach, y)])):
            strokes.append(f"M{x:.1f} {y:.1f}q{reach / 2:.1f} -1.6 {reach:.1f} 0t{reach:.1f} 0")
    canvas.element(
        "path", d="".join(strokes), fill="none", stroke="#e9f6fb", stroke_width=0.8,
        stroke_opacity=0.55, stroke_linecap="round",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Marsh:
    """Wet ground with pools and reeds."""

    terrain: str
    ground: str = "#a9b888"
    pool: str = "#8fb4bd"
    reeds: str = "#5c6f3c"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw every marsh of the terrain."""
        area = land.area(self.terrain)
        if area.is_empty:
            return
        land.covers(area)
        bog = uneven(rounded(area.buffer(-2), 10), 2.0)
        canvas.element("path", d=path(bog), fill=self.ground, fill_opacity=0.85)
        pools, strokes = [], []
        for cell in (c for c in land.everywhere() if land.terrain(c) == self.terrain):
            rng = Random(f"marsh {cell}")
            x, y = land.centre(cell)
            for _ in range(4):
                at = x + rng.uniform(-26, 26), y + rng.uniform(-24, 24)
                wide = rng.uniform(6, 13)
                pools.append(affinity.scale(shapely.Point(at).buffer(wide), 1.5, 0.55))
            for _ in range(16):
                a, b = x + rng.uniform(-30, 30), y + rng.uniform(-28, 28)
                strokes += [
                    f"M{a:.1f} {b:.1f}l{lean:.1f} {-rng.uniform(4, 7):.1f}"
                    for lean in (-1.8, 0.0, 1.8)
                ]
        water = uneven(shapely.union_all(pools), 1.2).intersection(bog.buffer(-2))
        canvas.element("path", d=path(water), fill=self.pool, stroke="#6f9099", stroke_width=0.7)
        canvas.element(
            "path", d="".join(strokes), fill="none", stroke=self.reeds, stroke_width=0.9,
            stroke_linecap="round",
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rubble:
    """Ground that is strewn with stones, beams and the stumps of walls."""

    terrain: str
    ground: str = "#b3a796"
    stones: tuple[str, ...] = ("#8f8579", "#a3988a", "#7a7067", "#9c6a58")
    line: str = "#453e37"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw every field of rubble of the terrain."""
        area = land.area(self.terrain)
        if area.is_empty:
            return
        land.covers(area)
        floor = uneven(rounded(area.buffer(-2), 6), 1.6)
        canvas.element("path", d=path(floor), fill=self.ground, fill_opacity=0.92)
        shapely.prepare(floor)
        for cell in (c for c in land.everywhere() if land.terrain(c) == self.terrain):
            rng = Random(f"rubble {cell}")
            x, y = land.centre(cell)
            half = land.breadth / 2
            for _ in range(70):
                at = x + rng.uniform(-half, half), y + rng.uniform(-half, half)
                size = rng.uniform(1.4, 4.2)
                turns = sorted(rng.uniform(0, 2 * math.pi) for _ in range(5))
                stone = [(at[0] + size * math.cos(t), at[1] + size * math.sin(t)) for t in turns]
                if floor.contains(shapely.Point(at)):
                    colour = rng.choice(self.stones)
                    canvas.polygon(stone, fill=colour, stroke=self.line, stroke_width=0.45)
