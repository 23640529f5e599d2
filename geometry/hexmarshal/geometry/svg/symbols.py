"""Small drawings that tell one terrain from another: trees, houses, reeds, rocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.geometry.svg.canvas import Canvas, Point
    from hexmarshal.geometry.svg.palette import Style

__all__ = ["stamp"]

# Places in a hex whose side is 1, from its centre: they leave the middle to units and numbers.
_AROUND = ((-0.5, 0.12), (0.5, 0.1), (-0.24, -0.34), (0.28, -0.36), (-0.26, 0.5), (0.27, 0.5))
_ROWS = ((-0.46, -0.22), (0.0, -0.34), (0.46, -0.22), (-0.46, 0.34), (0.0, 0.5), (0.46, 0.34))


def stamp(canvas: Canvas, look: Style, centre: Point, unit: float) -> None:
    """Draw a terrain's symbol into a cell whose side is about `unit` long."""
    draw, places = _SYMBOLS[look.symbol]
    with canvas.group(stroke=look.line, stroke_width=0.035 * unit, fill="none",
                      stroke_linecap="round", stroke_linejoin="round"):  # fmt: skip
        for dx, dy in places:
            draw(canvas, look, (centre[0] + dx * unit, centre[1] + dy * unit), unit)


def _tree(canvas: Canvas, look: Style, at: Point, unit: float) -> None:
    x, y = at
    canvas.polyline(((x, y + 0.2 * unit), (x, y + 0.05 * unit)))
    canvas.circle((x, y - 0.03 * unit), 0.13 * unit, fill=look.line, fill_opacity=0.55)


def _bush(canvas: Canvas, look: Style, at: Point, unit: float) -> None:
    canvas.circle(at, 0.1 * unit, fill=look.line, fill_opacity=0.45)


def _house(canvas: Canvas, look: Style, at: Point, unit: float) -> None:
    x, y = at
    half, wall = 0.13 * unit, 0.12 * unit
    canvas.polygon(
        (
            (x - half, y + wall),
            (x - half, y - 0.02 * unit),
            (x, y - 0.15 * unit),
            (x + half, y - 0.02 * unit),
            (x + half, y + wall),
        ),
        fill=look.line,
        fill_opacity=0.65,
    )


def _wave(canvas: Canvas, _look: Style, at: Point, unit: float) -> None:
    x, y = at
    step = 0.09 * unit
    wave = [
        (x + (i - 1.5) * step, y + (0.035 * unit if i % 2 else -0.035 * unit)) for i in range(4)
    ]
    canvas.polyline(wave, stroke_opacity=0.7)


def _reed(canvas: Canvas, _look: Style, at: Point, unit: float) -> None:
    x, y = at
    canvas.polyline(((x - 0.15 * unit, y + 0.07 * unit), (x + 0.15 * unit, y + 0.07 * unit)))
    for lean in (-0.06, 0.0, 0.06):
        canvas.polyline(
            ((x + lean * unit, y + 0.07 * unit), (x + 1.8 * lean * unit, y - 0.1 * unit))
        )


def _tuft(canvas: Canvas, _look: Style, at: Point, unit: float) -> None:
    x, y = at
    for lean in (-0.08, 0.0, 0.08):
        canvas.polyline(((x, y + 0.07 * unit), (x + lean * unit, y - 0.08 * unit)))


def _rock(canvas: Canvas, look: Style, at: Point, unit: float) -> None:
    x, y = at
    canvas.polygon(
        (
            (x - 0.14 * unit, y + 0.09 * unit),
            (x, y - 0.12 * unit),
            (x + 0.14 * unit, y + 0.09 * unit),
        ),
        fill=look.line,
        fill_opacity=0.35,
    )


def _furrow(canvas: Canvas, _look: Style, at: Point, unit: float) -> None:
    x, y = at
    for shift in (-0.08, 0.0, 0.08):
        canvas.polyline(
            (
                (x - 0.12 * unit, y + (shift + 0.03) * unit),
                (x + 0.12 * unit, y + (shift - 0.03) * unit),
            ),
            stroke_opacity=0.8,
        )


def _dot(canvas: Canvas, look: Style, at: Point, unit: float) -> None:
    canvas.circle(at, 0.035 * unit, fill=look.line, stroke="none")


_Symbol = tuple["Callable[[Canvas, Style, Point, float], None]", tuple[tuple[float, float], ...]]
_SYMBOLS: dict[str, _Symbol] = {
    "trees": (_tree, _AROUND),
    "orchard": (_bush, _ROWS),
    "houses": (_house, ((-0.48, 0.14), (0.48, 0.1), (-0.24, -0.3), (0.28, -0.34), (0.02, 0.54))),
    "waves": (_wave, _ROWS),
    "reeds": (_reed, _AROUND),
    "tufts": (_tuft, _AROUND),
    "rocks": (_rock, _AROUND),
    "furrows": (_furrow, _ROWS),
    "dots": (_dot, (*_ROWS, *_AROUND)),
}
