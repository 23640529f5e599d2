"""Units dragged from beside the map straight to where their first move ends."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

from kharkov_table import PLUGIN, checked, game

from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.rules import engine
from hexmarshal.rules.values import FrozenMap


def _dragged(
    cells: list[str], units: tuple[str, ...] = ("tnk-04",), phase: str = "soviet_movement"
) -> CheckReport:
    here = replace(engine.start(PLUGIN, "training"), turn=2, phase=phase)
    late = here.units["tnk-04"]
    for unit in units:
        here = here.with_unit(replace(here.units[unit], cell="", box="arrivals"))
        values = FrozenMap({**here.units[unit].values, "entry": late.value("entry"), "turn": 2})
        here = here.with_unit(replace(here.units[unit], values=values))
    log = game(here)
    log.drag([*units], cells)
    return checked(log)


@pytest.mark.parametrize(
    ("units", "cells"),
    [
        (("tnk-04",), ["0408"]),
        (("tnk-04",), ["0301", "0408"]),
        (("tnk-04", "rif-05"), ["0102"]),
    ],
    ids=["an inner hex", "the edge, and an inner hex", "units that pay in different ways"],
)
def test_who_is_dropped_inside_may_have_entered_at_the_edge(
    units: tuple[str, ...], cells: list[str]
) -> None:
    report = _dragged(cells, units)
    assert [entry.what for entry in report.violations] == []
    assert {unit for e in report.entries if e.kind == "enter" for unit in e.units} == {*units}


def test_who_is_dropped_where_no_way_leads_is_told_where_he_might_have_gone() -> None:
    (entry,) = _dragged(["1516"]).violations
    assert [v.rule for v in entry.violations] == ["KHA-16.1"]
    assert "1315" in entry.right


def test_a_reinforcement_in_a_combat_phase_moves_out_of_phase() -> None:
    (entry,) = _dragged(["0408"], phase="soviet_combat").violations
    assert [v.text for v in entry.violations] == ["no movement in a combat phase"]
