"""Boards as they are laid out on a table: `bd01@A-P`, `bd02@1-5@flip`; `/` begins a new row."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from hexmarshal.errors import UsageError
from hexmarshal.games.asl.boards import ReadyBoard, load
from hexmarshal.games.asl.sight.view import Sight
from hexmarshal.vassal.vasl.maps import crop, join

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.vassal.vasl.board import Board

__all__ = ["ROW", "laid_out"]

ROW = "/"
"""Stands between the boards of one row and those of the row below."""

_FLIP = "flip"
_COLUMNS = re.compile(r"([A-Z]{1,3})-([A-Z]{1,3})")
_ROWS = re.compile(r"(\d{1,3})-(\d{1,3})")


def laid_out(boards: Sequence[str], terrain: Path | None = None) -> ReadyBoard:
    """One board, or a map of several from left to right and from the top row to the bottom."""
    rows: list[list[str]] = [[]]
    for text in boards:
        if text == ROW:
            rows.append([])
        else:
            rows[-1].append(text)
    if not all(rows):
        raise UsageError(f"{ROW!r} stands between rows of boards")
    if len(boards) == 1 and "@" not in Path(boards[0]).name:
        return load(boards[0], terrain)
    placed = [[_placed(text, terrain) for text in row] for row in rows]
    whole = placed[0][0] if len(boards) == 1 else join(placed)
    return ReadyBoard(whole, Sight(whole), {})


def _placed(text: str, terrain: Path | None) -> Board:
    name, *changes = Path(text).name.split("@")
    if not name:
        raise UsageError(f"{text!r} names no board")
    board = load(Path(text).with_name(name), terrain).board
    flip = False
    for change in changes:
        columns, rows = _COLUMNS.fullmatch(change.upper()), _ROWS.fullmatch(change)
        if change == _FLIP:
            flip = not flip
        elif columns is not None:
            first, last = (_column(board, letters) for letters in columns.groups())
            board = crop(board, columns=(first, last))
        elif rows is not None:
            board = crop(board, rows=(int(rows[1]) - 1, int(rows[2]) - 1))
        else:
            raise UsageError(
                f"{text!r}: a board is changed by {change!r} in no way",
                hint="@flip turns it, @A-P keeps those columns, @1-5 those rows",
            )
    return board.flipped() if flip else board


def _column(board: Board, letters: str) -> int:
    """The number of a column on the board as it is now."""
    names = board.grid.names
    for index, name in enumerate(names):
        if name.split("/")[0].rstrip("0123456789").upper() == letters:
            return int(board.grid.column[index]) - int(board.grid.column.min())
    raise UsageError(f"{board.name} has no column {letters}")
