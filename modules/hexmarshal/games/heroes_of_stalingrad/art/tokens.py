"""Order tokens, and the markers of units, of the board and of tracks."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.heroes_of_stalingrad.art import colours
from hexmarshal.kit.drawing.canvas import Drawing, fitted, written
from hexmarshal.kit.drawing.colours import INK, PAPER, tone
from hexmarshal.kit.drawing.counters import SIZE
from hexmarshal.kit.drawing.markers import badge, disc, flag, tag, words
from hexmarshal.kit.drawing.signs import cross, flame, star

__all__ = [
    "ABOARD", "ACTIVATED", "CONTROL", "DAMAGED", "INITIATIVE", "REPAIRED", "SCOUTED", "SUPPRESSED",
    "TURN", "blast", "destruction", "flames", "order", "order_back", "track_marker",
]  # fmt: skip

_MIDDLE: Final = SIZE / 2
_NAMES: Final = {"special": "SPEC", "bluff": "BLUFF"}
_DARK: Final = {"russian": "#9b2a1e", "german": "#26323c"}
_TEMPLATE: Final = "#d2452a"


def order(side: str, token: str) -> str:
    """The face of an order token: its number, special or bluff."""
    canvas = _round(side)
    # As dark as the sign on its back: whose it is shows at a glance, turned up as well.
    canvas.circle((_MIDDLE, _MIDDLE), 21, fill=_DARK[side], stroke=PAPER, stroke_width=2)
    text = _NAMES.get(token, token)
    weight = 2.4 if len(text) == 1 else 1.4
    written(canvas, text, (_MIDDLE, _MIDDLE), fitted(text, 25, 36), PAPER, weight=weight)
    return canvas.svg(f"Order token {token}")


def order_back(side: str) -> str:
    """What the other side sees of an order token."""
    canvas = _round(side)
    if side == "russian":
        canvas.polygon(star((_MIDDLE, _MIDDLE), 15), fill=_DARK[side], stroke=PAPER)
    else:
        canvas.polygon(cross((_MIDDLE, _MIDDLE), 14, 9), fill=INK, stroke=PAPER)
    return canvas.svg("An order token")


def _round(side: str) -> Drawing:
    canvas, shades = Drawing(SIZE), tone(colours.SIDES[side])
    canvas.circle((_MIDDLE, _MIDDLE), 26, fill=shades.plain, stroke="#2a2820", stroke_width=2)
    canvas.circle((_MIDDLE, _MIDDLE), 22, fill="none", stroke=shades.shaded, stroke_width=1.4)
    return canvas


def _suppressed() -> tuple[str, ...]:
    return ("", *(badge(str(n), "#6b2d86", "sw") for n in range(1, 7)))


ACTIVATED: Final = badge("A", "#2f6b3a", "se")
REPAIRED: Final = badge("R", "#2f5d6e", "se")
SCOUTED: Final = badge("S", "#2f5d6e", "nw")
ABOARD: Final = tag("ABOARD", "#33302a", 23)
SUPPRESSED: Final = _suppressed()
"""Nothing, then one to six Suppressed markers."""
DAMAGED: Final = {
    "crew": tag("CREW", "#b3261e", 1),
    "tracks": tag("TRACKS", "#b3261e", 12),
    "hull": tag("HULL", "#b3261e", 34),
    "main": tag("MAIN GUN", "#b3261e", 45),
}
CONTROL: Final = {
    "russian": flag("#9b2a1e", emblem="#f3d774"),
    "german": flag("#5d6a63", "G"),
}
INITIATIVE: Final = words("#c9a227", "INITI-", "ATIVE", ink=INK)
TURN: Final = words("#3b4a3a", "GAME", "TURN")


def destruction(points: int) -> str:
    """Destruction points on a structure."""
    canvas = Drawing(SIZE)
    canvas.polygon(star((_MIDDLE, _MIDDLE), 26, points=11, depth=0.66), fill="#e0812b", stroke=INK)
    written(canvas, str(points), (_MIDDLE, _MIDDLE), 19, INK, weight=2.2)
    return canvas.svg(f"{points} destruction points")


def track_marker(text: str, side: str) -> str:
    """A marker of a track."""
    return disc(text, colours.SIDES[side], INK)


def blast(radius: float, cell: float) -> str:
    """The template of an explosion: its middle is an intercell, its rim counts half a cell more."""
    reach = radius * cell
    canvas = Drawing(2 * reach + 8)
    middle = reach + 4, reach + 4
    canvas.circle(
        middle, reach, fill=_TEMPLATE, fill_opacity=0.22, stroke=_TEMPLATE, stroke_width=3,
        stroke_dasharray="9 5",
    )  # fmt: skip
    canvas.circle(middle, 4, fill=_TEMPLATE, stroke=PAPER, stroke_width=1.4)
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        ends = [(middle[0] + k * dx, middle[1] + k * dy) for k in (8, 22)]
        canvas.polyline(ends, stroke=_TEMPLATE, stroke_width=2.4)
    return canvas.svg("Explosion")


def flames(length: int, wide: int, cell: float) -> str:
    """The template of a flamethrower, pointing up from the middle of the picture."""
    long, half = (length + 0.5) * cell, wide * cell / 2
    canvas = Drawing(2 * long + 8)
    x, y = long + 4, long + 4
    shape = [(x - half * 0.3, y - cell / 2), (x - half, y - long), (x + half, y - long),
             (x + half * 0.3, y - cell / 2)]  # fmt: skip
    canvas.polygon(
        shape, fill=_TEMPLATE, fill_opacity=0.25, stroke=_TEMPLATE, stroke_width=3,
        stroke_dasharray="9 5",
    )  # fmt: skip
    for k in range(1, length + 1):
        flame(canvas, (x, y - k * cell), cell * 0.3)
    canvas.circle((x, y), 4, fill=_TEMPLATE, stroke=PAPER, stroke_width=1.4)
    return canvas.svg("Flame")
