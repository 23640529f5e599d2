"""Tables of a game that has gone on since what is known of it: what is over is known no more."""

from __future__ import annotations

from dataclasses import replace

import coh_table
from kharkov_table import PLUGIN, binding, module

from hexmarshal.rules import engine
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap
from hexmarshal.table.placing import write_save
from hexmarshal.table.reading import TableReader

START = engine.start(PLUGIN, "training")


def read(position: Position) -> Position:
    """The position as a save of VASSAL tells it, which carries nothing beside its table."""
    saved, _ = write_save(module(), binding(), PLUGIN, position)
    state = saved.state()
    return TableReader(module(), binding(), PLUGIN, state).read(state, START).position


def notes(position: Position) -> list[str]:
    _, told = write_save(module(), binding(), PLUGIN, position)
    return [note.text for note in told]


def later(**changed: object) -> Position:
    return replace(START, turn=2, phase="axis_combat", active=("axis",), **changed)  # type: ignore[arg-type]


def test_who_has_arrived_does_not_wait_any_more() -> None:
    tank = START.units["tnk-04"]
    assert (tank.box, tank.values["turn"], tank.values["entry"]) == ("arrivals", 2, "east_edge")
    assert read(later()).units["tnk-04"].values == tank.values.without("command")
    here = replace(tank, cell="2202", box="")
    there = read(later(units=START.units.set("tnk-04", here))).units["tnk-04"]
    assert (there.cell, there.values) == ("2202", FrozenMap({"move": 11}))


def test_marks_of_a_phase_are_over_in_the_next() -> None:
    assert START.units["rif-01"].values["command"] == ("hq-28",)
    assert "command" not in read(later()).units["rif-01"].values
    assert read(START).units["rif-01"].values["command"] == ("hq-28",)


def test_who_was_revealed_moves_as_his_counter_says() -> None:
    rifle = START.units["rif-01"]
    shown = rifle.values.without("move", "command").set("ladder", ("3-3-6",))
    units = START.units.set("rif-01", replace(rifle, values=shown))
    assert read(later(units=units)).units["rif-01"].values == shown


def test_supply_by_air_is_for_the_turn_of_the_table() -> None:
    laid = Marker("air-2-0615", "air_supply", "axis", "0615", values=FrozenMap({"turn": 2}))
    markers = FrozenMap({laid.id: laid})
    (seen,) = read(later(markers=markers)).markers.values()
    assert seen.values == {"turn": 2}
    as_laid = replace(later(markers=markers), turn=1, phase="air_support")
    (seen,) = read(as_laid).markers.values()
    assert seen.values == {"turn": 2}


def test_a_value_of_a_marker_that_no_piece_shows_is_told() -> None:
    laid = Marker("air-3-0615", "air_supply", "axis", "0615", values=FrozenMap({"turn": 3}))
    told = "nothing on the table shows turn of the marker air_supply at 0615"
    assert told in notes(later(markers=FrozenMap({laid.id: laid})))
    rightly = replace(laid, values=FrozenMap({"turn": 2}))
    assert told not in notes(later(markers=FrozenMap({laid.id: rightly})))


def test_what_a_unit_has_no_more_is_told() -> None:
    rifle = START.units["rif-01"]
    bare = replace(rifle, values=rifle.values.without("command"))
    assert notes(START.with_unit(bare)) == [
        "nothing on the table shows that there is no command of rif-01"
    ]


def test_what_one_side_alone_knows_is_told() -> None:
    start = engine.start(coh_table.PLUGIN, "first_steps")
    secret = FrozenMap({"german": FrozenMap({"activation": 7})})
    own = coh_table.module(), coh_table.binding(), coh_table.PLUGIN
    _, told = write_save(*own, replace(start, knowledge=secret))
    assert [note.text for note in told] == [
        "nothing on the table shows what german alone knows: activation"
    ]
