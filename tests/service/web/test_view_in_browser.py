"""Files looked at in a real browser: a log to its violations, a module, a map, hostile names."""

from __future__ import annotations

import io
import json
import sys
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image

from hexmarshal.cli.demo_war import write_map
from hexmarshal.referee.samples.faulty_samples import plant
from hexmarshal.rules.plugins import registry
from hexmarshal.vassal import builder as b
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.savedata import save_entries
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.game_state import Seat
from hexmarshal.web.site.ahead import links_ahead

from .conftest import HOSTILE, Watched, needs_browser, viewed

pytestmark = needs_browser

TESTS = Path(__file__).parents[2]
PLUGIN = f"{TESTS / 'tutorial'}:Crossroads"
IDLE = "() => document.body.dataset.checked"
FINGER = 36
SETTLED = 400  # milliseconds: a tap at once after another would be half of a double tap


@pytest.fixture(scope="module")
def checked_log(tmp_path_factory):
    """A log of the tutorial game in which rules are broken on purpose, and where."""
    sys.path[:0] = [str(TESTS), str(TESTS / "service" / "referee")]
    try:
        from crossroads_module import binding, builder
        from tutorial import Crossroads
    finally:
        del sys.path[:2]
    folder = tmp_path_factory.mktemp("log")
    module = builder().save(folder / "crossroads.vmod", force=True)
    written, planted = plant(
        Module.open(module), binding(), Crossroads(), "frost", wanted=3, most_actions=40
    )
    log = folder / "game.vlog"
    written.save(log, force=True)
    return log, module, planted


def test_a_log_is_paged_through_to_its_violations(checked_log, desk):
    log, module, planted = checked_log
    known = registry.default()
    if "tutorial" not in known.keys():  # noqa: SIM118 - a registry is no mapping
        known.load(PLUGIN)
    with viewed(log, module, (PLUGIN,)) as site:
        seen = Watched(desk, site.url).ready()
        page = seen.page
        page.wait_for_function(IDLE)
        wanted = sorted({broken.step for broken in planted})
        for step in wanted:
            page.keyboard.press("n")
            page.wait_for_function("(n) => document.body.dataset.step == n", arg=str(step))
            told = page.locator("#now").inner_text()
            rules = {rule for broken in planted if broken.step == step for rule in broken.rules}
            assert any(rule in told for rule in rules)
            assert page.locator("#verdict :is(.bad, .warn)").count() == 1
            page.wait_for_function("(n) => location.hash === `#step=${n}`", arg=step)
        assert page.locator("#ticks button:is(.violation, .likely)").count() == len(wanted)
        rail = page.locator("#ticks").bounding_box()
        for tick in page.locator("#ticks button").all():
            assert -8 <= tick.bounding_box()["x"] - rail["x"] <= rail["width"] + 8
        # The rule's own words stand beside it.
        page.locator("#now details summary").first.click()
        assert page.locator("#now details").first.inner_text().count("\n") >= 1
        # A link to a step shows that step; arrows go on from there.
        other = Watched(desk, f"{site.url}#step={wanted[0]}").ready()
        other.page.wait_for_function("(n) => document.body.dataset.step == n", arg=str(wanted[0]))
        other.page.keyboard.press("ArrowRight")
        other.page.wait_for_function(
            "(n) => document.body.dataset.step == n", arg=str(wanted[0] + 1)
        )
        last = int(page.locator("#at").get_attribute("max"))
        page.keyboard.press("End")
        page.wait_for_function("(n) => document.body.dataset.step == n", arg=str(last))
        page.keyboard.press("Home")
        page.wait_for_function("() => document.body.dataset.step == 0")
        page.keyboard.press(" ")  # play, until the second step, then pause
        page.wait_for_function("() => document.body.dataset.step >= 2")
        page.keyboard.press(" ")
        page.locator("#tab-dice").click()
        assert page.locator("#dice").inner_text()
        assert seen.said == other.said == []
        assert all(url.startswith(site.url) for url in seen.asked)


def test_every_step_shows_the_table_that_the_log_has_then(plain_log):
    site = plain_log.site
    for step, state in GameLog(SavedGame.open(plain_log.log)).replay():
        pieces = site.ask("GET", f"/tables/{step.number}").json()["pieces"]
        shown = {(p["id"], p["map"], p["x"], p["y"]) for p in pieces}
        whole = {
            (piece.id, piece.map, piece.x, piece.y)
            for piece in state.pieces.values()
            if piece.map and state.table.holders.get(piece.id) not in state.decks
        }
        assert shown == whole
        assert shown
    assert site.ask("GET", f"/tables/{step.number + 1}").status == 404
    assert site.ask("GET", "/tables/-1").status == 404


