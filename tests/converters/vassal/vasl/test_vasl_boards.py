"""Boards from archives: what is read, unusual ones, and what is wrong with bad ones."""

from __future__ import annotations

import gzip
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from hexmarshal.errors import HexMarshalError, NotFoundError, VassalFormatError
from hexmarshal.vassal.container.archive import build_archive
from hexmarshal.vassal.vasl import read_board
from hexmarshal.vassal.vasl.grid import grid_of, owners
from hexmarshal.vassal.vasl.hexes import ABSENT
from hexmarshal.vassal.vasl.metadata import read_metadata
from hexmarshal.vassal.vasl.painting import Painting, board_entries


def village() -> Painting:
    canvas = Painting(
        9,
        6,
        "bdVillage",
        slopes={"C3": frozenset({0, 1})},
        embankments={"B2": frozenset({3})},
        partial_orchards={"D2": frozenset({2})},
    )
    canvas.fill("Stone Building, 2 Level", "D3", "E3").side("Rowhouse Wall, 2 Level", "D3", 1)
    canvas.spot("Orchard", "F4").side("Hedge", "G3", 0).raise_to(2, "H5")
    canvas.band("Gully", -1, "B4", "C5", "D5").stairway("D3")
    return canvas


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    return read_board(village().write(tmp_path_factory.mktemp("boards")))


def test_hexes_know_their_ground_buildings_and_hexsides(board):
    facts, codes = board.facts, board.catalogue.by_name
    d3, e3, g3 = (board.hex(name) for name in ("D3", "E3", "G3"))
    assert facts.building[d3] == facts.building[e3] == codes["Stone Building, 2 Level"].code
    assert facts.multi[d3]
    assert facts.stairway[d3]
    assert not facts.stairway[e3]
    assert facts.side[d3, 1] == facts.side[e3, 4] == codes["Rowhouse Wall, 2 Level"].code
    assert facts.side[g3, 0] == codes["Hedge"].code
    assert facts.side[g3, 3] == ABSENT
    assert facts.centre[board.hex("F4")] == codes["Orchard"].code  # inherent, though drawn small
    assert facts.base[board.hex("H5")] == 2
    assert facts.base[board.hex("C5")] == -1
    assert facts.slope[board.hex("C3")].tolist() == [True, True, False, False, False, False]
    assert facts.embankment[board.hex("B2"), 3]
    assert facts.partial_orchard[board.hex("D2"), 2]


def test_buildings_have_levels_a_rooftop_and_a_cellar(board):
    kinds = {level.above: level.kind for level in board.levels[board.hex("D3")]}
    assert kinds == {0: "ground", 1: "level", 2: "level", 3: "rooftop", -1: "cellar"}
    assert [level.above for level in board.levels[board.hex("A1")]] == [0]


def test_a_bridge_over_a_gully_has_a_level(tmp_path):
    canvas = Painting(9, 6, "bdBridge").band("Gully", -1, "C3", "D3", "E4", wide=12)
    canvas.band("Stone Bridge", 0, "D2", "D4", wide=4)
    canvas.spot("Gully", "D3", 3)
    canvas.elevation[canvas.terrain == canvas.catalogue.by_name["Gully"].code] = -1
    bridged = read_board(canvas.write(tmp_path))
    assert {v.kind: v.above for v in bridged.levels[bridged.hex("D3")]} == {
        "ground": 0,
        "bridge": 1,
    }


