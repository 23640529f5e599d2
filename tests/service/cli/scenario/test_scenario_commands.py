"""The commands scenario convert, check, show and schema, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tutorial import Crossroads

from hexmarshal.cli.main import run
from hexmarshal.rules.plugins import registry
from hexmarshal.scenario import read_scenario


@pytest.fixture(autouse=True)
def tutorial(tmp_path: Path, monkeypatch) -> None:
    registry.default().add(Crossroads())
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def said(capsys):
    """Runs a command of the group; gives its exit code, what it printed, and its complaints."""

    def call(*words: str) -> tuple[int, str, str]:
        code = run(["scenario", *words])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


MINE = """\
format: hexmarshal-scenario/1
game: kharkov
title: Mine
licence: CC0-1.0
based_on: training
map: kharkov
turns: 3
sides: [soviet, axis]
start: {turn: 1, phase: soviet_movement, active: [soviet]}
areas:
  bridgehead: {cells: ["0611", "0612"]}
units:
  soviet:
    rif-01: {type: rifle, values: {move: 6}}
    rif-02: {type: rifle, values: {move: 6}}
    tnk-01: {type: tank, values: {move: 11}}
  axis:
    inf-79: {type: infantry, steps: 4, values: {name: "79"}}
setup:
  cells:
    "0313": [rif-01]
    "0414": [inf-79]
  areas:
    bridgehead: [rif-02]
reinforcements:
  - {turn: 2, entry: east_edge, units: [tnk-01]}
