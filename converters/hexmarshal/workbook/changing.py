"""Changes cells of a workbook of any kind, and keeps its formatting and all else."""

from __future__ import annotations

import csv
import io
from pathlib import PurePath
from typing import TYPE_CHECKING

from hexmarshal.errors import OutputError, Place
from hexmarshal.workbook.reading import XLSX_ENDINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hexmarshal.workbook.model import Change, NewValue, Workbook

__all__ = ["change_workbook", "demand_same_kind"]


def change_workbook(data: bytes, book: Workbook, changes: Iterable[Change]) -> bytes:
    """The bytes of the workbook that was read from `data`, with these cells otherwise."""
    if book.separator:
        return _change_csv(data, book, {(c.row, c.column): c.value for c in changes})
    if PurePath(book.file or "").suffix.lower() == ".ods" or b"opendocument" in data[:200]:
        from hexmarshal.workbook.ods import change_ods

        return change_ods(data, book.file, changes)
    from hexmarshal.workbook.xlsx_changing import change_xlsx

    return change_xlsx(data, book.file, changes)


def demand_same_kind(book: Workbook, target: str) -> None:
    """Refuse a name for the changed workbook that tells of another kind of file."""
    old, new = PurePath(book.file or "").suffix.lower(), PurePath(target).suffix.lower()
    if old != new:
        why = ", and keeps its macros" if old in XLSX_ENDINGS and book.notes else ""
        raise OutputError(
            f"what is written into a workbook stays {old}{why}",
            place=Place(file=target),
            hint=f"let the name end in {old}",
        )


def _change_csv(data: bytes, book: Workbook, wanted: Mapping[tuple[int, int], NewValue]) -> bytes:
    """The text anew from the first line that changes; lines without a change stay as they are."""
    encoding = book.encoding if book.encoding != "utf-16" else "utf-16"
    text = data.decode(encoding)
    ending = "\r\n" if "\r\n" in text else "\n"
    by_line: dict[int, dict[int, NewValue]] = {}
    for (line, column), value in wanted.items():
        by_line.setdefault(line, {})[column] = value
    told = text[:4].lower() == "sep="
    head, body = text.split("\n", 1) if told else ("", text)
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=book.separator, strict=True)
    lines = body.splitlines(keepends=True)
    out = [head + "\n"] if told else []
    begin = 0
    for cells in reader:
        number = begin + 1 + told
        end = reader.line_num
        if number in by_line:
            out.append(_line(cells, by_line.pop(number), book.separator, ending))
        else:
            out.extend(lines[begin:end])
        begin = end
    if out and by_line and not out[-1].endswith("\n"):
        out.append(ending)
    out.extend(_line([], by_line[number], book.separator, ending) for number in sorted(by_line))
    return "".join(out).encode(encoding)


def _line(cells: list[str], values: Mapping[int, NewValue], separator: str, ending: str) -> str:
    cells = cells + [""] * (max(values) - len(cells))
    for column, value in values.items():
        cells[column - 1] = "" if value is None else str(value)
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, lineterminator=ending).writerow(cells)
    return out.getvalue()