@pytest.mark.parametrize(
    ("more", "count", "first", "below"),
    [
        ({}, 58, ["A1", "B0"], "A2"),
        ({"a1_y": Fraction(0)}, 59, ["A1", "B0"], "A2"),
        ({"a1_y": Fraction(65), "hex_height": Fraction(65)}, 54, ["A0", "B0"], "A1"),
        ({"layout": "TopLeftHalfHeightEqualRowCount"}, 54, ["A0", "B0"], "A1"),
        ({"a1_y": Fraction("-612.75")}, 58, ["A11", "B10"], "A12"),
        ({"hex_width": Fraction("56.3125"), "a1_x": Fraction(-901)}, 58, ["Q1", "R0"], "Q2"),
        ({"hex_width": Fraction("131.7"), "hex_height": Fraction("151.3")}, 58, ["A1", "B0"], "A2"),
        ({"a1_x": Fraction("37.123456"), "a1_y": Fraction("40.98765")}, 58, ["A1", "B0"], "A2"),
    ],
)
def test_uncommon_grids_are_read(tmp_path, more, count, first, below):
    canvas = Painting(9, 6, "bdOdd", **more)
    canvas.terrain[10:20, 20:30] = canvas.catalogue.by_name["Woods"].code
    read = read_board(canvas.write(tmp_path))
    names = read.grid.names
    assert len(names) == count
    assert next(n for n in names if n[0] in "AQ") == first[0]
    assert next(n for n in names if n[0] in "BR") == first[1]
    index = read.hex(first[0])
    assert names[read.grid.neighbours[index, 3]] == below
    # Neighbours stand one hex apart, whatever the size.
    for side, other in enumerate(read.grid.neighbours[index].tolist()):
        if other >= 0:
            assert read.grid.neighbours[other, (side + 3) % 6] == index
    assert (owners(read.grid) == read.pixels.owner).all()


def test_missing_metadata_fields_are_no_reason_to_fail(tmp_path):
    canvas = village()
    for text in (
        b"<boardMetadata/>",
        b"<boardMetadata><buildingTypes><buildingType/></buildingTypes><colors/></boardMetadata>",
    ):
        path = tmp_path / "bdBare"
        path.write_bytes(b"".join(build_archive(canvas.entries() | {"BoardMetadata.xml": text})))
        assert read_board(path).grid.names == canvas.grid.names


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"LOSData": None}, "no sight data"),
        ({"BoardMetadata.xml": None}, "no BoardMetadata.xml"),
        ({"BoardMetadata.xml": b"<boardMetadata"}, "broken XML"),
        ({"BoardMetadata.xml": b"<other/>"}, "<other> instead of <boardMetadata>"),
        ({"BoardMetadata.xml": b"<boardMetadata hexWidth='wide'/>"}, "wide"),
        ({"BoardMetadata.xml": b"<boardMetadata hexWidth='1e9999999'/>"}, "is not a number of pix"),
        ({"BoardMetadata.xml": b"<boardMetadata A1CenterX='1/0'/>"}, "A1CenterX '1/0' is not a"),
        ({"BoardMetadata.xml": b"<boardMetadata A1CenterY='nan'/>"}, "A1CenterY 'nan' is not a"),
        ({"BoardMetadata.xml": b"<boardMetadata A1CenterY='-9e9'/>"}, "is not a number of pixels"),
        ({"BoardMetadata.xml": b"<boardMetadata hexHeight='0.001'/>"}, "of 0.001 cannot be"),
        ({"BoardMetadata.xml": b"<boardMetadata width='x'/>"}, "the width 'x' is not a number"),
        ({"BoardMetadata.xml": b"<boardMetadata hexWidth='9e5'/>"}, "do not fit 450 pixels"),
        ({"BoardMetadata.xml": b"<boardMetadata A1CenterY='9999'/>"}, "do not fit 387 pixels"),
        ({"BoardMetadata.xml": b"<boardMetadata hexWidth='-3'/>"}, "hexWidth of -3 cannot be"),
        (
            {"BoardMetadata.xml": b"<boardMetadata><slope hex='A1' hexsides='9'/></boardMetadata>"},
            "'9' does not name hexsides",
        ),
    ],
)
def test_what_is_wrong_with_a_board_is_said(tmp_path, entries, message):
    parts = {k: v for k, v in (village().entries() | entries).items() if v is not None}
    path = tmp_path / "bdBad"
    path.write_bytes(b"".join(build_archive(parts)))
    with pytest.raises(HexMarshalError, match=message) as caught:
        read_board(path)
    assert "bdBad" in str(caught.value)


