"""Dice behind plain words: units and cells that players name tell what they rolled for."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

import coh_table
from coh_goes import MAKE, PLUGIN, table

from hexmarshal.referee.chat.chat_mentions import ChatMentions, is_rolled_for_others
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.interpret.log_dice import Throw
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.state.position import Position


class _Map:
    """A map of three boards' cells."""

    def cells(self) -> tuple[str, ...]:
        return ("1-E09", "1-D08", "2-D08")


class _Wide:
    """A map of many cells."""

    def cells(self) -> tuple[str, ...]:
        return tuple(f"3-{column}{row:02}" for column in "ABCDEFGHIJ" for row in range(1, 21))


def mentioned(text: str, position: Position) -> tuple[str, ...]:
    chat = ChatMentions(_Map())  # type: ignore[arg-type]
    chat.hear(text, "Anna", position)
    return chat.about


def test_units_and_cells_are_read_in_the_order_in_which_they_are_named() -> None:
    position = table().position
    assert mentioned("g4 shoots at S5 in E09!", position) == ("g4", "s5", "1-E09")
    # Two boards have such a cell, and no unit is called so.
    assert mentioned("D08, then g44", position) == ()


def test_a_unit_goes_by_the_word_on_its_counter_that_no_other_bears() -> None:
    titles = {"g4": "German LMG 34", "g5": "German HMG 34", "s5": "Soviet Rifles 41"}
    chat = ChatMentions(_Map(), titles=titles)  # type: ignore[arg-type]
    chat.hear("the german ones", "Anna", table().position)
    assert chat.about == ()
    chat.hear("HMG at the trench in E09", "Anna", table().position)
    assert chat.about == ("g5", "1-E09")


def test_who_answers_speaks_of_something_else() -> None:
    position, chat = table().position, ChatMentions(_Map())  # type: ignore[arg-type]
    chat.hear("that was s5 at g4", "Boris", position)
    chat.hear("g1 next to it", "Anna", position)
    chat.hear("shoots back at s5", "Anna", position)
    assert chat.about == ("g1", "s5")
    chat.hear("ouch", "Boris", position)
    assert chat.about == ("g1", "s5"), "nobody was named"
    # What is said behind dice is of the next ones.
    chat.roll()
    chat.hear("g2 too", "Anna", position)
    assert chat.about == ("g2",)
    # Who is named may move before he shoots; where others go, it is about them.
    chat.see(["g2"])
    assert chat.about == ("g2",)
    chat.see(["g2", "g3"])
    assert chat.about == ()


def test_what_points_back_at_dice_is_of_those_and_not_of_what_was_said_before_others() -> None:
    position, chat = table().position, ChatMentions(_Map())  # type: ignore[arg-type]
    chat.hear("s2 at g1", "Anna", position)
    chat.roll()
    again = chat.said_of(Throw(2, 6, 3, "Anna"))
    chat.roll()
    chat.hear("g1 was lucky", "Anna", position)
    assert chat.late((again,)) == (again,)
    chat.roll()
    chat.hear("that was g3", "Anna", position)
    own = Throw(2, 6, 3, "Anna", about=again.about)
    assert chat.late((own,)) == (own,), "dice right behind what was said"
    assert [throw.about for throw in chat.late((again,))] == [("g3",)]


def test_who_names_half_the_map_speaks_of_nothing() -> None:
    position = table().position
    chat = ChatMentions(_Wide())  # type: ignore[arg-type]
    for _ in range(3):
        chat.hear("g4 at s5", "Anna", position)
    assert chat.about == ("g4", "s5"), "each is named once"
    chat.hear(" ".join(_Wide().cells()), "Anna", position)
    assert chat.about == ()


@pytest.mark.parametrize("target", ["s5", "s1", "s2"])
def test_a_miss_is_for_the_target_that_was_named(target: str) -> None:
    log = table()
    log.perform(MAKE("activate", "german", unit="g4"))
    cell = log.position.units[target].cell
    fire = MAKE("fire", "german", unit="g4", by="ap", cell=cell)
    log.say(f"g4 shoots at {target}", "german")
    log.roll(6, 1, 1, side="german")
    log.show(PLUGIN.apply(log.position, fire, Dice(None, given=[1, 1])).position)
    report = coh_table.checked(log)
    assert list(report.violations) == []
    shots = [entry.action.get("cell") for entry in report.entries if entry.kind == "fire"]
    assert shots == [cell]


def test_dice_are_for_nobody_else_than_was_named() -> None:
    position = table().position
    fire = MAKE("fire", "german", unit="g4", by="ap", cell=position.units["s5"].cell)

    def is_for_others(*about: str) -> bool:
        throw = Throw(1, 6, 3, "Anna", "german", about)
        return is_rolled_for_others(PLUGIN.game, fire, [throw], position)

    assert not is_for_others()
    assert not is_for_others("g4", "s5")
    assert is_for_others("g5", "s5")
    assert is_for_others("g4", "s3")
    # Who names only himself may aim at anybody.
    assert not is_for_others("g4")


def test_a_wrong_result_is_told_of_the_shot_that_was_spoken_of() -> None:
    log = table()
    log.perform(MAKE("activate", "german", unit="g4"))
    log.say("g4 shoots at s5", "german")
    log.roll(6, 6, 6, side="german")
    # Something is laid on somebody else.
    other = MAKE("fire", "german", unit="g4", by="ap", cell=log.position.units["s1"].cell)
    dice = Dice(None, given=[6, 6], picks=[1])
    log.show(PLUGIN.apply(log.position, other, dice).position)
    log.say("my go", "soviet")
    report = coh_table.checked(log)
    shots = [entry for entry in report.entries if entry.kind == "fire"]
    assert [shot.action.get("cell") for shot in shots] == [log.position.units["s5"].cell]
    assert report.certain == 0
    assert {violation.rule for violation in shots[0].violations} == {"COH-7.0b"}


def test_dice_for_something_unheard_of_are_not_for_what_is_named_next() -> None:
    log = table()
    log.perform(MAKE("activate", "german", unit="g4"))
    log.say("g1 shoots at s4", "german")  # whom he does not see
    log.roll(6, 6, 6, side="german")
    fire = MAKE("fire", "german", unit="g4", by="ap", cell=log.position.units["s5"].cell)
    log.say("rather g4 at s5", "german")
    log.roll(6, 1, 1, side="german")
    log.show(PLUGIN.apply(log.position, fire, Dice(None, given=[1, 1])).position)
    report = coh_table.checked(log)
    assert list(report.violations) == []
    shots = [(e.action.get("cell"), e.dice) for e in report.entries if e.kind == "fire"]
    assert shots == [(fire.params["cell"], (1, 1))]
    unknown = [e.what for e in report.entries if e.status is Status.UNKNOWN]
    assert unknown == ["rolls 2d6 = 6, 6, and no action asks for it"]
