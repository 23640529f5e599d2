"""Orders written in secret, in logs: nobody reads them before their time, and the referee does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from coh_table import PLUGIN, again, binding, checked, module
from test_coh_logs import busy

from hexmarshal.errors import RulesError
from hexmarshal.referee.chat.envelopes import Envelopes, opening, sealed
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules.action import Action
from hexmarshal.rules.frames.effects import PushFrame
from hexmarshal.rules.frames.frame import Decider, Frame
from hexmarshal.rules.state.pieces import Pile
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap
from hexmarshal.vassal.saves.log import GameLog

PLOT = Action("plot", "german", FrozenMap({"card": "oba_german", "cell": "1-J10"}))


def plotting() -> Position:
    """The Germans are asked what their battery fires at."""
    battery = Pile("artillery-german", ("oba_german",), "german", frozenset({"german"}))
    start = replace(busy(), phase="prep", state="start", active=("german",), frames=())
    start = start.with_pile(battery)
    return PushFrame(Frame("plot", (Decider("german"),))).on(start)


def chat(log: Recorder) -> list[list[str]]:
    """What is said, step by step."""
    return [[line.text for line in step.chat] for step in GameLog(again(log.finish())).steps()]


def test_a_plot_is_not_told_before_the_end() -> None:
    log = Recorder(module(), binding(), PLUGIN, plotting())
    log.perform(PLOT)
    log.announce(Action("pass", "soviet"))
    said = chat(log)
    *before, last = said
    assert not any("J10" in line for step in before for line in step)
    assert [line for step in before for line in step if line.startswith("[sealed] ")]
    assert any("J10" in line for line in last)


def test_the_referee_reads_what_the_end_opens() -> None:
    log = Recorder(module(), binding(), PLUGIN, plotting())
    log.perform(PLOT)
    report = checked(log.finish())
    plots = [entry for entry in report.entries if entry.action.get("kind") == "plot"]
    assert [entry.status for entry in plots] == [Status.LEGAL]
    assert not list(report.violations)


def test_an_envelope_that_is_not_opened_is_told() -> None:
    log = Recorder(module(), binding(), PLUGIN, plotting())
    log.perform(PLOT)
    report = checked(log.log.finish())
    (entry,) = [e for e in report.entries if "[sealed]" in e.what]
    assert entry.status is Status.UNKNOWN
    assert "does not open it" in str(entry)


def test_an_order_cannot_be_changed_afterwards() -> None:
    log = Recorder(module(), binding(), PLUGIN, plotting())
    log.say(sealed("[pass]", "00ff"), "german")
    log.say(opening("[hide] p1", "00ff"), "german")
    log.say("[opened] nonsense", "german")
    envelopes = Envelopes(again(log.finish()))
    assert envelopes.read("good morning") == "good morning"
    with pytest.raises(RulesError, match="does not open it"):
        envelopes.read(sealed("[pass]", "00ff"))
    assert envelopes.read(sealed("[hide] p1", "00ff")) == "[hide] p1"