"""


def test_convert_goes_through_every_form_and_comes_back(said) -> None:
    assert said("convert", "kharkov:training", "a.yaml")[0] == 0
    first = Path("a.yaml").read_text(encoding="utf-8")
    for source, target in (
        ("a.yaml", "b.json"),
        ("b.json", "c.position.json"),
        ("c.position.json", "d.message.json"),
        ("d.message.json", "e.yaml"),
    ):
        code, out, err = said("convert", source, target)
        assert (code, err) == (0, "")
        assert out.startswith(f"written: {target} (")
    assert Path("e.yaml").read_text(encoding="utf-8") == first


def test_convert_makes_a_sheet_and_lays_it_back(said) -> None:
    said("convert", "conflict_of_heroes:the_crossing", "a.yaml")
    code, _, err = said("convert", "a.yaml", "units.csv", "--separator", "semicolon")
    assert code == 0
    assert "not held: markers\n" in err
    assert "units" not in err
    text = Path("units.csv").read_bytes().decode("utf-8-sig")
    assert text.splitlines()[0].startswith("Unit;Side;Type;")
    assert "1-E01; 1-A08" in text
    said("convert", "units.csv", "b.yaml", "--onto", "a.yaml")
    assert Path("a.yaml").read_text() == Path("b.yaml").read_text()
    said("convert", "units.csv", "c.yaml", "--game", "conflict_of_heroes")
    assert read_scenario(Path("c.yaml").read_bytes()).setup.cells


def test_convert_writes_two_sheets_that_make_the_whole(said) -> None:
    said("convert", "kharkov:training", "a.yaml")
    said("convert", "a.yaml", "battle.tsv", "--sheet", "battle")
    _, _, err = said("convert", "a.yaml", "setup.csv", "--sheet", "setup")
    assert "lay it onto its units" in err
    assert Path("battle.tsv").read_text("utf-8-sig").startswith("Unit\tSide\tType")
    said("convert", "battle.tsv", "b.yaml", "--game", "kharkov")
    said("convert", "setup.csv", "c.yaml", "--onto", "b.yaml")
    whole, again = (read_scenario(Path(n).read_bytes()) for n in ("a.yaml", "c.yaml"))
    assert (again.units, again.setup) == (whole.units, whole.setup)
    assert again.reinforcements == whole.reinforcements


def test_strict_refuses_what_cannot_be_held(said) -> None:
    Path("mine.yaml").write_text(MINE)
    code, _, err = said("convert", "mine.yaml", "m.position.json", "--strict")
    assert code == 1
    assert not Path("m.position.json").exists()
    assert "not held: licence\n" in err
    assert "not held: areas\n" in err
    assert "nothing written" in err
    code, out, _ = said("convert", "mine.yaml", "m.position.json", "--json")
    told = json.loads(out)
    assert (code, told["written"]) == (0, True)
    paths = [loss["path"] for loss in told["not_held"]]
    assert paths[:2] == ["title", "licence"]
    # An area that is still to be filled is a box to the game.
    assert "setup.areas" in paths
    assert said("convert", "mine.yaml", "m.yml", "--strict")[0] == 0


def test_convert_overwrites_nothing_that_it_should_not(said) -> None:
    Path("mine.yaml").write_text(MINE)
    Path("link.yaml").symlink_to("mine.yaml")
    assert said("convert", "mine.yaml", "mine.yaml", "--force")[0] == 5
    assert said("convert", "mine.yaml", "link.yaml", "--force")[0] == 5
    Path("s.csv").write_text("Unit,Hex\nrif-01,0312\n")
    assert said("convert", "s.csv", "mine.yaml", "--onto", "mine.yaml", "--force")[0] == 5
    assert Path("mine.yaml").read_text() == MINE
    assert said("convert", "mine.yaml", "out.json")[0] == 0
    assert said("convert", "mine.yaml", "out.json")[0] == 5
    assert said("convert", "mine.yaml", "out.json", "--force")[0] == 0
    assert said("convert", "mine.yaml", "no/such/folder/out.json")[0] == 5


def test_a_failure_leaves_no_file(said) -> None:
    Path("bad.yaml").write_text(MINE.replace("[rif-01]", "[rif-99]"))
    code, _, err = said("convert", "bad.yaml", "out.json")
    assert code == 3
    assert "bad.yaml, line 21" in err
    assert [p.name for p in Path().iterdir()] == ["bad.yaml"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("convert", "none.yaml", "o.json"), 4, "no such file"),
        (("convert", "chess:opening", "o.json"), 4, "no game 'chess'"),
        (("convert", "kharkov:opening", "o.json"), 4, "kharkov:opening: Kharkov has no"),
        (("check", "gone.csv"), 4, "gone.csv: no such file"),
        (("convert", "kharkov:training", "o.doc"), 2, "does not tell the form"),
        (("convert", "kharkov:training", "o", "--to", "paper"), 2, "--to cannot be"),
        (("convert", "kharkov:training", "o.csv", "--separator", "x"), 2, "--separator cannot"),
        (("convert", "kharkov:training", "o.csv", "--sheet", "x"), 2, "--sheet cannot"),
        (("convert", "s.csv", "o.yaml"), 2, "does not tell its game"),
        (("convert", "p.json", "o.yaml"), 3, "neither a scenario nor a position"),
        (("convert", "w.json", "o.yaml"), 3, "line 2"),
        (("convert", "v.vsav", "o.yaml"), 3, "v.vsav"),
        (("convert", "mine.yaml", "o.json", "--game", "tutorial"), 2, "not of 'tutorial'"),
        (("convert", "mine.yaml", "o.json", "--onto", "tutorial:meeting"), 2, "cannot be laid"),
        (("convert", "tutorial:meeting", "o.vsav"), 4, "builds no module"),
        (("check", "none.csv", "--game", "kharkov"), 4, "no such file"),
        (("show", "mine.yaml", "-o", "m.gif"), 2, "a picture cannot be .gif"),
        (("show", "tutorial:meeting", "-o", "m.svg"), 4, "gives no map"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(said, words, code, message) -> None:
    Path("mine.yaml").write_text(MINE)
    Path("s.csv").write_text("Unit,Side,Type\n")
    Path("p.json").write_text('{"a": 1}')
    Path("w.json").write_text('{"game": "kharkov",\n"units": {"a": {"type": 5}}}')
    Path("v.vsav").write_bytes(b"PK no")
    found, _, err = said(*words)
    assert found == code
    assert message in err
    assert not list(Path().glob("o*"))


def test_a_fresh_scenario_of_each_game_is_sound(said) -> None:
    for name in ("kharkov:campaign", "conflict_of_heroes:the_crossing", "tutorial:meeting"):
        code, out, _ = said("check", name)
        assert code == 0, out
        assert "nothing wrong" in out
    Path("mine.yaml").write_text(MINE)
    assert said("check", "mine.yaml")[0] == 0


WRONG = (
    MINE.replace("{type: tank, values", "{type: zeppelin, values")
    .replace('"0313": [rif-01]', '"9999": [rif-01]')
    .replace("turn: 2, entry", "turn: 7, entry")
    .replace('["0611", "0612"]', '["0611", "8888"]')
    .replace("steps: 4, values", "steps: 4, flags: [], values")
    .replace("based_on: training", "based_on: nothing")
)


def test_check_finds_everything_with_its_place(said) -> None:
    Path("wrong.yaml").write_text(WRONG)
    code, out, _ = said("check", "wrong.yaml", "--json")
    assert code == 1
    found = {
        (f["place"].get("line"), f["text"], f["place"].get("unit"), f["place"].get("cell"))
        for f in json.loads(out)["findings"]
    }
    assert found == {
        (5, "Kharkov has no scenario 'nothing'", None, None),
        (11, "the map has no cell '8888'", None, "8888"),
        (16, "no unit type 'zeppelin'", "tnk-01", None),
        (21, "the map has no cell '9999'", "rif-01", "9999"),
        (26, "arrives on turn 7 of 3", None, None),
    }
    code, out, _ = said("check", "wrong.yaml")
    assert "wrong.yaml, line 21, field setup.cells.9999.0, cell 9999, unit rif-01: " in out
    assert "5 findings" in out


def test_check_finds_broken_rules_in_a_sheet_by_its_rows(said) -> None:
    rows = [
        "Unit,Side,Type,Steps,Hex,move",
        "a,axis,infantry,4,0718,",
        "b,axis,infantry,4,0718,",
        "c,axis,infantry,4,0718,",
        "d,axis,infantry,9,0718,",
        "e,soviet,rifle,1,,6",
    ]
    Path("s.csv").write_text("\n".join(rows))
    code, out, _ = said("check", "s.csv", "--game", "kharkov")
    assert code == 1
    assert "s.csv, line 5" in out
    assert "KHA-9.51: d has 9 steps of 4" in out
    assert "KHA-8.1: more than 3 combat units in 0718" in out
    assert "line 6" in out
    assert "the unit e is nowhere" in out


def test_a_cell_that_a_spreadsheet_has_shortened_is_known(said) -> None:
    Path("s.csv").write_text("Unit;Side;Type;Steps;Hex\ninf-79;axis;infantry;4;216\n")
    code, _, _ = said("convert", "s.csv", "s.yaml", "--game", "kharkov")
    assert code == 0
    assert '"0216": [inf-79]' in Path("s.yaml").read_text()


def test_check_places_what_is_wrong_with_a_position(said) -> None:
    said("convert", "tutorial:meeting", "p.position.json")
    document = json.loads(Path("p.position.json").read_text())
    document["units"]["b1"]["cell"] = "Z9"
    Path("p.position.json").write_text(json.dumps(document, indent=1))
    code, out, _ = said("check", "p.position.json", "--json")
    assert code == 1
    (finding,) = json.loads(out)["findings"]
    lines = Path("p.position.json").read_text().splitlines()
    assert '"Z9"' in lines[finding["place"]["line"] - 1]


def test_show_prints_a_table_and_draws_a_picture(said) -> None:
    Path("mine.yaml").write_text(MINE)
    code, out, _ = said("show", "mine.yaml", "-o", "mine.svg")
    assert code == 0
    assert "Infantry division" in out
    assert "turn 2, east_edge" in out
    assert "in bridgehead" in out
    drawing = Path("mine.svg").read_text("utf-8")
    assert "<svg" in drawing
    # Who is in no cell is named, with where and when it comes.
    assert "off the map, turn 2, east_edge: " in drawing
    assert "off the map, to be set up in " in drawing
    assert said("show", "mine.yaml", "-o", "mine.svg")[0] == 5
    code, out, _ = said("show", "conflict_of_heroes:first_steps", "-o", "f.png", "--json")
    assert json.loads(out)["picture"] == "f.png"
    assert Path("f.png").read_bytes().startswith(b"\x89PNG")
    assert said("show", "conflict_of_heroes:first_steps", "-o", "f.svg")[0] == 0
    drawing = Path("f.svg").read_text("utf-8")
    code, out, _ = said("show", "conflict_of_heroes:first_steps", "--json")
    sides = json.loads(out)["scenario"]["units"].values()
    facing = [name for units in sides for name, unit in units.items() if "facing" in unit]
    assert drawing.count("#ffd23c") == len(facing) > 5  # a tip for each unit that faces somewhere


def test_lists_of_a_game_are_written_with_bars_or_semicolons(said) -> None:
    head = "Unit,Side,Type,Steps,Cell,Ladder\n"
    Path("l.csv").write_text(head + "pz-x,axis,panzer,2,0505,7-12|3-12\n")
    assert said("convert", "l.csv", "l.yaml", "--onto", "kharkov:training")[0] == 0
    mine = read_scenario(Path("l.yaml").read_bytes())
    assert mine.units["pz-x"].values["ladder"] == ["7-12", "3-12"]
    assert said("convert", "l.yaml", "back.csv")[0] == 0
    assert "7-12; 3-12" in Path("back.csv").read_text("utf-8-sig")


def test_schema_is_the_published_one(said) -> None:
    code, out, _ = said("schema")
    assert code == 0
    assert json.loads(out)["properties"]["format"]["const"] == "hexmarshal-scenario/1"


def test_options_of_a_game_apply_to_its_own_scenarios(said) -> None:
    words = ("--option", "deep_woods=true")
    assert said("convert", "tutorial:meeting", "a.yaml", *words)[0] == 0
    assert read_scenario(Path("a.yaml").read_bytes()).options == {"deep_woods": True}


def test_what_no_scenario_holds_is_left_out_or_refused(said) -> None:
    from hexmarshal.rules import engine

    position = engine.start(Crossroads(), "meeting", seed="s")
    Path("p.json").write_text(json.dumps(position.to_json()))
    code, _, err = said("convert", "p.json", "a.yaml")
    assert (code, err) == (0, "left out: generator: the dice to come are no part of a scenario\n")
    assert said("convert", "p.json", "b.yaml", "--strict")[0] == 1
    assert not Path("b.yaml").exists()


def test_an_answer_of_the_service_is_read(said) -> None:
    said("convert", "kharkov:training", "a.yaml")
    said("convert", "a.yaml", "m.message.json")
    message = json.loads(Path("m.message.json").read_text())
    Path("answer.json").write_text(
        json.dumps({"scenario": {"key": "training"}, "position": message})
    )
    assert said("convert", "answer.json", "b.yaml", "--strict")[0] == 0
    assert Path("a.yaml").read_text() == Path("b.yaml").read_text()
    message["units"][0]["steps"] = "many"
    Path("bad.json").write_text(json.dumps(message))
    code, _, err = said("convert", "bad.json", "c.yaml")
    assert code == 3
    assert "not a position of the service" in err
