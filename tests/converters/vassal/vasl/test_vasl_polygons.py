"""Terrain as polygons: nothing uncovered or covered twice, shared edges, the tolerance held."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hexmarshal.vassal.vasl import Board, read_board
from hexmarshal.vassal.vasl.painting import Painting
from hexmarshal.vassal.vasl.polygons import TOLERANCE, Regions, regions_of


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


SHAPE = st.tuples(st.integers(2, 14), st.integers(2, 14))


@given(st.data(), SHAPE)
def test_any_picture_becomes_clean_polygons(data, shape):
    terrain = data.draw(hnp.arrays(np.uint8, shape, elements=st.integers(0, 2)))
    elevation = data.draw(hnp.arrays(np.int8, shape, elements=st.integers(-1, 1), fill=st.just(0)))
    board = painted(terrain, elevation)
    exact, simple = regions_of(board, 0), regions_of(board)
    assert_clean(board, exact, simple, TOLERANCE)
    assert_shows_the_pixels(board, exact)


@given(SHAPE, st.sampled_from([0.3, 0.75, 1.5, 3.0]), st.integers(0, 999))
def test_any_tolerance_is_held(shape, tolerance, seed):
    rng = np.random.default_rng(seed)
    board = painted(rng.integers(0, 2, shape), np.zeros(shape))
    assert_clean(board, regions_of(board, 0), regions_of(board, tolerance), tolerance)


def test_a_slanting_edge_becomes_straight():
    rows, columns = np.indices((60, 60))
    board = painted((columns > rows).astype(np.uint8), np.zeros((60, 60)))
    shapes = regions_of(board)
    upper = shapes.polygons[shapes.terrain == 1]
    assert shapely.get_num_coordinates(upper).tolist() == [5]


def test_a_board_of_one_terrain_is_one_rectangle():
    board = Painting(3, 2).board()
    (only,) = regions_of(board).polygons
    assert only.equals(shapely.box(0, 0, 112, 129))


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
