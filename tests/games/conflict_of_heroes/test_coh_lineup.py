"""What is wrong with a set-up: COH-4.0d, COH-4.0e, COH-14.0a, COH-10.0c, COH-1.0a."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.rules import engine
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.state.validate import setup_problems

GAME = ConflictOfHeroes()


def rules(position: Position) -> list[str]:
    return [found.rule for found in setup_problems(GAME, position)]


def hex_of(position: Position, terrain: str) -> str:
    """A hex of this terrain without a road."""

    ground = GAME.boards[position.board]
    return next(
        cell
        for cell, kind in ground.kinds.items()
        if kind.key == terrain and cell not in ground.road_hexes and not position.at(cell)
    )


@pytest.mark.parametrize("scenario", [one.key for one in GAME.scenarios()])
def test_the_games_own_firefights_are_sound(scenario: str) -> None:
    assert rules(engine.start(GAME, scenario)) == []


@pytest.mark.parametrize(
    ("kind", "terrain", "rule"),
    [
        ("german_panzer_3e", "water", "COH-4.0d"),
        ("german_pak38", "water", "COH-4.0d"),
        ("soviet_truck", "field", "COH-4.0e"),
        ("soviet_truck", "forest", "COH-14.0a"),
        ("german_rifles_41", "water", ""),
        ("german_panzer_3e", "forest", ""),
    ],
)
def test_units_stand_where_they_can_go(kind: str, terrain: str, rule: str) -> None:
    position = engine.start(GAME, "first_steps")
    side = kind.partition("_")[0]
    unit = Unit("x1", kind, side, hex_of(position, terrain), facing=0)
    assert rules(position.with_unit(unit)) == ([rule] if rule else [])


def test_nobody_is_hidden_beside_units_in_the_open() -> None:
    position = engine.start(GAME, "first_steps")
    scout = replace(position.unit("s4"), cell="1-D08")
    assert rules(position.with_unit(scout)) == ["COH-10.0c"]


def test_there_are_no_more_units_than_counters() -> None:
    position = engine.start(GAME, "first_steps")
    guns = [Unit(f"x{n}", "german_flak18", "german", "1-E12", facing=0) for n in (1, 2)]
    assert rules(position.with_unit(*guns)) == ["COH-1.0a"]
