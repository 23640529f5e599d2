"""Matches in PostgreSQL, for several servers behind one address."""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import psycopg

from hexmarshal.service.store import schema
from hexmarshal.service.store.base import (
    EventRow,
    MatchRow,
    Store,
    StoreUnavailableError,
    TokenRow,
    VersionConflictError,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

__all__ = ["PostgresStore"]

CONNECTIONS = 8
CHANNEL = "hexmarshal_matches"
# Servers that start at the same time must not migrate at the same time; any fixed number will do.
MIGRATION_LOCK = 0x6865786D

Connection = psycopg.AsyncConnection[tuple[Any, ...]]


class PostgresStore(Store):
    """A few connections, handed out in turn; a broken one is replaced when it is next wanted."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._free: asyncio.Queue[Connection | None] = asyncio.Queue()
        self._open = False

    async def open(self) -> None:
        """Connect once to see that it works; the other connections are made when needed."""
        first = await self._connect()
        try:
            await _migrate(first)
        except psycopg.Error as error:
            await first.close()
            raise _failure(error) from None
        self._free.put_nowait(first)
        for _ in range(CONNECTIONS - 1):
            self._free.put_nowait(None)
        self._open = True

    async def close(self) -> None:
        """Close every connection that is not in use."""
        self._open = False
        while not self._free.empty():
            connection = self._free.get_nowait()
            if connection is not None:
                await connection.close()

    async def _connect(self) -> Connection:
        try:
            return await psycopg.AsyncConnection.connect(self._address, autocommit=True)
        except psycopg.Error as error:
            raise _failure(error) from None

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        if not self._open:
            raise StoreUnavailableError("the store is closed")
        # The one given back last is the one that is open already.
        connection = await self._free.get()
        try:
            if connection is None or connection.closed:
                connection = None
                connection = await self._connect()
            yield connection
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            raise _failure(error) from None
        finally:
            self._free.put_nowait(connection)

    async def _read(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        async with self._connection() as db:
            cursor = await db.execute(_sql(query), values)
            return await cursor.fetchall()

    # Matches

    async def create_match(self, row: MatchRow) -> MatchRow:
        """Add a match."""
        insert = f"{schema.INSERT_MATCH} ON CONFLICT DO NOTHING"
        async with self._connection() as db, db.transaction():
            made = await db.execute(_sql(insert), schema.match_values(row))
            if made.rowcount == 0:
                by_key = _sql(schema.MATCH_BY_KEY)
                found = await (await db.execute(by_key, (row.created_by, row.key))).fetchone()
                if found is None:
                    raise StoreUnavailableError("the match could not be created")
                return schema.match_row(found)
            for side, player in row.seats:
                await db.execute(_sql(schema.INSERT_SEAT), (row.id, side, player))
        return row

    async def match(self, id: str) -> MatchRow | None:
        """One match."""
        found = await self._read(schema.MATCH_BY_ID, id)
        return schema.match_row(found[0]) if found else None

    async def matches(
        self, *, player: str | None, ids: Sequence[str], game: str, after: str, limit: int
    ) -> list[MatchRow]:
        """Matches, newest first."""
        query, values = schema.list_matches(
            player=player, ids=tuple(ids), game=game, after=after, limit=limit
        )
        return [schema.match_row(row) for row in await self._read(query, *values)]

    async def made_by(self, player: str) -> int:
        """How many matches a player created."""
        return int((await self._read(schema.MATCHES_OF, player))[0][0])

    async def head(self, id: str) -> int | None:
        """The newest version."""
        found = await self._read(schema.MATCH_VERSION, id)
        return int(found[0][0]) if found else None

    async def events(self, id: str, after: int) -> list[EventRow]:
        """The events after a version."""
        rows = await self._read(schema.EVENTS_AFTER, id, after)
        return [schema.event_row(row) for row in rows]

    async def append(
        self, id: str, event: EventRow, behind: tuple[tuple[str, int], ...] = ()
    ) -> None:
        """Add the next event, in one statement: one round trip, one commit."""
        async with self._connection() as db:
            try:
                moved = (event.version, json.dumps(behind), id, event.version - 1)
                made = await db.execute(
                    _sql(
                        f"WITH moved AS ({schema.MOVE_MATCH} RETURNING id),"  # noqa: S608
                        f" made AS (INSERT INTO events (match_id, {schema.EVENT_COLUMNS})"
                        " SELECT id, ?, ?, ?, ?, ?, ?, ? FROM moved RETURNING match_id, version)"
                        f" SELECT pg_notify('{CHANNEL}', match_id || ' ' || version) FROM made"
                    ),
                    (*moved, *schema.event_values(event)),
                )
            except psycopg.errors.UniqueViolation:
                raise VersionConflictError(id) from None
            if made.rowcount != 1:
                raise VersionConflictError(id)

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
        async with self._connection() as db:
            removed = (await db.execute(_sql(schema.DELETE_MATCH), (id,))).rowcount == 1
            # Later than any version: whoever watches looks, and finds the match gone.
            gone = f"{id} {sys.maxsize}"
            await db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, gone))
            return removed

    async def secret(self, name: str) -> bytes:
        """A secret that all servers share."""
        async with self._connection() as db:
            await db.execute(_sql(schema.INSERT_SECRET), (name, secrets.token_bytes(32)))
            cursor = await db.execute(_sql(schema.SECRET), (name,))
            return bytes((await cursor.fetchone() or (b"",))[0])

    # Tokens

    async def add_token(self, row: TokenRow) -> bool:
        """Add a token."""
        async with self._connection() as db:
            insert = f"{schema.INSERT_TOKEN} ON CONFLICT DO NOTHING"
            made = await db.execute(_sql(insert), schema.token_values(row))
            return made.rowcount == 1

    async def token(self, hash: str) -> TokenRow | None:
        """The token with this hash."""
        found = await self._read(schema.TOKEN_BY_HASH, hash)
        return schema.token_row(found[0]) if found else None

    async def token_named(self, name: str) -> TokenRow | None:
        """The token of this name."""
        found = await self._read(schema.TOKEN_BY_NAME, name)
        return schema.token_row(found[0]) if found else None

    async def tokens_state(self) -> tuple[int, int]:
        """The number of tokens, and when the newest was made."""
        ((count, newest),) = await self._read(schema.TOKENS_STATE)
        return int(count), int(newest)

    async def tokens(self) -> list[TokenRow]:
        """All tokens."""
        rows = await self._read(schema.SELECT_TOKENS)
        return [schema.token_row(row) for row in rows]

    async def remove_token(self, name: str) -> bool:
        """Revoke a token."""
        async with self._connection() as db:
            return (await db.execute(_sql(schema.DELETE_TOKEN), (name,))).rowcount == 1


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


def _failure(error: psycopg.Error) -> StoreUnavailableError:
    text = str(error).strip().splitlines()
    return StoreUnavailableError(f"PostgreSQL: {text[0] if text else type(error).__name__}")
