"""A large module and its log in a real browser: the first picture, a step, frames while panning.

The first picture is measured by the clock, because several processes make it together; the best of
a few rounds counts. Steps and frames are measured by the processor's time that Chromium's own trace
tells, so that what else runs on the machine does not decide: a frame is dropped if all that it
takes, on all threads together, takes longer than a frame lasts.
"""

from __future__ import annotations

import io
import math
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from chromium_trace import Spent, traced
from PIL import Image
from ratio import Ratio, spent

from hexmarshal.table.module_finder import Means
from hexmarshal.vassal import builder as b
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.render.pictures import Pictures
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.savedata import save_entries
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.web.viewing.opening import open_view

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "service"))

BOARD = (3600, 2580)  # four boards of VASL by two
COUNTERS, LOOKS, STEPS, ROUNDS = 500, 250, 120, 3
FRAME, PANNED = 1 / 60, 180
SHOWN = """() => document.body.dataset.shown && document.querySelectorAll(".piece").length >= 500
  && [...document.images].every((i) => i.complete && i.naturalWidth)"""
STEPPED = 100
# Steps as fast as a hand can pull the slider: what they cost before a frame shows the last one.
PULLING = """async (n) => { for (let i = 1; i <= n; i++) await hexmarshal.go(i); }"""
# A step a frame, and against it a counter that is moved a frame by hand, with nothing told of it.
STEPPING = """async (n) => {
  for (let i = 1; i <= n; i++) {
    hexmarshal.go(i);
    await new Promise(requestAnimationFrame);
  }
}"""
MOVING = """async (n) => {
  const stacks = [...document.querySelectorAll(".stack")];
  for (let i = 1; i <= n; i++) {
    Object.assign(stacks[i].style, { left: `${300 + 20 * i}px`, top: "900px" });
    await new Promise(requestAnimationFrame);
  }
}"""
PANNING = """(n) => new Promise((done) => {
  const board = hexmarshal.board;
  let way = 0;
  const frame = () => {
    board.pan(Math.cos(way) * 9, Math.sin(way) * 9);
    way += 0.05;
    if (--n) requestAnimationFrame(frame); else done();
  };
  requestAnimationFrame(frame);
})"""


def _png(size: tuple[int, int], seed: int) -> bytes:
    """A picture as maps are: soft ground with fine grain."""
    chance = np.random.default_rng(seed)
    soft = chance.integers(60, 220, (size[1] // 30 + 2, size[0] // 30 + 2, 3), dtype=np.uint8)
    ground = Image.fromarray(soft).resize(size, Image.Resampling.BICUBIC)
    grain = chance.integers(0, 12, (size[1], size[0], 1), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(np.asarray(ground) // 2 + grain + 60).save(out, "PNG")
    return out.getvalue()


def _large(folder: Path) -> tuple[Path, Path]:
    made = b.ModuleBuilder("Large", version="1.0")
    made.sides("Red")
    main = made.map("Map", main=True)
    grid = b.hex_grid(width=56.25, height=64.5, origin=(0, 32))
    main.board("Board", image=made.image("board.png", _png(BOARD, 1)), grid=grid)
    slots = made.palette("All").list("All")
    start = made.setup("All")
    looks = [made.image(f"{n}.png", _png((48, 48), n + 2)) for n in range(LOOKS)]
    own = [slots.counter(b.Counter(f"counter {n}", looks[n], ())) for n in range(LOOKS)]
    pieces = [
        start.place(own[n % LOOKS], main, f"{2 + n % 60:02}{2 + n // 60 * 3:02}")
        for n in range(COUNTERS)
    ]
    start.save()
    module = made.save(folder / "large.vmod", force=True)
    archive = Module.open(module).archive
    assert archive is not None
    entry = next(name for name in archive.names() if name.endswith(".vsav"))
    writer = LogWriter(SavedGame.from_archive(archive.nested(entry)).state())
    for n in range(STEPS):
        with writer.step() as step:
            step.move(pieces[n], "Map", 300 + 20 * n, 900)
        if n % 3 == 0:
            with writer.step() as step:
                step.chat("Ann", f"and that was move {n}")
    log = folder / "large.vlog"
    entries = save_entries("Large", "1.0", module_data=made.module_data)
    writer.finish(entries).save(log, force=True)
    return module, log


def _best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def _decode(module: Path, log: Path) -> None:
    """The bare work: open the module, decode every picture on the table, read the game."""
    pictures = Pictures(Module.open(module))
    for name in ("board.png", *(f"{n}.png" for n in range(LOOKS))):
        assert pictures.get(name) is not None
    SavedGame.open(log).state()


@contextmanager
def _site(module: Path, log: Path) -> Iterator[Any]:
    from web.conftest import view_site

    means = Means(module=module)
    with view_site(lambda gallery: open_view(str(log), log, means, gallery)) as site:
        yield site


def _dropped(frames: list[float]) -> float:
    """The share of frames that come late, if nothing but the page runs."""
    return sum(max(0, math.ceil(each / FRAME) - 1) for each in frames) / max(1, len(frames))


@dataclass(slots=True)
class Measured:
    """What one page took, each in seconds or as a share."""

    first: float = 0.0
    pulled: float = 0.0
    stepped: float = 0.0
    moved: float = 0.0
    dropped: float = 0.0


def _looked(browser: Any, site: Any, begun: float) -> Measured:
    found = Measured()
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(site.url)
    page.wait_for_function(SHOWN, polling=50, timeout=120_000)
    found.first = time.perf_counter() - begun
    page.wait_for_function("() => window.hexmarshal?.changes", timeout=120_000)

    def run(script: str, count: int) -> Spent:
        page.evaluate("async () => { await hexmarshal.go(0); }")
        page.wait_for_timeout(300)  # until nothing goes on any more
        with traced(browser, page) as taken:
            page.evaluate(script, count)
        return taken

    found.pulled = run(PULLING, STEPPED).main / STEPPED
    found.stepped = run(STEPPING, STEPPED).main / STEPPED
    page.evaluate("() => hexmarshal.board.zoom(3)")
    found.dropped = _dropped(run(PANNING, PANNED).frames)
    page.evaluate("() => hexmarshal.board.fit()")
    found.moved = run(MOVING, STEPPED).main / STEPPED
    context.close()
    return found


def measure() -> Iterator[Ratio]:
    try:
        from playwright.sync_api import sync_playwright
        from web.conftest import FLAGS, chromium
    except ImportError:
        return
    path = chromium()
    if path is None or shutil.which(path) is None:
        print("no Chromium on the PATH: `make browser` installs it")
        return
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        module, log = _large(Path(name))
        browser = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        bare = _best(lambda: _decode(module, log))
        rounds = []
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            with _site(module, log) as site:
                rounds.append(_looked(browser, site, begun))
        browser.close()
        first = min(each.first for each in rounds)
        yield Ratio("page: the first picture against bare decoding", first, bare, 5)
        saved = SavedGame.open(log)
        count = sum(1 for _ in GameLog(saved).steps())
        each = min(spent(lambda: list(GameLog(saved).steps())) for _ in range(5)) / count
        pulled = min(one.pulled for one in rounds)
        yield Ratio("page: a step of the slider against reading the step", pulled, each, 3)
        stepped, moved = min(one.stepped for one in rounds), min(one.moved for one in rounds)
        yield Ratio("page: a step in a frame against moving a counter", stepped, moved, 3)
        dropped = min(one.dropped for one in rounds)
        yield Ratio("page: frames dropped while panning", dropped, 1, 0.05)
