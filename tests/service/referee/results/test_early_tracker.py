"""Players who move the tracker on before they have carried a result out."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import coh_table
import kharkov_table
from game_table import table
from kharkov_table import turn_to
from muted_log import muted

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.check.findings import Certainty, CheckReport, Status
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import thaw
from hexmarshal.vassal.saves.logwriter import StepWriter

PLUGIN = kharkov_table.PLUGIN


ATTACKED = """
[soviet: end_phase]
[soviet: attack] rif-03 tnk-03 -> 0615 air=yes
[axis: air_defence] yes
[soviet: retreat] tnk-03 -> 0713
[soviet: retreat] rif-03 -> 0713
[soviet: attack] tnk-01 tnk-02 -> 0715 air=no
[axis: retreat] sec-454 -> 0716 0717
"""


def attacked() -> tuple[Recorder, Action]:
    """A log up to an attack by which a unit has to retreat, and that retreat."""
    log = kharkov_table.game(engine.start(PLUGIN, "training", seed="f"))
    *before, retreat = kharkov_table.said(ATTACKED)
    for action in before:
        log.perform(action)
    assert engine.check(PLUGIN, log.position, retreat).legal
    return log, retreat


def turn_on(log: Recorder) -> Position:
    """The tracker goes on, and nothing else does."""
    here = log.position
    log.show(replace(here, phase="axis_movement", active=("axis",), frames=(), state=""))
    log.position = here
    return here


def certain(report: CheckReport) -> list[str]:
    return [e.what for e in report.violations if e.certainty is Certainty.CERTAIN]


def test_a_retreat_after_the_tracker_went_on_is_that_retreat() -> None:
    log, retreat = attacked()
    turn_on(log)
    log.drag(retreat.texts("units"), retreat.texts("path"))
    log.drag(["pz-6-3"], ["0915"])
    report = kharkov_table.checked(log)
    assert not list(report.violations)
    kinds = [entry.kind for entry in report.entries if entry.status is Status.LEGAL]
    assert kinds[kinds.index("retreat") :][-2:] == ["end_phase", "move"]


def test_a_retreat_that_nobody_makes_is_likely_wrong_at_the_most() -> None:
    log, _ = attacked()
    turn_on(log)
    log.drag(["pz-6-3"], ["0915"])
    log.drag(["pz-126-23"], ["0916"])
    report = kharkov_table.checked(log)
    assert not certain(report)
    assert [e.kind for e in report.violations if e.certainty is Certainty.LIKELY]


@pytest.mark.parametrize("carried_out", [True, False])
def test_a_result_after_the_tracker_went_on_is_no_violation(*, carried_out: bool) -> None:
    log, after = fought()
    before = log.position
    turn_on(log)
    if carried_out:
        log.position = before
        log.show(replace(after, phase="axis_movement", active=("axis",)))
    log.drag(["pz-6-3"], ["0915"])
    log.drag(["pz-126-23"], ["0916"])
    report = kharkov_table.checked(log)
    assert not certain(report)
    assert bool(list(report.violations)) is not carried_out


@pytest.mark.parametrize("carried_out", [True, False])
def test_a_result_after_the_next_attack_was_announced_is_no_violation(*, carried_out: bool) -> None:
    log, after = fought()
    before = log.position
    log.say("[attack] tnk-02 -> 0715", side="soviet")
    log.position = before
    if carried_out:
        log.show(after)
    told = [v.text for e in kharkov_table.checked(log).violations for v in e.violations]
    assert any("not carried out" in text for text in told) is not carried_out


def fought() -> tuple[Recorder, Position]:
    """A log up to the dice of an attack that asks nobody for anything, and its result."""
    start = replace(engine.start(PLUGIN, "training"), phase="soviet_combat")
    for unit in ("grd-1", "rif-01", "rif-02", "tnk-01"):
        for target in ("0615", "0414", "0715"):
            attack = kharkov_table.MAKE("attack", "soviet", attackers=[unit], targets=[target])
            if not engine.check(PLUGIN, start, attack).legal:
                continue
            before = engine.perform(PLUGIN, start, attack).position
            defence = kharkov_table.MAKE("air_defence", "axis", use=False)
            for dice in ([1], [2], [5], [6], [1, 1], [6, 6]):
                try:
                    given = Dice(given=dice, picks=[1] if unit != "grd-1" else ())
                    after = engine.perform(PLUGIN, before, defence, given).position
                except HexMarshalError:
                    continue
                if after.state or after.units == before.units:
                    continue
                log = kharkov_table.game(start)
                for said in (attack, defence):
                    log.announce(said)
                for value in dice:
                    log.roll(6, value, side="soviet")
                log.position = before
                return log, after
    raise AssertionError("every attack asks for something")


@pytest.mark.parametrize("said", [False, True])
@pytest.mark.parametrize(
    ("shown", "likely"), [("A4 Soviet disruption", True), ("B1 Axis initial movement", False)]
)
def test_a_move_before_its_phase_is_likely_wrong(shown: str, *, likely: bool, said: bool) -> None:
    """Between the phases of both the rules have none, and yet nobody moves there."""
    start = replace(engine.start(kharkov_table.PLUGIN, "training"), phase="soviet_combat")
    log = kharkov_table.game(replace(start, active=("soviet",)))
    turn_to(log, shown)
    if said:
        log.announce(kharkov_table.MAKE("move", "axis", units=["pz-6-3"], path=["0915"]))
    log.drag(["pz-6-3"], ["0915"])
    turn_to(log, "B1 Axis initial movement")
    log.drag(["pz-126-23"], ["0916"])
    found = [(e.units, e.certainty) for e in kharkov_table.checked(log).violations]
    assert found == ([(("pz-6-3",), Certainty.LIKELY)] if likely else [])


def test_a_turn_that_is_prepared_after_the_tracker_went_on_is_prepared_rightly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The dice of the bids are still to fall: nobody is held to have gone on without them."""
    record = play_game(
        coh_table.PLUGIN, "a", scenario="first_steps", max_actions=8, check_replay=False
    ).record
    start = engine.start(coh_table.PLUGIN, "first_steps", seed=record.opening.seed)
    log = Recorder(coh_table.module(), coh_table.binding(), coh_table.PLUGIN, start)
    log.show(replace(start, phase="play", state="", frames=()))
    log.position = start
    monkeypatch.setattr(log, "_show_turn", lambda _step, _after: None)  # it is there already
    done = [coh_table.PLUGIN.game.actions.decode(thaw(event.action)) for event in record.events]
    assert [action.kind for action in done[:3]] == ["begin_turn", "bid", "bid"]
    for action in done:
        log.perform(action)
    report = coh_table.checked(log.finish())
    assert not list(report.violations)
    legal = [entry.kind for entry in report.entries if entry.status is Status.LEGAL]
    assert legal[: len(done)] == [action.kind for action in done]


