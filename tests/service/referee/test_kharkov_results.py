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
        ("move", "KHA-4.1", ("cav-01",)),
        ("end_phase", "KHA-9.56", ()),
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
