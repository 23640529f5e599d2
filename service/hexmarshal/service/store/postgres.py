"""Matches in PostgreSQL, for several servers behind one address."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import select
import socket
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg

from hexmarshal.errors import UsageError
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
    from collections.abc import AsyncIterator, Awaitable, Callable

__all__ = ["PostgresStore"]

CONNECTIONS = 8
CHANNEL = "hexmarshal_matches"
# So many rows are read before somebody else gets a turn.
ROWS = 20
CONNECT_SECONDS = 5
# The longest that one answer may take, whoever waits for it.
ANSWER_SECONDS = 15.0
# A machine that went away without a word is noticed by what it does not acknowledge.
NOTICE_DEATH: dict[str, Any] = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
APPEND = (
    f"WITH moved AS ({schema.MOVE_MATCH} RETURNING id),"  # noqa: S608
    f" made AS (INSERT INTO events (match_id, {schema.EVENT_COLUMNS})"
    " SELECT id, ?, ?, ?, ?, ?, ?, ? FROM moved RETURNING match_id, version)"
    f" SELECT pg_notify('{CHANNEL}', match_id || ' ' || version) FROM made"
)
# Servers that start at the same time must not migrate at the same time; any fixed number will do.
MIGRATION_LOCK = 0x6865786D

T = TypeVar("T")
Connection = psycopg.AsyncConnection[tuple[Any, ...]]


class PostgresStore(SqlStore):
    """A few connections, handed out in turn; a broken one is replaced when it is next wanted."""

    def __init__(self, address: str) -> None:
        self._address = address
        # The one given back last is the one that is open already.
        self._free: asyncio.LifoQueue[Connection | None] = asyncio.LifoQueue()
        self._ending: set[asyncio.Future[None]] = set()
        self._open = False

    async def open(self) -> None:
        """Connect once to see that it works; the other connections are made when needed."""
        first = await self._connect()
        try:
            await _migrate(first)
        except psycopg.Error as error:
            await first.close()
            raise _failure(error) from None
        for _ in range(CONNECTIONS - 1):
            self._free.put_nowait(None)
        self._free.put_nowait(first)
        self._open = True

    async def close(self) -> None:
        """Close every connection that is not in use."""
        self._open = False
        while not self._free.empty():
            connection = self._free.get_nowait()
            if connection is not None:
                await connection.close()
        if self._ending:
            await asyncio.wait(self._ending, timeout=CONNECT_SECONDS)

    async def _connect(self) -> Connection:
        try:
            return await psycopg.AsyncConnection.connect(
                self._address, autocommit=True, connect_timeout=CONNECT_SECONDS, **NOTICE_DEATH
            )
        except psycopg.Error as error:
            raise _failure(error) from None

    async def _run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Do something on a connection.

        One that broke while it was not used shows so only now: then it is tried once more on a new
        one. All that is done here may be tried twice, because an event has its version, a match its
        id and a token its name.
        """
        if not self._open:
            raise StoreUnavailableError("the store is closed")
        connection = await self._free.get()
        try:
            if connection is not None and not _is_stale(connection):
                try:
                    return await self._bounded(connection, work)
                except (psycopg.OperationalError, psycopg.InterfaceError):
                    if not connection.closed:
                        raise
            if connection is not None:
                await connection.close()
                connection = None
            connection = await self._connect()
            return await self._bounded(connection, work)
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            raise _failure(error) from None
        finally:
            if connection is not None and (connection.closed or not _is_idle(connection)):
                # One whose line was cut is closed by who still works on it.
                connection = None
            self._free.put_nowait(connection)

    async def _bounded(self, db: Connection, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Do it within its time; a server that does not answer is left to itself.

        The driver would ask the server to stop, and wait for that: its line is cut instead.
        """
        task = asyncio.ensure_future(work(db))
        try:
            return await asyncio.wait_for(asyncio.shield(task), ANSWER_SECONDS)
        except (TimeoutError, asyncio.CancelledError) as error:
            _cut(db)
            ending = asyncio.ensure_future(_end(db, task))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
            if isinstance(error, TimeoutError):
                raise StoreUnavailableError("PostgreSQL does not answer") from None
            raise

    async def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """What a query finds."""

        async def work(db: Connection) -> list[tuple[Any, ...]]:
            cursor = await db.execute(_sql(query), values)
            return await cursor.fetchall()

        return await self._run(work)

    async def listed(self, made: Callable[[Any], T], query: str, *values: object) -> list[T]:
        """What a query finds that may find much, some rows at a time."""

        async def work(db: Connection) -> list[T]:
            cursor = await db.execute(_sql(query), values)
            found: list[T] = []
            while rows := await cursor.fetchmany(ROWS):
                found += map(made, rows)
                await asyncio.sleep(0)
            return found

        return await self._run(work)

    async def change(self, query: str, *values: object) -> int:
        """Change something; how many rows it was."""

        async def work(db: Connection) -> int:
            return (await db.execute(_sql(query), values)).rowcount

        return await self._run(work)

    # Matches

    async def create_match(self, row: MatchRow) -> MatchRow:
        """Add a match."""
        insert = f"{schema.INSERT_MATCH} ON CONFLICT DO NOTHING"

        async def work(db: Connection) -> MatchRow:
            async with db.transaction():
                made = await db.execute(_sql(insert), schema.match_values(row))
                if made.rowcount == 0:
                    # Made before under this key; or just now, and the answer was lost.
                    for query, values in (
                        (schema.MATCH_BY_ID, (row.id,)),
                        (schema.MATCH_BY_KEY, (row.created_by, row.key)),
                    ):
                        found = await (await db.execute(_sql(query), values)).fetchone()
                        if found is not None:
                            return schema.match_row(found)
                    raise StoreUnavailableError("the match could not be created")
                for side, player in row.seats:
                    await db.execute(_sql(schema.INSERT_SEAT), (row.id, side, player))
            return row

        return await self._run(work)

    async def ping(self) -> None:
        """Whether the server answers."""
        await self.rows("SELECT 1")

    async def append(self, id: str, event: EventRow, change: Change = UNCHANGED) -> None:
        """Add the next event, in one statement: one round trip, one commit."""

        async def work(db: Connection) -> None:
            try:
                made = await db.execute(_sql(APPEND), values)
            except psycopg.errors.UniqueViolation:
                raise VersionConflictError(id) from None
            if made.rowcount != 1:
                raise VersionConflictError(id)

        async def with_more(db: Connection) -> None:
            async with db.transaction():
                await work(db)
                if change.seats is not None:
                    listed = (json.dumps(change.seats), int(change.open), id)
                    await db.execute(_sql(schema.SET_SEATS), listed)
                    for side, who in change.seats:
                        await db.execute(_sql(schema.SET_SEAT), (who, id, side))
                if change.ended:
                    await db.execute(_sql(schema.END_MATCH), (id,))

        values = (*schema.move_values(id, event, change), *schema.event_values(event))
        more = change.ended or change.seats is not None
        await self._run(with_more if more else work)

    async def refuse(self, id: str, data: bytes, most: int) -> None:
        """Keep what was refused."""

        async def work(db: Connection) -> None:
            async with db.transaction():
                # One at a time for each match: the number is the next one.
                await db.execute(_sql(schema.GROW_MATCH), (0, id))
                made = await db.execute(_sql(schema.INSERT_REFUSAL), (id, data, id, most))
                if made.rowcount == 1:
                    await db.execute(_sql(schema.GROW_MATCH), (len(data), id))

        await self._run(work)

    async def news(self) -> AsyncIterator[tuple[str, int]]:
        """What PostgreSQL tells of, on a connection of its own."""
        while self._open:
            db = await self._connect()
            try:
                await db.execute(_sql(f"LISTEN {CHANNEL}"))
                yield "", 0
                async for told in db.notifies():
                    match, _, version = told.payload.partition(" ")
                    yield match, int(version)
            except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                raise _failure(error) from None
            finally:
                await db.close()

    async def delete_match(self, id: str) -> bool:
        """Remove a match."""
        removed = await self.change(schema.DELETE_MATCH, id)
        # Later than any version: whoever watches looks, and finds the match gone.
        await self.rows("SELECT pg_notify(?, ?)", CHANNEL, f"{id} {sys.maxsize}")
        return removed == 1

    async def secret(self, name: str) -> bytes:
        """A secret that all servers share."""
        await self.change(schema.INSERT_SECRET, name, secrets.token_bytes(32))
        return bytes((await self.rows(schema.SECRET, name))[0][0])

    # Tokens

    async def add_token(self, row: TokenRow) -> bool:
        """Add a token."""
        insert = f"{schema.INSERT_TOKEN} ON CONFLICT DO NOTHING"
        return await self.change(insert, *schema.token_values(row)) == 1

    async def ban(self, row: BanRow) -> None:
        """Let somebody in no longer."""
        await self.change(schema.DELETE_BAN, row.name)
        values = (row.name, row.reason, row.created_at, row.expires_at)
        await self.change(f"{schema.INSERT_BAN} ON CONFLICT DO NOTHING", *values)

    async def back_up(self, file: str) -> None:
        """PostgreSQL has tools of its own for this."""
        del file
        raise UsageError(
            "a PostgreSQL store is backed up by pg_dump", hint="see docs/service/serving.md"
        )


async def _migrate(db: Connection) -> None:
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        await db.execute(_sql(schema.MIGRATION_TABLE))
        cursor = await db.execute(_sql(schema.MIGRATIONS_DONE))
        found = await cursor.fetchone()
        done = int(found[0]) if found else 0
        if done > len(schema.MIGRATIONS):
            raise StoreUnavailableError(
                "the database was written by a newer version of hexmarshal",
                hint="upgrade hexmarshal",
            )
        for version, script in enumerate(schema.MIGRATIONS[done:], start=done + 1):
            await db.execute(_sql(script.format(blob="BYTEA")))
            now = time.time_ns() // 1000
            await db.execute(_sql(schema.INSERT_MIGRATION), (version, now))


def _sql(text: str) -> Any:  # noqa: ANN401 - psycopg wants a literal, and ours come from schema.py
    return text.replace("?", "%s")


async def _end(db: Connection, task: asyncio.Future[Any]) -> None:
    """Close a connection when what was done on it has heard that its line is cut."""
    await asyncio.wait([task])
    if not task.cancelled():
        task.exception()
    await db.close()


def _is_stale(db: Connection) -> bool:
    """Whether the other end is gone, or says something that nobody asked for."""
    if db.closed:
        return True
    waiting = select.poll()
    waiting.register(db.fileno(), select.POLLIN | select.POLLERR | select.POLLHUP)
    return bool(waiting.poll(0))


def _is_idle(db: Connection) -> bool:
    return db.info.transaction_status is psycopg.pq.TransactionStatus.IDLE


def _cut(db: Connection) -> None:
    """End the line, so that whoever waits for it hears so at once."""
    with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(db.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)


def _failure(error: psycopg.Error) -> StoreUnavailableError:
    text = str(error).strip().splitlines()
    return StoreUnavailableError(f"PostgreSQL: {text[0] if text else type(error).__name__}")
