"""Markers on the board and on the tracks: works, smoke, barrages, flags, states of units."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art.colours import BLUE, INK, PAPER, RED, SIDES
from hexmarshal.games.conflict_of_heroes.art.counters import SIZE
from hexmarshal.kit.drawing.canvas import Drawing, fitted, frame_path, written
from hexmarshal.kit.drawing.counters import blank
from hexmarshal.kit.drawing.signs import burst, cross, puff, star

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.games.conflict_of_heroes.state.tables import Works
    from hexmarshal.geometry.svg.canvas import Canvas, Point

__all__ = [
    "GO",
    "MARKER",
    "SMOKE",
    "START",
    "STATES",
    "TRACK",
    "barrage_svg",
    "coin_svg",
    "control_svg",
    "go_svg",
    "load_svg",
    "smoke_svg",
    "start_svg",
    "state_svg",
    "track_svg",
    "works_svg",
]

MARKER: Final = 66
TRACK: Final = 44
START: Final = (46, 64)
GO: Final = (112, 20)
SMOKE: Final = 104
_EARTH: Final = "#7d6136"


def works_svg(works: Works) -> str:
    """A trench, bunker, wire, roadblock or minefield."""
    canvas = Drawing(MARKER)
    canvas.rectangle(
        (0.8, 0.8), 64.4, 64.4, rx=6, fill="#c3b287", stroke="#2f2615", stroke_width=1.6
    )
    canvas.rectangle((2.4, 2.4), 61.2, 61.2, rx=4.6, fill="none", stroke="#8c7a4d")
    _PICTURES[works.key](canvas)
    written(canvas, works.title, (33, 8.4), fitted(works.title, 5.2, 56), INK, weight=1.25)
    if works.defence_flank is not None:
        text = f"+{works.defence}/+{works.defence_flank}"
        written(canvas, text, (22, 56.6), 7.6, INK, weight=1.6)
    elif works.defence:
        written(canvas, f"+{works.defence}", (13, 56.6), 8.4, INK, weight=1.7)
    if works.rating is not None:
        canvas.rectangle((45.5, 50.4), 16, 12, rx=2.6, fill=RED, stroke="#2a0d0a")
        written(canvas, str(works.rating), (53.5, 56.4), 7.4, "#ffffff", weight=1.5)
    return canvas.svg(works.title)


def _trench(canvas: Canvas) -> None:
    zigzag: list[Point] = [(13, 35), (21, 25), (29, 37), (37, 25), (45, 37), (53, 27)]
    for colour, wide in (("#a58a55", 17.0), (_EARTH, 12.5), ("#3f2f19", 7.5)):
        canvas.polyline(
            zigzag,
            stroke=colour,
            stroke_width=wide,
            stroke_linejoin="round",
            stroke_linecap="round",
        )


def _bunker(canvas: Canvas) -> None:
    body: list[Point] = [(14, 46), (14, 28), (23, 18), (43, 18), (52, 28), (52, 46)]
    canvas.polygon(body, fill="#9c9a92", stroke="#33312b", stroke_width=1.8)
    canvas.polygon([(14, 28), (23, 18), (43, 18), (52, 28)], fill="#bcbab0", stroke="#33312b")
    canvas.rectangle((20, 31), 26, 5.4, rx=1, fill="#1c1b18")


def _wire(canvas: Canvas) -> None:
    for y in (28, 38, 48):
        loops = "".join(f"M{x} {y}a5 5 0 1 1 .01 0" for x in range(13, 58, 8))
        canvas.element("path", d=loops, fill="none", stroke="#35322c", stroke_width=1.2)
    barbs = "".join(f"M{x} {y}l3 -3m-3 0l3 3" for y in (24, 34, 44) for x in range(9, 58, 8))
    canvas.element("path", d=barbs, stroke="#35322c", stroke_width=0.9)


def _roadblock(canvas: Canvas) -> None:
    for x, y, turn in ((20, 38, -28), (33, 30, 22), (46, 38, -18), (33, 42, 8)):
        with canvas.group(transform=f"translate({x} {y}) rotate({turn})"):
            canvas.rectangle(
                (-15, -3.4), 30, 6.8, rx=3.2, fill="#8d6234", stroke="#3a2710", stroke_width=1.1
            )
            canvas.circle((-12.6, 0), 2.4, fill="#c99f68", stroke="#3a2710", stroke_width=0.6)


def _mines(canvas: Canvas) -> None:
    for x, y in ((19, 26), (33, 22), (47, 27), (24, 40), (41, 41)):
        canvas.circle((x + 1.2, y + 1.6), 6.2, fill="#000000", fill_opacity=0.25)
        canvas.circle((x, y), 6.2, fill="#55564d", stroke="#22231e", stroke_width=1.2)
        canvas.circle((x, y), 2.5, fill="#a33a2a", stroke="#22231e", stroke_width=0.8)
    written(canvas, "8+", (33, 57), 7, INK, weight=1.5)


_PICTURES: Final[dict[str, Callable[[Canvas], None]]] = {
    "trench": _trench,
    "bunker": _bunker,
    "wire": _wire,
    "roadblock": _roadblock,
    "mines": _mines,
}


def smoke_svg(points: int) -> str:
    """A cloud that fills its hex, thinner with fewer points."""
    canvas = Drawing(SMOKE)
    middle = SMOKE / 2
    rng = Random(f"smoke {points}")
    opacity = 0.55 if points >= 2 else 0.32
    for _ in range(10 * points + 12):
        turn, reach = rng.uniform(0, 2 * math.pi), middle * math.sqrt(rng.uniform(0.05, 0.42))
        at = (middle + reach * math.cos(turn), middle + reach * math.sin(turn))
        shade = rng.choice(("#f4f3ef", "#e4e2dc", "#d2cfc8", "#c2beb6"))
        canvas.circle(at, rng.uniform(11, 18), fill=shade, fill_opacity=opacity)
    for y in (14.0, SMOKE - 14.0):
        canvas.circle((middle, y), 9.5, fill="#f7f6f1", stroke="#6d6a63", stroke_width=1.3)
        written(canvas, f"+{points}", (middle, y), 8, "#4a4842", weight=1.7)
    return canvas.svg(f"Smoke +{points}")


def barrage_svg(side: str) -> str:
    """The secret target of off-board artillery."""
    canvas = Drawing(MARKER)
    blank(canvas, MARKER, SIDES[side])
    canvas.circle((33, 33), 21, fill="none", stroke="#7c120c", stroke_width=2.4)
    canvas.element(
        "path", d="M33 6V24M33 42V60M6 33H24M42 33H60", stroke="#7c120c", stroke_width=2.4
    )
    burst(canvas, (33, 33), 11)
    return canvas.svg("Barrage")


def load_svg() -> str:
    """Laid over a barrage that fires smoke."""
    canvas = Drawing(MARKER)
    puff(canvas, (50, 50), 9)
    return canvas.svg("Smoke shells")


def control_svg(side: str) -> str:
    """The flag of the side that holds an objective."""
    canvas = Drawing(48)
    field = {"german": "#8a938a", "soviet": RED, "": PAPER}[side]
    canvas.element("path", d="M11 45V4", stroke="#2b2417", stroke_width=3, stroke_linecap="round")
    canvas.element(
        "path", d="M12 6q9 -4 16 0t16 0v22q-8 4 -16 0t-16 0z", fill=field, stroke="#2b2417",
        stroke_width=1.6,
    )  # fmt: skip
    if side == "german":
        canvas.polygon(
            cross((28, 17), 8.4, 5.6), fill="#1b1b1b", stroke="#fbfaf4", stroke_width=1.2
        )
    elif side == "soviet":
        canvas.polygon(star((28, 17), 9), fill="#f3d774", stroke="#8a5a10", stroke_width=0.6)
    else:
        written(canvas, "?", (28, 17), 12, INK, weight=1.8)
    return canvas.svg("Objective")


def track_svg(kind: str, side: str) -> str:
    """A marker for a track: AP, CAP, VP or the turn."""
    canvas = Drawing(TRACK)
    blank(canvas, TRACK, SIDES[side], radius=8)
    colour = {"AP": "#2f6b33", "CAP": BLUE, "VP": "#8a5a10"}.get(kind, INK)
    canvas.circle((22, 22), 15.6, fill=PAPER, stroke=colour, stroke_width=2.4)
    written(canvas, kind, (22, 22), fitted(kind, 9, 22), colour, weight=1.7)
    return canvas.svg(kind)


def start_svg(side: str) -> str:
    """What the command points begin with: as high as the box, to show behind other markers."""
    canvas = Drawing(*START)
    own = SIDES[side]
    wide, high = START
    canvas.rectangle(
        (1, 1), wide - 2, high - 2, rx=5, fill=own.lit, stroke=own.shaded, stroke_width=2.2,
        stroke_dasharray="5 2.5",
    )  # fmt: skip
    for y in (6.0, high - 6.0):
        written(canvas, "START", (wide / 2, y), 5, INK, weight=1.3)
    return canvas.svg("Start")


def go_svg() -> str:
    """Whose go it is."""
    canvas = Drawing(*GO)
    wide, high = GO
    canvas.rectangle(
        (1, 1), wide - 2, high - 2, rx=9, fill="#ffd21f", stroke="#3a2c00", stroke_width=1.8
    )
    written(canvas, "TO ACT", (wide / 2, high / 2), 7.6, "#3a2c00", weight=1.6)
    return canvas.svg("To act")


def coin_svg(side: str) -> str:
    """A hex where a unit of the solitaire opponent may be."""
    canvas = Drawing(TRACK)
    own = SIDES[side]
    canvas.circle((22, 22), 20, fill=own.plain, stroke="#2a2820", stroke_width=1.8)
    canvas.circle((22, 22), 16, fill=own.lit, stroke=own.shaded, stroke_width=1.2)
    written(canvas, "?", (22, 22), 16, INK, weight=2)
    return canvas.svg("Coin")


STATES: Final = ("active", "hasty", "works", "stuck", "bogged", "aboard")
"""What can be laid over a unit's counter."""


