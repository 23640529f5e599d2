"""`hexmarshal admin`: what who runs a server does with its store, while the server goes on."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hexmarshal.cli.options import Json, command_app, examples
from hexmarshal.cli.output import print_json, print_table, progress
from hexmarshal.cli.service.token import Place, in_store, moment
from hexmarshal.errors import ExitCode, NotFoundError, OutputError, UsageError
from hexmarshal.errors import Place as Where
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from hexmarshal.service.store import MatchRow, Store

app = command_app(
    "Look after the matches and people of a rules service.",
    "hexmarshal admin people",
    "hexmarshal admin matches --player alice",
    "hexmarshal admin ban bob --reason swearing --days 7",
    "hexmarshal admin backup matches.backup",
    "hexmarshal admin prune --days 365",
)
DAY = 86_400_000_000


@app.command(
    short_help="List people and bans.",
    epilog=examples("hexmarshal admin people", "hexmarshal admin people --json"),
)
def people(*, store: Place = None, json: Json = False) -> int:
    """List who has a token or is banned, with what is stored of their matches."""

    async def work(kept: Store) -> list[dict[str, Any]]:
        bans = {row.name: row for row in await kept.bans()}
        tokens = {row.name: row for row in await kept.tokens()}
        found = []
        for name in sorted(tokens.keys() | bans.keys()):
            stored = await kept.made_by(name)
            ban = bans.get(name)
            found.append(
                {
                    "name": name,
                    "role": tokens[name].role if name in tokens else "",
                    "matches": stored.matches,
                    "bytes": stored.bytes,
                    "banned": "" if ban is None else ban.reason or "yes",
                    "until": "" if ban is None else moment(ban.expires_at),
                }
            )
        return found

    _show("people", in_store(store, work), json=json)
    return ExitCode.OK


@app.command(
    epilog=examples("hexmarshal admin matches", "hexmarshal admin matches --player alice --json")
)
def matches(
    *,
    player: Annotated[
        str | None, typer.Option("--player", metavar="NAME", help="Only those with a seat of NAME.")
    ] = None,
    game: Annotated[str, typer.Option("--game", metavar="KEY", help="Only of this game.")] = "",
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="At most so many.")] = 100,
    store: Place = None,
    json: Json = False,
) -> int:
    """List matches, newest first."""
    if limit < 1:
        raise UsageError("--limit must be 1 or more")

    async def work(kept: Store) -> list[MatchRow]:
        return await kept.matches(player=player, ids=(), game=game, after="", limit=limit)

    rows = [
        {
            "id": row.id,
            "game": row.game,
            "scenario": row.scenario,
            "seats": ", ".join(f"{side}: {who or '-'}" for side, who in row.seats),
            "version": row.version,
            "bytes": row.bytes,
            "created": moment(row.created_at),
            "ended": moment(row.ended_at),
        }
        for row in in_store(store, work)
    ]
    _show("matches", rows, json=json)
    return ExitCode.OK


@app.command(
    short_help="Remove a match.",
    epilog=examples("hexmarshal admin remove 0a1b2c3d"),
)
def remove(
    match: Annotated[str, typer.Argument(metavar="MATCH", help="Its id.")],
    *,
    store: Place = None,
    json: Json = False,
) -> int:
    """Remove a match for good, with all its events; whoever watches it is sent away."""
    if not in_store(store, lambda kept: kept.delete_match(match)):
        raise NotFoundError(f"no match {match!r}", hint="hexmarshal admin matches")
    _say({"match": match, "removed": True}, f"removed: {match}", json=json)
    return ExitCode.OK


@app.command(
    short_help="Let somebody in no longer.",
    epilog=examples("hexmarshal admin ban bob", "hexmarshal admin ban bob --reason rude --days 7"),
)
def ban(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whom.")],
    *,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Told to them.")] = "",
    days: Annotated[
        float | None, typer.Option("--days", metavar="N", help="For how many days [for ever].")
    ] = None,
    store: Place = None,
    json: Json = False,
) -> int:
    """Let somebody in no longer, whatever token or certificate they have; open streams end."""
    from hexmarshal.service.store import BanRow

    if not name.strip() or "\0" in name + reason:
        raise UsageError("who is banned needs a name, without the character NUL")
    if days is not None and not 0 < days < 100_000:
        raise UsageError("--days must be more than 0 and less than 100000")
    now = time.time_ns() // 1000
    until = None if days is None else now + round(days * DAY)
    in_store(store, lambda kept: kept.ban(BanRow(name, reason, now, until)))
    _say({"name": name, "until": moment(until)}, f"banned: {name}", json=json)
    return ExitCode.OK


@app.command(epilog=examples("hexmarshal admin unban bob"))
def unban(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whom.")],
    *,
    store: Place = None,
    json: Json = False,
) -> int:
    """Let somebody in again."""
    if not in_store(store, lambda kept: kept.unban(name)):
        raise NotFoundError(f"nobody named {name!r} is banned", hint="hexmarshal admin people")
    _say({"name": name, "unbanned": True}, f"unbanned: {name}", json=json)
    return ExitCode.OK


@app.command(
    short_help="Copy a SQLite store.",
    epilog=examples("hexmarshal admin backup matches.backup"),
)
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")],
    *,
    store: Place = None,
    json: Json = False,
) -> int:
    """Copy a SQLite store, as it is at one moment, while servers go on. PostgreSQL has pg_dump."""
    if file.exists():
        raise OutputError("there is a file of this name already", place=Where(file=str(file)))
    in_store(store, lambda kept: kept.back_up(str(file)))
    size = file.stat().st_size
    _say(
        {"file": str(file), "bytes": size}, f"written: {file} ({counted(size, 'byte')})", json=json
    )
    return ExitCode.OK


@app.command(
    short_help="Remove old matches.",
    epilog=examples(
        "hexmarshal admin prune --days 365 --dry-run",
        "hexmarshal admin prune --days 365",
        "hexmarshal admin prune --days 730 --unfinished",
    ),
)
def prune(
    *,
    days: Annotated[float, typer.Option("--days", metavar="N", help="Untouched for so many days.")],
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Also matches that have not ended.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say which.")] = False,
    store: Place = None,
    json: Json = False,
) -> int:
    """Remove old matches: those that ended and that nobody touched since."""
    if not 0 < days < 100_000:
        raise UsageError("--days must be more than 0 and less than 100000")
    before = time.time_ns() // 1000 - round(days * DAY)

    async def work(kept: Store) -> list[str]:
        found = await kept.old_matches(before, unfinished=unfinished)
        if not dry_run:
            with progress("matches", len(found)) as advance:
                for match in found:
                    await kept.delete_match(match)
                    advance(1)
        return found

    found = in_store(store, work)
    done = "would be removed" if dry_run else "removed"
    _say(
        {"matches": found, "removed": not dry_run},
        f"{counted(len(found), 'match', 'matches')} {done}",
        json=json,
    )
    return ExitCode.OK


def _show(name: str, rows: list[dict[str, Any]], *, json: bool) -> None:
    if json:
        print_json({name: rows})
    elif rows:
        columns = tuple(rows[0])
        shown = ([str(row[name]) or "-" for name in columns] for row in rows)
        print_table("", columns, shown)
    else:
        print("none")


def _say(document: dict[str, Any], text: str, *, json: bool) -> None:
    if json:
        print_json(document)
    else:
        print(text)
