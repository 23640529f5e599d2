"""Saves of VASL as tables and positions, on boards and counters of our own and on real files."""

from __future__ import annotations

import collections

import pytest
from vasl_saves import Counter, Table, board, leader, level, marker, squad, weapon

from hexmarshal.errors import HexMarshalError, NotFoundError
from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.games.asl.vasl.boards.board_command import (
    BoardChoice,
    Crop,
    board_command,
    boards_in,
    read_board_command,
)
from hexmarshal.games.asl.vasl.boards.map_geometry import MARGIN, vasl_map
from hexmarshal.games.asl.vasl.counters.counter_names import own_names
from hexmarshal.games.asl.vasl.opening import open_table
from hexmarshal.games.asl.vasl.position_builder import position_of
from hexmarshal.games.asl.vasl.table_reader import read_table
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.vasl.painting import Painting

ONE = "0\t0\tOne\tVER\t1.0\t"


@pytest.fixture
def folder(tmp_path):
    board(tmp_path / "boards")
    return tmp_path / "boards"


@pytest.fixture
def at(folder):
    """The pixel of a hex of the map with the one board."""
    return vasl_map(read_board_command(f"bd\t{ONE}"), folder).point


def read(table, folder):
    return read_table(table.state, folder)


def test_the_board_command_is_read_and_written():
    text = (
        "bd\t0\t0\tr69\t0\t0\t844\t-1\tVER\t6.5\t\tSSR\tNoGrain\tWinter"
        "bd\t0\t1\t57\tVER\t6.5\t\tOVR\to5\th4\tg4\tOVR\twd3\td4\tc4\t"
    )
    one, two = read_board_command(text)
    assert one == BoardChoice(
        0, 0, "69", True, Crop(0, 0, 844, -1), "6.5", rules=("NoGrain", "Winter")
    )
    assert two.overlays == (("o5", "h4", "g4"), ("wd3", "d4", "c4"))
    assert not two.reversed
    assert read_board_command(board_command((one, two))) == (one, two)
    assert boards_in(["INFO\t", "bd\t", text]) == (one, two)
    assert boards_in(["bd\t"]) == ()
    assert boards_in(["LOG"]) is None


@pytest.mark.parametrize("text", ["bd\tx\t0\t01\t", "bd\t0\t", "bd\t0\t0\t"])
def test_a_damaged_board_command_is_refused(text):
    with pytest.raises(HexMarshalError, match="no place and name"):
        read_board_command(text)


@pytest.mark.parametrize(
    "boards",
    [
        ONE,
        "0\t0\trOne\tVER\t1.0\t",
        "0\t0\tOne\t113\t0\t225\t-1\tVER\t1.0\t",
        "0\t0\trOne\t113\t0\t225\t-1\tVER\t1.0\t",
        f"{ONE}bd\t1\t0\trTwo\tVER\t1.0\tbd\t0\t1\tTwo\tVER\t1.0\tbd\t1\t1\tOne\tVER\t1.0\t",
    ],
)
def test_every_hex_is_found_at_its_own_pixel_and_the_map_has_it(folder, boards):
    board(folder, "bdTwo")
    found = vasl_map(read_board_command(f"bd\t{boards}"), folder)
    ground = AdvancedSquadLeader(folder).atlas.sight(found.name).board
    names = 0
    for placed in found.placed:
        for index, kept in enumerate(placed.kept.tolist()):
            if not kept:
                continue
            cell = found.cell(placed, index)
            place = ground.hex(cell)
            x, y = found.point(cell)
            assert (x, y) == placed.outside(*placed.inside(x, y))
            # The pixels of our own map are those of VASL's, without its margin.
            assert abs(x - MARGIN - ground.grid.x[place] / ground.grid.scale) <= 2
            assert abs(y - MARGIN - ground.grid.y[place] / ground.grid.scale) <= 2
            located = found.locate(x, y)
            if located is not None:
                assert ground.hex(located.cell) == place
                assert located.vertex is None
                names += 1
    assert names > 20
    assert found.locate(10, 10) is None


def test_counters_show_their_strength_side_and_state(folder, at):
    table = Table(ONE)
    x, y = at("F3")
    table.stack(x, y, squad(), squad(level=2, half=True), squad("ge", "467 447", "247 237"))
    table.stack(
        *at("G3"), squad(level=3, broken=True), leader(rank=4), leader("ge", 8, broken=True)
    )
    found = [c for c in read(table, folder).counters if c.face.is_personnel]
    told = [(c.cell, c.face.text, c.face.nation, "broken" in c.flags) for c in found]
    assert told == [
        ("F3", "4-5-8 squad", "russian", False),
        ("F3", "2-3-7 half-squad", "russian", False),
        ("F3", "4-6-7 squad", "german", False),
        ("G3", "4-2-6 squad", "russian", True),
        ("G3", "9-1 leader", "russian", False),
        ("G3", "6+1 leader", "german", True),
    ]
    assert [c.face.counter for c in found][:2] == ["russian_4-5-8", "russian_2-3-7"]


