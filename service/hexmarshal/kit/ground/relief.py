"""The lie of the land: grass, hills, ploughed fields and water."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

import shapely
from shapely import affinity

from hexmarshal.kit.drawing.outlines import path, polygons, rounded, uneven

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shapely.geometry.base import BaseGeometry

    from hexmarshal.games.conflict_of_heroes.art.land import Land
    from hexmarshal.geometry.svg.canvas import Canvas

__all__ = ["draw_contours", "draw_fields", "draw_grass", "draw_hills", "draw_tufts", "draw_water"]

_GRASS = "#bcc489"
_BLOTCHES = ("#c9cd94", "#b3bd80", "#c5c48c", "#adba7c")
_SLOPES = ("#c4b67c", "#bd9256", "#a87a42")
_TOPS = ("#d4c68c", "#d0a567", "#bd8f55")
_SHADE = "#4a3a1c"
_EARTH = ("#a98a5c", "#b4956a", "#9c7f54")


def draw_grass(canvas: Canvas, land: Land) -> None:
    """Meadow with paler and darker patches, and tufts of grass where nothing else stands."""
    wide, high = land.size
    canvas.rectangle((0, 0), wide, high, fill=_GRASS)
    rng = Random("grass")
    for _ in range(round(wide * high / 7000)):
        x, y = rng.uniform(0, wide), rng.uniform(0, high)
        patch = shapely.Point(x, y).buffer(rng.uniform(18, 60))
        patch = affinity.scale(patch, 1.5, 0.8)
        colour, opacity = rng.choice(_BLOTCHES), rng.uniform(0.2, 0.5)
        canvas.element("path", d=path(uneven(patch, 5)), fill=colour, fill_opacity=opacity)


def draw_tufts(canvas: Canvas, land: Land, taken: BaseGeometry) -> None:
    """Short strokes of grass on open ground."""
    wide, high = land.size
    rng = Random("tufts")
    shapely.prepare(taken)
    strokes = []
    for _ in range(round(wide * high / 420)):
        x, y = rng.uniform(3, wide - 3), rng.uniform(3, high - 3)
        reach = rng.uniform(1.6, 3.2)
        if not taken.contains(shapely.Point(x, y)):
            strokes.append(f"M{x:.1f} {y:.1f}l{-0.35 * reach:.1f} {-reach:.1f}")
            strokes.append(f"M{x + 1.2:.1f} {y:.1f}l{0.3 * reach:.1f} {-0.8 * reach:.1f}")
    canvas.element(
        "path",
        d="".join(strokes),
        fill="none",
        stroke="#7f8f4e",
        stroke_width=0.6,
        stroke_opacity=0.55,
        stroke_linecap="round",
    )


def draw_hills(canvas: Canvas, land: Land) -> None:
    """Each level as a step with a lit and a shaded flank, light from the north-west."""
    for level, hill in _hills(land):
        for reach in range(9, 0, -1):
            fallen = affinity.translate(hill.buffer(reach * 0.75), reach * 0.7, reach * 0.95)
            canvas.element("path", d=path(fallen), fill=_SHADE, fill_opacity=0.042)
        rank = min(level, len(_SLOPES)) - 1
        canvas.element("path", d=path(hill), fill=_SLOPES[rank])
        lit = affinity.translate(hill.buffer(-1), 2.2, 2.6).intersection(hill)
        canvas.element("path", d=path(hill.difference(lit)), fill="#fff6d8", fill_opacity=0.55)
        for step in range(1, 7):
            inner = hill.buffer(-2.1 * step)
            canvas.element("path", d=path(inner), fill=_TOPS[rank], fill_opacity=0.3)


def draw_contours(canvas: Canvas, land: Land) -> None:
    """The line around each level, to be seen through woods too."""
    for _, hill in _hills(land):
        canvas.element(
            "path",
            d=path(hill),
            fill="none",
            stroke="#7a5524",
            stroke_width=1.2,
            stroke_opacity=0.85,
        )
        _hachures(canvas, hill)


def _hills(land: Land) -> Iterator[tuple[int, BaseGeometry]]:
    highest = max(map(land.level, land.hexes))
    for level in range(1, highest + 1):
        shape = land.heights(level).buffer(-2.5 * (level - 1))
        hill = uneven(rounded(shape, 11), 1.6)
        if not hill.is_empty:
            yield level, hill


def _hachures(canvas: Canvas, hill: BaseGeometry) -> None:
    """Short strokes down the slope, long and dense on the side away from the light."""
    strokes = []
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
            strokes.append(f"M{x:.1f} {y:.1f}l{out[0] * reach:.1f} {out[1] * reach:.1f}")
    canvas.element(
        "path",
        d="".join(strokes),
        fill="none",
        stroke="#7a5a2c",
        stroke_width=0.75,
        stroke_opacity=0.5,
        stroke_linecap="round",
    )


def draw_fields(canvas: Canvas, land: Land) -> None:
    """Ploughed land: each field with its own earth and its own direction of furrows."""
    fields = [f for f in polygons(land.area("field")) if f.intersects(land.sheet)]
    for i, field in enumerate(sorted(fields, key=lambda f: f.bounds)):
        rng = Random(f"field {i}")
        shape = uneven(rounded(field.buffer(-2.5), 5), 0.7)
        canvas.element("path", d=path(shape.buffer(1.6)), fill="#8f9a58", fill_opacity=0.8)
        canvas.element("path", d=path(shape), fill=_EARTH[i % len(_EARTH)])
        x, y = field.centroid.x, field.centroid.y
        reach = math.hypot(field.bounds[2] - field.bounds[0], field.bounds[3] - field.bounds[1])
        slope = rng.uniform(-35, 35)
        for dark, shift in (("#7d6139", 0.0), ("#c9ad7d", 2.2)):
            rows = []
            for k in range(int(-reach / 5), int(reach / 5)):
                row = shapely.LineString(
                    [(x + t, y + 5 * k + shift + 1.3 * math.sin(t * 0.06)) for t in _steps(reach)]
                )
                rows.append(row)
            furrows = affinity.rotate(shapely.MultiLineString(rows), slope, origin=(x, y))
            kept = furrows.intersection(shape.buffer(-1.5))
            canvas.element(
                "path",
                d=_lines(kept),
                fill="none",
                stroke=dark,
                stroke_width=1.0,
                stroke_opacity=0.65,
                stroke_linecap="round",
            )


def _steps(reach: float) -> range:
    return range(-int(reach), int(reach), 8)


def _lines(shape: BaseGeometry) -> str:
    parts = []
    for line in getattr(shape, "geoms", (shape,)):
        if isinstance(line, shapely.LineString) and not line.is_empty:
            (x, y), *rest = line.coords
            parts.append(f"M{x:.1f} {y:.1f}L" + " ".join(f"{a:.1f} {b:.1f}" for a, b in rest))
    return "".join(parts)


def draw_water(canvas: Canvas, land: Land) -> None:
    """Water with a sandy bank, deeper in the middle, with ripples."""
    area = land.area("water")
    if area.is_empty:
        return
    # Narrower than its hexes, so that the banks read as part of the hex.
    water = uneven(rounded(area.buffer(-4), 13), 2.2)
    canvas.element("path", d=path(water.buffer(4.2)), fill="#8a8f55", fill_opacity=0.75)
    canvas.element("path", d=path(water.buffer(2.4)), fill="#dccf9d")
    canvas.element("path", d=path(water), fill="#86b3c9")
    for reach, opacity in ((4, 0.5), (9, 0.5), (14, 0.45)):
        deep = uneven(water.buffer(-reach), 0.8)
        canvas.element("path", d=path(deep), fill="#5f97b8", fill_opacity=opacity)
    shore = affinity.translate(water, 1.6, 2.2)
    shadow = water.difference(shore)
    canvas.element("path", d=path(shadow), fill="#2f5368", fill_opacity=0.45)
    _ripples(canvas, water.buffer(-7), land)


def _ripples(canvas: Canvas, water: BaseGeometry, land: Land) -> None:
    rng = Random("ripples")
    shapely.prepare(water)
    wide, high = land.size
    strokes = []
    for _ in range(round(wide * high / 160)):
        x, y, reach = rng.uniform(0, wide), rng.uniform(0, high), rng.uniform(3, 8)
        if water.contains(shapely.LineString([(x, y), (x + 2 * reach, y)])):
            strokes.append(f"M{x:.1f} {y:.1f}q{reach / 2:.1f} -1.6 {reach:.1f} 0t{reach:.1f} 0")
    canvas.element(
        "path",
        d="".join(strokes),
        fill="none",
        stroke="#e9f6fb",
        stroke_width=0.8,
        stroke_opacity=0.55,
        stroke_linecap="round",
    )
