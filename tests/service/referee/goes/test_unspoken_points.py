"""Points that nobody speaks of: tracks, dice and markers tell who paid them, and for what."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import coh_table
from coh_goes import MAKE, PLUGIN, table, without_a_word

from hexmarshal.referee.check.findings import Certainty
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.state.position import Position


def test_a_bid_in_silence_is_told_by_the_points_that_it_cost() -> None:
    log = table(bid=2)
    log.perform(MAKE("pass", "german"))
    log.perform(MAKE("activate", "soviet", unit="s1"))
    report = without_a_word(log)
    assert list(report.violations) == []
    bids = [entry.what for entry in report.entries if entry.kind == "bid"]
    assert "in silence: [german: bid] 2" in bids


@pytest.mark.parametrize("unit", ["g4", "g5"])
def test_a_shot_in_silence_is_taken_for_one_of_who_was_just_activated(unit: str) -> None:
    log = table()
    log.perform(MAKE("activate", "german", unit=unit))
    fire = MAKE("fire", "german", unit=unit, by="ap", cell="1-E09")
    log.perform(fire, Dice(None, given=[6, 5], picks=[3]))
    log.perform(MAKE("activate", "soviet", unit="s1"))
    report = without_a_word(log)
    assert list(report.violations) == []
    assert [entry.units[0] for entry in report.entries if entry.kind == "fire"] == [unit]


def test_a_bid_in_silence_that_breaks_a_tie_is_told_by_the_points_that_it_cost() -> None:
    log = table(bid=2, against=1, rolled=[3, 6, 4, 4])
    log.perform(MAKE("pass", "german"))
    report = without_a_word(log)
    assert list(report.violations) == []
    bids = [entry.what for entry in report.entries if entry.kind == "bid"]
    assert bids == ["in silence: [soviet: bid] 1", "in silence: [german: bid] 2"]


def test_a_shot_of_a_group_that_bears_no_marks_is_told_by_what_was_paid_and_hit() -> None:
    log = table()
    fire = MAKE("fire", "german", unit="g2", by="command", cell="1-C08", supporters=["g1"], cap=1)
    log.perform(fire, Dice(None, given=[5, 4], picks=[3]))
    log.perform(MAKE("activate", "soviet", unit="s1"))
    report = without_a_word(log)
    assert list(report.violations) == []
    (shot,) = [entry for entry in report.entries if entry.kind == "fire"]
    assert "supporters=" in shot.what


def test_a_leader_who_was_active_already_shows_less_of_a_shot_than_who_joins_him() -> None:
    log = table()
    log.perform(MAKE("activate", "german", unit="g1"))
    fire = MAKE("fire", "german", unit="g1", by="ap", cell="1-C08", supporters=["g2", "g4"], cap=1)
    log.perform(fire, Dice(None, given=[3, 5], picks=[3]))
    log.perform(MAKE("activate", "soviet", unit="s1"))
    report = without_a_word(log)
    assert list(report.violations) == []


def test_a_drag_of_two_hexes_is_not_two_actions_where_the_marker_of_the_go_stays() -> None:
    log = table()
    log.perform(MAKE("activate", "german", unit="g4"))
    log.perform(MAKE("move", "german", unit="g4", path=["1-E12"]))
    log.perform(MAKE("pass", "soviet"))
    assert log.position.units["g2"].cell == "1-E13"
    log.drag(["g2"], ["1-E11"])
    log.show(log.position.with_unit(replace(log.position.units["g2"], flags=frozenset({"spent"}))))
    log.show(replace(log.position, active=("soviet",)))
    report = without_a_word(log)
    (entry,) = report.violations
    assert (entry.units, entry.violations[0].rule) == (("g2",), "COH-5.0c")
    # To mark it so is no action of its own.
    later = report.entries[report.entries.index(entry) + 1 :]
    assert [one.kind for one in later] == ["pass"]


def test_a_price_paid_in_part_is_told_by_the_rule_that_makes_it() -> None:
    log = table()
    log.perform(MAKE("pass", "german"))
    log.perform(MAKE("activate", "soviet", unit="s3"))
    had = log.position.track("ap-soviet")
    move = MAKE("move", "soviet", unit="s3", path=["1-C07"])
    log.perform(move, slip=lambda after: after.with_track("ap-soviet", had - 1))
    log.perform(MAKE("pass", "german"))
    log.perform(MAKE("finish", "soviet"))
    for report in (coh_table.checked(log.finish()), without_a_word(log)):
        (entry,) = report.violations
        assert (entry.units, entry.violations[0].rule) == (("s3",), "COH-5.0a")
        assert (entry.certainty, entry.right) == (Certainty.LIKELY, "cost 2 AP")


def test_a_go_handed_back_without_a_loss_was_waited_for() -> None:
    log = table()
    log.perform(MAKE("pass", "german"))
    log.perform(MAKE("activate", "soviet", unit="s3"))
    log.perform(MAKE("move", "soviet", unit="s3", path=["1-C07"]))
    log.perform(MAKE("move", "german", unit="g1", path=["1-D12"], by="opportunity"))
    # The Soviets wait; by the rules they would lose the points that are left.
    log.show(replace(log.position, active=("german",)))
    for cell in ("1-F11", "1-F09"):
        log.show(log.position.with_track("cap-german", log.position.track("cap-german") - 1))
        log.drag(["g3"], [cell])
        log.show(replace(log.position, active=("soviet",)))
        log.show(replace(log.position, active=("german",)))
    (entry,) = without_a_word(log).violations
    assert (entry.path, entry.violations[0].rule) == (("1-F09",), "COH-5.0c")


def test_a_facing_that_was_left_out_is_the_one_that_the_table_shows() -> None:
    log = table()
    move = MAKE("move", "german", unit="g3", path=["1-F11"], by="command")
    facing = engine.perform(PLUGIN, log.position, move).position.units["g3"].facing
    assert facing is not None

    def turned(after: Position) -> Position:
        return after.with_unit(replace(after.units["g3"], facing=(facing + 1) % 6))

    log.perform(move, slip=turned)
    log.perform(MAKE("pass", "soviet"))
    assert list(coh_table.checked(log).violations) == []


def test_where_a_way_to_pay_was_left_out_only_what_is_wrong_anyway_is_told() -> None:
    log = table()
    log.perform(MAKE("pass", "german"))
    log.announce(MAKE("fire", "soviet", unit="s3", cell="1-E12"))
    log.roll(6, 1, 2, side="soviet")
    log.show(replace(log.position, active=("german",)))
    (entry,) = coh_table.checked(log).violations
    assert [violation.rule for violation in entry.violations] == ["COH-6.0a"]


def test_a_hit_may_be_drawn_after_the_go_was_handed_over() -> None:
    log = table()
    log.perform(MAKE("activate", "german", unit="g5"))
    before = log.position
    fire = MAKE("fire", "german", unit="g5", by="ap", cell="1-E09")
    hit = engine.perform(PLUGIN, before, fire, Dice(None, given=[6, 5], picks=[3])).position
    log.roll(6, 6, 5, side="german")
    log.show(before.with_track("ap-german", hit.track("ap-german")))
    log.show(replace(log.position, active=("soviet",)))
    log.show(hit)
    log.perform(MAKE("activate", "soviet", unit="s1"))
    report = without_a_word(log)
    assert list(report.violations) == []
    assert [entry.dice for entry in report.entries if entry.kind == "fire"] == [(6, 5)]


def test_after_a_go_that_nothing_explains_the_next_is_explained_by_itself() -> None:
    log = table()
    log.perform(MAKE("activate", "german", unit="g5"))
    fire = MAKE("fire", "german", unit="g5", by="ap", cell="1-E09")
    log.perform(fire, Dice(None, given=[1, 1]))
    # Dice for which nobody pays.
    log.roll(6, 1, 2, side="soviet")
    log.show(replace(log.position, active=("german",)))
    after = engine.perform(PLUGIN, log.position, fire, Dice(None, given=[2, 1])).position
    log.roll(6, 2, 1, side="german")
    log.show(replace(after, active=("german",)))
    log.show(after)
    report = without_a_word(log)
    assert list(report.violations) == []
    assert [e.dice for e in report.entries if e.kind == "fire"] == [(1, 1), (2, 1)]


def test_what_a_side_left_undone_does_not_hide_what_the_other_does_in_its_go() -> None:
    log = table()
    log.perform(MAKE("pass", "german"))
    log.perform(MAKE("activate", "soviet", unit="s5"))
    log.perform(MAKE("fire", "soviet", unit="s5", by="ap", cell="1-E12"), Dice(None, given=[1, 1]))
    both = MAKE("fire", "german", unit="g4", cell="1-E09", by="opportunity", supporters=["g2"])
    after = engine.perform(PLUGIN, log.position, both, Dice(None, given=[1, 2])).position
    fresh = log.position.units["g2"]
    log.announce(both)
    log.roll(6, 1, 2, side="german")
    log.show(replace(after, active=("german",)).with_unit(fresh))
    log.show(after.with_unit(fresh))
    move = MAKE("move", "soviet", unit="s2", path=["1-D09"], by="opportunity")
    moved = engine.perform(PLUGIN, log.position, move).position
    log.drag(["s2"], ["1-D09"])
    log.show(replace(moved, active=("soviet",)))
    log.show(moved)
    (entry,) = coh_table.checked(log).violations
    assert (entry.kind, entry.violations[0].rule) == ("fire", "COH-7.0b")


def test_a_track_is_told_once_of_a_step_however_the_goes_are_read() -> None:
    log = table(rolled=(1, 1, 6, 6), begins="soviet")

    def pay(side: str, left: int) -> None:
        tracks = log.position.tracks.set(f"ap-{side}", left)
        log.show(replace(log.position, tracks=tracks))

    squad = log.position.units["s3"]
    pay("soviet", 7)
    turned = replace(squad, facing=((squad.facing or 0) + 1) % 6)
    log.show(replace(log.position, units=log.position.units.set("s3", turned)))
    pay("soviet", 6)
    log.drag(["g2"], ["1-D12"])
    pay("german", 6)
    log.drag(["s3"], ["1-E07"])
    pay("soviet", 3)
    log.drag(["g2"], ["1-E11"])
    for side, rolled in (("soviet", 5), ("german", 3)):
        log.roll(6, rolled, rolled, side=side)
    pay("german", 2)
    pay("soviet", 0)
    report = coh_table.checked(log)
    told = [(e.first, e.what.partition(":")[0]) for e in report.violations if e.kind == "change"]
    assert told, "nobody marked who was activated"
    assert len(told) == len({*told})
    assert report.certain == 0
