"""VASL saves and logs checked: stacking, order of battle, announced fire, moves, dice by kind."""

from __future__ import annotations

import json
import re

import pytest
from vasl_saves import Counter, Table, board, leader, level, module, squad, weapon

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from hexmarshal.games.asl.vasl.boards.board_command import read_board_command
from hexmarshal.games.asl.vasl.boards.map_geometry import vasl_map
from hexmarshal.games.asl.vasl.logs.announcements import fire_call, phase_call, vasl_roll
from hexmarshal.games.asl.vasl.module_reader import VaslReader
from hexmarshal.table.module_readers import reader_for
from hexmarshal.vassal.saves.savegame import SavedGame

ONE = "0\t0\tOne\tVER\t1.0\t"
GERMANS = ("ge", "467 447", "247 237")
ROLL = "*** (IFT DR) 5,6 ***   &lt;Bob&gt;      [1 / 1   avg   11.00 (11.00)]    (01.35)"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    board(tmp_path / "boards")
    monkeypatch.setenv("HEXMARSHAL_ASL_BOARDS", str(tmp_path / "boards"))
    return tmp_path / "boards"


@pytest.fixture
def at(folder):
    return vasl_map(read_board_command(f"bd\t{ONE}"), folder).point


def check(capsys, path, *words):
    code = run(["check", str(path), *words, "--json"])
    told = capsys.readouterr()
    return code, json.loads(told.out) if told.out else told.err


def texts(report, code):
    return [note["text"] for note in report["notes"] if note["code"] == code]


def drag(at, piece, start, end):
    (x, y), (a, b) = at(start), at(end)
    return f"M/{piece}/Main Map/{a}/{b}/null/Main Map/{x}/{y}/null/bob"


# What is written in the chat


@pytest.mark.parametrize(
    ("text", "kind", "dice", "player"),
    [
        (
            "*** (IFT DR) 5,6 ***   <Tester>      [1 / 1   avg   11.00 (11.00)]    (01.35)",
            "IFT DR",
            (5, 6),
            "Tester",
        ),
        (
            "*** (RS dr) 2 ***   <test>      [1 / 3   avg   3.00 (3.00)]    (01.86)",
            "RS dr",
            (2,),
            "test",
        ),
        (
            "*** (TH DR) 6,2 ***   <Al>   [1 / 5   avg   8.00 (9.80)]    (01.95)<Hull>",
            "TH DR",
            (6, 2),
            "Al",
        ),
        ("*** 3d6 = 3,4,1 *** <test>", "3d6", (3, 4, 1), "test"),
    ],
)
def test_dice_are_read_with_their_kind(text, kind, dice, player):
    assert vasl_roll(text) == (kind, dice, player)


@pytest.mark.parametrize("text", ["", "*** hello ***", "(IFT DR) 5,6", "<Bob> - I rolled 5,6"])
def test_what_is_no_roll_is_none(text):
    assert vasl_roll(text) is None


def test_the_turn_track_and_fire_are_heard():
    assert phase_call("* New: Axis Turn 3 - PFPh *") == ("axis", 3, "prep_fire")
    assert phase_call("* New: Allied Turn 1 - APh *") == ("allied", 1, "advance")
    assert phase_call("Axis Turn 1 - Lunch") is None
    assert fire_call("57G3 fires at 57H9: MMG, 8 FP +3") == ("57G3", "57H9", None, None)
    assert fire_call("K5/1 shoots at M7/0") == ("K5", "M7", 1, 0)
    assert fire_call("bd01:K5 attacks bd01:M7") == ("bd01:K5", "bd01:M7", None, None)
    assert fire_call("good game") is None


# Saves


def test_a_save_is_told_what_is_judged_and_overstacking_is_found(folder, at, tmp_path, capsys):
    table = Table(ONE)
    table.stack(*at("F2"), *(squad() for _ in range(4)))
    table.stack(*at("B3"), squad(*GERMANS), weapon("LMG", "ge"))
    table.stack(*at("H3"), weapon())
    code, report = check(capsys, table.save(tmp_path / "game.vsav"))
    # The save may be of the middle of a game, where stacks have no limit.
    assert code == ExitCode.OK
    (entry,) = report["entries"]
    assert (entry["status"], entry["certainty"]) == ("violation", "likely")
    assert [one["rule"] for one in entry["violations"]] == ["ASL-STACK-1"]
    assert entry["what"].startswith("F2: 4-5-8 squad")
    assert "Not judged" in texts(report, "judged")[0]
    assert texts(report, "counters") == ["7 of 7 counters are on hexes"]
    assert texts(report, "possession") == ["MMG in H3 is possessed by nobody"]


