"""Order-of-battle and set-up sheets: workbooks as people make them, and CSV."""

from hexmarshal.scenario.sheets.cells import ColumnKind
from hexmarshal.scenario.sheets.columns import Part
from hexmarshal.scenario.sheets.laying import SheetSource, lay
from hexmarshal.scenario.sheets.lexicon import Lexicon, same_name
from hexmarshal.scenario.sheets.listing import write_sheet
from hexmarshal.scenario.sheets.rows import facts_in, read_sheet
from hexmarshal.scenario.sheets.sheet_rows import Sheet
from hexmarshal.scenario.sheets.updating import update_workbook
from hexmarshal.workbook import SEPARATORS

__all__ = [
    "SEPARATORS",
    "ColumnKind",
    "Lexicon",
    "Part",
    "Sheet",
    "SheetSource",
    "facts_in",
    "lay",
    "read_sheet",
    "same_name",
    "update_workbook",
    "write_sheet",
]
