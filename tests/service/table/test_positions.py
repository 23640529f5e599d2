"""A position goes onto the table of a module and comes back as it was."""

from __future__ import annotations

from dataclasses import replace

import pytest
from crossroads_module import UNITS, binding, cells, module
from hypothesis import given
from hypothesis import strategies as st
from tutorial import Crossroads
from tutorial.board import printed

from hexmarshal.rules import engine
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap
from hexmarshal.table.placing import write_save
from hexmarshal.table.reading import TableReader, base_position
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.saves.savegame import SavedGame

PLUGIN = Crossroads()


def again(position: Position, *, keep: bool = True) -> Position:
    """Written into a save, read from its bytes; with `keep`, what it carries beside the table."""
    saved, notes = write_save(module(), binding(), PLUGIN, position)
    assert [note.text for note in notes] == [
        f"nothing on the table shows {name}" for name in sorted(position.extras)
    ]
    read = SavedGame.from_archive(Archive.from_bytes(saved.to_bytes()))
    state = read.state()
    base = base_position(PLUGIN, read) if keep else replace(PLUGIN.blank(), scenario="meeting")
    reading = TableReader(module(), binding(), PLUGIN, state).read(state, base)
    assert reading.notes == ()
    return reading.position


@st.composite
def positions(draw: st.DrawFn) -> Position:
    chosen = draw(st.lists(st.sampled_from(sorted(UNITS)), unique=True))
    units = {}
    for unit in chosen:
        side, kind = UNITS[unit]
        units[unit] = Unit(
            unit,
            kind,
            side,
            draw(st.sampled_from(cells())),
            steps=draw(st.integers(1, printed(kind, "steps"))),
            flags=frozenset(draw(st.sets(st.sampled_from(["moved", "fought"])))),
            seen_by=draw(st.sampled_from([None, frozenset({side})])),
        )
    stacks: dict[str, int] = {}
    for unit in draw(st.permutations(chosen)):
        rank = stacks[units[unit].cell] = stacks.get(units[unit].cell, -1) + 1
        units[unit] = replace(units[unit], rank=rank)
    return replace(
        PLUGIN.blank(),
        scenario="meeting",
        turn=draw(st.integers(1, 9)),
        phase=draw(st.sampled_from(["move", "combat"])),
        active=(draw(st.sampled_from(["blue", "red"])),),
        units=FrozenMap(units),
    )


@given(positions())
def test_the_table_alone_holds_all_that_the_rules_know(position: Position) -> None:
    assert again(position, keep=False) == position


@given(positions(), st.booleans(), st.dictionaries(st.text(max_size=4), st.integers(0, 9)))
def test_what_no_piece_shows_travels_beside_the_table(
    position: Position, deep: bool, extras: dict[str, int]
) -> None:
    hidden = replace(
        position, options=FrozenMap({"deep_woods": deep}), extras=FrozenMap(dict(extras))
    )
    assert again(hidden) == hidden


def test_the_dice_to_come_are_not_written() -> None:
    position = engine.start(PLUGIN, "meeting", seed="a secret")
    saved, _ = write_save(module(), binding(), PLUGIN, position)
    assert b"a secret" not in saved.to_bytes()
    assert again(position) == replace(position, generator=None)


def test_the_table_is_believed_where_it_differs_from_what_travels_beside_it() -> None:
    position = engine.start(PLUGIN, "meeting")
    saved, _ = write_save(module(), binding(), PLUGIN, position)
    state = saved.state()
    table = TableReader(module(), binding(), PLUGIN, state)
    scout = table.units(state)["r3"]
    state.table.remove(scout.piece)
    read = table.read(state, base_position(PLUGIN, saved)).position
    assert read == position.without_unit("r3")


def test_a_counter_that_the_module_lacks_is_told() -> None:
    position = engine.start(PLUGIN, "meeting").with_unit(Unit("b9", "mule", "blue", "A1"))
    _, notes = write_save(module(), binding(), PLUGIN, position)
    assert [note.text for note in notes] == ["no counter of the module is b9 (mule of blue)"]


def test_the_scenario_is_told_by_its_units_or_not_at_all() -> None:
    position = engine.start(PLUGIN, "meeting")
    saved, _ = write_save(module(), binding(), PLUGIN, position)
    state = saved.state()
    table = TableReader(module(), binding(), PLUGIN, state)
    found = table.read(state, None)
    assert found.position == position
    assert [note.code for note in found.notes] == ["scenario"]
    strangers, _ = write_save(
        module(), binding(), PLUGIN, position.with_unit(Unit("b5", "tank", "blue", "A1", steps=2))
    )
    state = strangers.state()
    found = TableReader(module(), binding(), PLUGIN, state).read(state, None)
    assert found.position.scenario == ""
    assert "cannot be told" in found.notes[0].text


def test_a_scenario_that_is_under_way_is_told_by_the_units_that_are_left() -> None:
    position = engine.start(PLUGIN, "meeting")
    saved, _ = write_save(module(), binding(), PLUGIN, position.without_unit("r3"))
    state = saved.state()
    found = TableReader(module(), binding(), PLUGIN, state).read(state, None)
    assert found.position.scenario == "meeting"


@pytest.mark.parametrize("cell", ["A1", "G5", "D3"])
def test_a_cell_is_where_the_grid_of_the_module_has_it(cell: str) -> None:
    position = replace(
        PLUGIN.blank(), units=FrozenMap({"b1": Unit("b1", "infantry", "blue", cell, steps=2)})
    )
    saved, _ = write_save(module(), binding(), PLUGIN, position)
    state = saved.state()
    (piece,) = state.pieces.values()
    column, row = ord(cell[0]) - ord("A"), int(cell[1]) - 1
    assert abs(piece.x - (30 + 60 * column)) <= 1
    assert abs(piece.y - (30 + 60 * row + 30 * (column % 2))) <= 1
