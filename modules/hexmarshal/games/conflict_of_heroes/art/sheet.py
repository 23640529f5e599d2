"""The sheet beside the board: tracks for points and turns, decks, pools and boxes.

Its places are data, so that the picture and the grid of the module cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art.cards import CARD
from hexmarshal.games.conflict_of_heroes.art.colours import INK, PAPER, SIDES
from hexmarshal.games.conflict_of_heroes.art.hits import HIT
from hexmarshal.games.conflict_of_heroes.scene import camp
from hexmarshal.kit.drawing.canvas import Drawing
from hexmarshal.kit.drawing.lettering import width, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.geometry.svg.canvas import Canvas

__all__ = ["SEATS", "SHEET", "SHEETS", "Box", "Sheet", "Track", "sheet_svg"]

SHEET: Final = (700, 1296)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with a name."""

    name: str
    left: int
    top: int
    wide: int
    high: int

    @property
    def centre(self) -> tuple[int, int]:
        """Its middle."""
        return self.left + self.wide // 2, self.top + self.high // 2

    @property
    def corners(self) -> tuple[tuple[int, int], ...]:
        """Its corners, in order."""
        right, bottom = self.left + self.wide, self.top + self.high
        return (self.left, self.top), (right, self.top), (right, bottom), (self.left, bottom)


@dataclass(frozen=True, slots=True)
class Track:
    """Numbered boxes in rows; each box is named `<name> <number>`."""

    name: str
    side: str
    first: int
    last: int
    left: int
    top: int
    box: tuple[int, int]
    row: int

    def boxes(self) -> Iterator[tuple[int, Box]]:
        """Every box with its number."""
        wide, high = self.box
        for number in range(self.first, self.last + 1):
            row, column = divmod(number - self.first, self.row)
            at = self.left + column * wide, self.top + row * high
            yield number, Box(f"{self.name} {number}", *at, wide, high)

    @property
    def high(self) -> int:
        """How far it reaches down."""
        return self.box[1] * -(-(self.last - self.first + 1) // self.row)


def _tracks(sides: tuple[str, ...]) -> Iterator[Track]:
    for side, top in zip(sides, _PANELS, strict=True):
        title = SEATS[side]
        yield Track(f"{title} AP", side, 0, 13, 28, top + 50, (46, 46), 14)
        yield Track(f"{title} CAP", side, 0, 13, 28, top + 122, (46, 64), 14)
        yield Track(f"{title} VP", side, 0, 29, 28, top + 310, (43, 41), 15)


def _boxes(sides: tuple[str, ...]) -> Iterator[Box]:
    for side, top, left in zip(sides, _PANELS, (374, 530), strict=True):
        title = SEATS[side]
        yield Box(f"{title} to act", 20, top + 2, 116, 22)
        yield Box(f"{title} losses", 28, top + 208, 644, 76)
        yield Box(f"{title} reinforcements", left, 1130, 148, 150)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The places of one sheet."""

    name: str
    sides: tuple[str, ...]
    tracks: tuple[Track, ...]
    boxes: tuple[Box, ...]
    piles: tuple[Box, ...] = ()


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
    Sheet(
        "Tracks",
        _TWO,
        (Track("Turn", "", 1, 10, 28, 84, (64, 56), 10), *_tracks(_TWO)),
        (*_boxes(_TWO), Box("Exited", 566, 1016, 112, 84)),
        (
            Box("Cards", 40, 1034, *CARD),
            Box("Discard", 206, 1034, *CARD),
            Box("Foot hits", 390, 1012, HIT + 6, HIT + 6),
            Box("Vehicle hits", 478, 1012, HIT + 6, HIT + 6),
        ),
    ),
    Sheet("Tracks of the second forces", _MORE, tuple(_tracks(_MORE)), tuple(_boxes(_MORE))),
)
"""The sheet of every game, and the one that games for three or four players have besides."""
_HELP: Final = {"AP": "action points", "CAP": "command points", "VP": "victory points"}
_LOSSES: Final = "Losses: each costs a command point, but for trucks and wagons"


def sheet_svg(sheet: Sheet) -> str:
    """The sheet, empty."""
    canvas = Drawing(*SHEET)
    wide, high = SHEET
    canvas.rectangle((0, 0), wide, high, fill="#d9d0b4")
    canvas.rectangle((0, 0), wide, 44, fill="#3b4532")
    written(canvas, "CONFLICT OF HEROES", (wide / 2, 22), 15, "#f5eeda", weight=1.3)
    for side, top in zip(sheet.sides, _PANELS, strict=True):
        _panel(canvas, side, top)
    for track in sheet.tracks:
        _draw_track(canvas, track)
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
    written(canvas, SEATS[side].upper(), (SHEET[0] / 2, top + 13), 11, INK, weight=1.4)


def _draw_track(canvas: Canvas, track: Track) -> None:
    kind = track.name.rpartition(" ")[2]
    label = f"{kind}: {_HELP[kind]}" if kind in _HELP else track.name
    canvas.write(label, (track.left, track.top - 6), 7.5, anchor="start", colour=INK, weight=1.2)
    for number, box in track.boxes():
        canvas.rectangle(
            (box.left, box.top), box.wide, box.high, fill=PAPER, fill_opacity=0.75,
            stroke="#5b5338", stroke_width=1.2,
        )  # fmt: skip
        size = min(20.0, box.high * 0.36)
        written(canvas, str(number), box.centre, size, "#b5a77c", weight=1.3)


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
