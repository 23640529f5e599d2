"""The faces of counters: a card, a symbol or a silhouette, names, strength, values all around."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from hexmarshal.kit.drawing.canvas import Canvas, Drawing, fitted, lines_of, written
from hexmarshal.kit.drawing.colours import INK, LINE, PAPER, Tone, tone
from hexmarshal.kit.drawing.signs import plate, shield
from hexmarshal.kit.drawing.silhouettes import draw_silhouette
from hexmarshal.kit.drawing.symbols import Box, symbol

if TYPE_CHECKING:
    from hexmarshal.kit.drawing.canvas import Point

__all__ = ["SIZE", "SYMBOL", "Face", "Value", "arrow_svg", "blank", "draw_face", "strength_svg"]

SIZE: Final = 56
"""The side of the square that faces are drawn in; a picture of another size is a zoom of it."""
SYMBOL: Final[Box] = (15.0, 13.0, 41.0, 30.0)
"""The box of the symbol."""
_PALE: Final = "#f3ecd8"
_MIDDLE: Final = SIZE / 2

Spot = Literal["nw", "n", "ne", "w", "e", "sw", "s", "se"]
_SPOTS: Final[dict[str, Point]] = {
    "nw": (9.5, 9.5),
    "n": (28, 8),
    "ne": (46.5, 9.5),
    "w": (8.5, 25),
    "e": (47.5, 25),
    "sw": (10.5, 46),
    "s": (28, 46),
    "se": (45.5, 46),
}


@dataclass(frozen=True, slots=True)
class Value:
    """A number or word at a spot of the face, bare or on a sign: a plate, disc or shield."""

    text: str
    spot: Spot
    colour: str = ""
    on: Literal["", "plate", "disc", "shield"] = ""
    size: float = 0.0


@dataclass(frozen=True, slots=True)
class Face:
    """What a face shows; what is empty is not there.

    `symbol` is an arm or marks (see `symbols`), `echelon` its size; `silhouette` a picture instead.
    `left` and `right` stand at the sides of the symbol, read along it; `strength` below, on a pale
    strip if the unit is `reduced`; `title` above.
    """

    ground: str | Tone
    symbol: str = ""
    echelon: str = ""
    silhouette: str = ""
    title: str = ""
    left: str = ""
    right: str = ""
    strength: str = ""
    reduced: bool = False
    spent: bool = False
    values: tuple[Value, ...] = ()
    ink: str = ""

    @property
    def pen(self) -> str:
        """The ink of names and numbers."""
        return self.ink or (tone(self.ground) if isinstance(self.ground, str) else self.ground).ink

    def svg(self, title: str = "") -> str:
        """The face as a picture."""
        canvas = Drawing(SIZE)
        draw_face(canvas, self)
        return canvas.svg(title)


def draw_face(canvas: Canvas, face: Face) -> None:
    """Draw a face with its upper left corner at the origin."""
    card(canvas, face.ground)
    if face.spent:
        canvas.rectangle((1.5, 14), SIZE - 3, 18, fill="#e58ca0", fill_opacity=0.8)
    if face.symbol:
        symbol(canvas, face.symbol, SYMBOL, size=face.echelon, ink=INK, paper=_PALE)
    if face.silhouette:
        draw_silhouette(canvas, face.silhouette, 13.0, 15.0, 0.75)
    _names(canvas, face)
    if face.title:
        _title(canvas, face)
    if face.strength:
        _strength(canvas, face.strength, face.pen, reduced=face.reduced)
    for value in face.values:
        _value(canvas, value, face.pen)


def card(canvas: Canvas, ground: str | Tone) -> None:
    """The card of a counter in one colour, lit from the upper left."""
    plain = ground if isinstance(ground, str) else ground.plain
    edge = canvas.define(
        "edge",
        '<linearGradient id="edge" x1="0" y1="0" x2="1" y2="1">'
        '<stop offset="0" stop-color="#fff" stop-opacity=".35"/>'
        '<stop offset=".5" stop-color="#fff" stop-opacity="0"/>'
        '<stop offset="1" stop-color="#000" stop-opacity=".18"/></linearGradient>',
    )
    for fill, line in ((plain, "#3a342c"), (edge, None)):
        canvas.rectangle(
            (0.75, 0.75), SIZE - 1.5, SIZE - 1.5, rx=6, fill=fill, stroke=line, stroke_width=1.5
        )


def blank(canvas: Canvas, size: float, ground: str | Tone, *, radius: float = 6) -> None:
    """A card of any size with a rim: lit above, shaded below, in the colours of a side."""
    side = tone(ground) if isinstance(ground, str) else ground
    name = f"card-{side.plain.lstrip('#')}"
    fill = canvas.define(
        name,
        f'<linearGradient id="{name}" x1="0" y1="0" x2="0.4" y2="1">'
        f'<stop offset="0" stop-color="{side.lit}"/><stop offset="1" stop-color="{side.plain}"/>'
        "</linearGradient>",
    )
    canvas.rectangle(
        (0.8, 0.8), size - 1.6, size - 1.6, rx=radius, fill=fill, stroke=LINE, stroke_width=1.6
    )
    canvas.rectangle(
        (2.2, 2.2), size - 4.4, size - 4.4, rx=radius - 1.4, fill="none", stroke=side.shaded,
        stroke_width=0.8, stroke_opacity=0.7,
    )  # fmt: skip


def strength_svg(text: str, *, reduced: bool = False, ink: str = INK) -> str:
    """The strip with the printed values alone, to lie over a face without them."""
    canvas = Drawing(SIZE)
    _strength(canvas, text, ink, reduced=reduced)
    return canvas.svg()


def _strength(canvas: Canvas, text: str, ink: str, *, reduced: bool) -> None:
    if reduced:
        canvas.rectangle((3, 34), SIZE - 6, 18.5, rx=3, fill=PAPER, fill_opacity=0.82)
        ink = INK
    size = 13.0 if len(text) <= 4 else 11.6 if len(text) <= 5 else 10.4
    size = fitted(text, size, SIZE - 6)
    canvas.write(text, (_MIDDLE, 43.2 + size / 2), size, weight=1.45, colour=ink)


def _names(canvas: Canvas, face: Face) -> None:
    """Names stand at the sides of the box, read from bottom to top and from top to bottom."""
    left, top, right, bottom = SYMBOL
    for text, x, turn in ((face.left, left - 5.4, -90), (face.right, right + 5.4, 90)):
        if text:
            y = (top + bottom) / 2
            with canvas.group(transform=f"rotate({turn} {x:g} {y:g})"):
                canvas.write(text, (x, y + 2.9), 5.8, weight=1.25, colour=face.pen)


def _title(canvas: Canvas, face: Face) -> None:
    size, wide = 5.4, 30.0 if any(v.spot in ("nw", "ne") for v in face.values) else 48.0
    while len(lines := lines_of(face.title, size, wide)) > 2 and size > 3.4:
        size -= 0.15
    top = 7.6 if len(lines) == 1 else 5.4
    for i, line in enumerate(lines[:2]):
        at = (_MIDDLE, top + i * (size + 1.6))
        written(canvas, line, at, fitted(line, size, wide), face.pen, weight=1.2)


def _value(canvas: Canvas, value: Value, ink: str) -> None:
    at, size = _SPOTS[value.spot], value.size or 8.6
    if value.on == "plate":
        plate(canvas, value.text, at, fill=value.colour or INK, colour="#fff", border=LINE)
    elif value.on == "shield":
        shield(canvas, value.text, at, fill=value.colour or INK, colour="#fff", border=LINE)
    elif value.on == "disc":
        canvas.circle(at, 7.2, fill="#fdfcf6", stroke=value.colour or INK, stroke_width=1.2)
        size = fitted(value.text, min(size, 7.6), 10.5)
        written(canvas, value.text, at, size, value.colour or INK, weight=1.6)
    else:
        size = fitted(value.text, size, 16 if value.spot in ("nw", "ne", "w", "e") else 22)
        written(canvas, value.text, at, size, value.colour or ink, weight=1.7)


def arrow_svg(size: float, *, fixed: bool = False) -> str:
    """An arrow that turns under a counter, pointing up: green, or red on what cannot turn."""
    canvas = Drawing(size)
    draw_arrow(canvas, size, fixed=fixed)
    return canvas.svg()


def draw_arrow(canvas: Canvas, size: float, *, fixed: bool = False) -> None:
    """Draw the arrow at the upper edge of a square."""
    middle = size / 2
    fill = "#d23b2c" if fixed else "#4fae3f"
    tip = [(middle, 1.4), (middle + 17, 27), (middle - 17, 27)]
    canvas.polygon(tip, fill=fill, stroke="#15240f", stroke_width=2, stroke_linejoin="round")
    canvas.polyline(
        [(middle - 7, 14.6), (middle, 4.4), (middle + 7, 14.6)],
        stroke="#f2ffe9",
        stroke_width=1.4,
        stroke_opacity=0.8,
    )
