"""A tracker that is left behind: who acts in the phase after it, the game says and no drag."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

from kharkov_table import MAKE, PLUGIN, checked, game

from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice


def test_a_drag_of_the_enemy_does_not_give_him_a_phase_that_is_not_his() -> None:
    start = engine.start(PLUGIN, "training").without_unit("rif-03")
    log = game(replace(start, phase="axis_combat", active=("axis",)))
    log.drag(["pz-126-23"], ["0816"])  # out of time
    log.perform(MAKE("attack", "axis", attackers=["inf-297"], targets=["0614"], air=False))
    log.perform(MAKE("air_defence", "soviet", use=False), Dice(None, given=[1]))
    log.perform(MAKE("take_losses", "soviet", units=["grd-1"]))
    assert log.position.active == ("axis",), "he is to lose a step, or to retreat"
    log.drag(["rif-01"], ["0213"])
    log.show(replace(log.position, phase="mechanised_movement", state="", frames=()))
    log.drag(["pz-6-3"], ["1115"])
    wrong = [entry.units for entry in checked(log).violations if entry.units]
    assert wrong == [("pz-126-23",), ("inf-297",), ("rif-01",)]
