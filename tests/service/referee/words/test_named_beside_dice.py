"""Units and hexes that somebody names beside the dice of an attack that nobody announces."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("resvg_py")

from kharkov_table import checked, game, start, told, turn_up

from hexmarshal.referee.check.findings import CheckReport, Entry
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap

PANZERS = ("pz-126-23", "pz-128-23", "pz-201-23")


def show(log: Recorder, unit: str, **changes: object) -> None:
    """Change the counter of a unit."""
    log.show(log.position.with_unit(replace(log.position.units[unit], **changes)))  # type: ignore[arg-type]


def attacks(report: CheckReport) -> list[Entry]:
    return [entry for entry in report.entries if entry.kind == "attack"]


@pytest.mark.parametrize(
    "line",
    [
        "0814 is next",
        "now out of 0815",
        "we attack 0814. Air? none.",
        "the whole division goes for 0814",
        "23rd Panzer division attack 0814",
    ],
)
@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_a_hex_alone_keeps_nobody_from_attacking_it(line: str, side: str) -> None:
    """One player may move the pieces of both."""
    here = start("axis_combat", "axis", rif_04="0814")
    for unit in PANZERS:
        here = here.with_unit(replace(here.units[unit], cell="0815"))
    log = game(here)
    log.say(line, side=side)
    turn_up(log, "rif-04", "2-2-6", "pool-rifle")
    log.roll(6, 1, side=side)
    log.show(log.position.without_unit("rif-04"))
    log.drag(PANZERS, ["0814"])
    log.show(replace(log.position, phase="mechanised_movement"))
    report = checked(log)
    assert told(report) == []
    (attack,) = attacks(report)
    assert {*PANZERS} <= {*attack.units}


def brigades(side: str) -> Position:
    """Three tank brigades beside the 297th, which guards and rifles may attack as well."""
    here = start(f"{side}_combat", side)
    for unit in ("tnk-01", "tnk-02", "tnk-03"):
        shown = FrozenMap({**here.units[unit].values, "ladder": ("3-3-11",)})
        here = here.with_unit(replace(here.units[unit], values=shown))
    return here


@pytest.mark.parametrize(
    ("before", "behind", "own"),
    [
        ("grd-1 and tnk-01 tnk-02 attack the 297th, no air", "", {"grd-1", "tnk-01", "tnk-02"}),
        ("tnk-02, tnk-03 on the 297th", "", {"tnk-02", "tnk-03"}),
        ("", "that was grd-1 and tnk-03 against the 297th", {"grd-1", "tnk-03"}),
        ("", "grd-1, tnk-02: 297th loses two", {"grd-1", "tnk-02"}),
    ],
)
def test_who_is_named_attacks_rather_than_others(before: str, behind: str, own: set[str]) -> None:
    """Others would come to the same."""
    log = game(brigades("soviet"))
    if before:
        log.say(before, side="soviet")
        log.say("no air here either", side="axis")
    log.roll(6, 4, side="soviet")
    log.roll(6, 2, side="soviet")
    if behind:
        log.say(behind, side="soviet")
    for _ in range(2):
        show(log, "inf-297", steps=log.position.units["inf-297"].steps - 1)
    log.show(replace(log.position, phase="air_support"))
    report = checked(log)
    assert told(report) == []
    (attack,) = attacks(report)
    assert own == {unit for unit in attack.units if unit != "inf-297"}
