"""Matches played by clicks alone, in a real browser: every game, both seats, nobody's secrets."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from server.frontier import Frontier

from hexmarshal.rules.plugins.registry import Registry, default

from .blank_pictures import blank_pictures
from .conftest import Watched, match_site, needs_browser

pytestmark = needs_browser

ACTIONS = 10
IDLE = "() => !document.body.classList.contains('busy')"
TESTS = Path(__file__).parents[2]
ALL = default().keys()
PLAYABLE = sorted(key for key in ALL if len(default().get(key).game.actions))
# One call to the browser: it waits there until nothing goes on, and tells what is offered.
STATE = """async () => {
  for (let n = 0; document.body.classList.contains("busy"); n++) {
    if (n > 3000) throw new Error("busy for a minute");
    await new Promise((d) => setTimeout(d, 20));
  }
  const all = (where) => [...document.querySelectorAll(where)];
  return {
    version: hexmarshal.newest, over: hexmarshal.over, active: hexmarshal.position.active ?? [],
    confirm: all("#confirm:not(:disabled)").length, values: all("#values button").length,
    names: all("#kinds button").map((b) => b.dataset.kind), kinds: all("#kinds button").length,
    settle: all("#settle").length, reset: all("#reset").length,
  };
}"""


@pytest.fixture(scope="module")
def site():
    with blank_pictures(), match_site() as one:
        yield one


class Player:
    """A seat in a page of its own, played by clicks on what the page offers."""

    def __init__(self, desk, site, match: str, side: str, seed: str) -> None:
        self.seen = Watched(desk, f"{site.url}match.html?match={match}&side={side}").ready()
        self.page, self.side = self.seen.page, side
        self.chance = random.Random(seed)

    def state(self):
        return self.page.evaluate(STATE)

    def _click_kind(self, names: list[str]) -> None:
        wanted = [name for name in names if name in {"move", "deploy", "fire", "attack"}]
        often = wanted if wanted and self.chance.random() < 0.7 else names
        self._press(f"#kinds [data-kind={self.chance.choice(often)}]")

    def _click_value(self, count: int) -> None:
        number = self.chance.randrange(count)
        at = self.page.evaluate(
            """async (n) => {
              const v = JSON.parse(document.querySelectorAll("#values button")[n].dataset.value);
              const layer = hexmarshal.board.layers.get("choices")?.cells ?? [];
              if (!layer.some((c) => c.cell === v)) return null;
              hexmarshal.board.look([v]);
              const frame = () => new Promise(requestAnimationFrame);
              await frame().then(frame);
              const at = hexmarshal.board.screen(v);
              const on = at && document.elementFromPoint(at.x, at.y);
              const free = on?.closest(".stage, .board") && !on.closest(".piece, .zoom, .maps");
              return free ? at : null;
            }""",
            number,
        )
        if at is not None:  # a hex is clicked where it lies on the map
            self.page.mouse.click(at["x"], at["y"])
            return
        self.page.locator("#values button").nth(number).click(force=True)

    def _press(self, where: str) -> None:
        # What is offered was there a moment ago, and nothing goes on: no need to wait for it.
        self.page.locator(where).click(force=True)

    def act(self) -> bool:
        """One action, if it is this side's go; whether one was done."""
        before = self.state()
        if before["over"] or self.side not in before["active"]:
            return False
        for _ in range(60):
            now = self.state()
            if now["version"] > before["version"]:
                return True
            if now["confirm"] and (not now["values"] or self.chance.random() < 0.8):
                self._press("#confirm")
            elif now["kinds"]:
                self._click_kind(now["names"])
            elif now["values"]:
                self._click_value(now["values"])
            elif now["settle"]:
                self._press("#settle")
            elif now["reset"]:
                self._press("#reset")
            else:
                return False
        return False


