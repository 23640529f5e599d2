"""The same line on the same ground has the same answer, wherever and whichever way it lies."""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from asl_canvas import Canvas
from hypothesis import given, settings
from hypothesis import strategies as st

from hexmarshal.games.asl.sight.conditions import Conditions, Smoke
from hexmarshal.games.asl.sight.explain import explain
from hexmarshal.games.asl.sight.ground import ground_tables as ground_module
from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.games.asl.sight.view import Sight, Spot
from hexmarshal.vassal.vasl import Board, read_board
from hexmarshal.vassal.vasl.grid import HexGrid
from hexmarshal.vassal.vasl.maps import crop, join

Lines = tuple[np.ndarray, ...]

FILLINGS = (
    *("Woods", "Grain", "Orchard", "Brush", "Stone Rubble", "Crags", "Stone Building"),
    *("Stone Factory, 1.5 Level", "Light Woods", "Huts", "Orchard, Out of Season", "Water"),
)
SPOTS = (
    *("Woods", "Stone Building, 1 Level", "Wooden Building, 2 Level", "Marsh", "Grain"),
    *("Stone Bridge", "Single Hex Wooden Bridge", "Elevated Road"),
)
SIDES = ("Wall", "Hedge", "Cliff", "Bocage", "Rowhouse Wall, 1 Level")
SEEDS = st.integers(0, 1 << 16)


def painted(seed: int, name: str = "bdA", margin: int = 0) -> Canvas:
    """A board with a bit of everything, or with bare hexes along its edges."""
    rng = np.random.default_rng(seed)
    canvas = Canvas(9, 8, name)
    names = [n for n in canvas.grid.names if inner(canvas.grid, margin)[canvas.grid.by_name[n]]]
    for at in rng.choice(names, 10).tolist():
        canvas.raise_to(int(rng.integers(1, 4)), at)
    for at in rng.choice(names, 8).tolist():
        canvas.fill(str(rng.choice(FILLINGS)), at)
    for at in rng.choice(names, 8).tolist():
        canvas.spot(str(rng.choice(SPOTS)), at, int(rng.integers(8, 30)))
    for at in rng.choice(names, 10).tolist():
        canvas.side(str(rng.choice(SIDES)), at, int(rng.integers(6)))
    if rng.random() < 0.6:
        canvas.band("Gully", -1, "B3", "C4", "D4", "E5", "F5", "G6", "H6")
    return canvas


def inner(grid: HexGrid, margin: int) -> np.ndarray:
    """Which hexes lie so many hexes from the edge of the board."""
    column, half = grid.column, grid.half_row
    found = (column >= column.min() + margin) & (column <= column.max() - margin)
    return found & (half >= half.min() + 2 * margin) & (half <= half.max() - 2 * margin)


def some_lines(board: Board, margin: int = 0, count: int = 600) -> Lines:
    """Lines between locations that lie so many hexes from the edge of the board."""
    chosen = np.flatnonzero(inner(board.grid, margin))
    spots = np.array([(i, x.above) for i in chosen for x in board.levels[i]])
    chosen = np.random.default_rng(7).integers(0, len(spots), (count, 2))
    a, b = spots[chosen[:, 0]], spots[chosen[:, 1]]
    return a[:, 0], a[:, 1], b[:, 0], b[:, 1]


def told(sight: Sight, lines: Lines, of: Board, rename: Callable[[str], str] = str) -> list[tuple]:
    """The answers to lines of a board, on a map where its hexes may have other names."""
    index = np.array([sight.board.grid.by_name.get(rename(n).upper(), -1) for n in of.grid.names])
    one, up, two, over = lines
    assert index[one].min() >= 0
    assert index[two].min() >= 0
    found = sight.answers(index[one], up, index[two], over)
    back = {int(i): name for i, name in zip(index, of.grid.names, strict=True)}
    places = [back[at] if at >= 0 else "" for at in found.at.tolist()]
    values = (found.range, found.blocked, found.hindrance, found.cause)
    return list(zip(*(v.tolist() for v in values), places, strict=True))


def reversed_lines(lines: Lines) -> Lines:
    return (lines[2], lines[3], lines[0], lines[1])


@settings(max_examples=6)
@given(SEEDS)
def test_every_way_to_ask_gives_the_same_answer(seed):
    board = painted(seed).board()
    sight, lines = Sight(board), some_lines(board)
    answers = told(sight, lines, board)
    assert told(sight, reversed_lines(lines), board) == answers
    assert told(Sight(board.flipped()), lines, board) == answers
    for k in range(0, 600, 3):
        one = sight.between(*(int(part[k]) for part in lines))
        assert (one.range, one.blocked, one.hindrance, int(one.cause), one.at) == answers[k]


