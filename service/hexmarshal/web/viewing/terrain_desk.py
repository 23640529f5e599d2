"""A terrain file on the desk: changed cell by cell, undone, and saved if nobody else changed it."""

from __future__ import annotations

import hashlib
import os
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import BadInputError, GeometryError, OutputError, Place
from hexmarshal.geometry.terrain.points import exact_number
from hexmarshal.geometry.terrain.terrain_file import load, loads, named_sides
from hexmarshal.geometry.terrain.terrain_file_edit import CellEntry, TerrainText
from hexmarshal.geometry.values_with_lines import text_of
from hexmarshal.vassal.container.atomic import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["Change", "ChangedMeanwhileError", "TerrainDesk"]

_BOM: Final = b"\xef\xbb\xbf"
_LONGEST, _MOST_KINDS = 80, 12


class ChangedMeanwhileError(OutputError):
    """Somebody else changed the file, or another page the draft of it."""

    code = "changed-meanwhile"


@dataclass(frozen=True, slots=True)
class Change:
    """What a cell, or the side between two, shall be; what is None stays as it is."""

    cells: tuple[str, ...]
    terrain: tuple[str, ...] | None = None
    level: Any = None

    def __str__(self) -> str:
        told = [] if self.terrain is None else [", ".join(self.terrain) or "nothing"]
        told += [] if self.level is None else [f"level {self.level}"]
        return f"{'|'.join(self.cells)}: {', '.join(told)}"

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Change:
        """A change as a page asks for it."""
        cells = document.get("cells")
        terrain, level = document.get("terrain"), document.get("level")
        if not _words(cells, 2) or not cells:
            raise BadInputError("a change names a cell, or the two cells of a side")
        if terrain is not None and not _words(terrain, _MOST_KINDS):
            raise BadInputError(f"terrain is a list of at most {_MOST_KINDS} names")
        if level is not None:
            if len(cells) == 2:
                raise BadInputError("a side has no level")
            if isinstance(level, bool) or not isinstance(level, int | str):
                raise BadInputError("a level is a whole number, or a text such as 1/2")
            exact = exact_number(level if isinstance(level, int) else level[:20].strip(), "level")
            level = int(exact) if exact.denominator == 1 else exact
        if terrain is None and level is None:
            raise BadInputError("nothing is changed")
        return cls(tuple(cells), None if terrain is None else tuple(terrain), level)


def _words(value: object, most: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= most
        and all(isinstance(each, str) and 0 < len(each) <= _LONGEST for each in value)
    )


