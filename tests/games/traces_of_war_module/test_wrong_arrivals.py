"""Units that arrive where they may not: they have arrived, and the game goes on from there."""

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
TOKEN = "reinforcement"


@pytest.fixture
def arriving(module):
    """A log up to the reinforcements of the first draw."""
    return drawn(module, engine.start(PLUGIN, "race", seed=1))


def drawn(module, start):
    """A log up to the reinforcements of the next draw."""
    recorder = Recorder(module, Binding.inside(module), PLUGIN, start)
    while recorder.position.state != "draw":
        side = recorder.position.active[0]
        offers = [offer.action for offer in engine.offers(PLUGIN, recorder.position, side)]
        likely = [one for one in offers if one.kind in ("end_segment", "choose_tokens")]
        wanted = [one for one in likely if TOKEN in one.params.get("tokens", ())]
        recorder.perform((wanted or likely or offers)[0])
    cup = recorder.position.pile("cup").cards
    drawn = Dice(None, given=[], picks=[cup.index(TOKEN) + 1])
    recorder.perform(PLUGIN.game.actions.make("draw", "axis"), drawn)
    return recorder


def test_who_arrived_wrongly_is_waited_for_no_more(module, arriving):
    """Once all lie there, the next token may be drawn."""
    first, *others = arriving.position.frame("reinforcements").texts("units")
    arriving.drag([first], ["2138"])
    for unit in others:
        cells = (
            offer.action.text("cell")
            for offer in engine.offers(PLUGIN, arriving.position, "soviet", ("place",))
            if offer.action.text("unit") == unit
        )
        arriving.drag([unit], [next(cells)])
    report = check_file(arriving.finish(), module, Binding.inside(module), PLUGIN)
    assert [v.rule for entry in report.violations for v in entry.violations] == ["TOW-11.0a"]
    after = report.entries[-1].after
    assert after is not None
    assert after.state == "draw"


@pytest.mark.parametrize("order", [1, -1])
def test_a_replacement_is_laid_before_or_after_the_other_is_taken_off(module, order):
    """Each of the drags is wrong by itself, and both together are one action."""
    recorder = drawn(module, engine.start(PLUGIN, "race", seed=1).with_track("draws", 3))
    offers = engine.offers(PLUGIN, recorder.position, "soviet", ("replace",))
    action = next(offer.action for offer in offers)
    new, old = action.text("unit"), action.text("replaced")
    here = recorder.position.units[old].cell
    away = replace(recorder.position.units[old], cell="", box="removed")

    def take_off():
        recorder.show(recorder.position.with_unit(away))

    def lay():
        recorder.drag([new], [here])

    for do in (lay, take_off)[::order]:
        do()
    report = check_file(recorder.finish(), module, Binding.inside(module), PLUGIN)
    assert [entry.what for entry in report.violations] == []
    assert "replace" in [entry.kind for entry in report.entries]
