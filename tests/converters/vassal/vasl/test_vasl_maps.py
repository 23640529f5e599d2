"""Maps of boards: flipped, cropped and joined, exact to the pixel."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction

import numpy as np
import pytest

from hexmarshal.errors import GeometryError, NotFoundError
from hexmarshal.vassal.vasl import Board, Catalogue, known_terrain, read_board
from hexmarshal.vassal.vasl.maps import crop, join
from hexmarshal.vassal.vasl.painting import Painting


def painted(name: str, seed: int) -> Board:
    rng = np.random.default_rng(seed)
    canvas = Painting(9, 6, name)
    for hex_name in rng.choice(canvas.grid.names, 14, replace=False).tolist():
        canvas.spot(str(rng.choice(["Woods", "Grain", "Stone Building"])), hex_name, 25)
        canvas.side("Hedge", hex_name, int(rng.integers(6)))
    return canvas.raise_to(1, *rng.choice(canvas.grid.names, 8).tolist()).board()


@pytest.fixture(scope="module")
def boards() -> tuple[Board, Board]:
    return painted("bdA", 1), painted("bdB", 2)


def assert_same_ground(board: Board, whole: Board, right: int, down: int) -> None:
    height, width = board.pixels.terrain.shape
    window = (slice(down, down + height), slice(right, right + width))
    assert np.array_equal(whole.pixels.terrain[window], board.pixels.terrain)
    assert np.array_equal(whole.pixels.elevation[window], board.pixels.elevation)


def test_a_board_turned_twice_is_the_board(boards):
    board, _ = boards
    turned = board.flipped()
    assert np.array_equal(turned.pixels.terrain[::-1, ::-1], board.pixels.terrain)
    back = turned.flipped()
    assert np.array_equal(back.pixels.terrain, board.pixels.terrain)
    assert np.array_equal(back.grid.x, board.grid.x)
    assert np.array_equal(back.facts.side, board.facts.side)
    index = board.hex("D3")
    assert turned.grid.neighbours[index, 3] == board.grid.neighbours[index, 0]
    assert turned.facts.side[index, 3] == board.facts.side[index, 0]


def test_joined_boards_share_the_hexes_of_their_seam(boards):
    a, b = boards
    whole = join([[a, b]])
    assert whole.grid.width == a.grid.width + b.grid.width
    assert_same_ground(a, whole, 0, 0)
    assert_same_ground(b, whole, a.grid.width, 0)
    assert whole.hex("bdA:I3") == whole.hex("bdB:A3")
    assert len(whole.grid.names) == len(a.grid.names) + len(b.grid.names) - 6
    seam = whole.hex("bdB:A3")
    assert whole.grid.names[whole.grid.neighbours[seam, 2]] == "bdB:B3"
    assert whole.grid.names[whole.grid.neighbours[seam, 4]] == "bdA:H3"


def test_rows_of_boards_share_the_half_hexes_between_them(boards):
    a, b = boards
    whole = join([[a], [b]])
    assert whole.grid.height == a.grid.height + b.grid.height
    assert_same_ground(b, whole, 0, a.grid.height)
    assert whole.hex("bdA:B6") == whole.hex("bdB:B0")
    assert whole.grid.names[whole.grid.neighbours[whole.hex("bdA:A6"), 3]] == "bdB:A1"


def test_four_boards_make_a_map(boards):
    a, b = boards
    c, d = painted("bdC", 3), painted("bdD", 4)
    whole = join([[a, b.flipped()], [c, d]])
    assert whole.pixels.terrain.shape == (2 * a.grid.height, 2 * a.grid.width)
    assert_same_ground(b.flipped(), whole, a.grid.width, 0)
    assert_same_ground(d, whole, a.grid.width, a.grid.height)
    ranges = whole.grid.range(np.array([whole.hex("bdA:A1")]), np.array([whole.hex("bdD:I6")]))
    assert ranges.tolist() == [16 + (23 - 16 - 1) // 2]


def test_a_crop_keeps_its_hexes_and_names_what_is_gone(boards):
    part = crop(boards[0], (2, 6))
    assert {n[0] for n in part.grid.names} == set("CDEFG")
    assert part.grid.width == 226  # from pixel 112.5 to 337.5: whole pixels stay
    with pytest.raises(NotFoundError, match="hex A1 was cropped away from bdA"):
        part.hex("A1")
    with pytest.raises(NotFoundError, match="there is no hex X1 on bdA"):
        part.hex("X1")
    low = crop(boards[0], rows=(3, 5))
    assert "E4" in low.grid.names
    assert "E3" not in low.grid.names
    with pytest.raises(GeometryError, match="nothing is left"):
        crop(boards[0], (7, 3))


def test_a_cropped_board_joins_like_a_whole_one(boards):
    a, b = boards
    part = crop(a, (0, 4))
    whole = join([[part, b]])
    assert whole.hex("bdA:E2") == whole.hex("bdB:A2")
    assert_same_ground(b, whole, part.grid.width, 0)
    with pytest.raises(NotFoundError, match="cropped away"):
        whole.hex("bdA:I1")


def test_a_half_board_joins_though_its_hexes_are_a_hair_wider(boards):
    half = Painting(9, 6, "bdHalf", hex_width=Fraction("56.3125")).fill("Woods", "E3").board()
    whole = join([[boards[0], half]])
    assert whole.hex("bdA:I2") == whole.hex("bdHalf:A2")
    assert_same_ground(half, whole, boards[0].grid.width, 0)
    for name in ("C3", "H5"):
        here, there = half.hex(name), whole.hex(f"bdHalf:{name}")
        right = Fraction(int(whole.grid.x[there]), whole.grid.scale) - boards[0].grid.width
        assert right == Fraction(int(half.grid.x[here]), half.grid.scale)


def test_hexes_of_other_sizes_do_not_join(boards):
    wide = Painting(9, 6, "bdWide", hex_width=Fraction(70), hex_height=Fraction(80)).board()
    with pytest.raises(GeometryError, match="bdA and bdWide differ in size"):
        join([[boards[0], wide]])
    with pytest.raises(GeometryError, match="at least one board"):
        join([])


def test_a_board_that_is_there_twice_is_told_apart(boards):
    a, b = boards
    whole = join([[a, a.flipped()], [b, a]])
    assert len(set(whole.grid.by_name)) == 4 * len(a.grid.names)
    assert whole.hex("bdA:I3") == whole.hex("bdA#2:I4")
    assert whole.pixels.terrain.shape == (2 * a.grid.height, 2 * a.grid.width)
    assert_same_ground(b, whole, 0, a.grid.height)
    assert whole.name == "bdA+bdA#2+bdB+bdA#3"


def test_a_map_lying_upside_down_is_the_same_map(boards):
    a, b = boards
    c, d = painted("bdC", 3), painted("bdD", 4)
    here = join([[a, b.flipped()], [c, d]])
    there = join([[d.flipped(), c.flipped()], [b, a.flipped()]]).flipped()
    assert set(here.grid.names) == set(there.grid.names)
    order = np.array([there.grid.names.index(name) for name in here.grid.names])
    assert np.array_equal(here.pixels.terrain, there.pixels.terrain)
    assert np.array_equal(here.pixels.elevation, there.pixels.elevation)
    for field in fields(here.facts):
        mine, yours = getattr(here.facts, field.name), getattr(there.facts, field.name)
        assert np.array_equal(mine, yours[order]), field.name


def test_boards_of_other_catalogues_do_not_join(boards):
    few = Catalogue.of(t for t in known_terrain().by_code.values() if t.name != "Marsh")
    other = Painting(9, 6, "bdOther", few).board()
    with pytest.raises(GeometryError, match="bdA and bdOther have different terrain catalogues"):
        join([[boards[0], other]])


def test_real_boards_join(corpus):
    one, two = (read_board(corpus / "vasl-boards" / name) for name in ("bd01", "bd02"))
    whole = join([[one, two.flipped()]])
    assert whole.pixels.terrain.shape == (645, 3600)
    assert whole.hex("bd01:GG5") == whole.hex("bd02:GG6")
    assert_same_ground(one, whole, 0, 0)
    assert_same_ground(two.flipped(), whole, 1800, 0)
