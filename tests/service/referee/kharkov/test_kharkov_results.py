"""Kharkov after the dice: results carried out drag by drag, and drags beside them."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

from kharkov_table import PLUGIN, checked, game

from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.values import FrozenMap


def attacked(*dice: int) -> Recorder:
    """A log up to the dice of an attack of grd-1 and rif-03 on inf-297 in 0615."""
    here = engine.start(PLUGIN, "training")
    shown = FrozenMap({"ladder": ("4-6-6",)})
    here = here.with_unit(replace(here.units["rif-03"], steps=2, values=shown))
    log = game(replace(here.without_unit("sec-454"), phase="soviet_combat"))
    log.say("[soviet: attack] grd-1 rif-03 -> 0615", side="soviet")
    for die in dice:
        log.roll(6, die, side="soviet")
    return log


def told(log: Recorder) -> list[tuple[str, str, tuple[str, ...]]]:
    return [
        (e.kind, e.violations[0].rule, e.units) for e in checked(log).violations if e.violations
    ]


def test_an_advance_of_two_hexes_may_be_two_drags() -> None:
    log = attacked(6, 2)
    log.drag(["inf-297"], ["0515"])
    log.drag(["inf-297"], ["0415"])
    log.drag(["grd-1"], ["0615"])
    log.drag(["grd-1"], ["0515"])
    log.drag(["rif-03"], ["0615"])
    assert told(log) == []


def test_who_did_not_fight_neither_retreats_nor_answers_for_others() -> None:
    """He moves, in a phase without movement; and what the others suffer is still to be done."""
    log = attacked(1, 6)
    log.drag(["cav-01"], ["0713"])
    log.show(replace(log.position, phase="axis_movement", active=("axis",)))
    assert told(log) == [
        ("air_defence", "KHA-9.56", ("inf-297",)),
        ("move", "KHA-4.1", ("cav-01",)),
    ]


def test_with_what_a_unit_is_come_its_steps() -> None:
    """Turned up in a movement phase, before an overrun: its strength shows, and two steps."""
    here = replace(engine.start(PLUGIN, "training"), phase="soviet_movement")
    log = game(here)
    known = here.units["tnk-03"]
    shown = replace(known, steps=2, values=FrozenMap({"ladder": ("7-6-11",)}))
    assert known.steps == 1
    log.show(log.position.with_unit(shown))
    log.drag(["cav-01"], ["0713"])
    assert told(log) == []


def test_a_stack_that_is_dragged_unit_by_unit_moves_as_one() -> None:
    """All three may overrun together then."""
    here = engine.start(PLUGIN, "training")
    here = replace(here, phase="axis_movement", active=("axis",))
    log = game(here)
    for unit in ("pz-201-23", "pz-126-23", "pz-128-23"):
        assert here.units[unit].cell == "0817"
        log.drag([unit], ["0816", "0815"])
    log.say("[axis: overrun] pz-201-23 pz-126-23 pz-128-23 -> 0714", side="axis")
    log.roll(6, 4, side="axis")
    assert [entry.kind for entry in checked(log).violations if entry.kind != "change"] == []


def tanks() -> Recorder:
    """A log in the Soviet movement phase with three tank brigades that are turned up, in 0714."""
    here = replace(engine.start(PLUGIN, "training"), phase="soviet_movement")
    for tank in ("tnk-01", "tnk-02", "tnk-03"):
        shown = FrozenMap({"ladder": ("4-4-11",)})
        here = here.with_unit(replace(here.units[tank], cell="0714", values=shown))
    shown = FrozenMap({"ladder": ("5-6-6",)})
    rifles = replace(here.units["rif-04"], cell="0814", steps=2, values=shown)
    return game(here.with_unit(rifles).with_track("air-soviet", 1))


def test_a_tracker_is_put_back_although_a_point_was_marked_and_a_guess_is_made_again() -> None:
    """The dice might be for the other neighbour: who leaves in one drag tells whom they hit."""
    log = tanks()
    moving = log.position
    log.show(replace(moving, phase="soviet_combat"))
    log.show(log.position.with_track("air-soviet", 0))
    log.show(replace(log.position, phase="soviet_movement"))
    log.drag(["hq-28"], ["0712"])
    log.show(replace(log.position, phase="soviet_combat"))
    log.roll(6, 5, side="soviet")
    log.roll(6, 6, side="soviet")
    log.drag(["sec-454"], ["0717"])
    log.drag(["tnk-01"], ["0715"])
    log.say("[soviet: attack] rif-04 -> 0914 air=yes", side="soviet")
    assert told(log) == [("attack", "KHA-13.0-G", ("rif-04",))]


def test_of_a_refused_attack_nobody_owes_the_result() -> None:
    """There is no air point: so they carry out what comes of it without one."""
    here = tanks().position.with_track("air-soviet", 0)
    log = game(replace(here, phase="soviet_combat"))
    log.say("[soviet: attack] rif-04 -> 0914 air=yes", side="soviet")
    log.roll(6, 2, side="soviet")
    log.roll(6, 3, side="soviet")
    hurt = log.position.units["inf-71"]
    log.show(log.position.with_unit(replace(hurt, steps=hurt.steps - 1)))
    log.show(replace(log.position, phase="axis_movement", active=("axis",)))
    assert told(log) == [("attack", "KHA-13.0-G", ("rif-04",))]
