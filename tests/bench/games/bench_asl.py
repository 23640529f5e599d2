"""What ASL lines of sight cost beside a bare index query for each, and how soon a board is ready.

The board is one of our own, as large and as crowded as a printed one; where there are real boards
(`HEXMARSHAL_CORPUS`, or beside the project), one of them is measured, too.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import shapely
from ratio import Ratio, compare

from hexmarshal.games.asl.maps.board_cache import Cache
from hexmarshal.games.asl.maps.boards import ReadyBoard, load
from hexmarshal.games.asl.sight import Sight
from hexmarshal.games.asl.sight.ground.touched_pixels import patterns
from hexmarshal.vassal.vasl.painting import Painting

COLD, CACHED = 2.0, 0.1
LINES = 4000


def crowded(title: str, dots: int) -> Painting:
    """A board with villages, woods, fields, hedges, a stream and a hill of three levels.

    Some printed boards draw their fields with twenty thousand dots.
    """
    rng = random.Random(33)
    canvas = Painting(33, 10, title)
    names = [n for n in canvas.grid.names if not n.endswith("0")]
    for level, count in ((1, 50), (2, 22), (3, 8)):
        top = canvas.grid.by_name["U5"]
        near = sorted(names, key=lambda n: canvas.grid.distance(top, canvas.grid.by_name[n]))
        canvas.hill(level, *near[:count], radius=33)
    for terrain, count in (("Grain", 34), ("Brush", 22), ("Marsh", 6), ("Orchard", 16)):
        for name in rng.sample(names, count):
            canvas.fill(terrain, name)
    for terrain, count in (("Woods", 60), ("Stone Building, 1 Level", 14), ("Wooden Building", 22)):
        for name in rng.sample(names, count):
            for _ in range(4):
                canvas.spot(terrain, name, rng.uniform(9, 27))
    for terrain, count in (("Wall", 40), ("Hedge", 60), ("Cliff", 6)):
        for name in rng.sample(names, count):
            canvas.side(terrain, name, rng.randrange(6))
    canvas.band(
        "Shallow Stream", -1, *(f"{column}{6 + n % 2}" for n, column in enumerate("BCDEFGHIJKLM"))
    )
    speckles = np.random.default_rng(5).integers((0, 0), canvas.terrain.shape, (dots, 2))
    canvas.terrain[tuple(speckles.T)] = canvas.catalogue.by_name["Crags"].code
    return canvas


def spent(work: Callable[[], object], rounds: int = 3) -> float:
    """The least processor time of a few runs: a busy machine must not fail the goal."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def lines_on(ready: ReadyBoard) -> tuple[list[np.ndarray], np.ndarray]:
    """Lines between locations drawn by lot, and the same as shapes."""
    board, grid = ready.board, ready.board.grid
    spots = np.array([(i, v.above) for i, levels in enumerate(board.levels) for v in levels])
    chosen = np.random.default_rng(1).integers(0, len(spots), (LINES, 2))
    chosen = chosen[spots[chosen[:, 0], 0] != spots[chosen[:, 1], 0]]
    (a, a_level), (b, b_level) = spots[chosen[:, 0]].T, spots[chosen[:, 1]].T
    ends = [np.stack([grid.x[n], grid.y[n]], 1) / grid.scale for n in (a, b)]
    return [a, a_level, b, b_level], np.asarray(shapely.linestrings(np.stack(ends, 1)))


def made_ready(path: Path, folder: Path) -> Iterable[Ratio]:
    """How long a board takes from cold and from the cache."""

    def cold() -> ReadyBoard:
        patterns.cache_clear()
        ready = load(path, cache=Cache(None))
        assert ready.regions.polygons.size
        return ready

    def cached() -> None:
        assert load(path, cache=Cache(folder)).regions.polygons.size

    what = f"{path.name}, {len(cold().regions.polygons)} polygons"
    yield Ratio(f"ASL board from cold, seconds of processor: {what}", spent(cold), 1, COLD)
    cached()
    yield Ratio(f"ASL board from the cache: {what}", spent(cached, 7), 1, CACHED)


def looked_along(path: Path, folder: Path) -> Iterable[Ratio]:
    """How long lines take."""
    ready = load(path, cache=Cache(folder))
    arrays, shapes = lines_on(ready)
    tree = shapely.STRtree(ready.regions.polygons)
    queries = list(shapes)

    def bare() -> None:
        for line in queries:
            tree.query(line)

    def faster(name: str, sight: Sight, bound: float) -> Ratio:
        one = compare(name, bare, lambda: sight.answers(*arrays), bound, rounds=7)
        return Ratio(one.name, one.ours, one.base, bound, at_least=True)

    anew = Sight(ready.board, ground=ready.sight.ground)
    anew.answers(*arrays)
    yield faster("ASL arrays of lines: bare queries take how many times as long", ready.sight, 3)
    yield faster("ASL arrays of lines, each decided anew: the same", anew, 1.5)
    single = list(zip(*(part.tolist() for part in arrays), strict=True))

    def ours(sight: Sight) -> Callable[[], None]:
        def run() -> None:
            for line in single:
                sight.between(*line)

        return run

    yield compare("one ASL line / one bare query", ours(ready.sight), bare, 10, rounds=5)
    yield compare("one ASL line, decided anew / one bare query", ours(anew), bare, 10, rounds=5)


def measure() -> Iterable[Ratio]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        boards = [crowded("bdBench", 900).write(folder)]
        dotted = crowded("bdDotted", 25_000).write(folder)
        named = os.environ.get("HEXMARSHAL_CORPUS")
        corpus = Path(named) if named else Path(__file__).resolve().parents[4] / "shared/corpus"
        real = corpus / "vasl-boards" / "bd02"
        if real.is_file():
            boards.append(real)
        for board in (*boards, dotted):
            yield from made_ready(board, folder / "cache")
        for board in boards:
            yield from looked_along(board, folder / "cache")