def test_what_a_page_needs_at_once_is_told_with_it_and_asked_for_once(plain_log, desk):
    site = plain_log.site
    links = site.ask("GET", "/").headers["link"].split(", ")
    told = [link.partition(">")[0].removeprefix("<") for link in links]
    assert len(set(told)) == len(told)
    assert {"/viewing/log_page.js", "/board/board.js", "/file", "/faces"} <= set(told)
    assert all(site.ask("GET", address).status == 200 for address in told)
    seen = Watched(desk, site.url).ready()
    root = site.url.rstrip("/")
    assert [seen.asked.count(f"{root}{address}") for address in told] == [1] * len(told)


def test_scripts_are_told_with_all_that_they_import():
    contents = {
        "page.html": b'<script type="module" src="/a/one.js"></script>',
        "a/one.js": b'import { a } from "./two.js";\nimport { b,\n  c } from "../three.js";',
        "a/two.js": b'import { c } from "../three.js";\nconst f = () => import("../b/late.js");',
        "three.js": b'import { a } from "./a/two.js";',
        "b/late.js": b'import { d } from "../b/four.js";',
        "b/four.js": b"",
    }
    early = [f"</{name}>; rel=modulepreload" for name in ("a/one.js", "a/two.js", "three.js")]
    assert links_ahead("page.html", contents) == ", ".join(early)
    more = links_ahead("page.html", contents, ["/b/late.js", "/pictures/1", "/file"])
    assert "</b/four.js>; rel=modulepreload" in more
    assert "</pictures/1>; rel=preload; as=image" in more
    assert "</file>; rel=preload; as=fetch; crossorigin" in more


def _hostile(folder: Path) -> tuple[Path, Path]:
    """A module whose pieces, maps, players and chat are all markup."""
    made = b.ModuleBuilder(f"War {HOSTILE}", version="1", description=HOSTILE)
    made.sides("Red")
    main = made.map(f"Map {HOSTILE}", main=True)
    grid = b.hex_grid(width=55.43, height=64, origin=(60, 64))
    main.board("Field", size=(400, 300), color="200,220,180", grid=grid)
    out = io.BytesIO()
    Image.new("RGB", (30, 30), (180, 40, 40)).save(out, "PNG")
    image = made.image("red.png", out.getvalue())
    slot = made.palette(HOSTILE).list("All").counter(b.Counter(HOSTILE, image, ()))
    start = made.setup(f"Start {HOSTILE}")
    piece = start.place(slot, main, "0202")
    start.save()
    module = made.save(folder / "hostile.vmod", force=True)
    archive = Module.open(module).archive
    entry = next(name for name in archive.names() if name.endswith(".vsav"))
    state = SavedGame.from_archive(archive.nested(entry)).state()
    state.seats["secret"] = Seat("secret", HOSTILE, "Red")
    writer = LogWriter(state)
    with writer.step() as step:
        step.move(piece, f"Map {HOSTILE}", 200, 200, user="secret")
    with writer.step() as step:
        step.chat(HOSTILE, HOSTILE)
    log = folder / "hostile.vlog"
    entries = save_entries(f"War {HOSTILE}", "1", module_data=made.module_data)
    writer.finish(entries).save(log, force=True)
    return module, log


def test_names_and_chat_of_strangers_are_text(tmp_path, desk):
    module, log = _hostile(tmp_path)
    with viewed(log, module) as site:
        seen = Watched(desk, site.url).ready()
        page = seen.page
        page.wait_for_function(IDLE)
        for _ in range(2):
            page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.body.dataset.step == 2")
        for tab in ("steps", "findings", "dice", "about"):
            page.locator(f"#tab-{tab}").click()
        assert "onerror" in page.content()  # it is there, as text
        assert page.evaluate("() => window.hurt") is None
        assert page.locator("img[src='x'], script:not([src])").count() == 0
        assert "secret" not in page.content()
        assert seen.said == []
    with viewed(module) as site:
        seen = Watched(desk, site.url).ready()
        for tab in ("counters", "tree", "lint"):
            seen.page.locator(f"#tab-{tab}").click()
            seen.page.wait_for_function(
                "(id) => document.getElementById(id).innerText.length > 20", arg=tab
            )
        assert seen.page.locator("#counters img").count() == 1
        assert seen.page.evaluate("() => window.hurt") is None
        assert seen.said == []


