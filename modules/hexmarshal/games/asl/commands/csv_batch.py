"""Many lines of sight at once: a CSV file of lines in, the same with their answers out."""

from __future__ import annotations

import csv
import io
import re
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hexmarshal.errors import BadInputError, HexMarshalError, NotFoundError, Place
from hexmarshal.games.asl.maps.layout import map_in, typed_spot
from hexmarshal.games.asl.sight.rules.citations import Cause

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hexmarshal.games.asl.sight.conditions import Conditions
    from hexmarshal.games.asl.sight.view import Answer, Sight, Spot

__all__ = ["ADDED", "COLUMNS", "ERROR", "STANDARD_INPUT", "AnsweredLines", "Lines", "read_lines"]

COLUMNS = ("board", "from", "from_level", "to", "to_level")
ADDED = ("range", "blocked", "hindrance", "rule", "at")
ERROR = "error"
"""The column of what is wrong with a line, for those who want the answers to the others."""
STANDARD_INPUT = Path("-")

_SEPARATORS = ",;\t"
_LONGEST_CELL = 1 << 20
_LEVEL = re.compile(r"([+-]?[0-9]{1,3})(?:\.0*)?")
"""Spreadsheets and data frames like to write 1 as 1.0."""
_RULES = {int(cause): cause.rule for cause in Cause}

