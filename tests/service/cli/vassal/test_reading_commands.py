"""inspect, roundtrip, scrub and locate: what they say of good files and of bad ones."""

from __future__ import annotations

import json

import pytest

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from hexmarshal.vassal import builder as b
from hexmarshal.vassal.components import (
    Board,
    HexGrid,
    HexGridNumbering,
    SquareGrid,
    SquareGridNumbering,
    Zone,
    ZonedGrid,
)
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.game_state import Seat

PASSWORD = "hunter2-secret"


@pytest.fixture
def module(tmp_path):
    made = b.ModuleBuilder("Small War", version="1.2", description="For tests")
    made.sides("Red", "Blue")
    made.image("u.svg", b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>')
    main = made.map("Main Map", main=True)
    grid = b.hex_grid(width=55.43, height=64, origin=(60, 64))
    main.board("Field", size=(600, 480), grid=grid)
    squad = made.palette("P").list("L").counter(b.Counter("Squad", "u.svg", (b.can_delete(),)))
    made.dice("2d6", count=2, sides=6)
    start = made.setup("Start")
    start.place(squad, main, "0203")
    start.save()
    return made.save(tmp_path / "small war.vmod")


@pytest.fixture
def log(module, tmp_path):
    nested = Module.open(module).archive.nested("Start.vsav")
    state = SavedGame.from_archive(nested).state()
    state.seats[PASSWORD] = Seat(PASSWORD, "Ann", "Red")
    writer = LogWriter(state)
    (piece,) = state.pieces
    with writer.step() as step:
        step.move(piece, "Main Map", 281, 320, user=PASSWORD)
    with writer.step() as step:
        step.roll("2d6", (3, 4), player="Ann")
    path = tmp_path / "game.vlog"
    writer.finish().save(path)
    return path


def told(capsys):
    return json.loads(capsys.readouterr().out)


def test_inspect_counts_what_a_module_holds(module, capsys):
    assert run(["inspect", str(module), "--json"]) == ExitCode.OK
    found = told(capsys)
    assert (found["kind"], found["name"], found["version"]) == ("module", "Small War", "1.2")
    assert found["sides"] == ["Red", "Blue"]
    assert found["pieces"] == 1
    assert found["traits"] == {"Delete": 1, "Basic piece": 1}
    (on,) = found["maps"]
    assert on["boards"][0]["grid"] == {"class": "HexGrid", "numbered": True}
    assert found["setups"] == [{"name": "Start", "file": "Start.vsav"}]


def test_inspect_shows_a_table_to_people(module, capsys):
    assert run(["inspect", str(module)]) == ExitCode.OK
    out = capsys.readouterr().out
    assert "Small War 1.2" in out
    assert "600 x 480" in out


def test_inspect_tells_the_steps_of_a_log_by_the_names_of_its_grid(module, log, capsys):
    assert run(["inspect", str(log), "--module", str(module), "--json"]) == ExitCode.OK
    found = told(capsys)
    assert found["kind"] == "log"
    assert found["players"] == [{"name": "Ann", "side": "Red"}]
    move, roll = found["steps"]
    assert move["moves"] == [{"piece": "Squad", "from": "0203", "to": "0505"}]
    assert roll["dice"] == [{"name": "2d6", "dice": [3, 4]}]


def test_a_password_is_shown_only_on_demand(log, capsys):
    for args in (["inspect", str(log)], ["inspect", str(log), "--json"]):
        run(args)
        assert PASSWORD not in capsys.readouterr().out
    run(["inspect", str(log), "--show-secrets"])
    assert PASSWORD in capsys.readouterr().out


def test_inspecting_a_missing_file_is_one_line_and_exit_4(capsys):
    assert run(["inspect", "missing-file"]) == ExitCode.NOT_FOUND
    assert capsys.readouterr().err == "error: missing-file: no such file\n"


@pytest.mark.parametrize("command", ["inspect", "roundtrip", "locate"])
def test_a_file_that_is_no_vassal_file_is_exit_3(command, tmp_path, capsys):
    path = tmp_path / "x.vmod"
    path.write_bytes(b"PK\x03\x04 this is no zip")
    args = [command, str(path), *(["1", "1"] if command == "locate" else [])]
    assert run(args) == ExitCode.BAD_INPUT
    captured = capsys.readouterr()
    assert str(path) in captured.out + captured.err
    assert "Traceback" not in captured.err


def test_roundtrip_says_identical_and_counts(module, log, capsys):
    assert run(["roundtrip", str(module), str(log), "--json"]) == ExitCode.OK
    first, second = told(capsys)
    assert first["identical"]
    assert second["identical"]
    assert first["traits"] == {"typed": 4, "raw": 0, "own": 0}
    assert second["commands"]["raw"] == 0


def test_roundtrip_goes_on_after_a_file_that_cannot_be_read(module, tmp_path, capsys):
    bad = tmp_path / "bad.vsav"
    bad.write_bytes(b"no")
    assert run(["roundtrip", str(bad), str(module)]) == ExitCode.BAD_INPUT
    out = capsys.readouterr().out.splitlines()
    assert out[0] == f"{bad}: not a zip archive, so not a VASSAL file"
    assert "identical" in out[1]


def test_roundtrip_names_a_file_once(module, tmp_path, capsys):
    gone = tmp_path / "gone.vmod"
    assert run(["roundtrip", str(gone), str(module)]) == ExitCode.NOT_FOUND
    assert capsys.readouterr().out.splitlines()[0] == f"{gone}: no such file"


def test_roundtrip_of_the_corpus_is_identical_and_typed(corpus, capsys):
    files = [
        str(p)
        for folder in ("saves", "logs", "buildfiles", "extensions")
        for p in sorted((corpus / folder).iterdir())
    ]
    assert run(["roundtrip", *files, "--json"]) == ExitCode.OK
    found = told(capsys)
    assert len(found) == len(files)
    for sort in ("components", "traits", "commands"):
        typed = sum(f[sort]["typed"] for f in found)
        raw = sum(f[sort]["raw"] for f in found)
        assert typed >= 0.99 * (typed + raw)


def test_scrub_replaces_the_password_everywhere(log, tmp_path, capsys):
    out = tmp_path / "public.vlog"
    assert run(["scrub", str(log), "-o", str(out)]) == ExitCode.OK
    assert PASSWORD not in capsys.readouterr().out
    before, after = SavedGame.open(log), SavedGame.open(out)
    assert PASSWORD in before.text
    assert PASSWORD not in after.text
    (seat,) = after.state().seats.values()
    assert (seat.name, seat.side) == ("Ann", "Red")
    assert before.text.count(PASSWORD) == after.text.count(seat.user)


def test_scrub_leaves_a_file_without_secrets_as_it_is(module, tmp_path):
    out = tmp_path / "copy.vmod"
    assert run(["scrub", str(module), "-o", str(out)]) == ExitCode.OK
    assert out.read_bytes() == module.read_bytes()


def test_scrub_reaches_set_ups_inside_a_module(module, log, tmp_path):
    from hexmarshal.vassal.container.archive import Archive

    dirty, clean = tmp_path / "dirty.vmod", tmp_path / "clean.vmod"
    Archive.open(module).write(dirty, {"Start.vsav": log.read_bytes()})
    assert run(["scrub", str(dirty), "-o", str(clean)]) == ExitCode.OK
    nested = Archive.open(clean).nested("Start.vsav")
    assert PASSWORD not in SavedGame.from_archive(nested).text


def test_locate_names_a_pixel_and_its_snap(module, capsys):
    assert run(["locate", str(module), "170", "190", "--json"]) == ExitCode.OK
    found = told(capsys)
    assert (found["location"], found["snap"]) == ("0303", [170, 192])


def test_locate_points_out_the_line_of_a_bad_question(module, tmp_path, capsys):
    points = tmp_path / "in.jsonl"
    points.write_text('{"x": 1, "y": 2}\n{"x": 1.5, "y": 2}\n')
    assert run(["locate", str(module), "--points", str(points)]) == ExitCode.BAD_INPUT
    assert "line 2, field x: is not a whole number" in capsys.readouterr().err


@pytest.mark.parametrize("args", [[], ["1"], ["1", "2", "--points", "x"]])
def test_locate_wants_a_point_or_points(module, args):
    assert run(["locate", str(module), *args]) == ExitCode.USAGE


def grid_component(spec):
    """A grid as a build file has it, from its attributes."""
    if spec["kind"] == "zoned":
        made = ZonedGrid.new()
        for zone in spec["zones"]:
            own = {k: v for k, v in zone.items() if k != "grid" and v is not None}
            inner = made.add(Zone, own)
            if zone.get("grid"):
                inner.append(grid_component(zone["grid"]))
        if spec.get("background"):
            made.append(grid_component(spec["background"]))
        return made
    grid, numbering = {
        "hex": (HexGrid, HexGridNumbering),
        "square": (SquareGrid, SquareGridNumbering),
    }[spec["kind"]]
    made = grid.new(spec["grid"])
    if spec.get("numbering"):
        made.add(numbering, spec["numbering"])
    return made


def test_locate_answers_as_the_engine_does_for_every_recorded_pixel(corpus, tmp_path):
    grids = json.loads((corpus / "grids" / "grids.json").read_text("utf-8"))
    made = b.ModuleBuilder("Grids")
    for name, spec in grids.items():
        board = made.map(name).board("B", size=(spec["width"], spec["height"]))
        assert isinstance(board, Board)
        board.append(grid_component(spec))
    module = made.save(tmp_path / "grids.vmod")
    answers = (corpus / "grids" / "answers.jsonl").read_text("utf-8").splitlines()
    asked = [{k: json.loads(a)[k] for k in ("map", "board", "x", "y")} for a in answers]
    points, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    points.write_text("".join(json.dumps(a) + "\n" for a in asked))
    assert run(["locate", str(module), "--points", str(points), "-o", str(out)]) == ExitCode.OK
    for line, answer in zip(out.read_text().splitlines(), answers, strict=True):
        ours, theirs = json.loads(line), json.loads(answer)
        assert (ours["location"], ours["snap"]) == (theirs["location"], theirs["snap"]), theirs


def test_inspect_lists_the_pieces_of_a_game_as_json(module, log, capsys):
    assert run(["inspect", str(log), "--module", str(module), "--json"]) == ExitCode.OK
    told = json.loads(capsys.readouterr().out)
    (piece,) = told["placed"]
    assert (piece["name"], piece["map"], piece["location"]) == ("Squad", "Main Map", "0203")
    assert {"id", "gpid", "x", "y"} <= piece.keys()
    assert told["form"] == "VASSAL 3.7 and before (!VCSK)"
    run(["inspect", str(log)])
    assert "placed" not in capsys.readouterr().out
