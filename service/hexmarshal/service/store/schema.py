"""The schema as a list of migrations that only ever grows, and the SQL that both stores use."""

from __future__ import annotations

import json
import time

from hexmarshal.service.store.base import BanRow, Change, EventRow, MatchRow, TokenRow

__all__ = [
    "EVENT_COLUMNS",
    "MIGRATIONS",
    "ban_row",
    "blob",
    "event_row",
    "event_values",
    "list_matches",
    "match_row",
    "match_values",
    "move_values",
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
    # Terms of matches, seats that are taken, what was refused, what is stored, who is banned.
    """
    ALTER TABLE matches ADD COLUMN terms TEXT NOT NULL DEFAULT '{{}}';
    ALTER TABLE matches ADD COLUMN open INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE matches ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE matches ADD COLUMN changed_at BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE matches ADD COLUMN ended_at BIGINT;
    UPDATE matches SET open = 1 WHERE id IN (SELECT match_id FROM seats WHERE player = '');
    UPDATE matches SET changed_at = created_at, bytes = LENGTH(opening) + (
        SELECT COALESCE(SUM(LENGTH(data) + COALESCE(LENGTH(position), 0)), 0)
        FROM events WHERE match_id = matches.id
    );
    CREATE INDEX matches_by_open ON matches (open, created_at, id);
    CREATE INDEX matches_by_change ON matches (changed_at);
    CREATE TABLE refusals (
        match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
        number BIGINT NOT NULL,
        data {blob} NOT NULL,
        PRIMARY KEY (match_id, number)
    );
    CREATE TABLE bans (
        name TEXT PRIMARY KEY,
        reason TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        expires_at BIGINT
    );
    """,
)

