"""Maps by name, made of the boards in one folder; nothing outside of it can be named."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, Place, RulesError
from hexmarshal.games.asl.boards import board_path
from hexmarshal.games.asl.layout import ROW, laid_out

if TYPE_CHECKING:
    from hexmarshal.games.asl.sight.view import Sight

__all__ = ["VARIABLE", "Atlas", "board_folder"]

VARIABLE = "HEXMARSHAL_ASL_BOARDS"
"""The environment variable that names the folder of boards."""

_BOARD = re.compile(
    r"([A-Za-z0-9_]{1,40})((?:@(?:flip|[A-Za-z]{1,3}-[A-Za-z]{1,3}|[0-9]{1,3}-[0-9]{1,3})){0,3})"
)
_MOST_BOARDS = 12
_KEPT = 6


def board_folder() -> Path | None:
    """Where the boards are: HEXMARSHAL_ASL_BOARDS, or nowhere."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None


class Atlas:
    """Maps such as `bd01@A-P+bd02@flip/bd03`: boards from left to right, rows after `/`."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.sight = lru_cache(maxsize=_KEPT)(self._sight)
        """The sight of a map by its name; the last few are kept."""

    def _sight(self, name: str) -> Sight:
        rows = [[_BOARD.fullmatch(board) for board in row.split("+")] for row in name.split(ROW)]
        if not all(board is not None for row in rows for board in row):
            raise _wrong(
                f"{name!r} is not a map", hint="name boards as in bd01 or bd01@A-P+bd02@flip/bd03"
            )
        if sum(map(len, rows)) > _MOST_BOARDS:
            raise _wrong(f"a map of more than {_MOST_BOARDS} boards")
        if self.folder is None:
            raise _wrong("there are no boards here", hint=f"set {VARIABLE} to their folder")
        words: list[str] = []
        for row in rows:
            words += [ROW] * bool(words)
            words += [f"{self._path(board[1])}{board[2]}" for board in row if board is not None]
        try:
            return laid_out(words).sight
        except HexMarshalError as error:
            raise self._told(error) from error

    def _path(self, name: str) -> Path:
        assert self.folder is not None
        try:
            return board_path(self.folder, name)
        except HexMarshalError as error:
            raise _wrong(error.message) from error

    def _told(self, error: HexMarshalError) -> RulesError:
        """The error without the paths of this machine: whoever asks may be far away."""
        board = Path(error.place.file).name if error.place.file else ""
        named = (
            f"{board}: {error.message}" if board and board not in error.message else error.message
        )
        place = Place(entry=error.place.entry, field="board", cell=error.place.cell)
        words = named.replace(f"{self.folder}{os.sep}", "")
        return RulesError(words, place=place, hint=error.hint)


def _wrong(message: str, hint: str = "") -> RulesError:
    return RulesError(message, place=Place(field="board"), hint=hint)
