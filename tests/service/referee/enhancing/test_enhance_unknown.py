"""A module whose rules nobody has written is given what needs none, once."""

from __future__ import annotations

import json
import re
from pathlib import Path

import openpyxl
import pytest

from hexmarshal.cli.main import run
from hexmarshal.vassal import builder as b
from hexmarshal.vassal.components import HelpFile, HtmlChart, PredefinedSetup, TurnTracker
from hexmarshal.vassal.module import Module

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48"/>'


@pytest.fixture
def old(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    module = b.ModuleBuilder("Any", version="1.0")
    module.sides("Red", "Blue")
    module.image("red.svg", SVG)
    main = module.map("Main Map", main=True)
    main.board("Field", size=(600, 480), grid=b.hex_grid(width=55, height=64, origin=(60, 64)))
    module.palette("Counters").list("Units").counter(b.Counter("Squad", "red.svg"))
    Path("old.vmod").write_bytes(module.to_bytes())
    book = openpyxl.Workbook()
    book.active.title = "Combat results"
    book.active.append(["Die", "1:2"])
    book.active.append([1, "<AE>"])
    book.save("crt.xlsx")
    Path("rules.txt").write_text("# Movement\nOne hex a turn.\n\n# Combat\n5 < 6 wins.\n")
    Path("start.yaml").write_text(
        "format: hexmarshal-table/1\npieces:\n  - {piece: Squad, location: 0302}\n"
    )
    return Path("old.vmod")


WORDS = ["--chart", "crt.xlsx", "--rules", "rules.txt", "--setup", "start.yaml"]
PHASES = ["--phase", "Movement", "--phase", "Combat"]


def test_what_needs_no_rules_is_added_once(old, capsys) -> None:
    assert run(["enhance", "old.vmod", "--unknown", "-o", "new.vmod", *WORDS, *PHASES]) == 0
    new = Module.open("new.vmod")
    assert [one.name for one in new.each(TurnTracker)]
    chart = next(one for one in new.each(HtmlChart) if one.name == "Combat results")
    page = new.read(str(chart.get("fileName"))).decode()
    assert "&lt;AE&gt;" in page
    help_page = next(one for one in new.each(HelpFile) if "text-rules" in one.get("fileName"))
    text = new.read(str(help_page.get("fileName"))).decode()
    assert '<a href="#s2">Combat</a>' in text
    assert "5 &lt; 6 wins." in text
    assert [one.name for one in new.each(PredefinedSetup)] == ["start"]
    capsys.readouterr()
    again = ["enhance", "new.vmod", "--unknown", "--dry-run", "--json", *WORDS, *PHASES]
    assert run(again) == 0
    assert json.loads(capsys.readouterr().out)["changed"] is False


def test_a_set_up_that_is_not_clear_is_left_out_with_its_place(old, capsys) -> None:
    Path("start.yaml").write_text(
        "format: hexmarshal-table/1\npieces:\n  - {piece: Squad, location: 9999}\n"
    )
    assert run(["enhance", "old.vmod", "--unknown", "--dry-run", "--json", *WORDS]) == 0
    found = json.loads(capsys.readouterr().out)["additions"]
    setup = next(one for one in found if one["part"] == "setups")
    assert setup["outcome"] == "left out"
    assert "start.yaml, line 3" in setup["why"]


def test_charts_and_texts_belong_to_unknown_games_alone(old, capsys) -> None:
    assert run(["enhance", "old.vmod", "--dry-run", "--chart", "crt.xlsx"]) == 2
    assert run(["enhance", "old.vmod", "--dry-run"]) == 4
    assert "--unknown" in capsys.readouterr().err


def test_what_the_terrain_hides_is_a_chart(old, capsys) -> None:
    from hexmarshal.cli.demo_war import write_map
    from hexmarshal.geometry.sight.line_of_sight import line_of_sight
    from hexmarshal.geometry.terrain.terrain_file import load

    ground = str(write_map(Path()))
    words = ["--terrain", ground, "--sight-range", "3"]
    assert run(["enhance", "old.vmod", "--unknown", "-o", "new.vmod", *words]) == 0
    new = Module.open("new.vmod")
    chart = next(one for one in new.each(HtmlChart) if one.name == "Lines of sight")
    page = new.read(str(chart.get("fileName"))).decode()
    terrain = load(ground)
    wanted = {
        name: [
            other
            for there, other in sorted(terrain.names.items(), key=lambda item: item[1])
            if cell.distance(there) <= 3 and not line_of_sight(terrain, cell, there).visible
        ]
        for cell, name in terrain.names.items()
    }
    told = dict(re.findall(r"<tr><th>(\w+)</th><td>([\w ]+)</td></tr>", page))
    assert {name: hidden.split() for name, hidden in told.items()} == {
        name: hidden for name, hidden in wanted.items() if hidden
    }
    assert told
    capsys.readouterr()
    assert run(["enhance", "new.vmod", "--unknown", "--dry-run", "--json", *words]) == 0
    assert json.loads(capsys.readouterr().out)["changed"] is False
    assert run(["enhance", "old.vmod", "--dry-run", *words]) == 2