Told = tuple[int, int, int, str, str]
"""What is added to a line."""
_UNTOLD = ("",) * len(ADDED)


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a file: their cells, and where in the file each stands."""

    place: Place
    separator: str
    header: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    numbers: Sequence[int]
    at: Mapping[str, int]
    """Where in a row the cell of a column stands."""

    def __len__(self) -> int:
        return len(self.rows)

    def answered(
        self,
        folder: Path,
        terrain: Path | None,
        conditions: Conditions,
        *,
        keep_going: bool = False,
    ) -> AnsweredLines:
        """The lines with their answers; boards and maps are made of the boards of a folder.

        The first line that cannot be answered is an error, unless the others are wanted.
        """
        told: list[Told | None] = [None] * len(self.rows)
        wrong: dict[int, HexMarshalError] = {}
        maps: dict[str, list[int]] = {}
        board = self.at["board"]
        for number, row in enumerate(self.rows):
            maps.setdefault(row[board].strip(), []).append(number)
        with _progress(len(self.rows)) as advance:
            for name, numbers in maps.items():
                try:
                    sight = _sight(folder, name, terrain)
                except HexMarshalError as error:
                    wrong |= {n: self._misplaced(error, n, "board") for n in numbers}
                    continue
                self._answer(sight.under(conditions), numbers, told, wrong)
                advance(len(numbers))
        if wrong and not keep_going:
            first = wrong[min(wrong)]
            first.hint = first.hint or f"{len(wrong)} of {len(self)} lines are not answered"
            raise first
        return AnsweredLines(self, told, wrong)

    def _answer(
        self,
        sight: Sight,
        numbers: Sequence[int],
        told: list[Told | None],
        wrong: dict[int, HexMarshalError],
    ) -> None:
        """The lines of one map: all between centres at once, those from vertices one by one."""
        known: dict[tuple[str, str], tuple[Spot, int]] = {}
        plain: list[int] = []
        ends: list[tuple[int, int, int, int]] = []
        cells = [(self.at[end], self.at[f"{end}_level"], end) for end in ("from", "to")]
        for number in numbers:
            row = self.rows[number]
            found = []
            for at, level, end in cells:
                key = (row[at], row[level])
                one = known.get(key)
                if one is None:
                    try:
                        one = known[key] = _end(sight, *key, end)
                    except HexMarshalError as error:
                        wrong[number] = error.at(self._place(number, end, row[at]))
                        break
                found.append(one)
            if len(found) < len(cells):
                continue
            (a, one_hex), (b, two_hex) = found
            if a.vertex is None and b.vertex is None:
                plain.append(number)
                ends.append((one_hex, a.level, two_hex, b.level))
                continue
            try:
                told[number] = _told(sight.answer(a, b))
            except HexMarshalError as error:
                wrong[number] = self._misplaced(error, number)
        if not plain:
            return
        answers = sight.answers(*np.array(ends, np.int64).T)
        names = (*sight.board.grid.names, "")  # -1, for no place, is the last one
        columns = (answers.range, answers.blocked.view(np.int8), answers.hindrance)
        rules = [_RULES[cause] for cause in answers.cause.tolist()]
        places = [names[at] for at in answers.at.tolist()]
        all_told = zip(*(column.tolist() for column in columns), rules, places, strict=True)
        for number, one_told in zip(plain, all_told, strict=True):
            told[number] = one_told

    def _place(self, number: int, field: str | None = None, cell: str | None = None) -> Place:
        return Place(
            file=self.place.file, line=self.numbers[number], field=field, cell=cell or None
        )

    def _misplaced(
        self, error: HexMarshalError, number: int, field: str | None = None
    ) -> HexMarshalError:
        """What is wrong with a board, told as what is wrong with the line that names it."""
        return type(error)(str(error), place=self._place(number, field), hint=error.hint)


@dataclass(frozen=True, slots=True)
class AnsweredLines:
    """Lines with what became of each, in their own order."""

    lines: Lines
    told: Sequence[Told | None]
    wrong: Mapping[int, HexMarshalError]
    """What is wrong with those that have no answer."""

    @property
    def clear(self) -> int:
        """How many are not blocked."""
        return sum(told is not None and not told[1] for told in self.told)

    def table(self) -> Iterator[Sequence[object]]:
        """The header and the rows; an answer that was there before is replaced."""
        lines = self.lines
        new = {*ADDED, ERROR}
        old = [at for at, name in enumerate(lines.header) if name not in new]
        more = (*ADDED, ERROR) if self.wrong else ADDED
        yield (*(lines.header[at] for at in old), *more)
        for number, (row, told) in enumerate(zip(lines.rows, self.told, strict=True)):
            cells = row if len(old) == len(row) else [row[at] for at in old]
            if not self.wrong:
                yield (*cells, *(told or _UNTOLD))
            else:
                error = self.wrong.get(number)
                yield (*cells, *(told or _UNTOLD), error.message if error else "")

    def csv(self) -> str:
        """The table as text."""
        text = io.StringIO()
        writer = csv.writer(text, delimiter=self.lines.separator, lineterminator="\n")
        writer.writerows(self.table())
        return text.getvalue()

    def documents(self) -> list[dict[str, Any]]:
        """The rows for JSON: blocked is true, false, or null where there is no answer."""
        names, *rows = self.table()
        documents = [dict(zip(map(str, names), row, strict=True)) for row in rows]
        for document, told in zip(documents, self.told, strict=True):
            if told is None:
                document.update(dict.fromkeys(ADDED))
            else:
                document["blocked"] = bool(told[1])
        return documents


def read_lines(path: Path) -> Lines:
    """The lines of a file; `-` is standard input."""
    stdin = path == STANDARD_INPUT
    place = Place(file="standard input" if stdin else str(path))
    try:
        data = sys.stdin.buffer.read() if stdin else path.read_bytes()
        text = data.decode("utf-8-sig")
    except FileNotFoundError as error:
        raise NotFoundError("there is no such file", place=place) from error
    except OSError as error:
        raise BadInputError(f"cannot be read: {error.strerror or error}", place=place) from error
    except UnicodeDecodeError as error:
        raise BadInputError(f"not a CSV file in UTF-8: {error}", place=place) from error
    first = text.partition("\n")[0]
    separator = next((s for s in _SEPARATORS if s in first), ",")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    csv.field_size_limit(_LONGEST_CELL)
    try:
        header = tuple(name.strip() for name in next(reader, ()))
        at = _columns(header, place)
        rows, numbers = [], []
        for row in reader:
            if len(row) > len(header):
                raise BadInputError("more cells than columns", place=place)
            if any(row):
                row.extend([""] * (len(header) - len(row)))
                rows.append(row)
                numbers.append(reader.line_num)
    except csv.Error as error:
        where = Place(line=reader.line_num).within(place)
        raise BadInputError(f"not a CSV file: {error}", place=where) from error
    except BadInputError as error:
        raise error.at(Place(line=reader.line_num or None)) from error
    return Lines(place, separator, header, rows, numbers, at)


def _columns(header: Sequence[str], place: Place) -> dict[str, int]:
    at = {}
    for name in COLUMNS:
        found = [i for i, other in enumerate(header) if other.lower() == name]
        if len(found) != 1:
            what = "there twice" if found else "missing"
            raise BadInputError(
                f"the column {name!r} is {what}",
                place=place,
                hint=f"the first line names the columns: {','.join(COLUMNS)}",
            )
        at[name] = found[0]
    return at


def _sight(folder: Path, name: str, terrain: Path | None) -> Sight:
    if not name:
        raise BadInputError("no board is named")
    return map_in(folder, name, terrain).sight


def _end(sight: Sight, hex_text: str, level_text: str, end: str) -> tuple[Spot, int]:
    """One end of a line and its hex; what is wrong names the field."""
    board = sight.board
    if not hex_text.strip():
        raise BadInputError("no hex is named", place=Place(field=end))
    level = _LEVEL.fullmatch(level_text.strip() or "0")
    if level is None:
        raise BadInputError(
            f"{level_text!r} is not a level of a hex of {board.name}",
            place=Place(field=f"{end}_level"),
        )
    try:
        spot = typed_spot(hex_text.strip(), int(level[1]))
        index = board.hex(spot.hex)
    except HexMarshalError as error:
        raise type(error)(error.message, place=Place(field=end), hint=error.hint) from error
    try:
        board.level(index, spot.level)
    except HexMarshalError as error:
        field = Place(field=f"{end}_level")
        raise type(error)(error.message, place=field, hint=error.hint) from error
    return spot, index


def _told(answer: Answer) -> Told:
    return (answer.range, int(answer.blocked), answer.hindrance, answer.rule, answer.at)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _lines: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("lines of sight", total=total)
        yield lambda lines: bar.advance(task, lines)
