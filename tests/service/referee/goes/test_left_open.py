"""What players leave open, or mark late: how they paid, whose dice they are, signs on units."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import coh_table
from coh_goes import (
    MAKE,
    PLUGIN,
    activate,
    by_one,
    hand_over,
    pay,
    spend,
    table,
    untouched,
    without_a_word,
)

from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.table.reading.piece_reader import PieceReader
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.state.locator import ModuleLocator

ACTIVE = "Active_Level"


def told(report: CheckReport) -> list[tuple[str, str]]:
    return [(entry.what, entry.violations[0].text) for entry in report.violations]


def hit(log: Recorder, unit: str, kind: str) -> None:
    """Draw a hit marker for a unit, as the rules lay it there."""
    position = log.position
    (pile,) = [p for p in ("hits-foot",) if kind in position.pile(p).cards]
    pick = position.pile(pile).cards.index(kind)
    found = [m for m in position.markers.values() if m.unit == unit]
    assert not found
    side = {"g": "soviet", "s": "german"}[unit[0]]
    doer = {"soviet": "s5", "german": "g5"}[side]
    fire = MAKE("fire", side, unit=doer, cell=position.units[unit].cell, by="command")
    after = engine.perform(
        PLUGIN,
        replace(position, active=(side,)),
        fire,
        Dice(None, given=[6, 5], picks=[pick + 1]),
    ).position
    log.show(replace(position, markers=after.markers, piles=after.piles))


def test_one_who_plays_both_sides_tells_by_his_words_whose_dice_they_are() -> None:
    log = untouched()
    log.drag(["g3"], ["1-F11"])
    spend(log, "g3")
    log.say("s5 fires at g5", "german")
    log.roll(6, 6, 5, side="german")
    hit(log, "g5", "foot-suppressed")
    spend(log, "s5")
    log.drag(["g1"], ["1-D12"])
    spend(log, "g1")
    report = by_one(log)
    assert told(report) == []
    assert [e.units[0] for e in report.entries if e.kind == "fire"] == ["s5"]


def test_words_of_the_phase_that_the_tracker_shows_are_not_for_dice_of_the_one_before() -> None:
    start = engine.start(PLUGIN, "first_steps", seed="a")
    log = Recorder(coh_table.module(), coh_table.binding(), PLUGIN, start)
    log.show(replace(log.position, phase="play", state=""))
    log.say("g5 fires at s5", "german")
    log.roll(6, 1, 2, side="german")
    spend(log, "g5")
    report = coh_table.checked(log)
    assert told(report) == []
    assert [e.dice for e in report.entries if e.kind == "fire"] == [(1, 2)]


def test_a_shot_by_nobody_knows_what_is_an_opportunity_if_the_unit_is_spent_by_it() -> None:
    log = table()
    log.perform(MAKE("pass", "german"))
    log.announce(MAKE("fire", "soviet", unit="s5", cell="1-E12"))
    log.roll(6, 1, 2, side="soviet")
    spend(log, "s5")
    hand_over(log, "german")
    log.perform(MAKE("activate", "german", unit="g3"))
    report = coh_table.checked(log)
    assert told(report) == []
    (shot,) = [e for e in report.entries if e.kind == "fire"]
    assert shot.action["by"] == "opportunity"
    assert not [e for e in report.entries if e.kind == "activate" and e.side == "soviet"]


def test_a_drag_taken_for_an_activation_was_an_opportunity_if_the_unit_is_spent_by_it() -> None:
    log = table()
    log.announce(MAKE("pass", "german"))
    hand_over(log, "soviet")
    log.drag(["s2"], ["1-D09"])
    spend(log, "s2")
    hand_over(log, "german")
    log.perform(MAKE("activate", "german", unit="g3"))
    report = coh_table.checked(log)
    assert told(report) == []
    assert not [e for e in report.entries if e.kind == "activate" and e.side == "soviet"]


def test_the_sign_of_activation_left_on_a_spent_unit_means_nothing() -> None:
    log = untouched()
    spend(log, "g3")
    *_, (_, state) = GameLog(log.finish()).replay()
    plain, module = coh_table.binding(), coh_table.module()
    spent = [sign for sign in plain.signs if sign.prop == "Status_Level" and sign.of is None]
    # As on a counter that bears both signs.
    active = [replace(s, prop=spent[0].prop, of=None) for s in plain.signs if s.prop == ACTIVE]
    signed = replace(plain, signs=(*spent, *active))
    for overruled, shown in (({}, True), (PLUGIN.game.overruled, False)):
        reader = PieceReader(signed, module, ModuleLocator.for_game(module, state), overruled)
        seen = (reader.see(piece) for piece in state.pieces.values())
        (facts,) = [one.facts for one in seen if one is not None and one.id == "g3"]
        assert {fact.name: fact.value for fact in facts} == {"active": shown, "spent": True}


@pytest.mark.parametrize("ends", ["points", "pass"])
def test_who_is_done_may_be_turned_over_late(ends: str) -> None:
    log = table()
    log.perform(MAKE("activate", "german", unit="g5"))
    if ends == "points":
        log.show(log.position.with_track("ap-german", 7))
        for dice in ((1, 1), (1, 2), (2, 1)):
            log.announce(MAKE("fire", "german", unit="g5", cell="1-E09"))
            log.roll(6, *dice, side="german")
            pay(log, "ap-german", 2)
            log.announce(MAKE("pass", "soviet"))
        log.announce(MAKE("pivot", "german", unit="g5", facing=4))
        log.show(log.position.with_unit(replace(log.position.units["g5"], facing=4)))
        pay(log, "ap-german", 1)
        assert not log.position.track("ap-german")
    else:
        log.announce(MAKE("pass", "german"))
    log.announce(MAKE("activate", "soviet", unit="s1"))
    activate(log, "s1")
    log.drag(["s1"], ["1-D09"])
    pay(log, "ap-soviet", 1)
    assert told(coh_table.checked(log)) == []


def test_who_was_not_turned_over_acts_again_against_the_rules() -> None:
    log = table()
    log.perform(MAKE("activate", "german", unit="g5"))
    log.announce(MAKE("pass", "german"))
    log.announce(MAKE("activate", "soviet", unit="s1"))
    activate(log, "s1")
    log.drag(["s1"], ["1-D09"])
    pay(log, "ap-soviet", 1)
    log.announce(MAKE("fire", "german", unit="g5", cell="1-E09"))
    log.roll(6, 1, 2, side="german")
    pay(log, "ap-german", 2)
    log.announce(MAKE("pass", "soviet"))
    (entry,) = coh_table.checked(log).violations
    assert entry.units[0] == "g5"


def test_a_drag_of_two_hexes_of_which_one_is_paid_is_told_when_the_next_is_paid() -> None:
    log = untouched()
    activate(log, "g3")
    for cell in ("1-E11", "1-D11"):
        log.drag(["g3"], [cell])
        pay(log, "ap-german", 1)
    log.announce(MAKE("pass", "soviet"))
    (entry,) = coh_table.checked(log).violations
    assert (entry.units, entry.path) == (("g3",), ("1-E11",))
    assert "Action points of German: 5 by the rules, and shows 6" in entry.violations[0].text


@pytest.mark.parametrize("ways", [(("1-E11",), ("1-D11",)), (("1-E11", "1-D11"),)])
def test_who_pays_hex_by_hex_need_not_hand_the_marker_over_and_back(
    ways: tuple[tuple[str, ...], ...],
) -> None:
    log = untouched()
    activate(log, "g4")
    log.drag(["g4"], ["1-E12"])
    pay(log, "ap-german", 1)
    hand_over(log, "soviet")
    activate(log, "s2")
    log.drag(["s2"], ["1-D09"])
    pay(log, "ap-soviet", 1)
    hand_over(log, "german")
    for way in ways:
        log.drag(["g4"], way)
        pay(log, "ap-german", len(way))
    hand_over(log, "soviet")
    assert told(without_a_word(log)) == []


def test_close_combat_of_a_fresh_unit_is_an_opportunity_if_it_is_spent_by_it() -> None:
    log = untouched()
    activate(log, "g3")
    for cell in ("1-F11", "1-E10", "1-E09"):
        log.drag(["g3"], [cell])
        pay(log, "ap-german", 1)
    log.announce(MAKE("close_combat", "soviet", unit="s5", target="g3"))
    log.roll(6, 1, 2, side="soviet")
    spend(log, "s5")
    log.announce(MAKE("close_combat", "german", unit="g3", target="s5"))
    log.roll(6, 1, 1, side="german")
    pay(log, "ap-german", 3)
    log.announce(MAKE("pass", "soviet"))
    assert told(coh_table.checked(log)) == []


def test_who_was_replaced_as_active_unit_acts_no_more_with_its_points() -> None:
    log = untouched()
    activate(log, "g3")
    for cell in ("1-F11", "1-E10"):
        log.drag(["g3"], [cell])
        pay(log, "ap-german", 1)
    activate(log, "g2")
    log.drag(["g2"], ["1-D12"])
    pay(log, "ap-german", 1)
    log.drag(["g3"], ["1-E11"])
    pay(log, "ap-german", 1)
    log.announce(MAKE("pass", "soviet"))
    (entry,) = coh_table.checked(log).violations
    assert (entry.units, entry.violations[0].rule) == (("g3",), "COH-2.2g")


def dragged_from_under_its_marker(log: Recorder, unit: str, cell: str) -> None:
    """Drag a unit, and leave the marker of its hit behind."""
    here = log.position
    (marker,) = [one for one in here.markers.values() if one.unit == unit]
    there = here.markers.without(marker.id).set(
        marker.id, replace(marker, unit="", cell=here.units[unit].cell)
    )
    moved = replace(here.units[unit], cell=cell)
    log.show(replace(here, markers=there).with_unit(moved))


def test_a_marker_that_stays_behind_is_still_of_the_unit_that_was_dragged_on() -> None:
    log = untouched()
    activate(log, "g5")
    log.announce(MAKE("fire", "german", unit="g5", cell="1-E09"))
    log.roll(6, 6, 4, side="german")
    hit(log, "s5", "foot-pinned")
    pay(log, "ap-german", 2)
    dragged_from_under_its_marker(log, "s5", "1-E10")
    log.announce(MAKE("pass", "german"))
    (entry,) = coh_table.checked(log).violations
    assert (entry.units, entry.violations[0].rule) == (("s5",), "COH-7.5M5")


def test_each_unit_that_acts_by_command_and_is_not_paid_for_is_told() -> None:
    log = untouched()
    for unit, cell in (("g3", "1-F11"), ("s2", "1-D09"), ("g4", "1-E12"), ("s3", "1-C07")):
        log.drag([unit], [cell])
        spend(log, unit)
    for unit, cell in (("g3", "1-E10"), ("g4", "1-E11")):
        log.drag([unit], [cell])
        log.announce(MAKE("pass", "soviet"))
    wrong = coh_table.checked(log).violations
    assert [entry.units for entry in wrong] == [("g3",), ("g4",)]


def test_several_who_are_named_to_fire_are_a_leader_and_who_supports_him() -> None:
    log = untouched()
    activate(log, "g5")
    log.say("[fire] g5 g4 -> 1-E09", "german")
    log.roll(6, 1, 1, side="german")
    (fire,) = [entry for entry in by_one(log).entries if entry.kind == "fire"]
    assert fire.status.value == "legal"
    assert (fire.action["unit"], fire.action["supporters"]) == ("g5", ("g4",))
