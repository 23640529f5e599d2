"""Signs that counters, markers and cards share: stars, bursts, plates and shields for numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hexmarshal.kit.drawing.canvas import fitted, written

if TYPE_CHECKING:
    from hexmarshal.kit.drawing.canvas import Canvas, Point

__all__ = ["burst", "cross", "flame", "plate", "puff", "shield", "star"]


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
