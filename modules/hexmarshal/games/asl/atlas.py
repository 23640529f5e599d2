"""Maps by name, made of the boards in one folder; nothing outside of it can be named."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, Place, RulesError
from hexmarshal.games.asl.boards import board_path, load
from hexmarshal.games.asl.sight.view import Sight
from hexmarshal.vassal.vasl.maps import join

if TYPE_CHECKING:
    from hexmarshal.vassal.vasl import Board

__all__ = ["VARIABLE", "Atlas", "board_folder"]

VARIABLE = "HEXMARSHAL_ASL_BOARDS"
"""The environment variable that names the folder of boards."""

_FLIP = "@flip"
_BOARD = re.compile(r"[A-Za-z0-9_]{1,40}(@flip)?")
_MOST_BOARDS = 12
_KEPT = 6
_FIELD = Place(field="board")


def board_folder() -> Path | None:
    """Where the boards are: HEXMARSHAL_ASL_BOARDS, or nowhere."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None


class Atlas:
    """Maps such as `bd01` or `bd01+bd02@flip/bd03`: boards from left to right, rows after `/`."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.sight = lru_cache(maxsize=_KEPT)(self._sight)
        """The sight of a map by its name; the last few are kept."""

    def _sight(self, name: str) -> Sight:
        rows = [row.split("+") for row in name.split("/")]
        boards = [board for row in rows for board in row]
        if not all(_BOARD.fullmatch(board) for board in boards):
            raise RulesError(
                f"{name!r} is not a map",
                place=_FIELD,
                hint="name boards as in bd01 or bd01+bd02@flip/bd03",
            )
        if len(boards) > _MOST_BOARDS:
            raise RulesError(f"a map of more than {_MOST_BOARDS} boards", place=_FIELD)
        if self.folder is None:
            raise RulesError(
                "there are no boards here", place=_FIELD, hint=f"set {VARIABLE} to their folder"
            )
        if len(boards) == 1 and not name.endswith(_FLIP):
            return self._load(name)
        placed = [[self._board(board) for board in row] for row in rows]
        try:
            whole = placed[0][0] if len(boards) == 1 else join(placed)
        except HexMarshalError as error:
            raise _told(name, error) from error
        return Sight(whole)

    def _board(self, name: str) -> Board:
        board = self._load(name.removesuffix(_FLIP)).board
        return board.flipped() if name.endswith(_FLIP) else board

    def _load(self, name: str) -> Sight:
        assert self.folder is not None
        try:
            return load(board_path(self.folder, name)).sight
        except HexMarshalError as error:
            raise _told(name, error) from error


def _told(name: str, error: HexMarshalError) -> RulesError:
    """The error without the paths of the machine: whoever asks may be far away."""
    place = Place(entry=error.place.entry, field="board", cell=error.place.cell)
    return RulesError(f"board {name}: {error.message}", place=place, hint=error.hint)