def test_a_tracker_that_is_forgotten_is_told_once_and_the_turn_goes_on() -> None:
    class Forgetful(Recorder):
        def _show_turn(self, step: StepWriter, after: Position) -> None:
            if after.phase != "play":
                super()._show_turn(step, after)

    plugin = coh_table.PLUGIN
    make = plugin.game.actions.make
    start = engine.start(plugin, "first_steps", seed="a")
    log = Forgetful(coh_table.module(), coh_table.binding(), plugin, start)
    log.perform(make("begin_turn", start.active[0]))
    # Who begins they roll for on paper.
    here = log.position
    for side, rolled in (("soviet", []), ("german", [6, 6, 1, 1])):
        bid = make("bid", side, cap=0)
        here = engine.perform(plugin, here, bid, Dice(None, given=rolled)).position
    log.show(here)
    for side, unit, cell in (
        ("german", "g3", "1-F11"),
        ("soviet", "s3", "1-C07"),
    ):
        log.perform(make("activate", side, unit=unit))
        log.perform(make("move", side, unit=unit, path=[cell]))
    log.perform(make("move", "german", unit="g3", path=["1-F10"]))
    log.perform(make("pass", "soviet"))
    (entry,) = coh_table.checked(muted(log.finish())).violations
    assert (entry.units, entry.violations[0].rule) == (("g3",), "COH-2.2a")


@pytest.mark.parametrize("placed", [1, 3])
def test_who_is_left_to_be_set_up_is_named(placed: int) -> None:
    played = table("traces_of_war")
    log = played.game(played.plugin.scenarios()[0].key)
    for unit, cell in (("de-sec1", "2634"), ("de-sec2", "1338"), ("de-sec3", "0218"))[:placed]:
        log.drag([unit], [cell])
    log.show(replace(log.position, phase="opening", active=("soviet",), frames=(), state=""))
    log.say("[soviet: activate_hq] hq-sw", "soviet")
    wrong = list(played.checked(log).violations)
    assert [(entry.kind, entry.violations[0].rule) for entry in wrong] == (
        [("turn", "TOW-3.0d")] if placed == 1 else []
    )
    assert [entry.right.endswith("de-sec2, de-sec3") for entry in wrong] == [True] * len(wrong)