def test_names_in_a_terrain_file_are_text(tmp_path, desk):
    path = tmp_path / "hostile.yaml"
    document = {
        "format": "hexmarshal-terrain/1",
        "name": HOSTILE,
        "grid": {"kind": "block", "columns": 4, "rows": 4, "pitch": 60, "breadth": 69.282},
        "terrain": {HOSTILE: {"sight": "obstacle", "height": 1, "cost": {HOSTILE: 2}}},
        "cells": {"0102": HOSTILE},
    }
    path.write_text(json.dumps(document))
    with viewed(path) as site:
        seen = Watched(desk, site.url).ready()
        page = seen.page
        page.evaluate("() => hexmarshal.cell('0102')")
        page.locator("#answer .card").wait_for()
        for tab in ("hex", "edit", "types"):
            page.locator(f"#tab-{tab}").click()
        assert HOSTILE in page.locator("#types").inner_text()
        assert page.title() == HOSTILE
        assert page.evaluate("() => window.hurt") is None
        assert page.locator("img[src='x'], script:not([src])").count() == 0
        assert seen.said == []


def test_a_picture_that_is_a_program_does_nothing(tmp_path, desk):
    made = b.ModuleBuilder("Painted", version="1")
    evil = (
        b"<svg xmlns='http://www.w3.org/2000/svg' width='200' height='200'>"
        b"<script>window.top.hurt=1</script>"
        b"<rect width='200' height='200' onload='window.hurt=1'/></svg>"
    )
    board = made.image("evil.svg", evil)
    made.map("Map", main=True).board("Field", image=board)
    module = made.save(tmp_path / "painted.vmod", force=True)
    with viewed(module) as site:
        seen = Watched(desk, site.url).ready()
        src = seen.page.locator(".ground img").get_attribute("src")
        answer = site.ask("GET", src)
        assert "sandbox" in answer.headers["content-security-policy"]
        assert "script-src" not in answer.headers["content-security-policy"]
        page = desk.new_page()
        page.goto(site.url.rstrip("/") + src)
        assert page.evaluate("() => window.hurt") is None


def test_a_game_without_rules_has_steps_and_no_verdicts(plain_log, desk):
    site = plain_log.site
    seen = Watched(desk, site.url).ready()
    seen.page.wait_for_function(IDLE)
    seen.page.keyboard.press("ArrowRight")
    seen.page.wait_for_function("() => document.body.dataset.step == 1")
    assert "Red squad" in seen.page.locator("#now").inner_text()
    assert seen.page.locator(".piece").count() == 2
    seen.page.locator("#tab-findings").click()
    assert "not known" in seen.page.locator("#findings").inner_text()
    assert seen.said == []


@pytest.fixture(scope="module")
def stacked(tmp_path_factory):
    """Two stacks of three counters and a counter alone, in the set-up of a module."""
    made = b.ModuleBuilder("Stacked", version="1")
    main = made.map("Map", main=True)
    grid = b.hex_grid(width=55.43, height=64, origin=(60, 64))
    main.board("Field", size=(800, 600), color="200,220,180", grid=grid)
    out = io.BytesIO()
    Image.new("RGB", (40, 40), (40, 40, 180)).save(out, "PNG")
    image = made.image("blue.png", out.getvalue())
    slots = made.palette("All").list("All")
    start = made.setup("Start")
    for number, place in enumerate(("0202", "0202", "0202", "1005", "1005", "1005", "0507")):
        start.place(slots.counter(b.Counter(f"unit {number}", image, ())), main, place)
    start.save()
    module = made.save(tmp_path_factory.mktemp("stacked") / "stacked.vmod", force=True)
    with viewed(module) as site:
        yield site


def _lies(page, number: int):
    """A counter's box as it lies, or as its stack has spread it."""
    return page.get_by_label(f"unit {number}").bounding_box()


def _middle(box) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _are_apart(page, *numbers: int) -> bool:
    """Whether none of these counters covers any part of another."""
    boxes = [_lies(page, number) for number in numbers]
    return all(
        one["x"] + one["width"] <= other["x"]
        or other["x"] + other["width"] <= one["x"]
        or one["y"] + one["height"] <= other["y"]
        or other["y"] + other["height"] <= one["y"]
        for one, other in combinations(boxes, 2)
    )


