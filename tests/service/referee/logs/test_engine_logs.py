"""Logs that people played in VASSAL itself: the violations that are there, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexmarshal.referee.check.check_inputs import check_path
from hexmarshal.referee.check.findings import Certainty, CheckReport, Status
from hexmarshal.rules.plugins import registry
from hexmarshal.table.module_finder import Means

# For each log the steps at which a rule is certainly broken, and those where it likely is.
EXPECTED = {
    "k1": ({4, 8}, set()),
    "k4": (set(), set()),
    "k7": ({4}, set()),
    "k9": ({2, 6, 7, 8}, set()),
    "c1": ({11}, set()),
    "c3": ({18}, set()),
    "c5": (set(), {22}),
}


def checked(corpus: Path, name: str) -> CheckReport:
    folder = corpus / "engine-logs"
    if not folder.is_dir():
        pytest.skip("the corpus has no logs of the engine")
    return check_path(folder / f"{name}.vlog", Means(), registry.default())


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_wrong_is_found_and_nothing_else(corpus: Path, name: str) -> None:
    found: dict[Certainty, set[int]] = {Certainty.CERTAIN: set(), Certainty.LIKELY: set()}
    report = checked(corpus, name)
    for entry in report.violations:
        found[entry.certainty].add(entry.first)
    assert (found[Certainty.CERTAIN], found[Certainty.LIKELY]) == EXPECTED[name]
    # One person sat at this table, and everything was done by a person.
    assert {entry.player for entry in report.entries} == {report.players[0][0]}


def test_moves_out_of_phase_and_turn_are_told_so(corpus: Path) -> None:
    found = [(e.first, [v.text for v in e.violations]) for e in checked(corpus, "k9").violations]
    assert found[:2] == [(step, ["no movement in a combat phase"]) for step in (2, 6)]
    assert [step for step, texts in found[2:] if texts[0].startswith("not your turn")] == [7, 8]
    rights = [entry.right for entry in checked(corpus, "k9").violations]
    assert rights[:2] == ["in this phase: attack"] * 2


def test_silence_means_no_air_support_and_the_combat_is_judged(corpus: Path) -> None:
    (combat,) = [e for e in checked(corpus, "k1").entries if e.kind == "air_defence"]
    # 12 against 4 with armour is 4-1, with 5 for morale 6-1. A step is off when the log ends.
    assert (combat.action["use"], combat.dice) == (False, (5, 1))
    assert (combat.status, combat.result.partition(":")[0]) == (Status.UNKNOWN, "De/A1")


def test_a_turn_begun_in_silence_goes_on(corpus: Path) -> None:
    entries = checked(corpus, "c1").entries
    silent = [(e.first, e.kind, e.side) for e in entries if e.what.startswith("in silence")]
    assert silent[:3] == [(1, "begin_turn", "german"), (5, "bid", "german"), (5, "bid", "soviet")]
    assert (10, "activate", "soviet") in silent
    # Who won the initiative the log does not show: the one thing that cannot be told.
    assert [e.first for e in entries if e.status is Status.UNKNOWN] == [5]


def test_units_turned_and_spent_without_a_word_did_that(corpus: Path) -> None:
    late = [e for e in checked(corpus, "c5").entries if e.side == "german" and e.first >= 24]
    assert [(e.first, e.status) for e in late] == [(24, Status.LEGAL), (26, Status.LEGAL)]
    assert late[0].kind == "pivot"
    assert late[1].after is not None
    assert late[1].after.units["g3"].has("spent")
