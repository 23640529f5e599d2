"""The situations of the documentation: their answers, and what their pictures show."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from lxml import etree

from hexmarshal.games.asl.picture import draw_field, draw_line, draw_terrain
from hexmarshal.games.asl.sight import Sight, Spot
from hexmarshal.games.asl.sight.explain import explain
from hexmarshal.vassal.vasl.polygons import regions_of

SCRIPT = Path(__file__).resolve().parents[3] / "docs" / "pictures" / "asl_situations.py"
SITUATIONS = runpy.run_path(str(SCRIPT))
LINES = {name: (paint, a, b) for name, paint, a, b in SITUATIONS["LINES"]}
ANSWERS = {
    "asl-hill-blind": (True, 0, "B10.23"),
    "asl-hill-seen": (False, 0, ""),
    "asl-wall-along": (False, 0, ""),
    "asl-wall-between": (True, 0, "B9.2"),
    "asl-grain-orchard": (False, 5, "A6.7"),
    "asl-grain-total": (True, 0, "A6.7"),
}


def words(svg: str) -> str:
    root = etree.fromstring(svg.encode())
    return " | ".join(text for text in root.itertext() if text.strip())


@pytest.mark.parametrize("name", LINES)
def test_the_answer_is_the_one_of_the_picture(name):
    paint, a, b = LINES[name]
    board = paint().board()
    story = explain(Sight(board), a, b)
    assert (story.answer.blocked, story.answer.hindrance, story.answer.rule) == ANSWERS[name]
    told = words(draw_line(board, story, (a, b), regions_of(board)))
    assert f"{a} to {b}, range {story.answer.range}" in told
    assert ("BLOCKED" in told) == story.answer.blocked
    assert story.answer.rule in told
    for item in story.items:
        assert item.cause.blocks or f"+{item.hindrance}" in told
    assert a.hex in told
    assert (SCRIPT.parent / f"{name}.svg").is_file()
    assert (SCRIPT.parent / f"{name}.png").is_file()


def test_a_field_of_view_shows_hindrances_and_what_is_not_seen():
    board = SITUATIONS["fields"]().board()
    answers = Sight(board).field(Spot("D2"))
    svg = draw_field(board, board.hex("D2"), answers, "from D2", regions_of(board))
    dark = svg.count('fill="#000" fill-opacity="0.55"')
    assert dark == int(answers.blocked.sum())
    assert words(svg).count("| +") == int(((answers.hindrance > 0) & ~answers.blocked).sum())


def test_polygons_are_drawn_over_the_board():
    board = SITUATIONS["hill"]().board()
    regions = regions_of(board)
    svg = draw_terrain(board, regions, "hill")
    assert svg.count('stroke="#e0007a"') == len(regions.polygons)
    etree.fromstring(svg.encode())


def test_ends_in_one_hex_make_a_picture_without_a_section():
    board = SITUATIONS["fields"]().board()
    spots = (Spot("D2"), Spot("D2"))
    etree.fromstring(draw_line(board, explain(Sight(board), *spots), spots).encode())