def test_a_weapon_belongs_to_the_men_just_below_it(folder, at):
    table = Table(ONE)
    mortar, first, gun, light, second, last = table.stack(
        *at("F3"), weapon("HMG"), squad(), weapon(), weapon("LMG"), squad(), weapon("LMG")
    )
    holders = {c.id: c.holder for c in read(table, folder).counters if c.face.weapon is not None}
    assert holders == {mortar: "", gun: first, light: first, last: second}


def test_a_level_holds_for_those_above_and_a_foxhole_for_those_below(folder, at):
    table = Table(ONE)
    foxhole = Counter("1S Foxhole", "ML/Foxhole", "212")
    ground, _, _, upper, gun = table.stack(*at("E3"), squad(), foxhole, level(1), squad(), weapon())
    by_id = read(table, folder).by_id
    assert (by_id[ground].level, by_id[ground].entrenched) == (0, True)
    assert (by_id[upper].level, by_id[upper].entrenched) == (1, False)
    assert by_id[gun].holder == upper
    roof = Table(ONE)
    *_, on_roof = roof.stack(*at("E3"), level(4), squad())
    assert read(roof, folder).by_id[on_roof].roof


def test_markers_say_what_they_cover_and_nothing_more(folder, at):
    table = Table(ONE)
    one, two, _, three, _, four, _ = table.stack(
        *at("F3"),
        squad(broken=True),
        squad(),
        marker("Prep Fire"),
        squad(),
        marker("DM"),
        squad(),
        marker("Pin"),
    )
    flags = {c.id: c.flags for c in read(table, folder).units()}
    assert flags == {
        one: {"broken", "prep_fire", "dm"},
        two: {"prep_fire"},
        three: set(),
        four: {"pinned"},
    }
    assert read(table, folder).notes == (
        "F3: Pin is taken for one unit, the next below it; more lie below",
    )


def test_concealed_and_hidden_units_are_known_and_the_others_do_not_see_them(folder, at):
    table = Table(ONE)
    under, _, _ = table.stack(
        *at("F3"), squad(), Counter("?", "ru/ruqmark.svg"), squad("ge", "467")
    )
    (hidden,) = table.stack(*at("G3"), squad(hidden="someone"))
    table.stack(*at("H3"), Counter("?", "ru/ruqmark.svg"))
    found = read_table(table.state, folder)
    assert "concealed" in found.by_id[under].flags
    assert found.by_id[hidden].face.hidden
    read = position_of(found, AdvancedSquadLeader(folder))
    side = read.position.units[f"c{hidden}"].side
    assert read.position.units[f"c{hidden}"].seen_by == {side}
    assert [u.type for u in read.position.units.values() if u.cell == "H3"] == ["dummy"]
    assert read.left_out == ()


def test_what_is_on_no_hex_is_told_with_the_reason(folder, at):
    table = Table(ONE)
    table.stack(100, 100, squad())
    table.stack(100, 100, squad(), map="Casualties")
    table.stack(100, 100, squad(), map="null")
    why = [counter.why for counter in read(table, folder).counters]
    assert why == ["beside the boards", "on the map Casualties", "on no map"]
    bare = Table("")
    bare.stack(100, 100, squad())
    assert [c.why for c in read(bare, None).counters] == ["the save has no boards"]


def test_a_save_becomes_a_position_that_the_rules_admit(folder, at, tmp_path):
    from hexmarshal.rules.state.validate import problems

    table = Table(ONE)
    table.stack(*at("E3"), squad(), weapon(), level(1), squad(), leader())
    table.stack(
        *at("G3"), squad("ge", "467 447", "247 237"), weapon("LMG", "ge"), weapon("DC", "ge")
    )
    table.stack(*at("B3"), Counter("White +3 Smoke", "ML/Smk3"))
    opened = open_table(table.save(tmp_path / "game.vsav"), folder)
    read = opened.position(phase="prep_fire")
    assert problems(opened.plugin, read.position) == ()
    assert read.nations == {"attacker": ("german",), "defender": ("russian",)}
    kinds = collections.Counter(unit.type for unit in read.position.units.values())
    assert kinds == {
        "russian_4-5-8": 2, "russian_mmg": 1, "leader_9-1": 1, "german_4-6-7": 1, "german_lmg": 1,
    }  # fmt: skip
    smoke = next(iter(read.position.markers.values()))
    assert (smoke.cell, smoke.kind, smoke.values["hindrance"]) == ("B3", "smoke", 3)
    assert [why for _, why in read.left_out] == ["the rules have no DC yet"]
    upper = [u for u in read.position.units.values() if u.level == 1]
    assert len(upper) == 2


