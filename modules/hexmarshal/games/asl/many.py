"""Many lines of sight at once: a CSV file of lines in, the same with their answers out."""

from __future__ import annotations

import csv
import io
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hexmarshal.errors import BadInputError, HexMarshalError, Place
from hexmarshal.games.asl.boards import board_path, load
from hexmarshal.games.asl.sight.citations import Cause

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from hexmarshal.games.asl.sight.conditions import Conditions
    from hexmarshal.vassal.vasl.board import Board

__all__ = ["ADDED", "COLUMNS", "answered", "read_lines", "table_of_answers"]

COLUMNS = ("board", "from", "from_level", "to", "to_level")
ADDED = ("range", "blocked", "hindrance", "rule", "at")

Row = dict[str, Any]


class Asked(NamedTuple):
    """One line that is asked for: the cells of its row, and where in the file it stands."""

    cells: Row
    place: Place


def read_lines(path: Path) -> list[Asked]:
    """The rows of a file of lines."""
    place = Place(file=str(path))
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
            if missing:
                raise BadInputError(f"the column {missing[0]!r} is missing", place=place)
            rows = []
            for row in reader:
                at = Place(file=str(path), line=reader.line_num)
                if None in row:
                    raise BadInputError("more cells than columns", place=at)
                rows.append(Asked({name: value or "" for name, value in row.items()}, at))
            return rows
    except OSError as error:
        raise BadInputError(f"cannot be read: {error}", place=place) from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadInputError(f"not a CSV file in UTF-8: {error}", place=place) from error


def answered(
    rows: Sequence[Asked], folder: Path, terrain: Path | None, conditions: Conditions
) -> list[Row]:
    """The rows with their answers, in the same order; boards are looked for in a folder."""
    answers: list[Row] = [{} for _ in rows]
    boards: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        boards.setdefault(row.cells["board"], []).append(number)
    with _progress(len(rows)) as advance:
        for name, numbers in boards.items():
            try:
                ready = load(board_path(folder, name), terrain)
            except HexMarshalError as error:
                raise error.at(rows[numbers[0]].place) from error
            ends = np.array([_ends(ready.board, rows[n]) for n in numbers], np.int64)
            found = ready.sight.under(conditions).answers(*ends.T)
            names = ready.board.grid.names
            for i, n in enumerate(numbers):
                at = int(found.at[i])
                answers[n] = {
                    "range": int(found.range[i]),
                    "blocked": int(found.blocked[i]),
                    "hindrance": int(found.hindrance[i]),
                    "rule": Cause(int(found.cause[i])).rule,
                    "at": names[at] if at >= 0 else "",
                }
            advance(len(numbers))
    return [{**row.cells, **answer} for row, answer in zip(rows, answers, strict=True)]


def table_of_answers(rows: Sequence[Row]) -> str:
    """The rows as CSV."""
    text = io.StringIO()
    names = list(rows[0]) if rows else [*COLUMNS, *ADDED]
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _ends(board: Board, row: Asked) -> tuple[int, ...]:
    ends = []
    for end in ("from", "to"):
        name, text = row.cells[end], row.cells[f"{end}_level"]
        try:
            index, level = board.hex(name), int(text or 0)
            board.level(index, level)
        except ValueError as error:
            place = row.place.within(Place(field=f"{end}_level", cell=name))
            message = f"{text!r} is not a level of a hex of {board.name}"
            raise BadInputError(message, place=place) from error
        except HexMarshalError as error:
            error.place = row.place.within(Place(cell=name))
            raise
        ends += [index, level]
    return tuple(ends)


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