@settings(max_examples=3)
@given(SEEDS)
def test_the_story_of_a_line_adds_up_to_its_answer(seed):
    board = painted(seed).board()
    sight, lines = Sight(board), some_lines(board, count=40)
    for one, up, two, over in zip(*(part.tolist() for part in lines), strict=True):
        names = board.grid.names
        story = explain(sight, Spot(names[one], up), Spot(names[two], over))
        answer, causes = story.answer, {(item.cause, item.hex) for item in story.items}
        assert (story.way[0], story.way[-1]) == (names[one], names[two])
        if not answer.blocked:
            assert sum(item.hindrance for item in story.items) == answer.hindrance
            assert not any(cause.blocks for cause, _ in causes)
        elif answer.cause not in {Cause.TOTAL, Cause.STAIRS, Cause.BRIDGE}:
            assert (answer.cause, answer.at) in causes


@settings(max_examples=2)
@given(SEEDS, SEEDS)
def test_joined_boards_answer_as_alone(one, two):
    board, other = painted(one).board(), painted(two, "bdB").board()
    lines = some_lines(board, margin=2)
    answers = told(Sight(board), lines, board)
    turned, third = board.flipped(), painted(two, "bdC").board().flipped()
    for rows in (
        [[board, other]],
        [[other.flipped(), turned]],
        [[other], [board]],
        [[other, third], [turned, painted(one, "bdD").board()]],
    ):
        whole = Sight(join(rows))
        assert told(whole, lines, board, "bdA:{}".format) == answers


@settings(max_examples=3)
@given(SEEDS)
def test_a_field_of_view_is_what_each_line_says(seed):
    board = painted(seed).board()
    rng = np.random.default_rng(seed)
    conditions = Conditions({"D4": Smoke(1)}, frozenset({"F4"}), night_range=6)
    for sight in (Sight(board), Sight(board, conditions)):
        name = str(rng.choice([f"{c}{r}" for c in "BCDEFGH" for r in range(2, 7)]))
        for spot in (Spot(name), Spot(name, vertex=int(rng.integers(6)))):
            found = sight.field(spot)
            for k in rng.integers(0, len(board.grid.names), 25).tolist():
                one = sight.answer(spot, Spot(board.grid.names[k]))
                seen = (found.range[k], found.blocked[k], found.hindrance[k], found.cause[k])
                assert (one.range, one.blocked, one.hindrance, int(one.cause)) == seen


@settings(max_examples=2)
@given(SEEDS, SEEDS)
def test_a_hex_on_a_seam_answers_to_either_name(one, two):
    corners = [painted(seed, name).board() for seed, name in ((one, "bdA"), (two, "bdC"))]
    sides = [painted(seed, name).board().flipped() for seed, name in ((two, "bdB"), (one, "bdD"))]
    whole = Sight(join([[corners[0], sides[0]], [sides[1], corners[1]]]))
    shared = [name.split("/") for name in whole.board.grid.names if "/" in name]
    assert len(shared) > 20
    rng = np.random.default_rng(one)
    for k in rng.integers(0, len(shared), 12).tolist():
        other = str(rng.choice(whole.board.grid.names)).split("/")[0]
        answers = {whole.answer(Spot(name), Spot(other)) for name in shared[k]}
        assert len(answers) == 1


@settings(max_examples=3)
@given(SEEDS)
def test_a_cropped_board_answers_as_the_whole(seed):
    board = painted(seed).board()
    part = crop(board, (1, 7), (1, 6))
    lines = some_lines(part, margin=2, count=200)
    assert told(Sight(board), lines, part) == told(Sight(part), lines, part)


@settings(max_examples=3)
@given(SEEDS)
def test_a_walked_line_meets_what_the_profile_says(seed):
    board = painted(seed).board()
    lines = some_lines(board)
    answers = told(Sight(board), lines, board)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ground_module, "MOST_HEXES", 0)
        assert told(Sight(board), lines, board) == answers


@settings(max_examples=3)
@given(SEEDS)
def test_vertices_and_smoke_turn_with_the_board(seed):
    board = painted(seed).board()
    conditions = Conditions(
        {"F5": Smoke(2), "C4": Smoke(3, level=1)}, frozenset({"E5", "G6"}), weather=1
    )
    here, there = Sight(board, conditions), Sight(board.flipped(), conditions)
    rng = np.random.default_rng(seed)
    inner = [f"{column}{row}" for column in "BCDEFGH" for row in range(1, 7)]
    for _ in range(60):
        a, b = rng.choice(inner, 2, replace=False).tolist()
        v, w = (None if n == 6 else n for n in rng.integers(0, 7, 2).tolist())
        turned = [None if n is None else (n + 3) % 6 for n in (v, w)]
        answer = here.answer(Spot(a, vertex=v), Spot(b, vertex=w))
        assert here.answer(Spot(b, vertex=w), Spot(a, vertex=v)) == answer
        assert there.answer(Spot(a, vertex=turned[0]), Spot(b, vertex=turned[1])) == answer


