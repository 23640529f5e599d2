"""The sheet beside the board: tracks for points and turns, decks, pools and boxes.

Its places are data, so that the picture and the grid of the module cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art.cards import CARD
from hexmarshal.games.conflict_of_heroes.art.colours import INK, PAPER, SIDES
from hexmarshal.games.conflict_of_heroes.art.hits import HIT
from hexmarshal.games.conflict_of_heroes.state.situation import camp
from hexmarshal.kit.drawing.boxes import Box, Sheet, Track
from hexmarshal.kit.drawing.canvas import Drawing, width, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.geometry.svg.canvas import Canvas

__all__ = ["PAID", "SEATS", "SHEET", "SHEETS", "TURNS", "ForceSheet", "sheet_svg"]

SHEET: Final = (700, 1296)
TURNS: Final = 10
PAID: Final = 260
"""How far from the board the tracks reach from which players pay."""


_HELP: Final = {
    "AP": "AP: action points",
    "CAP": "CAP: command points",
    "VP": "VP: victory points",
}


def _tracks(sides: tuple[str, ...]) -> Iterator[Track]:
    for side, top in zip(sides, _PANELS, strict=True):
        title = SEATS[side]
        # What is paid all the time lies in short rows next to the board, where it is in view.
        yield Track(f"{title} AP", 0, 13, 20, top + 46, (46, 46), 5, _HELP["AP"], PAPER)
        yield Track(f"{title} CAP", 0, 13, 20, top + 204, (46, 64), 5, _HELP["CAP"], PAPER)
        yield Track(f"{title} VP", 0, 29, 268, top + 264, (41, 44), 10, _HELP["VP"], PAPER)


def _boxes(sides: tuple[str, ...]) -> Iterator[Box]:
    for side, top, left in zip(sides, _PANELS, (374, 530), strict=True):
        title = SEATS[side]
        yield Box(f"{title} to act", 20, top + 2, 116, 22)
        yield Box(f"{title} losses", 268, top + 46, 410, 190)
        yield Box(f"{title} reinforcements", left, 1130, 148, 150)


@dataclass(frozen=True, slots=True)
class ForceSheet(Sheet):
    """The places of one sheet, for the forces of some sides."""

    sides: tuple[str, ...] = ()


SEATS: Final = {
    "german": "German",
    "soviet": "Soviet",
    "german2": "German 2",
    "soviet2": "Soviet 2",
}
"""What the seats of the players are called, by the rules' sides."""
_PANELS: Final = (168, 576)
_TWO: Final = ("german", "soviet")
_MORE: Final = ("german2", "soviet2")
SHEETS: Final = (
    ForceSheet(
        "Tracks",
        SHEET,
        (Track("Turn", 1, TURNS, 28, 84, (64, 56), TURNS, ground=PAPER), *_tracks(_TWO)),
        (*_boxes(_TWO), Box("Exited", 566, 1016, 112, 84)),
        (
            Box("Cards", 40, 1034, *CARD),
            Box("Discard", 206, 1034, *CARD),
            Box("Foot hits", 390, 1012, HIT + 6, HIT + 6),
            Box("Vehicle hits", 478, 1012, HIT + 6, HIT + 6),
        ),
        sides=_TWO,
    ),
    ForceSheet(
        "Tracks of the second forces",
        SHEET,
        tuple(_tracks(_MORE)),
        tuple(_boxes(_MORE)),
        sides=_MORE,
    ),
)
"""The sheet of every game, and the one that games for three or four players have besides."""
_LOSSES: Final = "Losses: each costs a command point, but for trucks and wagons"


def sheet_svg(sheet: ForceSheet) -> str:
    """The sheet, empty."""
    canvas = Drawing(*SHEET)
    wide, high = SHEET
    canvas.rectangle((0, 0), wide, high, fill="#d9d0b4")
    canvas.rectangle((0, 0), wide, 44, fill="#3b4532")
    written(canvas, "CONFLICT OF HEROES", (wide / 2, 22), 15, "#f5eeda", weight=1.3)
    for side, top in zip(sheet.sides, _PANELS, strict=True):
        _panel(canvas, side, top)
    for track in sheet.tracks:
        track.draw(canvas)
    canvas.rectangle((12, 986), wide - 24, 302, rx=8, fill="#cbbf9b", stroke="#8c7f58")
    for box in (*sheet.piles, *sheet.boxes):
        _draw_box(canvas, box, dashed=box in sheet.piles)
    return canvas.svg(sheet.name)


def _panel(canvas: Canvas, side: str, top: float) -> None:
    own = SIDES[camp(side)]
    canvas.rectangle(
        (12, top), SHEET[0] - 24, 402, rx=8, fill=own.lit, stroke=own.shaded, stroke_width=1.4
    )
    canvas.element(
        "path", d=f"M12 {top + 26}v-18a8 8 0 0 1 8 -8h660a8 8 0 0 1 8 8v18z", fill=own.plain
    )
    written(canvas, SEATS[side].upper(), (194, top + 13), 11, INK, weight=1.4)


def _draw_box(canvas: Canvas, box: Box, *, dashed: bool) -> None:
    canvas.rectangle(
        (box.left, box.top), box.wide, box.high, rx=6, fill=PAPER, fill_opacity=0.45,
        stroke="#5b5338", stroke_width=1.4, stroke_dasharray="7 4" if dashed else None,
    )  # fmt: skip
    if box.name.endswith(" to act"):
        return  # the marker that lies there says it
    if box.name.endswith(" losses"):
        canvas.write(_LOSSES, (box.left, box.top - 6), 7.5, anchor="start", colour=INK, weight=1.2)
        return
    size = 7.5 if width(box.name, 7.5) <= box.wide + 14 else 5.6
    x, _ = box.centre
    # A pile rises up and to the left: its name stands below it.
    y = box.top + box.high + 15 if dashed else box.top - 7
    canvas.write(box.name, (x, y), size, colour=INK, weight=1.2)
