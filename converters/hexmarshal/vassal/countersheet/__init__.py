"""The pieces of a module as rows of a spreadsheet, and rows as pieces again."""

from hexmarshal.vassal.countersheet.applying import Applied, apply_sheet
from hexmarshal.vassal.countersheet.listing import counter_sheet
from hexmarshal.vassal.countersheet.rows import SheetRows

__all__ = ["Applied", "SheetRows", "apply_sheet", "counter_sheet"]
