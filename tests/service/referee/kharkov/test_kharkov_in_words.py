"""Kharkov told in a few words: formations, lists of numbers, results carried out in turns."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

from kharkov_table import PLUGIN, checked, game

from hexmarshal.referee.chat.chat_mentions import ChatMentions
from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap

_PANZERS = ("pz-126-23", "pz-128-23", "pz-201-23")


class _Map:
    def cells(self) -> tuple[str, ...]:
        return "0615", "0813"


def start(**changes: object) -> Position:
    return replace(engine.start(PLUGIN, "training"), **changes)  # type: ignore[arg-type]


def shown(position: Position, unit: str, ladder: str, **changes: object) -> Position:
    """A position with a unit turned up."""
    known = position.units[unit]
    values = FrozenMap({**known.values, "ladder": (ladder,)})
    return position.with_unit(replace(known, values=values, **changes))  # type: ignore[arg-type]


def loses(log: Recorder, unit: str) -> None:
    known = log.position.units[unit]
    log.show(log.position.with_unit(replace(known, steps=known.steps - 1)))


def wrong(report: CheckReport) -> list[tuple[str, str]]:
    return [(e.what, e.violations[0].rule) for e in report.violations]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("the 23rd against the 04 rifles", (*_PANZERS, "rif-04")),
        ("23rd Panzer attacks 0813", (*_PANZERS, "0813")),
        ("13G, 01, 02 and 03 tanks on 0615", ("grd-1", "tnk-01", "tnk-02", "tnk-03", "0615")),
        ("rif 03, tanks 01 and 02 on 0615", ("rif-03", "tnk-01", "tnk-02", "0615")),
        ("tank 01 and 03 on 0615", ("tnk-01", "tnk-03", "0615")),
        ("297th and 294th attack 0813", ("inf-297", "inf-294", "0813")),
    ],
)
def test_formations_and_lists_of_numbers_name_units(text: str, names: tuple[str, ...]) -> None:
    titles = {"grd-1": "13 G Guards rifle division"}
    chat = ChatMentions(
        _Map(),  # type: ignore[arg-type]
        PLUGIN.game.actions.values(),
        titles,
        PLUGIN.game.formations,
    )
    chat.hear(text, "Ivan", start())
    assert chat.about == names


@pytest.mark.parametrize(("behind", "is_told"), [("next", True), ("next turn", False)])
def test_what_is_done_next_is_done_now(behind: str, is_told: bool) -> None:
    """An attack out of reach of any headquarters is refused, if it was told of this phase."""
    here = shown(start(phase="soviet_combat"), "rif-05", "3-3-6")
    log = game(here.without_unit("hq-28"))
    log.say(f"rif-05 strikes 0518 {behind}", side="soviet")
    log.roll(6, 6, side="soviet")
    log.roll(6, 6, side="soviet")
    log.show(replace(log.position, phase="axis_movement", active=("axis",)))
    rules = [v.rule for e in checked(log).violations for v in e.violations]
    assert ("KHA-9.15" in rules) is is_told


def test_results_of_two_attacks_may_be_carried_out_in_turns() -> None:
    """A step of the first, one of the second, and then the other step of the first."""
    here = start(phase="soviet_combat").without_unit("sec-454")
    for unit in ("tnk-01", "tnk-02"):
        here = shown(here, unit, "5-5-11")
    here = shown(here, "rif-03", "4-6-6", steps=2)
    here = shown(here, "rif-04", "4-4-6", cell="0814")
    log = game(here)
    log.say("grd-1, rif-03, tnk-01 and tnk-02 attack 0615", side="soviet")
    log.roll(6, 6, side="soviet")
    log.roll(6, 3, side="soviet")
    loses(log, "inf-297")
    log.say("rif-04 attacks 0914", side="soviet")
    log.roll(6, 2, side="soviet")
    log.roll(6, 2, side="soviet")
    loses(log, "inf-71")
    loses(log, "inf-297")
    log.show(replace(log.position, phase="axis_movement", active=("axis",)))
    assert wrong(checked(log)) == []


def test_who_goes_in_although_both_are_engaged_is_told_by_that_result() -> None:
    here = start(phase="axis_combat", active=("axis",))
    here = shown(here, "rif-02", "4-4-6", steps=1)
    log = game(here)
    log.say("[axis: attack] inf-294 -> 0413 air=no", side="axis")
    log.roll(6, 5, side="axis")
    loses(log, "inf-294")
    log.show(log.position.without_unit("rif-02"))
    log.drag(["inf-294"], ["0413"])
    log.show(replace(log.position, phase="mechanised_movement"))
    assert wrong(checked(log)) == [("inf-294: 0414 -> 0413", "KHA-9.59")]


def test_a_division_broken_down_although_it_has_moved_is_one_thing_wrong() -> None:
    log = game(start(phase="axis_movement", active=("axis",)))
    log.drag(["inf-71"], ["0915"])
    moved = log.position.units["inf-71"]
    log.show(log.position.with_unit(replace(moved, cell="", box="broken-down")))
    for regiment in ("reg-01", "reg-02", "reg-03"):
        known = log.position.units[regiment]
        values = FrozenMap({"ladder": ("2-8",)})
        there = replace(known, cell="0915", box="", values=values, steps=1)
        log.show(log.position.with_unit(there))
    log.show(replace(log.position, phase="axis_combat"))
    assert wrong(checked(log)) == [("in silence: [axis: break_down] inf-71", "KHA-15.11")]


def test_a_unit_turned_up_before_dice_for_others_is_looked_for_no_more() -> None:
    """Its card has left the pool with that; the next dice are for it."""
    here = start(phase="axis_combat", active=("axis",)).without_unit("sec-454")
    for unit in _PANZERS:
        here = here.with_unit(replace(here.units[unit], cell="0814"))
    log = game(here)
    for unit, card in (("rif-02", "4-4-6"), ("rif-04", "3-3-6")):
        now = log.position
        cards = list(now.pile("pool-rifle").cards)
        cards.remove(card)
        pile = replace(now.pile("pool-rifle"), cards=tuple(cards))
        log.show(shown(replace(now, piles=now.piles.set("pool-rifle", pile)), unit, card))
    log.say("294th attacks rif-02. ready? rolling", side="axis")
    log.roll(6, 5, side="axis")
    loses(log, "inf-294")
    log.show(log.position.without_unit("rif-02"))
    log.say("next: the 23rd against the 04 rifles", side="axis")
    log.roll(6, 6, side="axis")
    log.drag(["rif-04"], ["0811"])
    log.drag(["pz-201-23"], ["0812"])
    log.drag(["pz-126-23"], ["0813"])
    report = checked(log)
    assert wrong(report) == []
    assert {*_PANZERS} <= {u for e in report.entries if e.kind == "attack" for u in e.units}