def _follows(site, match: str, player: Player) -> None:
    """Wait until a page shows all that its seat was told of; seats count for themselves."""
    asked = {"match": match, "side": player.side}
    told = site.call("MatchService/GetMatch", asked).json()["match"].get("version", 0)
    player.page.evaluate(
        """async (v) => {
          for (let n = 0; hexmarshal.newest < v; n++) {
            if (n > 3000) throw new Error(`not told of ${v} for a minute`);
            await new Promise((d) => setTimeout(d, 20));
          }
        }""",
        int(told),
    )


def _whole(site, match: str) -> dict:
    """The position as it is, which no seat sees."""
    return site.call("MatchService/GetMatch", {"match": match}).json()["match"]["position"]


def _secrets(whole: dict, side: str) -> set[str]:
    """The units that are there now, and that the side may not know of."""
    return {
        unit["id"]
        for unit in whole.get("units", [])
        if "seenBy" in unit and side not in unit["seenBy"].get("sides", [])
    }


def _cards_shown(heard: str) -> dict[str, list[str]]:
    """Every card that came over the wire with a face, by the name of its pile."""
    found: dict[str, list[str]] = {}

    def walk(document: object) -> None:
        if isinstance(document, dict):
            faces = [card for card in document.get("cards", []) if card != "?"]
            if faces and "name" in document:
                found.setdefault(document["name"], []).extend(faces)
            for value in document.values():
                walk(value)
        elif isinstance(document, list):
            for value in document:
                walk(value)

    for line in heard.splitlines():
        text = line.removeprefix("data: ")
        if text.startswith(("{", "[")):
            walk(json.loads(text))
    return found


@pytest.mark.parametrize("game", PLAYABLE)
def test_ten_actions_are_played_by_clicks_from_both_seats(site, new_desk, game):
    scenarios = site.call("GameService/ListScenarios", {"game": game}).json()["scenarios"]
    scenario = min(scenarios, key=lambda s: int(s.get("turns", 99)) or 99)["key"]
    match = site.match(game, scenario, seed="clicks")
    whole = _whole(site, match)
    players = [
        Player(new_desk(), site, match, side, f"{game} {side}") for side in whole["sides"][:2]
    ]
    hidden: dict[str, set[str]] = {p.side: _secrets(whole, p.side) for p in players}
    done = 0
    for _ in range(40):
        for player in players:
            while done < ACTIONS and player.act():
                done += 1
                now = _whole(site, match)
                for other in players:  # what one does comes to the other by itself
                    _follows(site, match, other)
                    hidden[other.side] &= _secrets(now, other.side)
        if done >= ACTIONS:
            break
    assert done >= ACTIONS
    for player in players:
        assert player.seen.said == []
        heard = player.seen.heard()
        assert not [unit for unit in hidden[player.side] if f'"{unit}"' in heard]
        shown_cards = _cards_shown(heard)
        for pile in whole.get("piles", []):
            known = pile.get("knownTo")
            if known is not None and player.side not in known.get("sides", []):
                assert pile["name"] not in shown_cards
        assert all(url.startswith(site.url) for url in player.seen.asked)
    # A page that is loaded again in the middle shows the same, and goes on.
    first = players[0]
    shown = first.seen.value("JSON.stringify(hexmarshal.table.pieces.map((p) => [p.id, p.x, p.y]))")
    first.page.reload()
    first.seen.ready()
    assert (
        first.seen.value("JSON.stringify(hexmarshal.table.pieces.map((p) => [p.id, p.x, p.y]))")
        == shown
    )
    # History: the slider goes back to the start, and the start is the start.
    first.page.locator("#at").fill("0")
    first.page.wait_for_function("() => hexmarshal.version === 0")
    assert first.page.locator("#now").is_visible()
    first.page.locator("#now").click()
    first.page.wait_for_function("() => hexmarshal.version === hexmarshal.newest")
    assert first.seen.said == []


