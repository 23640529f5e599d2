"""Terrain as polygons: nothing uncovered or covered twice, shared edges, the tolerance held."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hexmarshal.vassal.vasl import Board, read_board
from hexmarshal.vassal.vasl.outlines.polygons import TOLERANCE, Regions, regions_of
from hexmarshal.vassal.vasl.painting import Painting

# One example is many comparisons: half as many of them.
HALF_AS_MANY = settings(max_examples=settings().max_examples // 2, deadline=None)


def painted(terrain: np.ndarray, elevation: np.ndarray) -> Board:
    """A board that shows these small pictures, pixel for pixel, in its corner."""
    canvas = Painting(3, 2)
    height, width = terrain.shape
    canvas.terrain[:height, :width] = terrain
    canvas.elevation[:height, :width] = elevation
    return canvas.board()


def assert_clean(board: Board, exact: Regions, simple: Regions, tolerance: float) -> None:
    height, width = board.pixels.terrain.shape
    for regions in (exact, simple):
        assert shapely.is_valid(regions.polygons).all()
        assert shapely.coverage_is_valid(regions.polygons)  # no overlap, and edges match
        assert shapely.area(regions.polygons).sum() == pytest.approx(width * height, abs=1e-6)
        assert shapely.union_all(regions.polygons).equals(shapely.box(0, 0, width, height))
    assert simple.terrain.tolist() == exact.terrain.tolist()
    assert simple.elevation.tolist() == exact.elevation.tolist()
    edges = (shapely.boundary(regions.polygons) for regions in (exact, simple))
    assert shapely.hausdorff_distance(*edges).max() <= tolerance
    assert not (shapely.get_coordinates(simple.polygons) % 1).any()  # corners of pixels


def assert_shows_the_pixels(board: Board, regions: Regions) -> None:
    rows, columns = np.indices(board.pixels.terrain.shape).reshape(2, -1)
    points = shapely.points(columns + 0.5, rows + 0.5)
    point, shape = shapely.STRtree(regions.polygons).query(points, predicate="intersects")
    assert np.array_equal(np.sort(point), np.arange(points.size))
    at = rows[point], columns[point]
    assert np.array_equal(regions.terrain[shape], board.pixels.terrain[at])
    assert np.array_equal(regions.elevation[shape], board.pixels.elevation[at])


def assert_one_polygon_a_patch(board: Board, regions: Regions) -> None:
    assert len(regions.polygons) == patches(board)


def patches(board: Board) -> int:
    """How many patches there are, by flooding one after the other from pixel to pixel."""
    width = board.pixels.terrain.shape[1]
    shown = np.stack([board.pixels.terrain.ravel(), board.pixels.elevation.ravel()]).T.tolist()
    dry = set(range(len(shown)))
    count = 0
    while dry:
        wet = [dry.pop()]
        count += 1
        while wet:
            here = wet.pop()
            column = here % width
            beside = [here - width, here + width]
            beside += [here - 1] * (column > 0) + [here + 1] * (column < width - 1)
            for there in beside:
                if there in dry and shown[there] == shown[here]:
                    dry.remove(there)
                    wet.append(there)
    return count


SHAPE = st.tuples(st.integers(2, 14), st.integers(2, 14))


@HALF_AS_MANY
@given(st.data(), SHAPE)
def test_any_picture_becomes_clean_polygons(data, shape):
    terrain = data.draw(hnp.arrays(np.uint8, shape, elements=st.integers(0, 2)))
    elevation = data.draw(hnp.arrays(np.int8, shape, elements=st.integers(-1, 1), fill=st.just(0)))
    board = painted(terrain, elevation)
    exact, simple = regions_of(board, 0), regions_of(board)
    assert_clean(board, exact, simple, TOLERANCE)
    assert_shows_the_pixels(board, exact)
    assert_one_polygon_a_patch(board, exact)


ROWS, COLUMNS = np.indices((60, 60))
PLACE = st.tuples(st.integers(0, 59), st.integers(0, 59))


@st.composite
def strips(draw):
    """A slanting line, one pixel wide or a few."""
    (y, x), (rise, run) = draw(PLACE), draw(PLACE.filter(any))
    away = np.abs((ROWS - y) * run - (COLUMNS - x) * rise) / np.hypot(rise, run)
    return away <= draw(st.sampled_from([0.5, 0.75, 1.5, 4.0]))


@st.composite
def discs(draw):
    (y, x), size = draw(PLACE), draw(st.integers(1, 30))
    return (ROWS - y) ** 2 + (COLUMNS - x) ** 2 <= size**2


@st.composite
def frames(draw):
    """Squares or lozenges, one within the other."""
    (y, x), size, gap = draw(PLACE), draw(st.integers(1, 20)), draw(st.integers(1, 4))
    join = draw(st.sampled_from([np.maximum, np.add]))
    away = join(np.abs(ROWS - y), np.abs(COLUMNS - x))
    return (away <= size) & (away // gap % 2 == 0)


@st.composite
def dots(draw):
    """Pixels strewn within a square, as some boards draw their fields, or a chessboard."""
    (y, x), size, every = draw(PLACE), draw(st.integers(2, 15)), draw(st.integers(2, 5))
    square = np.maximum(np.abs(ROWS - y), np.abs(COLUMNS - x)) <= size
    return square & ((ROWS * draw(st.integers(0, 3)) + COLUMNS) % every == 0)


DRAWING = st.lists(
    st.tuples(st.one_of(strips(), discs(), frames(), dots()), st.integers(0, 3)), max_size=7
)


@HALF_AS_MANY
@given(DRAWING, st.sampled_from([TOLERANCE, TOLERANCE, 0.5, 2.0]))
def test_any_drawing_becomes_clean_polygons(drawing, tolerance):
    terrain = np.zeros(ROWS.shape, np.uint8)
    for where, code in drawing:
        terrain[where] = code
    board = painted(terrain, terrain // 3)
    exact, simple = regions_of(board, 0), regions_of(board, tolerance)
    assert_clean(board, exact, simple, tolerance)
    assert_shows_the_pixels(board, exact)
    assert_one_polygon_a_patch(board, exact)


@given(SHAPE, st.sampled_from([0.3, 0.75, 1.5, 3.0]), st.integers(0, 999))
def test_any_tolerance_is_held(shape, tolerance, seed):
    rng = np.random.default_rng(seed)
    board = painted(rng.integers(0, 2, shape), np.zeros(shape))
    assert_clean(board, regions_of(board, 0), regions_of(board, tolerance), tolerance)


def test_a_slanting_edge_becomes_straight():
    board = painted((COLUMNS > ROWS).astype(np.uint8), np.zeros(ROWS.shape))
    shapes = regions_of(board)
    upper = shapes.polygons[shapes.terrain == 1]
    assert shapely.get_num_coordinates(upper).tolist() == [5]


def test_a_board_of_one_terrain_is_one_rectangle():
    board = Painting(3, 2).board()
    (only,) = regions_of(board).polygons
    assert only.equals(shapely.box(0, 0, 112, 129))


def picture(*rows: str) -> Board:
    terrain = np.array([[int(code) for code in row] for row in rows])
    return painted(terrain, np.zeros(terrain.shape))


def holes(regions: Regions, terrain: int) -> list[int]:
    shown = regions.polygons[regions.terrain == terrain]
    return shapely.get_num_interior_rings(shown).tolist()


def test_patches_that_touch_at_a_corner_are_two():
    regions = regions_of(picture("10", "01"))
    assert shapely.area(regions.polygons[regions.terrain == 1]).tolist() == [1, 1]


def test_a_hole_may_touch_the_outline_at_a_corner():
    regions = regions_of(picture("111", "121", "110"))
    assert shapely.is_valid(regions.polygons).all()
    assert holes(regions, 1) == [1]
    assert shapely.area(regions.polygons[regions.terrain == 1]).tolist() == [7]


def test_holes_that_touch_at_a_corner_stay_two():
    regions = regions_of(picture("1111", "1211", "1121", "1111"))
    assert holes(regions, 1) == [2]
    assert holes(regions, 2) == [0, 0]


def test_patches_within_patches_are_holes_of_the_next_one_only():
    regions = regions_of(picture("11111", "12221", "12321", "12221", "11111"))
    assert [holes(regions, code) for code in (1, 2, 3)] == [[1], [1], [0]]
    assert [
        shapely.area(regions.polygons[regions.terrain == code]).sum() for code in (1, 2, 3)
    ] == [16, 8, 1]


@pytest.mark.parametrize("tolerance", [TOLERANCE, 3.0])
def test_a_thin_line_between_two_fields_does_not_vanish(tolerance):
    terrain = np.where(COLUMNS > ROWS, 1, 2)
    inner = (ROWS > 9) & (ROWS < 50)
    terrain[inner & ((COLUMNS == ROWS) | (COLUMNS == ROWS + 1))] = 3
    board = painted(terrain, np.zeros(terrain.shape))
    simple = regions_of(board, tolerance)
    assert (simple.terrain == 3).sum() == 1
    assert_clean(board, regions_of(board, 0), simple, tolerance)


def test_a_small_patch_outlasts_a_large_tolerance():
    board = picture("00000", "00100", "01110", "00100", "00000")
    exact, simple = regions_of(board, 0), regions_of(board, 3.0)
    assert_clean(board, exact, simple, 3.0)


def test_an_edge_does_not_go_over_the_dots_in_its_bays():
    bay = COLUMNS % 6 < 3
    terrain = np.where(ROWS - 3 * bay < 20, 1, 2)
    terrain[21, 1::6] = 3
    board = painted(terrain, np.zeros(terrain.shape))
    bare = painted(np.where(terrain == 3, 1, terrain), np.zeros(terrain.shape))
    exact, simple = regions_of(board, 0), regions_of(board, 3.0)
    assert_clean(board, exact, simple, 3.0)
    assert edge_corners(simple) == edge_corners(exact)
    assert edge_corners(regions_of(bare, 3.0)) < edge_corners(exact)


def edge_corners(regions: Regions) -> int:
    """How many corners the patch of terrain 2 has."""
    (patch,) = regions.polygons[regions.terrain == 2]
    return shapely.get_num_coordinates(patch)


def test_the_outlines_are_those_of_the_polygons():
    regions = regions_of(picture("111", "121", "110"))
    _, points, (rings, polygons) = shapely.to_ragged_array(regions.polygons)
    assert regions.outlines is not None
    assert regions.outlines.points.tolist() == points.tolist()
    assert regions.outlines.rings.tolist() == rings.tolist()
    assert regions.outlines.polygons.tolist() == polygons.tolist()


def test_polygons_come_row_by_row():
    regions = regions_of(picture("12", "34"))
    assert regions.terrain.tolist() == [1, 2, 0, 3, 4]


@pytest.mark.parametrize("name", ["bd01", "bd02"])
def test_real_boards_become_clean_polygons(corpus, name):
    board = read_board(corpus / "vasl-boards" / name)
    exact, simple = regions_of(board, 0), regions_of(board)
    for regions in (exact, simple):
        assert shapely.is_valid(regions.polygons).all()
        assert shapely.coverage_is_valid(regions.polygons)
        assert shapely.area(regions.polygons).sum() == board.pixels.terrain.size
    small = shapely.get_num_coordinates(exact.polygons) < 2000
    edges = (shapely.boundary(regions.polygons[small]) for regions in (exact, simple))
    assert shapely.hausdorff_distance(*edges).max() <= TOLERANCE
    fewer = shapely.get_num_coordinates(simple.polygons).sum()
    assert fewer < 0.6 * shapely.get_num_coordinates(exact.polygons).sum()
