"""Sheets as people make them, through every command, and back into the same workbook."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import openpyxl
import pytest
from people_s_books import french, german

from hexmarshal.cli.main import run
from hexmarshal.scenario import read_scenario


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def said(capsys):
    def call(*words: str) -> tuple[int, str, str]:
        code = run(["scenario", *words])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def scenario_of(name: str):
    return read_scenario(Path(name).read_bytes(), name)


def cells(name: str) -> dict[tuple[str, str], object]:
    book = openpyxl.load_workbook(name)
    return {
        (page.title, cell.coordinate): cell.value
        for page in book
        for row in page.iter_rows()
        for cell in row
        if cell.value is not None
    }


def test_french_titles_sections_counts_and_remarks_are_read(said) -> None:
    french(Path("b.xlsx"))
    code, _, err = said("convert", "b.xlsx", "b.yaml")
    assert code == 0
    assert "the column 'Chef' is for people, and not read" in err
    found = scenario_of("b.yaml")
    assert {u.id: (u.side, u.type, u.steps) for u in found.units.values()} == {
        "rifle-1": ("soviet", "rifle", 1),
        "rifle-2": ("soviet", "rifle", 1),
        "rifle-3": ("soviet", "rifle", 1),
        "cav-1": ("soviet", "cavalry", 1),
        "QG-28": ("soviet", "hq", 1),
        "inf-79": ("axis", "infantry", 4),
        "INF-294": ("axis", "infantry", 4),
        "pz-1": ("axis", "panzer", 2),
    }
    assert found.setup.cells["0313"] == ("rifle-1", "rifle-2", "rifle-3")
    assert found.reinforcements[0].turn == 2
    assert found.reinforcements[0].entry == "south_edge"
    assert (found.turns, found.based_on, found.map) == (3, "training", "kharkov")


def test_german_titles_of_two_rows_and_an_area_are_read(said) -> None:
    german(Path("b.xlsx"))
    assert said("check", "b.xlsx")[0] == 0
    said("convert", "b.xlsx", "b.yaml")
    found = scenario_of("b.yaml")
    assert found.setup.cells == {
        "1-E13": ("g-1", "g-2"),
        "1-E12": ("mg",),
        "1-E09": ("s1",),
        "1-D08": ("s2",),
    }
    assert found.setup.areas == {"Startlinie": ("reserve",)}
    assert found.areas["Startlinie"].title == "Deutsche Startlinie"
    assert found.units["s2"].type == "soviet_maxim"
    assert found.units["g-1"].facing == 5


def test_a_save_comes_back_into_the_same_workbook_unchanged(said) -> None:
    german(Path("b.xlsx"))
    assert said("convert", "b.xlsx", "b.vsav")[0] == 0
    code, _, err = said("convert", "b.vsav", "c.xlsx", "--into", "b.xlsx")
    assert code == 0
    assert "0 cells of b.xlsx changed" in err
    assert "not held" not in err
    assert cells("c.xlsx") == cells("b.xlsx")
    # VASSAL keeps the table alone; the workbook still tells the rest. The unit s2 has the name of
    # one of the game's own, and another counter.
    with zipfile.ZipFile("b.vsav") as one, zipfile.ZipFile("v.vsav", "w") as other:
        for name in one.namelist():
            if not name.startswith("hexmarshal/"):
                other.writestr(name, one.read(name))
    code, _, err = said("convert", "v.vsav", "d.xlsx", "--into", "b.xlsx")
    assert code == 0, err
    assert cells("d.xlsx") == cells("b.xlsx")


def test_only_what_moved_differs_in_the_workbook_and_all_else_is_kept(said) -> None:
    french(Path("b.xlsx"))
    said("convert", "b.xlsx", "b.yaml")
    text = Path("b.yaml").read_text()
    text = text.replace('"0315": [inf-79]', '"0415": [inf-79]').replace("cav-1]", "cav-1, new]")
    text = text.replace("    cav-1: {", "    new: {type: rifle, values: {move: 6}}\n    cav-1: {")
    Path("m.yaml").write_text(text)
    code, _, err = said("convert", "m.yaml", "c.xlsx", "--into", "b.xlsx")
    assert code == 0, err
    before, after = cells("b.xlsx"), cells("c.xlsx")
    page = "Ordre de bataille"
    changed = {k for k in {**before, **after} if before.get(k) != after.get(k)}
    assert (page, "E14") in changed
    assert {k for k in changed if int(k[1][1:]) <= 17} == {(page, "E14")}
    kept = openpyxl.load_workbook("c.xlsx")[page]
    assert kept["E14"].value == "0415"
    assert kept["E14"].fill.fgColor.rgb == "FFFF0000"
    assert kept["A18"].value == "new"
    said("convert", "c.xlsx", "d.yaml")
    assert scenario_of("d.yaml").setup == scenario_of("m.yaml").setup


def test_a_row_that_counts_is_told_apart_when_its_units_are_no_longer_alike(said) -> None:
    french(Path("b.xlsx"))
    said("convert", "b.xlsx", "b.yaml")
    text = Path("b.yaml").read_text()
    text = text.replace("[rifle-1, rifle-2, rifle-3]", '[rifle-1, rifle-3]\n    "0413": [rifle-2]')
    Path("m.yaml").write_text(text)
    code, _, err = said("convert", "m.yaml", "c.xlsx", "--into", "b.xlsx")
    assert code == 0
    assert "each has a row of its own now" in err
    said("convert", "c.xlsx", "d.yaml")
    assert scenario_of("d.yaml").units.keys() == scenario_of("m.yaml").units.keys()
    assert scenario_of("d.yaml").setup == scenario_of("m.yaml").setup


def test_the_workbook_may_be_written_over_only_with_force(said) -> None:
    french(Path("b.xlsx"))
    said("convert", "b.xlsx", "b.yaml")
    assert said("convert", "b.yaml", "b.xlsx", "--into", "b.xlsx")[0] == 5
    assert said("convert", "b.yaml", "b.xlsx", "--into", "b.xlsx", "--force")[0] == 0
    assert said("convert", "b.yaml", "b.ods", "--into", "b.xlsx")[0] == 5


@pytest.mark.parametrize("ending", [".xlsx", ".ods"])
@pytest.mark.parametrize("game", ["kharkov", "conflict_of_heroes", "traces_of_war"])
def test_a_template_is_read_again_and_nothing_is_wrong_with_it(said, game, ending) -> None:
    assert said("template", game, "-o", f"t{ending}")[0] == 0
    code, out, _ = said("check", f"t{ending}")
    assert code == 0, out
    assert said("template", game, "-o", f"e{ending}", "--empty")[0] == 0
    if ending == ".xlsx":
        book = openpyxl.load_workbook("t.xlsx")
        offers = book["Units"].data_validations.dataValidation
        assert len(offers) >= 4
        assert book["# Lists"].sheet_state == "hidden"


def test_findings_name_the_sheet_the_row_and_the_column(said) -> None:
    book = openpyxl.Workbook()
    page = book.active
    page.title = "Force"
    for row in (
        ["My battle"],
        ["Unit", "Side", "Type", "Hex", "Turn", "Entry", "Zone", "command", "move"],
        ["a", "soviet", "rifl", "0313"],
        ["b", "soviet", "rifle", "9999"],
        ["c", "axis", "panzer", None, 99, "Q1"],
        ["d", "axis", "panzer", None, None, None, "nowhere"],
        ["e", "soviet", "infantry", "0413"],
        ["f", "soviet", "rifle", "0414", None, None, None, "hq-99", 77],
    ):
        page.append(row)
    book.save("b.xlsx")
    code, out, err = said("check", "b.xlsx", "--game", "kharkov")
    assert code == 1, err
    lines = out.splitlines()
    for row, column, unit, words in (
        (3, "Type", "a", "no unit type 'rifl'"),
        (4, "Hex", "b", "the map has no cell '9999'"),
        (5, "Turn", "c", "arrives on turn 99"),
        (5, "Entry", "c", "'Q1' is not one of"),
        (6, "Zone", "d", "no area 'nowhere'"),
        (7, "Side", "e", "e is Soviet, and its counter (Infantry division) is Axis"),
        (8, "command", "f", "command of f is hq-99"),
        (8, "move", "f", "move of f is 77"),
    ):
        where = f"b.xlsx, sheet Force, row {row}, column {column}"
        found = [line for line in lines if line.startswith(where) and f"unit {unit}:" in line]
        assert any(words in line for line in found), (where, words, out)
    assert "did you mean rifle?" in out


def test_convert_tells_what_check_would_refuse_and_ends_with_1(said) -> None:
    Path("b.csv").write_text("Unit,Side,Type,Steps,Hex\na,axis,infantry,9,0315\n")
    code, _, err = said("convert", "b.csv", "b.json", "--game", "kharkov")
    assert code == 1
    assert "wrong: b.csv, line 2" in err
    assert Path("b.json").exists()
    code, _, err = said("convert", "b.csv", "c.yaml", "--game", "kharkov", "--strict")
    assert (code, Path("c.yaml").exists()) == (1, False)
    assert "something is wrong" in err


def test_deleted_rows_stay_deleted_with_replace_and_are_told_without(said) -> None:
    Path("b.csv").write_text("Unit,Hex\nrif-01,0313\nINF-294,0414\n")
    base = "kharkov:training"
    _, _, err = said("convert", "b.csv", "k.yaml", "--onto", base)
    assert "kept as in kharkov:training: 35 units not listed here" in err
    assert len(scenario_of("k.yaml").units) == 37
    _, _, err = said("convert", "b.csv", "r.yaml", "--onto", base, "--replace")
    found = scenario_of("r.yaml")
    assert set(found.units) == {"rif-01", "inf-294"}
    assert "kept as" not in err


def test_case_and_spelling_do_not_count_in_yaml_either(said) -> None:
    Path("m.yaml").write_text("""
