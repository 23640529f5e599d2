"""Layers for sight: a line with what it meets, and a field of fire."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from hexmarshal.geometry.lattice.hex_route import CellSpan, SideCross, SideRun, VertexPass
from hexmarshal.geometry.sight.sight_rule import SidePolicy
from hexmarshal.geometry.svg.movement_layers import outline
from hexmarshal.geometry.svg.picture import Entry, Sample

if TYPE_CHECKING:
    from collections.abc import Container, Hashable, Iterator, Mapping

    from hexmarshal.geometry.sight.line_of_sight import Sight
    from hexmarshal.geometry.sight.obstacles import Obstruction
    from hexmarshal.geometry.sight.trace import Trace
    from hexmarshal.geometry.svg.canvas import Canvas, Point
    from hexmarshal.geometry.svg.view import View

__all__ = ["FireLayer", "SightLayer", "TraceLayer"]

_CLEAR, _BLOCKED, _HINDERED = "#1f7a3d", "#c0271d", "#d9822b"
_MET = "#2a5aa8"
_SHADOW = "#37352f"


@dataclass(frozen=True, slots=True)
class TraceLayer:
    """A line and all that it meets, judged by no rule."""

    trace: Trace
    beside: str = "along a side, between two cells"

    def under(self, canvas: Canvas, view: View) -> None:
        """The cells that the line crosses are outlined, those beside a run along a side dashed."""
        dash = f"{0.12 * view.unit:.2f} {0.1 * view.unit:.2f}"
        beside = [cell for run in self.trace.along for cell in run.cells if cell in view.terrain]
        with canvas.group(stroke=_MET, stroke_width=0.05 * view.unit, fill="none"):
            for cell in beside:
                canvas.polygon(_inset(view, cell), stroke_dasharray=dash)
            for cell in self.trace.cells:
                if cell in view.terrain:
                    canvas.polygon(_inset(view, cell), fill=_MET, fill_opacity=0.08)

    def over(self, canvas: Canvas, view: View) -> None:
        """The line with the sides it runs along and the vertices it goes through."""
        trace = self.trace
        self.runs(canvas, view)
        _stretch(canvas, view.point(trace.start), view.point(trace.end), _MET, view.unit)
        self.points(canvas, view)

    def runs(self, canvas: Canvas, view: View) -> None:
        """The sides that the line runs along, under it."""
        for run in self.trace.along:
            ends = [view.point(self.trace.point(share)) for share in (run.start, run.end)]
            title = f"along {view.terrain.describe(run.side)}"
            canvas.polyline(
                ends, title, stroke=_MET, stroke_width=0.24 * view.unit,
                stroke_linecap="round", stroke_opacity=0.35,
            )  # fmt: skip

    def points(self, canvas: Canvas, view: View) -> None:
        """The vertices on the line and its two ends, over it."""
        trace, unit = self.trace, view.unit
        for piece in trace.pieces:
            if isinstance(piece, VertexPass) and 0 < piece.at < 1:
                title = f"through {view.terrain.describe(piece.vertex)}"
                canvas.circle(
                    view.point(trace.point(piece.at)), 0.075 * unit, title,
                    fill="#ffffff", stroke=_MET, stroke_width=0.04 * unit,
                )  # fmt: skip
        for end in (trace.start, trace.end):
            canvas.circle(
                view.point(end), 0.1 * unit,
                fill="#ffffff", stroke=_SHADOW, stroke_width=0.05 * unit,
            )  # fmt: skip

    def entries(self, view: View) -> Iterator[Entry]:  # noqa: ARG002
        """What the dashed cells mean, if there are any."""
        if self.trace.along:
            yield Entry(self.beside, _sample_line(_MET, wide=0.3))

    def captions(self, view: View) -> Iterator[str]:
        """How much the line meets."""
        trace = self.trace
        ends = " to ".join(view.terrain.place_of(p) for p in (trace.start, trace.end))
        met = f"{len(trace.cells)} cells, {len(trace.crossed)} sides crossed"
        yield f"{ends}: {met}, {len(trace.along)} run along, {len(trace.vertices)} vertices"


@dataclass(frozen=True, slots=True)
class SightLayer:
    """A line of sight: what it meets, what blocks it and what hinders."""

    sight: Sight

    def under(self, canvas: Canvas, view: View) -> None:
        """As of a trace."""
        TraceLayer(self.sight.trace).under(canvas, view)

    def over(self, canvas: Canvas, view: View) -> None:
        """The line, green as far as it sees and red behind, and numbered marks on it."""
        sight, trace, unit = self.sight, self.sight.trace, view.unit
        stops = [_share(trace, finding) for finding in sight.obstacles]
        stop = min(stops, default=Fraction(0 if sight.blocked else 1))
        start, end = view.point(trace.start), view.point(trace.end)
        broken = view.point(trace.point(stop))
        drawn = TraceLayer(trace)
        drawn.runs(canvas, view)
        _stretch(canvas, start, broken, _CLEAR, unit)
        if stop < 1:
            _stretch(canvas, broken, end, _BLOCKED, unit, dashed=True)
        drawn.points(canvas, view)
        for finding, share in zip(sight.obstacles, stops, strict=True):
            _cross(canvas, view.point(trace.point(share)), unit, _told(sight, finding))
        for nth, finding in enumerate(sight.hindrances, 1):
            at = view.point(trace.point(_share(trace, finding)))
            _number(canvas, at, nth, unit, _told(sight, finding))

    def entries(self, view: View) -> Iterator[Entry]:
        """What the colours and marks mean; only those that are there."""
        sight = self.sight
        yield Entry("sees", _sample_line(_CLEAR))
        if sight.blocked:
            yield Entry("blocked from here", _sample_line(_BLOCKED, dashed=True))
        less = sight.rule.sides is SidePolicy.LESS_BLOCKING
        beside = f"along a side: the {'less' if less else 'more'} blocking cell counts"
        yield from TraceLayer(sight.trace, beside).entries(view)
        for finding in sight.obstacles:
            yield Entry(_told(sight, finding), _sample_cross)
        for nth, finding in enumerate(sight.hindrances, 1):
            yield Entry(_told(sight, finding), partial(_sample_number, value=nth))

    def captions(self, view: View) -> Iterator[str]:
        """The answer in a line."""
        sight = self.sight
        ends = " to ".join(_named(view, place) for place in (sight.start, sight.end))
        hindrance = f", hindrance {sight.hindrance}" if sight.hindrance else ""
        seen = "blocked" if sight.blocked else f"clear{hindrance}"
        yield f"{ends}, range {sight.range}: {seen}"


@dataclass(frozen=True, slots=True)
class FireLayer:
    """What a viewer sees: cells in sight stay light, the others lie in shadow."""

    viewer: Hashable
    visible: Container[Hashable]
    hindrance: Mapping[Hashable, int] = field(default_factory=dict)
    note: str = ""

    def under(self, canvas: Canvas, view: View) -> None:
        """Shadow and light."""
        hatch = _shadow(canvas, view.unit)
        for cell in view.terrain.cells():
            if cell not in self.visible and cell != self.viewer:
                canvas.polygon(view.corners(cell), fill=_SHADOW, fill_opacity=0.42)
                canvas.polygon(view.corners(cell), fill=hatch)
            elif cell != self.viewer:
                canvas.polygon(view.corners(cell), fill="#fff2a0", fill_opacity=0.22)

    def over(self, canvas: Canvas, view: View) -> None:
        """The edge of sight, the hindrance where there is some, a ring around the viewer."""
        shade = [c for c in view.terrain.cells() if c not in self.visible and c != self.viewer]
        around = set(view.border(view.terrain.cells()))  # the edge of the map is no edge of sight
        edges = [edge for edge in view.border(shade) if edge not in around]
        outline(canvas, edges, "#5b3d00", 0.07 * view.unit)
        for cell, amount in self.hindrance.items():
            if amount and cell in self.visible:
                x, y = view.centre(cell)
                _number(canvas, (x, y + 0.08 * view.unit), amount, view.unit, f"hindrance {amount}")
        canvas.polygon(
            _inset(view, self.viewer), f"seen from {view.terrain.name(self.viewer)}",
            fill="none", stroke=_BLOCKED, stroke_width=0.09 * view.unit, stroke_linejoin="round",
        )  # fmt: skip

    def entries(self, view: View) -> Iterator[Entry]:
        """Light and shadow."""

        def light(canvas: Canvas, at: Point, wide: float) -> None:
            canvas.rectangle(at, wide, wide * 0.7, fill="#fff6c4", stroke="#8a5a00")

        def shadow(canvas: Canvas, at: Point, wide: float) -> None:
            canvas.rectangle(at, wide, wide * 0.7, fill=_SHADOW, fill_opacity=0.42)
            canvas.rectangle(at, wide, wide * 0.7, fill=_shadow(canvas, view.unit))

        yield Entry("in sight", light)
        yield Entry("out of sight", shadow)
        if any(amount and cell in self.visible for cell, amount in self.hindrance.items()):
            yield Entry("in sight through so much hindrance", partial(_sample_number, value=1))

    def captions(self, view: View) -> Iterator[str]:
        """From where, and how much is seen."""
        cells = list(view.terrain.cells())
        seen = sum(1 for cell in cells if cell in self.visible and cell != self.viewer)
        text = f"from {view.terrain.name(self.viewer)}: {seen} of {len(cells) - 1} cells in sight"
        yield f"{text}, {self.note}" if self.note else text


def _named(view: View, place: Hashable) -> str:
    return place if isinstance(place, str) else view.terrain.describe(place)


def _told(sight: Sight, finding: Obstruction) -> str:
    place = sight.place(finding)
    is_shape = isinstance(finding.place, str)
    told = f"{place} ({finding.terrain})" if is_shape else f"{finding.terrain} at {place}"
    return f"{told}: +{finding.value}" if finding.value else told


def _share(trace: Trace, finding: Obstruction) -> Fraction:
    """Where on the line a finding is: the middle of its stretch."""
    place = finding.place
    stretches: dict[Hashable, tuple[Fraction, Fraction]] = {}
    for piece in trace.pieces:
        if isinstance(piece, CellSpan):
            stretches[piece.cell] = (piece.start, piece.end)
        elif isinstance(piece, SideRun):
            stretches[piece.side] = (piece.start, piece.end)
            for cell in piece.cells:
                stretches.setdefault(cell, (piece.start, piece.end))
        elif isinstance(piece, SideCross):
            stretches[piece.side] = (piece.at, piece.at)
        else:
            stretches[piece.vertex] = (piece.at, piece.at)
    for shape, contact in trace.contacts:
        stretches.setdefault(shape, (contact.start, contact.end))
    start, end = stretches.get(place, (Fraction(0), Fraction(1)))
    return (start + end) / 2


def _inset(view: View, cell: Hashable) -> list[Point]:
    x, y = view.centre(cell)
    return [(x + (cx - x) * 0.93, y + (cy - y) * 0.93) for cx, cy in view.corners(cell)]


def _middle(at: Point, wide: float) -> Point:
    return at[0] + wide / 2, at[1] + wide * 0.35


def _stretch(
    canvas: Canvas, start: Point, end: Point, colour: str, unit: float, *, dashed: bool = False
) -> None:
    for wide, ink in ((0.15, "#ffffff"), (0.085, colour)):
        canvas.polyline(
            (start, end), stroke=ink, stroke_width=wide * unit,
            stroke_dasharray=f"{0.2 * unit:.2f} {0.13 * unit:.2f}" if dashed else None,
        )  # fmt: skip


def _cross(canvas: Canvas, at: Point, unit: float, title: str) -> None:
    x, y = at
    arm = 0.17 * unit
    canvas.circle(at, 0.27 * unit, title, fill="#ffffff", stroke=_BLOCKED, stroke_width=0.07 * unit)
    for dy in (arm, -arm):
        canvas.polyline(
            ((x - arm, y - dy), (x + arm, y + dy)), stroke=_BLOCKED, stroke_width=0.09 * unit
        )


def _number(canvas: Canvas, at: Point, value: int, unit: float, title: str) -> None:
    canvas.circle(at, 0.2 * unit, title, fill=_HINDERED, stroke="#ffffff", stroke_width=0.04 * unit)
    canvas.write(str(value), (at[0], at[1] + 0.1 * unit), 0.2 * unit, colour="#ffffff", weight=1.4)


def _sample_cross(canvas: Canvas, at: Point, wide: float) -> None:
    _cross(canvas, _middle(at, wide), wide * 1.1, "")


def _sample_number(canvas: Canvas, at: Point, wide: float, *, value: int) -> None:
    _number(canvas, _middle(at, wide), value, wide * 1.5, "")


def _sample_line(colour: str, *, dashed: bool = False, wide: float = 0.13) -> Sample:
    def sample(canvas: Canvas, at: Point, across: float) -> None:
        y = at[1] + across * 0.35
        canvas.polyline(
            ((at[0], y), (at[0] + across, y)), stroke=colour, stroke_width=wide * across,
            stroke_dasharray=f"{0.2 * across:.2f} {0.13 * across:.2f}" if dashed else None,
            stroke_opacity=0.5 if wide > 0.2 else None,
        )  # fmt: skip

    return sample


def _shadow(canvas: Canvas, unit: float) -> str:
    step = 0.16 * unit
    return canvas.define(
        "shadow",
        f'<pattern id="shadow" width="{step:.2f}" height="{step:.2f}"'
        ' patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">'
        f'<line x1="0" y1="0" x2="0" y2="{step:.2f}" stroke="{_SHADOW}"'
        f' stroke-width="{0.05 * unit:.2f}" stroke-opacity="0.4"/></pattern>',
    )
