"""A stranger's module of Heroes of Stalingrad: counters all alike, open tokens, no tracker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

pytest.importorskip("resvg_py")

import game_table
import stranger_ruins
from stranger_ruins import PLUGIN

from hexmarshal.referee.check.findings import Certainty, CheckReport, Status
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.values import Value

MAKE = PLUGIN.game.actions.make
ORDERS = {"russian": ("r3", "r4", "r1"), "german": ("g2", "g3")}
WAYS = {"r3": ("0407", "0507"), "g2": ("1105", "1005"), "r4": (), "g3": ("1107",), "r1": ("0405",)}
Table = Callable[[], Recorder]


def ours() -> Recorder:
    return game_table.table("heroes_of_stalingrad").game("drill")


def theirs() -> Recorder:
    start = engine.start(PLUGIN, "drill")
    return Recorder(stranger_ruins.module(), stranger_ruins.binding(), PLUGIN, start)


def done(log: Recorder, kind: str, side: str, **params: Value) -> None:
    log.show(engine.perform(PLUGIN, log.position, MAKE(kind, side, **params), Dice(None)).position)


def with_orders(made: Table) -> Recorder:
    log = made()
    for side, units in ORDERS.items():
        for token, unit in enumerate(units, 1):
            done(log, "order", side, unit=unit, token=str(token))
        done(log, "end_orders", side)
    return log


def from_under(log: Recorder, unit: str, cells: tuple[str, ...]) -> None:
    """The unit goes, and its token stays where it was."""
    kept = log.position.markers
    log.position = replace(log.position, markers=kept.without(f"order-{unit}"))
    log.drag([unit], cells)
    log.position = replace(log.position, markers=kept)


def finished(log: Recorder, unit: str) -> None:
    """It is marked, and its token taken off."""
    known = log.position.units[unit]
    log.show(log.position.with_unit(replace(known, flags=known.flags | {"activated"})))
    log.show(replace(log.position, markers=log.position.markers.without(f"order-{unit}")))


def played(made: Table, **ways: tuple[str, ...]) -> Recorder:
    log = with_orders(made)
    for unit, cells in {**WAYS, **ways}.items():
        from_under(log, unit, cells)
        finished(log, unit)
    return log


def checked(made: Table, log: Recorder) -> CheckReport:
    if made is theirs:
        return stranger_ruins.checked(log)
    return game_table.table("heroes_of_stalingrad").checked(log)


def wrong(report: CheckReport) -> list[tuple[str, ...]]:
    return [entry.units for entry in report.entries if entry.status is not Status.LEGAL]


@pytest.mark.parametrize("made", [ours, theirs])
def test_a_quiet_turn_is_right_in_either_module(made: Table) -> None:
    report = checked(made, played(made))
    assert wrong(report) == []
    moved = [entry.units[0] for entry in report.entries if entry.path]
    assert moved == [unit for unit, cells in WAYS.items() if cells]


@pytest.mark.parametrize("made", [ours, theirs])
def test_who_goes_too_far_is_told_by_the_same_rule_in_either_module(made: Table) -> None:
    report = checked(made, played(made, r3=("0407", "0507", "0607", "0707", "0807")))
    assert wrong(report) == [("r3",)]
    (entry,) = report.violations
    assert "HOS-2.30" in {violation.rule for violation in entry.violations}
    assert entry.certainty is Certainty.LIKELY


@pytest.mark.parametrize("made", [ours, theirs])
@pytest.mark.parametrize(("die", "told"), [(5, []), (1, [("g3", "r4")])])
def test_a_shot_without_a_word_is_found_in_either_module(
    made: Table, die: int, told: list[tuple[str, ...]]
) -> None:
    log = with_orders(made)
    from_under(log, "r3", ("0406", "0506"))
    from_under(log, "g2", ("1105", "1005"))
    log.roll(6, die, side="russian")
    hurt = log.position.units["g3"]
    log.show(log.position.with_unit(replace(hurt, steps=hurt.steps - 1)))
    report = checked(made, log)
    assert [entry.units for entry in report.entries if entry.kind == "fire"] == [("g3", "r4")]
    assert wrong(report) == told


def test_what_is_announced_wrongly_is_likely_where_no_tracker_shows_phases() -> None:
    log = with_orders(theirs)
    log.announce(MAKE("reveal", "russian"))
    log.drag(["r3"], ["0407"])
    log.announce(MAKE("reveal", "german"))
    log.drag(["g2"], ["0605"])
    report = stranger_ruins.checked(log)
    assert wrong(report) == [("g2",)]
    assert report.certain == 0


def test_who_is_who_of_those_that_look_alike_is_told() -> None:
    report = stranger_ruins.checked(played(theirs))
    (note,) = (one.note.text for one in report.notes if one.note.code == "alike")
    assert note.endswith("told apart by where they lie: g2 at 1205, g3 at 1207")


def test_tokens_that_are_thrown_to_the_dead_mean_nothing() -> None:
    log = with_orders(theirs)
    for unit, cells in WAYS.items():
        from_under(log, unit, cells)
        known = log.position.units[unit]
        log.show(log.position.with_unit(replace(known, flags=known.flags | {"activated"})))
        name = f"order-{unit}"
        gone = replace(log.position.markers[name], unit="", box="destroyed")
        log.show(replace(log.position, markers=log.position.markers.set(name, gone)))
    assert wrong(stranger_ruins.checked(log)) == []
