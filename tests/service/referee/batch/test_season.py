"""A season of logs: in parts, in portions, by date, as they are dropped in, and merged again."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from crossroads_module import builder
from test_folder import TUTORIAL, log

from hexmarshal.cli import main as cli
from hexmarshal.errors import UsageError
from hexmarshal.referee.batch.checkers import Pool
from hexmarshal.referee.batch.drop_folder import DropFolder
from hexmarshal.referee.batch.folder import FolderSummary, check_folder
from hexmarshal.referee.batch.one_file import Checked, FileCheck
from hexmarshal.referee.batch.pages import Pages
from hexmarshal.referee.batch.selection import Selection, Shard, files_of, since
from hexmarshal.table.module_finder import Means

CHECK = FileCheck(Means(), (TUTORIAL,))
CLEAN, WRONG = log(wrong=False), log(wrong=True)
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: object, plugin: bool = True) -> tuple[int, str, str]:
        code = cli.run([*map(str, words), *(("--plugin", TUTORIAL) if plugin else ())])
        told = capsys.readouterr()
        return code, told.out, told.err

    return call


@pytest.fixture
def season(tmp_path: Path) -> Path:
    """Nine files: two against the rules, one that is none."""
    folder = tmp_path / "season"
    (folder / "round 2").mkdir(parents=True)
    for place in (folder, folder / "round 2"):
        builder().save(place / "crossroads.vmod")
    for number in range(4):
        (folder / f"game{number}.vlog").write_bytes(CLEAN)
        (folder / "round 2" / f"game{number}.vlog").write_bytes(WRONG if number < 2 else CLEAN)
    (folder / "letter.vlog").write_bytes(b"dear friend")
    return folder


def checked(folder: Path, output: Path, selection: Selection | None = None) -> FolderSummary:
    files = (selection or Selection()).of(folder, files_of(folder, output))
    return check_folder(folder, files, CHECK, output, Pool(1), selection=selection)


# Parts


def test_parts_merged_are_what_one_check_gives_byte_for_byte(
    season: Path, tmp_path: Path, run: Run
) -> None:
    whole = tmp_path / "whole"
    assert run("check", season, "-o", whole, "--jobs", 1)[0] == 1
    parts = [tmp_path / f"part{number}" for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        run("check", season, "-o", part, "--shard", f"{number}/3", "--jobs", 1)
    sizes = [len((part / "results.jsonl").read_text().splitlines()) for part in parts]
    assert sum(sizes) == 9
    assert max(sizes) < 9
    code, out, _ = run("results", "merge", *parts, "-o", tmp_path / "all", "--json", plugin=False)
    assert code == 1
    assert json.loads(out)["total"] == 9
    one, other = ((place / "results.jsonl").read_bytes() for place in (whole, tmp_path / "all"))
    assert one == other
    # What is merged goes on like any other: nothing is checked again.
    _, out, _ = run("check", season, "-o", tmp_path / "all", "--json", "--jobs", 1)
    assert json.loads(out)["skipped"] == 9


def test_a_file_belongs_to_one_part_whatever_else_is_there() -> None:
    names = [f"round {n}/game.vlog" for n in range(200)]
    parts = [{name for name in names if name in Shard(i, 7)} for i in range(1, 8)]
    assert set().union(*parts) == set(names)
    assert sum(map(len, parts)) == len(names)
    assert min(map(len, parts)) > 10


def test_parts_checked_into_one_folder_do_not_forget_each_other(
    season: Path, tmp_path: Path, run: Run
) -> None:
    for number in (1, 2):
        words = ("--shard", f"{number}/2", "--jobs", 1, "-o", tmp_path / "out")
        run("check", season, *words)
    assert len((tmp_path / "out" / "results.jsonl").read_text().splitlines()) == 9


def test_a_part_that_is_missing_is_named(season: Path, tmp_path: Path, run: Run) -> None:
    for number in (1, 3):
        words = ("--shard", f"{number}/3", "--jobs", 1)
        run("check", season, "-o", tmp_path / f"part{number}", *words)
    parts = [tmp_path / "part1", tmp_path / "part3"]
    code, _, err = run("results", "merge", *parts, "-o", tmp_path / "all", plugin=False)
    assert code == 3
    assert "not all parts are there: 2/3" in err
    assert not (tmp_path / "all").exists()
    words = ("-o", tmp_path / "all", "--partial")
    assert run("results", "merge", *parts, *words, plugin=False)[0] in (0, 1, 3)
    assert (tmp_path / "all" / "results.jsonl").exists()


def test_parts_of_different_files_are_refused(season: Path, tmp_path: Path, run: Run) -> None:
    checked(season, tmp_path / "one")
    (season / "game0.vlog").write_bytes(WRONG)
    checked(season, tmp_path / "two")
    words = (tmp_path / "one", tmp_path / "two", "-o", tmp_path / "all")
    code, _, err = run("results", "merge", *words, plugin=False)
    assert code == 3
    assert "'game0.vlog' was checked here and elsewhere" in err
    assert list((tmp_path / "all").iterdir()) == []
    alone = ("results", "merge", tmp_path / "two", "-o", tmp_path / "one")
    assert run(*alone, plugin=False)[0] == 5
    assert run(*alone, "--force", plugin=False)[0] == 1


def test_what_is_no_result_cannot_be_merged(tmp_path: Path, run: Run) -> None:
    code, _, err = run("results", "merge", tmp_path, "-o", tmp_path / "all", plugin=False)
    assert code == 4
    assert "holds no results.sqlite" in err
    (tmp_path / "results.sqlite").write_bytes(b"no database at all, whatever it is called" * 40)
    code, _, err = run("results", "merge", tmp_path, "-o", tmp_path / "all", plugin=False)
    assert code == 3
    assert "cannot be read" in err


@pytest.mark.parametrize("text", ["", "0/3", "4/3", "1", "a/b", "1/0", "-1/3"])
def test_a_part_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        Shard.parse(text)


# Portions and dates


def test_a_limit_checks_so_many_and_the_next_go_goes_on(season: Path, tmp_path: Path) -> None:
    portions = [checked(season, tmp_path / "out", Selection(limit=4)) for _ in range(4)]
    assert [(one.skipped, one.left) for one in portions] == [(0, 5), (4, 1), (8, 0), (9, 0)]
    assert portions[-1].violations == 2


def test_since_looks_at_newer_files_and_keeps_the_results_of_the_others(
    season: Path, tmp_path: Path
) -> None:
    checked(season, tmp_path / "out")
    for path in files_of(season, tmp_path / "out"):
        os.utime(path, (1000, 1000))
    (season / "new.vlog").write_bytes(WRONG)
    summary = checked(season, tmp_path / "out", Selection(since=2000))
    assert (summary.total, summary.left, summary.skipped) == (10, 9, 0)
    assert (summary.clean, summary.violations, summary.failed) == (6, 3, 1)


def test_times_are_dates_or_so_long_ago() -> None:
    now = datetime(2026, 11, 17, 12, tzinfo=UTC)
    assert since("36h", now) == datetime(2026, 11, 16, 0, tzinfo=UTC).timestamp()
    assert since("2w", now) == datetime(2026, 11, 3, 12, tzinfo=UTC).timestamp()
    assert since("2026-11-01T00:00+00:00", now) == datetime(2026, 11, 1, tzinfo=UTC).timestamp()
    for text in ("yesterday", "7", "2026-13-01", "7y"):
        with pytest.raises(UsageError):
            since(text, now)


@pytest.mark.parametrize(
    "words",
    [("--shard", "1/2"), ("--since", "7d"), ("--limit", 2), ("--watch",), ("--cluster", "x:1")],
)
def test_what_is_for_folders_is_refused_for_a_file(
    season: Path, run: Run, words: tuple[object, ...]
) -> None:
    code, _, err = run("check", season / "game0.vlog", *words)
    assert code == 2
    assert f"{words[0]} is for a folder" in err


# A folder that changes while it is checked


def test_a_file_that_is_taken_away_meanwhile_leaves_no_result(season: Path, tmp_path: Path) -> None:
    def checkers(check, files):
        for path in files:
            if path.name == "game2.vlog":
                path.unlink()
            yield path, check(path)

    files = files_of(season, tmp_path / "out")
    summary = check_folder(season, files, CHECK, tmp_path / "out", checkers)
    assert (summary.clean, summary.violations, summary.failed) == (4, 2, 1)


def test_a_file_that_changes_meanwhile_is_checked_again_next_time(
    season: Path, tmp_path: Path
) -> None:
    def checkers(check, files):
        for path in files:
            found = check(path)
            if path.name == "game3.vlog":
                path.write_bytes(WRONG)
            yield path, found

    files = files_of(season, tmp_path / "out")
    check_folder(season, files, CHECK, tmp_path / "out", checkers)
    summary = checked(season, tmp_path / "out")
    assert (summary.skipped, summary.violations) == (7, 4)


def test_files_are_taken_one_by_one_not_all_at_once(season: Path, tmp_path: Path) -> None:
    """Memory stays flat, because nobody holds more than what the workers are busy with."""
    waiting, most = set(), 0

    def checkers(check, files):
        nonlocal most
        for path in files:
            waiting.add(path)
            most = max(most, len(waiting))
            yield path, Checked({"error": "none"})

    files = files_of(season, tmp_path / "out")
    check_folder(
        season,
        files,
        CHECK,
        tmp_path / "out",
        checkers,
        kept=lambda name: waiting.discard(season / name),
    )
    assert most == 1


# Dropped in


@pytest.fixture
def drop(tmp_path: Path) -> DropFolder:
    folder = tmp_path / "drop"
    folder.mkdir()
    builder().save(folder / "crossroads.vmod")
    pages = Pages(folder / "index.html", folder, "drop")
    return DropFolder(folder, CHECK, folder / "hexmarshal-check", Pool(1), pages)


def looked(drop: DropFolder, times: int = 1) -> list[tuple[str, str]]:
    return [(one.file, one.status) for _ in range(times) for one in drop.look()]


def test_a_file_is_checked_once_it_is_whole(drop: DropFolder, tmp_path: Path) -> None:
    folder, whole = tmp_path / "drop", WRONG
    assert looked(drop) == []
    for end in range(1000, len(whole), 1500):
        (folder / "game.vlog").write_bytes(whole[:end])
        assert looked(drop) == []
    # A pause of the line: it has not grown, but is not whole.
    assert looked(drop, 5) == []
    (folder / "game.vlog").write_bytes(whole)
    assert looked(drop, 4) == [("game.vlog", "violations")]
    assert "TUT-2" in (folder / "game.vlog.html").read_text(encoding="utf-8")
    index = (folder / "index.html").read_text(encoding="utf-8")
    assert 'href="game.vlog.html"' in index


def test_a_file_that_never_gets_whole_is_told_after_a_while(
    drop: DropFolder, tmp_path: Path
) -> None:
    (tmp_path / "drop" / "letter.vlog").write_bytes(b"dear friend")
    assert looked(drop, 10) == []
    assert looked(drop, 10) == [("letter.vlog", "failed")]
    assert "not a zip archive" in (tmp_path / "drop" / "index.html").read_text(encoding="utf-8")


def test_a_file_that_is_replaced_or_renamed_is_checked_again(
    drop: DropFolder, tmp_path: Path
) -> None:
    folder = tmp_path / "drop"
    (folder / "a.vlog").write_bytes(CLEAN)
    assert looked(drop, 3) == [("a.vlog", "clean")]
    (tmp_path / "other").write_bytes(WRONG)
    (tmp_path / "other").replace(folder / "a.vlog")
    assert looked(drop, 3) == [("a.vlog", "violations")]
    (folder / "a.vlog").rename(folder / "b.vlog")
    assert looked(drop, 3) == [("b.vlog", "violations")]
    assert not (folder / "a.vlog.html").exists()
    index = (folder / "index.html").read_text(encoding="utf-8")
    assert "a.vlog" not in index.replace("b.vlog", "")
    (folder / "b.vlog").unlink()
    assert looked(drop, 2) == []
    assert "b.vlog" not in (folder / "index.html").read_text(encoding="utf-8")


def test_a_module_that_comes_later_judges_what_is_there(drop: DropFolder, tmp_path: Path) -> None:
    folder = tmp_path / "drop"
    (folder / "crossroads.vmod").rename(tmp_path / "later.vmod")
    (folder / "a.vlog").write_bytes(WRONG)
    assert looked(drop, 3) == [("a.vlog", "unbound")]
    shutil.copy(tmp_path / "later.vmod", folder / "crossroads.vmod")
    assert looked(drop, 3) == [("a.vlog", "violations")]


def test_who_watches_again_tells_nothing_twice(drop: DropFolder, tmp_path: Path) -> None:
    folder = tmp_path / "drop"
    (folder / "a.vlog").write_bytes(CLEAN)
    assert looked(drop, 3) == [("a.vlog", "clean")]
    pages = Pages(folder / "index.html", folder, "drop")
    again = DropFolder(folder, CHECK, folder / "hexmarshal-check", Pool(1), pages)
    assert looked(again, 3) == []


def test_a_share_that_is_away_for_a_while_loses_nothing(drop: DropFolder, tmp_path: Path) -> None:
    folder = tmp_path / "drop"
    (folder / "a.vlog").write_bytes(CLEAN)
    assert looked(drop, 3) == [("a.vlog", "clean")]
    folder.rename(tmp_path / "away")
    assert looked(drop, 2) == []
    (tmp_path / "away").rename(folder)
    assert looked(drop, 3) == []
    assert (folder / "a.vlog.html").exists()


def test_a_page_of_somebody_else_is_never_written_over(
    drop: DropFolder, tmp_path: Path, run: Run
) -> None:
    folder = tmp_path / "drop"
    (folder / "a.vlog").write_bytes(CLEAN)
    (folder / "a.vlog.html").write_text("mine")
    assert looked(drop, 3) == [("a.vlog", "clean")]
    assert (folder / "a.vlog.html").read_text() == "mine"
    (folder / "index.html").write_text("mine")
    code, _, err = run("check", "--watch", folder)
    assert code == 5
    assert "is no report of ours" in err
    assert run("check", folder, "--report", folder / "a.vlog.html", "--jobs", 1)[0] == 5
