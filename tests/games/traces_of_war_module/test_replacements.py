"""Units that take the place of others: two drags in any order are one replacement."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexmarshal.games.traces_of_war import TracesOfWar
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.table.binding import Binding

PLUGIN = TracesOfWar()


@pytest.fixture
def arriving(module):
    """A log up to the fourth draw of reinforcements, which brings replacements."""
    start = engine.start(PLUGIN, "race", seed=1)
    start = replace(start, tracks=start.tracks.set("draws", 3))
    recorder = Recorder(module, Binding.inside(module), PLUGIN, start)
    while recorder.position.state != "draw":
        side = recorder.position.active[0]
        offers = [offer.action for offer in engine.offers(PLUGIN, recorder.position, side)]
        likely = [one for one in offers if one.kind in ("end_segment", "choose_tokens")]
        wanted = [one for one in likely if "reinforcement" in one.params.get("tokens", ())]
        recorder.perform((wanted or likely or offers)[0])
    cup = recorder.position.pile("cup").cards
    drawn = Dice(None, given=[], picks=[cup.index("reinforcement") + 1])
    recorder.perform(PLUGIN.game.actions.make("draw", "axis"), drawn)
    return recorder


def told(module, recorder):
    report = check_file(recorder.finish(), module, Binding.inside(module), PLUGIN)
    return [(one.rule, one.text) for entry in report.violations for one in entry.violations]


def take_off(recorder, unit):
    known = recorder.position.units[unit]
    recorder.show(recorder.position.with_unit(replace(known, cell="", box="removed")))


@pytest.mark.parametrize("first", ["old", "new"])
def test_a_unit_may_be_laid_before_or_after_the_old_one_is_taken_off(module, arriving, first):
    cell = arriving.position.units["su-18tk"].cell
    if first == "old":
        take_off(arriving, "su-18tk")
    arriving.drag(["su-r4"], [cell])
    if first == "new":
        take_off(arriving, "su-18tk")
    assert told(module, arriving) == []


@pytest.mark.parametrize("first", ["old", "new"])
def test_who_is_no_replacement_is_told_once(module, arriving, first):
    cell = arriving.position.units["su-18tk"].cell
    if first == "old":
        take_off(arriving, "su-18tk")
    arriving.drag(["su-r1"], [cell])
    if first == "new":
        take_off(arriving, "su-18tk")
    text = "su-r1 is no replacement: it arrives on a railway"
    assert told(module, arriving) == [("TOW-11.1b", text)]
