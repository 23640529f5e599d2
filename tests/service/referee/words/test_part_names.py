"""Units and hexes named by a part of their names, and shots told so, without a verb."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

pytest.importorskip("resvg_py")

import coh_table
from coh_goes import MAKE, hand_over, table

from hexmarshal.referee.case.history import History
from hexmarshal.referee.chat.chat_mentions import ChatMentions
from hexmarshal.referee.chat.part_names import by_number, numbers_of
from hexmarshal.referee.check.findings import CheckReport, Entry, Status
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.plugins import registry

TITLES = {
    "g1": "German Rifles 41",
    "g2": "German Rifles 41",
    "g5": "German HMG 34",
    "s1": "Soviet Rifles 41",
    "s4": "Soviet 45mm AT gun",
}
FRONT = {
    "su-24g": "24G infantry",
    "su-25g": "25G infantry",
    "su-25tk": "25Tk tank",
    "su-5gtk": "5GTk tank",
    "de-39": "39 infantry",
    "de-3pz": "3Pz tank",
}


class _NoCells:
    def cells(self) -> tuple[str, ...]:
        return ()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("g5 at the trench", ("g5", "1-E09")),
        ("trench warfare", ()),
        ("g5 on the rifles", ("g5", "s1")),
        ("the rifles at g5", ("s1", "g5")),
        ("g5 and the rifles", ("g5",)),
        ("HMG vs 45mm", ("g5", "s4")),
    ],
)
def test_what_only_one_has_names_it(line: str, named: tuple[str, ...]) -> None:
    start = engine.start(coh_table.PLUGIN, "first_steps", seed="a")
    here = start.with_unit(*(start.units[unit] for unit in TITLES)).without_unit(
        *(unit for unit in start.units if unit not in TITLES)
    )
    chat = ChatMentions(_NoCells(), (), TITLES)  # type: ignore[arg-type]
    chat.hear(line, "Ivan", here)
    assert chat.about == named


def test_the_same_hex_is_that_of_the_last_aim() -> None:
    here = engine.start(coh_table.PLUGIN, "first_steps", seed="a")
    chat = ChatMentions(_NoCells())  # type: ignore[arg-type]
    chat.hear("g1 at s5", "Ivan", here)
    chat.roll()
    chat.hear("g2 then, same hex", "Ivan", here)
    assert chat.about == ("g2", "s5")


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("24th and 25th Guards at the 39th", ["su-24g", "su-25g", "de-39"]),
        ("the 25th tank corps", ["su-25tk"]),
        ("the 25th", []),
        ("5 Gds tanks, 24 and 25 Guards", ["su-5gtk", "su-24g", "su-25g"]),
        ("3 panzer and 39 infantry", ["de-3pz", "de-39"]),
        ("24 shells, 25 shots", []),
    ],
)
def test_numbers_with_what_their_letters_stand_for(line: str, named: list[str]) -> None:
    start = engine.start(registry.default().get("traces_of_war"), "campaign")
    units = {unit: replace(start.units[unit], cell="2534") for unit in FRONT}
    here = start.with_unit(*units.values()).without_unit(
        *(unit for unit in start.units if unit not in FRONT)
    )
    words = line.lower().replace(",", " ,").split()
    assert [name for _, name in by_number(words, numbers_of(here, FRONT))] == named


def hit(points: int = 0) -> Recorder:
    """g4 has hit s5, which is panicked; the Soviets, who bid points, are to act."""
    log = table(against=points)
    log.perform(MAKE("activate", "german", unit="g4"))
    fire = MAKE("fire", "german", unit="g4", by="ap", cell=log.position.units["s5"].cell)
    log.perform(fire, Dice(None, given=[6, 6], picks=[6]))
    return log


def fires(report: CheckReport) -> list[tuple[str, set[str]]]:
    done = [entry for entry in report.entries if entry.kind == "fire" and entry.side == "soviet"]
    return [(entry.certainty.value, {one.rule for one in entry.violations}) for entry in done]


@pytest.mark.parametrize("line", ["s5 back at g4", "s5 answers g4"])
def test_a_shot_against_the_rules_is_told_without_a_verb(line: str) -> None:
    log = hit()
    log.say(line, "soviet")
    log.roll(6, 5, 6, side="soviet")
    log.say("ok", "german")
    assert fires(coh_table.checked(log)) == [("likely", {"COH-7.5M4"})]


def test_dice_of_another_number_are_no_shot() -> None:
    log = hit()
    log.say("s5 back at g4", "soviet")
    log.roll(6, 5, side="soviet")
    log.say("ok", "german")
    assert fires(coh_table.checked(log)) == []


def test_a_card_in_hand_makes_no_shot_of_a_spent_unit_right() -> None:
    log = hit(points=2)
    assert "02" in log.position.pile("hand-soviet").cards
    cell = log.position.units["g1"].cell
    shot = MAKE("fire", "soviet", unit="s2", by="opportunity", cell=cell)
    log.perform(shot, Dice(None, given=[1, 2]))
    log.say("s2 fires again at g1", "soviet")
    log.roll(6, 2, 3, side="soviet")
    hand_over(log, "german")
    assert fires(coh_table.checked(log)) == [("certain", set()), ("likely", {"COH-2.2g"})]


def test_who_was_named_for_a_move_that_was_made_is_not_named_for_the_next_dice() -> None:
    here = engine.start(coh_table.PLUGIN, "first_steps", seed="a")
    chat = ChatMentions(_NoCells())  # type: ignore[arg-type]
    chat.hear("g4 first", "Ivan", here)
    chat.see(["g4"])
    chat.hear("then s4 out of the wood, at g5", "Ivan", here)
    assert chat.about == ("s4", "g5")


def test_another_aim_in_the_same_line_counts_alone() -> None:
    here = engine.start(coh_table.PLUGIN, "first_steps", seed="a")
    chat = ChatMentions(_NoCells())  # type: ignore[arg-type]
    chat.hear("g4 at s5. no, cant see him, s4 then", "Ivan", here)
    assert chat.about == ("g4", "s4")


@pytest.mark.parametrize(("dice", "result", "gone"), [((2,), "", False), ((2,), "lost", True)])
def test_dice_for_what_may_not_be_done_take_nobody_off(
    dice: tuple[int, ...], result: str, gone: bool
) -> None:
    """Who is taken off the map later is told then."""
    before = engine.start(coh_table.PLUGIN, "first_steps", seed="a")
    entry = Entry(1, 1, 1, "play", "german", "Ivan", "fire", "fire", Status.VIOLATION)
    after = before.without_unit("s5")
    told = replace(entry, units=("g1", "s5"), dice=dice, result=result, before=before, after=after)
    case = SimpleNamespace(mind=SimpleNamespace(entries=[told]))
    assert History(case).is_told_gone("s5") is gone  # type: ignore[arg-type]
