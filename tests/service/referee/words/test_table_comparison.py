"""What table and rules differ in, in the words of the game."""

from dataclasses import replace

from tutorial import Crossroads

from hexmarshal.referee.case.table_comparison import believing, differences
from hexmarshal.rules import engine
from hexmarshal.rules.action import Param, ParamType
from hexmarshal.rules.game import Game, Named
from hexmarshal.table.binding.facts import Fact
from hexmarshal.table.reading.sightings import UnitSighting, Where

START = engine.start(Crossroads(), seed=1)
UNIT = START.unit("b1")


GAME = replace(
    Crossroads().game,
    boxes=(Named("lost", "Losses", "eliminated"), Named("next", "Next turn")),
    attributes=(Param("ladder", ParamType.TEXT, "its steps"),),
)


def sighting(*facts: Fact, cell: str = "", box: str = "") -> UnitSighting:
    where = Where("Main", "", cell, box)
    return UnitSighting(UNIT.id, UNIT.type, UNIT.side, where, facts, "piece")


def told(*facts: Fact, game: Game | None = GAME) -> tuple[str, ...]:
    return differences(START, {UNIT.id: sighting(*facts, cell=UNIT.cell)}, UNIT.id, game)


def test_a_value_is_told_with_what_the_game_says_of_it() -> None:
    shown = Fact("value", "ladder", ("8-10-4", "6-8-4"))
    expected = "b1 has no ladder by the rules, and shows ladder 8-10-4 6-8-4"
    assert told(shown, game=None) == (expected,)
    assert told(shown) == ("b1, its steps: none by the rules, and 8-10-4 6-8-4",)


def test_flags_and_fields_speak_for_themselves() -> None:
    shown = (Fact("flag", "out_of_supply", True), Fact("steps", "", UNIT.steps + 1))
    flag, steps = told(*shown)
    assert flag == "b1 is not out of supply by the rules, and shows out of supply"
    assert steps == f"b1 has {UNIT.steps} steps by the rules, and shows {UNIT.steps + 1} steps"
    assert told(Fact("steps", "", UNIT.steps)) == ()


def test_signs_left_on_a_counter_beside_the_map_mean_nothing() -> None:
    lost = replace(UNIT, cell="", box="lost")
    sign = Fact("flag", "active", True)
    seen = sighting(sign, box="lost")
    assert not seen.contradicts(lost)
    assert sighting(sign, cell=UNIT.cell).contradicts(UNIT)
    # Where it should lie is another matter.
    assert not seen.at_place_of(UNIT)


def test_who_is_out_of_the_game_is_so_in_words_and_has_no_steps_to_tell_of() -> None:
    gone = START.with_unit(replace(UNIT, cell="", box="lost"))
    less = Fact("steps", "", UNIT.steps - 1)

    def on_table(seen: UnitSighting) -> tuple[str, ...]:
        return differences(gone, {UNIT.id: seen}, UNIT.id, GAME)

    left = f"{UNIT.steps - 1} step{'s' if UNIT.steps != 2 else ''}"
    assert on_table(sighting(less, cell="D2")) == (
        f"b1 is eliminated by the rules, and lies on D2 with {left}",
    )
    assert on_table(sighting(cell="D2")) == ("b1 is eliminated by the rules, and lies on D2",)
    assert on_table(sighting(less, box="lost")) == ()
    assert on_table(sighting(box="next")) == (
        "b1 is eliminated by the rules, and lies in the box Next turn",
    )


def test_a_unit_lies_on_a_cell_in_a_box_or_is_out_of_the_game() -> None:
    def on_table(seen: UnitSighting) -> tuple[str, ...]:
        return differences(START, {UNIT.id: seen}, UNIT.id, GAME)

    here = f"b1 is on {UNIT.cell} by the rules, and"
    assert on_table(sighting(cell="D2")) == (f"{here} lies on D2",)
    assert on_table(sighting(box="lost")) == (f"{here} is eliminated on the table",)
    assert on_table(sighting(box="next")) == (f"{here} lies in the box Next turn",)
    assert on_table(sighting()) == (f"{here} lies beside the map",)


def test_who_is_dragged_shows_his_signs_and_not_where_he_was() -> None:
    tired = START.with_unit(replace(UNIT, flags=frozenset({"tired"})))
    shown = {UNIT.id: sighting(Fact("flag", "tired", False), cell="elsewhere")}
    moved, there = (
        believing(tired, shown, [UNIT.id], dragged).unit(UNIT.id) for dragged in ((), [UNIT.id])
    )
    assert (moved.cell, moved.flags) == ("elsewhere", frozenset())
    assert (there.cell, there.flags) == (UNIT.cell, frozenset())
