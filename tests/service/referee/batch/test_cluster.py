"""Many machines: a real Dask cluster of two workers, workers that die, a scheduler that goes."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from crossroads_module import builder
from local_cluster import LocalCluster, local_cluster
from test_folder import log

from hexmarshal.cli import main as cli
from hexmarshal.errors import ExitCode, MissingExtraError
from hexmarshal.referee.batch import cluster as cluster_module
from hexmarshal.referee.batch.checkers import Checkers, Pool
from hexmarshal.referee.batch.cluster import Cluster
from hexmarshal.referee.batch.folder import FolderSummary, check_folder
from hexmarshal.referee.batch.one_file import FileCheck
from hexmarshal.referee.batch.selection import files_of
from hexmarshal.table.module_finder import Means

pytest.importorskip("distributed", reason="no Dask: pip install 'hexmarshal[cluster]'")
pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them"),
    # Of Dask itself, which leaves sockets to the garbage collector when a peer is killed.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

DEADLY = str(Path(__file__).with_name("deadly_game.py")) + ":Deadly"
CLEAN, KILLS = log(wrong=False), log(wrong=True)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    with local_cluster(tmp_path_factory.mktemp("cluster")) as made:
        yield made


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Six games that are clean, one that kills who checks it, and a letter."""
    folder = tmp_path / "games"
    folder.mkdir()
    builder().save(folder / "crossroads.vmod")
    for number in range(6):
        (folder / f"game{number}.vlog").write_bytes(CLEAN)
    (folder / "killer.vlog").write_bytes(KILLS)
    (folder / "letter.vlog").write_bytes(b"dear friend")
    return folder


def checked(games: Path, output: Path, checkers: Checkers, progress=None) -> FolderSummary:
    check = FileCheck(Means(), (DEADLY,))
    return check_folder(games, files_of(games, output), check, output, checkers, progress=progress)


def test_workers_die_and_the_results_are_those_of_one_machine(
    cluster: LocalCluster, games: Path, tmp_path: Path
) -> None:
    counted = 0

    def progress(_steps: int) -> None:
        nonlocal counted
        counted += 1
        if counted == 3:
            cluster.workers[0].kill()

    by_cluster = checked(games, tmp_path / "many", Cluster(cluster.address), progress)
    assert (by_cluster.total, by_cluster.clean, by_cluster.failed) == (8, 6, 2)
    assert counted == 8
    assert by_cluster.notable[0].why == "set aside: two workers died on this file (exit code -9)"
    here = checked(games, tmp_path / "one", Pool(1, apart=True))
    assert here.to_json() == by_cluster.to_json()
    lines = [(tmp_path / name / "results.jsonl").read_bytes() for name in ("many", "one")]
    assert lines[0] == lines[1]
    # The worker that was not killed by hand has survived the file that kills.
    assert cluster.workers[1].poll() is None
    # What is done is done, also for others; who was set aside is tried again.
    (games / "killer.vlog").write_bytes(CLEAN)
    again = checked(games, tmp_path / "many", Pool(1))
    assert (again.skipped, again.clean) == (7, 7)


def test_files_on_a_shared_path_need_not_be_sent(
    cluster: LocalCluster, games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (games / "killer.vlog").unlink()
    words = ["check", str(games), "--plugin", DEADLY, "--cluster", cluster.address]
    for name, more in (("shared", ["--shared"]), ("sent", [])):
        code = cli.run([*words, *more, "-o", str(tmp_path / name), "--json"])
        assert (code, json.loads(capsys.readouterr().out)["clean"]) == (ExitCode.BAD_INPUT, 6)
    lines = [(tmp_path / name / "results.jsonl").read_bytes() for name in ("shared", "sent")]
    assert lines[0] == lines[1]


def test_another_version_is_refused(
    cluster: LocalCluster, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "own_version", lambda: "99.0")
    monkeypatch.setattr(cluster_module, "rules_version", lambda: "99.0")
    with pytest.raises(MissingExtraError, match=r"runs hexmarshal .*, and this is 99\.0"):
        checked(games, tmp_path / "out", Cluster(cluster.address))


def test_a_scheduler_that_is_not_there_is_told(
    games: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "_PATIENCE", 0.2)
    for address in ("tcp://127.0.0.1:9", "nonsense", "udp://x"):
        code = cli.run(["check", str(games), "--cluster", address])
        assert code == ExitCode.UNAVAILABLE
        assert f"no Dask scheduler answers at {address}" in capsys.readouterr().err


def test_a_scheduler_that_goes_away_costs_nothing_that_is_done(
    cluster: LocalCluster, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last test of this cluster."""
    monkeypatch.setattr(cluster_module, "_GLANCE", 0.2)
    (games / "killer.vlog").unlink()

    def progress(_steps: int) -> None:
        cluster.scheduler.kill()

    with pytest.raises(MissingExtraError, match="has gone away"):
        checked(games, tmp_path / "out", Cluster(cluster.address), progress)
    store = sqlite3.connect(tmp_path / "out" / "results.sqlite")
    ((kept,),) = store.execute("SELECT count(*) FROM files").fetchall()
    store.close()
    assert kept > 0
    summary = checked(games, tmp_path / "out", Pool(1))
    assert (summary.total, summary.skipped) == (7, kept)
