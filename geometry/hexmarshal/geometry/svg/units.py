"""Units as simple counters: a box in the side's colour with a symbol of its arm and a label."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.geometry.svg.lettering import width
from hexmarshal.geometry.svg.palette import side_colour

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from hexmarshal.geometry.svg.canvas import Canvas, Point
    from hexmarshal.geometry.svg.view import View

__all__ = ["ARMS", "Unit", "draw_units"]


@dataclass(frozen=True, slots=True)
class Unit:
    """What is to be drawn of a unit; `arm` is one of `ARMS` or empty.

    `heading` is where it faces, in degrees clockwise from the top of the map.
    """

    cell: Hashable
    side: str = "blue"
    label: str = ""
    arm: str = "infantry"
    heading: float | None = None


def draw_units(canvas: Canvas, view: View, units: tuple[Unit, ...]) -> None:
    """Counters in the middle of their cells; several in one cell make a stack."""
    heights: dict[Hashable, int] = {}
    for unit in units:
        stacked = heights.get(unit.cell, 0)
        heights[unit.cell] = stacked + 1
        x, y = view.centre(unit.cell)
        shift = 0.09 * view.unit * stacked
        _counter(canvas, unit, (x + shift, y + 0.06 * view.unit - shift), view.unit)


def _counter(canvas: Canvas, unit: Unit, centre: Point, size: float) -> None:
    x, y = centre
    half = 0.46 * size
    colour = side_colour(unit.side)
    dark = int(colour[1:3], 16) * 3 + int(colour[3:5], 16) * 6 + int(colour[5:7], 16) < 1400
    ink = "#ffffff" if dark else "#222222"
    with canvas.group(stroke_linecap="round", stroke_linejoin="round"):
        canvas.rectangle(
            (x - half, y - half), 2 * half, 2 * half,
            rx=0.08 * size, fill=colour, stroke="#26241f", stroke_width=0.035 * size,
        )  # fmt: skip
        wide, high = 0.56 * size, 0.36 * size
        middle = y - 0.12 * size if unit.label else y
        corner = (x - wide / 2, middle - high / 2)
        canvas.rectangle(
            corner, wide, high, fill="#f8f5ea", stroke="#26241f", stroke_width=0.03 * size
        )
        with canvas.group(stroke="#26241f", stroke_width=0.035 * size, fill="none"):
            ARMS.get(unit.arm, _plain)(canvas, (x, middle), wide, high)
    if unit.heading is not None:
        _arrow(canvas, centre, size, unit.heading)
    if unit.label:
        fits = min(0.22 * size, 0.22 * size * 1.7 * half / max(width(unit.label, 0.22 * size), 1))
        canvas.write(unit.label, (x, y + 0.37 * size), fits, colour=ink, weight=1.3)


def _arrow(canvas: Canvas, centre: Point, size: float, heading: float) -> None:
    """A tip at the rim of the counter that points where the unit faces."""
    turn = math.radians(heading)
    along, aside = (math.sin(turn), -math.cos(turn)), (math.cos(turn), math.sin(turn))

    def at(far: float, wide: float) -> Point:
        return (
            centre[0] + size * (far * along[0] + wide * aside[0]),
            centre[1] + size * (far * along[1] + wide * aside[1]),
        )

    tip, foot = (0.74, 0.46) if round(heading) % 90 == 0 else (0.84, 0.56)
    corners = (at(tip, 0), at(foot, 0.17), at(foot, -0.17))
    canvas.polygon(corners, fill="#ffd23c", stroke="#26241f", stroke_width=0.03 * size)


def _plain(_canvas: Canvas, _at: Point, _wide: float, _high: float) -> None:
    """No symbol."""


def _infantry(canvas: Canvas, at: Point, wide: float, high: float) -> None:
    (x, y), w, h = at, wide / 2, high / 2
    canvas.polyline(((x - w, y - h), (x + w, y + h)))
    canvas.polyline(((x - w, y + h), (x + w, y - h)))


def _cavalry(canvas: Canvas, at: Point, wide: float, high: float) -> None:
    (x, y), w, h = at, wide / 2, high / 2
    canvas.polyline(((x - w, y + h), (x + w, y - h)))


def _armour(canvas: Canvas, at: Point, wide: float, high: float) -> None:
    x, y = at
    canvas.rectangle((x - 0.34 * wide, y - 0.26 * high), 0.68 * wide, 0.52 * high, rx=0.26 * high)


def _mechanised(canvas: Canvas, at: Point, wide: float, high: float) -> None:
    _infantry(canvas, at, wide, high)
    _armour(canvas, at, wide, high)


def _artillery(canvas: Canvas, at: Point, _wide: float, high: float) -> None:
    canvas.circle(at, 0.17 * high, fill="#26241f")


def _headquarters(canvas: Canvas, at: Point, _wide: float, high: float) -> None:
    canvas.write("HQ", (at[0], at[1] + 0.27 * high), 0.54 * high, weight=1.3)


def _supply(canvas: Canvas, at: Point, wide: float, high: float) -> None:
    (x, y), w = at, wide / 2
    canvas.polyline(((x - w, y + 0.22 * high), (x + w, y + 0.22 * high)))


ARMS: dict[str, Callable[[Canvas, Point, float, float], None]] = {
    "infantry": _infantry,
    "cavalry": _cavalry,
    "armour": _armour,
    "mechanised": _mechanised,
    "artillery": _artillery,
    "hq": _headquarters,
    "supply": _supply,
}