_PLATE: Final = 11
"""Half as wide as the names of units."""


def state_svg(state: str) -> str:
    """A state of a unit, drawn over its counter."""
    wide = SIZE + 8
    canvas = Drawing(wide)
    if state == "active":
        for colour, width in (("#3a2c00", 5), ("#ffd21f", 3)):
            frame = frame_path(2.5, wide - 2.5, 9, _PLATE)
            canvas.element("path", d=frame, fill="none", stroke=colour, stroke_width=width)
    elif state == "hasty":
        _sandbags(canvas, wide)
    elif state == "stuck":
        _tag(canvas, "IMMOBILE", "#7c120c", 30)
    elif state == "bogged":
        _tag(canvas, "BOGGED", "#7c4a0c", 58)
    elif state == "works":
        _tag(canvas, "IN WORKS", "#6b5427", 16)
    else:
        _tag(canvas, "ABOARD", "#2f5b33", 44)
    return canvas.svg(state)


def _sandbags(canvas: Canvas, wide: float) -> None:
    for row, y in enumerate((wide - 9.0, wide - 15.5)):
        for x in range(6 + 6 * row, round(wide) - 12, 12):
            canvas.rectangle(
                (x, y), 12.5, 7, rx=3.2, fill="#d0b886", stroke="#54431f", stroke_width=1
            )
    canvas.circle((wide / 2, wide - 13), 8, fill=PAPER, stroke="#54431f", stroke_width=1.4)
    written(canvas, "+1", (wide / 2, wide - 13), 6.8, INK, weight=1.5)


def _tag(canvas: Canvas, text: str, colour: str, y: float) -> None:
    canvas.rectangle((8, y), 64, 12, rx=3, fill=colour, stroke="#fff8e8", stroke_width=1.2)
    written(canvas, text, (40, y + 6), fitted(text, 6.4, 56), "#fff8e8", weight=1.5)
