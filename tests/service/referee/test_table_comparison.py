"""What table and rules differ in, in the words of the game."""

from dataclasses import replace

from tutorial import Crossroads

from hexmarshal.referee.case.table_comparison import differences
from hexmarshal.rules import engine
from hexmarshal.table.binding.facts import Fact
from hexmarshal.table.reading.piece_reader import UnitSighting, Where

START = engine.start(Crossroads(), seed=1)
UNIT = START.unit("b1")


def told(*facts: Fact, words: dict[str, str]) -> tuple[str, ...]:
    where = Where("Main", "", UNIT.cell)
    seen = UnitSighting(UNIT.id, UNIT.type, UNIT.side, where, facts, "piece")
    return differences(START, {UNIT.id: seen}, UNIT.id, words)


def test_a_value_is_told_with_what_the_game_says_of_it() -> None:
    shown = Fact("value", "ladder", ("8-10-4", "6-8-4"))
    expected = "b1 has no ladder by the rules, and shows ladder 8-10-4 6-8-4"
    assert told(shown, words={}) == (expected,)
    assert told(shown, words={"ladder": "its steps"}) == (
        "b1, its steps: none by the rules, and 8-10-4 6-8-4",
    )


def test_flags_and_fields_speak_for_themselves() -> None:
    shown = (Fact("flag", "out_of_supply", True), Fact("steps", "", UNIT.steps + 1))
    flag, steps = told(*shown, words={"out_of_supply": "never said"})
    assert flag == "b1 is not out of supply by the rules, and shows out of supply"
    assert steps == f"b1 has {UNIT.steps} steps by the rules, and shows {UNIT.steps + 1} steps"
    assert told(Fact("steps", "", UNIT.steps), words={}) == ()


def test_signs_left_on_a_counter_beside_the_map_mean_nothing() -> None:
    lost = replace(UNIT, cell="", box="lost")
    sign = (Fact("flag", "active", True),)
    beside, there = Where("Main", "", box="lost"), Where("Main", "", UNIT.cell)
    seen = UnitSighting(UNIT.id, UNIT.type, UNIT.side, beside, sign, "piece")
    assert not seen.contradicts(lost)
    assert replace(seen, where=there).contradicts(UNIT)
    # Where it should lie is another matter.
    assert not seen.at_place_of(UNIT)
