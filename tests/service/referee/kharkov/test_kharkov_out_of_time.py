"""Kharkov with a tracker that is late or early: what is told then, and what may come of it."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

from kharkov_table import PLUGIN, checked, game

from hexmarshal.referee.check.findings import Certainty, CheckReport, Entry
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap

# An attack on this division of the south wakes all of it (KHA-6.52).
_SOUTH, _NEXT_TO_IT = "mtn-1", ("rif-31", "tnk-15")


def _start(**changes: object) -> Position:
    return replace(engine.start(PLUGIN, "campaign"), turn=2, **changes)  # type: ignore[arg-type]


def _attacked_early(said: str = "", *, turned_up: bool = False, hurt: bool = True) -> Recorder:
    """An attack in the movement phase; then a division of the south moves."""
    log = game(_start(phase="soviet_movement"))
    if said:
        log.say(said, side="soviet")
    for unit, ladder in zip(_NEXT_TO_IT, ("2-3-6", "5-5-11"), strict=True):
        if turned_up:
            known = log.position.units[unit]
            shown = FrozenMap({**known.values, "ladder": (ladder,)})
            log.show(log.position.with_unit(replace(known, values=shown)))
    log.roll(6, 5, side="soviet")
    log.roll(6, 3, side="soviet")
    if hurt:
        beaten = log.position.units[_SOUTH]
        log.show(log.position.with_unit(replace(beaten, steps=beaten.steps - 1)))
    log.show(replace(log.position, phase="soviet_combat"))
    log.show(replace(log.position, phase="axis_movement", active=("axis",)))
    log.drag(["inf-111"], ["3605"])
    return log


def _about(report: CheckReport, unit: str) -> list[Entry]:
    return [entry for entry in report.violations if unit in entry.units]


@pytest.mark.parametrize("hurt", [True, False])
def test_dice_that_nobody_explains_leave_the_whole_turn_in_doubt(hurt: bool) -> None:
    (moved,) = _about(checked(_attacked_early(hurt=hurt)), "inf-111")
    assert [v.rule for v in moved.violations] == ["KHA-6.51"]
    assert moved.certainty is Certainty.LIKELY


def test_what_was_refused_in_an_earlier_phase_of_the_turn_may_have_counted() -> None:
    """Nobody rolls for the attack: it may have been fought out on paper."""
    log = game(_start(phase="soviet_movement"))
    log.say("[soviet: attack] rif-31 tnk-15 -> 3110", side="soviet")
    log.drag(["rif-12"], ["2010"])
    log.show(replace(log.position, phase="soviet_combat"))
    log.show(replace(log.position, phase="axis_movement", active=("axis",)))
    log.drag(["inf-111"], ["3605"])
    (moved,) = _about(checked(log), "inf-111")
    assert moved.certainty is Certainty.LIKELY


def test_who_was_turned_up_before_dice_in_the_wrong_phase_has_attacked_then() -> None:
    report = checked(_attacked_early(turned_up=True))
    (attack,) = report.violations
    assert {*_NEXT_TO_IT} <= {*attack.units}
    assert attack.phase == "soviet_movement"
    assert {"KHA-4.1", "KHA-9.11"} <= {v.rule for v in attack.violations}
    assert attack.certainty is Certainty.LIKELY


def test_what_is_wrong_with_a_reinforcement_besides_its_time_is_told() -> None:
    log = game(_start(phase="reserve_commitment"))
    log.drag(["tnk-28"], ["0701"])
    log.show(replace(log.position, phase="soviet_movement"))
    (early,) = _about(checked(log), "tnk-28")
    assert [v.rule for v in early.violations] == ["KHA-4.1", "KHA-16.0"]


def test_whoever_is_brought_onto_the_map_wrongly_counts_against_the_limit() -> None:
    log = game(_start(phase="reserve_commitment"))
    for unit, cell in (("cav-01", "0410"), ("cav-02", "0408"), ("tnk-03", "0404")):
        log.drag([unit], [cell])
    log.drag(["rif-07"], ["0408"])
    told = [(e.units[0], [v.rule for v in e.violations]) for e in checked(log).violations]
    assert told == [("tnk-03", ["KHA-6.73"]), ("rif-07", ["KHA-6.74"])]


def test_a_reserve_that_moves_onto_the_map_is_told_to_wait_for_its_commitment() -> None:
    log = game(replace(_start(phase="soviet_movement"), turn=1))
    log.drag(["cav-01"], ["0409"])
    log.drag(["rif-12"], ["2010"])
    (entry,) = _about(checked(log), "cav-01")
    assert {v.rule for v in entry.violations} == {"KHA-4.2.A1"}
