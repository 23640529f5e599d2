"""Sight to look at: a line with what it crosses and why, a field of view, as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.terrain import sight
from hexmarshal.geometry.svg.picture import Entry, Layer, Picture
from hexmarshal.geometry.svg.sight_layers import FireLayer
from hexmarshal.geometry.svg.units import Unit

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from hexmarshal.games.conflict_of_heroes.rules.terrain.sight import Crossing, Line
    from hexmarshal.games.conflict_of_heroes.state.board import Board
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.geometry.svg.canvas import Canvas, Point
    from hexmarshal.geometry.svg.view import View

__all__ = ["field_picture", "line_picture"]

COLOURS = {"clear": "#1f7a3d", "hinders": "#d9822b", "blocks": "#c0271d"}
ARMS = {
    **dict.fromkeys(("tank", "car"), "armour"),
    **dict.fromkeys(("gun", "mortar", "spg"), "artillery"),
    **dict.fromkeys(("truck", "wagon"), "supply"),
    "apc": "mechanised",
}


def line_picture(now: Situation, start: str, end: str) -> Picture:
    """A line of sight over the board: each hex that it crosses is numbered and explained."""
    smoke = sight.smoke_of(now.position, now.board)
    line = sight.line(now.board, smoke, start, end)
    wall = start != end and sight.crosses_wall(now.board, start, end)
    return _picture(now, ShotLayer(now.board, line, wall=wall))


def field_picture(now: Situation, cell: str) -> Picture:
    """What a hex sees: the rest lies in shadow, and smoke on the way is written in."""
    hexes = now.board.hexes
    smoke = sight.smoke_of(now.position, now.board)
    found = sight.field_of_view(now.board, smoke, cell)
    seen: dict[Hashable, int] = {hexes[c]: n for c, n in found.items()}
    return _picture(now, FireLayer(hexes[cell], seen, seen))


def _picture(now: Situation, layer: Layer) -> Picture:
    smoke = {c: n for c in now.board.hexes if (n := now.smoke(c))}
    layers = (SmokeLayer(now.board, smoke), layer) if smoke else (layer,)
    units = tuple(
        Unit(
            now.board.hexes[unit.cell],
            "grey" if unit.side.startswith("german") else "red",
            unit.id,
            ARMS.get(now.counter(unit).kind, "infantry"),
        )
        for unit in now.position.units.values()
        if unit.cell
    )
    return Picture(now.board.map, layers, units, now.board.title)


@dataclass(frozen=True, slots=True)
class ShotLayer:
    """A line, green as far as it sees and red behind, with the hexes that it crosses."""

    board: Board
    line: Line
    wall: bool = False

    def under(self, canvas: Canvas, view: View) -> None:
        """Each hex crossed in the colour of what it does."""
        for crossing in self.line.crossings:
            for cell in self._hexes(crossing):
                canvas.polygon(
                    view.corners(cell), fill=COLOURS[crossing.effect], fill_opacity=0.3
                )  # fmt: skip

    def over(self, canvas: Canvas, view: View) -> None:
        """The line and its numbers."""
        ends = [view.centre(self.board.hexes[c]) for c in (self.line.start, self.line.end)]
        stop = self._stop(view, ends)
        for (one, other), colour, dashed in (
            ((ends[0], stop), COLOURS["clear"], False),
            ((stop, ends[1]), COLOURS["blocks"], True),
        ):
            if one != other:
                _stroke(canvas, one, other, colour, view.unit, dashed=dashed)
        for end in ends:
            canvas.circle(end, 0.1 * view.unit, fill="#ffffff", stroke="#37352f")
        for nth, crossing in enumerate(self.line.crossings, 1):
            if spot := self._middle(view, crossing):
                told = f"{' and '.join(crossing.cells)}: {crossing.text}"
                _number(canvas, spot, nth, COLOURS[crossing.effect], view.unit, told)

    def entries(self, view: View) -> Iterator[Entry]:
        """What the colours mean; only those that are there."""
        del view
        found = {c.effect for c in self.line.crossings}
        for effect, colour in COLOURS.items():
            if effect in found:
                yield Entry(effect, partial(_sample, colour=colour))

    def captions(self, view: View) -> Iterator[str]:
        """The answer, and hex by hex what the line meets, what that does, and by which rule."""
        del view
        line = self.line
        smoke = f", smoke {line.smoke}" if line.smoke else ""
        seen = "blocked" if line.blocked else f"seen{smoke}"
        yield f"{line.start} to {line.end}, range {line.range}: {seen}"
        for nth, crossing in enumerate(line.crossings, 1):
            cells = " and ".join(crossing.cells)
            yield f"{nth}. {cells}: {crossing.text}, {crossing.effect} ({crossing.rule})"
        if self.wall:
            yield f"The shot comes in over a wall of {line.end} (COH-5.0.2a)"

    def _hexes(self, crossing: Crossing) -> Iterator[tuple[int, int]]:
        return (self.board.hexes[c] for c in crossing.cells if c in self.board.hexes)

    def _middle(self, view: View, crossing: Crossing) -> Point | None:
        centres = [view.centre(cell) for cell in self._hexes(crossing)]
        if not centres:
            return None
        xs, ys = zip(*centres, strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)

    def _stop(self, view: View, ends: list[Point]) -> Point:
        """Where the line is stopped: before the first hex that blocks it, else at its end."""
        first = next((c for c in self.line.crossings if c.effect == "blocks"), None)
        spot = self._middle(view, first) if first else None
        if spot is None:
            return ends[1]
        (ax, ay), (bx, by) = ends
        way = (bx - ax, by - ay)
        length = way[0] ** 2 + way[1] ** 2
        share = ((spot[0] - ax) * way[0] + (spot[1] - ay) * way[1]) / length
        return ax + share * way[0], ay + share * way[1]


@dataclass(frozen=True, slots=True)
class SmokeLayer:
    """Smoke with its points."""

    board: Board
    points: Mapping[str, int]

    def under(self, canvas: Canvas, view: View) -> None:
        """A haze over the hex."""
        for cell in self.points:
            canvas.polygon(
                view.corners(self.board.hexes[cell]), fill="#f4f2ec", fill_opacity=0.75
            )  # fmt: skip

    def over(self, canvas: Canvas, view: View) -> None:
        """How thick it is."""
        for cell, points in self.points.items():
            x, y = view.centre(self.board.hexes[cell])
            canvas.write(
                f"smoke +{points}", (x, y - 0.35 * view.unit), 0.19 * view.unit, colour="#4a4842"
            )

    def entries(self, view: View) -> Iterator[Entry]:
        """It names itself."""
        del view
        return iter(())

    def captions(self, view: View) -> Iterator[str]:
        """It names itself."""
        del view
        return iter(())


def _stroke(
    canvas: Canvas, one: Point, other: Point, colour: str, unit: float, *, dashed: bool
) -> None:
    dashes = f"{0.2 * unit:.2f} {0.13 * unit:.2f}" if dashed else None
    for wide, ink in ((0.15, "#ffffff"), (0.085, colour)):
        canvas.polyline(
            (one, other), stroke=ink, stroke_width=wide * unit, stroke_dasharray=dashes
        )  # fmt: skip


def _number(canvas: Canvas, at: Point, value: int, colour: str, unit: float, title: str) -> None:
    canvas.circle(at, 0.2 * unit, title, fill=colour, stroke="#ffffff", stroke_width=0.04 * unit)
    canvas.write(str(value), (at[0], at[1] + 0.1 * unit), 0.2 * unit, colour="#ffffff", weight=1.4)


def _sample(canvas: Canvas, at: Point, wide: float, *, colour: str) -> None:
    canvas.rectangle(at, wide, wide * 0.7, fill=colour, fill_opacity=0.3, stroke=colour)
