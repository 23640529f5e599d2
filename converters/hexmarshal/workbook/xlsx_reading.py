"""Reads .xlsx and .xlsm with openpyxl: values, what is shown of them, and merged cells."""

from __future__ import annotations

import datetime as dt
import io
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import BadInputError, HexMarshalError, MissingExtraError
from hexmarshal.workbook.model import Cell, CellKind, Row, Sheet, Workbook
from hexmarshal.workbook.package import Package

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["demand_openpyxl", "read_xlsx"]

_SHEETS: Final = re.compile(r"xl/worksheets/[^/]+\.xml")
_MACROS: Final = "xl/vbaProject.bin"
_EMPTY: Final = Cell()
# A number shown with leading zeros, such as the hex 0313.
_ZEROS: Final = re.compile(r'"?(0{2,})"?')


def demand_openpyxl() -> ModuleType:
    """The library, or an error that says how to get it."""
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError(
            "reading and writing .xlsx needs openpyxl",
            hint="pip install 'hexmarshal[sheets]', or save the workbook as CSV",
        ) from None
    return openpyxl


def read_xlsx(data: bytes, file: str | None) -> Workbook:
    """The workbook in the bytes of an .xlsx or .xlsm file."""
    package = Package(data, file)
    if "xl/workbook.bin" in package.names:
        raise BadInputError(
            "a binary workbook (.xlsb) is not read",
            place=package.place,
            hint="save it as .xlsx",
        )
    openpyxl = demand_openpyxl()
    package.demand_bearable(*(name for name in package.names if _SHEETS.fullmatch(name)))
    for name in package.names:
        if name.endswith((".xml", ".rels")):
            package.part(name)
    shown = _load(openpyxl, data, package, data_only=False)
    counted = shown
    if any(_has_formulas(sheet) for sheet in shown.worksheets):
        counted = _load(openpyxl, data, package, data_only=True)
    notes: tuple[str, ...] = ()
    if _MACROS in package.names:
        notes = ("the workbook has macros: they are kept as they are, and never run",)
    sheets = tuple(_sheet(sheet, counted.worksheets[i]) for i, sheet in enumerate(shown.worksheets))
    if not sheets:
        raise BadInputError("the workbook has no sheets", place=package.place)
    return Workbook(file, sheets, notes)


def _load(openpyxl: ModuleType, data: bytes, package: Package, *, data_only: bool) -> Any:  # noqa: ANN401 - openpyxl's own
    import warnings

    try:
        with warnings.catch_warnings():
            # Of extensions that it does not know; we never write by it what it has read.
            warnings.simplefilter("ignore")
            return openpyxl.load_workbook(io.BytesIO(data), data_only=data_only)
    except HexMarshalError:
        raise
    except Exception as error:  # noqa: BLE001 - openpyxl raises whatever a broken part leads to
        raise BadInputError(
            f"the workbook cannot be read: {' '.join(str(error).split())[:200]}",
            place=package.place,
            hint="open and save it in a spreadsheet, which may mend it",
        ) from None


def _has_formulas(sheet: Any) -> bool:  # noqa: ANN401
    return any(cell.data_type == "f" for row in sheet.iter_rows() for cell in row)


def _sheet(shown: Any, counted: Any) -> Sheet:  # noqa: ANN401
    rows = []
    values = counted.iter_rows() if counted is not shown else shown.iter_rows()
    for cells, results in zip(shown.iter_rows(), values, strict=True):
        read = tuple(
            _cell(cell, result) if cell.value is not None else _EMPTY
            for cell, result in zip(cells, results, strict=True)
        )
        if any(read):
            while not read[-1]:
                read = read[:-1]
            rows.append(Row(cells[0].row, read))
    merged = tuple(
        (area.min_row, area.min_col, area.max_row, area.max_col)
        for area in shown.merged_cells.ranges
    )
    return Sheet(shown.title, tuple(rows), tuple(sorted(merged)), shown.sheet_state != "visible")


def _cell(cell: Any, result: Any) -> Cell:  # noqa: ANN401
    formula = ""
    if cell.data_type == "f":
        # An array formula is an object with a text of its own.
        formula = str(getattr(cell.value, "text", cell.value))
        if result.value is None:
            return Cell(formula, CellKind.UNCALCULATED, formula)
    value = result.value
    if result.data_type == "e":
        return Cell(str(value), CellKind.ERROR, formula)
    if isinstance(value, bool):
        return Cell(str(value).upper(), CellKind.TRUTH, formula)
    if isinstance(value, int | float | Decimal):
        return Cell(_number(value, result.number_format), CellKind.NUMBER, formula)
    if isinstance(value, dt.datetime | dt.date | dt.time | dt.timedelta):
        return Cell(_date(value), CellKind.DATE, formula)
    return Cell(str(value), CellKind.TEXT, formula)


def _number(value: float | Decimal, shown: str) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    if isinstance(value, int):
        zeros = _ZEROS.fullmatch(shown.split(";", maxsplit=1)[0])
        return str(value).zfill(len(zeros[1])) if zeros and value >= 0 else str(value)
    return format(Decimal(repr(value)) if isinstance(value, float) else value, "f")


def _date(value: dt.datetime | dt.date | dt.time | dt.timedelta) -> str:
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        value = value.date()
    return value.isoformat() if not isinstance(value, dt.timedelta) else str(value)
