"""A folder of logs: workers, results, skipping what is done, and files that break."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from crossroads_module import binding, builder, module
from deadly import squared
from tutorial import Crossroads

from hexmarshal.referee.batch.checkers import Pool
from hexmarshal.referee.batch.folder import FolderSummary, check_folder
from hexmarshal.referee.batch.one_file import FileCheck
from hexmarshal.referee.batch.selection import files_of
from hexmarshal.referee.batch.worker_pool import Died, work_through
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.table.module_finder import Means

PLUGIN = Crossroads()
TUTORIAL = str(Path(__file__).parents[3] / "tutorial") + ":Crossroads"


def log(*, wrong: bool) -> bytes:
    made = Recorder(module(), binding(), PLUGIN, engine.start(PLUGIN, "meeting"))
    made.drag(["b1"], ["A1"])
    if wrong:
        made.drag(["b2"], ["B1", "C1", "D1", "E1"])
    return made.finish().to_bytes()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two games, one of them with a violation, a file that is none, and one without a module."""
    made = tmp_path / "games"
    (made / "later").mkdir(parents=True)
    builder().save(made / "crossroads.vmod")
    (made / "clean.vlog").write_bytes(log(wrong=False))
    (made / "wrong.vlog").write_bytes(log(wrong=True))
    (made / "letter.vlog").write_bytes(b"dear friend")
    (made / "later" / "alone.VLOG").write_bytes(log(wrong=False))
    (made / "notes.txt").write_text("no game")
    return made


def checked(folder: Path, jobs: int = 1) -> FolderSummary:
    output = folder / "results"
    files = files_of(folder, output)
    return check_folder(folder, files, FileCheck(Means(), (TUTORIAL,)), output, Pool(jobs))


def lines(folder: Path) -> dict[str, dict[str, object]]:
    text = (folder / "results" / "results.jsonl").read_text(encoding="utf-8")
    found = [json.loads(line) for line in text.splitlines()]
    return {one["file"]: one for one in found}


def queried(folder: Path, query: str) -> list[tuple[object, ...]]:
    store = sqlite3.connect(folder / "results" / "results.sqlite")
    try:
        return store.execute(query).fetchall()
    finally:
        store.close()


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_file_has_a_result_and_a_bad_one_stops_nothing(folder: Path, jobs: int) -> None:
    summary = checked(folder, jobs)
    assert (summary.total, summary.skipped) == (4, 0)
    assert (summary.clean, summary.violations, summary.unbound) == (1, 1, 1)
    assert summary.failed == 1
    assert summary.certain == 1
    assert [(one.file, one.status) for one in summary.notable] == [
        ("wrong.vlog", "violations"),
        ("letter.vlog", "failed"),
        ("later/alone.VLOG", "unbound"),
    ]
    assert summary.notable[0].certain == 1
    assert summary.notable[1].why == "not a zip archive, so not a VASSAL file"
    assert summary.notable[2].why
    found = lines(folder)
    assert list(found) == ["clean.vlog", "later/alone.VLOG", "letter.vlog", "wrong.vlog"]
    assert "not a zip archive" in str(found["letter.vlog"]["error"])
    assert queried(folder, "SELECT file, rule, certainty FROM findings") == [
        ("wrong.vlog", "TUT-2", "certain")
    ]
    assert queried(folder, "SELECT file, status FROM files ORDER BY file") == [
        ("clean.vlog", "clean"),
        ("later/alone.VLOG", "unbound"),
        ("letter.vlog", "failed"),
        ("wrong.vlog", "violations"),
    ]