@cache
def real(folder: Path, name: str) -> tuple[Board, Sight]:
    board = read_board(folder / name)
    return board, Sight(board)


@pytest.mark.parametrize("name", ["bd01", "bd02"])
def test_real_boards_are_stable(corpus, name, monkeypatch):
    board, sight = real(corpus / "vasl-boards", name)
    lines = some_lines(board, count=3000)
    answers = told(sight, lines, board)
    assert told(sight, reversed_lines(lines), board) == answers
    # A few thousand lines are walked sooner than all are prepared.
    monkeypatch.setattr(ground_module, "MOST_HEXES", 0)
    assert told(Sight(board.flipped()), lines, board) == answers
    assert {Cause(a[3]) for a in answers} >= {Cause.CLEAR, Cause.HIGHER, Cause.ADVANTAGE}


@pytest.mark.parametrize(("name", "beside"), [("bd01", "bd02"), ("bd02", "bd01")])
def test_real_boards_answer_the_same_in_any_map(corpus, name, beside):
    board, sight = real(corpus / "vasl-boards", name)
    other, _ = real(corpus / "vasl-boards", beside)
    lines = some_lines(board, margin=2, count=3000)
    answers = told(sight, lines, board)
    for rows in ([[other, board]], [[other.flipped()], [board.flipped()]]):
        assert told(Sight(join(rows)), lines, board, f"{name}:{{}}".format) == answers
    part = crop(board, (4, 20))
    few = some_lines(part, margin=2, count=1000)
    assert told(sight, few, part) == told(Sight(part), few, part)


@pytest.mark.parametrize("name", ["bd01", "bd02"])
def test_real_boards_agree_with_the_existing_checker(corpus, name):
    board, sight = real(corpus / "vasl-boards", name)
    with (corpus / "vasl-los" / f"{name}.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    hexes = [np.array([board.hex(r[end]) for r in rows]) for end in ("from", "to")]
    levels = [np.array([int(r[f"{end}_level"]) for r in rows]) for end in ("from", "to")]
    found = sight.answers(hexes[0], levels[0], hexes[1], levels[1])
    blocked = np.array([r["blocked"] == "1" for r in rows])
    hindrance = np.array([int(r["hindrance"]) for r in rows])
    assert found.range.tolist() == [int(r["range"]) for r in rows]
    assert (found.blocked == blocked).mean() >= 0.98
    both = ~found.blocked & ~blocked
    assert (found.hindrance == hindrance)[both].mean() >= 0.99


@settings(max_examples=2)
@given(SEEDS, SEEDS)
def test_a_map_upside_down_answers_the_same_from_its_seams_too(one, two):
    a, b = painted(one).board(), painted(two, "bdB").board().flipped()
    c, d = painted(one + 1, "bdC").board(), painted(two + 1, "bdD").board()
    here = join([[a, b], [c, d]])
    there = join([[d.flipped(), c.flipped()], [b.flipped(), a.flipped()]])
    lines = some_lines(here)

    def first(name: str) -> str:
        return name.split("/")[0]

    assert told(Sight(there), lines, here, first) == told(Sight(here), lines, here, first)


def test_a_hillock_elsewhere_on_the_map_changes_nothing():
    hillock = Canvas(9, 8, "bdB").fill("Hillock", "E4").board()
    for seed in range(5):
        board = painted(seed).board()
        lines = some_lines(board, margin=2)
        answers = told(Sight(board), lines, board)
        assert told(Sight(join([[board, hillock]])), lines, board, "bdA:{}".format) == answers


@settings(max_examples=3)
@given(SEEDS)
def test_lines_from_a_seam_answer_as_on_the_board_alone_where_all_is_bare_there(seed):
    board, bare = painted(seed, margin=2).board(), Canvas(9, 8, "bdB").board()
    first = Canvas(9, 8, "bd0").board()
    lines = some_lines(board)
    answers = told(Sight(board), lines, board)
    for rows in (
        [[board, bare]],
        [[first, board]],
        [[board], [bare]],
        [[first], [board.flipped()]],
    ):
        whole = Sight(join(rows))
        assert told(whole, lines, board, "bdA:{}".format) == answers
        for k in range(0, 600, 5):
            spots = [
                Spot(f"bdA:{board.grid.names[lines[n][k]]}", int(lines[n + 1][k])) for n in (0, 2)
            ]
            one = whole.answer(*spots)
            at = next((n[4:] for n in one.at.split("/") if n.startswith("bdA:")), "")
            found = (one.range, one.blocked, one.hindrance, int(one.cause), at)
            assert found == answers[k]
