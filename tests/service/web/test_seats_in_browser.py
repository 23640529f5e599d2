"""Seats in a real browser: tokens, who takes which, what is taken back; fingers; eyes and ears."""

from __future__ import annotations

import sys
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlencode

import pytest

from hexmarshal.cli.demo_war import write_map
from hexmarshal.rules.plugins.registry import Registry

from .conftest import HOSTILE, Watched, match_site, needs_browser, viewed

pytestmark = needs_browser

IDLE = "() => !document.body.classList.contains('busy')"
NEWEST = "(v) => hexmarshal.newest === v && !hexmarshal.refreshing"


@pytest.fixture(scope="module")
def games():
    sys.path.insert(0, str(Path(__file__).parents[2]))
    try:
        from tutorial import Crossroads
    finally:
        del sys.path[0]
    registry = Registry()
    registry.add(Crossroads())
    return registry


@pytest.fixture(scope="module")
def site(games):
    with match_site(games) as one:
        yield one


def _signed_in(context, site, token: str) -> Watched:
    seen = Watched(context, site.url)
    seen.page.locator("#secret").fill(token)
    seen.page.keyboard.press("Enter")
    return seen


def test_a_seat_is_taken_by_one_and_played_by_no_other(browser, games):
    with match_site(games, auth="tokens") as site:
        ann, bob, eve = (browser.new_context(reduced_motion="reduce") for _ in range(3))
        first = _signed_in(ann, site, "no such token")
        first.page.get_by_text("This token is not valid").wait_for()
        first.page.locator("#secret").fill(site.token("ann"))
        first.page.keyboard.press("Enter")
        first.page.locator("[data-game=tutorial]").click()
        first.page.locator("#create").click()
        first.page.locator("a.other").wait_for()
        link = first.page.locator("a.other").get_attribute("href")
        first.page.locator("#mine").click()
        first.ready()
        mine = first.value("hexmarshal.side")
        # Bob takes the other seat by its link; Ann's own he cannot have.
        second = _signed_in(bob, site, site.token("bob"))
        second.page.locator("[data-game]").first.wait_for()
        second.page.goto(f"{site.url}{link.lstrip('/')}")
        second.page.locator("#take").click()
        second.ready()
        second.page.goto(first.page.url)
        second.page.locator("#take").click()
        second.page.locator("#toast.error").wait_for()
        assert second.value("hexmarshal.table ?? null") is None
        second.page.goto(f"{site.url}{link.lstrip('/')}")
        second.ready()
        # One who plays both sides, or against the random player, has both seats from the start.
        alone = bob.new_page()
        alone.goto(site.url)
        alone.locator("#secret").fill(site.token("bob-alone"))
        alone.keyboard.press("Enter")
        alone.locator("[data-game=tutorial]").click()
        alone.locator("#create").wait_for()
        alone.locator("[data-seat]").nth(1).select_option("random")
        alone.locator("#create").click()
        alone.wait_for_selector("body[data-ready]")
        assert alone.evaluate("() => hexmarshal.table.match.seats.map((s) => s.player)") == [
            "bob-alone",
            "bob-alone",
        ]
        # Who has no token is sent to where one is asked for, whatever he opens.
        third = Watched(eve, first.page.url)
        third.page.wait_for_url(site.url)
        third.page.locator("#secret").wait_for()
        # What one does and takes back comes to the other by itself.
        players = {mine: first, second.value("hexmarshal.side"): second}
        active = players[first.value("hexmarshal.position.active[0]")]
        begun = second.value("hexmarshal.newest")  # that seats were taken is told, too
        active.page.locator("#kinds button").last.click()
        active.page.wait_for_function(IDLE, polling=20)
        active.page.locator("#confirm").click()
        for seen in players.values():
            seen.page.wait_for_function(NEWEST, arg=begun + 1, polling=20)
        active.page.wait_for_function(IDLE, polling=20)
        active.page.locator("#undo").click()
        for seen in players.values():
            seen.page.wait_for_function(NEWEST, arg=begun + 2, polling=20)
        (other,) = [seen for seen in players.values() if seen is not active]
        assert other.value("hexmarshal.position.active[0]") == active.value("hexmarshal.side")
        assert [line for line in active.said if "401" not in line and "403" not in line] == []
        for context in (ann, bob, eve):
            context.close()


def test_what_players_call_a_match_is_text(site, desk):
    match = site.match("tutorial", title=HOSTILE[:80])
    seen = Watched(desk, site.url)
    seen.page.get_by_text(HOSTILE[:80]).first.wait_for()
    assert seen.page.evaluate("() => window.hurt") is None
    assert seen.page.locator("img[src='x'], script:not([src])").count() == 0
    # Nor is anything in an address: neither of a match nor of a seat.
    query = urlencode({"match": HOSTILE, "side": HOSTILE, "random": HOSTILE})
    for address in (
        f"match.html?{query}",
        f"match.html?match={match}&{query[query.index('side') :]}",
    ):
        page = desk.new_page()
        page.goto(f"{site.url}{address}")
        page.locator("#prompt .card").wait_for()
        assert page.evaluate("() => window.hurt") is None
        assert page.locator("img[src='x'], script:not([src])").count() == 0
    assert seen.said == []


