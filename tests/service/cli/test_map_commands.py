"""`los`, `reach` and `map` as a user meets them: answers, pictures, errors with their place."""

from __future__ import annotations

import builtins
import json
import sys
from xml.etree import ElementTree as ET

import pytest

from hexmarshal.cli import main as cli
from hexmarshal.errors import ExitCode

FIELD = """
format: hexmarshal-terrain/1
name: A field
grid: {kind: block, columns: 8, rows: 6}
terrain:
  woods: {sight: obstacle, height: 1, cost: {foot: 2}}
  brush: {sight: hindrance, height: 1}
  road: {cost: {foot: 0.5}}
  lake: {}
cells:
  0304: woods
  0503: brush
  0601: lake
paths:
  - {terrain: road, cells: [0101, 0102, 0103, 0104]}
"""


@pytest.fixture
def field(tmp_path):
    file = tmp_path / "field.yaml"
    file.write_text(FIELD, "utf-8")
    return file


@pytest.fixture
def run(capsys, field):
    def call(*args: str) -> tuple[int, str, str]:
        code = cli.run([args[0], *(str(field) if a == "MAP" else a for a in args[1:])])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def answer(run, *args):
    code, out, err = run(*args, "--json")
    assert (code, err) == (ExitCode.OK, "")
    return json.loads(out)


def test_los_says_what_blocks_and_tells_the_line_in_order(run):
    code, out, _ = run("los", "MAP", "0302", "0306")
    assert code == ExitCode.OK
    assert out.startswith("0302 to 0306, range 4: blocked\n  0304: woods blocks\n")
    assert out.index("enters 0303") < out.index("enters 0304") < out.index("enters 0305")


def test_los_as_json_has_the_same_and_exact_shares(run):
    document = answer(run, "los", "MAP", "0302", "0306")
    assert document["visible"] is False
    assert document["obstacles"] == [{"at": "0304", "terrain": "woods"}]
    assert {"event": "enters", "what": "0304", "share": "3/8"} in document["trace"]


def test_los_is_the_same_from_the_other_end(run):
    there, back = (
        answer(run, "los", "MAP", *ends) for ends in (("0302", "0606"), ("0606", "0302"))
    )
    assert there["visible"] == back["visible"]
    assert sorted(map(str, there["hindrances"])) == sorted(map(str, back["hindrances"]))


def test_los_looks_over_from_a_higher_level(run):
    blocked = answer(run, "los", "MAP", "0303", "0305")
    above = answer(run, "los", "MAP", "0303", "0305", "--from-level", "3", "--to-level", "3")
    assert (blocked["visible"], above["visible"]) == (False, True)


def test_los_takes_sides_and_vertices_as_ends(run):
    assert answer(run, "los", "MAP", "0201/N", "0406@E")["range"] > 0


def test_los_without_a_target_lists_all_that_is_seen(run):
    document = answer(run, "los", "MAP", "0303")
    assert "0305" in document["hidden"]
    assert "0302" in document["visible"]
    assert len(document["visible"]) + len(document["hidden"]) == 8 * 6 - 1


def test_a_field_of_fire_keeps_to_its_arc_and_range(run):
    document = answer(run, "los", "MAP", "0504", "--facing", "N", "--max-range", "2")
    assert document["visible"] == ["0402", "0502", "0503", "0602"]
    levels = answer(run, "los", "MAP", "0504", "--from-level", "5", "--to-level", "5")
    assert not levels["hidden"]


def test_reach_lists_the_cells_by_exact_cost(run):
    document = answer(run, "reach", "MAP", "0101", "--allowance", "3/2")
    assert document["cells"]["0102"] == "1/2"
    assert document["cells"]["0104"] == "3/2"
    assert document["cells"]["0202"] == "3/2"
    assert "0203" not in document["cells"]
    assert {"from": "0104", "to": "0105", "why": "would cost 5/2 of 3/2"} in document["frontier"]


def test_reach_shows_the_best_way_step_by_step(run):
    code, out, _ = run("reach", "MAP", "0101", "--allowance", "5", "--to", "0304")
    assert code == ExitCode.OK
    assert "best way to 0304, cost" in out
    assert "road 1/2 (1/2 so far)" in out
    assert "woods 2" in out


def test_reach_stops_at_enemies_and_their_zones(run):
    free = answer(run, "reach", "MAP", "0505", "--allowance", "3")
    held = answer(run, "reach", "MAP", "0505", "--allowance", "3", "--enemy", "0503")
    assert "0503" in free["cells"]
    assert "0503" not in held["cells"]
    assert "0504" in held["zone_of_control"]
    assert "the move ends on entering 0504" in {edge["why"] for edge in held["frontier"]}
    passing = answer(
        run, "reach", "MAP", "0505", "--allowance", "9", "--zoc", "0504,0604",
        "--zoc-pass", "--zoc-enter", "2", "--zoc-between", "no", "--to", "0504",
    )  # fmt: skip
    assert passing["path"]["cost"] == "3"


