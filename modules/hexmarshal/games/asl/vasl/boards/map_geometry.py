"""Where the hexes of VASL's boards are on its map, pixel by pixel, and what hex a pixel is in.

The map has a margin around the boards. A board lies beside those of its row and below those of
its column; a reversed one is turned by half a turn after it was cropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from string import ascii_letters
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hexmarshal.errors import HexMarshalError, NotFoundError, Place, RulesError, UsageError
from hexmarshal.games.asl.maps.boards import board_path
from hexmarshal.games.asl.maps.changed_terrain import ChosenTerrain, terrain_words
from hexmarshal.vassal.render.board_picture import BoardCell
from hexmarshal.vassal.vasl.board import read_board

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from hexmarshal.games.asl.vasl.boards.board_command import BoardChoice
    from hexmarshal.vassal.vasl import Board

__all__ = [
    "MARGIN",
    "Located",
    "VaslMap",
    "board_places",
    "check_layout",
    "vasl_map",
    "whole_crop",
    "zoomed",
]

MARGIN: Final = 400
"""The pixels between the boards and the edge of the map, on every side."""
_SLACK: Final = 2.0
"""Hexes whose centres are this near to a cut are part of what is left."""
_EDGE: Final = 3
_OVERHANG: Final = 100
"""So many pixels may a crop reach past the edge of its board."""
_SMALLEST, _LARGEST = 0.1, 8
_MOST_BOARDS: Final = 24
_HEX: Final = re.compile(r"[A-Za-z]{1,3}[0-9]{1,2}$")
_AT_CENTRE: Final = 0.35
_NEAR_VERTEX: Final = 0.75
"""As parts of the way from the centre to a vertex: farther out is at the vertex."""


class Located(NamedTuple):
    """What a pixel of the map is."""

    cell: str
    """The hex, named as positions on this map name it."""
    vertex: int | None
    """The vertex that it is at; None about the centre."""
    off_centre: float
    """How far from the centre, as a part of the way to a vertex."""


@dataclass(frozen=True)
class PlacedBoard:
    """One board of the map with its pixels."""

    choice: BoardChoice
    board: Board
    """Whole and upright, its terrain unchanged."""
    x: int
    y: int
    terrain: ChosenTerrain
    """What overlays and changes of terrain can be made, and which not."""

    @cached_property
    def size(self) -> tuple[int, int]:
        """How wide and high it is on the map."""
        return _size(self.choice, self.board)

    def covers(self, x: int, y: int, beyond: int = 0) -> bool:
        """Whether a pixel of the map is on it, or so far beyond its edge."""
        wide, high = self.size
        return (
            self.x - beyond <= x < self.x + wide + beyond
            and self.y - beyond <= y < self.y + high + beyond
        )

    def inside(self, x: int, y: int) -> tuple[float, float]:
        """A pixel of the map as one of the whole upright board."""
        px, py = float(x - self.x), float(y - self.y)
        wide, high = self.size
        if self.choice.reversed:
            px, py = wide - px, high - py
        px, py = px / self.choice.zoom, py / self.choice.zoom
        crop = self.choice.crop
        return px + (crop.x if crop else 0), py + (crop.y if crop else 0)

    def outside(self, px: float, py: float) -> tuple[int, int]:
        """The other way round."""
        crop = self.choice.crop
        px, py = px - (crop.x if crop else 0), py - (crop.y if crop else 0)
        px, py = px * self.choice.zoom, py * self.choice.zoom
        wide, high = self.size
        if self.choice.reversed:
            px, py = wide - px, high - py
        return self.x + int(px), self.y + int(py)

    @cached_property
    def kept(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which hexes of the board are left after the crop."""
        grid, crop = self.board.grid, self.choice.crop
        kept = np.ones(len(grid.names), np.bool_)
        if crop is None:
            return kept
        for centres, first, length in (
            (grid.x / grid.scale, crop.x, crop.width),
            (grid.y / grid.scale, crop.y, crop.height),
        ):
            if length > 0:
                kept &= (centres >= first - _SLACK) & (centres <= first + length + _SLACK)
        return kept

    @property
    def changes(self) -> str:
        """Crop, turn and terrain as names of maps write them: `@A-P@flip@NoGrain`."""
        words = ""
        grid, crop = self.board.grid, self.choice.crop
        if crop is not None and crop.width > 0:
            columns = grid.column[self.kept]
            ends = (columns.min(), columns.max())
            words += "@" + "-".join(_letters(self.board, int(column)) for column in ends)
        if crop is not None and crop.height > 0:
            first = np.flatnonzero(self.kept & (grid.column == grid.column[self.kept].min()))
            numbers = [int(grid.names[i].lstrip(ascii_letters)) for i in first.tolist()]
            words += f"@{min(numbers)}-{max(numbers)}"
        words += "@flip" * self.choice.reversed
        return words + "".join(f"@{word}" for word in self.terrain.words)


