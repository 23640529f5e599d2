"""Fights of Kharkov told in one line: dice, results, markers in any order that people use."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from collections.abc import Callable
from dataclasses import replace

from kharkov_table import checked, game, start, turn_up

from hexmarshal.referee.check.findings import Certainty, CheckReport, Status
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules.values import FrozenMap

_KNOWN = {
    "rif-01": "3-3-6",
    "rif-02": "4-4-6",
    "rif-03": "3-3-6",
    "tnk-01": "4-4-11",
    "tnk-02": "4-4-11",
    "tnk-03": "4-4-11",
}
_LINE = "01 and 02 rifles at the 294th, 13 G with rif-03 at the 297th, and the tanks at the 454th"
# The morale die, then that of the combat: D2, D1/A1 and D2.
_DICE = {"0414": (4, 1), "0615": (6, 5), "0715": (4, 3)}


def combat() -> Recorder:
    here = start("soviet_combat", "soviet")
    for unit, ladder in _KNOWN.items():
        shown = FrozenMap({"ladder": (ladder,)})
        here = here.with_unit(replace(here.units[unit], values=shown))
    return game(here)


def roll(log: Recorder, *fights: str) -> None:
    for fight in fights:
        for die in _DICE[fight]:
            log.roll(6, die, side="soviet")


def lose(log: Recorder, unit: str, steps: int) -> None:
    known = log.position.units[unit]
    log.show(log.position.with_unit(replace(known, steps=known.steps - steps)))


def first(log: Recorder) -> None:
    lose(log, "inf-294", 2)


def second(log: Recorder) -> None:
    lose(log, "inf-297", 1)
    lose(log, "grd-1", 1)


def third(log: Recorder) -> None:
    log.drag(["sec-454"], ["0716"])
    log.drag(["sec-454"], ["0717"])


def turn_on(log: Recorder) -> None:
    log.show(replace(log.position, phase="axis_movement", active=("axis",)))


def wrong(report: CheckReport) -> list[tuple[str, str, str]]:
    return [
        (entry.certainty.value, entry.what, broken.rule)
        for entry in report.violations
        for broken in entry.violations
    ]


def fought(report: CheckReport) -> list[str]:
    found = [e for e in report.entries if e.kind == "attack" and e.status is not Status.TAKEN_BACK]
    return [str(entry.action["targets"][0]) for entry in found]  # type: ignore[index]


_Result = Callable[[Recorder], None]


@pytest.mark.parametrize(
    "results",
    [(first, second, third), (third, second, first), (second, third, first)],
)
@pytest.mark.parametrize("dice", [("0414", "0615", "0715"), ("0615", "0715", "0414")])
def test_dice_come_first_and_results_in_any_order(
    dice: tuple[str, ...], results: tuple[_Result, ...]
) -> None:
    log = combat()
    log.say(_LINE, side="soviet")
    roll(log, *dice)
    for result in results:
        result(log)
    turn_on(log)
    log.drag(["pz-6-3"], ["0915"])
    report = checked(log)
    assert sorted(fought(report)) == ["0414", "0615", "0715"]
    assert wrong(report) == []


def test_of_the_result_that_nobody_carries_out_is_told_once() -> None:
    log = combat()
    log.say(_LINE, side="soviet")
    roll(log, *_DICE)
    third(log)
    first(log)
    turn_on(log)
    log.drag(["pz-6-3"], ["0915"])
    (found,) = checked(log).violations
    assert found.violations[0].rule == "KHA-9.56"
    assert "0615" in found.what


def test_results_are_laid_out_when_the_tracker_has_gone_on() -> None:
    log = combat()
    log.say(_LINE, side="soviet")
    roll(log, *_DICE)
    lose(log, "inf-294", 1)
    turn_on(log)
    third(log)
    lose(log, "inf-294", 1)
    second(log)
    log.drag(["pz-6-3"], ["0915"])
    assert wrong(checked(log)) == []


@pytest.mark.parametrize("missing", ["0414", "0615", "0715"])
def test_of_three_fights_one_is_only_talked_of(missing: str) -> None:
    log = combat()
    log.say(_LINE, side="soviet")
    results = {"0414": first, "0615": second, "0715": third}
    for fight in _DICE.keys() - {missing}:
        roll(log, fight)
    for fight in _DICE.keys() - {missing}:
        results[fight](log)
    turn_on(log)
    report = checked(log)
    assert wrong(report) == []
    assert sorted(fought(report)) == sorted(_DICE.keys() - {missing})


def test_each_is_told_rolled_and_carried_out_after_the_other() -> None:
    log = combat()
    log.say(_LINE, side="soviet")
    for fight, result in zip(_DICE, (first, second, third), strict=True):
        roll(log, fight)
        result(log)
    turn_on(log)
    assert wrong(checked(log)) == []


def test_of_fights_told_together_the_one_carried_out_wrongly_is_told() -> None:
    log = combat()
    log.say(_LINE, side="soviet")
    roll(log, *_DICE)
    lose(log, "inf-294", 3)
    second(log)
    third(log)
    turn_on(log)
    log.drag(["pz-6-3"], ["0915"])
    (found,) = checked(log).violations
    assert found.certainty is Certainty.LIKELY
    assert found.violations[0].rule == "KHA-9.56"
    assert "inf-294" in found.units


@pytest.mark.parametrize("by", ["the 03 and 13 G", "the guards with the rifles"])
def test_who_was_turned_up_takes_part_though_others_are_called_so_too(by: str) -> None:
    here = start("soviet_combat", "soviet", rif_03="0614")
    for unit in ("tnk-01", "tnk-02", "tnk-03"):
        shown = FrozenMap({"ladder": ("4-4-11",)})
        here = here.with_unit(replace(here.units[unit], values=shown))
    log = game(here)
    log.say(f"{by} at the 297th, and the tanks at the 454th", side="soviet")
    turn_up(log, "rif-03", "3-3-6", "pool-rifle")
    roll(log, "0715", "0615")
    second(log)
    third(log)
    turn_on(log)
    report = checked(log)
    assert wrong(report) == []
    assert {"grd-1", "rif-03"} <= {*next(e for e in report.entries if e.kind == "attack").units}


@pytest.mark.parametrize("said", ["", " with planes"])
def test_air_points_of_both_sides_are_paid_before_a_word_is_said(said: str) -> None:
    """By both for the first fight, and by nobody for the other."""
    log = combat()
    here = log.position
    log.show(replace(here, tracks=here.tracks.set("air-soviet", here.track("air-soviet") - 1)))
    here = log.position
    log.show(replace(here, tracks=here.tracks.set("air-axis", here.track("air-axis") - 1)))
    log.say(f"01 and 02 rifles at the 294th{said}, and the tanks at the 454th", side="soviet")
    roll(log, "0414", "0715")
    first(log)
    third(log)
    turn_on(log)
    report = checked(log)
    assert wrong(report) == []
    flags = [entry.action.get("air", False) for entry in report.entries if entry.kind == "attack"]
    assert flags == [True, False]


def test_who_goes_in_before_the_beaten_unit_is_dragged_away_has_advanced() -> None:
    log = combat()
    log.say(_LINE, side="soviet")
    roll(log, *_DICE)
    first(log)
    second(log)
    log.drag(["tnk-01"], ["0715"])
    log.drag(["sec-454"], ["0717"])
    turn_on(log)
    assert wrong(checked(log)) == []


def test_who_has_fought_and_is_dragged_on_is_not_told_to_attack() -> None:
    log = combat()
    log.say(_LINE, side="soviet")
    roll(log, *_DICE)
    first(log)
    second(log)
    third(log)
    log.drag(["rif-01"], ["0312"])
    turn_on(log)
    (found,) = checked(log).violations
    assert (found.units, found.right) == (("rif-01",), "rif-01 may not move now")


def test_another_fight_is_told_before_the_results_of_the_first_are_carried_out() -> None:
    log = combat()
    log.say("13 G with rif-03 at the 297th, and 01 and 02 rifles at the 294th", side="soviet")
    roll(log, "0615", "0414")
    log.say("and the tanks hit the 454th", side="soviet")
    roll(log, "0715")
    third(log)
    second(log)
    first(log)
    turn_on(log)
    report = checked(log)
    assert wrong(report) == []
    assert fought(report) == ["0615", "0414", "0715"]
