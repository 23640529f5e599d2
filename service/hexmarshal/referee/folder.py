"""A folder of files: checked in worker processes, kept in SQLite, skipped when done before."""

from __future__ import annotations

import json
import os
import sqlite3
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import HexMarshalError, OutputError, Place
from hexmarshal.vassal.atomic import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from hexmarshal.referee.subject import Means

__all__ = ["FolderSummary", "check_folder", "files_of"]

_SUFFIXES: Final = (".vlog", ".vsav")
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS files (
    file TEXT PRIMARY KEY, mark TEXT NOT NULL, status TEXT NOT NULL, kind TEXT, game TEXT,
    scenario TEXT, steps INTEGER, certain INTEGER, error TEXT, report TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS findings (
    file TEXT NOT NULL, step INTEGER, turn INTEGER, phase TEXT, player TEXT, side TEXT,
    status TEXT, certainty TEXT, rule TEXT, text TEXT, what TEXT);
CREATE INDEX IF NOT EXISTS findings_by_file ON findings (file);
CREATE INDEX IF NOT EXISTS findings_by_rule ON findings (rule);
"""


@dataclass(frozen=True, slots=True)
class FolderSummary:
    """How many files of which outcome; `skipped` were done before."""

    total: int
    skipped: int
    clean: int
    violations: int
    unbound: int
    failed: tuple[tuple[str, str], ...]
    certain: int

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "total": self.total,
            "skipped": self.skipped,
            "clean": self.clean,
            "violations": self.violations,
            "unbound": self.unbound,
            "failed": len(self.failed),
            "certain": self.certain,
            "errors": dict(self.failed),
        }


def files_of(folder: Path, output: Path) -> list[Path]:
    """Every save and log below a folder, in order, but for those in the results' own folder."""
    own = output.resolve()
    found = (p for p in folder.rglob("*") if p.suffix.lower() in _SUFFIXES and p.is_file())
    return sorted(path for path in found if own not in path.resolve().parents)


def check_folder(
    folder: Path,
    files: Sequence[Path],
    means: Means,
    plugins: Sequence[str],
    output: Path,
    jobs: int = 0,
    progress: Callable[[int], None] | None = None,
) -> FolderSummary:
    """Check all files that are new or changed; results go to `output` as they come."""
    advance = progress or (lambda _steps: None)
    marks = {path: _mark(path, means) for path in files}
    names = {path: str(path.relative_to(folder)) for path in files}
    with closing(_open(output)) as store:
        done = dict(store.execute("SELECT file, mark FROM files"))
        todo = [path for path in files if done.get(names[path]) != marks[path]]
        skipped = len(files) - len(todo)
        advance(skipped)
        for path, result in _results(todo, means, tuple(plugins), jobs or os.cpu_count() or 1):
            _keep(store, names[path], marks[path], result)
            advance(1)
        known = set(names.values())
        for (name,) in store.execute("SELECT file FROM files").fetchall():
            if name not in known:
                _forget(store, name)
        store.commit()
        write_atomically(output / "results.jsonl", _lines(store), force=True)
        return _summary(store, len(files), skipped)


def _mark(path: Path, means: Means) -> str:
    """Changes when the file, or what it is checked with, does."""
    parts: list[object] = [means.game, means.scenario, sorted((means.options or {}).items())]
    for file in (path, means.module, means.binding):
        if file is not None:
            try:
                stat = file.stat()
                parts.append((stat.st_size, stat.st_mtime_ns))
            except OSError:
                parts.append(None)
    return json.dumps(parts, default=str)


# Workers


def _results(
    files: Sequence[Path], means: Means, plugins: tuple[str, ...], jobs: int
) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Each file with its report; a worker that dies takes only its own file with it."""
    if jobs == 1 or len(files) <= 1:
        yield from ((path, _work(path, means, plugins)) for path in files)
        return
    left = list(files)
    while left:
        crashed: list[Path] = []
        with _pool(min(jobs, len(left))) as pool:
            futures = {pool.submit(_work, path, means, plugins): path for path in left}
            for future in as_completed(futures):
                path = futures[future]
                try:
                    yield path, future.result()
                except BrokenProcessPool:
                    crashed.append(path)
        left = []
        for path in crashed:
            # All that were waiting look broken: each gets a process of its own, to find the one.
            with _pool(1) as alone:
                try:
                    yield path, alone.submit(_work, path, means, plugins).result()
                except BrokenProcessPool:
                    yield path, {"error": "the worker process died on this file"}


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))


def _work(path: Path, means: Means, plugins: tuple[str, ...]) -> dict[str, Any]:
    from hexmarshal.referee.subject import check_path
    from hexmarshal.rules.registry import default

    registry = default()
    for spec in plugins:
        registry.load(spec)
    try:
        return check_path(path, means, registry).to_json()
    except HexMarshalError as error:
        return {"error": str(error), "hint": error.hint}
    except Exception as error:  # noqa: BLE001 - one bad file must not stop the others
        return {"error": f"a fault of ours: {type(error).__name__}: {error}"}


# Results


def _open(output: Path) -> sqlite3.Connection:
    try:
        output.mkdir(parents=True, exist_ok=True)
        store = sqlite3.connect(output / "results.sqlite")
        store.executescript(_TABLES)
    except (OSError, sqlite3.Error) as error:
        raise OutputError(
            f"results cannot be kept: {error}", place=Place(file=str(output))
        ) from None
    return store


def _forget(store: sqlite3.Connection, name: str) -> None:
    store.execute("DELETE FROM files WHERE file = ?", (name,))
    store.execute("DELETE FROM findings WHERE file = ?", (name,))


def _keep(store: sqlite3.Connection, name: str, mark: str, result: dict[str, Any]) -> None:
    _forget(store, name)
    result = {**result, "file": name}
    store.execute(
        "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            name,
            mark,
            _status(result),
            result.get("kind"),
            result.get("game"),
            result.get("scenario"),
            result.get("steps"),
            result.get("certain", 0),
            result.get("error"),
            json.dumps(result, ensure_ascii=False, separators=(",", ":")),
        ),
    )
    for entry in result.get("entries", ()):
        for violation in entry.get("violations", ()):
            store.execute(
                "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    name,
                    entry["steps"][0],
                    entry["turn"],
                    entry["phase"],
                    entry.get("player"),
                    entry.get("side"),
                    entry["status"],
                    entry["certainty"],
                    violation["rule"],
                    violation["text"],
                    entry["what"],
                ),
            )
    # Kept at once: what is done survives whatever happens to the rest.
    store.commit()


def _status(result: dict[str, Any]) -> str:
    if result.get("error"):
        return "failed"
    if not result["bound"]:
        return "unbound"
    return "violations" if result["certain"] else "clean"


def _lines(store: sqlite3.Connection) -> Iterator[bytes]:
    for (report,) in store.execute("SELECT report FROM files ORDER BY file"):
        yield report.encode() + b"\n"


def _summary(store: sqlite3.Connection, total: int, skipped: int) -> FolderSummary:
    counts = dict(store.execute("SELECT status, count(*) FROM files GROUP BY status"))
    failed = store.execute("SELECT file, error FROM files WHERE status = 'failed' ORDER BY file")
    (certain,) = store.execute("SELECT coalesce(sum(certain), 0) FROM files").fetchone()
    return FolderSummary(
        total,
        skipped,
        counts.get("clean", 0),
        counts.get("violations", 0),
        counts.get("unbound", 0),
        tuple(failed.fetchall()),
        certain,
    )
