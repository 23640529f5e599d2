"""Goes of players who never put a sign on who is active: the points on the track tell."""

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
    kinds,
    pay,
    spend,
    table,
    untouched,
    without_a_word,
)

from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.interpret.table_watch import Watch
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.table.binding.facts import Fact
from hexmarshal.table.reading import TableReader
from hexmarshal.table.reading.sightings import UnitSighting, Where
from hexmarshal.vassal.saves.log import GameLog

ACTIVE = Unit("g3", "rifles", "german", flags=frozenset({"active"}))


def begin(log: Recorder, side: str, left: int) -> None:
    """Set the points of an activation that nobody marks to what is left of them."""
    log.show(log.position.with_track(f"ap-{side}", left))


def watched(log: Recorder) -> dict[str, UnitSighting]:
    """What the units show when the log ends, to who has watched it from its beginning."""
    game = GameLog(log.finish())
    state = game.start()
    table = TableReader(coh_table.module(), coh_table.binding(), PLUGIN, state)
    watch = Watch(table, state, lambda _, __: None)
    for step, now in game.replay():
        watch.step(step, now)
    return watch.units()


def activated(report: CheckReport) -> list[str]:
    return [entry.units[0] for entry in report.entries if entry.kind == "activate"]


def test_points_left_on_the_track_are_an_activation_whether_or_not_a_sign_lies_there() -> None:
    log = untouched()
    log.drag(["g3"], ["1-F11"])
    begin(log, "german", 6)
    hand_over(log, "soviet")
    log.drag(["s2"], ["1-D09"])
    begin(log, "soviet", 6)
    hand_over(log, "german")
    log.drag(["g3"], ["1-E10"])
    pay(log, "ap-german", 1)
    hand_over(log, "soviet")
    log.drag(["s2"], ["1-D10"])
    pay(log, "ap-soviet", 1)
    hand_over(log, "german")
    report = without_a_word(log)
    assert list(report.violations) == []
    assert activated(report) == ["g3", "s2"]


def test_a_drag_of_who_keeps_no_track_yet_is_an_activation_rather_than_an_opportunity() -> None:
    log = untouched()
    log.drag(["g3"], ["1-F11"])
    hand_over(log, "soviet")
    log.roll(6, 2, 3, side="german")
    begin(log, "soviet", 3)
    hand_over(log, "german")
    log.drag(["g3"], ["1-E10"])
    begin(log, "german", 5)
    hand_over(log, "soviet")
    report = by_one(log)
    assert list(report.violations) == []
    assert activated(report)[0] == "g3"
    assert [entry.action["by"] for entry in report.entries if entry.kind == "fire"] == ["ap"]


def test_points_of_an_active_unit_that_is_destroyed_nobody_has_to_take_off_the_track() -> None:
    log = table()
    log.perform(MAKE("activate", "german", unit="g5"))
    shot = MAKE("fire", "german", unit="g5", cell="1-E09")
    log.perform(shot, Dice(None, given=[6, 6], picks=[3]))
    log.perform(MAKE("activate", "soviet", unit="s5"))
    log.perform(MAKE("fire", "soviet", unit="s5", cell="1-E12"), Dice(None, given=[1, 1]))
    left = log.position.track("ap-soviet")
    assert left
    log.announce(shot)
    log.roll(6, 6, 6, side="german")
    after = engine.perform(PLUGIN, log.position, shot, Dice(None, given=[6, 6])).position
    assert not after.units["s5"].cell
    assert not after.track("ap-soviet")
    log.show(after.with_track("ap-soviet", left))
    for side in ("soviet", "german"):
        log.announce(MAKE("pass", side))
    report = coh_table.checked(log.finish())
    assert list(report.violations) == []


def test_who_joined_an_activation_goes_on_in_it_after_a_shot_of_which_others_spoke() -> None:
    log = untouched()
    activate(log, "g2")
    group = MAKE("fire", "german", unit="g2", cell="1-E09", supporters=["g4"])
    log.announce(group)
    log.roll(6, 1, 1, side="german")
    after = engine.perform(PLUGIN, log.position, group, Dice(None, given=[1, 1])).position
    begin(log, "german", after.track("ap-german"))
    hand_over(log, "soviet")
    s2 = log.position.units["s2"]
    log.show(log.position.with_unit(replace(s2, facing=3)))
    log.say("s5 fires at g5", "soviet")
    log.roll(6, 1, 1, side="soviet")
    spend(log, "s2")
    hand_over(log, "german")
    log.drag(["g4"], ["1-E12"])
    pay(log, "ap-german", 1)
    spend(log, "s5")
    report = coh_table.checked(log.finish())
    assert list(report.violations) == []
    assert ("german", "move") in kinds(report)


def test_a_side_that_has_laid_the_sign_shows_by_it_who_is_active() -> None:
    log = untouched()
    activate(log, "g3")
    for unit, cell in (("g4", "1-E12"), ("s2", "1-D09")):
        log.drag([unit], [cell])
    seen = watched(log)
    assert seen["g3"].bears("active")
    for unit, laid in (("g4", True), ("s2", False)):
        active = replace(log.position.units[unit], flags=frozenset({"active"}))
        assert any(shown.name == "active" for _, shown in seen[unit].against(active)) == laid


def test_who_fires_was_activated_himself_though_the_track_was_moved_first() -> None:
    log = table(begins="soviet", rolled=(1, 1, 6, 6))
    begin(log, "soviet", 7)
    log.say("s5 shoots at g5", "soviet")
    log.roll(6, 1, 1, side="soviet")
    begin(log, "soviet", 3)
    hand_over(log, "german")
    report = coh_table.checked(log.finish())
    assert list(report.violations) == []
    assert activated(report) == ["s5"]


def test_of_those_who_move_together_one_bears_the_sign() -> None:
    log = untouched()
    activate(log, "g3")
    log.drag(["g3"], ["1-F11"])
    pay(log, "ap-german", 1)
    hand_over(log, "soviet")
    hand_over(log, "german")
    for unit in ("g1", "g2"):
        log.drag([unit], ["1-D12"])
    pay(log, "ap-german", 1)
    hand_over(log, "soviet")
    report = without_a_word(log)
    assert list(report.violations) == []
    assert ("german", "group_move") in kinds(report)


def shows(active: bool, *, spent: bool = False) -> UnitSighting:
    facts = (Fact("flag", "active", active), Fact("flag", "spent", spent))
    return UnitSighting("g3", "rifles", "german", Where("", ""), facts, "piece")


def tells(steps: list[UnitSighting]) -> bool:
    """Whether the last of these sightings tells that the unit is not active."""
    seen = None
    for step in steps:
        seen = step.since(seen, {"active": "spent"})
    assert seen is not None
    return any(shown.name == "active" for _, shown in seen.against(ACTIVE))


def test_a_sign_tells_that_it_is_missing_only_where_it_lay_or_where_another_ends_it() -> None:
    bare, signed, over = shows(active=False), shows(active=True), shows(active=False, spent=True)
    assert not tells([bare, bare])
    assert tells([bare, signed, bare])
    assert tells([bare, signed, bare, bare])
    assert tells([bare, over])
    assert not tells([signed, over, bare])
