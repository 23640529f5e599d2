"""How a finding is told: for people, in the order of the log, of whom did it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

pytest.importorskip("resvg_py")

import coh_table
from coh_goes import MAKE, PLUGIN, table

from hexmarshal.referee.chat.announcements import write_call
from hexmarshal.referee.check.entry_order import in_order_of_steps
from hexmarshal.referee.check.findings import Certainty, CheckReport, Entry, Status
from hexmarshal.referee.report.html_report import render_report
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules.dice import Dice


def entry(first: int, last: int, what: str, phase: str = "play") -> Entry:
    return Entry(first, last, 1, phase, "german", "Anna", what, "fire", Status.LEGAL)


def test_what_was_told_late_stands_where_it_was_done() -> None:
    entries = [
        entry(1, 2, "prepares", "prep"),
        entry(20, 21, "goes"),
        entry(28, 28, "in silence: made ready"),
        entry(26, 28, "in silence: fires"),
        entry(16, 16, "marked"),
        entry(30, 30, "ends", "end"),
        entry(2, 2, "drawn", "prep"),
    ]
    told = [one.what for one in in_order_of_steps(entries)]
    assert told == [
        "prepares",
        "drawn",
        "marked",
        "goes",
        "in silence: made ready",
        "in silence: fires",
        "ends",
    ]


def test_the_report_shows_what_nobody_announced() -> None:
    guessed = CheckReport("a.vlog", "log", bound=True, entries=(entry(1, 1, "in silence: fires"),))
    assert guessed.entries[0].how == "in silence"
    log = table()
    log.perform(MAKE("activate", "german", unit="g4"))
    log.say("g1 shoots at s4", "german")
    log.roll(6, 1, 1, side="german")
    log.say("ok", "soviet")
    page = render_report(coh_table.checked(log), plugin=PLUGIN)
    assert '<span class="how">in words: </span><b>fire by g1 at ' in page


@pytest.mark.parametrize(
    ("certainty", "look"),
    [
        (Certainty.CERTAIN, "outcome bad"),
        (Certainty.LIKELY, "outcome doubtful"),
        (None, "outcome"),
    ],
)
def test_what_is_likely_wrong_does_not_look_clean(certainty: Certainty | None, look: str) -> None:
    one = entry(1, 1, "fires")
    if certainty is not None:
        one = replace(one, status=Status.VIOLATION, certainty=certainty)
    page = render_report(CheckReport("a.vlog", "log", bound=True, entries=(one,)), plugin=PLUGIN)
    assert f'class="{look}"' in page


def test_points_are_written_as_a_number() -> None:
    fire = MAKE("fire", "german", unit="g4", cell="1-E09", cap=1)
    assert write_call(fire, PLUGIN.game.actions) == "[fire] g4 -> 1-E09 cap=1"


def test_what_was_drawn_in_secret_is_not_told() -> None:
    log = table()
    log.perform(MAKE("activate", "german", unit="g4"))
    fire = MAKE("fire", "german", unit="g4", by="ap", cell=log.position.units["s5"].cell)
    log.perform(fire, Dice(None, given=[6, 6], picks=[8]))
    shots = [one.result for one in coh_table.checked(log).entries if one.kind == "fire"]
    assert shots == ["hit; a hit marker"]


def test_the_same_without_points_that_are_not_there_is_right() -> None:
    poor = table().position.with_track("cap-german", 0)
    log = Recorder(coh_table.module(), coh_table.binding(), PLUGIN, poor)
    log.perform(MAKE("activate", "german", unit="g4"))
    cell = log.position.units["s5"].cell
    log.announce(MAKE("fire", "german", unit="g4", by="ap", cell=cell, cap=1))
    log.roll(6, 1, 1, side="german")
    (wrong,) = [one for one in coh_table.checked(log).violations if one.kind == "fire"]
    assert wrong.right == f"fire by g4 at {cell}, paid with action points"


def test_who_does_not_see_his_target_is_told_of_those_he_knows() -> None:
    log = table()
    log.perform(MAKE("activate", "german", unit="g4"))
    log.announce(MAKE("fire", "german", unit="g4", by="ap", cell=log.position.units["s4"].cell))
    log.roll(6, 1, 1, side="german")
    (wrong,) = [one for one in coh_table.checked(log).violations if one.kind == "fire"]
    cells = wrong.right.removeprefix("fire by g4 at ").partition(", paid")[0]
    enemies = {unit.cell for unit in log.position.units.values() if unit.side == "soviet"}
    assert {*re.split(", | or ", cells)} <= enemies
