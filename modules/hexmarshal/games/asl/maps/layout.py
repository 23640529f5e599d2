"""What users type for boards, maps and hexes: `bd01@A-P`, `bd02@1-5@flip@NoGrain`, `K5^1`."""

from __future__ import annotations

import re
from pathlib import Path
from string import ascii_letters, digits
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.errors import NotFoundError, UsageError
from hexmarshal.games.asl.maps.boards import ReadyBoard, board_path, load, ready_painting
from hexmarshal.games.asl.maps.changed_terrain import with_terrain
from hexmarshal.games.asl.sight.view import Sight, Spot
from hexmarshal.vassal.vasl.board import read_board
from hexmarshal.vassal.vasl.catalogue import catalogue_from
from hexmarshal.vassal.vasl.maps import crop, join

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hexmarshal.vassal.vasl.board import Board
    from hexmarshal.vassal.vasl.painting import Painting

__all__ = ["ROW", "boards_of", "is_shape", "laid_out", "map_in", "typed_spot"]

ROW = "/"
"""Stands between the boards of one row and those of the row below."""

_SHOWN = 80
"""So much of what is no map is told again."""
_BESIDE, _CHANGE, _FLIP = "+", "@", "flip"
_BOARD = re.compile(
    r"([A-Za-z0-9_](?:[A-Za-z0-9_. &-]{0,38}[A-Za-z0-9_-])?)((?:@[A-Za-z0-9_.-]+){0,40})"
)
_COLUMNS = re.compile(r"([A-Z]{1,3})-([A-Z]{1,3})")
_ROWS = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")


def typed_spot(text: str, level: int) -> Spot:
    """A hex, or one of its vertices, as in `K5` and `K5^1`."""
    name, caret, vertex = text.partition("^")
    if caret and not re.fullmatch("[0-5]", vertex):
        raise UsageError(f"{text!r}: a vertex is ^0 to ^5", hint="0 is the left one at the top")
    return Spot(name, level, int(vertex) if caret else None)


def boards_of(name: str) -> list[list[tuple[str, str]]]:
    """The boards of a map such as `bd01@A-P+bd02@flip/bd03`, row by row, each with its changes."""
    rows = [
        [_BOARD.fullmatch(board.strip()) for board in row.split(_BESIDE)] for row in name.split(ROW)
    ]
    named = [[(board[1], board[2]) for board in row if board is not None] for row in rows]
    if list(map(len, named)) != list(map(len, rows)):
        raise UsageError(
            f"{name[:_SHOWN]!r} is not a map",
            hint="name boards as in bd01 or bd01@A-P+bd02@flip/bd03",
        )
    return named


def map_in(
    folder: Path | None,
    name: str,
    terrain: Path | None = None,
    painted: Mapping[str, Painting] | None = None,
) -> ReadyBoard:
    """The map of a name such as `bd01@A-P+bd02@flip/bd03`, made of the boards in a folder.

    Painted boards stand in for those that the folder does not have.
    """
    named = boards_of(name)
    own = {
        board: found
        for row in named
        for board, _ in row
        if (found := _ours(folder, board, painted))
    }
    if own:
        return _partly_painted(folder, named, own, terrain)
    if folder is None:
        raise NotFoundError(f"there is no board {named[0][0][0]}")
    words: list[str] = []
    for row in boards_of(name):
        words += [ROW] * bool(words)
        words += [f"{board_path(folder, board)}{changes}" for board, changes in row]
    return laid_out(words, terrain)


def _ours(
    folder: Path | None, board: str, painted: Mapping[str, Painting] | None
) -> Painting | None:
    if painted is None or board not in painted:
        return None
    try:
        if folder is not None:
            board_path(folder, board)
            return None
    except NotFoundError:
        pass
    return painted[board]


def _partly_painted(
    folder: Path | None,
    named: Sequence[Sequence[tuple[str, str]]],
    painted: Mapping[str, Painting],
    terrain: Path | None,
) -> ReadyBoard:
    if len(named) == 1 and len(named[0]) == 1 and not named[0][0][1]:
        return ready_painting(painted[named[0][0][0]])
    rows = []
    for row in named:
        boards = []
        for name, changes in row:
            words = [change for change in changes.split(_CHANGE) if change]
            if name in painted:
                board = painted[name].board()
            else:
                if folder is None:
                    raise NotFoundError(f"there is no board {name}")
                catalogue = None if terrain is None else catalogue_from(terrain)
                board = read_board(board_path(folder, name), catalogue)
            boards.append(_changed(board, words, name))
        rows.append(boards)
    single = len(rows) == 1 and len(rows[0]) == 1
    whole = rows[0][0] if single else join(rows)
    return ReadyBoard(whole, Sight(whole), {})


