"""What is done between an announcement and its dice: told, or a part of it, and never forgotten."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from collections.abc import Callable
from dataclasses import replace

import kharkov_table

from hexmarshal.referee.check.findings import Certainty, CheckReport, Status
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.state.position import Position

PLUGIN = kharkov_table.PLUGIN

FOUGHT = """
[soviet: end_phase]
[soviet: attack] rif-03 tnk-03 -> 0615 air=yes
[axis: air_defence] yes
[soviet: retreat] tnk-03 -> 0713
[soviet: retreat] rif-03 -> 0713
"""
ATTACK = "[soviet: attack] tnk-01 tnk-02 -> 0715 air=no"
ASKED = "[soviet: end_phase]\n[soviet: attack] rif-03 tnk-03 -> 0615 air=no"


def fought(lines: str = FOUGHT) -> Recorder:
    log = kharkov_table.game(engine.start(PLUGIN, "training", seed="f"))
    for action in kharkov_table.said(lines):
        log.perform(action)
    return log


def one(line: str) -> Action:
    (action,) = kharkov_table.said(line)
    return action


def carried_out(
    log: Recorder, action: Action, between: Callable[[Position, Position], Position]
) -> Position:
    """Announce an action, change the table, and only then roll for it and show what came of it."""
    before = log.position
    applied = engine.perform(PLUGIN, before, action)
    log.announce(action)
    shown = between(before, applied.position)
    log.show(shown)
    for roll in applied.rolls:
        if not roll.pick:
            log.roll(roll.sides, roll.value, side=action.side)
    return applied.position


def wrong(report: CheckReport) -> list[tuple[tuple[str, ...], Certainty]]:
    return [(entry.units, entry.certainty) for entry in report.violations]


def test_a_unit_that_is_taken_off_before_the_dice_is_told() -> None:
    log = fought()
    after = carried_out(log, one(ATTACK), lambda before, _: before.without_unit("rif-05"))
    log.show(after.without_unit("rif-05"))
    log.perform(one("[axis: retreat] sec-454 -> 0716 0717"))
    report = kharkov_table.checked(log)
    assert wrong(report) == [(("rif-05",), Certainty.LIKELY)]
    # And the attack has its dice all the same.
    (attack,) = [e for e in report.entries if e.kind == "attack" and e.units[0] == "tnk-01"]
    assert attack.status is Status.LEGAL
    assert len(attack.dice) == 2


def test_attackers_that_are_turned_up_before_the_dice_are_a_part_of_the_attack() -> None:
    log = fought()

    def turned_up(before: Position, after: Position) -> Position:
        for unit in ("tnk-01", "tnk-02"):
            before = before.with_unit(after.units[unit])
        return before

    log.show(carried_out(log, one(ATTACK), turned_up))
    log.perform(one("[axis: retreat] sec-454 -> 0716 0717"))
    report = kharkov_table.checked(log)
    assert wrong(report) == []
    assert all(entry.status is Status.LEGAL for entry in report.entries)


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_unit_that_is_changed_before_an_answer_is_told(answer: str) -> None:
    log = fought(ASKED)
    here = log.position
    log.show(here.with_unit(replace(here.units["grd-1"], steps=1)))
    log.perform(one(f"[axis: air_defence] {answer}"))
    report = kharkov_table.checked(log)
    assert wrong(report) == [(("grd-1",), Certainty.LIKELY)]
    answered = [entry for entry in report.entries if entry.kind == "air_defence"]
    assert [len(entry.dice) for entry in answered] == [2]


def test_an_answer_that_nobody_asked_for_takes_no_dice_from_the_attack() -> None:
    log = fought()
    action = one(ATTACK)
    applied = engine.perform(PLUGIN, log.position, action)
    log.announce(action)
    # Its only air point was used in the first attack.
    log.announce(one("[axis: air_defence] yes"))
    for roll in applied.rolls:
        if not roll.pick:
            log.roll(roll.sides, roll.value, side=action.side)
    log.show(applied.position)
    log.perform(one("[axis: retreat] sec-454 -> 0716 0717"))
    report = kharkov_table.checked(log)
    assert [entry.kind for entry in report.violations] == ["air_defence"]
    assert report.certain == 0
    (attack,) = [e for e in report.entries if e.kind == "attack" and e.units[0] == "tnk-01"]
    assert attack.result
    assert attack.status is Status.LEGAL