SCENARIO = """
title: A trial of ours
boards: bdOne
turns: 3
sides:
  attacker:
    nation: german
    groups:
      - title: the west
        area: [A1, A2, A3, B1, B2, B3]
        units:
          g1: {counter: german_4-6-7}
          g2: {counter: german_4-6-7}
          gm: {counter: german_lmg, of: g1}
      - title: the south
        area: [E6, F6]
        units: {g3: {counter: german_4-6-7}}
  defender:
    nation: russian
    groups:
      - title: the east
        area: [H1, H2, H3, G3]
        units: {r1: {counter: russian_4-5-8}, r2: {counter: leader_9-1}}
"""


@pytest.fixture
def scenario(tmp_path, monkeypatch):
    folder = tmp_path / "data" / "scenarios"
    folder.mkdir(parents=True)
    (folder / "trial.yaml").write_text(SCENARIO)
    monkeypatch.setenv("HEXMARSHAL_ASL_DATA", str(tmp_path / "data"))


def test_stacks_are_certainly_wrong_in_the_set_up_of_a_scenario(
    folder, at, scenario, tmp_path, capsys
):
    table = Table(ONE)
    table.stack(*at("F2"), *(squad() for _ in range(4)))
    code, report = check(capsys, table.save(tmp_path / "game.vsav"), "--scenario", "trial")
    assert code == ExitCode.FINDINGS
    assert report["rules"]["ASL-STACK-1"] == 1


def test_a_set_up_is_held_against_its_scenario(folder, at, scenario, tmp_path, capsys):
    table = Table(ONE)
    table.stack(*at("B3"), squad(*GERMANS), weapon("LMG", "ge"), squad(*GERMANS))
    table.stack(*at("F6"), squad(*GERMANS))
    table.stack(*at("H2"), squad(), leader())
    path = table.save(tmp_path / "good.vsav")
    code, report = check(capsys, path, "--scenario", "trial")
    assert (code, report["rules"]) == (ExitCode.OK, {})
    assert report["scenario"] == "A trial of ours"

    wrong = Table(ONE)
    # Three in the west where two may be: one of them should be in the south.
    wrong.stack(*at("B3"), squad(*GERMANS), squad(*GERMANS), squad(*GERMANS))
    wrong.stack(*at("H2"), squad(), squad())
    code, report = check(capsys, wrong.save(tmp_path / "bad.vsav"), "--scenario", "trial")
    assert code == ExitCode.FINDINGS
    said = sorted(v["text"] for e in report["entries"] for v in e["violations"])
    assert said == [
        "german_4-6-7 of the attacker is set up in B3, outside of its area (the west, the south)",
        "the attacker has 1 german_lmg less than this scenario gives",
        "the defender has 1 leader_9-1 less than this scenario gives",
        "the defender has one russian_4-5-8 more than this scenario gives",
    ]
    code, told = check(capsys, path, "--scenario", "trail")
    assert code == ExitCode.NOT_FOUND
    assert "did you mean trial" in told.lower()


# Logs


def test_announced_fire_is_judged_by_sight_and_by_who_can_fire(folder, at, tmp_path, capsys):
    table = Table(ONE)
    table.stack(*at("B3"), squad(*GERMANS), weapon("LMG", "ge"))
    table.stack(*at("D3"), squad())
    table.stack(*at("B5"), squad(*GERMANS, broken=True))
    path = table.log(
        tmp_path / "game.vlog",
        "&lt;Bob&gt; - B3 fires at B4",
        ROLL,
        "&lt;Bob&gt; - B3 fires at D3",
        ROLL,
        "&lt;Bob&gt; - B5 fires at C5",
        ROLL,
        ROLL,
        "*** (MC DR) 4,2 ***   &lt;Al&gt;      [1 / 2   avg   6.00 (8.50)]    (01.26)",
    )
    code, report = check(capsys, path, "--all")
    assert code == ExitCode.FINDINGS
    shots = {e["what"]: e for e in report["entries"]}
    assert shots["B3 fires at B4"]["status"] == "legal"
    assert shots["B3 fires at B4"]["dice"] == [5, 6]
    blocked = shots["B3 fires at D3"]
    assert (blocked["status"], blocked["certainty"]) == ("violation", "certain")
    assert blocked["violations"][0]["rule"] == "ASL-LOS-6"
    nobody = shots["B5 fires at C5"]
    assert (nobody["status"], nobody["certainty"]) == ("violation", "likely")
    assert texts(report, "dice") == ["dice: IFT DR: 4 (Bob 4)", "dice: MC DR: 1 (Al 1)"]
    assert texts(report, "not judged") == [
        "not judged, 1 time: IFT DR: firer and target are not announced",
        "not judged, 1 time: MC DR: the log does not say what for",
    ]
    assert {d["player"]: d["count"] for d in report["dice"]} == {"Bob": 8, "Al": 2}