def laid_out(
    boards: Sequence[str], terrain: Path | None = None, folder: Path | None = None
) -> ReadyBoard:
    """One board, or a map of several from left to right and from the top row to the bottom.

    A board is a file, or the name of one in the folder.
    """
    rows: list[list[str]] = [[]]
    for text in boards:
        if text == ROW:
            rows.append([])
        else:
            rows[-1].append(text)
    if not all(rows):
        raise UsageError(f"{ROW!r} stands between rows of boards")
    if len(boards) == 1 and not _parts(boards[0])[1]:
        return load(_archive(boards[0], folder), terrain)
    placed = [[_placed(text, terrain, folder) for text in row] for row in rows]
    whole = placed[0][0] if len(boards) == 1 else join(placed)
    return ReadyBoard(whole, Sight(whole), {})


def _parts(text: str) -> tuple[str, list[str]]:
    """The board and how it is changed; a file may have the sign of a change in its name."""
    path = Path(text)
    if _CHANGE not in path.name or path.is_file():
        return text, []
    name, *changes = path.name.split(_CHANGE)
    if not name:
        raise UsageError(f"{text!r} names no board")
    return str(path.with_name(name)), changes


def _archive(text: str, folder: Path | None) -> Path:
    path = Path(text)
    if folder is None or path.is_file() or path.name != text:
        return path
    return board_path(folder, text)


def _placed(text: str, terrain: Path | None, folder: Path | None) -> Board:
    name, changes = _parts(text)
    # What takes longest to make ready, the lines of the board alone, is no use in a map.
    catalogue = None if terrain is None else catalogue_from(terrain)
    return _changed(read_board(_archive(name, folder), catalogue), changes, text)


def _changed(board: Board, changes: Sequence[str], text: str) -> Board:
    """The board cropped, turned and with the terrain that its name says.

    Terrain is changed on the whole board, wherever in the name that stands.
    """
    shape = [change for change in changes if is_shape(change)]
    words = [change for change in changes if not is_shape(change)]
    if words:
        found = with_terrain(board, words)
        if found is None:
            unknown = next((w for w in words if with_terrain(board, [w]) is None), words[0])
            raise UsageError(
                f"{text[:_SHOWN]!r}: a board is changed by {unknown[:_SHOWN]!r} in no way",
                hint="@flip turns it, @A-P keeps those columns, @1-5 those rows,"
                " @NoGrain and other names of VASL's change terrain",
            )
        board = found
    flip = False
    for change in shape:
        columns, rows = _COLUMNS.fullmatch(change.upper()), _ROWS.fullmatch(change)
        if columns is not None:
            first, last = (_column(board, letters) for letters in columns.groups())
            board = crop(board, columns=(first, last))
        elif rows is not None:
            top, bottom = (_row(board, int(number)) for number in rows.groups())
            board = crop(board, rows=(top, bottom))
        else:
            flip = not flip
    return board.flipped() if flip else board


def is_shape(change: str) -> bool:
    """Whether a word of a board's name turns or crops it."""
    return (
        change.lower() == _FLIP
        or _COLUMNS.fullmatch(change.upper()) is not None
        or _ROWS.fullmatch(change) is not None
    )


def _column(board: Board, letters: str) -> int:
    """The number of a column on the board as it is now."""
    grid = board.grid
    for name, column in zip(grid.names, grid.column.tolist(), strict=True):
        if name.rstrip(digits).upper() == letters:
            return int(column - grid.column.min())
    raise UsageError(f"{board.name} has no column {letters}")


def _row(board: Board, number: int) -> int:
    """How many rows lie above the one of that number in the first column."""
    grid = board.grid
    first = np.flatnonzero(grid.column == grid.column.min())
    order = first[np.argsort(grid.half_row[first])].tolist()
    numbers = [int(grid.names[index].lstrip(ascii_letters)) for index in order]
    if number not in numbers:
        raise UsageError(
            f"{board.name} has no row {number}", hint=f"rows {numbers[0]} to {numbers[-1]}"
        )
    return numbers.index(number)
