"""What was said in plain words, and who did it could not do at all; and what was said and done."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

import coh_table
from coh_goes import MAKE, PLUGIN, hand_over, spend, table

from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice

# Draws of the hit pool by which a unit is panicked, and pinned.
PANICKED, PINNED = 6, 8


def hit(drawn: int) -> Recorder:
    """g4 has hit s5, and a marker was drawn; the Soviets are to act."""
    log = table()
    log.perform(MAKE("activate", "german", unit="g4"))
    fire = MAKE("fire", "german", unit="g4", by="ap", cell=log.position.units["s5"].cell)
    log.perform(fire, Dice(None, given=[6, 6], picks=[drawn]))
    assert log.position.active == ("soviet",)
    return log


def told(report: CheckReport, kind: str) -> list[set[str]]:
    done = [entry for entry in report.entries if entry.kind == kind and entry.side == "soviet"]
    return [{violation.rule for violation in entry.violations} for entry in done]


def test_who_may_not_fire_for_a_hit_is_told_of_it() -> None:
    log = hit(PANICKED)
    log.say("s5 shoots back at g4", "soviet")
    log.roll(6, 5, 6, side="soviet")
    log.say("ok", "german")
    report = coh_table.checked(log)
    assert told(report, "fire") == [{"COH-7.5M4"}]
    assert report.certain == 0
    assert all(entry.kind != "roll" for entry in report.entries)


def test_who_may_not_fire_from_aboard_is_told_of_it() -> None:
    start = engine.start(PLUGIN, "the_crossing", seed="a")
    log = Recorder(coh_table.module(), coh_table.binding(), PLUGIN, start)
    log.perform(MAKE("begin_turn", start.active[0]))
    while log.position.state == "plot":
        log.perform(MAKE("plot", log.position.active[0]))
    for side, dice in (("german", ()), ("soviet", (6, 6, 1, 1))):
        log.perform(MAKE("bid", side, cap=0), Dice(None, given=list(dice)))
    here = log.position
    aboard = next(unit for unit in here.units.values() if unit.side == "german" and unit.carrier)
    assert not aboard.cell
    log.say(f"{aboard.id} fires at J10, opportunity", "german")
    log.roll(6, 2, 2, side="german")
    log.say("ok", "soviet")
    wrong = [entry for entry in coh_table.checked(log).violations if aboard.id in entry.units]
    assert [{v.rule for v in entry.violations} for entry in wrong] == [{"COH-17.0e"}]


@pytest.mark.parametrize("line", ["s5 tries to rally", "s5 rallies"])
def test_who_fails_to_rally_and_takes_the_marker_off_has_not_fired(line: str) -> None:
    log = hit(PINNED)
    log.say(line, "soviet")
    log.roll(6, 2, 3, side="soviet")
    rally = MAKE("rally", "soviet", by="opportunity", units=["s5"])
    rallied = PLUGIN.apply(log.position, rally, Dice(None, given=[6, 6])).position
    log.show(rallied.with_unit(log.position.units["s5"]))
    spend(log, "s5")
    hand_over(log, "german")
    report = coh_table.checked(log)
    assert told(report, "fire") == []
    assert told(report, "rally") == [{"COH-7.6b"}]
