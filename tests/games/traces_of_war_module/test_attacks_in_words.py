"""Attacks that players tell in plain words: who may not make one is told by the rule for it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_silent_attacks import SECURITY, action, checked, hurt

from hexmarshal.games.traces_of_war import TracesOfWar
from hexmarshal.referee.check.findings import Certainty
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.table.binding import Binding

PLUGIN = TracesOfWar()


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


@pytest.fixture
def opening(module, binding):
    """A log up to the Soviet opening, in which one headquarters and its units may attack."""
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "campaign", seed=1))
    for unit, cell in SECURITY:
        recorder.perform(action("deploy", "axis", unit=unit, cell=cell))
    return recorder


def told_wrong(module, binding, recorder):
    recorder.show(replace(recorder.position, phase="selection", state="", frames=()))
    report = checked(module, binding, recorder)
    assert all(entry.certainty is Certainty.LIKELY for entry in report.violations)
    return [(e.what.removeprefix("in words: "), e.violations[0].rule) for e in report.violations]


@pytest.mark.parametrize("before", [True, False])
def test_an_opening_attack_from_afar_is_told(module, binding, opening, before):
    """Those who attack tell whose headquarters was activated: that nobody said is no fault."""
    lines = ["10Tk attacks 2835"] if before else ["10th tank attacked the 106th"]
    for line in (*lines, None) if before else (None, *lines):
        if line is None:
            opening.roll(6, 5, side="soviet")
        else:
            opening.say(line, "soviet")
    wrong = told_wrong(module, binding, opening)
    assert wrong == [("[soviet: attack] 2835 -> su-10tk", "TOW-10.0a")]


def test_what_comes_of_it_is_a_part_of_it(module, binding, opening):
    opening.say("10Tk attacks de-106", "soviet")
    opening.roll(6, 5, side="soviet")
    hurt(opening, "de-106")
    wrong = told_wrong(module, binding, opening)
    assert wrong == [("[soviet: attack] 2835 -> su-10tk", "TOW-10.0a")]


def test_an_attack_of_which_the_rules_know_no_result_is_told(module, binding, opening):
    opening.say("23Tk attacks 2136", "soviet")
    opening.roll(6, 5, side="soviet")
    wrong = told_wrong(module, binding, opening)
    assert wrong == [("[soviet: attack] 2136 -> su-23tk", "TOW-10.0a")]


def test_who_names_only_some_of_the_attackers_is_not_blamed(module, binding, opening):
    """Alone they are too weak, but others may have joined them."""
    opening.say("24G attacks 2735", "soviet")
    opening.roll(6, 5, side="soviet")
    assert told_wrong(module, binding, opening) == []


@pytest.mark.parametrize(("die", "rule"), [(3, "TOW-10.4a"), (5, "TOW-10.3a")])
def test_who_goes_on_without_a_result_has_left_that_out(module, binding, opening, die, rule):
    """What he says was asked, and only the result before it was still to be carried out."""
    opening.say("[soviet: activate_hq] hq-vrnz", "soviet")
    opening.say("[soviet: attack] 3133 -> su-10tk su-52 su-23g su-5gtk", "soviet")
    opening.roll(6, die, side="soviet")
    opening.say("[soviet: end_segment]", "soviet")
    opening.say("your go", "soviet")
    report = checked(module, binding, opening)
    assert [e.violations[0].rule for e in report.violations] == [rule]
    assert [e.status.value for e in report.entries if e.kind == "end_segment"] == ["legal"]