def test_a_log_that_is_cut_short_is_told_of_though_what_is_left_is_clean(folder: Path) -> None:
    whole = (folder / "clean.vlog").read_bytes()
    (folder / "clean.vlog").write_bytes(whole[: len(whole) * 2 // 3])
    told = {one.file: one for one in checked(folder).notable}
    assert told["clean.vlog"].why.startswith("only what comes before this is whole")


def test_what_is_done_and_unchanged_is_skipped(folder: Path) -> None:
    first = checked(folder)
    again = checked(folder)
    assert (again.total, again.skipped, again.certain) == (4, 4, first.certain)


def test_a_file_counts_as_unchanged_by_its_content_not_by_its_date(folder: Path) -> None:
    checked(folder)
    os.utime(folder / "clean.vlog", (0, 0))
    assert checked(folder).skipped == 4
    # The same size and date, another content.
    old = (folder / "letter.vlog").stat()
    (folder / "letter.vlog").write_bytes(b"dear fiends")
    os.utime(folder / "letter.vlog", ns=(old.st_atime_ns, old.st_mtime_ns))
    assert checked(folder).skipped == 3


def test_a_file_that_is_changed_new_or_gone_has_a_new_result_or_none(folder: Path) -> None:
    checked(folder)
    (folder / "clean.vlog").write_bytes(log(wrong=True))
    (folder / "wrong.vlog").unlink()
    (folder / "new.vsav").write_bytes(log(wrong=False))
    summary = checked(folder)
    assert (summary.total, summary.skipped, summary.violations) == (4, 2, 1)
    assert "wrong.vlog" not in lines(folder)
    assert queried(folder, "SELECT DISTINCT file FROM findings") == [("clean.vlog",)]


def test_another_module_makes_all_its_files_new(folder: Path) -> None:
    checked(folder)
    builder(version="2").save(folder / "crossroads.vmod", force=True)
    # The log in the folder below does not lie beside it.
    assert checked(folder).skipped == 1


def test_results_of_an_older_format_are_made_anew(folder: Path) -> None:
    output = folder / "results"
    output.mkdir()
    store = sqlite3.connect(output / "results.sqlite")
    store.executescript("CREATE TABLE files (file TEXT, mark TEXT); PRAGMA user_version = 1")
    store.close()
    assert checked(folder).total == 4


# Workers that die, and interrupts


@pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")
def test_a_worker_that_dies_takes_only_its_own_task_with_it() -> None:
    found = dict(work_through(range(8), squared, 2))
    died = found.pop(3)
    assert isinstance(died, Died)
    assert found == {n: n * n for n in range(8) if n != 3}


def test_a_file_that_killed_its_worker_is_tried_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def some_die(files, work, _jobs):
        for path in files:
            yield path, Died(-9) if path.name == "clean.vlog" else work(path)

    monkeypatch.setattr("hexmarshal.referee.batch.checkers.work_through", some_die)
    summary = checked(folder, jobs=2)
    assert summary.to_json()["errors"]["clean.vlog"] == (
        "set aside: two workers died on this file (exit code -9)"
    )
    monkeypatch.undo()
    summary = checked(folder)
    assert (summary.skipped, summary.clean) == (3, 1)


@pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")
def test_an_interrupted_check_goes_on_where_it_was(folder: Path) -> None:
    for number in range(12):
        (folder / f"more{number}.vlog").write_bytes(log(wrong=False) + bytes(number))
    command = [
        *(sys.executable, "-m", "hexmarshal", "check", str(folder)),
        *("--plugin", TUTORIAL, "-o", str(folder / "results"), "--jobs", "2"),
    ]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    store = folder / "results" / "results.sqlite"
    # As soon as something is kept; if all is done by then, nothing is left to interrupt.
    while running.poll() is None and not (store.exists() and _kept(folder)):
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    output, _ = running.communicate()
    assert b"Traceback" not in output
    assert running.returncode in (130, 0, 1)
    kept = _kept(folder)
    assert kept > 0
    assert len(lines(folder)) == kept
    summary = checked(folder)
    assert (summary.total, summary.skipped) == (16, kept)


def _kept(folder: Path) -> int:
    try:
        ((count,),) = queried(folder, "SELECT count(*) FROM files")
    except sqlite3.OperationalError:
        return 0
    return int(str(count))