def test_secrets_of_every_kind_stay_out_of_the_other_seats_traffic(browser):
    games = Registry()
    games.add(Frontier())
    with match_site(games) as site:
        context = browser.new_context(reduced_motion="reduce")
        match = site.match("frontier", seed="clicks")
        blue = Watched(context, f"{site.url}match.html?match={match}&side=blue").ready()
        red = Watched(context, f"{site.url}match.html?match={match}&side=red").ready()
        for version, (kind, side) in enumerate((("draw", "red"), ("omen", "red"))):
            doing = {"kind": kind, "side": side}
            asked = {"match": match, "version": version, "action": doing}
            site.call("MatchService/SubmitAction", asked)
        newest = site.call("MatchService/GetMatch", {"match": match, "side": "blue"}).json()[
            "match"
        ]
        blue.page.wait_for_function(
            "(v) => hexmarshal.newest >= v && !hexmarshal.refreshing",
            arg=int(newest.get("version", 0)),
        )
        blue.page.locator("#tab-told").click()
        blue.page.locator("#tab-rest").click()
        assert '"r29"' not in blue.heard()
        assert "r29" not in blue.page.content()
        assert '"r29"' in red.heard()
        assert blue.said == []
        context.close()


def test_the_lobby_begins_a_match_against_the_random_player(site, desk):
    page = Watched(desk, site.url).page
    page.locator("[data-game=conflict_of_heroes]").click()
    page.locator("#create").wait_for()
    page.locator("#scenario").select_option("drill")
    seats = page.locator("[data-seat]")
    seats.nth(1).select_option("random")
    page.locator("#create").click()
    page.wait_for_url("**/match.html?*")
    page.wait_for_selector("body[data-ready]")
    page.locator("#kinds button").first.click()
    page.locator("#confirm").click()
    page.wait_for_function("() => hexmarshal.newest >= 2")  # ours, and the random player's


def test_sight_reach_refusals_and_rules(site, desk):
    match = site.match("conflict_of_heroes", "first_steps", seed="clicks")
    seen = Watched(desk, f"{site.url}match.html?match={match}&side=german").ready()
    page = seen.page
    page.locator("#tab-sight").click()
    for cell in ("1-E13", "1-D08"):
        page.evaluate("(c) => hexmarshal.board.look([c])", cell)
        page.evaluate(
            "() => new Promise((d) => requestAnimationFrame(() => requestAnimationFrame(d)))"
        )
        at = page.evaluate("(c) => hexmarshal.board.screen(c)", cell)
        page.mouse.click(at["x"], at["y"])
    page.locator("#seen").wait_for()
    assert page.locator(".ink polyline.clear, .ink polyline.bar").count() == 1
    page.get_by_role("button", name="Field of view").click()
    page.evaluate("() => hexmarshal.cell('1-E13')")
    page.wait_for_function("() => document.querySelectorAll('.ink .unseen').length > 5")
    page.locator("#tab-do").click()
    assert page.locator(".ink .unseen").count() == 0
    page.evaluate("() => hexmarshal.piece(hexmarshal.table.pieces.find((p) => p.id === 'g1'))")
    page.locator(".ink polygon.reach").first.wait_for(state="attached")
    page.locator("#tab-rules").click()
    page.get_by_label("search the rules").fill("initiative")
    page.locator("#rules article").first.wait_for()
    assert "initiative" in page.locator("#rules").inner_text().lower()
    assert seen.said == []


