"""Workbooks are read as people see them, and changed without losing anything else."""

from __future__ import annotations

import datetime as dt
import io
import zipfile

import openpyxl
import pytest
from openpyxl.comments import Comment
from openpyxl.styles import Font

from hexmarshal.errors import BadInputError, OutputError
from hexmarshal.workbook import (
    Cell,
    CellKind,
    Change,
    NewSheet,
    change_workbook,
    column_letters,
    demand_same_kind,
    make_workbook,
    read_workbook,
)

ENDINGS = (".xlsx", ".ods", ".csv")


def bytes_of(book) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def texts(book):
    return [[row.texts for row in sheet.rows] for sheet in book.sheets]


def parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_parts(data: bytes, more: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in {**parts(data), **more}.items():
            archive.writestr(name, part)
    return out.getvalue()


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_new_workbook_is_read_as_it_was_made(ending):
    rows = [["Unit", "Hex", "Steps"], ["=1+1", "0313", 3], ["7-12", None, 2], ["a\nb", "1E5", 1]]
    data = make_workbook([NewSheet("Units", rows, choices={2: ["0101", "0102"]})], f"oob{ending}")
    book = read_workbook(data, f"oob{ending}")
    assert texts(book)[0] == [
        ("Unit", "Hex", "Steps"),
        ("=1+1", "0313", "3"),
        ("7-12", "", "2"),
        ("a\nb", "1E5", "1"),
    ]
    if ending != ".csv":
        assert book.sheets[0].rows[1].cells[0] == Cell("=1+1")
        assert book.sheets[0].rows[1].cells[2].kind is CellKind.NUMBER


def test_what_is_shown_counts_where_it_says_more_than_the_value():
    book = openpyxl.Workbook()
    page = book.active
    page["A1"], page["B1"], page["C1"] = 313, 2.5, dt.date(1941, 6, 22)
    page["A1"].number_format = "0000"
    page["D1"], page["E1"] = True, 4.0
    page.merge_cells("A3:B3")
    page["A3"] = "Red"
    found = read_workbook(bytes_of(book), "a.xlsx").sheets[0]
    assert found.rows[0].texts == ("0313", "2.5", "1941-06-22", "TRUE", "4")
    assert found.rows[0].cells[2].kind is CellKind.DATE
    assert found.rows[1].number == 3
    assert found.merged == ((3, 1, 3, 2),)


def test_a_formula_counts_by_its_value_and_one_without_is_told():
    book = openpyxl.Workbook()
    book.active["A1"], book.active["B1"] = "=1+1", 5
    cell = read_workbook(bytes_of(book), "a.xlsx").sheets[0].rows[0].cells[0]
    assert cell.kind is CellKind.UNCALCULATED
    sheet = "xl/worksheets/sheet1.xml"
    data = bytes_of(book)
    counted = parts(data)[sheet].replace(b"<v></v>", b"<v>2</v>").replace(b"<v />", b"<v>2</v>")
    cell = read_workbook(with_parts(data, {sheet: counted}), "a.xlsx").sheets[0].rows[0].cells[0]
    assert (cell.text, cell.kind, cell.formula) == ("2", CellKind.NUMBER, "=1+1")


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_change_leaves_every_other_cell_alone(ending):
    rows = [["Unit", "Hex", "Note"], ["a", "0101", "x, y"], ["b", "0102", 'said "so"']]
    data = make_workbook([NewSheet("Units", rows), NewSheet("Notes", [["keep"]])], f"o{ending}")
    book = read_workbook(data, f"o{ending}")
    title = book.sheets[0].title
    changes = [
        Change(title, 3, 2, "0909"),
        Change(title, 2, 2, None),
        Change(title, 5, 1, "c"),
        Change(title, 5, 4, 7),
    ]
    after = read_workbook(change_workbook(data, book, changes), f"o{ending}")
    shown = {(r.number, i): c.text for r in after.sheets[0].rows for i, c in enumerate(r.cells, 1)}
    last = 5 if ending != ".csv" else 4
    assert shown[3, 2] == "0909"
    assert not shown.get((2, 2))
    assert (shown[last, 1], shown[last, 4]) == ("c", "7")
    assert (shown[2, 3], shown[3, 3], shown[2, 1]) == ("x, y", 'said "so"', "a")
    assert texts(after)[1:] == texts(book)[1:]


def test_a_changed_workbook_keeps_formatting_comments_and_what_nobody_knows():
    book = openpyxl.Workbook()
    page = book.active
    page["A1"], page["B1"], page["C1"] = "Unit", "Hex", "=COUNTA(A:A)"
    page["A2"], page["B2"] = "a", "0101"
    page["B2"].font = Font(bold=True, color="FFFF0000")
    page["B2"].comment = Comment("a remark", "me")
    data = with_parts(bytes_of(book), {"xl/odd/thing.bin": b"\0\1\2"})
    before = read_workbook(data, "a.xlsx")
    after = change_workbook(data, before, [Change("Sheet", 2, 2, "0202")])
    kept = openpyxl.load_workbook(io.BytesIO(after)).active
    assert kept["B2"].value == "0202"
    assert kept["B2"].font.color.rgb == "FFFF0000"
    assert kept["B2"].comment.text == "a remark"
    assert kept["C1"].value == "=COUNTA(A:A)"
    changed = {n for n, part in parts(after).items() if part != parts(data)[n]}
    assert changed <= {"xl/worksheets/sheet1.xml", "xl/workbook.xml"}
    assert b"fullCalcOnLoad" in parts(after)["xl/workbook.xml"]


@pytest.mark.parametrize("ending", [".xlsx", ".ods"])
def test_a_formula_is_never_overwritten(ending):
    if ending == ".xlsx":
        book = openpyxl.Workbook()
        book.active["A1"] = "=1+1"
        data = bytes_of(book)
    else:
        data = make_workbook([NewSheet("Sheet", [["x"]])], "a.ods")
        text = parts(data)["content.xml"].replace(
            b'office:value-type="string"', b'office:value-type="string" table:formula="of:=1"'
        )
        data = with_parts(data, {"content.xml": text})
    book = read_workbook(data, f"a{ending}")
    with pytest.raises(BadInputError, match="holds a formula"):
        change_workbook(data, book, [Change("Sheet", 1, 1, "y")])


def test_repeated_rows_and_cells_of_ods_are_told_apart_when_one_changes():
    data = make_workbook([NewSheet("S", [["a", "b"], ["c", "d"]], choices={1: ["x"]})], "a.ods")
    book = read_workbook(data, "a.ods")
    after = change_workbook(data, book, [Change("S", 900, 2, "far"), Change("S", 4, 1, "near")])
    found = {row.number: row.texts for row in read_workbook(after, "a.ods").sheets[0].rows}
    assert found == {1: ("a", "b"), 2: ("c", "d"), 4: ("near",), 900: ("", "far")}


def test_macros_are_kept_and_told_and_the_name_must_say_so():
    data = with_parts(bytes_of(openpyxl.Workbook()), {"xl/vbaProject.bin": b"code"})
    book = read_workbook(data, "a.xlsm")
    assert "macros" in book.notes[0]
    with pytest.raises(OutputError, match=r"stays \.xlsm"):
        demand_same_kind(book, "b.xlsx")
    demand_same_kind(book, "b.xlsm")


def test_a_locked_workbook_is_refused_with_a_hint():
    locked = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(BadInputError, match="password") as refused:
        read_workbook(locked, "a.xlsx")
    assert "take the password off" in refused.value.hint
    with pytest.raises(BadInputError, match=r"\.xls\)"):
        read_workbook(locked[:8] + b"BIFF", "a.xls")
    ods = make_workbook([NewSheet("S", [["a"]])], "a.ods")
    manifest = b"<manifest><encryption-data/></manifest>"
    with pytest.raises(BadInputError, match="password"):
        read_workbook(with_parts(ods, {"META-INF/manifest.xml": manifest}), "a.ods")


def test_a_million_rows_are_refused_before_they_fill_the_memory():
    sheet = "xl/worksheets/sheet1.xml"
    data = bytes_of(openpyxl.Workbook())
    row = b'<row><c t="n"><v>1</v></c></row>'
    filled = parts(data)[sheet].replace(b"<sheetData", b"<sheetData>" + row * 10**6 + b"<x", 1)
    with pytest.raises(BadInputError, match="1,000,000 cells"):
        read_workbook(with_parts(data, {sheet: filled}), "a.xlsx")
    ods = make_workbook([NewSheet("S", [["a"]])], "a.ods")
    text = parts(ods)["content.xml"].replace(
        b"<table:table-row>", b'<table:table-row table:number-rows-repeated="1048576">', 1
    )
    with pytest.raises(BadInputError, match="more than 100,000 rows"):
        read_workbook(with_parts(ods, {"content.xml": text}), "a.ods")


@pytest.mark.parametrize("ending", [".xlsx", ".ods"])
def test_damaged_workbooks_end_in_one_clear_error(ending):
    good = make_workbook([NewSheet("S", [["a", "b"]])], f"a{ending}")
    inner = "content.xml" if ending == ".ods" else "xl/workbook.xml"
    bomb = b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'
    for bad in (
        b"",
        b"PK\x03\x04",
        good[: len(good) // 2],
        b"Unit,Hex\na,0101",
        with_parts(good, {inner: b"<broken"}),
        with_parts(good, {inner: bomb}),
        with_parts(good, {inner: b"<a/>"}),
    ):
        with pytest.raises(BadInputError):
            read_workbook(bad, f"a{ending}")


def test_columns_have_the_letters_that_spreadsheets_show():
    assert [column_letters(n) for n in (1, 26, 27, 702, 703)] == ["A", "Z", "AA", "ZZ", "AAA"]
