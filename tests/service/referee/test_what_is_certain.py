"""Nothing is certain that would be right if something in doubt were otherwise."""

from __future__ import annotations

import pytest
from test_checking import FIELD, checked, game, position, unit

from hexmarshal.referee.check.findings import Certainty, CheckReport

pytest.importorskip("resvg_py")

import kharkov_table

CERTAIN, LIKELY = Certainty.CERTAIN, Certainty.LIKELY


def sure(report: CheckReport) -> list[tuple[str, Certainty]]:
    """Who broke a rule, and how sure that is."""
    return [(entry.units[0], entry.certainty) for entry in report.violations]


def test_an_enemy_who_may_not_be_there_stops_nobody_for_certain() -> None:
    log = game(position(unit("b1", "B2"), unit("r1", "G2"), unit("b2", "A5")))
    log.drag(["r1"], ["D2"])  # out of turn
    log.drag(["b1"], ["C2", "C3"])
    assert sure(checked(log)) == [("r1", CERTAIN), ("b1", LIKELY)]


def test_an_enemy_who_is_there_by_right_does() -> None:
    log = game(position(*FIELD))
    log.drag(["r2"], ["G4"])
    log.drag(["b1"], ["C2", "C3"])
    assert sure(checked(log)) == [("r2", CERTAIN), ("b1", CERTAIN)]


def test_a_cell_that_is_full_only_by_a_violation_may_be_free() -> None:
    log = game(position(unit("b1", "E5"), unit("b2", "A5"), unit("r1", "G2")))
    log.drag(["b1"], ["A3"])
    log.drag(["b2"], ["A4", "A3"])
    assert sure(checked(log)) == [("b1", CERTAIN), ("b2", LIKELY)]


def test_who_went_too_far_may_be_put_where_he_could_go() -> None:
    log = game(position(*FIELD))
    log.drag(["b2"], ["A4", "A3", "A2", "A1"])
    log.say("no, that was too far", "blue")
    log.drag(["b1"], ["B3"])
    log.drag(["b2"], ["A4"])
    assert ("b2", CERTAIN) not in sure(checked(log))[1:]


def test_a_reinforcement_dragged_straight_to_an_inner_hex_is_likely_wrong_at_most() -> None:
    """It may have come in at the edge, and gone on."""
    log = kharkov_table.game("training")
    while (log.position.turn, log.position.phase) != (2, "soviet_movement"):
        log.perform(kharkov_table.MAKE("end_phase", log.position.active[0]))
    log.drag(["tnk-04"], ["0402"])
    assert ("tnk-04", CERTAIN) not in sure(kharkov_table.checked(log))