def test_a_level_that_the_hex_does_not_have_is_reported(folder, at):
    table = Table(ONE)
    table.stack(*at("G3"), level(2), squad())
    read = position_of(read_table(table.state, folder), AdvancedSquadLeader(folder))
    assert [unit.level for unit in read.position.units.values()] == [0]
    assert "no level" not in read.left_out[0][1]
    assert "has none" in read.left_out[0][1]


def test_missing_boards_are_named(folder, tmp_path):
    table = Table("0\t0\t99\tVER\t1.0\t")
    path = table.save(tmp_path / "game.vsav")
    with pytest.raises(NotFoundError, match="bd99 is missing"):
        open_table(path, folder)


def test_damaged_boards_are_named_without_the_path_of_their_folder(folder, tmp_path):
    (folder / "bdBad").write_bytes(b"PK nothing")
    path = Table("0\t0\tBad\tVER\t1.0\t").save(tmp_path / "game.vsav")
    with pytest.raises(HexMarshalError) as caught:
        open_table(path, folder)
    assert "bdBad" in str(caught.value)
    assert str(folder) not in str(caught.value)


def test_a_save_of_another_module_is_refused(tmp_path):
    table = Table(ONE)
    other = b'<?xml version="1.0"?><data version="1"><version>1</version><name>Chess</name></data>'
    path = tmp_path / "chess.vsav"
    SavedGame.from_state(table.state, entries={"moduledata": other}).save(path)
    with pytest.raises(HexMarshalError, match="'Chess', not of VASL"):
        open_table(path)


def test_the_data_name_counters_that_the_rules_have():
    names, counters = own_names(), AdvancedSquadLeader().tables.counters
    for stem, men in names.men.items():
        if men.counter:
            found = counters[men.counter]
            assert (found.kind, found.fp, found.range, found.morale) == (
                men.kind, men.fp, men.range, men.morale,
            ), stem  # fmt: skip
    for stem, weapon_row in names.weapons.items():
        if weapon_row.counter:
            assert counters[weapon_row.counter].kind == weapon_row.kind, stem


# Real files


def test_every_counter_of_real_saves_has_a_hex_or_a_reason(corpus):
    boards = corpus / "vasl-boards"
    count, refused = collections.Counter(), []
    for path in sorted((corpus / "saves").glob("*.vsav")):
        try:
            table = open_table(path, boards).table
        except HexMarshalError as error:
            refused.append(error.message)
            continue
        for counter in table.counters:
            assert bool(counter.cell) != bool(counter.why), counter
            count["counters"] += 1
            if counter.face.cls in ("squad", "half_squad", "crew"):
                assert counter.face.men is not None
                assert counter.face.men.counter, counter.face.name
                count["men"] += 1
    assert all("not of VASL" in text or "is missing" in text for text in refused)
    assert count["men"] > 0


def test_every_hex_is_found_at_its_own_point(folder):
    Painting(9, 6, "bdTwo").write(folder)
    for text in (ONE, "0\t0\trOne\tVER\t1\t", ONE + "bd\t0\t1\trTwo\tVER\t1\t"):
        laid = vasl_map(read_board_command(f"bd\t{text}"), folder)
        for placed in laid.placed:
            for index in range(len(placed.board.grid.names)):
                cell = laid.cell(placed, index)
                found = laid.locate(*laid.point(cell))
                # A half hex on a seam may be found as the one of the other board.
                assert found is not None, cell
                if len(laid.placed) == 1:
                    assert found.cell == cell


def test_a_heap_of_counters_takes_no_time_and_its_order_is_not_read(folder, at):
    table = Table(ONE)
    heap = [one for _ in range(400) for one in (Counter("?", "ru/ruqmark"), squad(), marker("DM"))]
    table.stack(*at("B3"), *heap)
    found = read(table, folder)
    assert len(found.counters) == 1200
    assert all(counter.cell == "B3" for counter in found.counters)
    assert any("a stack of 1200 counters" in note for note in found.notes)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0\t0\tOne\t0\t0\t1\t1\tVER\t1", "cropped to nothing"),
        ("0\t0\t" + "A" * 100_000, "is missing"),
        (ONE + "bd\t0\t0\tOne\tVER\t1", "the same place"),
        ("".join(f"{n}\t0\tOne\tVER\t1\tbd\t" for n in range(40)), "a map of 40 boards"),
    ],
)
def test_maps_that_cannot_be_are_refused(folder, text, words):
    with pytest.raises(HexMarshalError, match=words):
        read(Table(text), folder)
