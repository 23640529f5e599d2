"""Military symbols in their box: what a unit fights with, and how large it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import UsageError
from hexmarshal.kit.drawing.canvas import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.kit.drawing.canvas import Canvas, Point

__all__ = ["ARMS", "ECHELONS", "MARKS", "symbol"]

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

ARMS: Final = {
    "infantry": "cross",
    "light": "cross+L",
    "mountain": "cross+peak",
    "airborne": "cross+wings",
    "motorised": "cross+column+wheels",
    "mechanised": "cross+oval",
    "armour": "oval",
    "cavalry": "slash",
    "recon": "slash",
    "artillery": "dot",
    "rocket": "dot+roof",
    "self_propelled": "dot+oval",
    "antitank": "tent",
    "antiaircraft": "dome",
    "engineers": "bridge",
    "machine_gun": "arrow",
    "mortar": "ring+arrow",
    "security": "cross+S",
    "supply": "bar",
    "signals": "bolt",
    "medical": "plus",
    "air": "propeller",
    "hq": "staff+HQ",
}
"""Arms by name, each the marks that make its symbol."""
ECHELONS: Final = {
    "team": "o",
    "squad": "oo",
    "section": "oo",
    "platoon": "ooo",
    "company": "I",
    "battalion": "II",
    "regiment": "III",
    "brigade": "X",
    "division": "XX",
    "corps": "XXX",
    "army": "XXXX",
}
"""What stands above the box for the size of a unit; `o` is a dot."""
_WIDE: Final = 26.0
_LONGEST: Final = 4


@dataclass(frozen=True, slots=True)
class _Pen:
    """Where and with what marks are drawn; `k` pixels are one of a box 26 wide."""

    canvas: Canvas
    box: Box
    ink: str
    paper: str

    @property
    def k(self) -> float:
        return (self.box[2] - self.box[0]) / _WIDE

    @property
    def middle(self) -> Point:
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2


def symbol(
    canvas: Canvas, arm: str, box: Box, *, size: str = "", ink: str = "#221f1b", paper: str = "none"
) -> None:
    """Draw the symbol of an arm into a box, with its size above.

    An arm is one of `ARMS`, or marks joined by `+`: those of `MARKS`, and up to four letters.
    """
    left, top, right, bottom = box
    pen = _Pen(canvas, box, ink, paper)
    line = 1.5 * pen.k
    canvas.rectangle(
        (left, top), right - left, bottom - top, fill=paper, stroke=ink, stroke_width=line
    )
    marks = ARMS.get(arm, arm).split("+")
    with canvas.group(fill="none", stroke=ink, stroke_width=line, stroke_linecap="round"):
        for mark in marks:
            if mark in MARKS:
                MARKS[mark](pen)
            elif mark and len(mark) <= _LONGEST:
                _letters(pen, mark, alone=not any(m in MARKS and m != "staff" for m in marks))
            elif mark:
                known = ", ".join((*ARMS, *MARKS))
                raise UsageError(f"no arm and no mark {mark!r}", hint=f"there are: {known}")
    if size:
        _echelon(pen, ECHELONS.get(size, size))


def _echelon(pen: _Pen, size: str) -> None:
    (x, _), top, k = pen.middle, pen.box[1], pen.k
    if not size.strip("I"):
        for i in range(len(size)):
            bar = x + (i - (len(size) - 1) / 2) * 3.4 * k
            line = ((bar, top - 2.4 * k), (bar, top - 8.6 * k))
            pen.canvas.polyline(line, stroke=pen.ink, stroke_width=1.5 * k)
        return
    if size.strip("o"):
        pen.canvas.write(size, (x, top - 2.4 * k), 6.2 * k, weight=1.3, colour=pen.ink)
        return
    for i in range(len(size)):
        at = x + (i - (len(size) - 1) / 2) * 4.6 * k, top - 4.6 * k
        pen.canvas.circle(at, 1.5 * k, fill=pen.ink)


def _letters(pen: _Pen, text: str, *, alone: bool) -> None:
    (x, y), k = pen.middle, pen.k
    if not alone:
        pen.canvas.circle((x, y), 5.6 * k, fill=pen.paper, stroke="none")
    size = 8.4 if alone and len(text) <= 2 else 6.6
    written(pen.canvas, text, (x, y), size * k, pen.ink)


def _cross(pen: _Pen) -> None:
    left, top, right, bottom = pen.box
    pen.canvas.polyline(((left, top), (right, bottom)))
    pen.canvas.polyline(((left, bottom), (right, top)))


def _slash(pen: _Pen) -> None:
    left, top, right, bottom = pen.box
    pen.canvas.polyline(((left, bottom), (right, top)))


def _oval(pen: _Pen) -> None:
    (left, top, right, bottom), k = pen.box, pen.k
    wide, high = right - left - 9 * k, bottom - top - 8.4 * k
    round_ = 4.3 * k
    pen.canvas.rectangle((left + 4.5 * k, top + 4.2 * k), wide, high, rx=round_, ry=round_)


def _wheels(pen: _Pen) -> None:
    (left, _, right, bottom), k = pen.box, pen.k
    for x in (left + 6 * k, right - 6 * k):
        pen.canvas.circle((x, bottom + 2.4 * k), 1.9 * k, fill=pen.ink, stroke="none")


def _column(pen: _Pen) -> None:
    (x, _), (_, top, _, bottom) = pen.middle, pen.box
    pen.canvas.polyline(((x, top), (x, bottom)))


def _peak(pen: _Pen) -> None:
    (x, _), bottom, k = pen.middle, pen.box[3], pen.k
    corners = ((x - 5 * k, bottom), (x, bottom - 6.5 * k), (x + 5 * k, bottom))
    pen.canvas.polygon(corners, fill=pen.ink)


def _wings(pen: _Pen) -> None:
    (x, _), bottom, k = pen.middle, pen.box[3], pen.k
    arc = f"a{3.2 * k:.2f} {3.2 * k:.2f} 0 0 1 {6 * k:.2f} 0"
    pen.canvas.element("path", d=f"M{x - 6 * k:.2f} {bottom - 1 * k:.2f}{arc}{arc}")


def _dot(pen: _Pen) -> None:
    pen.canvas.circle(pen.middle, 2.9 * pen.k, fill=pen.ink, stroke="none")


def _roof(pen: _Pen) -> None:
    (x, y), k = pen.middle, pen.k
    for lift in (4.2, 6.4):
        corners = ((x - 4 * k, y - (lift - 2.2) * k), (x, y - lift * k))
        pen.canvas.polyline((*corners, (x + 4 * k, y - (lift - 2.2) * k)))


def _tent(pen: _Pen) -> None:
    (x, _), (left, top, right, bottom) = pen.middle, pen.box
    pen.canvas.polyline(((left, bottom), (x, top), (right, bottom)))


def _dome(pen: _Pen) -> None:
    (left, top, right, bottom) = pen.box
    rx, ry = (right - left) / 2, (bottom - top) * 0.8
    d = f"M{left:.2f} {bottom:.2f}A{rx:.2f} {ry:.2f} 0 0 1 {right:.2f} {bottom:.2f}"
    pen.canvas.element("path", d=d)


def _bridge(pen: _Pen) -> None:
    (x, y), k = pen.middle, pen.k
    pen.canvas.polyline(((x - 7 * k, y - 3 * k), (x + 7 * k, y - 3 * k)))
    for dx in (-7, 0, 7):
        pen.canvas.polyline(((x + dx * k, y - 3 * k), (x + dx * k, y + 4 * k)))


def _arrow(pen: _Pen) -> None:
    (x, y), k = pen.middle, pen.k
    pen.canvas.polyline(((x, y + 5 * k), (x, y - 5 * k)))
    pen.canvas.polyline(((x - 2.6 * k, y - 2.4 * k), (x, y - 5 * k), (x + 2.6 * k, y - 2.4 * k)))


def _ring(pen: _Pen) -> None:
    (x, y), k = pen.middle, pen.k
    pen.canvas.circle((x, y + 4.2 * k), 2 * k, fill=pen.paper)


def _bar(pen: _Pen) -> None:
    (left, _, right, bottom), k = pen.box, pen.k
    pen.canvas.polyline(((left, bottom - 4.6 * k), (right, bottom - 4.6 * k)))


def _bolt(pen: _Pen) -> None:
    (x, y), (left, top, right, bottom), k = pen.middle, pen.box, pen.k
    corners = ((left, top), (x + 2 * k, y + 2 * k), (x - 2 * k, y - 2 * k), (right, bottom))
    pen.canvas.polyline(corners)


def _plus(pen: _Pen) -> None:
    (x, y), (left, top, right, bottom) = pen.middle, pen.box
    pen.canvas.polyline(((x, top), (x, bottom)))
    pen.canvas.polyline(((left, y), (right, y)))


def _propeller(pen: _Pen) -> None:
    (x, y), k = pen.middle, pen.k
    for turn in (0, math.pi):
        dx = math.cos(turn) * 8 * k
        d = (
            f"M{x:.2f} {y:.2f}C{x + dx * 0.4:.2f} {y - 6 * k:.2f} {x + dx:.2f} {y - 5 * k:.2f} "
            f"{x + dx:.2f} {y:.2f}C{x + dx:.2f} {y + 5 * k:.2f} {x + dx * 0.4:.2f} {y + 6 * k:.2f} "
            f"{x:.2f} {y:.2f}Z"
        )
        pen.canvas.element("path", d=d)


def _staff(pen: _Pen) -> None:
    (left, _, _, bottom), k = pen.box, pen.k
    pen.canvas.polyline(((left, bottom), (left, bottom + 6.5 * k)), stroke_width=2 * k)


MARKS: Final[dict[str, Callable[[_Pen], None]]] = {
    "cross": _cross,
    "slash": _slash,
    "oval": _oval,
    "wheels": _wheels,
    "column": _column,
    "peak": _peak,
    "wings": _wings,
    "dot": _dot,
    "roof": _roof,
    "tent": _tent,
    "dome": _dome,
    "bridge": _bridge,
    "arrow": _arrow,
    "ring": _ring,
    "bar": _bar,
    "bolt": _bolt,
    "plus": _plus,
    "propeller": _propeller,
    "staff": _staff,
}
"""What symbols are made of."""