# All values are passed apart from the text, marked by ?; a dialect may spell that otherwise.
MATCH_COLUMNS = (
    "id, game, scenario, title, seats, undo, options, seed, opening, created_at, created_by, "
    "idempotency_key, version, behind, terms, open, bytes, changed_at, ended_at"
)
SELECT_MATCH = f"SELECT {MATCH_COLUMNS} FROM matches"  # noqa: S608
INSERT_MATCH = (
    f"INSERT INTO matches ({MATCH_COLUMNS})"  # noqa: S608
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
# For lists, which show no position: some of those are large.
LIST_MATCHES = SELECT_MATCH.replace(" opening,", " NULL,")
MATCH_BY_ID = f"{SELECT_MATCH} WHERE id = ?"
MATCH_BY_KEY = f"{SELECT_MATCH} WHERE created_by = ? AND idempotency_key = ?"
MATCHES_OF = "SELECT COUNT(*), COALESCE(SUM(bytes), 0) FROM matches WHERE created_by = ?"
INSERT_SEAT = "INSERT INTO seats (match_id, side, player) VALUES (?, ?, ?)"
MATCH_VERSION = "SELECT version FROM matches WHERE id = ?"
DELETE_MATCH = "DELETE FROM matches WHERE id = ?"
EVENT_COLUMNS = "version, idempotency_key, drawn, data, position, untold, aside"
EVENTS_AFTER = (
    f"SELECT {EVENT_COLUMNS} FROM events WHERE match_id = ? AND version > ? ORDER BY version"  # noqa: S608
)
MOVE_MATCH = (
    "UPDATE matches SET version = ?, behind = ?, bytes = bytes + ?, changed_at = ?"
    " WHERE id = ? AND version = ?"
)
SET_SEATS = "UPDATE matches SET seats = ?, open = ? WHERE id = ?"
SET_SEAT = "UPDATE seats SET player = ? WHERE match_id = ? AND side = ?"
END_MATCH = "UPDATE matches SET ended_at = changed_at, open = 0 WHERE id = ? AND ended_at IS NULL"
REFUSALS = "SELECT data FROM refusals WHERE match_id = ? ORDER BY number"
INSERT_REFUSAL = (
    "INSERT INTO refusals (match_id, number, data) SELECT ?, COALESCE(MAX(number), 0) + 1, ?"
    " FROM refusals WHERE match_id = ? HAVING COUNT(*) < ?"
)
GROW_MATCH = "UPDATE matches SET bytes = bytes + ? WHERE id = ?"
BAN_COLUMNS = "name, reason, created_at, expires_at"
SELECT_BANS = f"SELECT {BAN_COLUMNS} FROM bans ORDER BY name"  # noqa: S608
BAN_BY_NAME = f"SELECT {BAN_COLUMNS} FROM bans WHERE name = ?"  # noqa: S608
INSERT_BAN = f"INSERT INTO bans ({BAN_COLUMNS}) VALUES (?, ?, ?, ?)"  # noqa: S608
DELETE_BAN = "DELETE FROM bans WHERE name = ?"
# Matches that nobody touched since a moment; those that ended, or all.
OLD_MATCHES = "SELECT id FROM matches WHERE changed_at < ? AND (ended_at IS NOT NULL OR ? = 1)"
STORED = "SELECT COUNT(*), COALESCE(SUM(bytes), 0), COALESCE(SUM(open), 0) FROM matches"
SECRET = "SELECT value FROM secrets WHERE name = ?"  # noqa: S105 - SQL
INSERT_SECRET = "INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING"  # noqa: S105
NOBODY = "[]"
TOKEN_COLUMNS = "name, hash, role, seats, created_at, expires_at"  # noqa: S105 - names of columns
SELECT_TOKENS = f"SELECT {TOKEN_COLUMNS} FROM tokens ORDER BY name"  # noqa: S608
TOKEN_BY_NAME = f"SELECT {TOKEN_COLUMNS} FROM tokens WHERE name = ?"  # noqa: S608
# Another pair after every change: one removed lowers the number, one added is the newest.
TOKENS_STATE = (
    "SELECT (SELECT COUNT(*) FROM tokens), (SELECT COALESCE(MAX(created_at), 0) FROM tokens),"
    " (SELECT COUNT(*) FROM bans), (SELECT COALESCE(MAX(created_at), 0) FROM bans)"
)
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
    made = (row.opening, row.created_at, row.created_by, key, row.version, behind)
    size = row.bytes or len(row.opening)
    changed = row.changed_at or row.created_at
    return (*head, *made, row.terms, int(row.open), size, changed, row.ended_at)


def move_values(id: str, event: EventRow, change: Change) -> tuple[object, ...]:
    """The values of MOVE_MATCH."""
    now = time.time_ns() // 1000
    return (event.version, json.dumps(change.behind), event.size, now, id, event.version - 1)


def match_row(values: tuple[object, ...]) -> MatchRow:
    """A match from the order of MATCH_COLUMNS; in a list it has no opening."""
    name, game, scenario, title, seats, undo, options, seed, opening, *later = values
    at, by, key, version, behind, terms, open_, size, changed, ended = later
    return MatchRow(
        id=str(name),
        game=str(game),
        scenario=str(scenario),
        title=str(title),
        seats=_pairs(seats),
        undo=_int(undo),
        options=str(options),
        seed=None if seed is None else str(seed),
        opening=b"" if opening is None else blob(opening),
        created_at=_int(at),
        created_by=str(by),
        key="" if key is None else str(key),
        version=_int(version),
        behind=tuple((str(side), _int(count)) for side, count in json.loads(str(behind))),
        terms=str(terms),
        open=bool(open_),
        bytes=_int(size),
        changed_at=_int(changed),
        ended_at=None if ended is None else _int(ended),
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
        data=blob(data),
        drawn=_int(drawn),
        key=None if key is None else str(key),
        position=None if position is None else blob(position),
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


def ban_row(values: tuple[object, ...]) -> BanRow:
    """A ban in the order of BAN_COLUMNS."""
    name, reason, created_at, expires_at = values
    expires = None if expires_at is None else _int(expires_at)
    return BanRow(str(name), str(reason), _int(created_at), expires)


def list_matches(
    *, player: str | None, ids: tuple[str, ...], game: str, after: str, limit: int, open: bool
) -> tuple[str, tuple[object, ...]]:
    """The query of `Store.matches` with its values."""
    where: list[str] = []
    values: list[object] = []
    if game:
        where.append("game = ?")
        values.append(game)
    if open:
        where.append("open = 1")
    elif player is not None:
        seated = "id IN (SELECT match_id FROM seats WHERE player = ?)"
        named = ", ".join("?" * len(ids))
        where.append(f"({seated} OR id IN ({named}))" if ids else seated)
        values += [player, *ids]
    if after:
        where.append("(created_at, id) < (SELECT created_at, id FROM matches WHERE id = ?)")
        values.append(after)
    condition = f" WHERE {' AND '.join(where)}" if where else ""
    return f"{LIST_MATCHES}{condition} ORDER BY created_at DESC, id DESC LIMIT ?", (*values, limit)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, json.loads(str(value)))) if value != NOBODY else ()


def _pairs(value: object) -> tuple[tuple[str, str], ...]:
    return tuple((str(a), str(b)) for a, b in json.loads(str(value)))


def _int(value: object) -> int:
    assert isinstance(value, int)
    return value


def blob(value: object) -> bytes:
    """The bytes of a column."""
    assert isinstance(value, bytes | memoryview)
    return bytes(value)
