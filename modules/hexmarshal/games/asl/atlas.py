"""Maps by name, made of the boards in one folder; nothing outside of it can be named."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, Place, RulesError
from hexmarshal.games.asl.layout import boards_of, map_in

if TYPE_CHECKING:
    from hexmarshal.games.asl.sight.view import Sight

__all__ = ["VARIABLE", "Atlas", "board_folder"]

VARIABLE = "HEXMARSHAL_ASL_BOARDS"
"""The environment variable that names the folder of boards."""

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
        try:
            count = sum(map(len, boards_of(name)))
            if count > _MOST_BOARDS:
                raise _wrong(f"a map of more than {_MOST_BOARDS} boards")
            if self.folder is None:
                raise _wrong("there are no boards here", hint=f"set {VARIABLE} to their folder")
            return map_in(self.folder, name).sight
        except RulesError:
            raise
        except HexMarshalError as error:
            raise self._told(error) from error

    def _told(self, error: HexMarshalError) -> RulesError:
        """The error without the paths of this machine: whoever asks may be far away."""
        file = Path(error.place.file or "")
        board = "" if file == self.folder else file.name
        named = (
            f"{board}: {error.message}" if board and board not in error.message else error.message
        )
        place = Place(entry=error.place.entry, field="board", cell=error.place.cell)
        words = named.replace(f"{self.folder}{os.sep}", "")
        return RulesError(words, place=place, hint=error.hint)


def _wrong(message: str, hint: str = "") -> RulesError:
    return RulesError(message, place=Place(field="board"), hint=hint)
