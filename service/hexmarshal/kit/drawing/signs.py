"""Parts that counters, markers, cards and charts share: card, plates for numbers, signs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from hexmarshal.geometry.svg.canvas import Canvas
from hexmarshal.geometry.svg.lettering import width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.geometry.svg.canvas import Point

__all__ = [
    "BLUE",
    "CLASSES",
    "GREEN",
    "INK",
    "PAPER",
    "RED",
    "SIDES",
    "blank",
    "burst",
    "card",
    "cross",
    "fitted",
    "flame",
    "lines_of",
    "plate",
    "puff",
    "shield",
    "star",
    "written",
]

RED: Final = "#b3261e"
BLUE: Final = "#1f4e9c"
GREEN: Final = "#2f7a34"
INK: Final = "#1d1b16"
PAPER: Final = "#f7f2e2"
CLASSES: Final = {"foot": RED, "tracked": BLUE, "wheeled": GREEN}
# The card of each side: lit, plain and shaded.
SIDES: Final = {
    "german": ("#b4bbb0", "#9ba598", "#6b7468"),
    "soviet": ("#dfc28c", "#cda96a", "#92713a"),
    "": ("#e6dfca", "#d3c9ab", "#93886a"),
}


def blank(canvas: Canvas, size: float, side: str, *, radius: float = 6) -> None:
    """The card of a counter: lit above, shaded below, in the colour of a side."""
    lit, plain, shaded = SIDES[side]
    fill = canvas.define(
        f"card-{side}",
        f'<linearGradient id="card-{side}" x1="0" y1="0" x2="0.4" y2="1">'
        f'<stop offset="0" stop-color="{lit}"/><stop offset="1" stop-color="{plain}"/>'
        "</linearGradient>",
    )
    canvas.rectangle(
        (0.8, 0.8), size - 1.6, size - 1.6, rx=radius, fill=fill, stroke="#2a2820", stroke_width=1.6
    )
    canvas.rectangle(
        (2.2, 2.2), size - 4.4, size - 4.4, rx=radius - 1.4, fill="none", stroke=shaded,
        stroke_width=0.8, stroke_opacity=0.7,
    )  # fmt: skip


def written(
    canvas: Canvas, text: str, at: Point, size: float, colour: str, *, weight: float = 1.5
) -> None:
    """A text centred on a point in both directions."""
    canvas.write(text, (at[0], at[1] + size / 2), size, colour=colour, weight=weight)


def plate(
    canvas: Canvas,
    text: str,
    at: Point,
    *,
    fill: str,
    colour: str,
    border: str,
    wide: float = 15,
    high: float = 12.4,
    size: float = 8.4,
) -> None:
    """A number on a plate, centred on a point."""
    x, y = at
    canvas.rectangle(
        (x - wide / 2, y - high / 2), wide, high, rx=2.6, fill=fill, stroke=border, stroke_width=1.2
    )
    written(canvas, text, at, fitted(text, size, wide - 3.4), colour, weight=1.55)


def fitted(text: str, size: float, wide: float) -> float:
    """The size at which a text is no wider than that, at most the size wished for."""
    natural = width(text, size)
    return size if natural <= wide else size * wide / natural


def shield(
    canvas: Canvas, text: str, at: Point, *, fill: str, colour: str, border: str, wide: float = 17
) -> None:
    """A number on a shield: the front of a unit."""
    x, y = at
    a = wide / 2
    d = f"M{x - a} {y - 7}h{wide}v7.2q0 4.6 {-a} 7.4q{-a} -2.8 {-a} -7.4z"
    canvas.element("path", d=d, fill=fill, stroke=border, stroke_width=1.2)
    written(canvas, text, (x, y - 1), 8.2, colour, weight=1.55)


def star(at: Point, radius: float, *, points: int = 5, depth: float = 0.48) -> list[Point]:
    """The corners of a star with a point at the top."""
    x, y = at
    corners = []
    for i in range(2 * points):
        r = radius if i % 2 == 0 else radius * depth
        a = math.pi * i / points
        corners.append((x + r * math.sin(a), y - r * math.cos(a)))
    return corners


def cross(at: Point, reach: float, arm: float) -> list[Point]:
    """The corners of a straight cross."""
    x, y = at
    a, r = arm / 2, reach
    quarter = [(-a, -r), (a, -r), (a, -a), (r, -a), (r, a), (a, a), (a, r), (-a, r)]
    quarter += [(-a, a), (-r, a), (-r, -a), (-a, -a)]
    return [(x + dx, y + dy) for dx, dy in quarter]


def burst(canvas: Canvas, at: Point, radius: float) -> None:
    """High explosive."""
    canvas.polygon(
        star(at, radius, points=9, depth=0.55), fill="#f2a51f", stroke="#7a3a08", stroke_width=0.6
    )


def flame(canvas: Canvas, at: Point, size: float) -> None:
    """A flamethrower."""
    x, y = at
    d = (
        "M0 5C-4 5 -5 1 -3 -1.6C-2.6 0 -1.6 .4 -1.2 -.6"
        "C-1.8 -3 .2 -5 1.2 -6C1 -4 3.4 -2.6 3.8 .6C4 3.4 2.4 5 0 5Z"
    )
    turned = f"translate({x:.1f} {y:.1f}) scale({size / 11:.3f})"
    canvas.element(
        "path", d=d, transform=turned, fill="#e8641b", stroke="#6d2407", stroke_width=0.7
    )


def puff(canvas: Canvas, at: Point, size: float) -> None:
    """Smoke."""
    x, y = at
    for dx, dy, r in ((-0.5, 0.1, 0.42), (0.5, 0.1, 0.42), (0, -0.3, 0.5)):
        canvas.circle(
            (x + dx * size, y + dy * size), r * size, fill="#eceae4", stroke="#5c5a55",
            stroke_width=0.6,
        )  # fmt: skip
    canvas.circle((x, y + 0.1 * size), 0.4 * size, fill="#eceae4")


def card(size: tuple[float, float]) -> tuple[Canvas, tuple[float, float, float, float]]:
    """An empty canvas and its bounds."""
    return Canvas(native_text=False), (0, 0, *size)


def lines_of(text: str, size: float, wide: float) -> Sequence[str]:
    """A text broken at its blanks into lines no wider than that."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size) <= wide:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
