"""Players who announce everything, and once forget to: no rule is broken by that alone."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import coh_table
import kharkov_table

from hexmarshal.referee.case import habits
from hexmarshal.referee.check.findings import Certainty, CheckReport, Status
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action


class Forgetful(Recorder):
    """Announces everything, but what is done while `silent`."""

    silent = False

    def announce(self, action: Action) -> None:
        if not self.silent:
            super().announce(action)


def heroes(rounds: int) -> Forgetful:
    """A game in which the sides have announced so many activations, and what came of them."""
    plugin = coh_table.PLUGIN
    log = Forgetful(
        coh_table.module(),
        coh_table.binding(),
        plugin,
        engine.start(plugin, "first_steps", seed="a"),
    )
    make = plugin.game.actions.make
    while log.position.phase != "play":
        side = log.position.active[0]
        kinds = ("begin_turn", "bid")
        offers = engine.offers(plugin, log.position, side, kinds)
        log.perform(next(iter(offers)).action)
    for _ in range(rounds):
        side = log.position.active[0]
        offer = next(iter(engine.offers(plugin, log.position, side, ("activate",))))
        log.perform(offer.action)
        log.perform(make("finish", side))
    return log


def moved(log: Forgetful) -> tuple[Action, Action]:
    """An activation, and a move of that unit."""
    plugin, side = coh_table.PLUGIN, log.position.active[0]
    for offer in engine.offers(plugin, log.position, side, ("activate",)):
        ready = engine.perform(plugin, log.position, offer.action).position
        moves = engine.offers(plugin, ready, side, ("move",))
        move = next((m.action for m in moves if m.action.params.get("by") in (None, "ap")), None)
        if move is not None:
            return offer.action, move
    raise AssertionError("nobody may move")


def wrong(report: CheckReport) -> list[str]:
    return [f"{entry.what}: {entry.violations[0].text}" for entry in report.violations]


def test_a_move_that_was_paid_and_marked_but_not_announced_is_right() -> None:
    log = heroes(3)
    activate, move = moved(log)
    log.silent = True
    log.perform(activate)
    log.perform(move)
    log.silent = False
    log.perform(coh_table.PLUGIN.game.actions.make("pass", log.position.active[0]))
    report = coh_table.checked(log.finish())
    assert wrong(report) == []
    assert [entry.kind for entry in report.entries][-3:] == ["activate", "move", "pass"]


def test_a_drag_that_was_neither_announced_nor_paid_is_likely_wrong() -> None:
    log = heroes(3)
    activate, move = moved(log)
    ready = engine.perform(coh_table.PLUGIN, log.position, activate).position
    after = engine.perform(coh_table.PLUGIN, ready, move).position
    unit = str(move.params["unit"])
    here = log.position.units[unit]
    log.show(log.position.with_unit(replace(here, cell=after.units[unit].cell)))
    log.perform(coh_table.PLUGIN.game.actions.make("pass", log.position.active[0]))
    report = coh_table.checked(log.finish())
    (entry,) = report.violations
    assert entry.units == (unit,)
    assert entry.certainty is Certainty.LIKELY


FOUGHT = """
[soviet: end_phase]
[soviet: attack] rif-03 tnk-03 -> 0615 air=yes
[axis: air_defence] yes
[soviet: retreat] tnk-03 -> 0713
[soviet: retreat] rif-03 -> 0713
"""


def test_an_attack_that_shows_by_its_dice_is_right_although_all_others_were_announced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Who has announced two things here announces all of them.
    monkeypatch.setattr(habits, "_SEVERAL", 1)
    monkeypatch.setattr(habits, "_OFTEN", 2)
    plugin = kharkov_table.PLUGIN
    log = Forgetful(
        kharkov_table.module(),
        kharkov_table.binding(),
        plugin,
        engine.start(plugin, "training", seed="f"),
    )
    for action in kharkov_table.said(FOUGHT):
        log.perform(action)
    attack, retreat = kharkov_table.said(
        "[soviet: attack] tnk-01 tnk-02 -> 0715 air=no\n[axis: retreat] sec-454 -> 0716 0717"
    )
    log.silent = True
    log.perform(attack)
    log.perform(retreat)
    report = kharkov_table.checked(log.finish())
    assert wrong(report) == []
    assert [e.status for e in report.entries if e.kind == "attack"] == [Status.LEGAL] * 2