def test_an_archive_cut_short_is_said(tmp_path):
    path = village().write(tmp_path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(VassalFormatError):
        read_board(path)


def test_a_board_cut_anywhere_is_refused(tmp_path):
    path = Painting(2, 1, "bdSmall").write(tmp_path)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(HexMarshalError) as caught:
            read_board(path)
        assert caught.value.place.file == str(path)


@pytest.mark.parametrize("entry", ["BoardMetadata.xml", "LOSData", None])
def test_damage_is_refused_or_harmless(tmp_path, entry):
    canvas = Painting(3, 2, "bdSmall").fill("Grain", "B1").side("Wall", "B1", 2)
    entries = canvas.entries()
    stream = gzip.decompress(entries["LOSData"])
    rng = np.random.default_rng(len(entry or ""))
    path = canvas.write(tmp_path)
    whole, refused = path.read_bytes(), set()
    for _ in range(150):
        data = bytearray({None: whole, "LOSData": stream}.get(entry) or entries[str(entry)])
        for at in rng.integers(0, len(data), rng.integers(1, 4)).tolist():
            data[at] = rng.choice([0, 1, 0x39, 0x7F, 0x80, 0xFF])
        if entry is not None:
            damaged = gzip.compress(data, 1) if entry == "LOSData" else bytes(data)
            data = bytearray(b"".join(build_archive(entries | {entry: damaged})))
        path.write_bytes(data)
        try:
            assert all(levels[0].kind == "ground" for levels in read_board(path).levels)
        except HexMarshalError as error:
            refused.add(error.place.file)
    assert refused == {str(path)}


def test_a_hex_whose_centre_lies_off_the_board_has_the_ground_beside_it(tmp_path):
    canvas = Painting(3, 2, "bdShort").raise_to(2, "C1")
    los = canvas.los
    short = replace(
        los, terrain=los.terrain[:, :-20].copy(), elevation=los.elevation[:, :-20].copy()
    )
    path = tmp_path / "bdShort"
    path.write_bytes(b"".join(build_archive(board_entries(canvas.meta, short))))
    board = read_board(path)
    index = board.hex("C1")
    assert board.grid.x[index] > board.grid.width * board.grid.scale
    assert (board.facts.base[index], board.facts.centre[index]) == (2, 0)


def test_entities_are_not_followed(tmp_path):
    bomb = b"".join(
        b'<!ENTITY e%d "%s">' % (i, b"&e%d;" % (i - 1) * 10 if i else b"x") for i in range(12)
    )
    for text in (
        b"<!DOCTYPE b [%s]><boardMetadata name='&e11;'/>" % bomb,
        b"<boardMetadata name='&none;'/>",
    ):
        with pytest.raises(VassalFormatError, match="broken XML"):
            read_metadata(text)
    text = "<?xml version='1.0' encoding='UTF-16'?><boardMetadata name='Höhe'/>"
    assert read_metadata(text.encode("utf-16")).name == "Höhe"


def test_an_unknown_terrain_code_is_named_with_its_hex(tmp_path):
    canvas = village()
    canvas.terrain[canvas.owner == canvas.grid.by_name["C2"]] = 250
    with pytest.raises(VassalFormatError, match="terrain code 250") as caught:
        read_board(canvas.write(tmp_path))
    assert caught.value.place.cell == "C2"


def test_a_hex_off_the_board_and_a_level_that_is_not_there_are_named(board):
    with pytest.raises(NotFoundError, match="no hex Z99 on bdVillage"):
        board.hex("Z99")
    with pytest.raises(NotFoundError, match="no level 7") as caught:
        board.level(board.hex("D3"), 7)
    assert caught.value.hint == "its levels: 0, 1, 2, 3, -1"


def test_real_boards_are_read_whole(corpus):
    for name, buildings in (("bd01", 90), ("bd02", 0)):
        real = read_board(corpus / "vasl-boards" / name)
        assert len(real.grid.names) == 346
        assert (real.facts.building != ABSENT).sum() >= buildings
        assert real.image


def test_metadata_without_a_grid_give_a_geomorphic_one():
    grid = grid_of(read_metadata(b"<boardMetadata/>"), 33, 10, 1800, 645)
    assert (grid.x.max() / grid.scale, grid.y.max() / grid.scale) == (1800, 645)


def test_entries_make_an_archive_with_a_picture(tmp_path):
    canvas = village()
    entries = board_entries(canvas.meta, canvas.los, {"bdVillage.png": b"picture"})
    assert list(entries) == ["BoardMetadata.xml", "LOSData", "bdVillage.png"]
    assert np.array_equal(read_board(canvas.write(tmp_path)).pixels.terrain, canvas.terrain)
