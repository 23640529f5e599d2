"""A CSV file as spreadsheets save it: whatever its encoding and separator, rows of cells."""

from __future__ import annotations

import codecs
import csv
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import BadInputError, Place, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

__all__ = ["SEPARATORS", "Table", "read_table", "write_table"]

SEPARATORS: Final = {"comma": ",", "semicolon": ";", "tab": "\t"}
_TOLD: Final = re.compile(r"sep=([,;|\t])", re.IGNORECASE)
_MOST_COLUMNS: Final = 1000
_LONGEST_CELL: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Table:
    """The rows that are not empty, each with the line on which it begins."""

    encoding: str
    separator: str
    rows: tuple[tuple[int, tuple[str, ...]], ...]


def read_table(
    data: bytes, file: str | None, score: Callable[[Sequence[str]], int], encoding: str = ""
) -> Table:
    """The cells of a file; `score` tells how many of its columns a header is known by."""
    text, encoding = _decoded(data, file, encoding)
    lines = 0
    first, _, rest = text.partition("\n")
    separators = list(SEPARATORS.values())
    if told := _TOLD.fullmatch(first.rstrip("\r")):
        # What Excel heeds, and writes nowhere: the separator, told by the file itself.
        separators, text, lines = [told[1]], rest, 1
    if not text.strip("\ufeff \t\r\n,;"):
        raise BadInputError("the file is empty", place=Place(file=file))

    def header(separator: str) -> tuple[int, int]:
        try:
            _, cells = next(_rows(text, separator, file, lines), (0, ()))
        except BadInputError:
            # Quotes that make no sense with the wrong separator.
            return -1, 0
        return score(cells), len(cells)

    separator = max(separators, key=header)
    rows = tuple(_rows(text, separator, file, lines))
    if not rows:
        raise BadInputError("the file is empty", place=Place(file=file))
    for line, cells in rows:
        if len(cells) > _MOST_COLUMNS:
            raise BadInputError(
                f"more than {_MOST_COLUMNS} columns", place=Place(file=file, line=line)
            )
    return Table(encoding, separator, rows)


def _decoded(data: bytes, file: str | None, encoding: str) -> tuple[str, str]:
    place = Place(file=file)
    try:
        if encoding:
            return data.decode(encoding).removeprefix("\ufeff"), encoding
        if data.startswith(codecs.BOM_UTF8):
            return data.decode("utf-8-sig"), "utf-8-sig"
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return data.decode("utf-16"), "utf-16"
        if b"\0" in data[:200]:
            # Text of our alphabets in UTF-16 has a zero in every other byte.
            name = "utf-16-be" if data[:1] == b"\0" else "utf-16-le"
            return data.decode(name), name
    except LookupError:
        raise UsageError(f"no encoding {encoding!r}", hint="utf-8, cp1252, utf-16...") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInputError(
            f"not {error.encoding.upper()} text", place=Place(file=file, line=line)
        ) from None
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        pass
    try:
        # What Excel calls CSV without more: the code page of Western Windows.
        return data.decode("cp1252"), "cp1252"
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInputError(
            "neither UTF-8 nor Windows-1252 text",
            place=Place(line=line).within(place),
            hint="save it as CSV UTF-8, or name its encoding with --encoding",
        ) from None


def _rows(
    text: str, separator: str, file: str | None, skipped: int
) -> Iterator[tuple[int, tuple[str, ...]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    csv.field_size_limit(_LONGEST_CELL)
    line = 1 + skipped
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, tuple(cells)
            line = reader.line_num + 1 + skipped
    except csv.Error as error:
        raise BadInputError(
            f"this is not CSV: {error}", place=Place(file=file, line=line)
        ) from None


def write_table(rows: Iterable[Sequence[str]], separator: str = ",") -> bytes:
    """Bytes that every spreadsheet opens with the right letters: UTF-8 with a mark."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, lineterminator="\r\n").writerows(rows)
    return out.getvalue().encode("utf-8-sig")
