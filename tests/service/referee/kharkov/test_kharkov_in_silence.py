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


@pytest.mark.parametrize("order", [1, -1])
def test_dice_of_two_attacks_may_come_before_the_results_of_either(order: int) -> None:
    """Four dice, and then the results, of the first attack first or of the second."""
    here = engine.start(PLUGIN, "training")
    for unit, cell in (("rif-03", "0614"), ("rif-04", "0814"), ("cav-01", "0814")):
        shown = FrozenMap({"ladder": ("4-4-6",)})
        here = here.with_unit(replace(here.units[unit], cell=cell, values=shown))
    log = game(replace(here.without_unit("sec-454"), phase="soviet_combat"))
    for die in (6, 2, 1, 1):
        log.roll(6, die, side="soviet")

    def lose() -> None:
        for _ in range(2):
            hurt = log.position.units["inf-71"]
            log.show(log.position.with_unit(replace(hurt, steps=hurt.steps - 1)))

    def retreat() -> None:
        log.drag(["inf-297"], ["0515", "0415"])
        log.drag(["grd-1"], ["0615"])

    for result in (retreat, lose)[::order]:
        result()
    report = checked(log)
    assert [entry.what for entry in report.violations] == []
    assert [entry.kind for entry in report.entries].count("attack") == 2


def test_what_is_shown_after_the_tracker_may_come_of_the_dice_before_it() -> None:
    """An attack in the combat phase, and not an overrun in the movement after it."""
    here = engine.start(PLUGIN, "training")
    here = replace(here.without_unit("sec-454"), phase="axis_combat", active=("axis",))
    for tank in ("tnk-01", "tnk-02", "tnk-03"):
        shown = FrozenMap({"ladder": ("5-5-11",)})
        here = here.with_unit(replace(here.units[tank], cell="0715", values=shown))
    for unit in ("pz-126-23", "pz-128-23", "pz-201-23"):
        here = here.with_unit(replace(here.units[unit], cell="0816"))
    log = game(here)
    log.roll(6, 3, side="axis")
    log.show(replace(log.position, phase="mechanised_movement"))
    log.show(log.position.without_unit("tnk-01"))
    report = checked(log)
    assert [entry.what for entry in report.violations] == []
    assert [(e.kind, e.phase) for e in report.entries][:1] == [("attack", "axis_combat")]


def test_who_enters_the_hex_that_was_left_has_attacked_it() -> None:
    """By others it would have been a retreat; by them, the defender should be gone."""
    here = replace(
        engine.start(PLUGIN, "training"), phase="axis_combat", active=("axis",)
    ).without_unit("sec-454")
    for unit in ("pz-126-23", "pz-128-23", "pz-201-23"):
        here = here.with_unit(replace(here.units[unit], cell="0716"))
    here = here.with_unit(replace(here.units["pz-6-3"], cell="0815"))
    shown = FrozenMap({**here.units["tnk-01"].values, "ladder": ("3-3-11",)})
    here = here.with_unit(replace(here.units["tnk-01"], cell="0715", values=shown))
    log = game(here)
    log.roll(6, 1, side="axis")
    log.drag(["tnk-01"], ["0713"])
    log.drag(["pz-201-23", "pz-126-23"], ["0715"])
    log.show(replace(log.position, phase="mechanised_movement"))
    report = checked(log)
    (attack,) = (entry for entry in report.entries if entry.kind == "attack")
    assert {"pz-201-23", "pz-126-23"} <= {*attack.units}
    (wrong,) = report.violations
    assert "tnk-01 is eliminated by the rules" in wrong.violations[0].text
