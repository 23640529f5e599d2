"""Play across the seam of two boards, from tables of VASL: sight, moves, fire, and logs."""

from __future__ import annotations

import json

import pytest
from vasl_saves import Table, squad

from hexmarshal.cli.main import run
from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.games.asl.vasl.boards.board_command import read_board_command
from hexmarshal.games.asl.vasl.boards.map_geometry import vasl_map
from hexmarshal.games.asl.vasl.fire_question import ask_fire
from hexmarshal.games.asl.vasl.opening import open_table
from hexmarshal.games.asl.vasl.position_builder import position_of
from hexmarshal.games.asl.vasl.table_reader import read_table
from hexmarshal.rules import engine
from hexmarshal.vassal.vasl.painting import Painting

GERMANS = ("ge", "467 447", "247 237")
BESIDE = "0\t0\tOne\tVER\t1\tbd\t1\t0\tTwo\tVER\t1\t"
BELOW = "0\t0\tOne\tVER\t1\tbd\t0\t1\tTwo\tVER\t1\t"
TURNED = "0\t0\trOne\tVER\t1\tbd\t1\t0\trTwo\tVER\t1\t"
LAYOUTS = [BESIDE, BELOW, TURNED, "0\t0\tOne\tVER\t1\tbd\t0\t1\trTwo\tVER\t1\t"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    boards = tmp_path / "boards"
    boards.mkdir()
    Painting(9, 6, "bdOne").fill("Woods", "C3").write(boards)
    Painting(9, 6, "bdTwo").fill("Woods", "G3").write(boards)
    monkeypatch.setenv("HEXMARSHAL_ASL_BOARDS", str(boards))
    return boards


def laid(folder, text):
    return vasl_map(read_board_command(f"bd\t{text}"), folder)


def seam(ground):
    """The hexes that two boards share."""
    return [name for name in ground.board.grid.names if "/" in name]


def shown(folder, text, *stacks):
    table = Table(text)
    for point, *counters in stacks:
        table.stack(*point, *counters)
    plugin = AdvancedSquadLeader(folder)
    read = position_of(read_table(table.state, folder), plugin)
    return plugin, read


@pytest.mark.parametrize("text", LAYOUTS)
def test_a_hex_on_the_seam_is_one_hex_whatever_pixel_it_is_on(folder, text):
    plugin = AdvancedSquadLeader(folder)
    board_map = laid(folder, text)
    ground = plugin.situation(
        position_of(read_table(Table(text).state, folder), plugin).position
    ).ground
    shared = seam(ground)
    assert len(shared) >= 4
    stacks, wanted = [], []
    for name in shared:
        one, two = name.split("/")
        (x, y), (u, v) = points = [board_map.point(one), board_map.point(two)]
        assert abs(x - u) <= 2
        assert abs(y - v) <= 2
        around = [(px + dx, py + dy) for px, py in points for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        stacks += [(point, squad()) for point in around]
        wanted += [one] * len(around)
    _, read = shown(folder, text, *stacks)
    assert [unit.cell for unit in read.position.units.values()] == wanted


@pytest.mark.parametrize("text", LAYOUTS)
def test_one_sees_moves_and_fires_across(folder, text):
    board_map = laid(folder, text)
    plugin, read = shown(folder, text, ((500, 500), squad()))
    ground = plugin.situation(read.position).ground
    middle = seam(ground)[len(seam(ground)) // 2].split("/")[0]
    near = ground.near[middle]
    ours = next(c for c in near if c.startswith("bdOne:") and "/" not in c)
    theirs = next(c for c in near if c.startswith("bdTwo:") and "/" not in c)
    plugin, read = shown(
        folder,
        text,
        (board_map.point(ours), squad(*GERMANS)),
        (board_map.point(theirs), squad()),
    )
    cells = {unit.cell: unit for unit in read.position.units.values()}
    assert set(cells) == {ours, theirs}
    answer = plugin.atlas.sight(read.position.board).answer
    from hexmarshal.games.asl.sight import Spot

    there, back = answer(Spot(ours), Spot(theirs)), answer(Spot(theirs), Spot(ours))
    assert (there.range, there.blocked) == (back.range, back.blocked)
    assert 1 <= there.range <= 2
    name, params = plugin.game.queries.decode({"name": "reach", "units": [cells[ours].id]})
    reached = engine.ask(plugin, read.position, name, params).to_json()["costs"]
    assert reached[middle] == 1
    assert any(cell.startswith("bdTwo:") for cell in reached)


def test_fire_across_the_seam_is_asked_and_answered(folder, tmp_path):
    at = laid(folder, BESIDE).point
    table = Table(BESIDE)
    table.stack(*at("bdOne:H3"), squad(*GERMANS))
    table.stack(*at("bdTwo:C4"), squad())
    opened = open_table(table.save(tmp_path / "game.vsav"), folder)
    question = ask_fire(opened, "OneH3", "bdTwo:C4")
    assert (question.line.answer.range, question.line.answer.blocked) == (3, False)
    assert [question.name(unit) for unit in question.firers] == ["4-6-7 squad"]
    assert question.odds is not None
    # By either name of a hex on the seam the same is told.
    first, second = (ask_fire(opened, cell, "TwoC4") for cell in ("OneI3", "TwoA3"))
    assert first.line.answer == second.line.answer


def test_a_log_goes_across_the_seam(folder, tmp_path, capsys):
    at = laid(folder, BESIDE).point
    table = Table(BESIDE)
    (piece,) = table.stack(*at("bdOne:G3"), squad(*GERMANS))

    def drag(start, end):
        (x, y), (a, b) = at(start), at(end)
        return f"M/{piece}/Main Map/{a}/{b}/null/Main Map/{x}/{y}/null/bob"

    path = table.log(
        tmp_path / "game.vlog",
        "* New: Axis Turn 1 - MPh *",
        drag("bdOne:G3", "bdTwo:A3"),
        drag("bdTwo:A3", "bdTwo:C4"),
        drag("bdTwo:C4", "bdTwo:I4"),
    )
    run(["check", str(path), "--all", "--json"])
    found = json.loads(capsys.readouterr().out)["entries"]
    assert [(e["what"], e["status"], e.get("result", "")) for e in found] == [
        ("4-6-7 squad bdOne:G3 - bdOne:I3", "legal", "at least 2 of 4 MF"),
        ("4-6-7 squad bdOne:G3 - bdOne:I3 - bdTwo:C4", "legal", "at least 4 of 4 MF"),
        ("4-6-7 squad bdOne:G3 - bdOne:I3 - bdTwo:C4 - bdTwo:I4", "violation", ""),
    ]
