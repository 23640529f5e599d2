"""Sight to look at: pictures say what the line says, and clients get both over the wire."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from lxml import etree

from hexmarshal.client import Client
from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.games.conflict_of_heroes.queries import sight_pictures
from hexmarshal.games.conflict_of_heroes.rules.terrain import sight
from hexmarshal.geometry.svg.view import View
from hexmarshal.rules import engine
from hexmarshal.rules.plugins.registry import Registry
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Answer
from hexmarshal.service.server import Server
from hexmarshal.service.settings import Settings

COH = ConflictOfHeroes()
GROUND = COH.boards["1"].map


def smoky(points: int) -> Position:
    start = engine.start(COH, "first_steps", None, 1)
    smoke = Marker("smoke", "smoke", cell="1-G07", values=FrozenMap({"points": points}))
    return replace(start, markers=start.markers.set("smoke", smoke))


def asked(position: Position, name: str, **params: str) -> Answer:
    return engine.ask(COH, position, name, FrozenMap(params), "german")


def titles(answer: Answer) -> list[str]:
    """The tool tips of an SVG: what each mark stands for."""
    svg = answer.values["svg"]
    assert isinstance(svg, str)
    root = etree.fromstring(svg.encode())
    return [title.text or "" for title in root.iter("{http://www.w3.org/2000/svg}title")]


@pytest.mark.parametrize(
    ("target", "points", "mark"),
    [
        ("1-C05", 1, "1-E07: Wooden building, an obstacle of level 1 against 0"),
        ("1-G05", 1, "1-G07: smoke of 1"),
        ("1-G05", 2, "1-G07: smoke of 2"),
        ("1-E09", 1, "1-F09: Open ground, level 0"),
    ],
)
def test_each_hex_that_a_line_crosses_is_marked_with_what_it_does(
    target: str, points: int, mark: str
) -> None:
    found = titles(asked(smoky(points), "sight_picture", cell="1-G09", target=target))
    assert mark in found


def test_a_picture_marks_every_step_of_the_line() -> None:
    ground = COH.boards["1"]
    position = smoky(1)
    for target in ("1-A01", "1-J14", "1-L11"):
        line = sight.line(ground, sight.smoke_of(position, ground), "1-G09", target)
        found = titles(asked(position, "sight_picture", cell="1-G09", target=target))
        for crossing in line.crossings:
            if crossing.cells[0] in ground.hexes:
                assert f"{' and '.join(crossing.cells)}: {crossing.text}" in found


def test_a_wall_on_the_way_is_told() -> None:
    scene = COH.situation(smoky(1))
    told = {
        target: list(
            sight_pictures.line_picture(scene, "1-B11", target).layers[-1].captions(View(GROUND))
        )
        for target in ("1-C11", "1-B12")
    }
    assert told["1-C11"][-1] == "The shot comes in over a wall of 1-C11 (COH-5.0.2a)"
    assert told["1-B12"] == ["1-B11 to 1-B12, range 1: seen"]


def test_a_field_of_view_is_drawn_as_it_is_told() -> None:
    position = smoky(1)
    view = asked(position, "view", cell="1-G09").values["cells"]
    assert isinstance(view, FrozenMap)
    found = titles(asked(position, "view_picture", cell="1-G09"))
    assert "seen from 1-G09" in found
    hindered = sum(1 for points in view.values() if points)
    # One more is the sample in the legend.
    assert found.count("hindrance 1") == hindered > 0


def test_the_same_question_gives_the_same_bytes() -> None:
    one, two = (asked(smoky(1), "view_picture", cell="1-G09") for _ in range(2))
    assert one == two


def test_a_picture_shows_no_hidden_unit() -> None:
    with_it = smoky(1)
    hidden = [u.id for u in with_it.units.values() if u.seen_by is not None]
    without = replace(with_it, units=with_it.units.without(*hidden))
    assert hidden
    for name, params in (
        ("view_picture", {"cell": "1-E04"}),
        ("sight_picture", {"cell": "1-G09", "target": "1-E04"}),
    ):
        assert asked(with_it, name, **params) == asked(without, name, **params)
        assert asked(with_it, name, **params) != engine.ask(COH, with_it, name, FrozenMap(params))


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    games = Registry()
    games.add(COH)
    settings = Settings(listen="127.0.0.1:0", ephemeral=True, workers=0, log_calls="none")
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = Server(settings, games)
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(60)
    with Client(f"127.0.0.1:{server.port}") as one:
        yield one
    asyncio.run_coroutine_threadsafe(server.stop(0.2), loop).result(60)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(30)
    loop.close()


def test_a_client_gets_line_view_and_picture_of_its_own_position(client: Client) -> None:
    position = smoky(2)
    line = client.ask(position, "sight", cell="1-G09", target="1-G05")
    assert line.values["visible"] is False
    assert line.values["blocked_by"] == ("1-G07",)
    assert [step.rule for step in line.steps if "blocks" in step.text] == ["COH-13.0a"]
    view = client.ask(position, "visible", cell="1-G09").values["cells"]
    assert view == asked(position, "visible", cell="1-G09").values["cells"]
    params = {"cell": "1-G09", "target": "1-G05"}
    picture = client.ask(position, "sight_picture", **params)
    assert picture == engine.ask(COH, position, "sight_picture", FrozenMap(params))
