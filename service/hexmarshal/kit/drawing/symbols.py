"""Military symbols in their box: what a unit fights with, and how large it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.art import colours

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.games.kharkov.art.ink import Canvas

__all__ = ["BOX", "symbol"]

# The box of the symbol on a counter: left, top, right, bottom.
BOX = (15.0, 13.0, 41.0, 30.0)


def symbol(
    canvas: Canvas, arm: str, size: str = "", *, ink: str = colours.INK, paper: str = colours.SYMBOL
) -> None:
    """Draw the symbol of a type of unit, with its size above the box."""
    left, top, right, bottom = BOX
    canvas.rectangle(
        (left, top), right - left, bottom - top, fill=paper, stroke=ink, stroke_width=1.5
    )
    with canvas.group(fill="none", stroke=ink, stroke_width=1.5, stroke_linecap="round"):
        for draw in _ARMS[arm]:
            draw(canvas, ink)
    if size:
        canvas.write(size, ((left + right) / 2, top - 2.4), 6.2, weight=1.3, colour=ink)


def _cross(canvas: Canvas, _ink: str) -> None:
    left, top, right, bottom = BOX
    canvas.polyline(((left, top), (right, bottom)))
    canvas.polyline(((left, bottom), (right, top)))


def _slash(canvas: Canvas, _ink: str) -> None:
    left, top, right, bottom = BOX
    canvas.polyline(((left, bottom), (right, top)))


def _track(canvas: Canvas, _ink: str) -> None:
    left, top, right, bottom = BOX
    canvas.rectangle((left + 4.5, top + 4.2), right - left - 9, bottom - top - 8.4, rx=4.3, ry=4.3)


def _wheels(canvas: Canvas, ink: str) -> None:
    left, _, right, bottom = BOX
    for x in (left + 6, right - 6):
        canvas.circle((x, bottom + 2.4), 1.9, fill=ink, stroke="none")


def _column(canvas: Canvas, _ink: str) -> None:
    left, top, right, bottom = BOX
    canvas.polyline((((left + right) / 2, top), ((left + right) / 2, bottom)))


def _mountain(canvas: Canvas, ink: str) -> None:
    left, _, right, bottom = BOX
    middle = (left + right) / 2
    canvas.polygon(((middle - 5, bottom), (middle, bottom - 6.5), (middle + 5, bottom)), fill=ink)


def _letter(letters: str) -> Callable[[Canvas, str], None]:
    def draw(canvas: Canvas, ink: str) -> None:
        left, top, right, _ = BOX
        middle = (left + right) / 2
        canvas.circle((middle, top + 8.5), 5.6, fill=colours.SYMBOL, stroke="none")
        canvas.write(letters, (middle, top + 11.8), 6.6, weight=1.5, colour=ink)

    return draw


def _staff(canvas: Canvas, ink: str) -> None:
    left, top, right, bottom = BOX
    canvas.polyline(((left, bottom), (left, bottom + 6.5)), stroke_width=2)
    canvas.write("HQ", ((left + right) / 2, top + 12.8), 8.4, weight=1.5, colour=ink)


def _reserve(canvas: Canvas, ink: str) -> None:
    left, top, right, _ = BOX
    canvas.write("RES", ((left + right) / 2, top + 11.8), 6.6, weight=1.4, colour=ink)


_ARMS: dict[str, tuple[Callable[[Canvas, str], None], ...]] = {
    "infantry": (_cross,),
    "light": (_cross, _letter("L")),
    "mountain": (_cross, _mountain),
    "security": (_cross, _letter("S")),
    "regiment": (_cross,),
    "romanian": (_cross,),
    "panzer": (_track,),
    "panzergrenadier": (_cross, _track),
    "rifle": (_cross,),
    "guards": (_cross, _letter("G")),
    "replacement": (_cross,),
    "cavalry": (_slash,),
    "tank": (_track,),
    "motorised": (_cross, _column, _wheels),
    "hq": (_staff,),
    "reserve": (_reserve,),
}
