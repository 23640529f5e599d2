"""Reads .ods, and changes cells of it in place, both through its one part `content.xml`."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Final

from lxml import etree

from hexmarshal.errors import BadInputError
from hexmarshal.workbook.model import Cell, CellKind, Row, Sheet, Workbook, column_letters
from hexmarshal.workbook.package import Package, parse_xml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.workbook.model import Change, NewValue

__all__ = ["change_ods", "read_ods"]

_CONTENT: Final = "content.xml"
_MANIFEST: Final = "META-INF/manifest.xml"
_MACROS: Final = ("Basic/", "Scripts/")
_OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_CALC: Final = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
_CELLS: Final = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
_ROW: Final = f"{_TABLE}table-row"
_GROUPS: Final = tuple(
    f"{_TABLE}{name}" for name in ("table-row-group", "table-rows", "table-header-rows")
)
_BY_COLUMN, _BY_ROW = f"{_TABLE}number-columns-repeated", f"{_TABLE}number-rows-repeated"
_MOST_ROWS: Final = 100_000


def read_ods(data: bytes, file: str | None) -> Workbook:
    """The workbook in the bytes of an .ods file."""
    package, root = _opened(data, file)
    sheets = tuple(_sheet(table, package) for table in root.iter(f"{_TABLE}table"))
    if not sheets:
        raise BadInputError("the workbook has no sheets", place=package.place)
    notes: tuple[str, ...] = ()
    if any(name.startswith(_MACROS) for name in package.names):
        notes = ("the workbook has macros: they are kept as they are, and never run",)
    return Workbook(file, sheets, notes)


def _opened(data: bytes, file: str | None) -> tuple[Package, etree._Element]:
    package = Package(data, file)
    if _MANIFEST in package.names and b"encryption-data" in package.part(_MANIFEST):
        raise BadInputError(
            "the workbook is locked with a password",
            place=package.place,
            hint="open it in the spreadsheet, take the password off, and save a copy",
        )
    package.demand_bearable(_CONTENT)
    return package, parse_xml(package.part(_CONTENT), _CONTENT, package.place)


def _rows(table: etree._Element) -> Iterator[etree._Element]:
    for child in table:
        if child.tag == _ROW:
            yield child
        elif child.tag in _GROUPS:
            yield from _rows(child)


def _repeated(element: etree._Element, attribute: str) -> int:
    try:
        return max(1, int(element.get(attribute, "1")))
    except ValueError:
        return 1


def _sheet(table: etree._Element, package: Package) -> Sheet:
    rows: list[Row] = []
    merged: list[tuple[int, int, int, int]] = []
    number = 1
    for row in _rows(table):
        times = _repeated(row, _BY_ROW)
        cells = _row_cells(row, number, merged)
        if any(cells):
            if len(rows) + times > _MOST_ROWS:
                raise BadInputError(
                    f"the sheet {table.get(f'{_TABLE}name')!r} has more than {_MOST_ROWS:,} rows",
                    place=package.place,
                )
            rows.extend(Row(number + i, cells) for i in range(times))
        number += times
    hidden = table.get(f"{_TABLE}style-name") in _hidden_styles(table.getroottree().getroot())
    return Sheet(table.get(f"{_TABLE}name", ""), tuple(rows), tuple(merged), hidden)


def _hidden_styles(root: etree._Element) -> set[str]:
    style = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
    return {
        one.get(f"{style}name", "")
        for one in root.iter(f"{style}style")
        if any(p.get(f"{_TABLE}display") == "false" for p in one)
    }


def _row_cells(
    row: etree._Element, number: int, merged: list[tuple[int, int, int, int]]
) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    empty = 0
    for element in row:
        if element.tag not in _CELLS:
            continue
        times = _repeated(element, _BY_COLUMN)
        cell = _cell(element) if element.tag == _CELLS[0] else Cell()
        down = _repeated(element, f"{_TABLE}number-rows-spanned")
        across = _repeated(element, f"{_TABLE}number-columns-spanned")
        if down > 1 or across > 1:
            column = len(cells) + empty + 1
            merged.append((number, column, number + down - 1, column + across - 1))
        if not cell:
            # Kept back: the last cell of a row is often an empty one repeated a thousand times.
            empty += times
            continue
        cells += [Cell()] * empty + [cell] * min(times, 1000)
        empty = 0
    return tuple(cells)


def _cell(element: etree._Element) -> Cell:
    shown = "\n".join(_paragraph(p) for p in element.iterchildren(f"{_TEXT}p"))
    kind = element.get(f"{_OFFICE}value-type") or ""
    formula = element.get(f"{_TABLE}formula") or ""
    if element.get(f"{_CALC}value-type") == "error":
        return Cell(shown, CellKind.ERROR, formula)
    if not kind and formula and not shown:
        return Cell(formula, CellKind.UNCALCULATED, formula)
    match kind:
        case "float" | "percentage" | "currency":
            return Cell(
                _number(element.get(f"{_OFFICE}value") or "", shown), CellKind.NUMBER, formula
            )
        case "date":
            date = (element.get(f"{_OFFICE}date-value") or shown).removesuffix("T00:00:00")
            return Cell(date, CellKind.DATE, formula)
        case "time":
            return Cell(shown, CellKind.DATE, formula)
        case "boolean":
            truth = (element.get(f"{_OFFICE}boolean-value") or "").upper()
            return Cell(truth, CellKind.TRUTH, formula)
    return Cell(element.get(f"{_OFFICE}string-value") or shown, CellKind.TEXT, formula)


def _paragraph(element: etree._Element) -> str:
    """The text; spaces, tabs and line breaks are elements of their own."""
    parts = [element.text or ""]
    for child in element:
        if child.tag == f"{_TEXT}s":
            parts.append(" " * _repeated(child, f"{_TEXT}c"))
        elif child.tag == f"{_TEXT}tab":
            parts.append("\t")
        elif child.tag == f"{_TEXT}line-break":
            parts.append("\n")
        elif isinstance(child.tag, str) and not child.tag.startswith(_OFFICE):
            parts.append(_paragraph(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _number(value: str, shown: str) -> str:
    if shown.isdigit() and shown.startswith("0") and value and int(shown) == _whole(value):
        return shown
    whole = _whole(value)
    return value if whole is None else str(whole)


def _whole(value: str) -> int | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return int(number) if number.is_integer() and abs(number) < 1e15 else None


# Changing


def change_ods(data: bytes, file: str | None, changes: Iterable[Change]) -> bytes:
    """The workbook with these cells otherwise; all else of it is as it was."""
    package, root = _opened(data, file)
    tables = {table.get(f"{_TABLE}name", ""): table for table in root.iter(f"{_TABLE}table")}
    for change in sorted(changes, key=lambda one: (one.row, one.column)):
        row = _row_at(tables[change.sheet], change.row)
        cell = _cell_at(row, change.column)
        where = f"{change.sheet}, {column_letters(change.column)}{change.row}"
        if cell.get(f"{_TABLE}formula") is not None:
            raise BadInputError(
                f"the cell {where} holds a formula, which would be lost",
                place=package.place,
                hint="put its value in its place, and convert again",
            )
        if cell.get(f"{_TABLE}style-name") is None:
            _dress(cell, tables[change.sheet], change)
        _set(cell, change.value)
    text = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    return package.with_parts({_CONTENT: text})


def _row_at(table: etree._Element, number: int) -> etree._Element:
    begin = 1
    last: etree._Element | None = None
    for row in _rows(table):
        times = _repeated(row, _BY_ROW)
        if begin <= number < begin + times:
            return _split(row, _BY_ROW, number - begin)
        begin, last = begin + times, row
    while begin <= number:
        new = etree.Element(_ROW)
        if last is None:
            table.append(new)
        else:
            last.addnext(new)
        begin, last = begin + 1, new
    assert last is not None
    return last


def _cell_at(row: etree._Element, number: int) -> etree._Element:
    begin = 1
    for cell in [one for one in row if one.tag in _CELLS]:
        times = _repeated(cell, _BY_COLUMN)
        if begin <= number < begin + times:
            return _split(cell, _BY_COLUMN, number - begin)
        begin += times
    if number > begin:
        gap = etree.SubElement(row, _CELLS[0])
        gap.set(_BY_COLUMN, str(number - begin))
    return etree.SubElement(row, _CELLS[0])


def _split(element: etree._Element, attribute: str, before: int) -> etree._Element:
    """The one of a repeated element that has `before` others before it, by itself."""
    after = _repeated(element, attribute) - before - 1
    for times, add in ((before, element.addprevious), (after, element.addnext)):
        if times > 0:
            other = deepcopy(element)
            other.tail = None
            _repeat(other, attribute, times)
            add(other)
    _repeat(element, attribute, 1)
    return element


def _repeat(element: etree._Element, attribute: str, times: int) -> None:
    if times > 1:
        element.set(attribute, str(times))
    else:
        element.attrib.pop(attribute, "")


def _dress(cell: etree._Element, table: etree._Element, change: Change) -> None:
    """A new cell looks like the one above it."""
    if change.row > 1:
        above = _cell_at(_row_at(table, change.row - 1), change.column)
        style = above.get(f"{_TABLE}style-name")
        if style is not None:
            cell.set(f"{_TABLE}style-name", style)


def _set(cell: etree._Element, value: NewValue) -> None:
    for name in list(cell.attrib):
        if str(name).startswith((_OFFICE, _CALC)):
            del cell.attrib[name]
    for old in list(cell.iterchildren(f"{_TEXT}p")):
        cell.remove(old)
    if value is None:
        return
    shown = str(value).upper() if isinstance(value, bool) else str(value)
    if isinstance(value, bool):
        cell.set(f"{_OFFICE}value-type", "boolean")
        cell.set(f"{_OFFICE}boolean-value", shown.lower())
    elif isinstance(value, int):
        cell.set(f"{_OFFICE}value-type", "float")
        cell.set(f"{_OFFICE}value", shown)
    else:
        cell.set(f"{_OFFICE}value-type", "string")
    paragraphs = [etree.Element(f"{_TEXT}p") for _ in shown.split("\n")]
    for paragraph, line in zip(paragraphs, shown.split("\n"), strict=True):
        paragraph.text = line
    # After an annotation, which has to come first.
    for paragraph in paragraphs:
        cell.append(paragraph)