def test_a_refusal_names_its_rule_and_leads_to_it(site, desk):
    match = site.match("kharkov", "exercise", seed="clicks")
    side = site.call("MatchService/GetMatch", {"match": match}).json()["match"]["position"][
        "active"
    ][0]
    seen = Watched(desk, f"{site.url}match.html?match={match}&side={side}").ready()
    page = seen.page
    # What a click opens is there when the page is idle again, not before.
    for clicked in ("[data-kind=move]", "#values button", "#settle"):
        page.locator(clicked).first.click()
        page.wait_for_function(IDLE, polling=20)
    assert page.evaluate("() => hexmarshal.builder.found.slot") == "path"
    # Loaded again in the middle of it, the page begins anew: nothing was done yet.
    page.reload()
    seen.ready()
    assert page.evaluate("() => hexmarshal.newest") == 0
    for clicked in ("[data-kind=move]", "#values button", "#settle"):
        page.locator(clicked).first.click()
        page.wait_for_function(IDLE, polling=20)
    assert page.evaluate("() => hexmarshal.builder.found.slot") == "path"
    held = page.evaluate(
        "() => hexmarshal.table.pieces.find((p) => p.cell && p.side !== hexmarshal.side).cell"
    )
    page.evaluate("(c) => hexmarshal.cell(c)", held)
    why = page.locator("#builder .why").first
    why.wait_for()
    why.locator(".rule").click()
    page.locator("#rules article").first.wait_for()
    assert why.locator(".rule").inner_text() in page.locator("#rules article").first.inner_text()
    assert seen.said == []


def test_everything_can_be_done_by_keys(site, desk):
    match = site.match("conflict_of_heroes", "drill", seed="clicks")
    side = site.call("MatchService/GetMatch", {"match": match}).json()["match"]["position"][
        "active"
    ][0]
    seen = Watched(desk, f"{site.url}match.html?match={match}&side={side}").ready()
    page = seen.page
    for _ in range(40):  # from the top of the page to what can be done
        page.keyboard.press("Tab")
        if page.evaluate("() => Boolean(document.activeElement.closest('#kinds'))"):
            break
    # What is chosen is replaced by what comes next, and the focus goes on to it.
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.id === 'confirm'")
    page.keyboard.press("Escape")  # a choice back
    page.wait_for_function("() => document.activeElement.closest('#kinds')")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.id === 'confirm'")
    page.keyboard.press("Enter")
    page.wait_for_function("() => hexmarshal.newest === 1")
    page.wait_for_function(IDLE, polling=20)
    page.locator(".board").focus()
    scale = page.evaluate("() => hexmarshal.board.view.scale")
    page.keyboard.press("+")
    assert page.evaluate("() => hexmarshal.board.view.scale") > scale
    page.keyboard.press("ArrowRight")
    assert page.locator(".ink polygon.cursor").count() == 1
    page.locator("#tab-do").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.id") == "tab-told"
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, a")].filter((e) =>
        !(e.innerText || e.ariaLabel || e.title || e.labels?.length)).map((e) => e.outerHTML)"""
    )
    assert unnamed == []
    assert seen.said == []


# A server that dies


def _port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _serve(folder: Path, port: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "hexmarshal", "serve", "--workers", "0"]
    command += ["--listen", "127.0.0.1:0", "--web", f"127.0.0.1:{port}", "--log-calls", "none"]
    command += ["--plugin", f"{TESTS / 'tutorial'}:Crossroads"]
    started = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
    assert started.stderr is not None
    assert "web" in json.loads(started.stderr.readline())
    return started


def test_a_page_outlives_its_server(desk, tmp_path):
    port = _port()
    server = _serve(tmp_path, port)
    try:
        page = Watched(desk, f"http://127.0.0.1:{port}/").page
        page.locator("[data-game=tutorial]").click()
        page.locator("#create").wait_for()
        for seat in page.locator("[data-seat]").all():
            seat.select_option("me")
        page.locator("#create").click()
        page.wait_for_selector("body[data-ready]")
        page.locator("#kinds button").first.click()
        page.wait_for_function("() => hexmarshal.builder.begun.kind")
        os.kill(server.pid, signal.SIGKILL)
        server.communicate(timeout=30)
        page.locator("#line").wait_for()  # the page says that the line is lost
        server = _serve(tmp_path, port)
        page.locator("#line").wait_for(state="hidden")
        page.wait_for_function("() => !hexmarshal.refreshing && hexmarshal.builder.found")
        page.locator("#kinds button[data-kind^=end], #kinds button").last.click()
        page.locator("#confirm").click()
        page.wait_for_function("() => hexmarshal.newest >= 1")
    finally:
        server.kill()
        server.communicate(timeout=30)
