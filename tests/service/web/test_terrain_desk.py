"""Terrain set in the browser: the file keeps its words, and nobody's work is overwritten."""

from __future__ import annotations

import json

import pytest

from hexmarshal.errors import BadInputError, GeometryError, OutputError
from hexmarshal.web.viewing.terrain_desk import Change, ChangedMeanwhileError, TerrainDesk

from .conftest import Watched, needs_browser, viewed

HILL = """\
# A hill, drawn by hand.
format: hexmarshal-terrain/1
name: Hill
grid: {kind: block, columns: 5, rows: 5, pitch: 60, breadth: 69.282}
terrain:
  woods: {sight: obstacle, height: 1, colour: "#4d7f3a"}   # taller than a man
  river: {}
cells:
  # the wood in the west
  "0102": woods   # our left flank
  "0303": {terrain: woods, level: 2}
sides:
  0203/N: river
painted: {"0303": woods}
"""


@pytest.fixture
def hill(tmp_path):
    path = tmp_path / "hill.yaml"
    path.write_text(HILL)
    return path


def changed(*cells, **what):
    return Change.of({"cells": list(cells), **what})


def test_changes_are_undone_done_again_and_saved_line_by_line(hill):
    desk = TerrainDesk(hill)
    desk.change(0, changed("0102", terrain=["river"]))
    desk.change(1, changed("0303", level="5/2"))
    desk.change(2, changed("0203", "0202", terrain=["woods", "river"]))  # that is 0203/N
    desk.change(3, changed("0201", "0202", terrain=["river"]))
    desk.undo(4)
    desk.redo(5)
    assert hill.read_text() == HILL  # nothing is written before it is saved
    desk.save(6)
    assert hill.read_text() == (
        HILL.replace('"0102": woods ', '"0102": river ')
        .replace("level: 2", "level: 2.5")
        .replace("0203/N: river\n", '0203/N: [woods, river]\n  "0201|0202": river\n')
        .replace('painted: {"0303": woods}\n', "")  # what a person set is painted over no more
    )
    assert TerrainDesk(hill).terrain == desk.terrain
    for version in range(6, 10):
        desk.undo(version)
    desk.save(10)
    assert "painted" in hill.read_text()
    assert TerrainDesk(hill).terrain == TerrainDesk(hill).terrain
    with pytest.raises(BadInputError, match="nothing to take back"):
        desk.undo(10)


def test_terrain_that_is_new_is_declared_only_when_asked_for(hill):
    desk = TerrainDesk(hill)
    with pytest.raises(GeometryError, match="no terrain 'swamp'"):
        desk.change(0, changed("0101", terrain=["swamp"]))
    assert (desk.version, desk.state()["unsaved"]) == (0, False)
    desk.change(0, changed("0101", terrain=["swamp"]), declare=True)
    desk.save(1)
    assert "  swamp: {}\n" in hill.read_text()


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"cells": ["9999"], "terrain": []}, "9999"),
        ({"cells": ["0101", "0404"], "terrain": ["river"]}, "not neighbours"),
        ({"cells": ["0101"], "level": "high"}, "not a finite number"),
        ({"cells": ["0101"], "level": "1/0"}, "not a finite number"),
        ({"cells": ["0101"], "level": True}, "whole number"),
        ({"cells": ["0101", "0102"], "level": 1}, "no level"),
        ({"cells": ["0101"]}, "nothing is changed"),
        ({"cells": [], "terrain": []}, "names a cell"),
        ({"cells": "0101", "terrain": []}, "names a cell"),
        ({"cells": ["0101"], "terrain": [1]}, "list"),
        ({"cells": ["0101"], "terrain": ["woods\nname: gone"]}, "no terrain"),
    ],
)
def test_what_makes_no_sense_changes_nothing(hill, asked, why):
    desk = TerrainDesk(hill)
    with pytest.raises(BadInputError, match=why):
        desk.change(0, Change.of(asked))
    assert (desk.version, desk.state()["undo"]) == (0, "")


def test_a_file_that_somebody_else_changed_is_not_overwritten(hill):
    desk = TerrainDesk(hill)
    desk.change(0, changed("0102", terrain=["river"]))
    desk.change(1, changed("0401", terrain=["woods"]))
    desk.change(2, changed("0203", "0202", terrain=[]))
    theirs = HILL.replace("our left flank", "hold it!").replace('"0102": woods', '"0102": []')
    hill.write_text(theirs)
    with pytest.raises(ChangedMeanwhileError, match="nothing was written"):
        desk.save(3)
    assert hill.read_text() == theirs
    assert desk.take_in() == ["0102: river"]  # they set it too: theirs stays
    desk.save(desk.version)
    assert hill.read_text() == theirs.replace(
        "level: 2}\n", 'level: 2}\n  "0401": woods\n'
    ).replace("0203/N: river", "0203/N: []")
    hill.unlink()
    desk.change(desk.version, changed("0101", level=1))
    with pytest.raises(ChangedMeanwhileError):
        desk.save(desk.version)
    with pytest.raises(OutputError, match="cannot be read any more"):
        desk.take_in()
    assert not hill.exists()


