"""Two fights told in one breath, with dice and results behind them one after the other."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("resvg_py")

from kharkov_table import MAKE, PLUGIN, checked, game

from hexmarshal.referee.chat.chat_mentions import ChatMentions
from hexmarshal.referee.chat.told_apart import parts_of, told_fights
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap

HERE = engine.start(PLUGIN, "training")
TANKS = ("tnk-01", "tnk-02", "tnk-03")
KNOWN = {"454": "sec-454", "g": "grd-1", "01": "tnk-01", "02": "rif-02", "294": "inf-294"}


class _NoCells:
    def cells(self) -> tuple[str, ...]:
        return ()


def fights(line: str) -> list[set[str]]:
    def names(words: object) -> list[tuple[int, str]]:
        assert isinstance(words, list)
        return [(at, KNOWN[word]) for at, word in enumerate(words) if word in KNOWN]

    return [{*one} for one in told_fights(parts_of(line, names), HERE, "soviet")]


@pytest.mark.parametrize(
    ("line", "apart"),
    [
        (
            "two fights: the tanks go for the 454, and 13 G with 02 for the 294",
            [{"sec-454"}, {"grd-1", "rif-02", "inf-294"}],
        ),
        ("01 on the 454; 02 on the 294", [{"tnk-01", "sec-454"}, {"rif-02", "inf-294"}]),
        ("01 hits 454 and 02 hits 294", [{"tnk-01", "sec-454"}, {"rif-02", "inf-294"}]),
        ("planes for the 454, and 02 strikes without", [{"sec-454"}, {"rif-02"}]),
        ("01, 02 and 13 G attack 454", [{"tnk-01", "rif-02", "grd-1", "sec-454"}]),
        ("attack 454 with 01, 02 and 13 G", [{"tnk-01", "rif-02", "grd-1", "sec-454"}]),
        ("01 and 02 attack both 454 and 294", [{"tnk-01", "rif-02", "sec-454", "inf-294"}]),
    ],
)
def test_names_belong_together_up_to_the_next_who_is_aimed_at(
    line: str, apart: list[set[str]]
) -> None:
    assert fights(line) == apart


def two_fights() -> Recorder:
    """Both are told, and all their dice rolled, before anything is carried out."""
    here = replace(HERE, phase="soviet_combat", active=("soviet",))
    here = here.with_unit(replace(here.units["grd-1"], cell="0513"))
    for unit in TANKS:
        shown = FrozenMap({**here.units[unit].values, "ladder": ("5-5-11",)})
        here = here.with_unit(replace(here.units[unit], values=shown))
    log = game(here)
    log.say("the tanks go for the 454th, and 13 G for the 294th", side="soviet")
    for die in (5, 1, 2, 6):
        log.roll(6, die, side="soviet")
    return log


def carry_out_both(log: Recorder, at: Position) -> None:
    for attackers, cell, dice in ((TANKS, "0715", (5, 1)), (("grd-1",), "0414", (2, 6))):
        attack = MAKE("attack", "soviet", attackers=attackers, targets=(cell,), air=False)
        at = PLUGIN.apply(at, attack, Dice(None, given=())).position
        no = MAKE("air_defence", "axis", use=False)
        at = PLUGIN.apply(at, no, Dice(None, given=dice)).position
        log.show(at)
        if at.state == "advance":
            at = PLUGIN.apply(at, MAKE("end_advance", "soviet"), Dice(None, given=())).position


def test_who_is_named_for_one_fight_does_not_keep_others_from_the_other() -> None:
    log = two_fights()
    carry_out_both(log, log.position)
    log.show(replace(log.position, phase="air_support"))
    report = checked(log)
    assert [(entry.first, entry.violations) for entry in report.violations] == []
    attacks = [entry for entry in report.entries if entry.kind == "attack"]
    assert [({*TANKS} <= {*e.units}, "grd-1" in e.units) for e in attacks] == [
        (True, False),
        (False, True),
    ]


def test_who_won_the_first_fight_may_advance_when_the_second_is_over() -> None:
    log = two_fights()
    carry_out_both(log, log.position)
    for unit in ("tnk-02", "tnk-03"):
        log.drag([unit], ["0715"])
    log.show(replace(log.position, phase="air_support"))
    report = checked(log)
    assert [(entry.first, entry.violations) for entry in report.violations] == []
    advances = [e for e in report.entries if e.path == ("0715",)]
    assert [e.units for e in advances] == [("tnk-02",), ("tnk-03",)]


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("the tanks hit it", {*TANKS}),
        ("all three brigades", {*TANKS}),
        ("two tanks", set()),
        ("the rifles move up", set()),
        ("both panzergrenadiers", {"pz-126-23", "pz-128-23"}),
        ("13G and the 14 G", {"grd-1"}),
    ],
)
def test_many_are_named_by_what_they_are_if_it_is_plain_who(line: str, named: set[str]) -> None:
    titles = {unit: f"Tank brigade 0{n}" for n, unit in enumerate(TANKS, 1)}
    titles |= {"grd-1": "13 G Guards rifle division", "rif-03": "Rifle division 03"}
    chat = ChatMentions(_NoCells(), titles=titles)  # type: ignore[arg-type]
    chat.hear(line, "Ivan", HERE)
    assert {*chat.about} == named


def test_who_names_the_same_again_and_again_tells_no_fights() -> None:
    """Each search would go through all of it."""
    chat = ChatMentions(_NoCells())  # type: ignore[arg-type]
    chat.hear("454th and 294th, " * 5, "Ivan", HERE)
    assert len(chat.parts) == 10
    for _ in range(4):
        chat.hear("454th and 294th, " * 5, "Ivan", HERE)
    assert chat.about == ("sec-454", "inf-294")
    assert chat.parts == ()
