"""Counters that look alike: told apart by where they lie, and what is a guess is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("resvg_py")

from stranger_ruins import PLUGIN, binding, checked, module

from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.table.placing import Placer, write_save
from hexmarshal.table.reading import Reading, TableReader

START = engine.start(PLUGIN, "drill")
APART = "counters that look alike are told apart by where they lie: g2 at {}, g3 at {}"
MIXED = "nothing on the table tells which is which of g2, g3"


def put(**cells: str) -> Position:
    moved = (replace(START.units[unit], cell=cell) for unit, cell in cells.items())
    return START.with_unit(*moved)


def read(position: Position, base: Position | None) -> Reading:
    saved, _ = write_save(module(), binding(), PLUGIN, position)
    state = saved.state()
    return TableReader(module(), binding(), PLUGIN, state).read(state, base)


def told(reading: Reading, code: str) -> list[str]:
    return [note.text for note in reading.notes if note.code == code]


def test_units_without_names_are_those_that_lie_there_by_the_scenario() -> None:
    reading = read(START, None)
    assert reading.position == START
    assert told(reading, "alike") == [APART.format("1205", "1207")]
    assert told(reading, "guessed") == []


def test_one_that_has_moved_is_the_one_that_is_left() -> None:
    reading = read(put(g3="1107"), START)
    assert {u: reading.position.units[u].cell for u in ("g2", "g3")} == {"g2": "1205", "g3": "1107"}
    assert told(reading, "guessed") == []


def test_of_two_that_have_moved_it_is_a_guess_which_is_which() -> None:
    moved = put(g2="1107", g3="1105")
    (text,) = told(read(moved, START), "guessed")
    assert text.startswith("2 units that look like others lie elsewhere than known")
    assert told(read(moved, moved), "guessed") == []


def test_a_save_from_which_nobody_could_tell_them_apart_says_so() -> None:
    notes = {note.text for note in write_save(module(), binding(), PLUGIN, put(g2="1107"))[1]}
    assert MIXED not in notes
    exchanged = put(g2="1207", g3="1205")
    assert MIXED in {note.text for note in write_save(module(), binding(), PLUGIN, exchanged)[1]}


def test_a_counter_that_comes_new_is_the_next_and_one_too_many_is_unknown() -> None:
    start = replace(START, units=START.units.without("g3"))
    log = Recorder(module(), binding(), PLUGIN, start)
    log.say("and here they are", "german")
    extra = Unit("more", "fire_group", "german", "1208", facing=6, steps=2)
    log.show(start.with_unit(START.units["g3"]))
    log.show(log.position.with_unit(extra))
    report = checked(log)
    assert report.position.units["g3"].cell == "1207"
    assert [n.note.text for n in report.notes if n.note.code == "unbound"] == [
        "a piece 'Gruppo di fuoco' is unknown"
    ]


def test_findings_are_likely_at_most_where_it_is_a_guess_which_is_which() -> None:
    log = Recorder(module(), binding(), PLUGIN, put(g2="1107", g3="1105"))
    log.drag(["g4"], ["1206"])
    report = checked(log)
    assert [e.units for e in report.entries if e.status is not Status.LEGAL] == [("g4",)]
    assert report.certain == 0


def test_a_placer_knows_what_it_has_laid() -> None:
    placer = Placer(module(), binding(), PLUGIN, START)
    units = placer.table.units(placer.place(put(g2="1207", g3="1205")))
    assert (units["g2"].where.cell, units["g3"].where.cell) == ("1207", "1205")
