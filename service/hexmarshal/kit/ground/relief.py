"""The lie of the land: meadow, tufts of grass, hills with their contours, cliffs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import shapely
from shapely import affinity

from hexmarshal.kit.drawing.outlines import path, polygons, rounded, uneven

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shapely.geometry.base import BaseGeometry

    from hexmarshal.kit.drawing.canvas import Canvas
    from hexmarshal.kit.ground.land import Land

__all__ = ["Cliffs", "Contours", "Hills", "Meadow", "Tufts"]


@dataclass(frozen=True, slots=True)
class Meadow:
    """Open ground with paler and darker patches."""

    colour: str = "#bcc489"
    patches: tuple[str, ...] = ("#c9cd94", "#b3bd80", "#c5c48c", "#adba7c")

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw it over the whole map."""
        left, top, _, _ = land.bounds
        wide, high = land.size
        canvas.rectangle((left, top), wide, high, fill=self.colour)
        rng = Random("grass")
        for _ in range(round(wide * high / 7000)):
            x, y = rng.uniform(left, left + wide), rng.uniform(top, top + high)
            patch = shapely.Point(x, y).buffer(rng.uniform(18, 60))
            patch = affinity.scale(patch, 1.5, 0.8)
            colour, opacity = rng.choice(self.patches), rng.uniform(0.2, 0.5)
            canvas.element("path", d=path(uneven(patch, 5)), fill=colour, fill_opacity=opacity)


@dataclass(frozen=True, slots=True)
class Tufts:
    """Short strokes of grass on ground that is still open."""

    colour: str = "#7f8f4e"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw them where no earlier brush has been."""
        left, top, _, _ = land.bounds
        wide, high = land.size
        rng = Random("tufts")
        taken = land.taken
        shapely.prepare(taken)
        strokes = []
        for _ in range(round(wide * high / 420)):
            x = rng.uniform(left + 3, left + wide - 3)
            y = rng.uniform(top + 3, top + high - 3)
            reach = rng.uniform(1.6, 3.2)
            if not taken.contains(shapely.Point(x, y)):
                strokes.append(f"M{x:.1f} {y:.1f}l{-0.35 * reach:.1f} {-reach:.1f}")
                strokes.append(f"M{x + 1.2:.1f} {y:.1f}l{0.3 * reach:.1f} {-0.8 * reach:.1f}")
        canvas.element(
            "path", d="".join(strokes), fill="none", stroke=self.colour, stroke_width=0.6,
            stroke_opacity=0.55, stroke_linecap="round",
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hills:
    """Each level as a step with a lit and a shaded flank, light from the north-west."""

    slopes: tuple[str, ...] = ("#c4b67c", "#bd9256", "#a87a42")
    tops: tuple[str, ...] = ("#d4c68c", "#d0a567", "#bd8f55")
    shade: str = "#4a3a1c"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw all levels above 0."""
        for level, hill in _hills(land):
            for reach in range(9, 0, -1):
                fallen = affinity.translate(hill.buffer(reach * 0.75), reach * 0.7, reach * 0.95)
                canvas.element("path", d=path(fallen), fill=self.shade, fill_opacity=0.042)
            rank = min(level, len(self.slopes)) - 1
            canvas.element("path", d=path(hill), fill=self.slopes[rank])
            lit = affinity.translate(hill.buffer(-1), 2.2, 2.6).intersection(hill)
            canvas.element("path", d=path(hill.difference(lit)), fill="#fff6d8", fill_opacity=0.55)
            for step in range(1, 7):
                inner = hill.buffer(-2.1 * step)
                canvas.element("path", d=path(inner), fill=self.tops[rank], fill_opacity=0.3)


@dataclass(frozen=True, slots=True)
class Contours:
    """The line around each level, to be seen through woods too."""

    line: str = "#7a5524"
    hachures: str = "#7a5a2c"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw the line and short strokes down the slope."""
        for _, hill in _hills(land):
            canvas.element(
                "path", d=path(hill), fill="none", stroke=self.line, stroke_width=1.2,
                stroke_opacity=0.85,
            )  # fmt: skip
            canvas.element(
                "path", d="".join(_hachures(hill)), fill="none", stroke=self.hachures,
                stroke_width=0.75, stroke_opacity=0.5, stroke_linecap="round",
            )  # fmt: skip


def _hills(land: Land) -> Iterator[tuple[int, BaseGeometry]]:
    highest = max(map(land.level, land.cells))
    for level in range(1, highest + 1):
        shape = land.heights(level).buffer(-2.5 * (level - 1))
        hill = uneven(rounded(shape, 11), 1.6)
        if not hill.is_empty:
            yield level, hill


def _hachures(hill: BaseGeometry) -> Iterator[str]:
    """Strokes, long and dense on the side away from the light."""
    for polygon in polygons(hill):
        ring = polygon.exterior
        count = int(ring.length / 4.2)
        for i in range(count):
            here = ring.interpolate(i / count, normalized=True)
            there = ring.interpolate((i + 0.2) / count, normalized=True)
            dx, dy = there.x - here.x, there.y - here.y
            length = math.hypot(dx, dy) or 1.0
            out = (dy / length, -dx / length)
            if hill.contains(shapely.Point(here.x + out[0], here.y + out[1])):
                out = (-out[0], -out[1])
            shade = max(0.0, (out[0] * 0.55 + out[1] * 0.83))
            reach = 3.0 + 4.0 * shade + (i % 3) * 0.7
            x, y = here.x + out[0], here.y + out[1]
            yield f"M{x:.1f} {y:.1f}l{out[0] * reach:.1f} {out[1] * reach:.1f}"


@dataclass(frozen=True, slots=True)
class Cliffs:
    """Rock faces where the ground falls two levels at once."""

    rock: str = "#6f5d45"
    cracks: str = "#33281a"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw the faces between high and low cells."""
        strokes, faces = [], []
        for high, low in land.cliffs():
            top, foot = land.centre(high), land.centre(low)
            dx, dy = foot[0] - top[0], foot[1] - top[1]
            length = math.hypot(dx, dy)
            dx, dy = dx / length, dy / length
            shared = land.polygon(high).buffer(0.1).intersection(land.polygon(low))
            axis = shared.minimum_rotated_rectangle
            mx, my = axis.centroid.x, axis.centroid.y
            half = land.breadth / math.sqrt(3) / 2
            for i in range(13):
                along = (i / 12 - 0.5) * 2 * half
                x, y = mx - dy * along - dx * 3, my + dx * along - dy * 3
                reach = 8.5 + 2.5 * ((i * 7) % 4) / 3
                strokes.append(f"M{x:.1f} {y:.1f}l{dx * reach:.1f} {dy * reach:.1f}")
            edge = shapely.LineString(
                [(mx - dy * half, my + dx * half), (mx + dy * half, my - dx * half)]
            )
            faces.append(affinity.translate(edge, dx * 2, dy * 2).buffer(5, cap_style="round"))
        if faces:
            face = shapely.union_all(faces)
            canvas.element("path", d=path(face), fill=self.rock, fill_opacity=0.85)
            canvas.element(
                "path", d="".join(strokes), stroke=self.cracks, stroke_width=1.3,
                stroke_opacity=0.85, fill="none", stroke_linecap="round",
            )  # fmt: skip
