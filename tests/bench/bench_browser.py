"""A large module and its log in a real browser: the first picture, a step, frames while panning.

Measured by the clock, because the browser is another process; the best of a few rounds counts.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from ratio import Ratio

from hexmarshal.table.module_finder import Means
from hexmarshal.vassal import builder as b
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.render.pictures import Pictures
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.savedata import save_entries
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.web.viewing.opening import open_view

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "service"))

BOARD = (3600, 2580)  # four boards of VASL by two
COUNTERS, LOOKS, STEPS, ROUNDS = 500, 250, 120, 3
FRAME = 1000 / 60
SHOWN = """() => document.body.dataset.ready && document.querySelectorAll(".piece").length >= 500
  && [...document.images].every((i) => i.complete && i.naturalWidth)"""
STEPPING = """async () => {
  const page = hexmarshal, start = performance.now();
  for (let i = 1; i <= 100; i++) { await page.go(i); }
  return (performance.now() - start) / 100;
}"""
PANNING = """() => new Promise((done) => {
  const board = hexmarshal.board, times = [];
  board.zoom(3);
  let way = 0;
  const frame = (at) => {
    times.push(at);
    board.pan(Math.cos(way) * 9, Math.sin(way) * 9);
    way += 0.05;
    if (times.length < 180) requestAnimationFrame(frame); else done(times);
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


def _dropped(times: list[float]) -> int:
    gaps = (after - before for before, after in pairwise(times))
    return sum(max(0, round(gap / FRAME) - 1) for gap in gaps)


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
        first, steps, frames = [], [], []
        for _ in range(ROUNDS):
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            page = context.new_page()
            begun = time.perf_counter()
            with _site(module, log) as site:
                page.goto(site.url)
                page.wait_for_function(SHOWN, polling=10, timeout=120_000)
                first.append(time.perf_counter() - begun)
                page.wait_for_function("() => hexmarshal.changes", timeout=120_000)
                steps.append(page.evaluate(STEPPING) / 1000)
                frames.append(_dropped(page.evaluate(PANNING)) / 180)
            context.close()
        browser.close()
        yield Ratio("page: the first picture against bare decoding", min(first), bare, 5)
        count = sum(1 for _ in GameLog(SavedGame.open(log)).steps())
        each = _best(lambda: list(GameLog(SavedGame.open(log)).steps())) / count
        yield Ratio("page: a step of the slider against reading the step", min(steps), each, 3)
        yield Ratio("page: frames dropped while panning", min(frames), 1, 0.05)