def test_reach_knows_bars_other_costs_and_the_minimum_move(run):
    document = answer(
        run, "reach", "MAP", "0501", "--allowance", "1", "--bar", "lake", "--cost", "brush=7",
        "--base", "2", "--minimum-move",
    )  # fmt: skip
    assert "0601" not in document["cells"]
    assert document["minimum_move"] == ["0401", "0502"]


def test_pictures_are_written_once_unless_forced(run, tmp_path):
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    args = ("los", "MAP", "0302", "0306", "--svg", str(svg), "--png", str(png))
    assert answer(run, *args)["pictures"] == [str(svg), str(png)]
    ET.parse(svg)
    assert png.read_bytes().startswith(b"\x89PNG")
    code, _, err = run(*args)
    assert code == ExitCode.OUTPUT
    assert "exists already" in err
    assert run(*args, "--force")[0] == ExitCode.OK


def test_map_render_draws_by_the_ending(run, tmp_path):
    svg, png = tmp_path / "m.svg", tmp_path / "m.PNG"
    assert run("map", "render", "MAP", "-o", str(svg), "--unit", "0505=red/armour/7")[0] == 0
    assert 'aria-label="7"' in svg.read_text("utf-8")
    assert run("map", "render", "MAP", "-o", str(png), "--no-names", "--no-legend")[0] == 0
    code, _, err = run("map", "render", "MAP", "-o", str(tmp_path / "m.jpg"))
    assert code == ExitCode.USAGE
    assert ".svg or .png" in err


def test_map_check_sums_up_a_sound_map(run):
    code, out, _ = run("map", "check", "MAP")
    assert code == ExitCode.OK
    assert "cells     48" in out
    assert answer(run, "map", "check", "MAP")["terrain"]["woods"] == 1


def test_map_check_reports_terrain_that_is_never_used(run, field):
    field.write_text(FIELD.replace("  lake: {}", "  lake: {}\n  swamp: {}"), "utf-8")
    code, out, _ = run("map", "check", "MAP")
    assert code == ExitCode.FINDINGS
    assert "unused: terrain swamp" in out


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0304: woods", "0399: woods", "cell 0399"),
        ("0304: woods", "0304: wood", "cell 0304: there is no terrain 'wood'"),
        ("{foot: 2}", "{foot: -2}", "line 6"),
        ("columns: 8", "columns: 0", "line 4"),
        ("[0101, 0102, 0103, 0104]", "[0101, 0103]", "not neighbours"),
        ("name: A field", "name: [", "line"),
    ],
)
def test_a_bad_map_is_one_error_with_its_place(run, field, old, new, said):
    field.write_text(FIELD.replace(old, new), "utf-8")
    for command in (["map", "check", "MAP"], ["los", "MAP", "0101", "0102"]):
        code, out, err = run(*command)
        assert code == ExitCode.BAD_INPUT
        assert out == ""
        assert str(field) in err
        assert said in err


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("los", "MAP", "0302", "9999"), ExitCode.NOT_FOUND, "there is no cell 9999"),
        (("los", "MAP", "0302", "0303/Q"), ExitCode.NOT_FOUND, "0303/Q"),
        (("los", "MAP", "0302", "--facing", "up"), ExitCode.USAGE, "no direction 'up'"),
        (("los", "MAP", "0302", "--facing", "N", "--arc", "90"), ExitCode.BAD_INPUT, "arc"),
        (("los", "MAP", "0302", "0303", "--from-level", "nan"), ExitCode.USAGE, "no number"),
        (("los", "nowhere.yaml", "0302", "0303"), ExitCode.NOT_FOUND, "nowhere.yaml"),
        (("reach", "MAP", "0000"), ExitCode.NOT_FOUND, "0000"),
        (("reach", "MAP", "0101", "--allowance", "-1"), ExitCode.USAGE, "negative"),
        (("reach", "MAP", "0101", "--allowance", "1/0"), ExitCode.USAGE, "no number"),
        (("reach", "MAP", "0101", "--cost", "woods"), ExitCode.USAGE, "TERRAIN=N"),
        (("reach", "MAP", "0101", "--cost", "sand=1"), ExitCode.USAGE, "no terrain 'sand'"),
        (("reach", "MAP", "0101", "--cost", "woods=inf"), ExitCode.USAGE, "no number"),
        (("reach", "MAP", "0101", "--bar", "sand"), ExitCode.USAGE, "no terrain 'sand'"),
        (("reach", "MAP", "0101", "--enemy", "0102,7"), ExitCode.NOT_FOUND, "no cell 7"),
        (
            ("reach", "MAP", "0101", "--allowance", "1", "--to", "0806"),
            ExitCode.BAD_INPUT,
            "out of reach",
        ),
        (("reach", "MAP", "0101", "--unit", "0101"), ExitCode.USAGE, "no counter"),
        (("reach", "MAP", "0101", "--unit", "0101=red/wizard"), ExitCode.USAGE, "no arm"),
        (
            ("los", "MAP", "0302", "0303", "--svg", "/nowhere/at/all.svg"),
            ExitCode.OUTPUT,
            "cannot be written",
        ),
    ],
)
def test_bad_input_is_a_clear_line_and_the_right_exit_code(run, args, code, said):
    got, out, err = run(*args)
    assert (got, out) == (code, "")
    assert said in err
    assert err.startswith("error: ")


