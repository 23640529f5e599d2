"""Makes new workbooks: sheets with a header that stays in view, and lists to choose from."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import MissingExtraError, Place, UsageError
from hexmarshal.workbook.csv_text import write_table
from hexmarshal.workbook.model import NewValue, column_letters
from hexmarshal.workbook.reading import CSV_ENDINGS, ENDINGS
from hexmarshal.workbook.xlsx_reading import demand_openpyxl

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["NewSheet", "make_workbook"]

# A sheet that begins so is for people, and not read.
_LISTS: Final = "# Lists"
# Rows under a header for which a list is offered: more than anybody fills in.
_OFFERED: Final = 2000
_WIDEST: Final = 60
_ROW_FILL: Final = "FFE8E4D8"


@dataclass(frozen=True, slots=True)
class NewSheet:
    """A sheet to be made: rows, of which the one numbered `header` names the columns.

    `choices` are the lists to choose from, by the number of the column; numbers count from 1.
    """

    title: str
    rows: Sequence[Sequence[NewValue]]
    header: int = 1
    choices: Mapping[int, Sequence[str]] = field(default_factory=dict)

    def widths(self) -> list[int]:
        """How many letters each column shows, titles above the header aside."""
        columns = max((len(row) for row in self.rows), default=0)
        widths = [8] * columns
        for row in self.rows[self.header - 1 :]:
            for i, value in enumerate(row):
                longest = max((len(line) for line in str(value or "").split("\n")), default=0)
                widths[i] = max(widths[i], min(longest + 2, _WIDEST))
        return widths


def make_workbook(sheets: Sequence[NewSheet], name: str, separator: str = ",") -> bytes:
    """The bytes of a new workbook, of the kind that the name tells."""
    ending = PurePath(name).suffix.lower()
    if ending == ".xlsx":
        return _xlsx(sheets)
    if ending == ".ods":
        return _ods(sheets)
    if ending in CSV_ENDINGS:
        rows = [["" if v is None else str(v) for v in row] for row in sheets[0].rows]
        return write_table(rows, separator)
    raise UsageError(
        "a new workbook cannot be of this kind",
        place=Place(file=name),
        hint=f"let the name end in one of {' '.join(e for e in ENDINGS if e != '.xlsm')}",
    )


def _named_lists(sheets: Sequence[NewSheet]) -> dict[tuple[str, ...], int]:
    """Each list that is offered, with the number of its column in the sheet of lists."""
    lists: dict[tuple[str, ...], int] = {}
    for sheet in sheets:
        for choices in sheet.choices.values():
            lists.setdefault(tuple(choices), len(lists) + 1)
    return lists


def _xlsx(sheets: Sequence[NewSheet]) -> bytes:
    openpyxl = demand_openpyxl()
    book = openpyxl.Workbook()
    book.remove(book.active)
    lists = _named_lists(sheets)
    for sheet in sheets:
        _xlsx_sheet(book, sheet, lists)
    if lists:
        page = book.create_sheet(_LISTS)
        page.sheet_state = "hidden"
        for choices, column in lists.items():
            for i, text in enumerate(choices, 1):
                _put(page.cell(i, column), text)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _xlsx_sheet(book: Any, sheet: NewSheet, lists: Mapping[tuple[str, ...], int]) -> None:  # noqa: ANN401
    from openpyxl.styles import Font, PatternFill
    from openpyxl.worksheet.datavalidation import DataValidation

    page = book.create_sheet(sheet.title)
    for number, row in enumerate(sheet.rows, 1):
        for column, value in enumerate(row, 1):
            cell = page.cell(number, column)
            if value is not None:
                _put(cell, value)
            if number == sheet.header:
                cell.font = Font(bold=True)
                cell.fill = PatternFill("solid", fgColor=_ROW_FILL)
            elif number < sheet.header and value is not None:
                cell.font = Font(bold=True, size=14) if number == 1 else Font(italic=True)
    page.freeze_panes = f"A{sheet.header + 1}"
    for i, width in enumerate(sheet.widths(), 1):
        page.column_dimensions[column_letters(i)].width = width
    for column, choices in sheet.choices.items():
        letters = column_letters(lists[tuple(choices)])
        offer = DataValidation(
            type="list",
            formula1=f"'{_LISTS}'!${letters}$1:${letters}${max(1, len(choices))}",
            allow_blank=True,
            # A warning, not a wall: what is read is more forgiving than a list.
            errorStyle="warning",
        )
        named = column_letters(column)
        offer.add(f"{named}{sheet.header + 1}:{named}{sheet.header + _OFFERED}")
        page.add_data_validation(offer)


def _put(cell: Any, value: NewValue) -> None:  # noqa: ANN401 - openpyxl's own
    cell.value = value
    if isinstance(value, str):
        # Text whatever it looks like: no formula, and none of 0313, 7-12 or 1E5 is changed.
        cell.data_type = "s"
        cell.number_format = "@"


def _ods(sheets: Sequence[NewSheet]) -> bytes:
    try:
        from odf import table as tables
        from odf.opendocument import OpenDocumentSpreadsheet
        from odf.style import Style, TableCellProperties, TableColumnProperties, TextProperties
    except ImportError:
        raise MissingExtraError(
            "making .ods needs odfpy", hint="pip install 'hexmarshal[sheets]', or write .csv"
        ) from None
    book = OpenDocumentSpreadsheet()
    bold = Style(name="Header", family="table-cell")
    bold.addElement(TextProperties(fontweight="bold"))
    bold.addElement(TableCellProperties(backgroundcolor=f"#{_ROW_FILL[2:].lower()}"))
    book.automaticstyles.addElement(bold)
    lists = _named_lists(sheets)
    offers = tables.ContentValidations()
    for choices, column in lists.items():
        letters = column_letters(column)
        cells = f"[$'{_LISTS}'.${letters}$1:.${letters}${max(1, len(choices))}]"
        offer = tables.ContentValidation(
            name=f"list{column}",
            condition=f"of:cell-content-is-in-list({cells})",
            allowemptycell="true",
            displaylist="unsorted",
        )
        offer.addElement(tables.ErrorMessage(messagetype="warning", display="true"))
        offers.addElement(offer)
    if lists:
        book.spreadsheet.addElement(offers)
    for sheet in sheets:
        page = tables.Table(name=sheet.title)
        for width in sheet.widths():
            style = Style(name=f"width{width}", family="table-column")
            style.addElement(TableColumnProperties(columnwidth=f"{width * 0.21:.2f}cm"))
            if not any(s.getAttribute("name") == f"width{width}" for s in _styles(book)):
                book.automaticstyles.addElement(style)
            page.addElement(tables.TableColumn(stylename=f"width{width}"))
        offered = {column: f"list{lists[tuple(c)]}" for column, c in sheet.choices.items()}
        rows = [*sheet.rows, *([[]] if offered else [])]
        columns = max(len(row) for row in rows) if rows else 0
        for number, row in enumerate(rows, 1):
            blank = offered and number == len(rows)
            line = tables.TableRow(numberrowsrepeated=_OFFERED) if blank else tables.TableRow()
            for column in range(1, columns + 1):
                value = row[column - 1] if column <= len(row) else None
                more = {"stylename": bold} if number == sheet.header else {}
                if number > sheet.header and column in offered:
                    more["contentvalidationname"] = offered[column]
                line.addElement(_ods_cell(value, more))
            page.addElement(line)
        book.spreadsheet.addElement(page)
    if lists:
        page = tables.Table(name=_LISTS)
        for i in range(max(map(len, lists))):
            line = tables.TableRow()
            for choices in lists:
                line.addElement(_ods_cell(choices[i] if i < len(choices) else None, {}))
            page.addElement(line)
        book.spreadsheet.addElement(page)
    out = io.BytesIO()
    book.write(out)
    return out.getvalue()


def _styles(book: Any) -> Any:  # noqa: ANN401 - odfpy's own
    from odf.style import Style

    return book.automaticstyles.getElementsByType(Style)


def _ods_cell(value: NewValue, more: dict[str, Any]) -> Any:  # noqa: ANN401
    from odf.table import TableCell
    from odf.text import P

    if value is None:
        return TableCell(**more)
    if isinstance(value, bool):
        more = {**more, "valuetype": "boolean", "booleanvalue": str(value).lower()}
    elif isinstance(value, int):
        more = {**more, "valuetype": "float", "value": str(value)}
    else:
        more = {**more, "valuetype": "string"}
    cell = TableCell(**more)
    for line in str(value).split("\n"):
        cell.addElement(P(text=line))
    return cell