def test_a_match_that_does_not_exist_says_so_and_leads_back(site, desk):
    page = desk.new_page()
    page.goto(f"{site.url}match.html?match=none&side=red")
    page.locator("#prompt a").click()
    page.wait_for_url(site.url)
    page.goto(f"{site.url}match.html")  # of no match at all
    page.wait_for_url(site.url)


# Fingers


def _touch(session, kind: str, *points: tuple[float, float]) -> None:
    at = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})


@pytest.fixture
def phone(browser):
    context = browser.new_context(
        viewport={"width": 390, "height": 800},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    yield context
    context.close()


def test_fingers_pan_pinch_and_tap(phone, tmp_path):
    path = write_map(tmp_path)
    with viewed(path) as site:
        seen = Watched(phone, site.url).ready()
        page = seen.page
        session = phone.new_cdp_session(page)
        view = "() => ({...hexmarshal.board.view})"
        before = page.evaluate(view)
        _touch(session, "touchStart", (150, 250), (230, 250))
        for step in range(1, 6):
            _touch(session, "touchMove", (150 - 12 * step, 250), (230 + 12 * step, 250))
        _touch(session, "touchEnd")
        pinched = page.evaluate(view)
        assert pinched["scale"] > 1.5 * before["scale"]
        _touch(session, "touchStart", (200, 250))
        for step in range(1, 6):
            _touch(session, "touchMove", (200 - 12 * step, 250 - 6 * step))
        _touch(session, "touchEnd")
        panned = page.evaluate(view)
        assert panned["scale"] == pinched["scale"]
        assert panned["x"] < pinched["x"]
        assert panned["y"] < pinched["y"]
        assert page.evaluate("() => scrollX + scrollY") == 0  # the map moved, and not the page
        page.evaluate("() => hexmarshal.board.fit()")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(done))")
        from playwright.sync_api import TimeoutError as TooLate

        for _ in range(8):  # where the browser gets no time, a tap becomes a long press
            at = page.evaluate("() => hexmarshal.board.screen('0402')")
            page.wait_for_timeout(500)  # at once after the last it would be half of a double tap
            page.touchscreen.tap(at["x"], at["y"])
            with suppress(TooLate):
                page.locator("#answer .card").wait_for(timeout=4000)
                break
        assert "woods" in page.locator("#answer .card").inner_text()
        assert seen.said == []


# Eyes and ears

UNNAMED = ("button", "link", "textbox", "combobox", "slider", "tab", "checkbox", "spinbutton")
HEADINGS = """[...document.querySelectorAll("h1, h2, h3, h4")]
  .filter((e) => e.checkVisibility()).map((e) => Number(e.tagName[1]))"""
CONTRAST = Path(__file__).with_name("contrast.js").read_text()


def _heard(context, page) -> list[str]:
    """What a screen reader finds without a name, though it can be used."""
    tree = context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    return [
        str(node["role"]["value"])
        for node in tree
        if not node.get("ignored")
        and node.get("role", {}).get("value") in UNNAMED
        and not node.get("name", {}).get("value", "").strip()
    ]


def test_everything_is_named_and_stands_out(site, browser, plain_log, tmp_path):
    context = browser.new_context(viewport={"width": 1000, "height": 700}, reduced_motion="reduce")

    def look(seen: Watched, *tabs: str) -> None:
        for tab in tabs or ("",):
            if tab:
                seen.page.locator(f"#tab-{tab}").click()
            for scheme in ("dark", "light"):
                seen.page.emulate_media(color_scheme=scheme)
                assert seen.value(CONTRAST) == [], (seen.page.url, tab, scheme)
            assert _heard(context, seen.page) == [], (seen.page.url, tab)
            levels = seen.value(HEADINGS)
            assert levels[0] == 1
            assert all(b - a <= 1 for a, b in pairwise(levels)), (seen.page.url, tab, levels)
        assert seen.page.evaluate("() => document.documentElement.lang") == "en"
        assert seen.value("document.querySelectorAll('main').length") == 1

    lobby = Watched(context, site.url)
    lobby.page.locator("[data-game=tutorial]").click()
    lobby.page.locator("#create").wait_for()
    look(lobby)
    lobby.page.evaluate(
        "() => { document.querySelector('h1').style.color = 'rgb(128, 128, 128)'; }"
    )
    assert len(lobby.value(CONTRAST)) == 1  # what does not stand out is found
    match = site.match("tutorial", seed="eyes")
    (side, *_) = site.call("MatchService/GetMatch", {"match": match}).json()["match"]["position"][
        "active"
    ]
    table = Watched(context, f"{site.url}match.html?match={match}&side={side}").ready()
    table.page.locator("#kinds button").first.click()
    table.page.wait_for_function(IDLE, polling=20)
    look(table, "do", "told", "rest", "sight", "rules")
    steps = Watched(context, plain_log.site.url).ready()
    steps.page.wait_for_function("() => document.body.dataset.checked")
    look(steps, "now", "steps", "findings", "dice", "about")
    for file, tabs in (
        (plain_log.module, ("setups", "counters", "tree", "lint")),
        (write_map(tmp_path), ("hex", "edit", "types")),
    ):
        with viewed(file) as view:
            look(Watched(context, view.url).ready(), *tabs)
    context.close()
