"""Maps by name, made of the boards in one folder; nothing outside of it can be named."""

from __future__ import annotations

import os
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, Place, RulesError
from hexmarshal.games.asl.maps.layout import boards_of, map_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.asl.sight.view import Sight
    from hexmarshal.vassal.vasl.painting import Painting

__all__ = ["VARIABLE", "Atlas", "board_folder"]

VARIABLE = "HEXMARSHAL_ASL_BOARDS"
"""The environment variable that names the folder of boards."""

_MOST_BOARDS = 12
_MOST_KEPT = 16
"""Boards in all maps that are kept; each takes some twenty megabytes."""


def board_folder() -> Path | None:
    """Where the boards are: HEXMARSHAL_ASL_BOARDS, or nowhere."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None


class Atlas:
    """Maps such as `bd01@A-P+bd02@flip/bd03`: boards from left to right, rows after `/`."""

    def __init__(self, folder: Path | None, painted: Mapping[str, Painting] | None = None) -> None:
        self.folder = folder
        self.painted = painted or {}
        self._kept: OrderedDict[str, tuple[Sight, int]] = OrderedDict()
        self._lock = Lock()

    def sight(self, name: str) -> Sight:
        """The sight of a map by its name; the maps used last are kept, as many as have room."""
        with self._lock:
            if name in self._kept:
                self._kept.move_to_end(name)
                return self._kept[name][0]
        sight, count = self._sight(name)
        with self._lock:
            self._kept[name] = (sight, count)
            while sum(boards for _, boards in self._kept.values()) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return sight

    def _sight(self, name: str) -> tuple[Sight, int]:
        try:
            count = sum(map(len, boards_of(name)))
            if count > _MOST_BOARDS:
                raise _wrong(f"a map of more than {_MOST_BOARDS} boards")
            ours = {board for row in boards_of(name) for board, _ in row} <= set(self.painted)
            if self.folder is None and not ours:
                raise _wrong("there are no boards here", hint=f"set {VARIABLE} to their folder")
            return map_in(self.folder, name, painted=self.painted).sight, count
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
