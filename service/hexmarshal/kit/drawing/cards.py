"""Playing cards: a band with kind and title, a picture, a text, what it costs; and their backs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.kit.drawing.canvas import Drawing, fitted, lines_of, written
from hexmarshal.kit.drawing.colours import INK
from hexmarshal.kit.drawing.signs import star

if TYPE_CHECKING:
    from hexmarshal.kit.drawing.canvas import Canvas

__all__ = ["CARD", "CardFace", "card_back", "cost_disc", "emblem"]

CARD: Final = (150, 210)
"""The width and height of a card."""
_WIDE, _HIGH = CARD

Draw = Callable[["Canvas"], None]


@dataclass(frozen=True, slots=True)
class CardFace:
    """What a card shows: its kind in a band of this colour, its title, and what it does.

    `picture` draws into the field in the middle, around (75, 72); `corner` whatever else there is,
    such as the cost, around (17, 194). `number` stands in the other corner.
    """

    kind: str
    title: str
    text: str
    band: str
    number: str = ""
    picture: Draw | None = None
    corner: Draw | None = None

    def svg(self) -> str:
        """The face as a picture."""
        canvas = Drawing(*CARD)
        canvas.rectangle(
            (1, 1), _WIDE - 2, _HIGH - 2, rx=9, fill="#f5eeda", stroke="#2a2418", stroke_width=2
        )
        band = f"M2 10a8 8 0 0 1 8 -8h{_WIDE - 20}a8 8 0 0 1 8 8v30h{4 - _WIDE}z"
        canvas.element("path", d=band, fill=self.band)
        written(canvas, self.kind.upper(), (_WIDE / 2, 11), 4.6, "#e9dfc4", weight=1.2)
        size = fitted(self.title, 9, _WIDE - 16)
        written(canvas, self.title, (_WIDE / 2, 26), size, "#fffaec", weight=1.4)
        canvas.rectangle((8, 46), _WIDE - 16, 52, rx=4, fill="#e7dcbd", stroke="#b7a676")
        (self.picture or emblem(self.band))(canvas)
        _text(canvas, self.text)
        if self.corner is not None:
            self.corner(canvas)
        if self.number:
            at = (_WIDE - 14, _HIGH - 12)
            written(canvas, self.number, at, 6, "#8a7a50", weight=1.3)
        return canvas.svg(self.title)


def _text(canvas: Canvas, text: str) -> None:
    size, pitch = 7.0, 11.8
    lines = lines_of(text, size, _WIDE - 22)
    while len(lines) * pitch > 84 and size > 3.6:
        size, pitch = size - 0.2, pitch - 0.4
        lines = lines_of(text, size, _WIDE - 22)
    for i, line in enumerate(lines):
        canvas.write(line, (11, 112 + i * pitch), size, anchor="start", colour=INK, weight=1.1)


def emblem(colour: str, points: int = 5, *, rim: str = "#f7f1de") -> Draw:
    """A star of so many points in the middle of the card."""

    def draw(canvas: Canvas) -> None:
        at = _WIDE / 2, 72.0
        outer = star(at, 23, points=points, depth=0.55)
        canvas.polygon(outer, fill=colour, fill_opacity=0.25)
        inner = star(at, 17, points=points, depth=0.5)
        canvas.polygon(inner, fill=colour, stroke=rim, stroke_width=1.4)

    return draw


def cost_disc(text: str, *colours: str) -> Draw:
    """What a card costs, on a disc of one colour or of two halves; without one it is pale."""

    def draw(canvas: Canvas) -> None:
        x, y, r = 17, _HIGH - 16, 10.5
        if not colours:
            canvas.circle((x, y), r, fill="#fffdf4", stroke=INK, stroke_width=1.2)
            written(canvas, text, (x, y), fitted(text, 8.6, 16), INK, weight=1.6)
            return
        canvas.circle((x, y), r, fill=colours[-1], stroke=INK, stroke_width=1.2)
        canvas.element("path", d=f"M{x} {y - r}a{r} {r} 0 0 0 0 {2 * r}z", fill=colours[0])
        written(canvas, text, (x, y), fitted(text, 9, 16), "#ffffff", weight=1.7)

    return draw


def card_back(*words: str, ground: str = "#4b5640", picture: Draw | None = None) -> str:
    """The back of every card: a lattice, and words below a picture in a medallion."""
    canvas = Drawing(*CARD)
    canvas.rectangle(
        (1, 1), _WIDE - 2, _HIGH - 2, rx=9, fill=ground, stroke="#1e2118", stroke_width=2
    )
    canvas.rectangle(
        (8, 8), _WIDE - 16, _HIGH - 16, rx=5, fill="none", stroke="#c9bf94", stroke_width=1.4
    )
    lattice = "".join(
        f"M{x} 10L{x + 60} {_HIGH - 10}M{x + 60} 10L{x} {_HIGH - 10}" for x in range(-40, _WIDE, 14)
    )
    inner = f'<rect x="10" y="10" width="{_WIDE - 20}" height="{_HIGH - 20}"/>'
    clip = canvas.define("in", f'<clipPath id="in">{inner}</clipPath>')
    with canvas.group(clip_path=clip):
        canvas.element("path", d=lattice, stroke="#5d6a4f", stroke_width=1.2)
    middle = _WIDE / 2, _HIGH / 2
    canvas.circle(middle, 38, fill="#3b4532", stroke="#c9bf94", stroke_width=1.6)
    if picture is not None:
        picture(canvas)
    for i, word in enumerate(words):
        at = (middle[0], middle[1] + 17 + 9 * i)
        written(canvas, word, at, fitted(word, 5.2, 56), "#f5eeda", weight=1.3)
    return canvas.svg()
