"""Reads a workbook of any kind."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import BadInputError, Place
from hexmarshal.workbook.csv_text import read_table
from hexmarshal.workbook.model import Cell, Row, Sheet, Workbook

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["CSV_ENDINGS", "ENDINGS", "XLSX_ENDINGS", "read_workbook"]

CSV_ENDINGS: Final = (".csv", ".tsv", ".txt")
XLSX_ENDINGS: Final = (".xlsx", ".xlsm")
ENDINGS: Final = (*CSV_ENDINGS, *XLSX_ENDINGS, ".ods")
_ZIP: Final = b"PK\x03\x04"
_OLE: Final = b"\xd0\xcf\x11\xe0"


def read_workbook(
    data: bytes,
    file: str | None = None,
    score: Callable[[Sequence[str]], int] = len,
    encoding: str = "",
) -> Workbook:
    """The workbook in a file; `score` tells how many titles of a row are known, for CSV alone.

    What the file is, its bytes tell: a workbook of another kind than its name says is read too.
    """
    if not data:
        raise BadInputError("the file is empty", place=Place(file=file))
    if data.startswith((_ZIP, _OLE)):
        if b"opendocument.spreadsheet" in data[:200] or _ends(file, (".ods",)):
            from hexmarshal.workbook.ods import read_ods

            return read_ods(data, file)
        from hexmarshal.workbook.xlsx_reading import read_xlsx

        return read_xlsx(data, file)
    if _ends(file, (*XLSX_ENDINGS, ".ods")):
        raise BadInputError(
            "this is no workbook",
            place=Place(file=file),
            hint="the file may be damaged, or be CSV under another name: let it end in .csv then",
        )
    table = read_table(data, file, score, encoding)
    rows = tuple(Row(line, tuple(Cell(text) for text in cells)) for line, cells in table.rows)
    return Workbook(file, (Sheet("", rows),), encoding=table.encoding, separator=table.separator)


def _ends(file: str | None, endings: tuple[str, ...]) -> bool:
    return PurePath(file or "").suffix.lower() in endings