@dataclass(frozen=True)
class VaslMap:
    """The boards of a save."""

    placed: tuple[PlacedBoard, ...]

    @cached_property
    def name(self) -> str:
        """The map as positions name it."""
        rows: dict[int, dict[int, PlacedBoard]] = {}
        for one in self.placed:
            rows.setdefault(one.choice.row, {})[one.choice.column] = one
        return "/".join(
            "+".join(f"{row[c].choice.file}{row[c].changes}" for c in sorted(row))
            for _, row in sorted(rows.items())
        )

    def locate(self, x: int, y: int) -> Located | None:
        """The hex of a pixel; None off the boards.

        The centres of half hexes lie on the edge of their board, and may be rounded past it.
        """
        for beyond in (0, _EDGE):
            for one in self.placed:
                if one.covers(x, y, beyond):
                    return self._on(one, *one.inside(x, y))
        return None

    def _on(self, one: PlacedBoard, px: float, py: float) -> Located:
        grid = one.board.grid
        dx, dy = grid.x / grid.scale - px, grid.y / grid.scale - py
        away = np.where(one.kept, dx * dx + dy * dy, np.inf)
        index = int(np.argmin(away))
        radius = float(grid.hex_width) / grid.scale / 1.5
        off = float(np.sqrt(away[index])) / radius
        vertex = None
        if off > _NEAR_VERTEX:
            spokes = np.array(grid.spokes) / grid.scale
            gaps = np.hypot(spokes[:, 0] + dx[index], spokes[:, 1] + dy[index])
            turn = 3 if one.choice.reversed else 0
            vertex = (int(np.argmin(gaps)) + turn) % 6
        return Located(self.cell(one, index), vertex, off)

    def cell(self, one: PlacedBoard, index: int) -> str:
        """A hex of a board as positions on this map name it."""
        name = one.board.grid.names[index]
        return name if len(self.placed) == 1 else f"{self._title(one)}:{name}"

    def outlines(self) -> Iterator[BoardCell]:
        """Every hex that is left on the boards, with its corners."""
        for one in self.placed:
            grid = one.board.grid
            longer = (-1 if one.choice.reversed else 1) * float(one.choice.zoom) / grid.scale
            spokes = [(float(dx) * longer, float(dy) * longer) for dx, dy in grid.spokes]
            for index in np.flatnonzero(one.kept).tolist():
                x, y = one.outside(grid.x[index] / grid.scale, grid.y[index] / grid.scale)
                corners = tuple((x + dx, y + dy) for dx, dy in spokes)
                yield BoardCell(self.cell(one, index), (x, y), corners)

    def _title(self, one: PlacedBoard) -> str:
        """The board's name, with a number if the map has several of that name."""
        same = [other for other in _in_order(self.placed) if other.choice.name == one.choice.name]
        number = same.index(one)
        return one.choice.file if number == 0 else f"{one.choice.file}#{number + 1}"

    def typed(self, text: str) -> str:
        """A hex as players write it (`K5`, `57K5`, `bd57:K5`) with its board named."""
        text = text.strip()
        if ":" in text or len(self.placed) == 1:
            return text
        names = [one.choice.name for one in self.placed]
        rest = text.removeprefix("bd")
        for name in sorted(names, key=len, reverse=True):
            if rest.upper().startswith(name.upper()) and _HEX.search(text) is not None:
                return f"bd{name}:{rest[len(name) :]}"
        raise UsageError(
            f"{text[:40]!r} does not say on which board it is",
            hint=f"boards: {', '.join(names)}; write {names[0]}K5 or bd{names[0]}:K5",
        )

    def point(self, cell: str) -> tuple[int, int]:
        """Where VASL puts counters of a hex: its centre, in pixels of the map."""
        name, _, hex_name = cell.partition("/")[0].rpartition(":")
        for one in self.placed:
            if len(self.placed) == 1 or self._title(one) == name:
                index = one.board.hex(hex_name)
                grid = one.board.grid
                return one.outside(grid.x[index] / grid.scale, grid.y[index] / grid.scale)
        text = f"there is no board {name!r} on the map" if name else "its board is not named"
        raise NotFoundError(text, place=Place(cell=cell))