def test_a_stack_spreads_when_pointed_at_and_gathers_when_left(stacked, desk):
    page = Watched(desk, stacked.url).ready().page
    assert not _are_apart(page, 0, 1, 2)
    before = [_lies(page, number) for number in range(7)]
    page.mouse.move(*_middle(before[2]))
    page.locator(".stack.spread").wait_for(state="attached")
    assert _are_apart(page, 0, 1, 2)
    page.mouse.move(*_middle(before[5]))  # another one
    page.wait_for_function("() => document.querySelectorAll('.stack.spread').length === 1")
    assert _are_apart(page, 3, 4, 5)
    assert [_lies(page, number) for number in range(3)] == before[:3]
    page.mouse.move(*_middle(before[6]))  # one that lies alone
    page.wait_for_function("() => !document.querySelector('.stack.spread')")
    assert [_lies(page, number) for number in range(7)] == before


def test_a_stack_spreads_when_tapped_and_gathers_when_the_map_is(stacked, browser):
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    seen = Watched(context, stacked.url).ready()
    page = seen.page
    before = [_lies(page, number) for number in range(7)]
    page.touchscreen.tap(*_middle(before[2]))
    page.wait_for_function("() => document.querySelectorAll('.stack.spread').length === 1")
    page.wait_for_timeout(SETTLED)
    assert _are_apart(page, 0, 1, 2)
    # A finger is wide: what is spread can be told apart by one.
    assert all(_lies(page, number)["width"] >= FINGER for number in range(3))
    # A second tap is on a counter of it, and leaves it spread; one beside it gathers it.
    page.touchscreen.tap(*_middle(_lies(page, 1)))
    page.wait_for_timeout(SETTLED)
    assert _are_apart(page, 0, 1, 2)
    page.touchscreen.tap(*_middle(before[5]))
    page.wait_for_function(
        "() => document.querySelector('.stack.spread [aria-label=\"unit 4\"]')"
        " && document.querySelectorAll('.stack.spread').length === 1"
    )
    page.touchscreen.tap(*_middle(before[6]))
    page.wait_for_function("() => !document.querySelector('.stack.spread')")
    page.wait_for_timeout(SETTLED)
    assert [_lies(page, number) for number in range(7)] == before
    assert seen.said == []
    context.close()


def test_a_map_answers_clicks(tmp_path, desk):
    with viewed(write_map(tmp_path)) as site:
        seen = Watched(desk, site.url).ready()
        page = seen.page
        page.wait_for_function("() => hexmarshal.board.cells")
        at = page.evaluate("() => hexmarshal.board.screen('0203')")
        page.mouse.click(at["x"], at["y"])
        page.wait_for_function("() => document.querySelectorAll('.ink .unseen').length === 13")
        page.get_by_role("button", name="Reach").click()
        page.wait_for_function("() => document.querySelectorAll('.ink polygon.reach').length > 20")
        page.get_by_role("button", name="Line of sight").click()
        at = page.evaluate("() => hexmarshal.board.screen('0804')")
        page.mouse.click(at["x"], at["y"])
        page.locator("#answer .badge.bad").wait_for()
        assert page.locator(".ink polygon.blocked").count() == 1
        assert site.ask("GET", "/cell?at=9999").status == 400
        assert site.ask("GET", "/reach?from=0203&allowance=1/0").status == 400
        assert seen.said == []


def test_pages_fit_a_phone_and_a_desk(browser, plain_log):
    site = plain_log.site
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    page = Watched(context, site.url).ready().page
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        for button in page.locator("footer .slider > button").all():
            box = button.bounding_box()
            assert box["width"] >= 36
            assert box["x"] + box["width"] <= width
    context.close()


def test_steps_in_the_page_lead_to_the_tables_of_the_log(plain_log, desk):
    site = plain_log.site
    seen = Watched(desk, site.url).ready()
    page = seen.page
    page.wait_for_function("() => hexmarshal.changes")
    for step in (1, 2, 0, 2, 1, 0):
        page.evaluate("(n) => hexmarshal.go(n)", step)
        wanted = site.ask("GET", f"/tables/{step}").json()["pieces"]
        shown = page.evaluate(
            "() => [...hexmarshal.board.stacks.values()].flatMap((s) => s.members)"
            ".map((p) => [p.id, p.x, p.y]).sort()"
        )
        assert shown == sorted([p["id"], p["x"], p["y"]] for p in wanted)
    assert seen.said == []
