"""Each thing is told under the rule that decides it, with what would have been right."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexmarshal.games.traces_of_war import TracesOfWar
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.table.binding import Binding
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.saves.savegame import SavedGame

PLUGIN = TracesOfWar()
MAKE = PLUGIN.game.actions.make


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


def opened(module, binding, **placed):
    start = engine.start(PLUGIN, "campaign", seed=1)
    for unit, cell in placed.items():
        start = start.with_unit(replace(start.units[unit.replace("_", "-")], cell=cell))
    log = Recorder(module, binding, PLUGIN, start)
    for unit, cell in (("de-sec1", "2918"), ("de-sec2", "0218"), ("de-sec3", "2305")):
        log.perform(MAKE("deploy", "axis", unit=unit, cell=cell))
    log.perform(MAKE("activate_hq", "soviet", unit="hq-vrnz"))
    return log


def first_wrong(module, binding, log):
    again = SavedGame.from_archive(Archive.from_bytes(log.finish().to_bytes()))
    return next(check_file(again, module, binding, PLUGIN).violations)


def test_who_moves_in_the_opening_breaks_its_rule(module, binding):
    log = opened(module, binding)
    log.drag(["su-18tk"], ["3036"])
    wrong = first_wrong(module, binding, log).violations[0]
    assert (wrong.rule, wrong.section) == ("TOW-12.1", "12.1")


def test_who_retreats_wrongly_is_told_what_the_other_ways_cost(module, binding):
    """Every hex to retreat to is in a zone."""
    placed = {"de_167": "2933", "su_6tk": "2934", "de_255": "3032", "su_10tk": "3133"}
    log = opened(module, binding, **placed)
    attackers = ("su-10tk", "su-23g", "su-5gtk", "su-6tk")
    log.perform(MAKE("attack", "soviet", target="3034", attackers=attackers))
    log.perform(MAKE("air_support", "axis", markers=()), Dice(None, given=[2]))
    log.drag(["de-19pz"], ["2934"])
    log.announce(MAKE("end_segment", "soviet"))
    wrong = first_wrong(module, binding, log)
    assert wrong.right == "de-19pz may go to 2933 and loses 1 step, 3033 and loses 1 step"
    assert [violation.rule for violation in wrong.violations] == ["TOW-10.4h"]


def test_a_reinforcement_that_is_dragged_onto_the_map_has_not_come_yet(module, binding):
    log = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "race", seed=2))
    while log.position.state != "movement":
        offers = engine.offers(PLUGIN, log.position, log.position.active[0])
        log.perform(next(iter(offers)).action)
    side = log.position.active[0]
    box = {"soviet": "arrivals", "axis": "reserve"}[side]
    late = next(unit.id for unit in log.position.in_box(box))
    log.drag([late], [next(unit.cell for unit in log.position.of_side(side) if unit.cell)])
    log.announce(MAKE("end_segment", side))
    wrong = first_wrong(module, binding, log)
    assert "has not come yet" in wrong.violations[0].text


def test_who_does_not_retreat_is_told_of_the_attack(module, binding):
    log = opened(module, binding)
    attackers = ("su-10tk", "su-52", "su-23g", "su-5gtk")
    log.perform(MAKE("attack", "soviet", target="3133", attackers=attackers))
    log.perform(MAKE("air_support", "axis", markers=()), Dice(None, given=[5]))
    log.announce(MAKE("attack", "soviet", target="3035", attackers=("su-22g", "su-6tk")))
    log.roll(6, 3, side="soviet")
    log.say("next", "soviet")
    wrong = first_wrong(module, binding, log)
    assert wrong.line == "attack by su-10tk, su-52, su-23g and su-5gtk on 3133"
    assert [violation.rule for violation in wrong.violations] == ["TOW-10.4a"]
