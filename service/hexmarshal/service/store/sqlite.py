"""Matches in one SQLite file: a single writer that puts many callers' changes into one commit.

A commit costs one wait for the disk however many changes it holds. While the disk works on one,
further changes queue up and go into the next; each caller is answered only after its own commit.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import secrets
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from hexmarshal.errors import Place
from hexmarshal.service.store import schema
from hexmarshal.service.store.base import (
    UNCHANGED,
    BanRow,
    Change,
    EventRow,
    MatchRow,
    StoreUnavailableError,
    TokenRow,
    VersionConflictError,
)
from hexmarshal.service.store.queries import SqlStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

__all__ = ["SqliteStore"]

T = TypeVar("T")
BUSY_SECONDS = 10.0
# How soon is heard of what another process wrote.
LOOK_SECONDS = 0.5


@dataclass(slots=True)
class _Job:
    work: Callable[[sqlite3.Connection], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    harmless: bool = False  # if it fails, it has changed nothing
    result: Any = None
    error: BaseException | None = None

    def settle(self) -> None:
        if self.future.done():  # its caller has gone away
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


class SqliteStore(SqlStore):
    """A file, or memory if there is no path."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer: sqlite3.Connection | None = None
        self._reader: sqlite3.Connection | None = None
        # For what may find much, and the thread in which that is done.
        self._lister: sqlite3.Connection | None = None
        self._lists = ThreadPoolExecutor(1, thread_name_prefix="sqlite reader")
        self._thread: threading.Thread | None = None
        # A database in memory belongs to one connection, which two threads then take turns with.
        self._turn = threading.Lock()
        self.commits = 0

    async def open(self) -> None:
        """Open or create the file."""
        try:
            if self._path:
                _keep_private(self._path)
            self._writer = self._connect()
            self._migrate(self._writer)
            self._reader = self._connect() if self._path else self._writer
            self._lister = self._connect() if self._path else self._writer
        except sqlite3.Error as error:
            self._shut()
            raise self._failure(error) from None
        except StoreUnavailableError:
            self._shut()
            raise
        self._thread = threading.Thread(target=self._run, name="sqlite writer", daemon=True)
        self._thread.start()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path or ":memory:",
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _migrate(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(schema.MIGRATION_TABLE)
        (done,) = connection.execute(schema.MIGRATIONS_DONE).fetchone()
        if done > len(schema.MIGRATIONS):
            connection.execute("ROLLBACK")
            raise StoreUnavailableError(
                "the file was written by a newer version of hexmarshal",
                place=Place(file=self._path),
                hint="upgrade hexmarshal",
            )
        for version, script in enumerate(schema.MIGRATIONS[done:], start=done + 1):
            for statement in script.format(blob="BLOB").split(";"):
                if statement.strip():
                    connection.execute(statement)
            connection.execute(schema.INSERT_MIGRATION, (version, time.time_ns() // 1000))
        connection.execute("COMMIT")

    async def close(self) -> None:
        """Finish what is queued and close the file."""
        if self._thread is not None:
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None
        await asyncio.to_thread(self._lists.shutdown)
        self._shut()

    def _shut(self) -> None:
        for connection in {self._writer, self._reader, self._lister}:
            if connection is not None:
                connection.close()
        self._writer = self._reader = self._lister = None

    def _failure(self, error: sqlite3.Error) -> StoreUnavailableError:
        return StoreUnavailableError(
            f"the store cannot be used: {error}", place=Place(file=self._path)
        )

    # The writer's thread

    def _run(self) -> None:
        connection = self._writer
        assert connection is not None
        while (job := self._jobs.get()) is not None:
            batch: list[_Job] = [job]
            last = False
            while not self._jobs.empty():
                following = self._jobs.get()
                if following is None:
                    last = True
                    break
                batch.append(following)
            with self._turn:
                self._commit(connection, batch)
            for loop in {one.loop for one in batch}:
                settled = [one for one in batch if one.loop is loop]
                try:
                    loop.call_soon_threadsafe(_settle, settled)
                except RuntimeError:  # the loop is closed, nobody waits any more
                    continue
            if last:
                return

    def _commit(self, connection: sqlite3.Connection, batch: list[_Job]) -> None:
        try:
            connection.execute("BEGIN IMMEDIATE")
            for job in batch:
                self._do(connection, job)
            connection.execute("COMMIT")
            self.commits += 1
        except sqlite3.Error as error:
            failure = self._failure(error)
            for job in batch:
                job.error = job.error or failure
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    @staticmethod
    def _do(connection: sqlite3.Connection, job: _Job) -> None:
        """One caller's change; if it fails, it takes back itself and nothing of the others."""
        if not job.harmless:
            connection.execute("SAVEPOINT job")
        try:
            job.result = job.work(connection)
        except Exception as error:  # noqa: BLE001 - it belongs to the caller
            job.error = error
            if not job.harmless:
                connection.execute("ROLLBACK TO job")
        if not job.harmless:
            connection.execute("RELEASE job")

    async def _write(self, work: Callable[[sqlite3.Connection], T], *, harmless: bool = False) -> T:
        if self._thread is None:
            raise StoreUnavailableError("the store is closed")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put(_Job(work, loop, future, harmless))
        try:
            # A caller that goes away does not undo its change: it may be on disk already.
            return await future
        except sqlite3.Error as error:
            raise self._failure(error) from None

    def _read(
        self, db: sqlite3.Connection | None, query: str, *values: object
    ) -> list[tuple[object, ...]]:
        """What is found by its key takes microseconds: to hand it to a thread would cost more."""
        if db is None:
            raise StoreUnavailableError("the store is closed")
        try:
            if db is self._writer:
                with self._turn:
                    return db.execute(query, values).fetchall()
            return db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise self._failure(error) from None

    async def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """What a query finds."""
        return self._read(self._reader, query, *values)

    async def listed(self, made: Callable[[Any], T], query: str, *values: object) -> list[T]:
        """What a query finds that may find much, in a thread of its own."""

        def work() -> list[T]:
            return [made(row) for row in self._read(self._lister, query, *values)]

        return await asyncio.get_running_loop().run_in_executor(self._lists, work)

    async def change(self, query: str, *values: object) -> int:
        """Change something, durably."""
        return await self._write(lambda db: db.execute(query, values).rowcount)

    # Matches

    async def create_match(self, row: MatchRow) -> MatchRow:
        """Add a match."""

        def work(db: sqlite3.Connection) -> MatchRow:
            if row.key:
                found = db.execute(schema.MATCH_BY_KEY, (row.created_by, row.key)).fetchone()
                if found:
                    return schema.match_row(found)
            db.execute(schema.INSERT_MATCH, schema.match_values(row))
            seats = [(row.id, side, player) for side, player in row.seats]
            db.executemany(schema.INSERT_SEAT, seats)
            return row

        return await self._write(work)

    async def ping(self) -> None:
        """Whether the writer gets its turn."""
        await self._write(lambda _: None, harmless=True)

    async def append(self, id: str, event: EventRow, change: Change = UNCHANGED) -> None:
        """Add the next event."""

        def work(db: sqlite3.Connection) -> None:
            # The first statement does all or nothing, so a conflict leaves nothing to undo.
            try:
                made = db.execute(
                    f"INSERT INTO events (match_id, {schema.EVENT_COLUMNS})"  # noqa: S608
                    " SELECT id, ?, ?, ?, ?, ?, ?, ? FROM matches WHERE id = ? AND version = ?",
                    (*schema.event_values(event), id, event.version - 1),
                )
            except sqlite3.IntegrityError:
                raise VersionConflictError(id) from None
            if made.rowcount != 1:
                raise VersionConflictError(id)
            db.execute(schema.MOVE_MATCH, schema.move_values(id, event, change))
            if change.seats is not None:
                db.execute(schema.SET_SEATS, (json.dumps(change.seats), int(change.open), id))
                db.executemany(schema.SET_SEAT, [(who, id, side) for side, who in change.seats])
            if change.ended:
                db.execute(schema.END_MATCH, (id,))

        await self._write(work, harmless=True)

    async def refuse(self, id: str, data: bytes, most: int) -> None:
        """Keep what was refused."""

        def work(db: sqlite3.Connection) -> None:
            if db.execute(schema.INSERT_REFUSAL, (id, data, id, most)).rowcount == 1:
                db.execute(schema.GROW_MATCH, (len(data), id))

        await self._write(work)

    async def news(self) -> AsyncIterator[tuple[str, int]]:
        """Whether another process wrote into the file, twice a second; nobody else writes here."""
        if not self._path:
            return

        def written(db: sqlite3.Connection) -> int:
            return int(db.execute("PRAGMA data_version").fetchone()[0])

        known: int | None = None
        while self._thread is not None:
            found = await self._write(written, harmless=True)
            if known is not None and found != known:
                yield "", 0
            known = found
            await asyncio.sleep(LOOK_SECONDS)

    async def delete_match(self, id: str) -> bool:
        """Remove a match."""
        return await self._write(lambda db: db.execute(schema.DELETE_MATCH, (id,)).rowcount == 1)

    async def secret(self, name: str) -> bytes:
        """A secret that all servers share."""

        def work(db: sqlite3.Connection) -> bytes:
            db.execute(schema.INSERT_SECRET, (name, secrets.token_bytes(32)))
            return bytes(db.execute(schema.SECRET, (name,)).fetchone()[0])

        return await self._write(work)

    # Tokens

    async def add_token(self, row: TokenRow) -> bool:
        """Add a token."""

        def work(db: sqlite3.Connection) -> bool:
            try:
                db.execute(schema.INSERT_TOKEN, schema.token_values(row))
            except sqlite3.IntegrityError:
                return False
            return True

        return await self._write(work)

    async def ban(self, row: BanRow) -> None:
        """Let somebody in no longer."""

        def work(db: sqlite3.Connection) -> None:
            db.execute(schema.DELETE_BAN, (row.name,))
            db.execute(schema.INSERT_BAN, (row.name, row.reason, row.created_at, row.expires_at))

        await self._write(work)

    async def back_up(self, file: str) -> None:
        """Write a copy, by SQLite's own way of doing that while others write."""
        reader = self._lister
        if reader is None:
            raise StoreUnavailableError("the store is closed")

        def copy() -> None:
            _keep_private(file)
            target = sqlite3.connect(file)
            try:
                reader.backup(target)
            finally:
                target.close()

        try:
            await asyncio.to_thread(copy)
        except sqlite3.Error as error:
            raise self._failure(error) from None


def _keep_private(path: str) -> None:
    """Let nobody else read the file: dice to come stand in it. What lies beside it follows it."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreUnavailableError(
            f"the store cannot be used: {error.strerror}", place=Place(file=path)
        ) from None
    for name in (path, f"{path}-wal", f"{path}-shm"):
        with suppress(OSError):  # not there, or somebody else's who may give it to us
            Path(name).chmod(0o600)


def _settle(batch: list[_Job]) -> None:
    for job in batch:
        job.settle()
