"""Results that players carry out in part: told once, by the rule that asks for them."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import kharkov_table

from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.frames.frame import settled

PLUGIN = kharkov_table.PLUGIN
MAKE = kharkov_table.MAKE


def combat() -> Recorder:
    start = engine.start(PLUGIN, "training", seed="f")
    return kharkov_table.game(replace(start, phase="soviet_combat"))


def attack(log: Recorder, line: str, *dice: int) -> None:
    """An attack is said, rolled for and its units turned up; nobody has lost anything yet."""
    (action,) = kharkov_table.said(line)
    log.perform(action)
    hidden = sum(
        "ladder" not in log.position.units[unit].values for unit in action.texts("attackers")
    )
    rolled = Dice(None, given=dice, picks=[1] * hidden)
    log.perform(MAKE("air_defence", "axis", use=False), rolled)


def lose(log: Recorder, unit: str) -> None:
    at, known = log.position, log.position.units[unit]
    left = replace(known, steps=known.steps - 1)
    log.show(at.with_unit(left) if left.steps else at.without_unit(unit))


def told(report: CheckReport) -> list[tuple[str, tuple[str, ...]]]:
    return [(e.what, tuple(v.rule for v in e.violations)) for e in report.violations]


def test_a_step_too_few_is_told_once_and_a_refused_attack_did_not_happen() -> None:
    """D2 asks for two steps; tnk-03 may attack although its first attack was refused."""
    log = combat()
    attack(log, "[soviet: attack] grd-1 rif-03 tnk-01 tnk-02 -> 0615 air=no", 6, 3)
    lose(log, "inf-297")
    log.position = settled(log.position, ())
    (refused,) = kharkov_table.said("[soviet: attack] tnk-02 tnk-03 -> 0715 air=no")
    log.announce(refused)
    attack(log, "[soviet: attack] tnk-03 -> 0715 air=no", 4, 2)
    lose(log, "sec-454")
    assert told(kharkov_table.checked(log)) == [
        ("[soviet: attack] grd-1 rif-03 tnk-01 tnk-02 -> 0615 air=no: D2", ("KHA-9.56",)),
        ("[soviet: attack] tnk-02 tnk-03 -> 0715 air=no", ("KHA-9.14",)),
    ]


def test_a_sign_put_on_against_the_rules_is_told_by_the_rule_of_its_action() -> None:
    """A regiment that has moved digs in; it was done in the phase in which the sign was put on."""
    start = engine.start(PLUGIN, "training", seed="f")
    log = kharkov_table.game(replace(start, phase="axis_movement", active=("axis",)))
    (broken,) = kharkov_table.said("[axis: break_down] inf-79")
    log.perform(broken)
    log.drag(["reg-02"], ["0316"])
    moved = log.position.units["reg-02"]
    log.show(log.position.with_unit(replace(moved, flags=moved.flags | {"strongpoint"})))
    for _ in range(3):
        log.perform(MAKE("end_phase", log.position.active[0]))
    report = kharkov_table.checked(log)
    assert told(report) == [("[axis: dig_in] reg-02, as its counter shows", ("KHA-15.21",))]
    assert [(e.phase, e.side) for e in report.violations] == [("axis_movement", "axis")]


def test_who_goes_back_where_he_is_to_die_has_carried_a_result_out_wrongly() -> None:
    """Nobody speaks; whatever the attack was, its die leaves no way for the loser to go back."""
    start = engine.start(PLUGIN, "training", seed="f")
    start = start.with_unit(replace(start.units["cav-01"], cell="0716"))
    log = kharkov_table.game(replace(start, phase="axis_combat", active=("axis",)))
    log.roll(6, 1, side="axis")
    log.drag(["cav-01"], ["0815"])
    log.perform(MAKE("end_phase", "axis"))
    (found,) = kharkov_table.checked(log).violations
    assert found.violations[0].rule == "KHA-9.55"
    assert found.what.startswith("in silence: [axis: attack]")
    assert found.what.endswith(": De")
    assert "cav-01 is eliminated by the rules" in found.violations[0].text


def test_what_came_of_too_few_dice_nobody_can_tell() -> None:
    """One die is rolled for morale and combat; both sides lose a step, and the phase ends."""
    log = combat()
    for line in ("[soviet: attack] grd-1 -> 0615 air=no", "[axis: air_defence] no"):
        (action,) = kharkov_table.said(line)
        log.announce(action)
    log.roll(6, 5, side="soviet")
    lose(log, "inf-297")
    lose(log, "grd-1")
    log.perform(MAKE("end_phase", "soviet"))
    report = kharkov_table.checked(log)
    assert told(report) == [("[axis: air_defence] no", ("KHA-9.4",))]


def test_who_advances_after_the_tracker_has_moved_on_is_late() -> None:
    log = combat()
    attack(log, "[soviet: attack] tnk-03 -> 0715 air=no", 4, 2)
    lose(log, "sec-454")
    log.position = settled(log.position, ())
    log.perform(MAKE("end_phase", "soviet"))
    log.drag(["tnk-03"], ["0715"])
    log.drag(["inf-71"], ["0915"])
    assert told(kharkov_table.checked(log)) == []


def test_dice_before_the_tracker_and_after_it_are_for_one_attack() -> None:
    """The morale of an attack is rolled while the tracker still shows movement."""
    open_one = combat()
    attack(open_one, "[soviet: attack] tnk-03 -> 0715 air=no", 4, 2)
    known = open_one.position.units["tnk-03"]
    start = engine.start(PLUGIN, "training", seed="f")
    tank = replace(start.units["tnk-03"], type=known.type, values=known.values, steps=known.steps)
    log = kharkov_table.game(start.with_unit(tank))
    log.roll(6, 4, side="soviet")
    log.perform(MAKE("end_phase", "soviet"))
    log.roll(6, 2, side="soviet")
    lose(log, "sec-454")
    log.drag(["tnk-03"], ["0715"])
    log.perform(MAKE("end_phase", "soviet"))
    report = kharkov_table.checked(log)
    assert told(report) == []
    assert (4, 2) in [entry.dice for entry in report.entries]
