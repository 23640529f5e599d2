"""What players tell in plain words, without brackets: tried as what they announce."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

import coh_table
import kharkov_table
from coh_goes import MAKE, PLUGIN, table

from hexmarshal.referee.chat.chat_mentions import ChatMentions
from hexmarshal.referee.chat.plain_words import Told
from hexmarshal.referee.check.findings import Certainty, CheckReport
from hexmarshal.referee.interpret.log_dice import Throw
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.state.position import Position

Rolled = tuple[int, ...]


class _Map:
    """A map of two cells."""

    def cells(self) -> tuple[str, ...]:
        return ("1-E09", "1-D08")


def heard(*lines: str, position: Position | None = None) -> tuple[Told, ...]:
    """What one player told before dice."""
    chat = ChatMentions(_Map(), PLUGIN.game.actions.values())  # type: ignore[arg-type]
    for line in lines:
        chat.hear(line, "Anna", position or table().position)
    return chat.told


def parts(line: str) -> list[tuple[tuple[str, ...], tuple[str, ...]] | None]:
    position = table().position
    return [told.parts(position) for told in heard(line, position=position)]


@pytest.mark.parametrize(
    ("line", "doers", "aims"),
    [
        ("g4 fires at s5", ("g4",), ("s5",)),
        ("g4 opens up on s5", ("g4",), ("s5",)),
        ("g4 storms s5", ("g4",), ("s5",)),
        ("Fire: g4 -> s5", ("g4",), ("s5",)),
        ("g4 and g5 shoot at s5 in E09!", ("g4", "g5"), ("s5", "1-E09")),
        ("s5 is attacked by g4 with g5", ("g4", "g5"), ("s5",)),
        ("attack on E09 by g4", ("g4",), ("1-E09",)),
        ("OK. Now g4 goes to D08 and fires at s5", ("g4",), ("1-D08", "s5")),
        ("g4 fires again at s5, no cover, 4+6", ("g4",), ("s5",)),
        ("opportunity fire: s5 shoots g4", ("s5",), ("g4",)),
    ],
)
def test_who_does_it_and_what_at_is_read(
    line: str, doers: tuple[str, ...], aims: tuple[str, ...]
) -> None:
    assert parts(line) == [(doers, aims)]


def test_two_clauses_tell_two_things() -> None:
    assert parts("g4 fires at s5 and g5 rallies") == [(("g4",), ("s5",)), (("g5",), ())]


@pytest.mark.parametrize(
    "line",
    [
        "g4 does not fire at s5",
        "g4 doesn't shoot at s5",
        "no fire by g4 at s5",
        "should I fire at s5 with g4",
        "g4 fires at s5?",
        "next turn g4 fires at s5",
        "g4 will shoot at s5",
        "I'll shoot at s5 with g4 later",
        "if g4 fires at s5 I am lost",
        "g4 can fire at s5",
        "g4 is under fire from s5",
        "g4 fired at s5",
        "s5 was attacked by g4",
        "g4 looks good, s5 too",
        "the fire burns",
    ],
)
def test_who_asks_denies_or_speaks_of_another_time_tells_nothing(line: str) -> None:
    assert heard(line) == ()


def test_who_takes_it_back_told_nothing() -> None:
    assert heard("g4 fires at s5", "no, wait") == ()
    assert len(heard("g4 fires at s5", "here goes")) == 1


@pytest.mark.parametrize("paid", [False, True])
def test_who_says_no_when_he_has_paid_speaks_of_what_he_rolled(paid: bool) -> None:
    chat, here = ChatMentions(_Map(), PLUGIN.game.actions.values()), table().position  # type: ignore[arg-type]
    chat.hear("g4 fires at s5", "Anna", here)
    rolled = (Throw(1, 6, 2, "Anna", told=chat.told),)
    chat.roll()
    if paid:
        chat.pay()
    chat.hear("no. your go", "Anna", here)
    assert bool(chat.without_taken_back(rolled)[0].told) == paid


def test_nobody_aims_at_his_own() -> None:
    assert parts("g4 fires at g5") == [None]


# Conflict of Heroes


def in_words(*lines: str | Rolled) -> CheckReport:
    """A German go: g4 is activated, and then there are words and dice."""
    log = table()
    log.perform(MAKE("activate", "german", unit="g4"))
    for line in lines:
        if isinstance(line, str):
            log.say(line, "german")
        else:
            log.roll(6, *line, side="german")
    log.say("my go", "soviet")
    log.perform(MAKE("pass", log.position.active[0]))
    return coh_table.checked(log)


def told_wrong(report: CheckReport) -> list[tuple[str, str]]:
    """What is told as wrong, with its rule; never certain."""
    assert all(entry.certainty is Certainty.LIKELY for entry in report.violations)
    return [(entry.what, entry.violations[0].rule) for entry in report.violations]


BLIND = ("in words: [german: fire] g1 -> 1-E04", "COH-6.0a")


@pytest.mark.parametrize(
    "lines",
    [
        ("g1 shoots at s4", (6, 6)),
        ("g1 shoots at s4", "good luck", (6, 6)),
        ((6, 6), "that was g1 shooting at s4"),
        ((6, 6), "g1 shot at s4"),
        ("s4 attacked by g1", (6, 6)),
    ],
)
def test_a_shot_without_sight_is_likely_wrong(lines: tuple[str | Rolled, ...]) -> None:
    assert BLIND in told_wrong(in_words(*lines))


@pytest.mark.parametrize(
    "lines",
    [
        ("g1 shoots at s4?", (6, 6)),
        ("g1 cannot shoot at s4", (6, 6)),
        ("next turn g1 shoots at s4", (6, 6)),
        ("g1 shot at s4", (6, 6)),
        ("g1 shoots at s4", (6, 6), "oops, g1 does not see him"),
        ((6, 6), "hello"),
        ("g1 sees s4", (6, 6)),
        ("g1 shoots at s4",),
        # Dice of nothing that is told.
        ("g1 shoots at s4", (6, 6, 6)),
    ],
)
def test_harmless_chat_is_no_announcement(lines: tuple[str | Rolled, ...]) -> None:
    assert BLIND not in told_wrong(in_words(*lines))


def test_who_speaks_of_the_others_announces_nothing() -> None:
    """Two players: what the Soviet tells of the Germans is no announcement of theirs."""
    log = table()
    log.say("g1 shoots at s4", "soviet")
    log.roll(6, 6, 6, side="soviet")
    log.perform(MAKE("pass", "german"))
    assert told_wrong(coh_table.checked(log)) == []


def test_a_right_shot_in_words_is_judged_as_announced() -> None:
    log = table()
    log.perform(MAKE("activate", "german", unit="g4"))
    fire = MAKE("fire", "german", unit="g4", by="ap", cell=log.position.units["s5"].cell)
    log.say("g4 fires at s5", "german")
    log.roll(6, 1, 1, side="german")
    log.show(PLUGIN.apply(log.position, fire, Dice(None, given=[1, 1])).position)
    report = coh_table.checked(log)
    assert list(report.violations) == []
    assert [entry.dice for entry in report.entries if entry.kind == "fire"] == [(1, 1)]


def test_who_goes_on_after_a_wrong_shot_is_not_blamed_for_it() -> None:
    log = table()
    log.perform(MAKE("activate", "german", unit="g4"))
    log.say("g1 shoots at s4", "german")
    log.roll(6, 1, 1, side="german")
    fire = MAKE("fire", "german", unit="g4", by="ap", cell=log.position.units["s5"].cell)
    log.say("g4 fires at s5", "german")
    log.roll(6, 1, 1, side="german")
    log.show(PLUGIN.apply(log.position, fire, Dice(None, given=[1, 1])).position)
    assert told_wrong(coh_table.checked(log)) == [BLIND]


# Kharkov


def attacked(*lines: str | Rolled, phase: str = "soviet_combat") -> CheckReport:
    log = kharkov_table.game()
    while log.position.phase != phase:
        log.perform(kharkov_table.MAKE("end_phase", log.position.active[0]))
    for line in lines:
        if isinstance(line, str):
            log.say(line, "soviet")
        else:
            log.roll(6, *line, side="soviet")
    if phase == "soviet_movement":
        log.drag(["cav-01"], ["0711"])
    log.perform(kharkov_table.MAKE("end_phase", log.position.active[0]))
    return kharkov_table.checked(log)


def test_an_attack_from_afar_is_told_by_its_rule() -> None:
    wrong = told_wrong(attacked("the 1st rifles attack the 297th", (4, 4)))
    assert wrong == [("in words: [soviet: attack] rif-01 -> 0615", "KHA-9.11")]


def test_an_attack_in_the_movement_phase_is_told() -> None:
    wrong = told_wrong(attacked("grd-1 attacks 0615", (4, 4), phase="soviet_movement"))
    assert wrong == [("in words: [soviet: attack] grd-1 -> 0615", "KHA-4.1")]


def test_several_attack_as_they_were_named() -> None:
    report = attacked("297th attacked by 1st guards and 3rd rifles at 4:1", (4, 4))
    assert "in words: [soviet: attack] grd-1 rif-03 -> 0615 air=no" in [
        entry.what for entry in report.entries
    ]
