"""The results of a folder: kept in SQLite file by file, and written out as JSON lines."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from hexmarshal.errors import BadInputError, OutputError, Place
from hexmarshal.vassal.container.atomic import write_atomically

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from hexmarshal.referee.batch.selection import Shard

__all__ = ["FORMAT", "LINES", "STORE", "FileOutcome", "Results"]

LINES: Final = "results.jsonl"
STORE: Final = "results.sqlite"
FORMAT: Final = 3
_OF_FILES: Final = ("files", "findings", "players", "dice")
# The code of a note about what is not whole: such a file is told of, even if what is left is clean.
_DAMAGED: Final = "damaged"
_IS_DAMAGED: Final = f"""instr(report, '"code":"{_DAMAGED}"')"""
_NOTABLE: Final = f"(status != 'clean' OR likely OR {_IS_DAMAGED})"
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS files (
    file TEXT PRIMARY KEY, key TEXT NOT NULL, status TEXT NOT NULL, kind TEXT, game TEXT,
    scenario TEXT, steps INTEGER, certain INTEGER, likely INTEGER,
    error TEXT, report TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS findings (
    file TEXT NOT NULL, step INTEGER, turn INTEGER, phase TEXT, player TEXT, side TEXT,
    status TEXT, certainty TEXT, rule TEXT, text TEXT, what TEXT);
CREATE TABLE IF NOT EXISTS players (
    file TEXT NOT NULL, player TEXT, judged TEXT, number INTEGER);
CREATE TABLE IF NOT EXISTS dice (
    file TEXT NOT NULL, player TEXT, sides INTEGER, count INTEGER, mean REAL, p REAL, faces TEXT);
CREATE TABLE IF NOT EXISTS shards (number INTEGER, of INTEGER, PRIMARY KEY (number, of));
CREATE INDEX IF NOT EXISTS findings_by_file ON findings (file);
CREATE INDEX IF NOT EXISTS findings_by_rule ON findings (rule);
CREATE INDEX IF NOT EXISTS players_by_file ON players (file);
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
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._store = sqlite3.connect(folder / STORE)
        except (OSError, sqlite3.Error) as error:
            raise self._unkept(error) from None
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._store.close()
            raise self._unkept(error) from None

    def _unkept(self, error: Exception) -> OutputError:
        return OutputError(
            f"results cannot be kept: {error}",
            place=Place(file=str(self.folder / STORE)),
            hint="choose another folder with --output",
        )

    def _prepare(self) -> None:
        (made,) = self._store.execute("PRAGMA user_version").fetchone()
        if made not in (0, FORMAT):
            for table in (*_OF_FILES, "shards"):
                self._store.execute(f"DROP TABLE IF EXISTS {table}")
        self._store.executescript(_TABLES)
        self._store.execute(f"PRAGMA user_version = {FORMAT}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Write the lines out, and close."""
        try:
            write_atomically(self.folder / LINES, self._lines(), force=True)
        finally:
            self.close()

    def close(self) -> None:
        """Leave what is kept as it is."""
        self._store.close()

    def key(self, name: str) -> str | None:
        """By what a file that is done was known."""
        row = self._store.execute("SELECT key FROM files WHERE file = ?", (name,)).fetchone()
        return row[0] if row else None

    def has_failed(self, name: str) -> bool:
        """Whether nothing could be made of a file."""
        query = "SELECT 1 FROM files WHERE file = ? AND status = 'failed'"
        return self._store.execute(query, (name,)).fetchone() is not None

    def keep(self, name: str, key: str, result: dict[str, Any]) -> None:
        """Put the report of a file in place of an older one."""
        try:
            self._put(name, key, {**result, "file": name})
        except sqlite3.Error as error:
            # The disk is full, or somebody else writes here too.
            raise self._unkept(error) from None

    def _put(self, name: str, key: str, result: dict[str, Any]) -> None:
        with self._store as store:
            self._drop(name)
            store.execute(
                "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    name,
                    key,
                    _status(result),
                    result.get("kind"),
                    result.get("game"),
                    result.get("scenario"),
                    result.get("steps"),
                    result.get("certain", 0),
                    _likely(result),
                    result.get("error"),
                    json.dumps(result, ensure_ascii=False, separators=(",", ":")),
                ),
            )
            store.executemany(
                "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                _findings(name, result),
            )
            store.executemany("INSERT INTO players VALUES (?, ?, ?, ?)", _players(name, result))
            store.executemany("INSERT INTO dice VALUES (?, ?, ?, ?, ?, ?, ?)", _dice(name, result))

    def forget(self, name: str) -> None:
        """A file that is gone has no result."""
        with self._store:
            self._drop(name)

    def forget_all_but(self, names: Collection[str]) -> list[str]:
        """Files that are gone have no results; which they were."""
        gone = [
            name
            for (name,) in self._store.execute("SELECT file FROM files ORDER BY file")
            if name not in names
        ]
        with self._store:
            for name in gone:
                self._drop(name)
        return gone

    def _drop(self, name: str) -> None:
        for table in _OF_FILES:
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

    def outcomes(
        self, name: str = "", *, notable: bool = False, most: int = -1
    ) -> Iterator[FileOutcome]:
        """What came of each file, or of one; or those with something to tell, the worst first."""
        chosen = "WHERE file = :name" if name else ""
        order = "file"
        if notable:
            chosen, order = f"WHERE {_NOTABLE}", "certain DESC, likely DESC, status, file"
        rows = self._store.execute(
            "SELECT file, status, certain, likely, coalesce(error, ''),"  # noqa: S608 - ours
            f" CASE WHEN status = 'unbound' OR {_IS_DAMAGED} THEN report END"
            f" FROM files {chosen} ORDER BY {order} LIMIT :most",
            {"name": name, "most": most},
        )
        for file, status, certain, likely, error, report in rows:
            notes = json.loads(report).get("notes", ()) if report else ()
            damages = [note for note in notes if note["code"] == _DAMAGED]
            why = error or next((note["text"] for note in (*damages, *notes)), "")
            yield FileOutcome(file, status, certain, likely, why)

    def notable(self) -> int:
        """Of how many files there is something to tell."""
        query = f"SELECT count(*) FROM files WHERE {_NOTABLE}"  # noqa: S608 - ours
        return int(self._store.execute(query).fetchone()[0])

    def rows(self, query: str) -> Iterator[tuple[Any, ...]]:
        """What a question to the tables gives, row by row."""
        return iter(self._store.execute(query))

    # Parts of a whole

    def mark(self, shard: Shard) -> None:
        """These are the results of a part."""
        with self._store:
            self._store.execute(
                "INSERT OR IGNORE INTO shards VALUES (?, ?)", (shard.number, shard.of)
            )

    def shards(self) -> list[tuple[int, int]]:
        """Of which parts these are the results; of none if they are of a whole folder."""
        return self._store.execute("SELECT number, of FROM shards ORDER BY of, number").fetchall()

    def take_in(self, folder: Path) -> None:
        """Add the results of another folder; those of a file that is known must be the same."""
        self._store.execute("ATTACH ? AS other", (str(folder / STORE),))
        try:
            self._refuse_others(folder)
            with self._store:
                # What was set aside in one and done in the other is done.
                known = "SELECT file FROM main.files WHERE key != ''"
                for (name,) in self._store.execute(
                    f"SELECT file FROM other.files WHERE file NOT IN ({known})"  # noqa: S608 - ours
                ).fetchall():
                    self._drop(name)
                    for table in _OF_FILES:
                        self._store.execute(
                            f"INSERT INTO main.{table} SELECT * FROM other.{table}"  # noqa: S608
                            " WHERE file = ?",
                            (name,),
                        )
                self._store.execute("INSERT OR IGNORE INTO main.shards SELECT * FROM other.shards")
        finally:
            self._store.execute("DETACH other")

    def _refuse_others(self, folder: Path) -> None:
        unlike = self._store.execute(
            "SELECT file FROM main.files AS ours JOIN other.files AS theirs USING (file)"
            " WHERE ours.key != '' AND theirs.key != '' AND ours.key != theirs.key ORDER BY file"
        ).fetchone()
        if unlike:
            raise BadInputError(
                f"{unlike[0]!r} was checked here and elsewhere, with another content, another"
                " module or other options",
                place=Place(file=str(folder / STORE)),
                hint="check the folder again with the same options, or leave one of them out",
            )

    def _lines(self) -> Iterator[bytes]:
        for (report,) in self._store.execute("SELECT report FROM files ORDER BY file"):
            yield report.encode() + b"\n"


def _status(result: dict[str, Any]) -> str:
    if result.get("error"):
        return "failed"
    if not result["bound"]:
        return "unbound"
    return "violations" if result["certain"] else "clean"


def _likely(result: dict[str, Any]) -> int:
    """How many steps likely break a rule."""
    found = (
        entry["steps"][0]
        for entry in result.get("entries", ())
        if entry["status"] == "violation" and entry["certainty"] == "likely"
    )
    return len(set(found))


def _players(name: str, result: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    """How many things of each kind each player, or side without a name, did."""
    counts: Counter[tuple[str, str]] = Counter()
    for entry in result.get("entries", ()):
        judged = entry["status"]
        if judged == "violation":
            judged = entry["certainty"]
        counts[entry.get("player") or entry.get("side") or "?", judged] += 1
    for (player, judged), number in counts.items():
        yield name, player, judged, number


def _dice(name: str, result: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    for one in result.get("dice", ()):
        known = (one["player"], one["sides"], one["count"], one["mean"], one["p"])
        yield name, *known, json.dumps(one["faces"])


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
