"""The schema as a list of migrations that only ever grows, and the SQL that both stores use."""

from __future__ import annotations

import json

from hexmarshal.service.store.base import EventRow, MatchRow, TokenRow

__all__ = [
    "EVENT_COLUMNS",
    "MIGRATIONS",
    "event_row",
    "event_values",
    "list_matches",
    "match_row",
    "match_values",
    "token_row",
    "token_values",
]

# {blob} is the dialect's type for bytes. Migration n brings the schema to version n + 1.
MIGRATIONS = (
    """
    CREATE TABLE matches (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        scenario TEXT NOT NULL,
        title TEXT NOT NULL,
        seats TEXT NOT NULL,
        undo INTEGER NOT NULL,
        options TEXT NOT NULL,
        seed TEXT,
        opening {blob} NOT NULL,
        created_at BIGINT NOT NULL,
        created_by TEXT NOT NULL,
        idempotency_key TEXT,
        version BIGINT NOT NULL
    );
    CREATE UNIQUE INDEX matches_by_key ON matches (created_by, idempotency_key);
    CREATE INDEX matches_by_time ON matches (created_at, id);
    CREATE TABLE seats (
        match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
        side TEXT NOT NULL,
        player TEXT NOT NULL,
        PRIMARY KEY (match_id, side)
    );
    CREATE INDEX seats_by_player ON seats (player, match_id);
    CREATE TABLE events (
        match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
        version BIGINT NOT NULL,
        idempotency_key TEXT,
        drawn BIGINT NOT NULL,
        data {blob} NOT NULL,
        position {blob},
        PRIMARY KEY (match_id, version)
    );
    CREATE UNIQUE INDEX events_by_key ON events (match_id, idempotency_key);
    CREATE TABLE tokens (
        name TEXT PRIMARY KEY,
        hash TEXT NOT NULL UNIQUE,
        role TEXT NOT NULL,
        seats TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        expires_at BIGINT
    );
    """,
    # Matches from before are as they were: every seat was told of every event.
    """
    ALTER TABLE matches ADD COLUMN behind TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE events ADD COLUMN untold TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE events ADD COLUMN aside TEXT NOT NULL DEFAULT '[]';
    """,
    # What all servers of a store share and nobody else may know.
    """
    CREATE TABLE secrets (name TEXT PRIMARY KEY, value {blob} NOT NULL);
    """,
)

# All values are passed apart from the text, marked by ?; a dialect may spell that otherwise.
MATCH_COLUMNS = (
    "id, game, scenario, title, seats, undo, options, seed, opening, created_at, created_by, "
    "idempotency_key, version, behind"
)
SELECT_MATCH = f"SELECT {MATCH_COLUMNS} FROM matches"  # noqa: S608
INSERT_MATCH = (
    f"INSERT INTO matches ({MATCH_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
)
MATCH_BY_ID = f"{SELECT_MATCH} WHERE id = ?"
MATCH_BY_KEY = f"{SELECT_MATCH} WHERE created_by = ? AND idempotency_key = ?"
MATCHES_OF = "SELECT COUNT(*) FROM matches WHERE created_by = ?"
INSERT_SEAT = "INSERT INTO seats (match_id, side, player) VALUES (?, ?, ?)"
MATCH_VERSION = "SELECT version FROM matches WHERE id = ?"
DELETE_MATCH = "DELETE FROM matches WHERE id = ?"
EVENT_COLUMNS = "version, idempotency_key, drawn, data, position, untold, aside"
EVENTS_AFTER = (
    f"SELECT {EVENT_COLUMNS} FROM events WHERE match_id = ? AND version > ? ORDER BY version"  # noqa: S608
)
MOVE_MATCH = "UPDATE matches SET version = ?, behind = ? WHERE id = ? AND version = ?"
SECRET = "SELECT value FROM secrets WHERE name = ?"  # noqa: S105 - SQL
INSERT_SECRET = "INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING"  # noqa: S105
NOBODY = "[]"
TOKEN_COLUMNS = "name, hash, role, seats, created_at, expires_at"  # noqa: S105 - names of columns
SELECT_TOKENS = f"SELECT {TOKEN_COLUMNS} FROM tokens ORDER BY name"  # noqa: S608
TOKEN_BY_NAME = f"SELECT {TOKEN_COLUMNS} FROM tokens WHERE name = ?"  # noqa: S608
# Another pair after every change: one removed lowers the number, one added is the newest.
TOKENS_STATE = "SELECT COUNT(*), COALESCE(MAX(created_at), 0) FROM tokens"
TOKEN_BY_HASH = f"SELECT {TOKEN_COLUMNS} FROM tokens WHERE hash = ?"  # noqa: S608
INSERT_TOKEN = f"INSERT INTO tokens ({TOKEN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"  # noqa: S608
DELETE_TOKEN = "DELETE FROM tokens WHERE name = ?"  # noqa: S105 - SQL
MIGRATION_TABLE = "CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, at BIGINT)"
MIGRATIONS_DONE = "SELECT COALESCE(MAX(version), 0) FROM migrations"
INSERT_MIGRATION = "INSERT INTO migrations (version, at) VALUES (?, ?)"