class TerrainDesk:
    """One terrain file, as it is on the disk and as it has been changed since."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.terrain: TerrainMap = load(path)
        self.version = 0
        self._lock = threading.Lock()
        self._begin(path.read_bytes())

    def _begin(self, data: bytes) -> None:
        self._disk, self._digest = data, _digest(data)
        self._text = self._saved = text_of(data, str(self.path))
        self._done: list[tuple[Change, str]] = []
        self._undone: list[tuple[Change, str]] = []
        self._at_save = 0

    @property
    def locked(self) -> str:
        """Why the file cannot be changed here; empty if it can."""
        if self._saved.encode() not in (self._disk, self._disk.removeprefix(_BOM)):
            return "only files in UTF-8 can be changed here"
        if self.path.exists() and not os.access(self.path, os.W_OK):
            return "the file may not be written"
        return ""

    def state(self) -> dict[str, Any]:
        """What a page shows of the draft."""
        return {
            "version": self.version,
            "locked": self.locked,
            "unsaved": self._text != self._saved,
            "undo": str(self._done[-1][0]) if self._done else "",
            "redo": str(self._undone[-1][0]) if self._undone else "",
        }

    # Changing

    def change(self, version: object, change: Change, *, declare: bool = False) -> None:
        """Make a change; `declare` takes in terrain that the file does not know yet."""
        with self._lock:
            self._expect(version)
            before = self._text
            self._show(self._with(TerrainText(before, str(self.path)), change, declare=declare))
            if self._text != before:
                self._done.append((change, before))
                self._undone.clear()

    def undo(self, version: object) -> None:
        """Take the last change back."""
        self._swap(version, self._done, self._undone, "there is nothing to take back")

    def redo(self, version: object) -> None:
        """Make the change again that was taken back."""
        self._swap(version, self._undone, self._done, "nothing was taken back")

    def _swap(
        self,
        version: object,
        of: list[tuple[Change, str]],
        onto: list[tuple[Change, str]],
        none: str,
    ) -> None:
        with self._lock:
            self._expect(version)
            if not of:
                raise BadInputError(none)
            change, text = of[-1]
            now = self._text
            self._show(text)
            of.pop()
            onto.append((change, now))

    def _expect(self, version: object) -> None:
        if self.locked:
            raise OutputError(self.locked, place=Place(file=self.path.name))
        if version != self.version:
            raise ChangedMeanwhileError(
                "another page has changed the map meanwhile", hint="look again, then go on"
            )

    def _show(self, text: str) -> None:
        """The draft's new text, if it is a map."""
        self.terrain = loads(text, file=self.path.name, folder=self.path.parent)
        self._text = text
        self.version += 1

    def _with(self, text: TerrainText, change: Change, *, declare: bool) -> str:
        if declare and change.terrain:
            text = text.with_kinds(change.terrain)
        if len(change.cells) == 2:
            return text.with_sides({self._side(text, change): change.terrain or ()}).text
        name = change.cells[0]
        self.terrain.cell(name)  # a name that the map does not have is refused with its place
        entry = text.entries().get(name, CellEntry())
        if change.terrain is not None:
            entry = replace(entry, terrain=change.terrain)
        if change.level is not None:
            entry = replace(entry, level=change.level)
        text = text.with_cells({name: entry})
        painted = text.painted()
        if painted.pop(name, None) is not None:  # from now on a person's, and painted over no more
            text = text.with_section("painted", painted)
        return text.text

    def _side(self, text: TerrainText, change: Change) -> str:
        """The name of a side in the file: the one that stands there, if it does."""
        one, other = (self.terrain.cell(name) for name in change.cells)
        if other not in (self.terrain.neighbours(one) or ()):
            raise GeometryError(f"{change.cells[0]} and {change.cells[1]} are not neighbours")
        side = self.terrain.tiling.side(one, other)
        return named_sides(text.source).get(side, "|".join(change.cells))

    # The file

    def save(self, version: object) -> None:
        """Write the draft to the file, unless the file is another than the one that was read."""
        with self._lock:
            self._expect(version)
            if self._read() != self._digest:
                raise ChangedMeanwhileError(
                    f"{self.path.name} was changed by somebody else; nothing was written",
                    hint="take their file in: your changes are then made to it",
                )
            mark = _BOM if self._disk.startswith(_BOM) else b""
            data = mark + self._text.encode()
            write_atomically(self.path, [data], own=self.path)
            self._disk, self._digest, self._saved = data, _digest(data), self._text
            self._at_save = len(self._done)

    def take_in(self) -> list[str]:
        """Read the file anew and make the changes that were not saved to it.

        What somebody else changed as well stays as they left it; returns those changes.
        """
        with self._lock:
            mine = [change for change, _ in self._done[self._at_save :]]
            back = self._undone[len(self._undone) - max(0, self._at_save - len(self._done)) :]
            old = TerrainText(self._saved, str(self.path))
            try:
                data = self.path.read_bytes()
            except OSError as why:
                raise OutputError(
                    f"cannot be read any more: {why.strerror or why}",
                    place=Place(file=self.path.name),
                ) from None
            text = text_of(data, str(self.path))
            self.terrain = loads(text, file=self.path.name, folder=self.path.parent)
            self._begin(data)
            self.version += 1
            theirs = TerrainText(text, str(self.path))
            left = [f"taken back: {change}" for change, _ in back]
            for change in mine:
                if self._said(old, change) != self._said(theirs, change):
                    left.append(str(change))
                    continue
                before = self._text
                try:
                    changed = self._with(TerrainText(before, str(self.path)), change, declare=True)
                    self._show(changed)
                except GeometryError:
                    left.append(str(change))
                else:
                    self._done.append((change, before))
            return left

    def _said(self, text: TerrainText, change: Change) -> object:
        """What a text says of the place of a change."""
        if len(change.cells) == 1:
            return text.entries().get(change.cells[0])
        rows = text.data.get("sides") or {}
        one, other = change.cells
        names = {f"{one}|{other}", f"{other}|{one}"}
        try:
            names.add(self._side(text, change))
        except GeometryError:
            return None
        return [rows[name] for name in sorted(names) if name in rows]

    def _read(self) -> str:
        try:
            return _digest(self.path.read_bytes())
        except OSError:
            return ""


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
