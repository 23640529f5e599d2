"""Woods, tree by tree: how a kind of wood grows, its floor, its trees."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import shapely

from hexmarshal.kit.drawing.outlines import path, rounded, uneven

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shapely.geometry.base import BaseGeometry

    from hexmarshal.kit.drawing.canvas import Canvas
    from hexmarshal.kit.ground.land import Land

__all__ = ["CROWNS", "Floor", "Stand", "Trees", "forest", "light_woods", "orchard"]


@dataclass(frozen=True, slots=True)
class Stand:
    """How a terrain is wooded: its floor, its kinds of trees, their sizes, how close together."""

    terrain: str
    floor: str
    opacity: float
    trees: tuple[str, ...]
    sizes: tuple[float, float]
    gap: float
    tries: int


def light_woods(terrain: str) -> Stand:
    """Broad-leaved trees that stand apart."""
    return Stand(terrain, "#94a85f", 0.6, ("oak", "ash", "birch"), (6.0, 9.0), 0.9, 70)


def forest(terrain: str) -> Stand:
    """A dense wood, mostly of firs."""
    trees = ("fir", "pine", "fir", "beech")
    return Stand(terrain, "#5f7a45", 0.95, trees, (6.2, 9.4), 0.62, 260)


def orchard(terrain: str) -> Stand:
    """Small round trees on grass."""
    return Stand(terrain, "#a9bd6e", 0.5, ("apple",), (4.2, 5.2), 1.25, 90)


CROWNS: Final = {  # dark rim, body, light
    "oak": ("#4a612e", "#6c8741", "#93a95f"),
    "ash": ("#566c31", "#7b9149", "#a3b56c"),
    "birch": ("#6a7a38", "#92a052", "#b9c079"),
    "apple": ("#55732f", "#7fa046", "#a9c46c"),
    "beech": ("#3d5a2b", "#56773a", "#7b9a52"),
    "fir": ("#27432c", "#3a5c3a", "#57794d"),
    "pine": ("#2c4a31", "#426844", "#648558"),
}
_SPIKY: Final = frozenset({"fir", "pine"})


class _Tree(NamedTuple):
    x: float
    y: float
    size: float
    kind: str
    turn: float


@dataclass(frozen=True, slots=True)
class Floor:
    """The shaded ground under the trees."""

    stands: tuple[Stand, ...]

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw the floor of every wood."""
        for stand in self.stands:
            area = land.area(stand.terrain)
            if not area.is_empty:
                land.covers(area)
                floor = uneven(rounded(area.buffer(-3), 9), 1.8)
                canvas.element("path", d=path(floor), fill=stand.floor, fill_opacity=stand.opacity)


@dataclass(frozen=True, slots=True)
class Trees:
    """Trees in every wooded cell, none on what was built there."""

    stands: tuple[Stand, ...]

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw the trees of all woods, the southern ones over the northern."""
        kept_free = shapely.union_all(land.built)
        shapely.prepare(kept_free)
        trees = [tree for stand in self.stands for tree in _planted(land, stand, kept_free)]
        used = {tree.kind for tree in trees}
        for name, colours in CROWNS.items():
            if name in used:
                canvas.define(name, _crown(name, colours))
        for tree in sorted(trees, key=lambda t: (t.y, t.x)):
            canvas.element(
                "ellipse",
                cx=tree.x + tree.size * 0.32,
                cy=tree.y + tree.size * 0.42,
                rx=tree.size * 1.02,
                ry=tree.size * 0.92,
                fill="#1f2a12",
                fill_opacity=0.26,
            )
            place = f"translate({tree.x:.1f} {tree.y:.1f}) rotate({tree.turn:.0f}) "
            scale = f"scale({tree.size / 10:.3f})"
            canvas.element("use", href=f"#{tree.kind}", transform=f"{place}{scale}")


def _planted(land: Land, stand: Stand, kept_free: BaseGeometry) -> Iterator[_Tree]:
    area = land.area(stand.terrain)
    if area.is_empty:
        return
    planted: list[_Tree] = []
    for cell in sorted(c for c in land.everywhere() if land.terrain(c) == stand.terrain):
        planted += _in_cell(land, cell, stand, area, kept_free, planted)
    yield from planted


def _in_cell(
    land: Land,
    cell: Any,  # noqa: ANN401 - a hex or a square
    stand: Stand,
    area: BaseGeometry,
    kept_free: BaseGeometry,
    planted: list[_Tree],
) -> list[_Tree]:
    cx, cy = land.centre(cell)
    rng = Random(f"{stand.floor} {cell}")
    inside = area.buffer(-stand.sizes[0] * 0.85)
    plot = land.polygon(cell)
    shapely.prepare(inside)
    shapely.prepare(plot)
    near = [t for t in planted if math.hypot(t.x - cx, t.y - cy) < 75]
    grown: list[_Tree] = []
    reach = land.reach
    for _ in range(stand.tries):
        x, y = cx + rng.uniform(-reach, reach), cy + rng.uniform(-reach, reach)
        size = rng.uniform(*stand.sizes)
        kind, turn = rng.choice(stand.trees), rng.uniform(0, 60)
        spot = shapely.Point(x, y)
        if not (plot.contains(spot) and inside.contains(spot)):
            continue
        if not kept_free.is_empty and kept_free.distance(spot) < size * 0.8:
            continue
        if any(math.hypot(t.x - x, t.y - y) < (t.size + size) * stand.gap for t in (*near, *grown)):
            continue
        grown.append(_Tree(x, y, size, kind, turn))
    return grown


def _crown(name: str, colours: tuple[str, str, str]) -> str:
    """A tree from above, ten units in radius, lit from the north-west."""
    rim, body, light = colours
    if name in _SPIKY:
        layers = (
            (_star(10, 6.6, 11), rim, 0.0),
            (_star(7.6, 4.9, 10), body, -0.9),
            (_star(4.4, 2.6, 9), light, -1.9),
        )
    else:
        layers = (
            (_lobes(9.2, 0.11, 7), rim, 0.0),
            (_lobes(7.2, 0.13, 6), body, -1.1),
            (_lobes(4.0, 0.18, 5), light, -2.4),
        )
    drawn = "".join(
        f'<path d="{d}" fill="{colour}" transform="translate({shift} {shift})"/>'
        for d, colour, shift in layers
    )
    return f'<g id="{name}">{drawn}</g>'


def _star(outer: float, inner: float, points: int) -> str:
    corners = []
    for i in range(2 * points):
        r, a = (outer if i % 2 == 0 else inner), math.pi * i / points
        corners.append(f"{r * math.cos(a):.1f} {r * math.sin(a):.1f}")
    return "M" + "L".join(corners) + "Z"


def _lobes(radius: float, depth: float, lobes: int) -> str:
    corners = []
    for i in range(36):
        a = math.pi * i / 18
        r = radius * (1 + depth * math.sin(lobes * a))
        corners.append(f"{r * math.cos(a):.1f} {r * math.sin(a):.1f}")
    return "M" + "L".join(corners) + "Z"