def test_a_draft_knows_the_page_that_is_behind(hill):
    desk = TerrainDesk(hill)
    desk.change(0, changed("0102", level=1))
    with pytest.raises(ChangedMeanwhileError, match="another page"):
        desk.change(0, changed("0102", level=2))


def test_endings_and_marks_of_the_file_stay(hill):
    hill.write_bytes(b"\xef\xbb\xbf" + HILL.replace("\n", "\r\n").encode())
    desk = TerrainDesk(hill)
    desk.change(0, changed("0102", terrain=["river"]))
    desk.save(1)
    expected = HILL.replace('"0102": woods', '"0102": river').replace("\n", "\r\n")
    assert hill.read_bytes() == b"\xef\xbb\xbf" + expected.encode()
    hill.write_bytes(HILL.encode("utf-16"))
    other = TerrainDesk(hill)
    assert "UTF-8" in other.state()["locked"]
    with pytest.raises(OutputError, match="UTF-8"):
        other.change(0, changed("0102", terrain=[]))


def test_only_our_own_pages_may_change_the_file(hill):
    with viewed(hill) as site:
        change = json.dumps({"cells": ["0102"], "terrain": ["river"], "version": 0})
        json_kind = {"content_type": "application/json"}
        for headers in (
            {**json_kind, "origin": "https://elsewhere.example"},
            {**json_kind, "sec_fetch_site": "cross-site"},
            {**json_kind, "host": "rebound.example"},
        ):
            assert site.ask("POST", "/change", change, **headers).status == 403
        assert site.ask("POST", "/change", change, content_type="text/plain").status == 415
        assert site.ask("GET", "/change").status == 405
        for bad in ("{", "[]", '"x"', "[" * 5000):
            assert site.ask("POST", "/change", bad, **json_kind).status == 400
        assert site.ask("POST", "/change", " " * 20_000, **json_kind).status == 429
        assert site.ask("GET", "/file").json()["version"] == 0
        told = site.ask("POST", "/change", change, **json_kind).json()
        assert (told["version"], told["unsaved"]) == (1, True)
        assert site.ask("POST", "/change", change, **json_kind).status == 409
        assert site.ask("GET", told["maps"][0]["ground"][0]["src"]).status == 200


@needs_browser
def test_terrain_is_set_by_clicks_undone_and_saved(hill, desk):
    with viewed(hill) as site:
        seen = Watched(desk, site.url).ready()
        page = seen.page
        page.locator("#tab-edit").click()

        def click(cell: str, dx: float = 0, dy: float = 0) -> None:
            at = page.evaluate("(c) => hexmarshal.board.screen(c)", cell)
            scale = page.evaluate("() => hexmarshal.board.view.scale")
            page.mouse.click(at["x"] + dx * scale, at["y"] + dy * scale)

        def version(number: int) -> None:
            page.wait_for_function("(n) => hexmarshal.brush.state.version === n", arg=number)

        page.locator("[data-terrain=woods]").click()
        click("0401")
        version(1)
        page.locator("#level").fill("3")
        page.locator("[data-terrain='as it is']").click()
        click("0102")
        version(2)
        page.locator("[data-on=sides]").click()
        page.locator("[data-terrain=river]").click()
        click("0303", dy=22)  # near its southern side
        version(3)
        page.keyboard.press("Control+z")
        version(4)
        page.locator("#redo").click()
        version(5)
        page.locator("#fresh").fill("ford")
        page.locator("#declare").click()
        page.locator("[data-on=cells]").click()
        click("0202")
        version(6)
        assert hill.read_text() == HILL
        page.locator("#save").click()
        page.wait_for_function("() => !hexmarshal.brush.state.unsaved")
        saved = hill.read_text()
        for line in (
            '  "0401": woods\n',
            '  "0102": {terrain: woods, level: 3}   # our left flank\n',
            '  "0303|0304": river\n',
            "  ford: {}\n",
        ):
            assert line in saved
        # Somebody else saves: the page says so, takes theirs in, and keeps its own change.
        page.locator("#level").fill("")
        page.locator("[data-terrain='']").click()
        click("0401")
        version(7)
        hill.write_text(saved.replace("name: Hill", "name: Their hill"))
        page.locator("#save").click()
        page.locator("#take-in").click()
        page.wait_for_function("() => hexmarshal.brush.state.version > 7")
        page.locator("#save").click()
        page.wait_for_function("() => !hexmarshal.brush.state.unsaved")
        assert "Their hill" in hill.read_text()
        assert '"0401": []' in hill.read_text()
        assert [line for line in seen.said if "409" not in line] == []
