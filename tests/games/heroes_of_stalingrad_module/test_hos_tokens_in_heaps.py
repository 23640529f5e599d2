"""Tokens that are turned up where cards are held, and where somebody is carried."""

from __future__ import annotations

from functools import cache

import pytest
from test_hos_silent_turn import (
    PLUGIN,
    action,
    checked,
    lose_step,
    turn_up,
    with_orders,
)

from hexmarshal.referee.check.findings import Certainty
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.table.binding import Binding

WORKS = {
    "german": ("g7", "g6", "g2", "g4", "g5", "g8"),
    "russian": ("r4", "r8", "r6", "r9", "r2", "r5"),
}
# Tokens are dropped on top of a stack: on the crews, and meant for their vehicles.
RAILWAY = {
    "german": ("g6", "g9", "g2", "g3", "g4", "g1", "g7", "g8"),
    "russian": ("r6", "r1", "r2", "r3", "r4", "r7", "r8", "r9"),
}
DEPLOYED = {
    "german": dict(
        zip(
            ("g1", "g2", "g3", "g4", "g7", "g8", "g9", "g10"),
            ("0101", "0102", "0103", "0104", "0105", "0107", "0108", "0109"),
            strict=True,
        )
    ),
    "russian": dict(
        zip(
            ("r2", "r3", "r4", "r7", "r8", "r9", "r10", "r11"),
            ("1704", "1705", "1706", "1707", "1603", "1604", "1605", "1806"),
            strict=True,
        )
    ),
}


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


@cache
def by_the_railway():
    now = engine.start(PLUGIN, "railway")
    while now.phase == "setup":
        (side, *_) = now.active
        left = [unit for unit in DEPLOYED[side] if not now.units[unit].cell]
        done = engine.silence(PLUGIN, now, side)
        if left:
            done = action("deploy", side, unit=left[0], cell=DEPLOYED[side][left[0]])
        now = engine.perform(PLUGIN, now, done, Dice(None)).position
    return now


def test_a_token_is_revealed_though_cards_could_be_played(module, binding):
    """What may be done at any time is no reason to wait: r4 fires by his token, not before it."""
    recorder = with_orders(module, binding, WORKS, engine.start(PLUGIN, "tractor_works"))
    turn_up(recorder, "g7")
    recorder.drag(["g7"], ["1209", "1109"])
    turn_up(recorder, "r4")
    recorder.roll(6, 1, side="russian")
    lose_step(recorder, "g7")
    turn_up(recorder, "g6")
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.what) for e in report.violations] == []
    (shot,) = [e for e in report.entries if e.kind == "fire"]
    assert shot.before.frame("activation").text("unit") == "r4"


def test_the_token_on_a_crew_is_that_of_the_vehicle_which_drives(module, binding):
    recorder = with_orders(module, binding, RAILWAY, by_the_railway())
    turn_up(recorder, "g6")
    recorder.drag(["g5"], ["0606"])
    turn_up(recorder, "r6")
    recorder.drag(["r5"], ["1510"])
    turn_up(recorder, "g9")
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.what) for e in report.violations] == []
    drives = [(e.kind, e.units) for e in report.entries if e.path]
    assert drives == [("drive", ("g5",)), ("drive", ("r5",))]


def test_a_vehicle_driven_too_far_is_told_so(module, binding):
    recorder = with_orders(module, binding, RAILWAY, by_the_railway())
    turn_up(recorder, "g6")
    turn_up(recorder, "r6")
    recorder.drag(["r5"], ["0910"])
    turn_up(recorder, "g9")
    report = checked(module, binding, recorder.finish())
    (entry,) = report.violations
    assert ("HOS-2.40", "8 cells, and r5 goes 6") in [(v.rule, v.text) for v in entry.violations]
    assert entry.certainty is Certainty.CERTAIN


def test_who_stays_where_he_may_not_keeps_nobody_waiting(module, binding):
    """He would have to go on from there: whoever is turned up next acts all the same."""
    recorder = with_orders(module, binding, RAILWAY, by_the_railway())
    turn_up(recorder, "g6")
    turn_up(recorder, "r6")
    turn_up(recorder, "g9")
    recorder.drag(["g9"], ["0109"])
    turn_up(recorder, "r1")
    recorder.drag(["r1"], ["1506"])
    turn_up(recorder, "g2")
    report = checked(module, binding, recorder.finish())
    assert [[v.rule for v in e.violations] for e in report.violations] == [["HOS-2.32"]]
