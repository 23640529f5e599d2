"""The data: schemas hold, the book's numbers are exact, and the board has everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexmarshal.errors import RulesError
from hexmarshal.games.conflict_of_heroes.plugin import ConflictOfHeroes
from hexmarshal.games.conflict_of_heroes.rules.turn import setup
from hexmarshal.games.conflict_of_heroes.state.source import DATA
from hexmarshal.rules import engine

COH = ConflictOfHeroes()


def test_the_pools_have_twenty_markers_each() -> None:
    assert len(COH.tables.full_pools["foot"]) == len(COH.tables.full_pools["vehicle"]) == 20


def test_all_fifty_counters_are_there_with_their_copies() -> None:
    assert len(COH.tables.counters) == 50
    assert COH.tables.counters["german_rifles_41"].count == 8
    assert COH.tables.counters["soviet_rifles_41"].count == 12


def test_what_the_book_shows_is_not_labelled_as_ours() -> None:
    rifles = COH.tables.counters["soviet_rifles_41"]
    shown = (rifles.fire, rifles.move, rifles.red, rifles.blue, rifles.front, rifles.flank)
    assert shown == (4, 1, 3, 0, 12, 11)
    assert not rifles.ours & {"fire", "move", "red", "blue", "front", "flank"}
    assert "range" in rifles.ours


def test_there_are_fifty_five_cards_of_which_the_book_lists_the_copies() -> None:
    cards = COH.tables.cards.values()
    assert sum(c.copies for c in cards if c.kind in ("action", "bonus")) == 43
    assert sum(c.copies for c in cards) == 55


def test_the_drawn_board_has_every_terrain_three_levels_and_whole_hexes_alone() -> None:
    drawn = COH.boards["1"]
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


@pytest.mark.parametrize("key", COH.boards.keys)
def test_names_are_board_row_column(key: str) -> None:
    for name, cell in COH.boards[key].hexes.items():
        column, row = cell.to_offset()
        assert name == f"{key}-{chr(ord('A') + row)}{column + 1:02d}"


def test_a_wrong_field_is_named(tmp_path: Path) -> None:
    (tmp_path / "hits.yaml").write_text(
        "format: coh-hits/1\npools:\n  foot: {}\n  vehicle: {x: {title: X}}\n"
    )
    with pytest.raises(RulesError) as caught:
        DATA.source(tmp_path).read("hits.yaml")
    assert caught.value.place.field == "pools.vehicle.x"
    assert caught.value.place.line == 4


def test_the_doctrines_fifth_is_rounded_up() -> None:
    assert [setup.solo_cap(n) for n in (0, 1, 5, 6, 10)] == [0, 2, 6, 8, 12]


@pytest.mark.parametrize(
    ("patch", "field", "text"),
    [
        ('board: "7"', "board", "no board '7'; there are: 1, 9"),
        ("g1: {cell: 9-Z99}", "forces.german.units.g1.cell", "no hex 9-Z99"),
        ("g1: {type: tiger}", "forces.german.units.g1.type", "no counter tiger"),
        ("g1: {weapon: '02'}", "forces.german.units.g1.weapon", "no weapon card 02"),
        ("g1: {fort: w1}", "forces.german.units.g1.fort", "no marker w1"),
        ("g1: {carrier: s1}", "forces.german.units.g1.carrier", "no unit s1"),
        ("g1: {cell: null}", "forces.german.units.g1", "g1 is nowhere"),
        ("s1: {type: german_lmg_34, cell: 9-E02}", "forces.soviet.units.s1", "a unit of german"),
        ("objectives: {9-E99: {control: german}}", "objectives.9-E99", "no hex 9-E99"),
        ('deck: {"77": 1}', "deck.77", "no card 77"),
        ("rules: {exits: {german: [9-E02, 9-E0]}}", "rules.exits.german.1", "no hex 9-E0"),
        ("markers: {t: {kind: wire, cell: E2}}", "markers.t.cell", "no hex E2"),
    ],
)
def test_what_a_firefight_names_and_is_not_there_is_told(
    patch: str, field: str, text: str, tmp_path: Path
) -> None:
    whole = patch if patch[0] not in "gs" else f"forces: {{german: {{units: {{{patch}}}}}}}"
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios/drill.patch.yaml").write_text(whole, encoding="utf-8")
    with pytest.raises(RulesError, match=text) as caught:
        engine.start(ConflictOfHeroes(tmp_path), "drill")
    assert caught.value.place.field == field
