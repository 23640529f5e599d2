"""Kharkov: who leaves an enemy zone of control, and who follows him."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

from kharkov_table import PLUGIN, checked, game

from hexmarshal.referee.check.findings import CheckReport, Status
from hexmarshal.rules import engine


def dragged(*drags: tuple[str, str], turn: int = 3) -> CheckReport:
    """A log of the Axis movement phase, in which units are dragged."""
    here = replace(engine.start(PLUGIN, "training"), turn=turn)
    log = game(replace(here, phase="axis_movement", active=("axis",)))
    for unit, cells in drags:
        log.drag([unit], cells.split())
    log.show(replace(log.position, phase="axis_combat"))
    return checked(log)


def told(report: CheckReport) -> list[tuple[str, str, str]]:
    """What was done with units, each by its kind, and the rule that it breaks first."""
    return [
        (entry.units[0], entry.kind, entry.violations[0].rule if entry.violations else "")
        for entry in report.entries
        if entry.units
    ]


def test_who_is_followed_stops_in_the_zone_of_his_pursuer() -> None:
    """The pursuit counts, whatever silence could have said instead of it."""
    report = dragged(("inf-297", "0616"), ("rif-03", "0615"), ("inf-297", "0617"))
    assert told(report) == [
        ("inf-297", "disengage", ""),
        ("rif-03", "pursue", ""),
        ("inf-297", "move", "KHA-6.23"),
    ]


@pytest.mark.parametrize("cells", ["0616 0617", "0617"])
def test_who_is_dragged_all_his_way_at_once_may_be_followed_after_that(cells: str) -> None:
    report = dragged(("inf-297", cells), ("rif-03", "0615"), ("pz-6-3", "0915"))
    assert told(report) == [
        ("inf-297", "disengage", ""),
        ("inf-297", "move", ""),
        ("rif-03", "pursue", ""),
        ("pz-6-3", "move", ""),
    ]
    assert {entry.status for entry in report.entries} == {Status.LEGAL}


@pytest.mark.parametrize(
    ("turn", "cells", "rules"),
    [
        (1, "0616", ["KHA-6.64", "KHA-6.24"]),
        (3, "0715", ["KHA-6.61", "KHA-6.24"]),
        (3, "0616 0617 0618 0619 0620 0621 0622", ["KHA-6.6", "KHA-6.24"]),
    ],
)
def test_why_a_unit_could_not_break_off_is_told_first(
    turn: int, cells: str, rules: list[str]
) -> None:
    (entry,) = dragged(("inf-297", cells), turn=turn).violations
    assert [violation.rule for violation in entry.violations][:2] == rules
