"""What is wrong with a set-up: KHA-8.1, KHA-3.23, KHA-5.2, KHA-5.3, KHA-5.14, KHA-5.15."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexmarshal.games.kharkov import Kharkov
from hexmarshal.rules import engine
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.state.validate import setup_problems
from hexmarshal.rules.values import FrozenMap, Value

GAME = Kharkov()


def moved(position: Position, unit: str, cell: str) -> Position:
    return position.with_unit(replace(position.unit(unit), cell=cell, box=""))


def rules(position: Position) -> list[tuple[str, str]]:
    return [(found.rule, found.text) for found in setup_problems(GAME, position)]


@pytest.mark.parametrize("scenario", [one.key for one in GAME.scenarios()])
def test_the_games_own_set_ups_are_sound(scenario: str) -> None:
    assert rules(engine.start(GAME, scenario)) == []


def ladder(strength: str) -> FrozenMap[Value]:
    return FrozenMap({"ladder": (strength,)})


def test_a_hex_holds_three_combat_units() -> None:
    position = engine.start(GAME, "training")
    crowded = moved(moved(position, "pz-6-3", "0817"), "sec-454", "0817")
    assert rules(crowded) == [("KHA-8.1", "more than 3 combat units in 0817")]


def test_there_are_no_more_units_than_counters() -> None:
    position = engine.start(GAME, "training")
    more = position.with_unit(*(Unit(f"mtn-{n}", "mountain", "axis", "1015") for n in (1, 2)))
    assert ("KHA-3.23", "2 units are mountain, and the game has 1") in rules(more)


def test_in_the_campaign_units_start_on_their_stretch_of_the_line() -> None:
    position = engine.start(GAME, "campaign")
    # 79th Division belongs to the stretch 1-2, far in the north.
    found = rules(moved(position, "inf-79", "3606"))
    assert ("KHA-5.2", "no line of the set-up has inf-79 in 3606") in found


def test_a_stretch_takes_as_many_of_a_type_as_the_book_says() -> None:
    position = engine.start(GAME, "campaign")
    # A-B has its six rifle divisions; a seventh that comes from B-C is one too many.
    found = rules(moved(position, "rif-08", "0714"))
    assert sum(rule == "KHA-5.3" for rule, _ in found) == 1


def test_one_unit_of_the_first_line_may_start_in_kharkov() -> None:
    position = engine.start(GAME, "campaign")
    one = moved(position, "inf-294", "0718")
    two = moved(one, "inf-297", "0719")
    assert not any(rule == "KHA-5.2" for rule, _ in rules(one))
    assert sum(rule == "KHA-5.2" for rule, _ in rules(two)) == 1


def test_each_hex_of_the_line_is_held_or_controlled() -> None:
    position = engine.start(GAME, "campaign")
    gap = position
    for unit in ("inf-113", "light-108", "sec-454", "inf-260"):
        gap = gap.with_unit(replace(gap.unit(unit), cell="", box="eliminated"))
    assert any(rule == "KHA-5.15" for rule, _ in rules(gap))


def test_a_set_up_that_the_players_still_have_to_make_has_no_gaps_yet() -> None:
    assert rules(engine.start(GAME, "campaign", {"free_setup": True})) == []


def test_a_unit_of_no_type_is_told_and_ends_nothing() -> None:
    position = engine.start(GAME, "campaign")
    nameless = position.with_unit(replace(position.unit("inf-79"), type="?"))
    assert rules(nameless) == [("KHA-3.23", "inf-79 is of no type that the game has")]


def test_units_start_at_full_strength() -> None:
    """KHA-5.11; the training scenario itself starts one division with a step less."""
    assert not rules(engine.start(GAME, "campaign"))
    assert not rules(engine.start(GAME, "training"))
    position = engine.start(GAME, "campaign")
    weak = position.with_unit(replace(position.unit("inf-79"), steps=2))
    assert rules(weak) == [("KHA-5.11", "inf-79 starts with 4 steps, not with 2")]
    training = engine.start(GAME, "training")
    weak = training.with_unit(replace(training.unit("inf-297"), steps=2))
    assert rules(weak) == [("KHA-5.11", "inf-297 starts with 3 steps, not with 2")]


def test_guards_stand_on_the_line_and_not_where_a_reserve_waits() -> None:
    """KHA-5.3-N: what a player picks for a reserve goes into its box, not onto the map."""
    position = engine.start(GAME, "campaign")
    found = rules(moved(position, "grd-1", "0409"))
    assert ("KHA-5.3", "no line of the set-up has grd-1 in 0409") in found


def test_divisions_may_start_broken_down_on_their_own_stretch() -> None:
    """KHA-5.13: regiments stand where their division may, and no more than it has."""
    position = engine.start(GAME, "campaign")
    division = position.unit("inf-79")
    parts = [
        replace(position.unit(f"reg-0{n}"), cell=division.cell, box="", values=ladder("2-8"))
        for n in (1, 2, 3)
    ]
    broken = position.with_unit(replace(division, cell="", box="broken-down"), *parts)
    assert not any(rule == "KHA-5.2" for rule, _ in rules(broken))
    elsewhere = moved(broken, "reg-01", "3606")
    assert ("KHA-5.2", "no line of the set-up has reg-01 in 3606") in rules(elsewhere)
    weak = broken.with_unit(replace(broken.unit("reg-02"), values=ladder("1-8")))
    assert ("KHA-5.2", f"no line of the set-up has reg-02 in {division.cell}") in rules(weak)
    fourth = replace(position.unit("reg-04"), cell="0116", box="", values=ladder("2-8"))
    assert sum(rule == "KHA-5.2" for rule, _ in rules(broken.with_unit(fourth))) == 1
