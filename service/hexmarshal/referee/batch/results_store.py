"""The results of a folder: kept in SQLite file by file, and written out as JSON lines."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from hexmarshal.errors import OutputError, Place
from hexmarshal.vassal.container.atomic import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["FileOutcome", "Results"]

LINES: Final = "results.jsonl"
STORE: Final = "results.sqlite"
_FORMAT: Final = 2
# The code of a note about what is not whole: such a file is told of, even if what is left is clean.
_DAMAGED: Final = "damaged"
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS files (
    file TEXT PRIMARY KEY, key TEXT NOT NULL, status TEXT NOT NULL, kind TEXT, game TEXT,
    scenario TEXT, steps INTEGER, certain INTEGER, error TEXT, report TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS findings (
    file TEXT NOT NULL, step INTEGER, turn INTEGER, phase TEXT, player TEXT, side TEXT,
    status TEXT, certainty TEXT, rule TEXT, text TEXT, what TEXT);
CREATE TABLE IF NOT EXISTS dice (
    file TEXT NOT NULL, player TEXT, sides INTEGER, count INTEGER, mean REAL, p REAL);
CREATE INDEX IF NOT EXISTS findings_by_file ON findings (file);
CREATE INDEX IF NOT EXISTS findings_by_rule ON findings (rule);
CREATE INDEX IF NOT EXISTS dice_by_file ON dice (file);
"""


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What came of one file; `why` where it could not be judged, or not all of it."""

    file: str
    status: str
    certain: int = 0
    likely: int = 0
    why: str = ""

    def to_json(self) -> dict[str, object]:
        """As JSON-able data, without what is empty."""
        named = {"file": self.file, "status": self.status, "certain": self.certain}
        why = {"why": self.why} if self.why else {}
        return {**named, "likely": self.likely, **why}


class Results:
    """What is known of the files of a folder; each is kept at once, whatever happens after."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._store = sqlite3.connect(folder / STORE)
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise OutputError(
                f"results cannot be kept: {error}",
                place=Place(file=str(folder / STORE)),
                hint="choose another folder with --output",
            ) from None

    def _prepare(self) -> None:
        (made,) = self._store.execute("PRAGMA user_version").fetchone()
        if made not in (0, _FORMAT):
            for table in ("files", "findings", "dice"):
                self._store.execute(f"DROP TABLE IF EXISTS {table}")
        self._store.executescript(_TABLES)
        self._store.execute(f"PRAGMA user_version = {_FORMAT}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Write the lines out, and close."""
        try:
            write_atomically(self._folder / LINES, self._lines(), force=True)
        finally:
            self._store.close()

    def keys(self) -> dict[str, str]:
        """By what each file that is done was known."""
        return dict(self._store.execute("SELECT file, key FROM files"))

    def keep(self, name: str, key: str, result: dict[str, Any]) -> None:
        """Put the report of a file in place of an older one."""
        result = {**result, "file": name}
        with self._store as store:
            self._drop(name)
            store.execute(
                "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    name,
                    key,
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
            store.executemany(
                "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                _findings(name, result),
            )
            store.executemany(
                "INSERT INTO dice VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (name, one["player"], one["sides"], one["count"], one["mean"], one["p"])
                    for one in result.get("dice", ())
                ),
            )

    def forget_all_but(self, names: set[str]) -> None:
        """Files that are gone have no results."""
        with self._store:
            for name in self.keys().keys() - names:
                self._drop(name)

    def _drop(self, name: str) -> None:
        for table in ("files", "findings", "dice"):
            self._store.execute(f"DELETE FROM {table} WHERE file = ?", (name,))  # noqa: S608 - ours

    def counts(self) -> dict[str, int]:
        """How many files have which status."""
        return dict(self._store.execute("SELECT status, count(*) FROM files GROUP BY status"))

    def certain(self) -> int:
        """How many certain violations there are."""
        row = self._store.execute("SELECT coalesce(sum(certain), 0) FROM files").fetchone()
        return int(row[0])

    def failed(self) -> list[tuple[str, str]]:
        """The files that could not be checked, and why."""
        return self._store.execute(
            "SELECT file, error FROM files WHERE status = 'failed' ORDER BY file"
        ).fetchall()

    def outcomes(self) -> Iterator[FileOutcome]:
        """What came of each file, in the order of their names."""
        likely = dict(
            self._store.execute(
                "SELECT file, count(DISTINCT step) FROM findings"
                " WHERE status = 'violation' AND certainty = 'likely' GROUP BY file"
            )
        )
        rows = self._store.execute(
            "SELECT file, status, certain, coalesce(error, ''),"
            " CASE WHEN status = 'unbound' OR instr(report, ?) THEN report END"
            " FROM files ORDER BY file",
            (f'"code":"{_DAMAGED}"',),
        )
        for file, status, certain, error, report in rows:
            notes = json.loads(report).get("notes", ()) if report else ()
            damages = [note for note in notes if note["code"] == _DAMAGED]
            why = error or next((note["text"] for note in (*damages, *notes)), "")
            yield FileOutcome(file, status, certain, likely.get(file, 0), why)

    def _lines(self) -> Iterator[bytes]:
        for (report,) in self._store.execute("SELECT report FROM files ORDER BY file"):
            yield report.encode() + b"\n"


def _status(result: dict[str, Any]) -> str:
    if result.get("error"):
        return "failed"
    if not result["bound"]:
        return "unbound"
    return "violations" if result["certain"] else "clean"


def _findings(name: str, result: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    for entry in result.get("entries", ()):
        for violation in entry.get("violations", ()):
            yield (
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
            )
