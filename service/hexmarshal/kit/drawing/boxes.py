"""The sheet beside the map: boxes, tracks and piles.

Its places are data, so that the picture and the grid of the module cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.kit.drawing.canvas import Drawing, fitted, written
from hexmarshal.kit.drawing.colours import INK, PAPER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hexmarshal.kit.drawing.canvas import Canvas

__all__ = ["RIM", "Box", "Row", "Sheet", "Track", "laid_out"]

RIM: Final = 26
"""What the bars cover of a window that the engine makes as large as its sheet."""
_GAP: Final = 10
_TITLE: Final = 46
_LABEL: Final = 18
_EDGE: Final = "#6d6350"
NEUTRAL: Final = "#e9e2cb"
_GROUND: Final = "#efe6cc"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with a name; `title` is printed in it, `dashed` outlines are those of piles."""

    name: str
    left: int = 0
    top: int = 0
    wide: int = 0
    high: int = 0
    title: str = ""
    ground: str = NEUTRAL
    dashed: bool = False

    @property
    def centre(self) -> tuple[int, int]:
        """Its middle."""
        return self.left + self.wide // 2, self.top + self.high // 2

    @property
    def corners(self) -> tuple[tuple[int, int], ...]:
        """Its corners, in order."""
        right, bottom = self.left + self.wide, self.top + self.high
        return (self.left, self.top), (right, self.top), (right, bottom), (self.left, bottom)

    def corner(self, size: int) -> tuple[int, int]:
        """The middle of a piece in the lower right corner, clear of what is printed."""
        return self.left + self.wide - size // 2 - 4, self.top + self.high - size // 2 - 4

    def place(self, number: int, size: int) -> tuple[int, int]:
        """The middle of the n-th piece laid into the box, row by row; full boxes stack up."""
        step = size + 3
        across = max(1, (self.wide - 8) // step)
        down = max(1, (self.high - 28) // step)
        slot = number % (across * down)
        x = self.left + 6 + step // 2 + (slot % across) * step
        return x, self.top + 24 + step // 2 + (slot // across) * step

    def draw(self, canvas: Canvas) -> None:
        """Draw the box with its title."""
        canvas.rectangle(
            (self.left, self.top), self.wide, self.high, rx=7, fill=self.ground, stroke=_EDGE,
            stroke_width=1.6, stroke_dasharray="7 4" if self.dashed else None,
        )  # fmt: skip
        size = fitted(self.title, 8.2, self.wide - 14)
        at = (self.left + 8, self.top + 17)
        canvas.write(self.title, at, size, anchor="start", weight=1.3, colour=INK)


@dataclass(frozen=True, slots=True)
class Track:
    """Numbered boxes in rows; each box is named `<name> <number>`."""

    name: str
    first: int
    last: int
    left: int = 0
    top: int = 0
    box: tuple[int, int] = (0, 0)
    row: int = 0
    label: str = ""
    ground: str = PAPER

    def boxes(self) -> Iterator[tuple[int, Box]]:
        """Every box with its number."""
        wide, high = self.box
        for number in range(self.first, self.last + 1):
            row, column = divmod(number - self.first, self.row)
            at = self.left + column * wide, self.top + row * high
            yield number, Box(f"{self.name} {number}", *at, wide, high)

    @property
    def wide(self) -> int:
        """How far it reaches to the right."""
        return self.box[0] * min(self.row, self.last - self.first + 1)

    @property
    def high(self) -> int:
        """How far it reaches down."""
        return self.box[1] * -(-(self.last - self.first + 1) // self.row)

    @property
    def corners(self) -> tuple[tuple[int, int], ...]:
        """Its outline, for a zone."""
        return Box(self.name, self.left, self.top, self.wide, self.high).corners

    def draw(self, canvas: Canvas) -> None:
        """Draw the boxes with their numbers, and the label above."""
        label = self.label or self.name
        at = (self.left, self.top - 6)
        canvas.write(label, at, 7.5, anchor="start", colour=INK, weight=1.2)
        for number, box in self.boxes():
            canvas.rectangle(
                (box.left, box.top), box.wide, box.high, fill=self.ground, fill_opacity=0.75,
                stroke="#5b5338", stroke_width=1.2,
            )  # fmt: skip
            size = min(20.0, box.high * 0.36)
            written(canvas, str(number), box.centre, size, "#b5a77c", weight=1.3)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The places of one sheet; `piles` are boxes that decks and cups lie in."""

    name: str
    size: tuple[int, int]
    tracks: tuple[Track, ...] = ()
    boxes: tuple[Box, ...] = ()
    piles: tuple[Box, ...] = ()
    ground: str = _GROUND
    ink: str = "#7a2a20"

    def box(self, name: str) -> Box:
        """The box, pile or numbered place of this name."""
        every = (*self.boxes, *self.piles, *(b for t in self.tracks for _, b in t.boxes()))
        return next(box for box in every if box.name == name)

    def svg(self, more: Callable[[Canvas], None] | None = None, *, rim: int = 0) -> str:
        """The sheet, empty; `more` draws onto it what is the game's own.

        A `rim` is left free to the right and below.
        """
        size = self.size[0] + rim, self.size[1] + rim
        canvas = Drawing(*size)
        canvas.rectangle((0, 0), *size, fill=self.ground)
        height = fitted(self.name.upper(), 20, self.size[0] - 24)
        canvas.write(
            self.name.upper(), (12, 36), height, anchor="start", weight=1.6, colour=self.ink
        )
        for track in self.tracks:
            track.draw(canvas)
        for box in (*self.boxes, *self.piles):
            box.draw(canvas)
        if more is not None:
            more(canvas)
        return canvas.svg(self.name)


@dataclass(frozen=True, slots=True)
class Row:
    """Boxes side by side, as wide as the sheet together, or as their own width says."""

    high: int
    boxes: tuple[Box, ...]


def laid_out(name: str, wide: int, rows: Sequence[Row | Track], *, ground: str = "") -> Sheet:
    """A sheet of rows of boxes and of tracks, one below the other, none of them placed yet.

    Boxes without a width share what is left of their row; tracks get boxes that fill the width.
    """
    top, tracks, boxes = _TITLE, list[Track](), list[Box]()
    for row in rows:
        if isinstance(row, Track):
            top += _LABEL
            placed = _placed(row, top, wide)
            tracks.append(placed)
            top += placed.high + _GAP
        else:
            boxes += _beside(row, top, wide)
            top += row.high + _GAP
    return Sheet(
        name,
        (wide, top),
        tuple(tracks),
        tuple(box for box in boxes if not box.dashed),
        tuple(box for box in boxes if box.dashed),
        ground or _GROUND,
    )


def _placed(track: Track, top: int, wide: int) -> Track:
    count = track.last - track.first + 1
    row = track.row or min(count, max(1, (wide - 2 * _GAP) // 46))
    across = track.box[0] or min(90, (wide - 2 * _GAP) // row)
    return replace(track, left=_GAP, top=top, row=row, box=(across, track.box[1] or across))


def _beside(row: Row, top: int, wide: int) -> Iterable[Box]:
    room = wide - _GAP * (len(row.boxes) + 1) - sum(box.wide for box in row.boxes)
    free = sum(1 for box in row.boxes if not box.wide)
    left = _GAP
    for box in row.boxes:
        across = box.wide or room // free
        yield replace(box, left=left, top=top, wide=across, high=row.high)
        left += across + _GAP
