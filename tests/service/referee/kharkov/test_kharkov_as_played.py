"""Kharkov as people play it: few words, and what they show on the table tells the rest."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

from kharkov_table import PLUGIN, checked, game, told, turn_up

from hexmarshal.rules import engine
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap

_PANZERS = ("pz-126-23", "pz-128-23", "pz-201-23")


def _start(**changes: object) -> Position:
    return replace(engine.start(PLUGIN, "training"), **changes)  # type: ignore[arg-type]


def test_who_retreats_tells_where_an_overrun_went() -> None:
    """Three brigades are turned up beside two divisions, and a die is rolled."""
    log = game(_start())
    for unit, card in (("tnk-01", "3-3-11"), ("tnk-02", "3-3-11"), ("tnk-03", "5-5-11")):
        turn_up(log, unit, f"tank {card}", "pool-tank")
    log.roll(6, 2, side="soviet")
    log.drag(["sec-454"], ["0716"])
    beaten = log.position.units["sec-454"]
    log.show(log.position.with_unit(replace(beaten, flags=beaten.flags | {"disrupted"})))
    log.drag(["tnk-01", "tnk-02", "tnk-03"], ["0715"])
    log.drag(["rif-04"], ["0814"])
    report = checked(log)
    assert told(report) == []
    (overrun,) = (entry for entry in report.entries if entry.kind == "overrun")
    assert "-> 0715" in overrun.what


def test_a_stack_attacks_together_rather_than_in_part() -> None:
    """With all of it the defender has to lose a step; with less of it the attacker, too."""
    here = _start(phase="axis_combat", active=("axis",))
    here = here.without_unit("inf-71").without_unit("sec-454")
    for unit in _PANZERS:
        here = here.with_unit(replace(here.units[unit], cell="0716"))
    for unit in ("tnk-01", "tnk-02", "tnk-03"):
        shown = FrozenMap({**here.units[unit].values, "ladder": ("3-3-11",)})
        there = replace(
            here.units[unit], cell="0715", values=shown, flags=frozenset({"unsupplied"})
        )
        here = here.with_unit(there)
    log = game(here)
    log.roll(6, 3, side="axis")
    log.show(log.position.without_unit("tnk-01"))
    log.show(replace(log.position, phase="mechanised_movement"))
    report = checked(log)
    assert told(report) == []
    (attack,) = (entry for entry in report.entries if entry.kind == "attack")
    assert {*_PANZERS} <= {*attack.units}


def test_regiments_of_the_wrong_strength_aretold() -> None:
    """A light division of 7-8 has two regiments of 2-8 and one of 1-8."""
    log = game(_start(phase="axis_movement", active=("axis",)))
    here = log.position
    log.show(here.with_unit(replace(here.units["light-108"], cell="", box="broken-down")))
    for regiment in ("reg-01", "reg-02", "reg-03"):
        shown = FrozenMap({"ladder": ("2-8",)})
        there = replace(here.units[regiment], cell="0518", box="", values=shown, steps=1)
        log.show(log.position.with_unit(there))
    log.show(replace(log.position, phase="axis_combat"))
    (entry,) = checked(log).violations
    assert entry.kind == "break_down"
    assert "reg-03" in entry.violations[0].text


def test_no_phase_ends_in_silence_while_the_tracker_stands() -> None:
    log = game(_start())
    log.show(replace(log.position, phase="soviet_combat"))
    log.say("[soviet: attack] grd-1 rif-03 -> 0615", side="soviet")
    turn_up(log, "rif-03", "2-2-6", "pool-rifle")
    log.roll(6, 4, side="soviet")
    log.roll(6, 4, side="soviet")
    hurt = log.position.units["inf-297"]
    log.show(log.position.with_unit(replace(hurt, steps=hurt.steps - 1)))
    log.drag(["pz-6-3"], ["0915"])
    log.say("[soviet: attack] rif-01 -> 0414", side="soviet")
    report = checked(log)
    assert [e.what for e in report.violations if "pz-6-3" in e.units] == ["pz-6-3: 1015 -> 0915"]
    assert all("end_phase" not in entry.what for entry in report.entries)


def test_nobody_owes_the_result_of_an_attack_that_was_refused() -> None:
    log = game(_start(phase="soviet_combat"))
    log.say("[soviet: attack] rif-01 -> 0615", side="soviet")
    log.roll(6, 6, side="soviet")
    log.roll(6, 5, side="soviet")
    log.say("[soviet: attack] tnk-01 -> 0715", side="soviet")
    assert [entry.kind for entry in checked(log).violations] == ["attack"]


def test_who_is_far_from_home_may_go_by_road() -> None:
    """And of ways that are too dear, the cheapest is told."""
    log = game(_start(phase="axis_movement", active=("axis",)))
    log.drag(["pz-6-3"], ["2728"])
    (entry,) = checked(log).violations
    assert "would spend 29 1/2 MP" in entry.violations[0].text
    assert "may go to 2527" in entry.right


def test_an_attack_in_words_ends_the_advance_before_it() -> None:
    log = game(_start(phase="soviet_combat"))
    log.say("[soviet: attack] grd-1 -> 0615", side="soviet")
    log.roll(6, 1, side="soviet")
    log.roll(6, 3, side="soviet")
    log.drag(["inf-297"], ["0616"])
    log.drag(["grd-1"], ["0615"])
    log.say("rif-01 and rif-02 attack 0414", side="soviet")
    turn_up(log, "rif-01", "2-2-6", "pool-rifle")
    turn_up(log, "rif-02", "2-2-6", "pool-rifle")
    log.roll(6, 6, side="soviet")
    log.roll(6, 4, side="soviet")
    log.show(replace(log.position, phase="axis_movement", active=("axis",)))
    report = checked(log)
    attacks = [entry.what for entry in report.entries if entry.kind == "attack"]
    assert "[soviet: attack] rif-01 rif-02 -> 0414" in attacks[1]
    assert all(rule != PLUGIN.game.turn_rule for _, rule in told(report))


def test_an_attack_in_words_is_by_all_who_were_named() -> None:
    """Who is turned up next belongs to the next attack, even if he made this one right."""
    here = _start(phase="soviet_combat")
    log = game(here.with_unit(replace(here.units["tnk-01"], cell="0514")))
    log.say("grd-1, rif-03 and tnk-01 attack 0615", side="soviet")
    turn_up(log, "rif-03", "2-2-6", "pool-rifle")
    turn_up(log, "tnk-01", "tank 6-5-11", "pool-tank")
    log.roll(6, 6, side="soviet")
    log.roll(6, 5, side="soviet")
    log.drag(["inf-297"], ["0616"])
    log.drag(["tnk-01"], ["0615"])
    turn_up(log, "tnk-02", "tank 6-5-11", "pool-tank")
    report = checked(log)
    (attack,) = (entry for entry in report.entries if entry.kind == "attack")
    assert {*attack.units} & {"grd-1", "rif-03", "tnk-01", "tnk-02"} == {
        "grd-1",
        "rif-03",
        "tnk-01",
    }


def test_a_sign_that_was_told_is_not_told_again_when_the_next_phase_leaves_it() -> None:
    log = game(_start())
    hurt = log.position.units["inf-297"]
    log.show(log.position.with_unit(replace(hurt, flags=hurt.flags | {"disrupted"})))
    for phase in ("soviet_combat", "axis_movement", "axis_combat", "mechanised_movement"):
        active = ("soviet",) if phase == "soviet_combat" else ("axis",)
        log.show(replace(log.position, phase=phase, active=active))
    log.show(replace(log.position, phase="air_support"))
    log.show(replace(log.position, turn=2, phase="reserve_commitment", active=("soviet",)))
    log.show(replace(log.position, phase="soviet_movement"))
    assert [entry.first for entry in checked(log).violations] == [1]


def test_nobody_marks_a_city_that_he_may_have_gone_around() -> None:
    """A brigade is dropped behind a city whose garrison is gone: nobody knows which way it took."""
    here = _start()
    for unit in (*_PANZERS, "light-108"):
        here = here.without_unit(unit)
    here = here.with_unit(replace(here.units["tnk-01"], cell="0717"))
    for cell in ("0718", "0719", "0818", "0819"):
        here = replace(here, cells=here.cells.set(cell, FrozenMap({"garrison": 0})))
    log = game(here)
    log.drag(["tnk-01"], ["0820"])
    log.show(replace(log.position, phase="soviet_combat"))
    log.show(replace(log.position, phase="axis_movement", active=("axis",)))
    report = checked(log)
    told = [v.text for entry in report.violations for v in entry.violations]
    assert [text for text in told if "the cell" in text] == []


def test_who_was_turned_up_before_the_dice_takes_part_in_a_silent_attack() -> None:
    """With both the defender is eliminated; with one of them he would lose less."""
    here = _start(phase="soviet_combat")
    for unit, cell in (("rif-03", "0614"), ("tnk-01", "0714"), ("grd-1", "0609")):
        here = here.with_unit(replace(here.units[unit], cell=cell))
    log = game(here)
    turn_up(log, "rif-03", "3-3-6", "pool-rifle")
    turn_up(log, "tnk-01", "tank 5-5-11", "pool-tank")
    log.roll(6, 2, side="soviet")
    log.roll(6, 2, side="soviet")
    hurt = log.position.units["inf-297"]
    log.show(log.position.with_unit(replace(hurt, steps=hurt.steps - 1)))
    log.show(replace(log.position, phase="axis_movement", active=("axis",)))
    log.drag(["pz-201-23"], ["0717"])
    report = checked(log)
    (attack,) = (entry for entry in report.entries if entry.kind == "attack")
    assert {"rif-03", "tnk-01"} <= {*attack.units}
    assert [rule for _, rule in told(report)] == ["KHA-9.55"]


@pytest.mark.parametrize("is_paid", [True, False])
def test_who_advances_may_lose_his_step_later(is_paid: bool) -> None:
    """It is his step that is missing then, and not the hex that he may not enter."""
    here = _start(phase="soviet_combat")
    for unit in ("tnk-01", "tnk-02", "tnk-03"):
        shown = FrozenMap({**here.units[unit].values, "ladder": ("3-3-11",)})
        here = here.with_unit(replace(here.units[unit], values=shown))
    log = game(here)
    log.say("[soviet: attack] tnk-01 tnk-02 tnk-03 -> 0715", side="soviet")
    log.roll(6, 6, side="soviet")
    log.roll(6, 6, side="soviet")
    log.drag(["sec-454"], ["0716"])
    log.drag(["tnk-01"], ["0715"])
    if is_paid:
        log.show(log.position.without_unit("tnk-02"))
    log.show(replace(log.position, phase="axis_movement", active=("axis",)))
    log.drag(["pz-6-3"], ["0915"])
    log.show(replace(log.position, phase="axis_combat"))
    found = [v for entry in checked(log).violations for v in entry.violations]
    assert ["was not carried out" in one.text for one in found] == ([] if is_paid else [True])


def test_who_goes_elsewhere_than_he_said_has_gone_there() -> None:
    """One of the two was said too far, and the other might go there."""
    log = game(_start())
    log.say("[soviet: move] hq-28 -> 0613", side="soviet")
    log.drag(["hq-28"], ["0612"])
    log.say("[soviet: move] rif-04 -> 0814", side="soviet")
    log.drag(["rif-04"], ["0713"])
    log.show(replace(log.position, phase="soviet_combat"))
    assert told(checked(log)) == []


def test_who_says_what_an_overrun_asks_for_has_said_nothing_new() -> None:
    """The brigades have to go where the beaten lay, and it is no advance."""
    log = game(_start())
    log.say("[soviet: overrun] tnk-01 tnk-02 -> 0715 hq=hq-28", side="soviet")
    for unit in ("tnk-01", "tnk-02"):
        turn_up(log, unit, "tank 4-4-11", "pool-tank")
    log.roll(6, 2, side="soviet")
    log.drag(["sec-454"], ["0816"])
    beaten = log.position.units["sec-454"]
    log.show(log.position.with_unit(replace(beaten, flags=beaten.flags | {"disrupted"})))
    log.say("[soviet: advance] tnk-01 tnk-02 -> 0715", side="soviet")
    log.drag(["tnk-01", "tnk-02"], ["0715"])
    log.drag(["rif-04"], ["0814"])
    assert told(checked(log)) == []
