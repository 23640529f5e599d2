"""Changes terrain in the text of a terrain file, and leaves all else of it as a person wrote it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.terrain.terrain_file_dump import flow, word
from hexmarshal.geometry.values_with_lines import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hexmarshal.geometry.values_with_lines import Sourced

__all__ = ["CellEntry", "TerrainText"]

_COMMENT: Final = re.compile(r"\s+#.*$")
_KEY: Final = re.compile(r"""\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#:][^#]*?)\s*:(?=\s|$)""")
"""A key as it is written, with its indentation and its quotes."""


@dataclass(frozen=True, slots=True)
class CellEntry:
    """What a file says of a cell: its terrain, and its level as it is written."""

    terrain: tuple[str, ...] = ()
    level: Any = 0

    @classmethod
    def of(cls, row: Any) -> CellEntry:  # noqa: ANN401 - any form that the schema admits
        """The entry of a row of the file."""
        level: Any = 0
        if isinstance(row, dict):
            level, row = row.get("level", 0), row.get("terrain", [])
        return cls((row,) if isinstance(row, str) else tuple(row or ()), level)

    def __str__(self) -> str:
        names = [word(name) for name in self.terrain]
        shown = names[0] if len(names) == 1 else f"[{', '.join(names)}]"
        if not self.level:
            return shown
        level = flow(self.level)
        return f"{{terrain: {shown}, level: {level}}}" if names else f"{{level: {level}}}"


class TerrainText:
    """The text of a terrain file, changed line by line."""

    def __init__(self, text: str, file: str | None = None) -> None:
        self.text, self.file = text, file
        self.source: Sourced = read_yaml(text, file)
        self.data: dict[str, Any] = self.source.value if isinstance(self.source.value, dict) else {}

    def entries(self) -> dict[str, CellEntry]:
        """What it says of each cell that it lists."""
        return {name: CellEntry.of(row) for name, row in self.data.get("cells", {}).items()}

    def painted(self) -> dict[str, str]:
        """What was taken from a picture, by cell."""
        return dict(self.data.get("painted") or {})

    def with_cells(self, changes: Mapping[str, CellEntry]) -> TerrainText:
        """The text with these cells otherwise, each on its line."""
        return self._with_rows("cells", {name: str(entry) for name, entry in changes.items()})

    def with_sides(self, changes: Mapping[str, tuple[str, ...]]) -> TerrainText:
        """The text with this terrain on sides; none takes the side out."""
        rows = {name: str(CellEntry(kinds)) for name, kinds in changes.items()}
        return self._with_rows("sides", rows)

    def with_kinds(self, names: Iterable[str]) -> TerrainText:
        """The text with these kinds of terrain declared, open ground for a start."""
        known = self.data.get("terrain") or {}
        return self._with_rows("terrain", {name: "{}" for name in names if name not in known})

    def with_section(self, name: str, value: Any) -> TerrainText:  # noqa: ANN401 - plain data
        """The text with a whole section otherwise, at the end; without it if it is empty."""
        lines = self.text.splitlines(keepends=True)
        if name in self.data:
            first = self.source.lines[name,] - 1
            lines = lines[:first] + lines[self._end(name) :]
        while lines and not lines[-1].strip():
            lines.pop()
        if lines and not lines[-1].endswith("\n"):
            lines[-1] += "\n"
        if value:
            lines.append(f"{name}: {flow(value)}\n")
        return TerrainText("".join(lines), self.file)

    def _end(self, section: str) -> int:
        """The number of lines up to the end of a section."""
        begin = self.source.lines[section,]
        later = [n for keys, n in self.source.lines.items() if len(keys) == 1 and n > begin]
        return min(later) - 1 if later else len(self.text.splitlines())

    def _with_rows(self, section: str, rows: Mapping[str, str]) -> TerrainText:
        if not rows:
            return self
        lines = self.text.splitlines(keepends=True)
        ending = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
        if section not in self.data or not self.data[section]:
            base = self.with_section(section, None) if section in self.data else self
            body = "".join(f"  {word(n)}: {v}{ending}" for n, v in rows.items())
            text = base.text if base.text.endswith("\n") else base.text + ending
            return TerrainText(f"{text}{section}:{ending}{body}", self.file)
        at = {
            keys[1]: n
            for keys, n in self.source.lines.items()
            if keys[:1] == (section,) and len(keys) == 2
        }
        self._demand_rows(section, at, rows)
        new = []
        for name, value in rows.items():
            if name in at:
                old = lines[at[name] - 1]
                key = _KEY.match(old)
                head = key[0] if key else f"{old[: len(old) - len(old.lstrip())]}{word(name)}:"
                remark = _COMMENT.search(old.rstrip("\r\n"))
                tail = remark[0] if remark else ""
                lines[at[name] - 1] = f"{head} {value}{tail}{ending}"
            else:
                new.append(f"  {word(name)}: {value}{ending}")
        if new:
            last = max(at.values(), default=self.source.lines[section,])
            if not lines[last - 1].endswith("\n"):
                lines[last - 1] += ending
            lines[last:last] = new
        return TerrainText("".join(lines), self.file)

    def _demand_rows(
        self, section: str, at: Mapping[str | int, int], rows: Mapping[str, str]
    ) -> None:
        """Only entries of one line each can be changed line by line."""
        begin = self.source.lines[section,]
        used = Counter(at.values())
        long = {
            keys[1]
            for keys, n in self.source.lines.items()
            if len(keys) > 2 and keys[0] == section and n != at[keys[1]]
        }
        for name in rows:
            if name in at and (name in long or at[name] == begin or used[at[name]] > 1):
                raise GeometryError(
                    f"the entry of {name} does not stand on a line of its own",
                    place=self.source.place(section, name),
                    hint=f"write it as '  {name}: woods', one cell a line",
                )
