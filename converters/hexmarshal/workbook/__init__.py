"""Workbooks as spreadsheets keep them: .xlsx, .ods and .csv read, made and changed in place.

Read with `read_workbook`, made with `make_workbook`; `change_workbook` puts other values into cells
of a user's own file and keeps its formatting, formulas, pictures and macros. It knows nothing of
scenarios, modules or games. The libraries for .xlsx and .ods are the extra `hexmarshal[sheets]`.
"""

from hexmarshal.workbook.changing import change_workbook, demand_same_kind
from hexmarshal.workbook.csv_text import SEPARATORS
from hexmarshal.workbook.making import NewSheet, make_workbook
from hexmarshal.workbook.model import Cell, CellKind, Change, Row, Sheet, Workbook, column_letters
from hexmarshal.workbook.reading import ENDINGS, read_workbook

__all__ = [
    "ENDINGS",
    "SEPARATORS",
    "Cell",
    "CellKind",
    "Change",
    "NewSheet",
    "Row",
    "Sheet",
    "Workbook",
    "change_workbook",
    "column_letters",
    "demand_same_kind",
    "make_workbook",
    "read_workbook",
]
