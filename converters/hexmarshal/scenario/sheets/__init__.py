"""Order-of-battle and set-up sheets: CSV as spreadsheets save it."""

from hexmarshal.scenario.sheets.cells import ColumnKind
from hexmarshal.scenario.sheets.columns import Part
from hexmarshal.scenario.sheets.laying import lay
from hexmarshal.scenario.sheets.listing import write_sheet
from hexmarshal.scenario.sheets.rows import Sheet, read_sheet
from hexmarshal.workbook.csv_text import SEPARATORS

__all__ = ["SEPARATORS", "ColumnKind", "Part", "Sheet", "lay", "read_sheet", "write_sheet"]
