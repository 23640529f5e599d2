"""What a referee says would have been right, and of which steps an entry is."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import kharkov_table as kharkov

from hexmarshal.rules import engine

KHARKOV = kharkov.PLUGIN


def test_a_die_too_many_is_told_although_the_tracker_moves_while_steps_are_owed() -> None:
    """D2 asks for two steps; a third die was rolled, and the phase ends with nothing done."""
    start = engine.start(KHARKOV, "training")
    log = kharkov.game(replace(start, phase="soviet_combat"))
    log.announce(kharkov.MAKE("attack", "soviet", attackers=["grd-1"], targets=["0615"]))
    for value in (2, 2, 2):
        log.roll(6, value, side="soviet")
    log.show(replace(log.position, phase="axis_movement", active=("axis",)))
    report = kharkov.checked(log)
    undone, more = report.violations
    assert more.violations[0].text == "3 dice were rolled here, and 2 are due"
    assert undone.what == "[soviet: attack] grd-1 -> 0615: D2"
    assert [violation.rule for violation in undone.violations] == ["KHA-9.56"]
    assert all(entry.first <= entry.last for entry in report.entries)


def test_a_change_that_nothing_asks_for_is_told_with_what_is_right() -> None:
    log = kharkov.game(engine.start(KHARKOV, "training"))
    hurt = log.position.units["inf-297"]
    log.show(log.position.with_unit(replace(hurt, steps=hurt.steps - 1)))
    log.drag(["tnk-02"], ["0813"])
    (change,) = kharkov.checked(log).violations
    assert change.right == f"inf-297 has {hurt.steps} steps"
