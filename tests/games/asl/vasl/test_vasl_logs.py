"""Logs of VASL judged: what moves cost at the least, checks and rallies, snipers, close combat."""

from __future__ import annotations

import json

import pytest
from vasl_saves import Table, board, leader, marker, squad, weapon

from hexmarshal.cli.main import run
from hexmarshal.games.asl.vasl.boards.board_command import read_board_command
from hexmarshal.games.asl.vasl.boards.map_geometry import vasl_map
from hexmarshal.games.asl.vasl.logs.announcements import check_call, fire_call, phase_call
from hexmarshal.games.asl.vasl.logs.checks import asks_for_lots, check_after
from hexmarshal.vassal.commands.piece import ChangePiece
from hexmarshal.vassal.vasl.painting import Painting

ONE = "0\t0\tOne\tVER\t1.0\t"
GERMANS = ("ge", "467 447", "247 237")
MOVEMENT, ADVANCE, RALLY = (f"* New: Axis Turn 1 - {phase} *" for phase in ("MPh", "APh", "RPh"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    board(tmp_path / "boards")
    long = Painting(21, 6, "bdLong").fill("Woods", *(f"K{n}" for n in range(1, 7)))
    long.band("Dirt Road", 0, *(f"{c}3" for c in "ABCDEFGHIJKLMNOPQRST"), wide=6)
    long.write(tmp_path / "boards")
    monkeypatch.setenv("HEXMARSHAL_ASL_BOARDS", str(tmp_path / "boards"))
    return tmp_path / "boards"


def place(folder, name="One"):
    return vasl_map(read_board_command(f"bd\t0\t0\t{name}\tVER\t1.0\t"), folder).point


@pytest.fixture
def at(folder):
    return place(folder)


def drag(at, piece, start, end):
    (x, y), (a, b) = at(start), at(end)
    return f"M/{piece}/Main Map/{a}/{b}/null/Main Map/{x}/{y}/null/bob"


def turn(at, piece, cell, before, after):
    """A counter turned from one look to another."""
    return ChangePiece(
        piece, after.texts("Main Map", *at(cell))[1], before.texts("Main Map", *at(cell))[1]
    ).encode()


def roll(kind, *dice, player="Bob"):
    numbers = ",".join(map(str, dice))
    return (
        f"*** ({kind}) {numbers} ***   &lt;{player}&gt;      [1 / 1   avg   6.00 (6.00)]    (01.35)"
    )


def said(text):
    return f"&lt;Bob&gt; - {text}"


def checked(capsys, path):
    run(["check", str(path), "--all", "--json"])
    return json.loads(capsys.readouterr().out)


def entries(report):
    return [
        (e["what"], e["status"], e["certainty"], [v["rule"] for v in e.get("violations", ())])
        for e in report["entries"]
    ]


def left(report):
    return [n["text"] for n in report["notes"] if n["code"] == "not judged"]


# Moves


def walked(capsys, folder, tmp_path, *counters, start="A2", ends=(), name="One", together=()):
    """A walk of the first counter in the movement phase; those together go along."""
    at = place(folder, name)
    table = Table(f"0\t0\t{name}\tVER\t1.0\t")
    ids = table.stack(*at(start), *counters)
    lines = [MOVEMENT]
    for one, two in zip((start, *ends), ends, strict=False):
        lines.append(drag(at, ids[0], one, two))
        lines += [drag(at, ids[number], one, two) for number in together]
    report = checked(capsys, table.log(tmp_path / "game.vlog", *lines))
    mine = [e for e in report["entries"] if e["what"].startswith("4-6-7")]
    return mine[-1], report


@pytest.mark.parametrize(
    ("ends", "status", "told"),
    [
        (("E4",), "legal", "at least 4 of 4 MF"),
        (("C2", "E2"), "legal", "at least 4 of 4 MF"),
        (("G5",), "legal", "at least 6 MF: more than 4, by Double Time alone"),
        (("H5",), "violation", ""),
        (("B2", "C2", "D1", "E2", "F1", "G2", "H2"), "violation", ""),
    ],
)
def test_a_move_costs_what_the_cheapest_way_costs(folder, tmp_path, capsys, ends, status, told):
    entry, _ = walked(capsys, folder, tmp_path, squad(*GERMANS), ends=ends)
    assert (entry["status"], entry.get("result", "")) == (status, told)
    if status == "violation":
        assert entry["certainty"] == "likely"
        assert entry["violations"][0]["rule"] == "ASL-MOVE-4"
        assert "it can have 6 at most" in entry["violations"][0]["text"]


def test_a_leader_in_the_hex_may_have_gone_along(folder, tmp_path, capsys):
    entry, _ = walked(capsys, folder, tmp_path, squad(*GERMANS), leader("ge"), ends=("G5",))
    assert entry["result"] == "at least 6 of 6 MF"
    alone, _ = walked(
        capsys, folder, tmp_path, squad(*GERMANS), leader("ge", broken=True), ends=("H5",)
    )
    assert alone["status"] == "violation"


def test_a_weapon_weighs_if_it_goes_along(folder, tmp_path, capsys):
    heavy = (squad(*GERMANS), weapon("MMG", "ge"))
    with_it, _ = walked(capsys, folder, tmp_path, *heavy, ends=("G5",), together=(1,))
    assert with_it["status"] == "violation"
    without, _ = walked(capsys, folder, tmp_path, *heavy, ends=("G5",))
    assert without["status"] == "legal"


def test_roads_and_woods_count(folder, tmp_path, capsys):
    road, _ = walked(
        capsys, folder, tmp_path, squad(*GERMANS), start="A3", ends=("F3",), name="Long"
    )
    assert road["result"] == "5 of 4 MF, with the road bonus"
    far, _ = walked(
        capsys, folder, tmp_path, squad(*GERMANS), start="A3", ends=("H3",), name="Long"
    )
    assert far["result"] == "7 MF: by Double Time and with the road bonus alone"
    off, _ = walked(
        capsys, folder, tmp_path, squad(*GERMANS), start="A1", ends=("H1",), name="Long"
    )
    assert off["status"] == "violation"


@pytest.mark.parametrize(
    ("flag", "rule"), [("Prep Fire", "ASL-MOVE-1"), ("TI", "ASL-MOVE-1"), ("Pin", "ASL-PIN-3")]
)
def test_who_may_not_move_is_told(folder, at, tmp_path, capsys, flag, rule):
    from hexmarshal.games.asl.vasl.counters.counter_names import own_names

    assert own_names().mark(flag) is not None
    entry, _ = walked(capsys, folder, tmp_path, squad(*GERMANS), marker(flag), ends=("A3",))
    assert (entry["status"], entry["certainty"]) == ("violation", "likely")
    assert entry["violations"][0]["rule"] == rule
    assert entry["violations"][0]["text"].startswith("4-6-7 squad ")


def test_a_minimum_move_is_always_to_be_had(folder, tmp_path, capsys):
    load = (squad(*GERMANS), weapon("HMG", "ge"))
    entry, _ = walked(capsys, folder, tmp_path, *load, ends=("B2",), together=(1,))
    assert entry["status"] == "legal"


def test_a_finding_is_told_once_and_the_rest_of_the_move_is_counted(folder, tmp_path, capsys):
    ends = ("H5", "H4", "H3")
    _, report = walked(capsys, folder, tmp_path, squad(*GERMANS), ends=ends)
    assert [status for _, status, _, _ in entries(report)] == ["violation"]
    assert left(report) == ["not judged, 2 times: moves of men that go on after a finding"]


def test_an_advance_is_judged_by_its_rules(folder, at, tmp_path, capsys):
    table = Table(ONE)
    (good,) = table.stack(*at("A2"), squad(*GERMANS))
    pinned, _ = table.stack(*at("F2"), squad(*GERMANS), marker("Pin"))
    path = table.log(
        tmp_path / "game.vlog", ADVANCE, drag(at, good, "A2", "A3"), drag(at, pinned, "F2", "F3")
    )
    assert entries(checked(capsys, path)) == [
        ("4-6-7 squad A2 - A3", "legal", "certain", []),
        ("4-6-7 squad F2 - F3", "violation", "likely", ["ASL-PIN-3"]),
    ]


def test_a_rout_has_six_factors(folder, at, tmp_path, capsys):
    table = Table(ONE)
    (near,) = table.stack(*at("A2"), squad(*GERMANS, broken=True))
    (far,) = table.stack(*at("A4"), squad(*GERMANS, broken=True))
    (sound,) = table.stack(*at("A6"), squad(*GERMANS))
    path = table.log(
        tmp_path / "game.vlog",
        "* New: Axis Turn 1 - RtPh *",
        drag(at, near, "A2", "D2"),
        drag(at, far, "A4", "I4"),
        drag(at, sound, "A6", "B6"),
    )
    report = checked(capsys, path)
    assert entries(report) == [
        ("4-6-7 squad A2 - D2", "legal", "certain", []),
        ("4-6-7 squad A4 - I4", "violation", "likely", ["ASL-ROUT-2"]),
    ]
    assert left(report) == ["not judged, 1 time: moves of men in the rout phase"]


# Rallies and checks

BROKEN, SOUND = squad(*GERMANS, broken=True), squad(*GERMANS)


def rallied(capsys, at, tmp_path, dice, *, announced, turned, others=()):
    table = Table(ONE)
    piece, *_ = table.stack(*at("F2"), squad(*GERMANS, broken=True), marker("DM"), leader("ge"))
    for cell in others:
        table.stack(*at(cell), squad(*GERMANS, broken=True))
    lines = [RALLY, *([said("F2 rallies")] if announced else []), roll("Rally DR", *dice)]
    lines += [turn(at, piece, "F2", BROKEN, SOUND)] if turned else []
    return checked(capsys, table.log(tmp_path / "game.vlog", *lines, MOVEMENT))


def test_a_rally_is_told_with_its_arithmetic(at, tmp_path, capsys):
    report = rallied(capsys, at, tmp_path, (1, 3), announced=True, turned=True)
    (entry,) = report["entries"]
    assert entry["what"] == "Rally DR of 4-6-7 squad in F2"
    assert entry["status"] == "legal"
    assert entry["result"] == "1 + 3 +4 DM -1 leadership of 9-1 leader = 7 against 7: rallied"
    assert left(report) == []


def test_a_counter_that_rallied_against_the_dice_is_likely_wrong(at, tmp_path, capsys):
    report = rallied(capsys, at, tmp_path, (3, 6), announced=True, turned=True)
    (entry,) = report["entries"]
    assert (entry["status"], entry["certainty"]) == ("violation", "likely")
    assert entry["violations"][0]["rule"] == "ASL-RALLY-1"
    assert (
        "12 against 7: still broken; the table shows it unbroken" in entry["violations"][0]["text"]
    )


def test_without_a_word_a_counter_may_be_turned_for_another_roll(at, tmp_path, capsys):
    report = rallied(
        capsys, at, tmp_path, (3, 6), announced=False, turned=True, others=("B5", "H3")
    )
    assert report["entries"] == []
    assert left(report) == [
        "not judged, 1 time: Rally DR: the counter that was turned may be another's"
    ]
    silent = rallied(capsys, at, tmp_path, (1, 2), announced=False, turned=False, others=("B5",))
    assert silent["entries"] == []
    assert left(silent) == ["not judged, 1 time: Rally DR: the log does not say what for"]
    plain = rallied(capsys, at, tmp_path, (1, 2), announced=False, turned=True, others=("B5",))
    assert plain["entries"][0]["status"] == "legal"


def test_nobody_rallies_where_nobody_is_broken(at, tmp_path, capsys):
    table = Table(ONE)
    table.stack(*at("F2"), squad(*GERMANS))
    path = table.log(tmp_path / "game.vlog", RALLY, said("rally F2"), roll("Rally DR", 2, 2))
    assert entries(checked(capsys, path)) == [
        ("Rally DR in F2", "violation", "likely", ["ASL-RALLY-1"])
    ]
    early = table.log(tmp_path / "two.vlog", said("rally F2"), roll("Rally DR", 2, 2))
    assert left(checked(capsys, early)) == [
        "not judged, 1 time: Rally DR: the log does not say the phase"
    ]


def shot(capsys, at, tmp_path, *lines, targets=(SOUND,), dice=(5, 5), after=lambda ids: ()):
    table = Table(ONE)
    table.stack(*at("B5"), squad(), squad(), squad())
    ids = table.stack(*at("B6"), *targets)
    path = table.log(
        tmp_path / "game.vlog", said("B5 fires at B6"), roll("IFT DR", *dice), *lines, *after(ids)
    )
    return checked(capsys, path)


def test_a_check_after_fire_belongs_to_its_only_target(at, tmp_path, capsys):
    report = shot(capsys, at, tmp_path, roll("MC DR", 2, 2))
    fire, check = report["entries"]
    assert fire["result"].endswith("final 10: 1MC")
    assert check["what"] == "MC DR of 4-6-7 squad in B6"
    assert check["status"] == "legal"
    assert check["result"].endswith("against 7: passed")


def test_a_check_of_several_targets_is_not_judged_without_a_word(at, tmp_path, capsys):
    report = shot(capsys, at, tmp_path, roll("MC DR", 5, 5), targets=(SOUND, squad(*GERMANS)))
    assert len(report["entries"]) == 1
    assert left(report) == ["not judged, 1 time: MC DR: 2 units can have rolled it"]


def test_who_passed_and_was_broken_is_likely_wrong_if_the_check_was_announced(at, tmp_path, capsys):
    def broken(ids):
        return (turn(at, ids[0], "B6", SOUND, BROKEN),)

    announced = (said("1MC for B6"), roll("MC DR", 2, 2))
    report = shot(capsys, at, tmp_path, *announced, after=broken)
    assert entries(report)[1] == (
        "MC DR of 4-6-7 squad in B6",
        "violation",
        "likely",
        ["ASL-MOR-3"],
    )
    failed = shot(capsys, at, tmp_path, said("MC for B6"), roll("MC DR", 6, 5), after=broken)
    assert entries(failed)[1][1] == "legal"
    assert failed["entries"][1]["result"].endswith("against 7: broken")
    silent = shot(capsys, at, tmp_path, roll("MC DR", 1, 1), after=broken)
    assert [e["status"] for e in silent["entries"]] == ["legal"]


def test_random_selection_after_a_hit_on_several(at, tmp_path, capsys):
    two = (SOUND, squad(*GERMANS))
    lots = (roll("RS dr", 2), roll("RS dr", 5))
    report = shot(capsys, at, tmp_path, *lots, targets=two, dice=(2, 3))
    assert report["entries"][0]["result"].endswith("K/4")
    assert report["entries"][1]["result"] == "2, 5: the highest is 5"
    assert left(report) == []
    one = shot(capsys, at, tmp_path, roll("RS dr", 2), targets=two)
    assert left(one) == ["not judged, 1 time: RS dr: the log does not say what for"]


# Snipers and close combat


@pytest.mark.parametrize(
    ("dice", "status", "words"),
    [((1, 2), "legal", "3 was rolled; SAN 3 and 4: active"), ((6, 1), "violation", "")],
)
def test_a_sniper_answers_his_number(at, tmp_path, capsys, dice, status, words):
    table = Table(ONE)
    table.stack(*at("B5"), squad())
    fire = "* New: Axis Turn 1 - PFPh *"
    path = table.log(tmp_path / "game.vlog", fire, roll("IFT DR", *dice), roll("SA dr", 2))
    (entry,) = checked(capsys, path)["entries"]
    assert (entry["status"], entry.get("result", "")) == (status, words)
    if status == "violation":
        assert entry["certainty"] == "likely"
        assert entry["violations"][0]["rule"] == "ASL-SAN-2"


def test_close_combat_needs_both_sides(at, tmp_path, capsys):
    table = Table(ONE)
    table.stack(*at("B5"), squad(), squad(*GERMANS))
    table.stack(*at("C5"), squad())
    phase = "* New: Axis Turn 1 - CCPh *"
    path = table.log(
        tmp_path / "game.vlog",
        phase,
        roll("CC DR", 4, 4),
        said("CC in C5"),
        roll("CC DR", 2, 4),
    )
    found = entries(checked(capsys, path))
    assert found == [
        ("CC DR in B5", "legal", "certain", []),
        ("CC DR in C5", "violation", "likely", ["ASL-CC-1"]),
    ]


# What is said


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1MC K5", ("MC DR", 1, "K5", None)),
        ("NMC for the unit in 57G3", ("MC DR", 0, "57G3", None)),
        ("K5/1 takes a 2MC", ("MC DR", 2, "K5", 1)),
        ("57G3 rallies", ("Rally DR", None, "57G3", None)),
        ("PTC bd01:K5", ("TC DR", None, "bd01:K5", None)),
        ("close combat in K5", ("CC DR", None, "K5", None)),
        ("good game", None),
        ("I like MC Hammer", None),
    ],
)
def test_for_whom_somebody_rolls(text, found):
    assert check_call(text) == found


def test_long_lines_take_no_time():
    for text in ("K5" + " " * 200_000 + "x", "a" * 200_000, "MC " * 100_000, "K5 fires " * 50_000):
        check_call(text)
        fire_call(text)
        phase_call(text)


def test_what_results_ask_for():
    assert check_after("NMC") == ("MC DR", 0)
    assert check_after("3MC") == ("MC DR", 3)
    assert check_after("K/2") == ("MC DR", 2)
    assert check_after("PTC") == ("TC DR", 0)
    assert check_after("2KIA") is None
    assert check_after("-") is None
    assert asks_for_lots("K/2")
    assert asks_for_lots("1KIA")
    assert not asks_for_lots("2MC")
