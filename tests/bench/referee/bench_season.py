"""Many files: a cluster of two workers against our own two, and memory over thousands of files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
from bench_referee import recorded
from ratio import Ratio

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "service" / "referee"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "service" / "referee" / "batch"))

import kharkov_table as kharkov
from crossroads_module import builder
from local_cluster import local_cluster
from test_folder import TUTORIAL, log

from hexmarshal.referee.batch.checkers import Checkers, Pool
from hexmarshal.referee.batch.cluster import Cluster
from hexmarshal.referee.batch.folder import check_folder
from hexmarshal.referee.batch.one_file import FileCheck
from hexmarshal.referee.batch.selection import files_of
from hexmarshal.table.module_finder import Means

FILES = 28
FEW, MANY = 200, 2000


def measure() -> Iterable[Ratio]:
    yield by_cluster()
    yield memory()


def by_cluster() -> Ratio:
    """The work that a cluster of two makes of a folder, against that of our own two processes."""
    data, _ = recorded("training", 600)
    with TemporaryDirectory() as name:
        place = Path(name)
        folder = place / "games"
        folder.mkdir()
        module = kharkov.builder().save(folder / "kharkov.vmod")
        for number in range(FILES):
            (folder / f"{number}.vlog").write_bytes(data)
        check = FileCheck(Means(module=module))
        with local_cluster(place) as cluster:
            checkers: tuple[Checkers, Checkers] = (Cluster(cluster.address), Pool(2))
            # Once for the start of the workers, which a cluster has behind it.
            _spent(folder, check, place / "first", checkers[0])
            spans = [
                [
                    _spent(folder, check, place / f"{turn}{i}", checkers)
                    for i, checkers in enumerate(checkers)
                ]
                for turn in range(2)
            ]
        many, own = (min(times) for times in zip(*spans, strict=True))
    return Ratio("season: a cluster of two workers on a folder / two processes", many, own, 1.2)


def _spent(folder: Path, check: FileCheck, output: Path, checkers: Checkers) -> float:
    """Seconds of processor of everybody who has to do with it."""
    before = _used()
    summary = check_folder(folder, files_of(folder, output), check, output, checkers)
    assert summary.clean == FILES
    return _used() - before


def _used() -> float:
    """Of this process and of all below it, those that have ended included."""
    own = psutil.Process()
    times = [own.cpu_times(), *(one.cpu_times() for one in own.children(recursive=True))]
    return sum(t.user + t.system + t.children_user + t.children_system for t in times)


def memory() -> Ratio:
    """What all processes hold after many files, against what they held after few."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "games"
        folder.mkdir()
        builder().save(folder / "crossroads.vmod")
        games = [log(wrong=False), log(wrong=True)]
        for number in range(MANY):
            (folder / f"{number}.vlog").write_bytes(games[number % 2])
        held: dict[int, int] = {}
        count = 0

        def progress(steps: int) -> None:
            nonlocal count
            count += steps
            if count in (FEW, MANY - 10):
                held[count] = _held()

        files = files_of(folder, Path(name))
        check = FileCheck(Means(), (TUTORIAL,))
        check_folder(folder, files, check, Path(name) / "out", Pool(2), progress=progress)
    few, many = (held[number] / 2**20 for number in (FEW, MANY - 10))
    return Ratio(f"season: MB held after {MANY} files / after {FEW}", many, few, 1.1, unit="MB")


def _held() -> int:
    own = psutil.Process(os.getpid())
    found: int = sum(one.memory_info().rss for one in (own, *own.children(recursive=True)))
    return found