def test_a_png_without_the_renderer_is_exit_6_and_says_what_to_install(run, tmp_path, monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name == "resvg_py":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.delitem(sys.modules, "resvg_py", raising=False)
    monkeypatch.setattr(builtins, "__import__", refuse)
    code, _, err = run("map", "render", "MAP", "-o", str(tmp_path / "m.png"))
    assert code == ExitCode.UNAVAILABLE
    assert "hexmarshal[render]" in err
    assert not (tmp_path / "m.png").exists()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("los", "MAP", "0302", "--arc", "90"), "--arc is how wide --facing looks"),
        (("los", "MAP", "0302", "0306", "--facing", "N"), "--facing is for all that A sees"),
        (("los", "MAP", "0302", "0306", "--svg", "line.png"), "--svg writes no .png"),
        (("reach", "MAP", "0302", "--mode", "fot"), "nothing on the map has a cost for 'fot'"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(run, args, said):
    code, out, err = run(*args)
    assert (code, out) == (ExitCode.USAGE, "")
    assert said in err
    assert "hint: " in err


def test_a_mode_of_ones_own_may_be_given_with_its_costs(run):
    found = answer(run, "reach", "MAP", "0302", "--mode", "mule", "--cost", "woods=3")
    assert found["cells"]["0304"] == "4"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_map_may_be_written_by_any_shell_or_editor(run, field, encoding):
    field.write_text(FIELD.replace("A field", "Ein Feld in der Öde"), encoding)
    assert answer(run, "map", "check", "MAP")["map"] == "Ein Feld in der Öde"


def test_a_map_that_is_no_text_is_told_in_words(run, field):
    field.write_bytes(FIELD.encode() + b"# \xff\xff\n")
    code, _, err = run("map", "check", "MAP")
    assert code == ExitCode.BAD_INPUT
    assert "line 16: not UTF-8 text\nhint: save it as UTF-8" in err
    code, _, err = run("map", "check", str(field.parent))
    assert code == ExitCode.BAD_INPUT
    assert "Errno" not in err


SQUARES = """
format: hexmarshal-terrain/1
grid: {kind: squares, columns: 5, rows: 5, offset: {H1: [2.5, 0.5]}}
terrain: {house: {sight: obstacle}}
cells: {0203: house, 0302: house, H1: house}
"""


@pytest.fixture
def town(tmp_path):
    file = tmp_path / "town.yaml"
    file.write_text(SQUARES, "utf-8")
    return file


def test_squares_are_seen_reached_and_drawn(town, tmp_path, capsys):
    assert cli.run(["los", str(town), "0202", "0404"]) == ExitCode.OK
    assert "0202@SE: house blocks" in capsys.readouterr().out
    assert cli.run(["los", str(town), "0202@NE", "0401/E"]) == ExitCode.OK
    assert cli.run(["los", str(town), "0505", "--facing", "W", "--json"]) == ExitCode.OK
    told = capsys.readouterr().out
    seen = "0104 0105 0203 0204 0205 0303 0304 0305 0404 0405"
    assert json.loads(told[told.index("{") :])["visible"] == seen.split()
    svg = tmp_path / "reach.svg"
    assert cli.run(["reach", str(town), "0505", "--to", "0101", "--svg", str(svg)]) == ExitCode.OK
    assert "best way to 0101, cost 4" in capsys.readouterr().out
    ET.parse(svg)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["0202", "--facing", "NNE"], "known are N, NE, E, SE, S, SW, W, NW"),
        (["0202", "--facing", "N", "--arc", "60"], "90, 180, 270, 360"),
        (["0202/NE", "0404"], "known are N, E, S, W"),
        (["0202@N", "0404"], "known are NE, SE, SW, NW"),
    ],
)
def test_what_squares_do_not_have_is_told(town, capsys, arguments, says):
    assert cli.run(["los", str(town), *arguments]) != ExitCode.OK
    assert says in capsys.readouterr().err
