"""Kharkov played without a word: what explains the table best."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

from kharkov_table import PLUGIN, checked, game

from hexmarshal.referee.check.findings import Status
from hexmarshal.rules import engine
from hexmarshal.rules.values import FrozenMap


def test_of_two_explanations_the_one_that_leaves_nothing_undone() -> None:
    """One of two in a hex is turned up, and who was attacked loses a step.

    Alone he would have to lose one as well.
    """
    here = engine.start(PLUGIN, "training")
    log = game(replace(here, phase="soviet_combat"))
    shown = FrozenMap({"ladder": ("4-6-6",)})
    log.show(log.position.with_unit(replace(here.units["rif-03"], steps=2, values=shown)))
    log.roll(6, 5, side="soviet")
    log.roll(6, 4, side="soviet")
    hurt = log.position.units["inf-297"]
    log.show(log.position.with_unit(replace(hurt, steps=hurt.steps - 1)))
    log.show(replace(log.position, phase="axis_movement", active=("axis",)))
    report = checked(log)
    assert [entry.what for entry in report.violations if entry.first > 1] == []
    (attack,) = (entry for entry in report.entries if entry.kind == "attack")
    assert {"grd-1", "rif-03"} <= {*attack.units}


@pytest.mark.parametrize(("cells", "kinds"), [(1, ["disengage"]), (3, ["disengage", "move"])])
def test_who_gets_away_from_an_enemy_may_go_on_in_one_drag(cells: int, kinds: list[str]) -> None:
    here = engine.start(PLUGIN, "training")
    here = replace(here, turn=3, phase="axis_movement", active=("axis",))
    log = game(here.with_unit(replace(here.units["tnk-03"], cell="0714")))
    log.drag(["sec-454"], ["0716", "0717", "0718"][:cells])
    report = checked(log)
    assert [entry.what for entry in report.violations] == []
    assert [e.kind for e in report.entries if "sec-454" in e.units] == kinds


def test_the_winner_may_be_dragged_before_the_loser_is_taken_off() -> None:
    here = engine.start(PLUGIN, "training")
    for tank in ("tnk-01", "tnk-02", "tnk-03"):
        shown = FrozenMap({"ladder": ("4-4-11",)})
        here = here.with_unit(replace(here.units[tank], cell="0714", values=shown))
    log = game(replace(here, phase="soviet_combat"))
    log.say("[soviet: attack] tnk-01 tnk-02 tnk-03 -> 0715", side="soviet")
    log.roll(6, 4, side="soviet")
    log.roll(6, 4, side="soviet")
    log.drag(["tnk-02"], ["0715"])
    log.show(log.position.without_unit("sec-454"))
    told = [(e.kind, e.status) for e in checked(log).entries if e.first > log.steps - 2]
    assert told == [("take_losses", Status.LEGAL), ("advance", Status.LEGAL)]