def vasl_map(boards: Sequence[BoardChoice], folder: Path | None) -> VaslMap:
    """The boards of a save, from the archives in a folder."""
    check_layout(boards)
    read: list[tuple[BoardChoice, Board]] = []
    for choice in boards:
        if folder is None:
            raise NotFoundError(
                f"the save is played on the board {choice.file}, and no folder of boards is known",
                hint="--board-dir or HEXMARSHAL_ASL_BOARDS names the folder where VASL keeps them",
            )
        try:
            read.append((choice, read_board(board_path(folder, choice.file))))
        except NotFoundError:
            raise NotFoundError(
                f"the board file {choice.file[:60]} is missing",
                place=Place(field="boards"),
                hint="VASL downloads it when the board is chosen there",
            ) from None
        except HexMarshalError as error:
            # Whoever sent the save may be far from the folder: its path is not told.
            place = Place(entry=choice.file, cell=error.place.cell)
            raise type(error)(error.message, place=place, hint=error.hint) from error
    sizes = [_size(choice, board) for choice, board in read]
    places = board_places(boards, sizes)
    placed = tuple(
        PlacedBoard(choice, board, x, y, terrain_words(board, choice.rules, choice.overlays))
        for (choice, board), (x, y) in zip(read, places, strict=True)
    )
    for one in placed:
        if not one.kept.any():
            raise RulesError(
                f"the board {one.choice.file} is cropped to nothing", place=Place(field="boards")
            )
    return VaslMap(placed)


def check_layout(boards: Sequence[BoardChoice]) -> None:
    """Refuse what no map is, before any board is read."""
    if len(boards) > _MOST_BOARDS:
        raise RulesError(
            f"a map of {len(boards)} boards; {_MOST_BOARDS} can be", place=Place(field="boards")
        )
    if len({(choice.column, choice.row) for choice in boards}) != len(boards):
        raise UsageError(
            "two boards of the save lie at the same place", place=Place(field="boards")
        )


def board_places(
    boards: Sequence[BoardChoice], sizes: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Where boards of these sizes lie: beside those of their row, below those of their column."""
    check_layout(boards)
    pairs = list(zip(boards, sizes, strict=True))
    return [
        (
            MARGIN + sum(w for o, (w, _) in pairs if o.row == c.row and 0 <= o.column < c.column),
            MARGIN + sum(h for o, (_, h) in pairs if o.column == c.column and 0 <= o.row < c.row),
        )
        for c in boards
    ]


def whole_crop(choice: BoardChoice, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """What of a board of that size is left, in its own pixels: where it begins, and its size."""
    crop = choice.crop
    if crop is None:
        return (0, 0, *size)
    left, wide = _kept_length(choice, crop.x, crop.width, size[0])
    top, high = _kept_length(choice, crop.y, crop.height, size[1])
    return left, top, wide, high


def _kept_length(choice: BoardChoice, first: int, length: int, whole: int) -> tuple[int, int]:
    """Where a cut begins and how long it is, if the board has that much."""
    length = length if length > 0 else whole
    # VASL itself cuts past the edge by as much as half a hex.
    if first < -_OVERHANG or first + length > whole + _OVERHANG:
        cut = f"cropped to the pixels {first} to {first + length}"
        raise RulesError(
            f"the board {choice.file} is {cut}, and has {whole}",
            place=Place(field="boards"),
            hint="the save may have been made with another version of the board",
        )
    return first, length


def _size(choice: BoardChoice, board: Board) -> tuple[int, int]:
    _, _, wide, high = whole_crop(choice, (board.grid.width, board.grid.height))
    return zoomed(choice, (wide, high))


def zoomed(choice: BoardChoice, size: tuple[int, int]) -> tuple[int, int]:
    """The size of a board on the map, if it is shown enlarged."""
    if not _SMALLEST <= choice.zoom <= _LARGEST:
        raise RulesError(
            f"the board {choice.file} is shown {choice.zoom:g} times as large",
            place=Place(field="boards"),
            hint="save the game with boards in their own size",
        )
    wide, high = size
    return (
        (wide, high) if choice.zoom == 1 else (round(wide * choice.zoom), round(high * choice.zoom))
    )


def _in_order(placed: Sequence[PlacedBoard]) -> list[PlacedBoard]:
    return sorted(placed, key=lambda one: (one.choice.row, one.choice.column))


def _letters(board: Board, column: int) -> str:
    index = int(np.flatnonzero(board.grid.column == column)[0])
    return board.grid.names[index].rstrip("0123456789")
