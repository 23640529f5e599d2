"""Layers for movement: a reach with its costs, zones of control, the best way to a cell."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hexmarshal.geometry.svg.picture import Entry, Sample

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from hexmarshal.geometry.movement.costs import Cost
    from hexmarshal.geometry.movement.paths import Path
    from hexmarshal.geometry.movement.reach import Reach
    from hexmarshal.geometry.svg.canvas import Canvas, Point
    from hexmarshal.geometry.svg.view import View

__all__ = ["PathLayer", "ReachLayer", "ZoneLayer", "mixed", "outline"]

_NEAR, _FAR = (0x3D, 0x8B, 0x5F), (0xF2, 0xC1, 0x4E)
_EDGE = "#1f5c3a"
_ZONE = "#c23b2e"
_WAY = "#1d3f73"


def _shade(share: float) -> str:
    return "#" + "".join(
        f"{round(near + (far - near) * share):02x}" for near, far in zip(_NEAR, _FAR, strict=True)
    )


@dataclass(frozen=True, slots=True)
class ReachLayer:
    """Every cell in reach, tinted by its cost, with the cost in it, and one way if given."""

    reach: Reach[Any, Any]
    note: str = ""
    way: Path[Any, Any] | None = None

    def under(self, canvas: Canvas, view: View) -> None:
        """Tints."""
        most = max(self.reach.costs.values(), default=0)
        for cell in view.terrain.cells():
            cost = self.reach.cost(cell)
            if cost is None:
                canvas.polygon(view.corners(cell), fill="#4a4a4a", fill_opacity=0.22)
            else:
                share = float(cost / most) if most else 0.0
                canvas.polygon(view.corners(cell), fill=_shade(share), fill_opacity=0.5)

    def over(self, canvas: Canvas, view: View) -> None:
        """The border and the costs; what only the minimum move allows stands in brackets."""
        outline(canvas, view.border(self.reach), _EDGE, 0.08 * view.unit)
        if self.way is not None:
            PathLayer(self.way).over(canvas, view)
        forced = self.reach.forced
        for cell, cost in self.reach.costs.items():
            if cost != 0:
                x, y = view.centre(cell)
                text = f"({mixed(cost)})" if cell in forced else mixed(cost)
                canvas.write(
                    text, (x, y + 0.2 * view.unit), 0.34 * view.unit,
                    colour="#123", weight=1.3, halo="#fffdf2",
                )  # fmt: skip

    def entries(self, view: View) -> Iterator[Entry]:
        """Near, far and out of reach."""
        if self.way is not None:
            yield from PathLayer(self.way).entries(view)
        for text, colour, opacity in (
            ("cheap to reach", _shade(0), 0.6),
            ("the whole allowance", _shade(1), 0.6),
            ("out of reach", "#4a4a4a", 0.3),
        ):
            yield Entry(text, _patch(colour, opacity))

    def captions(self, view: View) -> Iterator[str]:
        """What was asked, and the cost of the way by its parts."""
        yield self.note
        if self.way is not None:
            yield from PathLayer(self.way).captions(view)


@dataclass(frozen=True, slots=True)
class ZoneLayer:
    """Cells in enemy zones of control, hatched."""

    cells: Iterable[Hashable]
    text: str = "enemy zone of control"

    def under(self, canvas: Canvas, view: View) -> None:
        """The hatching."""
        hatch = _hatch(canvas, view.unit)
        cells = list(self.cells)
        for cell in cells:
            canvas.polygon(view.corners(cell), fill=hatch)
        with canvas.group(
            stroke=_ZONE, stroke_width=0.05 * view.unit, stroke_linecap="round",
            stroke_dasharray=f"{0.14 * view.unit:.2f} {0.12 * view.unit:.2f}",
        ):  # fmt: skip
            for (x1, y1), (x2, y2) in view.border(cells):
                canvas.element("line", x1=x1, y1=y1, x2=x2, y2=y2)

    def over(self, canvas: Canvas, view: View) -> None:
        """Nothing."""

    def entries(self, view: View) -> Iterator[Entry]:
        """What the hatching means."""

        def sample(canvas: Canvas, at: Point, wide: float) -> None:
            canvas.rectangle(at, wide, wide * 0.7, fill=_hatch(canvas, view.unit), stroke=_ZONE)

        yield Entry(self.text, sample)

    def captions(self, view: View) -> tuple[str, ...]:  # noqa: ARG002
        """Nothing."""
        return ()


@dataclass(frozen=True, slots=True)
class PathLayer:
    """A way over the map as an arrow."""

    path: Path[Any, Any]

    def under(self, canvas: Canvas, view: View) -> None:
        """Nothing."""

    def over(self, canvas: Canvas, view: View) -> None:
        """The arrow, from the edge of the counter that moves."""
        if self.path.legs:
            way = [view.centre(cell) for cell in self.path.cells]
            way[0] = _short_of(way[1], way[0], 0.5 * view.unit)
            way[-1] = _short_of(way[-2], way[-1], 0.4 * view.unit)
            _arrow(canvas, way, _WAY, view.unit)

    def entries(self, view: View) -> Iterator[Entry]:
        """What the arrow means."""
        end = view.terrain.name(self.path.end)

        def sample(canvas: Canvas, at: Point, wide: float) -> None:
            y = at[1] + wide * 0.35
            _arrow(canvas, [(at[0], y), (at[0] + wide, y)], _WAY, wide * 0.8)

        yield Entry(f"best way to {end}", sample)

    def captions(self, view: View) -> Iterator[str]:
        """The cost by its parts."""
        parts = " + ".join(f"{name} {mixed(cost)}" for name, cost in self.path.charges().items())
        end = view.terrain.name(self.path.end)
        yield f"to {end}: {mixed(self.path.cost)} = {parts}" if parts else ""


def mixed(cost: Cost) -> str:
    """A cost as players write it: 3½, 2 1/3."""
    whole, rest = divmod(cost, 1)
    if not rest:
        return str(whole)
    part = "½" if rest == Fraction(1, 2) else f" {rest}"
    return f"{whole or ''}{part}".strip()


def _arrow(canvas: Canvas, points: Sequence[Point], colour: str, unit: float) -> None:
    """A bold line with a head at its end."""
    (x1, y1), (x2, y2) = points[-2:]
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    dx, dy = (x2 - x1) / length * unit, (y2 - y1) / length * unit
    neck = (x2 - 0.3 * dx, y2 - 0.3 * dy)
    for wide, ink in ((0.2, "#ffffff"), (0.12, colour)):
        canvas.polyline(
            [*points[:-1], neck], stroke=ink, stroke_width=wide * unit,
            stroke_linejoin="round", stroke_linecap="round", stroke_opacity=0.9,
        )  # fmt: skip
    canvas.polygon(
        (
            (x2, y2),
            (x2 - 0.36 * dx - 0.2 * dy, y2 - 0.36 * dy + 0.2 * dx),
            (x2 - 0.36 * dx + 0.2 * dy, y2 - 0.36 * dy - 0.2 * dx),
        ),
        fill=colour, stroke="#ffffff", stroke_width=0.03 * unit,
    )  # fmt: skip


def outline(canvas: Canvas, edges: Iterable[tuple[Point, Point]], colour: str, wide: float) -> None:
    """Edges as one bold border."""
    with canvas.group(stroke=colour, stroke_width=wide, stroke_linecap="round"):
        for (x1, y1), (x2, y2) in edges:
            canvas.element("line", x1=x1, y1=y1, x2=x2, y2=y2)


def _short_of(start: Point, end: Point, by: float) -> Point:
    """A point on the way from `start` to `end`, `by` before its end."""
    (x1, y1), (x2, y2) = start, end
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    return x2 - (x2 - x1) / length * by, y2 - (y2 - y1) / length * by


def _hatch(canvas: Canvas, unit: float) -> str:
    step = 0.2 * unit
    return canvas.define(
        "zone",
        f'<pattern id="zone" width="{step:.2f}" height="{step:.2f}" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="{step:.2f}"'
        f' stroke="{_ZONE}" stroke-width="{0.09 * unit:.2f}" stroke-opacity="0.55"/></pattern>',
    )


def _patch(colour: str, opacity: float) -> Sample:
    def sample(canvas: Canvas, at: Point, wide: float) -> None:
        canvas.rectangle(at, wide, wide * 0.7, fill=colour, fill_opacity=opacity, stroke="#777")

    return sample
