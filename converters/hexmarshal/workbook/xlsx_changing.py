"""Changes cells of an .xlsx in place: only the sheets that change are written anew.

Not by openpyxl, which knows much of a workbook and not all: shapes, slicers and the like would be
gone from the file that a user gave us.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from lxml import etree

from hexmarshal.errors import BadInputError
from hexmarshal.workbook.model import column_letters
from hexmarshal.workbook.package import Package, parse_xml

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.workbook.model import Change, NewValue

__all__ = ["change_xlsx"]

_WORKBOOK: Final = "xl/workbook.xml"
_RELATIONS: Final = "xl/_rels/workbook.xml.rels"
_NUMBER: Final = re.compile(r"([A-Z]{1,3})([0-9]+)")
_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"


def change_xlsx(data: bytes, file: str | None, changes: Iterable[Change]) -> bytes:
    """The workbook with these cells otherwise; all else of it is as it was."""
    package = Package(data, file)
    parts = _sheet_parts(package)
    by_sheet: dict[str, list[Change]] = {}
    for change in changes:
        by_sheet.setdefault(change.sheet, []).append(change)
    written = {}
    for title, wanted in by_sheet.items():
        name = parts[title]
        root = parse_xml(package.part(name), name, package.place)
        sheet = _SheetXml(root, title, package)
        for change in sorted(wanted, key=lambda one: (one.row, one.column)):
            sheet.put(change.row, change.column, change.value)
        sheet.forget_extent()
        written[name] = etree.tostring(
            root, xml_declaration=True, encoding="UTF-8", standalone=True
        )
    if written:
        written |= _to_be_counted_again(package, parts)
    return package.with_parts(written)


def _sheet_parts(package: Package) -> dict[str, str]:
    """The part of each sheet by its title."""
    relations = parse_xml(package.part(_RELATIONS), _RELATIONS, package.place)
    targets = {one.get("Id", ""): one.get("Target", "") for one in relations}
    book = parse_xml(package.part(_WORKBOOK), _WORKBOOK, package.place)
    found = {}
    for sheet in book.iter("{*}sheet"):
        key = next((str(v) for k, v in sheet.attrib.items() if str(k).endswith("}id")), "")
        target = targets.get(key, "")
        path = target.lstrip("/") if target.startswith("/") else posixpath.join("xl", target)
        found[sheet.get("name", "")] = posixpath.normpath(path)
    return found


def _to_be_counted_again(package: Package, parts: dict[str, str]) -> dict[str, bytes]:
    """The book, told to calculate its formulas anew when it is opened, if it has any."""
    if not any(re.search(rb"<(\w+:)?f[ >]", package.part(name)) for name in parts.values()):
        return {}
    book = parse_xml(package.part(_WORKBOOK), _WORKBOOK, package.place)
    counting = next(book.iter("{*}calcPr"), None)
    if counting is None:
        return {}
    counting.set("fullCalcOnLoad", "1")
    return {
        _WORKBOOK: etree.tostring(book, xml_declaration=True, encoding="UTF-8", standalone=True)
    }


class _SheetXml:
    """The XML of one sheet."""

    def __init__(self, root: etree._Element, title: str, package: Package) -> None:
        self.root, self.title, self.package = root, title, package
        self.space = root.tag[: root.tag.index("}") + 1] if "}" in root.tag else ""
        data = root.find(f"{self.space}sheetData")
        if data is None:
            raise BadInputError(f"the sheet {title!r} has no cells", place=package.place)
        self.data = data
        self.rows: dict[int, etree._Element] = {}
        number = 0
        for row in data.iterchildren(f"{self.space}row"):
            # A row may leave its number out: it follows the one before then.
            number = int(row.get("r") or number + 1)
            self.rows[number] = row

    def put(self, row: int, column: int, value: NewValue) -> None:
        """Let a cell hold this."""
        name = f"{column_letters(column)}{row}"
        cell = self._cell(row, column)
        if cell.find(f"{self.space}f") is not None:
            raise BadInputError(
                f"the cell {self.title}, {name} holds a formula, which would be lost",
                place=self.package.place,
                hint="put its value in its place, and convert again",
            )
        for child in list(cell):
            cell.remove(child)
        cell.attrib.pop("t", "")
        if value is None:
            return
        if isinstance(value, bool | int):
            if isinstance(value, bool):
                cell.set("t", "b")
            etree.SubElement(cell, f"{self.space}v").text = str(int(value))
            return
        cell.set("t", "inlineStr")
        text = etree.SubElement(etree.SubElement(cell, f"{self.space}is"), f"{self.space}t")
        text.text = value
        if value != value.strip():
            text.set(_SPACE, "preserve")

    def _cell(self, row: int, column: int) -> etree._Element:
        line = self._row(row)
        found, after = self._look(line, column)
        if found is not None:
            return found
        cell = etree.Element(f"{self.space}c", {"r": f"{column_letters(column)}{row}"})
        style = self._style_above(row, column)
        if style:
            cell.set("s", style)
        if after is None:
            line.append(cell)
        else:
            after.addprevious(cell)
        line.attrib.pop("spans", "")
        return cell

    def _look(
        self, line: etree._Element, column: int
    ) -> tuple[etree._Element | None, etree._Element | None]:
        """The cell of a column, if it is there, and the first cell after it."""
        at = 0
        for cell in line.iterchildren(f"{self.space}c"):
            named = _NUMBER.fullmatch(cell.get("r") or "")
            at = _column(named[1]) if named else at + 1
            if at == column:
                return cell, None
            if at > column:
                return None, cell
        return None, None

    def _row(self, number: int) -> etree._Element:
        if number in self.rows:
            return self.rows[number]
        line = etree.Element(f"{self.space}row", {"r": str(number)})
        later = [n for n in self.rows if n > number]
        if later:
            self.rows[min(later)].addprevious(line)
        else:
            self.data.append(line)
        self.rows[number] = line
        return line

    def _style_above(self, row: int, column: int) -> str:
        """A new cell looks like the one above it."""
        if row - 1 not in self.rows:
            return ""
        above, _ = self._look(self.rows[row - 1], column)
        return above.get("s", "") if above is not None else ""

    def forget_extent(self) -> None:
        """Drop the extent that a sheet states of itself; it may be wrong now, and need not be."""
        for stated in self.root.findall(f"{self.space}dimension"):
            self.root.remove(stated)


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
