"""Kharkov: what players leave undone on the table, told by the rule that asks for it."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

from kharkov_table import PLUGIN, checked, game, turn_to

from hexmarshal.referee.check.findings import Entry
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap

_TANKS = ("tnk-01", "tnk-02", "tnk-03")


def start(ladder: str = "3-3-11", **changes: object) -> Position:
    here = replace(engine.start(PLUGIN, "training"), **changes)  # type: ignore[arg-type]
    for tank in _TANKS:
        known = here.units[tank]
        shown = FrozenMap({**known.values, "ladder": (ladder,)})
        here = here.with_unit(replace(known, values=shown))
    return here


def found(log: Recorder) -> list[tuple[str, str]]:
    return [(e.what, v.rule) for e in checked(log).violations for v in e.violations]


def ends(log: Recorder, phase: str, side: str) -> None:
    log.show(replace(log.position, phase=phase, active=(side,)))


def attacked(*others: str) -> Recorder:
    """Tanks attack, D2/A1 is rolled, and the defender goes back: the attackers owe a step."""
    log = game(start(phase="soviet_combat"))
    log.say(f"[soviet: attack] {' '.join((*_TANKS, *others))} -> 0715 air=no", side="soviet")
    log.roll(6, 5, side="soviet")
    log.roll(6, 5, side="soviet")
    log.drag(["sec-454"], ["0716", "0717"])
    return log


@pytest.mark.parametrize("others", [(), ("rif-01",)])
def test_attackers_who_do_not_pay_are_told_by_the_rule_of_their_part(
    others: tuple[str, ...],
) -> None:
    """Also of an attack against the rules: who carries a part of its result out owes the rest."""
    log = attacked(*others)
    ends(log, "axis_movement", "axis")
    log.drag(["pz-6-3"], ["0915"])
    *refused, (what, rule) = found(log)
    assert [rule for _, rule in refused] == ["KHA-9.11" for _ in others]
    assert (what.partition(" -> ")[2], rule) == ("0715 air=no: D2/A1", "KHA-9.58")


def test_who_pays_a_little_later_owes_nothing() -> None:
    log = attacked()
    log.show(log.position.without_unit("tnk-03"))
    ends(log, "axis_movement", "axis")
    assert found(log) == []


def test_a_sign_that_is_missing_is_told_by_its_own_rule() -> None:
    log = game(start("5-5-11", phase="soviet_movement"))
    log.say("[soviet: overrun] tnk-01 tnk-02 tnk-03 -> 0715", side="soviet")
    log.roll(6, 3, side="soviet")
    log.drag(["sec-454"], ["0716"])
    log.drag([*_TANKS], ["0715"])
    log.drag(["rif-04"], ["0814"])
    (wrong,) = checked(log).violations
    assert [violation.rule for violation in wrong.violations] == ["KHA-7.31"]
    assert wrong.right == "sec-454 is disrupted"


@pytest.mark.parametrize(("early", "rule"), [(False, "KHA-7.31"), (True, "KHA-7.33")])
def test_a_sign_put_on_or_taken_off_for_nothing_is_told_by_its_own_rule(
    early: bool, rule: str
) -> None:
    here = start(phase="soviet_movement")
    bare = here.units["inf-297"]
    marked = replace(bare, flags=bare.flags | {"disrupted"})
    log = game(here.with_unit(marked if early else bare))
    log.show(log.position.with_unit(bare if early else marked))
    ends(log, "soviet_combat", "soviet")
    ends(log, "axis_movement", "axis")
    assert [broken for _, broken in found(log)] == [rule]


@pytest.mark.parametrize("text", ["B4 Axis disruption", "B5 Axis air support"])
def test_a_sign_that_the_end_of_a_phase_takes_off_may_stay_until_the_next_is_over(
    text: str,
) -> None:
    """It is told of its own rule then, and not of the phase that was ended rightly."""
    here = start(phase="mechanised_movement", active=("axis",))
    hurt = here.units["inf-297"]
    log = game(here.with_unit(replace(hurt, flags=hurt.flags | {"disrupted"})))
    for shown in ("B4 Axis disruption", "B5 Axis air support", "C End of turn"):
        turn_to(log, shown)
        if shown == text:
            log.show(log.position.with_unit(hurt))
    assert told(log) == []


def test_a_sign_that_is_left_on_is_told_by_the_rule_that_ends_it() -> None:
    here = start(phase="mechanised_movement", active=("axis",))
    hurt = here.units["inf-297"]
    log = game(here.with_unit(replace(hurt, flags=hurt.flags | {"disrupted"})))
    for shown in ("B4 Axis disruption", "B5 Axis air support", "C End of turn"):
        turn_to(log, shown)
    log.show(replace(log.position, turn=2, phase="soviet_movement", active=("soviet",)))
    assert told(log) == [(("inf-297",), "KHA-7.33")]


def broken_down(cell: str) -> Recorder:
    """Regiments are laid on a cell, and the division in 0518 stays where it is."""
    log = game(start(phase="axis_movement", active=("axis",)))
    for number, ladder in enumerate(("2-8", "2-8", "1-8"), 1):
        known = log.position.units[f"reg-0{number}"]
        shown = FrozenMap({"ladder": (ladder,)})
        log.show(log.position.with_unit(replace(known, cell=cell, box="", values=shown, steps=1)))
    return log


def told(log: Recorder) -> list[tuple[tuple[str, ...], str]]:
    def first(entry: Entry) -> str:
        return entry.violations[0].rule

    return [(entry.units, first(entry)) for entry in checked(log).violations]


@pytest.mark.parametrize("is_taken_off", [False, True])
def test_a_division_that_stays_among_its_regiments_is_told(is_taken_off: bool) -> None:
    log = broken_down("0518")
    log.drag(["pz-6-3"], ["0915"])
    if is_taken_off:
        known = log.position.units["light-108"]
        log.show(log.position.with_unit(replace(known, cell="", box="broken-down")))
    ends(log, "axis_combat", "axis")
    assert told(log) == ([] if is_taken_off else [(("light-108",), "KHA-15.1")])


def test_a_division_that_is_dragged_on_from_its_regiments_is_told_twice() -> None:
    """That it lies there still, and where it goes; regiments elsewhere came of no division."""
    log = broken_down("0518")
    log.drag(["light-108"], ["0619"])
    ends(log, "axis_combat", "axis")
    assert told(log) == [(("light-108",), "KHA-15.1"), (("light-108",), "KHA-6.64")]


def test_regiments_beside_their_division_come_of_no_breakdown() -> None:
    report = checked(broken_down("0418"))
    assert [e.violations[0].rule for e in report.violations] == ["KHA-15.11"] * 3
    assert {entry.right for entry in report.violations} == {"breakdown of light-108 into regiments"}
