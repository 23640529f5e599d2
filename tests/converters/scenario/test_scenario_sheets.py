"""Sheets as spreadsheets save them, and back without a loss and without a formula."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from scenario_strategies import TRICKY, forces, texts, values

from hexmarshal.errors import BadInputError, UsageError
from hexmarshal.scenario import Scenario, scenario_document, sheets
from hexmarshal.scenario.sheets import ColumnKind, Lexicon, Part, lay, read_sheet, write_sheet
from hexmarshal.scenario.sheets.cells import ABSENT, read_cell, write_cell
from hexmarshal.scenario.sheets.columns import COLUMNS, norm

KINDS = {
    "name": ColumnKind.TEXT,
    "move": ColumnKind.WHOLE,
    "entry": ColumnKind.LIST,
    "armour": ColumnKind.TRUTH,
}
EMPTY = Scenario("chess")
NAMES = Path(sheets.__file__).with_name("column_names.yaml")

SHEET = """\
Unit,Side,Type,Steps,Cell,move,name
b1,blue,infantry,2,A1,6,79
b2,blue,tank,,A1,"2,5",11 Panzer
r1,red,scout,1,0216,4,
"""


def read(data: str | bytes, **more) -> Scenario:
    raw = data if isinstance(data, bytes) else data.encode()
    return lay(
        read_sheet(
            raw, "s.csv", Lexicon({"name": ColumnKind.TEXT, "move": ColumnKind.ANY}), **more
        ),
        EMPTY,
    )[0]


def failure(data: str | bytes, kinds=KINDS, **more) -> BadInputError:
    raw = data if isinstance(data, bytes) else data.encode()
    with pytest.raises(BadInputError) as caught:
        lay(read_sheet(raw, "s.csv", Lexicon(kinds), **more), EMPTY)
    return caught.value


# Cells


@given(values, st.sampled_from(ColumnKind))
def test_a_cell_gives_back_its_value_whatever_its_column(value, kind) -> None:
    again = read_cell(write_cell(value, kind), kind)
    assert json.dumps(again) == json.dumps(value)


@given(texts | values, st.sampled_from(ColumnKind))
def test_no_cell_is_a_formula_a_date_or_a_number_that_loses_its_zeros(value, kind) -> None:
    cell = write_cell(value, kind)
    assert cell[0] not in "=+@\t\r"
    assert cell[0] != "-" or cell[1:].isdecimal()
    assert not (cell.isdecimal() and cell[0] == "0" and cell != "0")


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("0216", "'0216"),
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("-x", "'-x"),
        ("'quoted", "''quoted"),
        ("7-12", "'7-12"),
        ("May-5", "'May-5"),
        ("1E5", "'1E5"),
        ("1-D13", "1-D13"),
        ("inf-79", "inf-79"),
        ("79", "79"),
        ("", 'json:""'),
        ("a\tb", 'json:"a\\tb"'),
    ],
)
def test_text_is_guarded_where_a_spreadsheet_would_change_it(value: str, cell: str) -> None:
    assert write_cell(value, ColumnKind.TEXT) == cell


@pytest.mark.parametrize(
    ("cell", "kind", "value"),
    [
        ("4,0", ColumnKind.WHOLE, 4),
        (" 4.00 ", ColumnKind.WHOLE, 4),
        ("−4", ColumnKind.WHOLE, -4),
        ("2,5", ColumnKind.ANY, "5/2"),
        ("2.50", ColumnKind.ANY, "5/2"),
        ("3,00", ColumnKind.ANY, 3),
        ("0216", ColumnKind.ANY, "0216"),
        ("216", ColumnKind.TEXT, "216"),
        ("WAHR", ColumnKind.ANY, "WAHR"),
        ("True", ColumnKind.ANY, True),
        ("yes", ColumnKind.TRUTH, True),
        ("a, b;c", ColumnKind.LIST, ["a", "b", "c"]),
        ("'5", ColumnKind.ANY, "5"),
        ("", ColumnKind.ANY, ABSENT),
    ],
)
def test_cells_are_read_as_people_write_them(cell: str, kind: ColumnKind, value: object) -> None:
    assert read_cell(cell, kind) == value


# Whole sheets


@given(forces(), st.sampled_from(",;\t"), st.booleans())
def test_a_sheet_gives_back_units_and_places(force: Scenario, separator: str, typed: bool) -> None:
    kinds = KINDS if typed else {}
    data = write_sheet(force, kinds=kinds, separator=separator)
    sheet = read_sheet(data, "s.csv", Lexicon(kinds))
    again, _ = lay(sheet, EMPTY)
    assert again == force
    assert json.dumps(scenario_document(again), sort_keys=True) == json.dumps(
        scenario_document(force), sort_keys=True
    )
    assert sheet.encoding == "utf-8-sig"


@given(forces())
def test_two_sheets_laid_one_after_the_other_give_the_whole(force: Scenario) -> None:
    battle = write_sheet(force, Part.BATTLE)
    setup = write_sheet(force, Part.SETUP)
    scenario = EMPTY
    if force.units:
        scenario, _ = lay(read_sheet(battle), scenario)
        scenario, _ = lay(read_sheet(setup), scenario)
    assert scenario == force


@given(forces())
def test_no_cell_of_a_sheet_is_a_formula(force: Scenario) -> None:
    text = write_sheet(force).decode("utf-8-sig")
    for row in csv.reader(io.StringIO(text, newline="")):
        assert not any(cell.startswith(("=", "+", "@", "\t", "\r")) for cell in row)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_whatever_a_spreadsheet_saves_is_read(encoding: str, separator: str, ends: str) -> None:
    rows = list(csv.reader(io.StringIO(SHEET.replace("infantry", "Jäger"))))
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, lineterminator=ends).writerows([*rows, [], ["", " "]])
    found = read(out.getvalue().encode(encoding))
    assert [u.type for u in found.units.values()] == ["Jäger", "tank", "scout"]
    assert found.units["b2"].values == {"move": "5/2", "name": "11 Panzer"}
    assert found.units["b1"].values == {"move": 6, "name": "79"}
    assert found.setup.cells == {"A1": ("b1", "b2"), "0216": ("r1",)}


def test_titles_come_in_any_order_and_case_and_under_several_names() -> None:
    found = read("HEX;unit type; Counter ;NATION;seen_by\nA1;tank;b1;blue;blue,red\n")
    assert found.units["b1"].type == "tank"
    assert found.units["b1"].seen_by == ("blue", "red")
    assert found.setup.cells == {"A1": ("b1",)}


def test_a_file_may_tell_its_separator_and_hold_notes_and_newlines() -> None:
    found = read('sep=;\nUnit;Side;Type;#who\n# the first\nb1;blue;"tank\nheavy";me, I\n')
    assert found.units["b1"].type == "tank\nheavy"


def test_an_encoding_may_be_named() -> None:
    assert read(SHEET.encode("cp1250"), encoding="cp1250").units["b1"].type == "infantry"
    with pytest.raises(UsageError):
        read(SHEET, encoding="klingon")


def test_stacks_are_in_the_order_of_rows_unless_a_column_tells_another() -> None:
    rows = "Unit,Side,Type,Cell{0}\na,x,t,A1{1}\nb,x,t,A1{2}\n"
    assert read(rows.format("", "", "")).setup.cells == {"A1": ("a", "b")}
    assert read(rows.format(",Order", ",2", ",1")).setup.cells == {"A1": ("b", "a")}


def test_a_sheet_speaks_of_its_own_units_alone() -> None:
    base = read(SHEET)
    sheet = read_sheet(b"Unit,Hex\nb2,A7\n")
    laid, source = lay(sheet, base)
    assert laid.setup.cells == {"A1": ("b1",), "0216": ("r1",), "A7": ("b2",)}
    assert laid.units == base.units
    assert source.place("setup", "cells", "A7", 0).line == 2


def test_an_empty_cell_of_a_set_up_sheet_takes_the_unit_off_the_map() -> None:
    laid, _ = lay(read_sheet(b"Unit,Hex,Box\nb2,,\nb1,,aside\n"), read(SHEET))
    assert laid.setup.cells == {"0216": ("r1",)}
    assert laid.setup.boxes == {"aside": ("b1",)}


def test_what_a_sheet_has_no_column_for_stays_with_its_reinforcements() -> None:
    from dataclasses import replace

    from hexmarshal.scenario.model import Reinforcement

    late = (Reinforcement(2, ("b1",), "north", "by train"), Reinforcement(3, ("r1",)))
    base = replace(read(SHEET), setup=EMPTY.setup, reinforcements=late)
    laid, _ = lay(read_sheet(b"Unit,Turn,Entry\nr1,2,north\nb1,2,north\n"), base)
    assert laid.reinforcements == (Reinforcement(2, ("r1", "b1"), "north", "by train"),)


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        ("", None, "the file is empty"),
        (b"\xef\xbb\xbf\r\n;;\r\n", None, "the file is empty"),
        ("Nom,Size\n1,2\n", 1, "no row names the columns"),
        ("Side,Hex\nblue,A1\n", 1, "no row names the columns"),
        ("Unit,Side,Type,Hex,Cell\n", 1, "two columns are Cell"),
        ("Unit,Side,Type,Stepz\n", 1, "no column is called 'Stepz'"),
        ("Unit,Side,Type\nb1,blue,tank\n\nb1,blue,tank\n", 4, "the unit b1 is in line 2 already"),
        ("Unit,Side,Type,Steps\nb1,blue,tank,two\n", 2, "'two' is no whole number"),
        ('Unit,Side,Type,Steps\nb1,blue,tank,"2,5"\n', 2, "'2,5' is no whole number"),
        ("Unit,Side,Type\nb1,blue,=A1\n", 2, "'=A1' is a formula"),
        ("Unit,Side,Type\n,blue,\n", 2, "a row without a unit"),
        ("Unit,Side,Type\nb1,blue,tank,x\n", 2, "column 4 has a cell and no title"),
        ('Unit,Side,Type\nb1,blue,"tank\n', 2, "this is not CSV"),
        ("Unit,Cell\nb1,A1\n", 2, "the unit b1 is new and has no side"),
        ("Unit,Side,Type,Cell,Box\nb1,blue,tank,A1,aside\n", 2, "one place, not cell and box"),
        ("Unit,Side,Type,Entry\nb1,blue,tank,north\n", 2, "an entry needs the turn"),
        ("Unit,Side,Type,Flags\nb1,blue,tank,json:{}\n", 2, "must be a list"),
        ("Unit,Side,Type,Flags\nb1,blue,tank,json:{\n", 2, "not JSON"),
        ("Unit,Side,Type,value:x\nb1,blue,tank,json:1.5\n", 2, "1.5 is not whole"),
        (b"Unit,Side,Type\nb1,blue,\x81\n", 2, "neither UTF-8 nor Windows-1252"),
        (b"\xff\xfeU\x00n\x00i", 1, "not UTF-16"),
        ("Unit," + "x," * 2000, 1, "more than 1000 columns"),
    ],
)
def test_what_is_wrong_with_a_sheet_is_told_with_its_line(data, line, words) -> None:
    error = failure(data)
    assert words in error.message
    assert line is None or error.place.line == line
    assert error.place.file == "s.csv"


def test_every_title_is_told_apart_from_every_other() -> None:
    names = yaml.safe_load(NAMES.read_text(encoding="utf-8"))
    titles = {norm(c.title): c.key for c in COLUMNS}
    for key, words in names["columns"].items():
        for word in words:
            assert titles.setdefault(norm(word), key) == key, word


@pytest.mark.parametrize("name", [*TRICKY, "Cell", "value:x", "Move", "hex"])
def test_a_value_may_have_any_name(name: str) -> None:
    force = read(SHEET)
    unit = force.units["b1"]
    from dataclasses import replace

    named = replace(force, units={"b1": replace(unit, values={name: 1})}, setup=EMPTY.setup)
    again, _ = lay(read_sheet(write_sheet(named, kinds=KINDS), "s.csv", Lexicon(KINDS)), EMPTY)
    assert again == named
