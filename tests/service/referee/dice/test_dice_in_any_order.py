"""Dice that do not say what they are for: of one action, and of several announced together."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

from kharkov_table import PLUGIN, checked, game

from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.hearing.dealt_dice import other_orders
from hexmarshal.referee.interpret.log_dice import LogDice, Throw
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.values import FrozenMap

ATTACKS = (
    "[soviet: attack] rif-01 rif-02 -> 0414",
    "[soviet: attack] grd-1 rif-03 -> 0615",
    "[soviet: attack] tnk-01 tnk-02 tnk-03 -> 0715",
)
# The morale die, then that of the combat: D2, D1/A1 and D2.
DICE = {"0414": (4, 1), "0615": (6, 5), "0715": (4, 3)}
KNOWN = {
    "rif-01": "3-3-6",
    "rif-02": "4-4-6",
    "rif-03": "3-3-6",
    "tnk-01": "4-4-11",
    "tnk-02": "4-4-11",
    "tnk-03": "4-4-11",
}


def combat() -> Recorder:
    """A log in the Soviet combat phase, in which everybody near the enemy is known."""
    here = engine.start(PLUGIN, "training")
    for unit, ladder in KNOWN.items():
        shown = FrozenMap({"ladder": (ladder,)})
        here = here.with_unit(replace(here.units[unit], values=shown))
    return game(replace(here, phase="soviet_combat"))


def roll(log: Recorder, *dice: int) -> None:
    for die in dice:
        log.roll(6, die, side="soviet")


def lose(log: Recorder, unit: str, steps: int) -> None:
    known = log.position.units[unit]
    log.show(log.position.with_unit(replace(known, steps=known.steps - steps)))


def go_on(log: Recorder) -> None:
    log.show(replace(log.position, phase="axis_movement", active=("axis",)))


def told(log: Recorder) -> list[tuple[Certainty, str, str]]:
    return [(e.certainty, e.violations[0].rule, e.result) for e in checked(log).violations]


@pytest.mark.parametrize(
    ("dice", "steps", "found"),
    [
        # 9 against 4 is 2-1: with 6 for morale it is 3-1, and 1 then is D2; with 1 for morale it
        # is 6-1, and 6 then is D1.
        ((6, 1), 2, []),
        ((6, 1), 1, []),
        ((1, 6), 2, []),
        # D2 or D2/A1: in no order a single step.
        ((5, 1), 1, [(Certainty.LIKELY, "KHA-9.56", "D2")]),
    ],
)
def test_dice_of_one_attack_may_be_for_its_rolls_in_any_order(
    dice: tuple[int, int], steps: int, found: list[tuple[Certainty, str, str]]
) -> None:
    log = combat()
    log.say(ATTACKS[1], side="soviet")
    roll(log, *dice)
    lose(log, "inf-297", steps)
    go_on(log)
    assert told(log) == found


@pytest.mark.parametrize(
    ("lost", "after", "found"),
    [
        # Where the log ends, the other steps may be taken off later in the turn.
        (1, False, []),
        (1, True, ["De/A1"]),
        # Of whom nothing was taken off, nobody has begun.
        (0, False, ["De/A1"]),
    ],
)
def test_who_is_eliminated_step_by_step_when_the_log_ends_is_left_open(
    lost: int, after: bool, found: list[str]
) -> None:
    log = combat()
    log.say("[soviet: attack] grd-1 rif-03 tnk-01 -> 0615", side="soviet")
    roll(log, 5, 1)
    if lost:
        lose(log, "inf-297", lost)
    go_on(log)
    if after:
        log.drag(["inf-71"], ["0915"])
    assert [(rule, result) for _, rule, result in told(log)] == [("KHA-9.55", r) for r in found]
    unknown = [e.result for e in checked(log).entries if e.status is Status.UNKNOWN]
    assert any(result.startswith("De/A1: the log ends") for result in unknown) is not bool(found)


def test_dice_of_one_roll_have_the_order_in_which_it_names_them() -> None:
    log = combat()
    log.say(ATTACKS[1], side="soviet")
    log.roll(6, 6, 1, side="soviet")
    lose(log, "inf-297", 1)
    go_on(log)
    assert told(log) == [(Certainty.LIKELY, "KHA-9.56", "D2")]


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1)])
@pytest.mark.parametrize("rolled", ["behind all", "behind each"])
def test_attacks_may_be_announced_together_and_their_results_carried_out_later(
    order: tuple[int, ...], rolled: str
) -> None:
    """Six dice for three attacks, now for this and now for that one first."""
    log = combat()
    dice = [*DICE.values()]
    for at, attack in enumerate(ATTACKS):
        log.say(attack, side="soviet")
        if rolled == "behind each":
            roll(log, *dice[at])
    for at in order if rolled == "behind all" else ():
        roll(log, *dice[at])
    lose(log, "inf-294", 2)
    lose(log, "inf-297", 1)
    lose(log, "grd-1", 1)
    log.drag(["sec-454"], ["0716"])
    log.drag(["sec-454"], ["0717"])
    go_on(log)
    assert told(log) == []


def test_of_attacks_announced_together_the_one_carried_out_wrongly_is_told() -> None:
    log = combat()
    for attack in ATTACKS:
        log.say(attack, side="soviet")
    for dice in DICE.values():
        roll(log, *dice)
    lose(log, "inf-294", 3)
    lose(log, "inf-297", 1)
    lose(log, "grd-1", 1)
    log.drag(["sec-454"], ["0716"])
    log.drag(["sec-454"], ["0717"])
    go_on(log)
    (wrong,) = checked(log).violations
    assert wrong.certainty is Certainty.LIKELY
    assert wrong.violations[0].rule == "KHA-9.56"
    assert "inf-294" in wrong.units


def test_a_log_that_ends_with_the_dice_had_no_time_for_results() -> None:
    log = combat()
    for attack in ATTACKS:
        log.say(attack, side="soviet")
    for dice in DICE.values():
        roll(log, *dice)
    assert told(log) == []


@pytest.mark.parametrize(
    "line",
    [
        "[attack] rif-01 rif-02 -> 0414; [attack] grd-1 rif-03 -> 0615",
        "[attack] rif-01 rif-02 -> 0414 and [attack] grd-1 rif-03 -> 0615",
        "[attack] rif-01 rif-02 -> 0414, grd-1 rif-03 -> 0615",
        "[attack] rif-01 rif-02 -> 0414 / grd-1 rif-03 -> 0615",
    ],
)
def test_attacks_may_be_announced_in_one_line(line: str) -> None:
    log = combat()
    log.say(line, side="soviet")
    roll(log, *DICE["0615"], *DICE["0414"])
    lose(log, "inf-294", 2)
    lose(log, "inf-297", 1)
    lose(log, "grd-1", 1)
    go_on(log)
    report = checked(log)
    assert [*report.violations] == []
    assert [e.units[:2] for e in report.entries if e.kind == "attack"] == [
        ("rif-01", "rif-02"),
        ("grd-1", "rif-03"),
    ]


def orders(*rolls: int, colours: tuple[str, ...] = ()) -> list[tuple[int, ...]]:
    """The other orders of the dice 1, 2, 3 for an action that rolls so many of them each time."""
    throws = tuple(Throw(step, 6, step, "Ivan") for step in range(1, 1 + sum(rolls)))
    dice = LogDice(throws)
    for count in rolls:
        dice.throw("combat", *(6,) * count, colours=colours)
    found = other_orders(dice.used, dice.alike)
    return [tuple(order[throw].value for throw in throws) for order in found]


def test_dice_of_one_roll_are_not_exchanged_with_each_other() -> None:
    assert orders(2) == []
    assert orders(1, 1) == [(2, 1)]
    assert orders(2, colours=("white", "red")) == [(2, 1)]
    # One die, then two: the first may be any of the three.
    assert [order[0] for order in orders(1, 2)] == [2, 3]