format: hexmarshal-scenario/1
game: conflict_of_heroes
map: 1
based_on: first_steps
sides: [German, Soviet]
units:
  German: {g1: {type: Rifles 41, facing: 5}}
  Soviets: {s1: {type: maxim mmg, facing: 1}}
setup: {cells: {1-e13: [G1], 1D8: [s1]}}
""")
    code, _, err = said("convert", "m.yaml", "n.yaml")
    assert code == 0, err
    assert '1 is read as a name: write "1"' in err
    found = scenario_of("n.yaml")
    assert found.sides == ("german", "soviet")
    assert found.setup.cells == {"1-E13": ("g1",), "1-D08": ("s1",)}
    assert {u.type for u in found.units.values()} == {"german_rifles_41", "soviet_maxim"}


def test_two_spellings_of_one_unit_are_told(said) -> None:
    rows = "INF-1,axis,infantry,4,0315\ninf 1,axis,infantry,4,0414\n"
    Path("b.csv").write_text(f"Unit,Side,Type,Steps,Hex\n{rows}")
    code, out, _ = said("check", "b.csv", "--game", "kharkov")
    assert code == 1
    assert "inf 1 and INF-1 are two spellings of one name" in out


def test_a_sheet_without_its_map_is_told_which_map_has_the_cell(said) -> None:
    Path("b.csv").write_text("Unit,Side,Type,Hex,Facing\ng1,german,Rifles 41,1-E13,5\n")
    code, out, _ = said("check", "b.csv", "--game", "conflict_of_heroes")
    assert code == 1
    assert "no map is named" in out
    assert "map '1' has such a cell" in out
    Path("c.csv").write_text("Map,1\n" + Path("b.csv").read_text())
    assert said("check", "c.csv", "--game", "conflict_of_heroes")[0] == 0


def test_two_sheets_that_disagree_are_refused_with_both_places(said) -> None:
    book = openpyxl.Workbook()
    book.active.title = "One"
    book.active.append(["Unit", "Side", "Type", "Hex"])
    book.active.append(["a", "soviet", "rifle", "0313"])
    other = book.create_sheet("Two")
    other.append(["Unit", "Hex"])
    other.append(["A", "0414"])
    book.save("b.xlsx")
    code, _, err = said("check", "b.xlsx", "--game", "kharkov")
    assert code == 3
    assert "two sheets disagree about a: '0414' here, '0313' in sheet One, row 2" in err
    assert "sheet Two, row 2, column Hex" in err


@pytest.mark.parametrize(
    ("value", "words"),
    [("=A1", "has no value"), ("#REF!", "the spreadsheet shows #REF!")],
)
def test_formulas_without_values_and_errors_are_refused_with_their_place(said, value, words):
    book = openpyxl.Workbook()
    book.active.append(["Unit", "Side", "Type", "Hex"])
    book.active.append(["a", "soviet", "rifle", value])
    book.save("b.xlsx")
    code, _, err = said("check", "b.xlsx", "--game", "kharkov")
    assert code == 3
    assert words in err
    assert "sheet Sheet, row 2, column Hex" in err


def test_dates_that_spreadsheets_make_are_refused_with_a_hint(said) -> None:
    import datetime as dt

    book = openpyxl.Workbook()
    book.active.append(["Unit", "Side", "Type", "Hex"])
    book.active.append([dt.date(2026, 12, 7), "soviet", "rifle", "0313"])
    book.save("b.xlsx")
    code, _, err = said("check", "b.xlsx", "--game", "kharkov")
    assert code == 3
    assert "this is the date 2026-12-07" in err
    assert "format the column as text" in err


def test_types_and_the_schema_of_a_game_name_what_a_scenario_may_use(said) -> None:
    import jsonschema
    import yaml

    code, out, _ = said("types", "kharkov", "--json")
    listed = json.loads(out)
    assert code == 0
    assert {"rifle", "infantry"} <= {row["key"] for row in listed["types"]}
    assert "Rifle division" in said("types", "kharkov", "--side", "soviet")[1]
    assert said("types", "kharkov", "--side", "nobody")[0] == 2
    schema = json.loads(said("schema", "kharkov")[1])
    validator = jsonschema.Draft202012Validator(schema)
    said("convert", "kharkov:campaign", "c.yaml")
    text = Path("c.yaml").read_text()
    assert not list(validator.iter_errors(yaml.safe_load(text)))
    for wrong in (("type: rifle,", "type: rifl,"), ('"0313"', '"9999"'), ("move: 6", "mve: 6")):
        assert wrong[0] in text, wrong
        assert list(validator.iter_errors(yaml.safe_load(text.replace(*wrong)))), wrong


def test_objectives_and_special_rules_have_sheets_of_their_own(said) -> None:
    book = openpyxl.Workbook()
    page = book.active
    page.append(["Pion", "Camp", "Type", "Hexagone", "Objectif"])
    page.append(["g1", "allemand", "german_rifles_41", "1-E13", "tenir le moulin"])
    book.create_sheet("Scénario").append(["Carte", "1"])
    goals = book.create_sheet("Objectifs")
    goals.append(["Ce pour quoi on se bat"])
    goals.append(["Objectif", "Hexagone", "value:vp"])
    goals.append(["La maison", "1-d08", 2])
    rules = book.create_sheet("Règles")
    rules.append(["Règle spéciale", "Texte", "Règles"])
    rules.append(["Aube", "On ne voit pas à plus de six hexagones.", "A1; B2"])
    book.save("b.xlsx")
    code, _, err = said("convert", "b.xlsx", "b.yaml", "--game", "conflict_of_heroes")
    assert "the column 'Objectif' is for people" in err  # that of a unit
    found = scenario_of("b.yaml")
    assert [(o.cell, o.text, o.facts) for o in found.objectives] == [
        ("1-D08", "La maison", {"vp": 2})
    ]
    (rule,) = found.special_rules
    assert (rule.title, rule.rules) == ("Aube", ("A1", "B2"))
    said("convert", "b.yaml", "again.xlsx")
    said("convert", "again.xlsx", "again.yaml")
    assert scenario_of("again.yaml").objectives == found.objectives
    assert scenario_of("again.yaml").special_rules == found.special_rules
    goals.append(["Nulle part", None, 3])
    book.save("bad.xlsx")
    code, _, err = said("check", "bad.xlsx", "--game", "conflict_of_heroes")
    assert code == 3
    assert "bad.xlsx, sheet Objectifs, row 4: an objective needs a cell or an area" in err
