"""Who is turned where he stands, with his token face down, or though the rules have him gone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_hos_silent_turn import action, checked, end_turn, with_orders

from hexmarshal.referee.check.findings import Status
from hexmarshal.table.binding import Binding


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


def turn(recorder, unit):
    known = recorder.position.units[unit]
    recorder.show(recorder.position.with_unit(replace(known, facing=(known.facing + 1) % 8)))


def test_who_is_due_next_and_is_turned_was_activated(module, binding):
    """Nobody turns his token up before that."""
    recorder = with_orders(module, binding, {"russian": ("r1", "r3", "r4"), "german": ("g4", "g2")})
    recorder.announce(action("reveal", "russian"))
    recorder.drag(["r1"], ["0404"])
    turn(recorder, "g4")
    recorder.drag(["r3"], ["0407"])
    end_turn(recorder)
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.what) for e in report.violations] == []
    done = [(e.kind, e.side) for e in report.entries if "g4" in e.units]
    assert ("move", "german") in done


def test_who_is_not_due_next_and_is_turned_is_told(module, binding):
    recorder = with_orders(module, binding, {"russian": ("r1", "r3", "r4"), "german": ("g2", "g4")})
    recorder.announce(action("reveal", "russian"))
    recorder.drag(["r1"], ["0404"])
    turn(recorder, "r2")
    end_turn(recorder)
    report = checked(module, binding, recorder.finish())
    assert any("r2" in entry.units for entry in report.violations)


def test_whoever_should_be_gone_is_told_once(module, binding):
    recorder = with_orders(module, binding, {"russian": ("r3", "r1", "r4"), "german": ("g3", "g2")})
    recorder.announce(action("reveal", "russian"))
    recorder.drag(["r3"], ["0407"])
    recorder.announce(action("reveal", "german"))
    recorder.announce(action("fire", "german", unit="g3", target="r4"))
    recorder.roll(6, 6, side="german")
    recorder.announce(action("reveal", "russian"))
    recorder.drag(["r1"], ["0404"])
    turn(recorder, "r4")
    end_turn(recorder)
    report = checked(module, binding, recorder.finish())
    told = [entry.kind for entry in report.violations if "r4" in entry.units]
    assert told == ["fire"]
    assert all(e.kind != "change" for e in report.entries if e.status is Status.VIOLATION)
