"""A module that we did not make, of another shape, for a game that we have."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("resvg_py")

import kharkov_table
import stranger_table

from hexmarshal.errors import RulesError
from hexmarshal.referee.check.findings import Certainty, CheckReport, Status
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.interpret.rules_calls import Rules
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.table.binding.coverage import coverage
from hexmarshal.table.binding.draft import draft_binding

PLUGIN = stranger_table.PLUGIN
MAKE = PLUGIN.game.actions.make


class Mute(Recorder):
    """Drags and turns counters, and says nothing."""

    def announce(self, action: Action) -> None:
        del action


def log() -> Mute:
    start = engine.start(PLUGIN, "training", seed="stranger")
    return Mute(stranger_table.module(), stranger_table.binding(), PLUGIN, start)


def told(report: CheckReport) -> list[tuple[str, Status]]:
    return [(entry.what, entry.status) for entry in report.entries]


def test_the_binding_knows_every_counter_and_what_it_leaves_out_is_told():
    found = coverage(stranger_table.module(), stranger_table.binding(), PLUGIN)
    assert found.units == len(stranger_table.AXIS) + len(stranger_table.SOVIET)
    assert found.unknown == ()


def test_phases_end_by_what_is_done_in_the_next_where_no_tracker_tells():
    played = log()
    played.perform(MAKE("move", "soviet", units=["rif-01"], path=["0213"]))
    played.perform(MAKE("end_phase", "soviet"))
    played.perform(MAKE("end_phase", "soviet"))
    played.perform(MAKE("move", "axis", units=["inf-71"], path=["0814"]))
    report = stranger_table.checked(played.finish())
    assert told(report) == [
        ("rif-01: 0313 -> 0213", Status.LEGAL),
        ("in silence: [soviet: end_phase]", Status.LEGAL),
        ("in silence: [soviet: end_phase]", Status.LEGAL),
        ("inf-71: 0914 -> 0814", Status.LEGAL),
    ]
    assert [note.note.code for note in report.notes] == ["phase"]


def test_what_breaks_the_rules_is_likely_and_never_certain_without_a_tracker():
    played = log()
    played.drag(["rif-02"], ["0406"])  # eight points, and it has six
    played.perform(MAKE("move", "soviet", units=["rif-01"], path=["0213"]))
    played.perform(MAKE("move", "soviet", units=["cav-01"], path=["0612"]))
    played.drag(["rif-01"], ["0113", "0112"])  # it has moved already
    report = stranger_table.checked(played.finish())
    wrong = [entry for entry in report.entries if entry.status is Status.VIOLATION]
    assert [(entry.units, entry.certainty) for entry in wrong] == [
        (("rif-02",), Certainty.LIKELY),
        (("rif-01",), Certainty.LIKELY),
    ]
    assert {v.rule for entry in wrong for v in entry.violations} >= {"KHA-6.11"}
    assert report.certain == 0


def attack() -> Recorder:
    """An announced attack, with dice as our own module words them, and not a word about the air."""
    start = engine.start(PLUGIN, "training", seed="stranger")
    start = replace(start, phase="soviet_combat")
    played = kharkov_table.game(start)
    played.say("[attack] grd-1 rif-03 -> 0615", "soviet")
    played.roll(6, 4, side="soviet")
    played.roll(6, 3, side="axis")
    return played


def test_a_binding_may_say_what_silence_means_at_its_table():
    saved = attack().finish()
    module, own = kharkov_table.module(), kharkov_table.binding()
    as_the_game = check_file(saved, module, own, PLUGIN)
    assert any("in silence: [axis: air_defence] no" in entry.what for entry in as_the_game.entries)
    must_be_said = replace(own, silence={"air_defence": None})
    asked = check_file(saved, module, must_be_said, PLUGIN)
    assert not any("air_defence" in entry.what for entry in asked.entries)


def test_the_silence_of_a_binding_is_checked():
    assert Rules(PLUGIN, {"air_defence": "[air_defence] yes"})
    for wrong, field in (
        ({"tea": None}, "silence.tea"),
        ({"air_defence": "yes"}, "silence.air_defence"),
        ({"air_defence": "[air_defence] 7 -> 8"}, "silence.air_defence"),
    ):
        with pytest.raises(RulesError) as caught:
            Rules(PLUGIN, wrong)
        assert caught.value.place is not None
        assert caught.value.place.field == field


def test_a_draft_tells_what_silence_means_to_the_game():
    text = draft_binding(stranger_table.module(), PLUGIN.game)
    assert "#   air_defence: [air_defence] use=False" in text
    assert "the module has no turn tracker" in text
