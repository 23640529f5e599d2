"""Markers: signs that lie over a counter, and pieces of their own for maps and tracks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.kit.drawing.canvas import Drawing, fitted, written
from hexmarshal.kit.drawing.colours import INK, PAPER, Tone, tone
from hexmarshal.kit.drawing.counters import SIZE, blank
from hexmarshal.kit.drawing.signs import star

if TYPE_CHECKING:
    from hexmarshal.kit.drawing.canvas import Point

__all__ = [
    "CORNERS", "PICTURES", "Line", "badge", "band", "coin", "disc", "flag", "frame", "moved",
    "picture", "ramparts", "tag", "tile", "words",
]  # fmt: skip

CORNERS: Final[dict[str, Point]] = {
    "nw": (7.5, 7.5),
    "ne": (48.5, 7.5),
    "sw": (7.5, 48.5),
    "se": (48.5, 48.5),
}
_MIDDLE: Final = SIZE / 2

Line = tuple[str, float, float]
"""A text, its baseline and its size."""

PICTURES: Final = {
    "plane": "M28 12L31 23L48 30V34L31 31.5L30 41L35 45V47.5L28 46L21 47.5V45L26 41L25 31.5L8 34V30L25 23Z",  # noqa: E501
    "anchor": "M26 13a4 4 0 1 1 4 0v3h6v4h-6v18q8-1 10-9l-3 1 5-8 5 8-4-1q-3 14-15 15q-12-1-15-15l-4 1 5-8 5 8-3-1q2 8 10 9V20h-6v-4h6z",  # noqa: E501
    "gun": "M6 34l30-14 3 5-22 11a8 8 0 1 1-8 0z",
    "fuel": "M16 12h18v36H16zM20 16v10h10V16zM36 20l6 6v18h-4V30h-2z",
    "ammo": "M16 46V24q0-8 4-12q4 4 4 12v22zM32 46V24q0-8 4-12q4 4 4 12v22z",
    "fire": "M28 48C14 48 12 34 20 25C21 30 24 32 26 28C23 20 30 13 34 10C33 17 42 22 44 33C45 42 39 48 28 48Z",  # noqa: E501
    "skull": "M28 10a16 15 0 0 1 10 27v7H18v-7a16 15 0 0 1 10-27zM20 24a4 4 0 1 0 .1 0zM36 24a4 4 0 1 0 .1 0zM28 32l3 5h-6z",  # noqa: E501
    "spade": "M26 8h4v20h6v8q0 8-8 14q-8-6-8-14v-8h6z",
    "bolt": "M32 8L16 32h10l-4 18L42 24H30z",
}
"""Pictures for tiles, in the square of a counter."""


def band(text: str, fill: str) -> str:
    """A band across the middle of a unit, over its symbol."""
    canvas = Drawing(SIZE)
    canvas.rectangle(
        (1, 15), SIZE - 2, 13, fill=fill, fill_opacity=0.93, stroke=INK, stroke_width=1
    )
    size = fitted(text, 6.2, SIZE - 5)
    canvas.write(text, (_MIDDLE, 24.6), size, weight=1.5, colour=PAPER)
    return canvas.svg(text)


def tag(text: str, fill: str, y: float = 22) -> str:
    """A small plate with a word across a unit, `y` down; several show beside each other."""
    canvas = Drawing(SIZE)
    canvas.rectangle((5, y), SIZE - 10, 10, rx=3, fill=fill, stroke=PAPER, stroke_width=1)
    written(canvas, text, (_MIDDLE, y + 5), fitted(text, 5.4, SIZE - 16), PAPER)
    return canvas.svg(text)


def badge(text: str, fill: str, corner: str = "nw", *, ink: str = PAPER) -> str:
    """A small disc in a corner of a unit: `nw`, `ne`, `sw` or `se`."""
    at = CORNERS[corner]
    canvas = Drawing(SIZE)
    canvas.circle(at, 7.2, fill=fill, stroke=PAPER, stroke_width=1.4)
    size = fitted(text, 6.6, 11)
    canvas.write(text, (at[0], at[1] + size / 2), size, weight=1.6, colour=ink)
    return canvas.svg(text)


def moved() -> str:
    """The sign on a unit that has moved."""
    canvas = Drawing(SIZE)
    canvas.circle(CORNERS["ne"], 7.2, fill="#e8b820", stroke=INK, stroke_width=1.2)
    canvas.polyline(
        ((44.5, 7.5), (52, 7.5), (49, 4.6), (52, 7.5), (49, 10.4)),
        stroke=INK, stroke_width=1.8, stroke_linejoin="round", stroke_linecap="round",
    )  # fmt: skip
    return canvas.svg("moved")


def frame(colour: str, *, size: float = SIZE) -> str:
    """A bright frame around a unit: the active one, one that is marked."""
    canvas = Drawing(size)
    for pen, wide in (("#3a2c00", 5), (colour, 3)):
        canvas.rectangle(
            (2.5, 2.5), size - 5, size - 5, rx=9, fill="none", stroke=pen, stroke_width=wide
        )
    return canvas.svg()


def ramparts(colour: str = "#5b3f22") -> str:
    """Works around a unit: a strongpoint, an entrenchment."""
    canvas = Drawing(SIZE)
    canvas.rectangle(
        (2.5, 2.5), SIZE - 5, SIZE - 5, rx=5, fill="none", stroke=colour, stroke_width=4.5
    )
    with canvas.group(stroke=colour, stroke_width=2.2):
        for k in range(6):
            at = 5 + 9.2 * k
            for one, other in (
                ((at, 0.5), (at, 6)),
                ((at, SIZE - 6), (at, SIZE - 0.5)),
                ((0.5, at), (6, at)),
                ((SIZE - 6, at), (SIZE - 0.5, at)),
            ):
                canvas.polyline((one, other))
    return canvas.svg()


def tile(fill: str, *lines: Line, ink: str = PAPER) -> Drawing:
    """A square piece with lines of text, to be drawn on further."""
    canvas = Drawing(SIZE)
    canvas.rectangle((1, 1), SIZE - 2, SIZE - 2, rx=6, fill=fill, stroke=INK, stroke_width=1.6)
    for text, y, size in lines:
        canvas.write(text, (_MIDDLE, y), size, weight=1.4, colour=ink)
    return canvas


def words(fill: str, *given: str, ink: str = PAPER) -> str:
    """A square piece with a few words, one below the other."""
    step = 13.0 if len(given) <= 3 else 10.0
    first = 24.0 if len(given) == 2 else 28 - step * (len(given) - 1) / 2 + 4
    lines = [(word, first + step * i, fitted(word, 8.5, SIZE - 8)) for i, word in enumerate(given)]
    return tile(fill, *lines, ink=ink).svg(" ".join(given))


def picture(fill: str, name: str, *, ink: str = PAPER, below: str = "") -> str:
    """A square piece with one of `PICTURES`, and perhaps a word below it."""
    canvas = tile(fill)
    smaller = "translate(5.6 1) scale(0.8)" if below else None
    canvas.element("path", d=PICTURES[name], fill=ink, fill_rule="evenodd", transform=smaller)
    if below:
        written(canvas, below, (_MIDDLE, 48), fitted(below, 6.4, SIZE - 8), ink)
    return canvas.svg(below or name)


def disc(text: str, ground: str | Tone, colour: str = INK, *, size: float = 44) -> str:
    """A marker for a track: a word in a ring, on the card of its side."""
    canvas, k = Drawing(size), size / 44
    blank(canvas, size, ground, radius=8)
    middle = size / 2, size / 2
    canvas.circle(middle, 15.6 * k, fill=PAPER, stroke=colour, stroke_width=2.4)
    written(canvas, text, middle, fitted(text, 9 * k, 22 * k), colour, weight=1.7)
    return canvas.svg(text)


def coin(text: str, ground: str | Tone, *, size: float = 44) -> str:
    """A round token, such as those in a cup."""
    own = tone(ground) if isinstance(ground, str) else ground
    canvas, k = Drawing(size), size / 44
    middle = size / 2, size / 2
    canvas.circle(middle, 20 * k, fill=own.plain, stroke="#2a2820", stroke_width=1.8)
    canvas.circle(middle, 16 * k, fill=own.lit, stroke=own.shaded, stroke_width=1.2)
    written(canvas, text, middle, fitted(text, 16 * k, 25 * k), INK, weight=2)
    return canvas.svg(text)


def flag(field: str, text: str = "", *, emblem: str = "", size: float = 48) -> str:
    """The flag of the side that holds a place; an emblem is the colour of a star."""
    canvas = Drawing(size)
    with canvas.group(transform=f"scale({size / 48:.3f})" if size != 48 else None):
        canvas.element(
            "path", d="M11 45V4", stroke="#2b2417", stroke_width=3, stroke_linecap="round"
        )
        canvas.element(
            "path", d="M12 6q9 -4 16 0t16 0v22q-8 4 -16 0t-16 0z", fill=field, stroke="#2b2417",
            stroke_width=1.6,
        )  # fmt: skip
        if emblem:
            canvas.polygon(star((28, 17), 9), fill=emblem, stroke="#2b2417", stroke_width=0.6)
        if text:
            ink = tone(field).ink
            written(canvas, text, (28, 17), fitted(text, 12, 26), ink, weight=1.8)
    return canvas.svg(text)
