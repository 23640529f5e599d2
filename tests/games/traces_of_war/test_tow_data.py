"""A user's own data: what is put in is used, and what is wrong is named with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tow_ground import game, position, unit

from hexmarshal.errors import HexMarshalError
from hexmarshal.games.traces_of_war import TracesOfWar
from hexmarshal.games.traces_of_war.state.source import DATA
from hexmarshal.kit.data.report import play_problems
from hexmarshal.rules import engine
from hexmarshal.rules.values import FrozenMap


def test_the_printed_columns_are_the_books_and_all_others_are_marked() -> None:
    rows = game().tables.combat["results"]
    assert rows["5-1"]["die"] == ["R", "R", "RR", "RR", "1RR", "1RR"]
    assert rows["6-1"]["die"] == ["R", "RR", "RR", "1RR", "1RR", "2RR"]
    unmarked = [name for name, row in rows.items() if row.get("ours") != [1, 2, 3, 4, 5, 6]]
    assert unmarked == ["5-1", "6-1"]


def test_the_columns_get_better_for_the_attacker_die_by_die_and_column_by_column() -> None:
    worth = ["A2", "A1", "-", "R", "RR", "1RR", "2RR", "3RR"]
    rows = game().tables.combat["results"].values()
    ranks = [[worth.index(code) for code in row["die"]] for row in rows]
    assert all(row == sorted(row) for row in ranks)
    assert all(list(column) == sorted(column) for column in zip(*ranks, strict=True))


def test_cities_and_crossing_points_stand_where_the_book_prints_them() -> None:
    board = game().boards["ukraine"]
    printed = {
        "2634": "Kharkiv",
        "2918": "Kyiv",
        "0218": "Odesa",
        "2305": "Ternopil",
        "1338": "Stalino",
        "1631": "Dnipropetrovsk",
    }
    assert {cell: board.cities[cell].name for cell in board.orders} == printed
    assert board.cities["1926"].name == "Kremenchuk"
    assert "1731" in board.cities
    assert board.crossings["1826"].key == board.crossings["1827"].key == "1926"


def test_numbers_of_a_users_own_make_the_book_complete(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    own = '{results: {"3-1": {die: [R, R, R, R, R, R], ours: []}}}'
    (tmp_path / "rules/combat.patch.yaml").write_text(own)
    units = {
        "s": unit("soviet", "infantry", "1010", "9-4"),
        "a": unit("axis", "infantry", "1011", "3-5"),
    }
    of = position(units, options={"book_only": True})
    query = FrozenMap({"target": "1011", "attackers": ("s",)})
    with pytest.raises(HexMarshalError, match="the table is not in the book: column 3-1"):
        engine.ask(game(), of, "odds", query)
    answer = engine.ask(TracesOfWar(tmp_path), of, "odds", query)
    assert answer.to_json()["distribution"] == {"R": "1"}


HOLES = {
    "rules/terrain.patch.yaml": ("hexes: {rough: {cost: null}}", "'cost' is a required property"),
    "rules/combat.yaml": (
        'columns: ["1-1", "2-1"]\nresults: {"1-1": {die: [R, R, R, R, R, R]}}',
        "the column 2-1 has no results",
    ),
    "rules/combat.patch.yaml": ('results: {"3-1": {die: [R, R]}}', "too short"),
    "rules/tables.patch.yaml": ("luftwaffe: {cells: [1, 2]}", "too short"),
    "counters.patch.yaml": ("counters: {de-15: {ladder: [3-4-5]}}", "print strength-move"),
    "scenarios/race.patch.yaml": ("units: {de-15: '9999'}", "the map has no hex 9999"),
    "scenarios/campaign.patch.yaml": ("units: {nobody: '2020'}", "no counter 'nobody'"),
    "boards/ukraine/map.patch.yaml": ("orders: ['1926']", "1926 is no major city"),
}


@pytest.mark.parametrize("name", HOLES)
def test_a_hole_in_the_data_is_named_with_its_file_and_line(tmp_path: Path, name: str) -> None:
    text, message = HOLES[name]
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"# mine\n{text}\n")
    found = [*DATA.source(tmp_path).problems()]
    try:
        found += play_problems(TracesOfWar(tmp_path))
    except HexMarshalError as error:
        found.append(error)
    told = [e for e in found if message in e.message]
    assert told, [e.message for e in found]
    assert told[0].place is not None
    assert told[0].place.file == str(file)
    assert told[0].place.line == 2