def match_values(row: MatchRow) -> tuple[object, ...]:
    """A match in the order of MATCH_COLUMNS; no key is NULL, of which there may be many."""
    seats = json.dumps(row.seats)
    head = (row.id, row.game, row.scenario, row.title, seats, row.undo, row.options, row.seed)
    key, behind = row.key or None, json.dumps(row.behind)
    return (*head, row.opening, row.created_at, row.created_by, key, row.version, behind)


def match_row(values: tuple[object, ...]) -> MatchRow:
    """A match from the order of MATCH_COLUMNS."""
    name, game, scenario, title, seats, undo, options, seed, opening, *later = values
    at, by, key, version, behind = later
    return MatchRow(
        id=str(name),
        game=str(game),
        scenario=str(scenario),
        title=str(title),
        seats=_pairs(seats),
        undo=_int(undo),
        options=str(options),
        seed=None if seed is None else str(seed),
        opening=_bytes(opening),
        created_at=_int(at),
        created_by=str(by),
        key="" if key is None else str(key),
        version=_int(version),
        behind=tuple((str(side), _int(count)) for side, count in json.loads(str(behind))),
    )


def event_values(row: EventRow) -> tuple[object, ...]:
    """An event in the order of EVENT_COLUMNS."""
    told = (json.dumps(row.untold), json.dumps(row.aside))
    return (row.version, row.key, row.drawn, row.data, row.position, *told)


def event_row(values: tuple[object, ...]) -> EventRow:
    """An event from the order of EVENT_COLUMNS."""
    version, key, drawn, data, position, untold, aside = values
    return EventRow(
        version=_int(version),
        data=_bytes(data),
        drawn=_int(drawn),
        key=None if key is None else str(key),
        position=None if position is None else _bytes(position),
        untold=_texts(untold),
        aside=_texts(aside),
    )


def token_values(row: TokenRow) -> tuple[object, ...]:
    """A token in the order of TOKEN_COLUMNS."""
    seats = json.dumps(row.seats)
    return (row.name, row.hash, row.role, seats, row.created_at, row.expires_at)


def token_row(values: tuple[object, ...]) -> TokenRow:
    """A token from the order of TOKEN_COLUMNS."""
    name, digest, role, seats, created_at, expires_at = values
    return TokenRow(
        str(name),
        str(digest),
        str(role),
        _pairs(seats),
        _int(created_at),
        None if expires_at is None else _int(expires_at),
    )


def list_matches(
    *, player: str | None, ids: tuple[str, ...], game: str, after: str, limit: int
) -> tuple[str, tuple[object, ...]]:
    """The query of `Store.matches` with its values."""
    where: list[str] = []
    values: list[object] = []
    if game:
        where.append("game = ?")
        values.append(game)
    if player is not None:
        seated = "id IN (SELECT match_id FROM seats WHERE player = ? OR player = '')"
        named = ", ".join("?" * len(ids))
        where.append(f"({seated} OR id IN ({named}))" if ids else seated)
        values += [player, *ids]
    if after:
        where.append("(created_at, id) < (SELECT created_at, id FROM matches WHERE id = ?)")
        values.append(after)
    condition = f" WHERE {' AND '.join(where)}" if where else ""
    return f"{SELECT_MATCH}{condition} ORDER BY created_at DESC, id DESC LIMIT ?", (*values, limit)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, json.loads(str(value)))) if value != NOBODY else ()


def _pairs(value: object) -> tuple[tuple[str, str], ...]:
    return tuple((str(a), str(b)) for a, b in json.loads(str(value)))


def _int(value: object) -> int:
    assert isinstance(value, int)
    return value


def _bytes(value: object) -> bytes:
    assert isinstance(value, bytes | memoryview)
    return bytes(value)