def test_moves_are_judged_in_phases_that_are_announced(folder, at, tmp_path, capsys):
    table = Table(ONE)
    (one,) = table.stack(*at("B3"), squad(*GERMANS))
    (two,) = table.stack(*at("A2"), squad(*GERMANS))
    (red,) = table.stack(*at("H3"), squad())
    path = table.log(
        tmp_path / "game.vlog",
        drag(at, one, "B3", "B4"),
        "* New: Axis Turn 1 - MPh *",
        drag(at, one, "B4", "C5"),
        drag(at, red, "H3", "H4"),
        "* New: Axis Turn 1 - APh *",
        drag(at, two, "A2", "A3"),
        drag(at, two, "A3", "A4"),
        "* New: Axis Turn 1 - RtPh *",
        drag(at, red, "H4", "H5"),
    )
    code, report = check(capsys, path)
    assert code == ExitCode.OK
    found = [(e["what"], e["status"], e["certainty"]) for e in report["entries"]]
    assert found == [
        ("4-6-7 squad B4 - C5", "legal", "certain"),
        ("4-5-8 squad H3 - H4", "violation", "likely"),
        ("4-6-7 squad A2 - A3", "legal", "certain"),
        ("4-6-7 squad A2 - A3 - A4", "violation", "likely"),
    ]
    assert texts(report, "not judged") == [
        "not judged, 1 time: moves of men in the rout phase",
        "not judged, 1 time: moves of men: the log does not say the phase",
    ]


def test_a_log_without_boards_still_counts_its_dice(folder, tmp_path, capsys):
    table = Table("")
    table.stack(100, 100, squad())
    code, report = check(capsys, table.log(tmp_path / "game.vlog", ROLL))
    assert code == ExitCode.OK
    assert texts(report, "dice") == ["dice: IFT DR: 1 (Bob 1)"]
    assert texts(report, "no boards")


def test_missing_boards_stop_the_check_of_a_save_and_not_the_dice_of_a_log(
    folder, tmp_path, capsys
):
    table = Table("0\t0\t99\tVER\t1.0\t")
    code, told = check(capsys, table.save(tmp_path / "game.vsav"))
    assert code == ExitCode.NOT_FOUND
    assert "bd99 is missing" in told
    code, report = check(capsys, table.log(tmp_path / "game.vlog", ROLL))
    assert code == ExitCode.OK
    assert texts(report, "no boards") == ["the board file bd99 is missing"]
    assert texts(report, "dice") == ["dice: IFT DR: 1 (Bob 1)"]


# Counters


def test_the_counters_of_a_module_are_counted_by_class(tmp_path, capsys):
    strange = Counter("Spaceship", "space.png")
    ten = Counter("9-9-9 Xsq", "xx/xx999S.gif")
    made = module(squad(), squad(half=True), leader(), weapon(), level(1), strange, ten)
    path = tmp_path / "VASL.vmod"
    made.save(path)
    assert run(["binding", "check", str(path), "--json"]) == ExitCode.FINDINGS
    found = json.loads(capsys.readouterr().out)
    assert found["counters"] == {
        "squad": 2, "half_squad": 1, "leader": 1, "marker": 1, "weapon": 1,
    }  # fmt: skip
    assert found["with strength"] == 3
    assert found["unknown_counters"] == ["Spaceship (6) in VASL/Counters"]


def test_only_vasl_has_a_reader():
    assert isinstance(reader_for("VASL"), VaslReader)
    assert reader_for("Chess") is None
    assert reader_for("") is None


def test_real_logs_are_counted(corpus, capsys, monkeypatch):
    monkeypatch.setenv("HEXMARSHAL_ASL_BOARDS", str(corpus / "vasl-boards"))
    for path in sorted((corpus / "logs").glob("*.vlog")):
        code, report = check(capsys, path)
        assert code == ExitCode.OK, path
        written = re.findall(r"(?:DR\)|dr\)|d6 =) ([1-6,]+) \*\*\*", SavedGame.open(path).text)
        dice = [int(die) for numbers in written for die in numbers.split(",")]
        assert sum(one["count"] for one in report["dice"]) == len(dice), path
        kinds = [re.fullmatch(r"dice: .*: (\d+) \(.*\)", t) for t in texts(report, "dice")]
        assert sum(int(kind[1]) for kind in kinds if kind) == len(written), path
