"""What was done is told in a sentence, with the announcement beside it."""

from __future__ import annotations

import pytest

from hexmarshal.games.conflict_of_heroes.plugin import ConflictOfHeroes
from hexmarshal.games.kharkov.plugin import Kharkov
from hexmarshal.referee.interpret.told_rules import in_order
from hexmarshal.referee.interpret.words import in_words, spoken
from hexmarshal.rules.verdict import Violation

GAME = Kharkov().game


@pytest.mark.parametrize(
    ("what", "told", "line"),
    [
        (
            "in silence: [axis: air_defence] no",
            "in silence: no air point for the defender (Axis)",
            "[axis: air_defence] no",
        ),
        (
            "[soviet: attack] grd-1 rif-03 -> 0615 air=no: D2",
            "attack by grd-1 and rif-03 on 0615, without an air point: D2",
            "[soviet: attack] grd-1 rif-03 -> 0615 air=no",
        ),
        (
            "[soviet: attack] grd-1 rif-03 -> 0615: D2",
            "attack by grd-1 and rif-03 on 0615: D2",
            "[soviet: attack] grd-1 rif-03 -> 0615",
        ),
        ("[axis: dig_in] reg-02, as its counter shows", None, "[axis: dig_in] reg-02"),
        ("tnk-04: arrivals -> 0412", "tnk-04: Reinforcements -> 0412", ""),
        # What players typed otherwise stays as they typed it.
        ("[soviet: attack] what is that", "[soviet: attack] what is that", ""),
    ],
)
def test_an_announcement_is_told_in_a_sentence(what: str, told: str | None, line: str) -> None:
    right = told or "strongpoint formed by reg-02, as its counter shows"
    assert in_words(GAME, what) == (right, line)


def test_what_nobody_can_type_is_told_in_words_alone() -> None:
    game = ConflictOfHeroes().game
    moves = [{"unit": "g1", "path": ["1-E03"], "facing": 2}, {"unit": "g2", "path": []}]
    march = game.actions.make("group_move", "german", by="command", moves=moves)
    told, line = in_words(game, f"in silence: {spoken(game, march)}")
    assert told.startswith("in silence: group move of g1 to 1-E03 facing south-east; g2 pivoting")
    assert line == ""


def test_what_nobody_does_in_a_phase_is_told_before_who_may_not_do_it() -> None:
    who, when = Violation("KHA-6.13", "not his"), Violation(GAME.turn_rule, "not now")
    attack = GAME.actions["attack"]
    assert in_order(GAME, (who, when), attack, "soviet_movement") == (when, who)


def test_what_two_units_break_alike_is_told_once() -> None:
    one, other = Violation("KHA-6.13", "not his", units=("a",)), Violation("KHA-6.22", "enemies")
    told = in_order(GAME, (one, other, one))
    assert [violation.rule for violation in told] == ["KHA-6.13", "KHA-6.22"]
