"""Boards side by side, flipped, cropped and magnified on a map."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.grids import HexGrid, Size, grid_from_spec
from hexmarshal.geometry.terrain.boards import OFFBOARD, BoardMap, MapBoard

SIZE = Size(554, 480)


def grid(prefix=""):
    attributes = {"locationFormat": f"{prefix}$gridLocation$"}
    return grid_from_spec({"kind": "hex", "numbering": attributes}, SIZE)


def board(name, **options):
    return MapBoard(name, SIZE, grid(f"{name}-"), **options)


def two_by_one():
    return BoardMap.lay_out([(board("A"), 0, 0), (board("B"), 1, 0)], padding=(100, 50))


def test_boards_lie_beside_and_below_each_other():
    wide, low = MapBoard("wide", Size(900, 300)), MapBoard("low", Size(400, 100))
    laid = BoardMap.lay_out([(wide, 0, 0), (low, 1, 0), (low, 0, 1), (wide, 1, 1)], (10, 20))
    assert [(b.x, b.y) for b in laid.boards] == [(10, 20), (910, 20), (10, 320), (410, 120)]
    assert laid.size == (1310 + 10, 420 + 20)


def test_a_missing_board_counts_nothing():
    laid = BoardMap.lay_out([(board("A"), 1, 0), (board("B"), 1, 2)])
    assert [(b.x, b.y) for b in laid.boards] == [(0, 0), (0, 480)]


def test_names_come_from_the_board_that_a_pixel_is_on():
    laid = two_by_one()
    assert laid.location_name((100 + 55, 50 + 64)) == "A-0202"
    assert laid.location_name((100 + 554 + 55, 50 + 64)) == "B-0202"
    assert laid.location_name((99, 60)) == laid.location_name((200, 49)) == OFFBOARD
    assert laid.pixel_named("B-0202") == (100 + 554 + 55, 50 + 64)
    assert laid.pixel_named("B-0202", board="B") == (709, 114)


def test_a_flipped_board_counts_from_its_other_corner():
    laid = BoardMap.lay_out([(board("A", reversed=True), 0, 0)])
    assert laid.location_name((554 - 55, 480 - 64)) == "A-0202"
    assert laid.snap((554 - 60, 480 - 60)) == (554 - 55, 480 - 64)
    assert laid.pixel_named("A-0202") == (499, 416)


def test_a_magnified_board_is_measured_in_its_own_pixels():
    twice = MapBoard("A", Size(1108, 960), grid("A-"), magnification=2.0)
    laid = BoardMap.lay_out([(twice, 0, 0)])
    assert laid.location_name((110, 128)) == "A-0202"
    assert laid.snap((120, 120)) == (110, 128)


@pytest.mark.parametrize("flipped", [False, True])
def test_a_cropped_board_keeps_its_names(flipped):
    whole = board("A", reversed=flipped)
    part = whole.cropped(100, 40, 300, 200)
    full, cut = (BoardMap.lay_out([(each, 0, 0)]) for each in (whole, part))
    for pixel in [(0, 0), (17, 100), (299, 199)]:
        assert cut.location_name(pixel) == full.location_name((pixel[0] + 100, pixel[1] + 40))
        snapped = cut.snap(pixel, force=True)
        if 1 < snapped.x < 298 and 1 < snapped.y < 198:
            assert full.snap((pixel[0] + 100, pixel[1] + 40)) == (snapped.x + 100, snapped.y + 40)
    gone = full.location_name((5, 5))
    with pytest.raises(GeometryError, match="no cell"):
        cut.pixel_named(gone)
    with pytest.raises(GeometryError, match="not on the board"):
        whole.cropped(500, 0, 100, 100)


def test_a_snap_across_the_border_is_snapped_again_by_the_neighbour():
    shifted = grid_from_spec({"kind": "hex", "grid": {"x0": "30"}, "numbering": {}}, SIZE)
    laid = BoardMap.lay_out([(board("A"), 0, 0), (MapBoard("B", SIZE, shifted), 1, 0)])
    # On A alone this pixel snaps to column 10 at x = 554, which is B's first pixel.
    assert laid.boards[0].board.snap((550, 100)) == (554, 96)
    # There, B's own hexes take over.
    assert laid.snap((550, 100)) == (554 + 30, 96)


def test_a_snap_one_pixel_outside_is_pulled_back():
    square = grid_from_spec({"kind": "square", "grid": {"x0": "-1", "y0": "-1"}}, SIZE)
    laid = BoardMap.lay_out([(MapBoard("A", SIZE, square), 0, 0)], padding=(10, 10))
    assert square.snap((3, 3)) == (-1, -1)
    assert laid.snap((13, 13)) == (10, 10)
    assert laid.snap((5, 5)) == (5, 5)


def test_a_hex_cut_by_the_border_has_a_pixel_on_the_board():
    high = grid_from_spec({"kind": "hex", "grid": {"y0": "-20"}, "numbering": {}}, SIZE)
    laid = BoardMap.lay_out([(MapBoard("A", SIZE, high), 0, 0)])
    name = high.location_name((0, 0))
    assert high.pixel_named(name) == (0, -20)
    assert laid.pixel_named(name) == (0, 0)


def test_range_is_counted_across_boards_in_the_first_ones_grid():
    laid = two_by_one()
    one, other = laid.pixel_named("A-0101"), laid.pixel_named("B-0101")
    assert laid.range(one, other) == 10
    assert laid.range(other, one) == 10
    assert laid.range((0, 0), (3, 4)) == 5
    near = (one[0] + 20, one[1] + 5)
    assert laid.range(near, other, snapped=True) == 10


@given(st.integers(0, 553), st.integers(0, 479), st.integers(0, 3), st.booleans())
def test_a_board_is_the_same_wherever_it_lies(x, y, column, flipped):
    alone = BoardMap.lay_out([(board("A", reversed=flipped), 0, 0)])
    blanks = [(MapBoard(f"blank {i}", Size(300, 480)), i, 0) for i in range(column)]
    among = BoardMap.lay_out([*blanks, (board("A", reversed=flipped), column, 0)], (7, 9))
    shift = (300 * column + 7, 9)
    assert among.location_name((x + shift[0], y + shift[1])) == alone.location_name((x, y))
    snapped = alone.snap((x, y))
    if alone.board_at(snapped):
        moved = (snapped.x + shift[0], snapped.y + shift[1])
        assert among.snap((x + shift[0], y + shift[1])) == moved


@pytest.mark.parametrize(
    "lay",
    [
        lambda: MapBoard("A", Size(0, 10)),
        lambda: MapBoard("A", SIZE, magnification=0),
        lambda: MapBoard("A", SIZE, magnification=float("nan")),
        lambda: BoardMap.lay_out([(board("A"), 0, 0), (board("B"), 0, 0)]),
        lambda: BoardMap.lay_out([(board("A"), -1, 0)]),
        lambda: two_by_one().board_named("C"),
        lambda: two_by_one().pixel_named("C-0101"),
        lambda: two_by_one().location_name((0.5, 1)),
        lambda: two_by_one().snap((float("nan"), 1)),
    ],
)
def test_impossible_maps_and_questions_are_refused(lay):
    with pytest.raises(GeometryError):
        lay()


def test_a_board_without_a_grid_has_no_names_and_does_not_snap():
    laid = BoardMap.lay_out([(MapBoard("A", SIZE), 0, 0)])
    assert laid.location_name((5, 5)) == OFFBOARD
    assert laid.snap((5, 5)) == (5, 5)
    assert isinstance(grid(), HexGrid)
