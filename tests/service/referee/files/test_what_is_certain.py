"""Nothing is certain that would be right if something in doubt were otherwise."""

from __future__ import annotations

import pytest
from test_checking import FIELD, MAKE, checked, game, position, unit

from hexmarshal.referee.check.findings import Certainty, CheckReport, Status

pytest.importorskip("resvg_py")

import kharkov_table
from game_table import table

CERTAIN, LIKELY, CANNOT_TELL = Certainty.CERTAIN, Certainty.LIKELY, Certainty.CANNOT_TELL


def sure(report: CheckReport) -> list[tuple[str, Certainty]]:
    """Who broke a rule, and how sure that is."""
    told = [entry for entry in report.entries if entry.status is not Status.LEGAL]
    return [(entry.units[0], entry.certainty) for entry in told]


def test_an_enemy_who_may_not_be_there_stops_nobody() -> None:
    log = game(position(unit("b1", "B2"), unit("r1", "G2"), unit("b2", "A5")))
    log.drag(["r1"], ["D2"])  # out of turn
    log.drag(["b1"], ["C2", "C3"])
    report = checked(log)
    assert sure(report) == [("r1", CERTAIN), ("b1", CANNOT_TELL)]
    assert report.entries[-1].result == "what was told of step 1 stands in its way"


def test_an_enemy_who_was_removed_by_mistake_stops_nobody_for_certain() -> None:
    """What table and rules have otherwise may be as the table has it."""
    field = (unit("b1", "B2"), unit("r1", "D2"), unit("r2", "G5"), unit("b2", "A5"))
    log = game(position(*field))
    log.show(log.position.without_unit("r1"))
    log.drag(["b1"], ["C2", "C3"])
    assert ("b1", CERTAIN) not in sure(checked(log))


def test_an_enemy_who_is_there_by_right_does() -> None:
    log = game(position(*FIELD))
    log.drag(["r2"], ["G4"])
    log.drag(["b1"], ["C2", "C3"])
    assert sure(checked(log)) == [("r2", CERTAIN), ("b1", CERTAIN)]


def test_a_cell_that_is_full_only_by_a_violation_may_be_free() -> None:
    log = game(position(unit("b1", "E5"), unit("b2", "A5"), unit("r1", "G2")))
    log.drag(["b1"], ["A3"])
    log.drag(["b2"], ["A4", "A3"])
    assert sure(checked(log)) == [("b1", CERTAIN), ("b2", CANNOT_TELL)]


def test_who_went_too_far_may_be_put_where_he_could_go() -> None:
    log = game(position(*FIELD))
    log.drag(["b2"], ["A4", "A3", "A2", "A1"])
    log.say("no, that was too far", "blue")
    log.drag(["b1"], ["B3"])
    log.drag(["b2"], ["A4"])
    assert ("b2", CERTAIN) not in sure(checked(log))[1:]


def test_a_move_right_before_the_tracker_comes_to_its_phase_is_likely_wrong_at_most() -> None:
    log = game(position(*FIELD))
    log.drag(["r2"], ["G4"])
    log.perform(MAKE("end_phase", "blue"))
    log.perform(MAKE("end_phase", "blue"))
    assert sure(checked(log)) == [("r2", LIKELY)]


def test_a_move_right_before_the_tracker_comes_to_another_phase_is_wrong_for_certain() -> None:
    log = game(position(*FIELD))
    log.drag(["r2"], ["G4"])
    log.perform(MAKE("end_phase", "blue"))
    assert sure(checked(log)) == [("r2", CERTAIN)]


def test_a_reinforcement_dragged_straight_to_an_inner_hex_is_likely_wrong_at_most() -> None:
    """It may have come in at the edge, and gone on."""
    log = kharkov_table.game("training")
    while (log.position.turn, log.position.phase) != (2, "soviet_movement"):
        log.perform(kharkov_table.MAKE("end_phase", log.position.active[0]))
    log.drag(["tnk-04"], ["0402"])
    assert ("tnk-04", CERTAIN) not in sure(kharkov_table.checked(log))


def test_who_says_that_all_tokens_lie_there_may_lay_the_last_one_then() -> None:
    played = table("heroes_of_stalingrad")
    log = played.game(played.plugin.scenarios()[0].key)
    assert log.position.phase == "order"
    log.announce(played.plugin.game.actions.make("end_orders", log.position.active[0]))
    (wrong,) = played.checked(log).violations
    assert (wrong.kind, wrong.certainty) == ("end_orders", LIKELY)
