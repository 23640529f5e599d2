"""Pages of a live server in this process, and a real browser to look at them."""

from __future__ import annotations

import asyncio
import http.client
import json
import shutil
import threading
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from hexmarshal.cli.demo_war import write_module_and_log
from hexmarshal.rules.plugins.registry import default
from hexmarshal.service.auth import Role, new_token
from hexmarshal.service.server import Server
from hexmarshal.service.settings import Settings
from hexmarshal.table.module_finder import Means
from hexmarshal.web.drawing.gallery import Gallery
from hexmarshal.web.matches.serving import pages_beside
from hexmarshal.web.site.listening import bound, listening
from hexmarshal.web.viewing.opening import open_view
from hexmarshal.web.viewing.serving import view_pages

QUIET = Settings(
    listen="127.0.0.1:0", web="127.0.0.1:0", ephemeral=True, workers=0, log_calls="none"
)
HOSTILE = """<img src=x onerror="window.hurt=1"><script>window.hurt=2</script>'"&lt;"""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)


def chromium() -> str | None:
    return next(filter(None, map(shutil.which, BROWSERS)), None)


needs_browser = pytest.mark.skipif(
    chromium() is None, reason="no Chromium on the PATH: `make browser` installs it"
)


class Site:
    """Pages at `url`; `ask` speaks HTTP to them as a program would."""

    def __init__(self, url: str, loop: asyncio.AbstractEventLoop, server: Server | None) -> None:
        self.url, self.loop, self.server = url, loop, server
        self.address = url.split("/")[2]

    def do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(60)

    def token(self, name: str, role: str = "player") -> str:
        token, row = new_token(name, Role(role))
        assert self.do(self.server.store.add_token(row))
        return token

    def ask(self, method: str, path: str, body: bytes | str | None = None, **headers: str):
        line = http.client.HTTPConnection(self.address, timeout=60)
        try:
            named = {key.replace("_", "-"): value for key, value in headers.items()}
            line.request(method, path, body, named)
            answer = line.getresponse()
            data = answer.read()
            return SimpleNamespace(
                status=answer.status,
                headers={k.lower(): v for k, v in answer.getheaders()},
                body=data,
                json=lambda: json.loads(data),
            )
        finally:
            line.close()

    def call(self, name: str, message: object, **headers: str):
        text = json.dumps(message)
        return self.ask(
            "POST", f"/hexmarshal.v1.{name}", text, content_type="application/json", **headers
        )

    def match(self, game: str, scenario: str = "", **terms) -> str:
        made = self.call("MatchService/CreateMatch", {"game": game, "scenario": scenario, **terms})
        assert made.status == 200, made.body
        return made.json()["match"]["id"]


@contextmanager
def running_loop():
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


def _held(loop, context):
    """Enter an asynchronous context in a loop of another thread."""
    return asyncio.run_coroutine_threadsafe(context.__aenter__(), loop).result(60)


def _left(loop, context):
    asyncio.run_coroutine_threadsafe(context.__aexit__(None, None, None), loop).result(60)


@contextmanager
def match_site(games=None, **changes):
    """The pages of matches, of the games given or of all that are installed."""
    with running_loop() as loop:
        server = Server(replace(QUIET, **changes), games or default())
        asyncio.run_coroutine_threadsafe(server.start(), loop).result(60)
        try:
            pages = pages_beside(server)
            url = _held(loop, pages)
            try:
                yield Site(url, loop, server)
            finally:
                _left(loop, pages)
        finally:
            asyncio.run_coroutine_threadsafe(server.stop(0.2), loop).result(60)


@contextmanager
def view_site(make):
    """The pages of one file; `make` opens the view with a gallery."""
    gallery = Gallery()
    view = make(gallery)
    with running_loop() as loop:
        loop.call_soon_threadsafe(view.begin)
        pages = listening(view_pages(view, gallery), bound("127.0.0.1:0"))
        url = _held(loop, pages)
        try:
            yield Site(url, loop, None)
        finally:
            _left(loop, pages)
            view.close()


# Keeps a copy of everything that a page fetches, open streams included.
LISTENING = """
window.heard = [];
const asked = window.fetch;
window.fetch = async (...all) => {
  const answer = await asked(...all);
  const at = heard.push("") - 1;
  const reader = answer.clone().body?.pipeThrough(new TextDecoderStream()).getReader();
  (async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      heard[at] += value;
    }
  })().catch(() => {});
  return answer;
};
"""


class Watched:
    """A page with everything that it said and heard."""

    def __init__(self, context, url: str) -> None:
        self.page = context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda e: self.said.append(str(e)))
        self.page.on("request", lambda r: self.asked.append(r.url))
        self.page.add_init_script(LISTENING)
        self.page.goto(url)

    def _console(self, message) -> None:
        if message.type == "error":
            self.said.append(f"{message.text} {message.location.get('url')}")

    def heard(self) -> str:
        """All that its calls and streams were answered since it was loaded, a line each."""
        return self.page.evaluate("heard.join('\\n')")

    def ready(self) -> Watched:
        self.page.wait_for_selector("body[data-ready]", timeout=60_000)
        return self

    def value(self, script: str):
        return self.page.evaluate(script)


def viewed(path: Path, module: Path | None = None, plugins: tuple[str, ...] = (), **given):
    """The pages of a file, opened as `hexmarshal view` would."""
    means = Means(module=module, **given)
    return view_site(lambda gallery: open_view(str(path), path, means, gallery, plugins=plugins))


@pytest.fixture(scope="package")
def plain_log(tmp_path_factory):
    """A log of a game whose rules nobody knows, its module, and its pages."""
    module, log = write_module_and_log(tmp_path_factory.mktemp("plain"))
    with viewed(log, module) as site:
        yield SimpleNamespace(log=log, module=module, site=site)


@pytest.fixture(scope="package")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    path = chromium()
    if path is None:
        pytest.skip("no Chromium on the PATH: `make browser` installs it")
    with playwright.sync_playwright() as driver:
        own = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        yield own
        own.close()


@pytest.fixture
def new_desk(browser):
    """Somebody's browser, apart from everybody else's: a page that lies under another of the same
    browser draws one frame a second and no more."""
    made = []

    def make():
        context = browser.new_context(
            viewport={"width": 900, "height": 600}, reduced_motion="reduce"
        )
        context.set_default_timeout(60_000)
        made.append(context)
        return context

    yield make
    for context in made:
        context.close()


@pytest.fixture
def desk(new_desk):
    return new_desk()
