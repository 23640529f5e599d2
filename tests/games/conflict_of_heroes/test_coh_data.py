"""The data: schemas hold, the book's numbers are exact, and the board has everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexmarshal.errors import RulesError
from hexmarshal.games.conflict_of_heroes.rules.turn import setup
from hexmarshal.games.conflict_of_heroes.state import source
from hexmarshal.games.conflict_of_heroes.state.board import board, board_keys


def test_the_pools_have_twenty_markers_each() -> None:
    assert len(source.hit_pool("foot")) == len(source.hit_pool("vehicle")) == 20


def test_all_fifty_counters_are_there_with_their_copies() -> None:
    assert len(source.counters()) == 50
    assert source.counters()["german_rifles_41"].count == 8
    assert source.counters()["soviet_rifles_41"].count == 12


def test_what_the_book_shows_is_not_labelled_as_ours() -> None:
    rifles = source.counters()["soviet_rifles_41"]
    shown = (rifles.fire, rifles.move, rifles.red, rifles.blue, rifles.front, rifles.flank)
    assert shown == (4, 1, 3, 0, 12, 11)
    assert not rifles.ours & {"fire", "move", "red", "blue", "front", "flank"}
    assert "range" in rifles.ours


def test_there_are_fifty_five_cards_of_which_the_book_lists_the_copies() -> None:
    cards = source.cards().values()
    assert sum(c.copies for c in cards if c.kind in ("action", "bonus")) == 43
    assert sum(c.copies for c in cards) == 55


def test_the_drawn_board_has_every_terrain_three_levels_and_whole_hexes_alone() -> None:
    drawn = board("1")
    kinds = {kind.key for kind in drawn.kinds.values()}
    assert kinds == {
        "open",
        "light_woods",
        "forest",
        "field",
        "wooden_building",
        "stone_building",
        "water",
    }
    assert set(drawn.levels.values()) == {0, 1, 2}
    assert drawn.walls
    assert any(drawn.kinds[cell].key == "water" for cell in drawn.road_hexes), "a bridge"
    assert any(
        abs(drawn.levels[a] - drawn.levels[b]) == 2
        for a in drawn.hexes
        for b in drawn.neighbours[a]
    )
    assert len(drawn.hexes) == 9 * 12 + 8 * 11


@pytest.mark.parametrize("key", board_keys())
def test_names_are_board_row_column(key: str) -> None:
    for name, cell in board(key).hexes.items():
        column, row = cell.to_offset()
        assert name == f"{key}-{chr(ord('A') + row)}{column + 1:02d}"


def test_a_wrong_field_is_named(tmp_path: Path) -> None:
    (tmp_path / "hits.yaml").write_text(
        "format: coh-hits/1\npools:\n  foot: {}\n  vehicle: {x: {title: X}}\n"
    )
    with pytest.raises(RulesError) as caught:
        source.DATA.source(tmp_path).read("hits.yaml")
    assert caught.value.place.field == "pools.vehicle.x"
    assert caught.value.place.line == 4


def test_the_doctrines_fifth_is_rounded_up() -> None:
    assert [setup.solo_cap(n) for n in (0, 1, 5, 6, 10)] == [0, 2, 6, 8, 12]
