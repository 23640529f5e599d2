"""Markers: signs that lie on units, and pieces that lie on hexes and tracks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.art import colours
from hexmarshal.games.kharkov.art.faces import SIZE
from hexmarshal.games.kharkov.art.ink import Canvas

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MARKERS", "SIGNS"]

_MIDDLE = SIZE / 2
_PLANE = (
    "M28 12L31 23L48 30V34L31 31.5L30 41L35 45V47.5L28 46L21 47.5V45L26 41L25 31.5L8 34V30L25 23Z"
)
_PARACHUTE = "M12 24A16 16 0 0 1 44 24Q40 21 36 24Q32 21 28 24Q24 21 20 24Q16 21 12 24Z"


def _done(canvas: Canvas) -> str:
    return canvas.render((0, 0, SIZE, SIZE))


def _band(text: str, fill: str) -> str:
    """A band across the middle of a unit, over its symbol."""
    canvas = Canvas(native_text=False)
    canvas.rectangle(
        (1, 15), SIZE - 2, 13, fill=fill, fill_opacity=0.93, stroke=colours.INK, stroke_width=1
    )
    canvas.write(text, (_MIDDLE, 24.6), 6.2, weight=1.5, colour=colours.PAPER)
    return _done(canvas)


def _badge(text: str, fill: str, at: tuple[float, float], ink: str = colours.PAPER) -> str:
    """A small disc in a corner of a unit."""
    canvas = Canvas(native_text=False)
    canvas.circle(at, 7.2, fill=fill, stroke=colours.PAPER, stroke_width=1.4)
    canvas.write(text, (at[0], at[1] + 3.3), 6.6, weight=1.6, colour=ink)
    return _done(canvas)


def _moved() -> str:
    canvas = Canvas(native_text=False)
    canvas.circle((48.5, 7.5), 7.2, fill="#e8b820", stroke=colours.INK, stroke_width=1.2)
    canvas.polyline(
        ((44.5, 7.5), (52, 7.5), (49, 4.6), (52, 7.5), (49, 10.4)),
        stroke=colours.INK, stroke_width=1.8, stroke_linejoin="round", stroke_linecap="round",
    )  # fmt: skip
    return _done(canvas)


def _strongpoint() -> str:
    canvas = Canvas(native_text=False)
    canvas.rectangle(
        (2.5, 2.5), SIZE - 5, SIZE - 5, rx=5, fill="none", stroke="#5b3f22", stroke_width=4.5
    )
    with canvas.group(stroke="#5b3f22", stroke_width=2.2):
        for k in range(6):
            for one, other in (
                ((5 + 9.2 * k, 0.5), (5 + 9.2 * k, 6)),
                ((5 + 9.2 * k, SIZE - 6), (5 + 9.2 * k, SIZE - 0.5)),
                ((0.5, 5 + 9.2 * k), (6, 5 + 9.2 * k)),
                ((SIZE - 6, 5 + 9.2 * k), (SIZE - 0.5, 5 + 9.2 * k)),
            ):
                canvas.polyline((one, other))
    return _done(canvas)


def _plate(fill: str, *lines: tuple[str, float, float], ink: str = colours.PAPER) -> Canvas:
    """A square piece with lines of text: the text, its baseline and its size."""
    canvas = Canvas(native_text=False)
    canvas.rectangle(
        (1, 1), SIZE - 2, SIZE - 2, rx=6, fill=fill, stroke=colours.INK, stroke_width=1.6
    )
    for text, y, size in lines:
        canvas.write(text, (_MIDDLE, y), size, weight=1.4, colour=ink)
    return canvas


def _air(fill: str, ink: str) -> str:
    canvas = _plate(fill)
    canvas.element("path", d=_PLANE, fill=ink)
    return _done(canvas)


def _air_supply() -> str:
    canvas = _plate("#d8e6ee", ("AIR SUPPLY", 51, 5.4), ink=colours.INK)
    with canvas.group(fill="none", stroke=colours.INK, stroke_width=1.4):
        canvas.element(
            "path",
            d="M12 24A16 16 0 0 1 44 24Q40 21 36 24Q32 21 28 24Q24 21 20 24Q16 21 12 24Z",
            fill="#f7f1de",
        )
        for x in (12, 20, 28, 36, 44):
            canvas.polyline(((x, 24), (28, 36)))
        canvas.rectangle((24, 35), 8, 8, fill="#8a6a3c")
    return _done(canvas)


def _garrison_destroyed() -> str:
    canvas = _plate("#5e5752", ("GARRISON", 11.5, 5.8), ("DESTROYED", 51, 5.4))
    with canvas.group(fill="none", stroke="#f0a030", stroke_width=3, stroke_linecap="round"):
        canvas.polyline(((18, 18), (38, 42)))
        canvas.polyline(((38, 18), (18, 42)))
    return _done(canvas)


def _points(fill: str, whose: str, times: str) -> Callable[[], str]:
    return lambda: _done(_plate(fill, (whose, 14, 7.0), ("VP", 33, 13), (times, 49, 10)))


def _flag(fill: str, *words: str) -> Callable[[], str]:
    lines = [(word, 24 + 13.0 * i, min(8.5, 50 / len(word))) for i, word in enumerate(words)]
    return lambda: _done(_plate(fill, *lines))


_AXIS, _SOVIET = "#4f5d50", "#a8312c"

# Signs that lie over a unit, as layers of its counter.
SIGNS: dict[str, Callable[[], str]] = {
    "moved": _moved,
    "disrupted": lambda: _band("DISRUPTED", "#b5341f"),
    "displaced": lambda: _band("DISPLACED", "#2c4a6e"),
    "unsupplied": lambda: _badge("S", "#8c2f6b", (7.5, 7.5)),
    "strongpoint": _strongpoint,
}
# Pieces of their own.
MARKERS: dict[str, Callable[[], str]] = {
    "game-turn": _flag("#2c4a6e", "GAME", "TURN"),
    "air-axis": lambda: _air(_AXIS, colours.PAPER),
    "air-soviet": lambda: _air(_SOVIET, colours.PAPER),
    "air-supply": _air_supply,
    "vp-axis-1": _points(_AXIS, "AXIS", "x1"),
    "vp-axis-10": _points(_AXIS, "AXIS", "x10"),
    "vp-soviet-1": _points(_SOVIET, "SOVIET", "x1"),
    "vp-soviet-10": _points(_SOVIET, "SOVIET", "x10"),
    "garrison-destroyed": _garrison_destroyed,
    "held-axis": _flag(_AXIS, "AXIS", "HELD"),
    "held-soviet": _flag(_SOVIET, "SOVIET", "HELD"),
    "south-active": _flag("#2f7a3a", "SOUTH", "ACTIVE"),
}
