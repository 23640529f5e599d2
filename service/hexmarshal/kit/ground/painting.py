"""The picture of a board: its land, the grid over it, and the names of its hexes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import shapely
from shapely import affinity

from hexmarshal.games.conflict_of_heroes.art.built import (
    BUILDINGS,
    ROAD_WIDTH,
    draw_houses,
    draw_roads,
    draw_walls,
    draw_yards,
    houses,
)
from hexmarshal.games.conflict_of_heroes.art.ground import (
    draw_contours,
    draw_fields,
    draw_grass,
    draw_hills,
    draw_tufts,
    draw_water,
)
from hexmarshal.games.conflict_of_heroes.art.growth import draw_floor, draw_trees
from hexmarshal.games.conflict_of_heroes.art.land import Land
from hexmarshal.geometry.svg.canvas import Canvas
from hexmarshal.geometry.svg.lettering import width
from hexmarshal.kit.drawing.outlines import path

if TYPE_CHECKING:
    from hexmarshal.geometry.terrain import TerrainMap

__all__ = ["board_svg", "draw_board"]

_DARK = frozenset({"forest", "water"})


def board_svg(map: TerrainMap) -> str:
    """The whole board as an SVG, in the pixels of its own layout."""
    canvas = Canvas(native_text=False)
    land = draw_board(canvas, map)
    return canvas.render((0, 0, *land.size), map.name_of_map)


def draw_board(canvas: Canvas, map: TerrainMap) -> Land:
    """Draw a board onto a canvas; what is drawn later lies on top of it."""
    land = Land.of(map)
    draw_grass(canvas, land)
    draw_hills(canvas, land)
    _draw_cliffs(canvas, land)
    draw_fields(canvas, land)
    draw_water(canvas, land)
    draw_floor(canvas, land)
    draw_yards(canvas, land)
    draw_contours(canvas, land)
    built = houses(land)
    roads = shapely.union_all([r.line.buffer(ROAD_WIDTH / 2 + 1) for r in land.roads])
    taken = land.area("forest", "light_woods", "water", "field", *BUILDINGS).union(roads)
    draw_tufts(canvas, land, taken)
    draw_roads(canvas, land)
    draw_walls(canvas, land)
    draw_houses(canvas, built)
    free = shapely.union_all([roads, *(h.outline for h in built)])
    draw_trees(canvas, land, free)
    _draw_halves(canvas, land)
    _draw_grid(canvas, land)
    return land


def _draw_cliffs(canvas: Canvas, land: Land) -> None:
    """Rock faces where the ground falls two levels at once."""
    strokes, faces = [], []
    for high, low in land.cliffs():
        top, foot = land.layout.centre(high), land.layout.centre(low)
        dx, dy = foot[0] - top[0], foot[1] - top[1]
        length = math.hypot(dx, dy)
        dx, dy = dx / length, dy / length
        shared = land.layout.polygon(high).buffer(0.1).intersection(land.layout.polygon(low))
        axis = shared.minimum_rotated_rectangle
        mx, my = axis.centroid.x, axis.centroid.y
        half = land.layout.breadth / math.sqrt(3) / 2
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
        canvas.element("path", d=path(face), fill="#6f5d45", fill_opacity=0.85)
        canvas.element(
            "path", d="".join(strokes), stroke="#33281a", stroke_width=1.3, stroke_opacity=0.85,
            fill="none", stroke_linecap="round",
        )  # fmt: skip


def _draw_halves(canvas: Canvas, land: Land) -> None:
    """Cut hexes, veiled: nobody may stand there."""
    whole = shapely.union_all([land.layout.polygon(h).buffer(0.05) for h in land.hexes])
    veiled = land.sheet.difference(whole)
    canvas.element("path", d=path(veiled), fill="#3d3a26", fill_opacity=0.3)


def _draw_grid(canvas: Canvas, land: Land) -> None:
    """Hexes with a dot in the middle, a name above it, and a triangle for each level."""
    layout = land.layout
    with canvas.group(fill="none", stroke="#1c1a10", stroke_width=0.9, stroke_opacity=0.5):
        for cell in land.hexes:
            canvas.polygon(layout.corners(cell))
    size = layout.breadth * 0.082
    for cell in land.hexes:
        x, y = layout.centre(cell)
        canvas.circle((x, y), 2.1, fill="#fdfbf0", stroke="#2b2819", stroke_width=0.7)
        name, level = land.map.name(cell), land.level(cell)
        dark = land.terrain(cell) in _DARK
        colour, halo = ("#fdfbe8", "#22301b") if dark else ("#26210f", "#f1ecd0")
        if land.terrain(cell) == "water":
            halo = "#2c5064"
        top = y - layout.breadth / 2 + size + 4.2
        signs = level * (size + 1.4)
        left = x - (width(name, size) + signs) / 2
        canvas.write(name, (left, top), size, anchor="start", colour=colour, halo=halo, weight=1.05)
        start = left + width(name, size) + 2.6
        for i in range(level):
            at = start + i * (size + 1.0)
            canvas.polygon(
                [(at, top), (at + size * 0.9, top), (at + size * 0.45, top - size)],
                fill="#8a2a12",
                stroke="#f7ecd0",
                stroke_width=0.5,
            )
