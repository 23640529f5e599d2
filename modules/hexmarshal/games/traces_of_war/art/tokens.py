"""Command tokens, Luftwaffe markers and the markers of map and tracks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.traces_of_war.art import colours
from hexmarshal.kit.drawing.canvas import Drawing, fitted, written
from hexmarshal.kit.drawing.colours import INK, PAPER, tone
from hexmarshal.kit.drawing.counters import SIZE
from hexmarshal.kit.drawing.markers import disc, flag, picture, tag, tile, words
from hexmarshal.kit.drawing.signs import cross, star

if TYPE_CHECKING:
    from hexmarshal.games.traces_of_war.state.tables import Token

__all__ = [
    "AIR_BACK", "CONTROL", "CROSSING", "ISOLATED", "ORDER", "ORDER_HIGH", "OUT_OF_SUPPLY", "TOKEN",
    "TOKEN_BACK", "air_marker", "bridgehead", "token", "track_marker", "turn_marker",
]  # fmt: skip

TOKEN: Final = 60
"""The side of the square that a round token fills."""
_SHORT: Final = {
    "voronezh": ("VRNZ", "Voronezh"),
    "steppe": ("STEP", "Steppe"),
    "south_west": ("SW", "South West"),
    "south": ("STH", "South"),
    "reinforcement": ("REINF", "Reinforcement"),
    "airborne": ("AIR", "Airborne"),
    "stavka": ("STAVKA", "any front"),
    "pza1": ("1 PzA", "1st Panzer"),
    "pza4": ("4 PzA", "4th Panzer"),
    "a6": ("6 A", "6th Army"),
    "a8": ("8 A", "8th Army"),
    "okh": ("OKH", "high command"),
    "supply": ("SUPPLY", "both sides"),
}
_MIDDLE: Final = TOKEN / 2


def token(given: Token) -> str:
    """The face of a command token."""
    short, long = _SHORT.get(given.key, (given.title, ""))
    canvas = _round(colours.TOKENS[given.side])
    if given.side == "soviet":
        canvas.polygon(star((_MIDDLE, 15), 6.4), fill=colours.SOVIET_RED)
    elif given.side == "axis":
        canvas.polygon(cross((_MIDDLE, 15), 6, 4), fill=INK)
    else:
        canvas.rectangle((_MIDDLE - 6, 11), 12, 8, rx=1.4, fill=INK)
    written(canvas, short, (_MIDDLE, 30), fitted(short, 12.5, 40), INK, weight=1.9)
    written(canvas, long, (_MIDDLE, 43), fitted(long, 5.6, 32), INK, weight=1.1)
    return canvas.svg(given.title)


def _round(colour: str) -> Drawing:
    own, canvas = tone(colour), Drawing(TOKEN)
    canvas.circle((_MIDDLE, _MIDDLE), 28.6, fill=own.plain, stroke="#2a2820", stroke_width=2)
    canvas.circle((_MIDDLE, _MIDDLE), 23.6, fill=PAPER, stroke=own.shaded, stroke_width=1.4)
    return canvas


def _back() -> str:
    canvas = Drawing(TOKEN)
    canvas.circle((_MIDDLE, _MIDDLE), 28.6, fill="#4a4438", stroke="#2a2820", stroke_width=2)
    canvas.circle((_MIDDLE, _MIDDLE), 22, fill="none", stroke="#8d8266", stroke_width=1.6)
    written(canvas, "?", (_MIDDLE, _MIDDLE), 20, "#d8cba4", weight=2.4)
    return canvas.svg("A command token")


ORDER_HIGH: Final = 16
"""How far the plate of an order reaches down over a counter."""


def _order() -> str:
    """A plate for the upper edge, so that the units below it can still be read."""
    canvas = Drawing(SIZE, ORDER_HIGH)
    canvas.rectangle(
        (2, 1), SIZE - 4, 14, rx=3, fill=colours.ORDER, stroke=colours.SOVIET_RED, stroke_width=1.8
    )
    for x in (8, SIZE - 8):
        canvas.polygon(star((x, 8), 4), fill=colours.SOVIET_RED)
    written(canvas, "HOLD", (SIZE / 2, 8), 8.4, INK, weight=1.9)
    return canvas.svg("Supreme Command order")


TOKEN_BACK: Final = _back()
AIR_BACK: Final = picture("#54697e", "plane", below="LUFTWAFFE")
ORDER: Final = _order()
OUT_OF_SUPPLY: Final = tag("NO SUPPLY", "#b5341f", 17)
ISOLATED: Final = tag("ISOLATED", "#4b1d5e", 17)
CONTROL: Final = {
    "soviet": flag(colours.SOVIET_RED, emblem="#f3d774"),
    "axis": flag("#5d6a63", "A"),
}
CROSSING: Final = words(colours.CROSSING, "SOVIET", "CP")


def air_marker(kind: str) -> str:
    """A Luftwaffe marker's face."""
    offensive = kind == "offensive"
    fill = "#8c4a2f" if offensive else "#2f5d6e"
    canvas = tile(fill)
    shape = "M28 7L31 18L48 25V29L31 26.5L30 34L35 37V39.5L28 38L21 39.5V37L26 34L25 26.5L8 29V25L25 18Z"  # noqa: E501
    canvas.element("path", d=shape, fill=PAPER)
    text = "ATTACK +2" if offensive else "DEFENCE -2"
    written(canvas, text, (28, 48), fitted(text, 6.4, 48), PAPER)
    return canvas.svg(f"{kind.capitalize()} air support")


def bridgehead() -> str:
    """The airborne bridgehead."""
    canvas = tile("#d8c8a4", ("BRIDGEHEAD", 51, 5.0), ink=INK)
    dome = "M12 24A16 16 0 0 1 44 24Q40 21 36 24Q32 21 28 24Q24 21 20 24Q16 21 12 24Z"
    canvas.element("path", d=dome, fill=colours.SOVIET_RED, stroke=INK, stroke_width=1.2)
    for x in (12, 20, 28, 36, 44):
        canvas.polyline(((x, 24), (28, 38)), stroke=INK, stroke_width=1)
    canvas.polygon(star((28, 39), 5), fill=colours.SOVIET_RED)
    return canvas.svg("Airborne bridgehead")


def turn_marker() -> str:
    """The marker of the turn track."""
    return words(colours.AXIS_BLUE, "GAME", "TURN")


def track_marker(text: str, colour: str) -> str:
    """A marker of another track."""
    return disc(text, "#d3c9ab", colour)
