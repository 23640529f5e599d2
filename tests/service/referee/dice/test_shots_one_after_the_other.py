"""Silent shots at the same hex, whose results are laid out bit by bit."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from collections.abc import Sequence
from dataclasses import replace

import coh_table
from coh_goes import MAKE, PLUGIN, activate, pay, untouched, without_a_word

from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.state.position import Position

FIRE = MAKE("fire", "german", unit="g4", by="ap", cell="1-E09")


def shot(log: Recorder, *rolled: int, picks: Sequence[int] = ()) -> Position:
    """What a shot of g4 comes to, while the Soviets pass."""
    here, dice = replace(log.position, active=("german",)), Dice(None, given=rolled, picks=picks)
    return engine.perform(PLUGIN, here, FIRE, dice).position


def lay_out(log: Recorder, after: Position) -> None:
    """Pieces first, then one track after the other; the marker for whose go it is stays."""
    tracks = {name: after.track(name) for name in after.tracks}
    log.show(replace(after, active=log.position.active, tracks=log.position.tracks))
    for name in sorted(tracks, reverse=True):
        if log.position.track(name) != tracks[name]:
            log.show(log.position.with_track(name, tracks[name]))


def is_lost(after: Position) -> bool:
    return "s5" not in after.units or not after.units["s5"].cell


def test_a_second_hit_kills_and_is_paid_at_last() -> None:
    log = untouched()
    activate(log, "g4")
    for dice, picks in (((6, 4), (3,)), ((5, 5), ())):
        after = shot(log, *dice, picks=picks)
        log.roll(6, *dice, side="german")
        lay_out(log, after)
    assert is_lost(log.position)
    report = without_a_word(log)
    assert list(report.violations) == []
    fired = [entry.dice for entry in report.entries if entry.kind == "fire"]
    assert fired == [(6, 4), (5, 5)]


def test_nobody_is_lost_by_a_draw_that_was_not_made() -> None:
    log = untouched()
    activate(log, "g4")
    drawn = (shot(log, 6, 4, picks=[pick]) for pick in range(1, 21))
    lost = next(filter(is_lost, drawn))
    log.announce(FIRE)
    log.roll(6, 6, 4, side="german")
    log.show(replace(lost, active=log.position.active))
    (entry,) = coh_table.checked(log).violations
    assert entry.kind == "fire"
    assert "s5 is lost, and nothing was drawn" in entry.violations[0].text


def test_a_die_rolled_for_nothing_hides_no_shot_that_was_paid() -> None:
    log = untouched()
    activate(log, "g4")
    log.drag(["g4"], ["1-E12"])
    pay(log, "ap-german", 1)
    for side in ("soviet", "german"):
        log.show(replace(log.position, active=(side,)))
    log.roll(6, 3, side="german")
    lay_out(log, shot(log, 1, 1))
    log.roll(6, 1, 1, side="german")
    log.show(replace(log.position, active=("soviet",)))
    report = without_a_word(log)
    assert list(report.violations) == []
    assert (1, 1) in [entry.dice for entry in report.entries if entry.kind == "fire"]


def test_a_hidden_unit_may_be_shown_before_it_acts() -> None:
    log = untouched()
    activate(log, "g4")
    log.drag(["g4"], ["1-E12"])
    pay(log, "ap-german", 1)
    log.show(replace(log.position, active=("soviet",)))
    hidden = log.position.units["s4"]
    log.show(log.position.with_unit(replace(hidden, seen_by=None, facing=0)))
    activate(log, "s4")
    log.drag(["s4"], ["1-E05"])
    pay(log, "ap-soviet", 1)
    log.show(replace(log.position, active=("german",)))
    report = without_a_word(log)
    assert list(report.violations) == []
    done = [(e.kind, e.units) for e in report.entries if e.side == "soviet"]
    assert done == [("activate", ("s4",)), ("move", ("s4",))]


def test_a_hit_put_on_who_was_missed_is_a_wrong_result_of_that_shot() -> None:
    log = untouched()
    activate(log, "g4")
    hit = shot(log, 6, 4, picks=[3])
    log.announce(FIRE)
    log.roll(6, 1, 1, side="german")
    log.show(replace(hit, active=log.position.active))
    activate(log, "s1")
    (entry,) = coh_table.checked(log).violations
    assert (entry.kind, entry.violations[0].rule) == ("fire", "COH-7.0b")
