"""The situations of the documentation: their answers, and what their pictures show."""

from __future__ import annotations

import base64
import runpy
from pathlib import Path

import pytest
from lxml import etree

from hexmarshal.games.asl.art import sight_picture
from hexmarshal.games.asl.art.sight_picture import draw_field, draw_line, draw_terrain
from hexmarshal.games.asl.sight import Sight, Spot
from hexmarshal.games.asl.sight.explain import explain
from hexmarshal.vassal.vasl import read_board
from hexmarshal.vassal.vasl.maps import join
from hexmarshal.vassal.vasl.outlines.polygons import regions_of
from hexmarshal.vassal.vasl.painting import Painting

STOPPED = sight_picture._STOPPED
SCRIPT = Path(__file__).resolve().parents[4] / "docs" / "pictures" / "asl_situations.py"
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
    return " | ".join(str(label) for label in root.xpath("//@aria-label"))


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
    hindered = [item for item in story.items if not item.cause.blocks]
    assert all(f"+{item.hindrance} {item.hex} {item.terrain}" in told for item in hindered)
    assert a.hex in told
    assert (SCRIPT.parent / f"{name}.svg").is_file()
    assert (SCRIPT.parent / f"{name}.png").is_file()


def test_a_field_of_view_shows_hindrances_and_what_is_not_seen():
    board = SITUATIONS["fields"]().board()
    answers = Sight(board).field(Spot("D2"))
    svg = draw_field(board, Spot("D2"), answers, "from D2", regions_of(board))
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


def test_a_line_is_cut_where_it_is_first_stopped_on_its_way():
    board = Painting(17, 6, "bdRow").spot("Woods", "C3").spot("Woods", "M3").board()
    for spots, first in (((Spot("A3"), Spot("O3")), "C3"), ((Spot("O3"), Spot("A3")), "M3")):
        story = explain(Sight(board), *spots)
        svg = draw_line(board, story, spots)
        assert svg.count(f'r="11" fill="#fff" stroke="{STOPPED}"') == 1 + (story.answer.at != first)
        solid = next(line for line in svg.splitlines() if 'stroke-width="3.2"/>' in line)
        end = float(solid.rpartition('x2="')[2].partition('"')[0])
        at = board.hex(first)
        assert abs(end - board.grid.x[at] / board.grid.scale) < 25


def test_the_eyes_are_labelled_inside_of_the_picture():
    board = Painting(17, 6, "bdOpen").raise_to(2, "A1").board()
    spots = (Spot("A1"), Spot("H0"))
    svg = draw_line(board, explain(Sight(board), *spots), spots)
    root = etree.fromstring(svg.encode())
    for label in ("A1, elevation 2", "H0, elevation 0"):
        (group,) = root.xpath(f"//*[@aria-label='{label}']")
        x, y = map(float, group.get("transform").partition(")")[0].split("(")[1].split())
        assert x > 0
        assert y > 0


def test_a_vertex_is_shown_where_it_is():
    board = Painting(9, 6, "bdOpen").board()
    spot = Spot("E3", vertex=2)
    told = words(draw_line(board, explain(Sight(board), spot, Spot("C3")), (spot, Spot("C3"))))
    assert "E3^2, elevation 0" in told
    view = draw_field(board, spot, Sight(board).field(spot), "from a vertex")
    x, y = board.grid.outline(board.hex("E3"))[2]
    assert f'<circle cx="{x:g}" cy="{y:g}" r="6.5"' in view


def test_only_the_boards_in_the_picture_are_in_the_file(tmp_path):
    names = ("bdA", "bdB", "bdC")
    boards = []
    for name in names:
        others = {f"{name}.png": f"picture of {name}".encode()}
        path = Painting(9, 6, name, image=f"{name}.png").write(tmp_path, others)
        boards.append(read_board(path))
    whole = join([boards])
    spots = (Spot("bdA:C3"), Spot("bdB:C3"))
    svg = draw_line(whole, explain(Sight(whole), *spots), spots)
    inside = [base64.b64encode(f"picture of {name}".encode()).decode() in svg for name in names]
    assert inside == [True, True, False]
    etree.fromstring(svg.encode())
    bare = join([boards[:2], [Painting(9, 6, "bdBare").board()]])
    spots = (Spot("bdA:C3"), Spot("bdBare:C3"))
    told = words(draw_line(bare, explain(Sight(bare), *spots), spots))
    assert "| D4 |" in told  # where a board has no picture, the hexes are named
