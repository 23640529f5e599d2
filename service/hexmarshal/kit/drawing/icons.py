"""Icons of toolbars: small pictures that say what a button does."""

from __future__ import annotations

from typing import Final

from hexmarshal.kit.drawing.canvas import Drawing, frame_path

__all__ = ["ICONS", "taking_part"]

_SIZE: Final = 22
_INK: Final = "#2b3440"
_PAPER: Final = "#f7f4ea"
_RED: Final = "#b5382a"
_BLUE: Final = "#3c6ea3"
_GOLD: Final = "#e0a92e"


def _counters() -> str:
    """A counter upon another."""
    canvas = Drawing(_SIZE)
    canvas.rectangle((7, 2), 13, 13, rx=1.6, fill="#8f9f78", stroke=_INK, stroke_width=1.2)
    canvas.rectangle((2, 7), 13, 13, rx=1.6, fill="#c9c39a", stroke=_INK, stroke_width=1.2)
    canvas.rectangle((4.5, 10.5), 8, 6, fill=_PAPER, stroke=_INK, stroke_width=1)
    for d in ("M4.5 10.5L12.5 16.5", "M12.5 10.5L4.5 16.5"):
        canvas.element("path", d=d, fill="none", stroke=_INK, stroke_width=1)
    return canvas.svg("Counters")


def _charts() -> str:
    """A table."""
    canvas = Drawing(_SIZE)
    canvas.rectangle((2, 3), 18, 16, rx=1.4, fill=_PAPER, stroke=_INK, stroke_width=1.2)
    canvas.rectangle((2, 3), 18, 4, rx=1.4, fill=_BLUE, stroke=_INK, stroke_width=1.2)
    for d in ("M8 7V19", "M14 7V19", "M2 11H20", "M2 15H20"):
        canvas.element("path", d=d, fill="none", stroke=_INK, stroke_width=0.8)
    return canvas.svg("Charts")


def _turn() -> str:
    """A clock."""
    canvas = Drawing(_SIZE)
    canvas.circle((11, 11), 8.6, fill=_PAPER, stroke=_INK, stroke_width=1.5)
    canvas.element("path", d="M11 5.6V11L15 13.4", fill="none", stroke=_RED, stroke_width=1.8)
    return canvas.svg("Turn")


def _announce() -> str:
    """A bubble with words in it."""
    canvas = Drawing(_SIZE)
    top = "M3 3H19Q20.5 3 20.5 4.5V13Q20.5 14.5 19 14.5"
    below = "H11L6.5 19.5V14.5H3Q1.5 14.5 1.5 13V4.5Q1.5 3 3 3Z"
    canvas.element("path", d=top + below, fill=_PAPER, stroke=_INK, stroke_width=1.2)
    for line in ("M5 7H17", "M5 10.6H13"):
        canvas.element("path", d=line, fill="none", stroke=_BLUE, stroke_width=1.5)
    return canvas.svg("Announce")


def _front() -> str:
    """A flag on a line."""
    canvas = Drawing(_SIZE)
    canvas.element("path", d="M6 20V2.5", fill="none", stroke=_INK, stroke_width=1.6)
    canvas.element("path", d="M6 3H18L14.6 6.8L18 10.6H6Z", fill=_RED, stroke=_INK, stroke_width=1)
    canvas.element("path", d="M2.5 20H19.5", fill="none", stroke=_INK, stroke_width=1.6)
    return canvas.svg("Go to the front")


def _tracks() -> str:
    """Boxes in a row with a marker on one."""
    canvas = Drawing(_SIZE)
    for x in (1.5, 8, 14.5):
        canvas.rectangle((x, 7), 6, 8, rx=1, fill=_PAPER, stroke=_INK, stroke_width=1.1)
    canvas.circle((11, 11), 2.3, fill=_RED, stroke=_INK, stroke_width=0.9)
    return canvas.svg("Boxes and tracks")


def _hand() -> str:
    """Cards held like a fan."""
    canvas = Drawing(_SIZE)
    for angle, fill in ((-18, "#b9c7d6"), (0, "#d9e1ea"), (18, _PAPER)):
        canvas.element(
            "rect", x=6.5, y=3.5, width=9, height=14, rx=1.4, fill=fill, stroke=_INK,
            stroke_width=1.1, transform=f"rotate({angle} 11 20)",
        )  # fmt: skip
    return canvas.svg("Hand")


def _sides() -> str:
    """Two heads: who plays which side."""
    canvas = Drawing(_SIZE)
    for x, fill in ((7.4, _BLUE), (14.6, _RED)):
        canvas.circle((x, 6.6), 3.3, fill=fill, stroke=_INK, stroke_width=1)
        d = f"M{x - 5.2} 19Q{x - 5.2} 11.6 {x} 11.6Q{x + 5.2} 11.6 {x + 5.2} 19Z"
        canvas.element("path", d=d, fill=fill, stroke=_INK, stroke_width=1)
    return canvas.svg("Sides")


def _go() -> str:
    """Arrows from one to the other and back: whose go it is."""
    canvas = Drawing(_SIZE)
    for line, fill in (
        ("M2 7.2H13V3.6L20 8.8L13 14V10.4H2Z", _RED),
        ("M20 14.4H9V12.2L3.4 16.4L9 20.6V18.4H20Z", _BLUE),
    ):
        canvas.element("path", d=line, fill=fill, stroke=_INK, stroke_width=0.9)
    return canvas.svg("Hand over")


def _pay() -> str:
    """A coin on its way."""
    canvas = Drawing(_SIZE)
    canvas.circle((7.6, 8), 5.8, fill=_GOLD, stroke=_INK, stroke_width=1.2)
    canvas.circle((7.6, 8), 3.2, fill="none", stroke=_INK, stroke_width=0.8)
    way = "M3 17.2H13.5V14L20 18L13.5 21.6V18.8H3Z"
    canvas.element("path", d=way, fill=_BLUE, stroke=_INK, stroke_width=0.9)
    return canvas.svg("Pay")


def _trails() -> str:
    """The way from one place to another."""
    canvas = Drawing(_SIZE)
    way = "M4.5 17.5L9 9.5L17 4.5"
    canvas.element("path", d=way, fill="none", stroke=_RED, stroke_width=1.6)
    for at in ((4.5, 17.5), (9, 9.5), (17, 4.5)):
        canvas.circle(at, 2.8, fill=_PAPER, stroke=_INK, stroke_width=1.2)
    return canvas.svg("Trails")


ICONS: Final = {
    "announce": _announce(),
    "charts": _charts(),
    "counters": _counters(),
    "front": _front(),
    "go": _go(),
    "hand": _hand(),
    "pay": _pay(),
    "sides": _sides(),
    "tracks": _tracks(),
    "trails": _trails(),
    "turn": _turn(),
}
"""The drawings by what their buttons are for."""


def taking_part(size: float) -> str:
    """The sign on a counter that takes part in what is announced next: a golden frame."""
    canvas = Drawing(size)
    edge = size / 20
    frame = frame_path(edge / 2, size - edge / 2, size / 9, size / 6)
    canvas.element("path", d=frame, fill="none", stroke=_GOLD, stroke_width=edge)
    r = size / 9
    canvas.circle((size - r, r), r, fill=_GOLD, stroke=_INK, stroke_width=size / 56)
    d = f"M{size - 1.5 * r} {r}L{size - 1.1 * r} {1.45 * r}L{size - 0.5 * r} {0.6 * r}"
    canvas.element("path", d=d, fill="none", stroke=_INK, stroke_width=size / 28)
    return canvas.svg("Takes part")
