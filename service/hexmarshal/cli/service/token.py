"""`hexmarshal token`: bearer tokens of the rules service."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from hexmarshal.cli.options import Json, command_app, examples
from hexmarshal.cli.output import print_json, print_table
from hexmarshal.errors import ExitCode, NotFoundError, UsageError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hexmarshal.service.store import Store

T = TypeVar("T")

app = command_app(
    "Make, list and revoke the tokens of a rules service.",
    "hexmarshal token new alice",
    "hexmarshal token list",
    "hexmarshal token revoke alice",
)

Place = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="PLACE",
        help="The server's SQLite file or PostgreSQL address [as `serve` would take it].",
        show_default=False,
    ),
]


def in_store(place: str | None, work: Callable[[Store], Awaitable[T]]) -> T:
    """Do something with the store of a server, which may be running."""
    from hexmarshal.service.settings import gather
    from hexmarshal.service.store import open_store

    async def run() -> T:
        store = open_store(gather({"store": place}).store)
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


def _seat(text: str) -> tuple[str, str]:
    match, _, side = text.rpartition(":")
    if not match or not side:
        raise UsageError(f"a seat is MATCH:SIDE, not {text!r}")
    return match, side


@app.command(
    epilog=examples(
        "hexmarshal token new alice",
        "hexmarshal token new bot --role player --days 30",
        "hexmarshal token new guest --role reader --seat 0a1b2c:red",
    )
)
def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Whose token it is; seats of matches name it.")
    ],
    *,
    role: Annotated[
        str, typer.Option("--role", metavar="ROLE", help="reader, player, director or admin.")
    ] = "player",
    seat: Annotated[
        list[str] | None,
        typer.Option("--seat", metavar="MATCH:SIDE", help="A seat that the token grants."),
    ] = None,
    days: Annotated[
        float | None,
        typer.Option("--days", metavar="N", help="For how many days it is valid [for ever]."),
    ] = None,
    store: Place = None,
    json: Json = False,
) -> int:
    """Make a token. It is printed once; the store keeps only its hash."""
    from hexmarshal.service.auth import Role, new_token

    if not name.strip():
        raise UsageError("a token needs a name")
    if role not in list(Role):
        raise UsageError(f"no role {role!r}", hint=f"roles: {', '.join(Role)}")
    if days is not None and days <= 0:
        raise UsageError("--days must be more than 0")
    token, row = new_token(name, Role(role), [_seat(s) for s in seat or ()], days)
    if not in_store(store, lambda kept: kept.add_token(row)):
        raise UsageError(
            f"there is a token named {name!r} already", hint=f"hexmarshal token revoke {name}"
        )
    if json:
        print_json({"name": name, "role": role, "token": token})
    else:
        print(token)
    return ExitCode.OK


@app.command(
    name="list",
    short_help="List the tokens.",
    epilog=examples("hexmarshal token list", "hexmarshal token list --json"),
)
def list_tokens(*, store: Place = None, json: Json = False) -> int:
    """List the tokens; what they are cannot be shown, only that they are."""
    rows = in_store(store, lambda kept: kept.tokens())
    listed = [
        {
            "name": row.name,
            "role": row.role,
            "seats": [f"{match}:{side}" for match, side in row.seats],
            "created": moment(row.created_at),
            "expires": moment(row.expires_at),
        }
        for row in rows
    ]
    if json:
        print_json({"tokens": listed})
    else:
        columns = ("name", "role", "seats", "created", "expires")
        shown = [{**row, "seats": ", ".join(row["seats"])} for row in listed]
        print_table("", columns, ([row[c] or "-" for c in columns] for row in shown))
    return ExitCode.OK


def moment(microseconds: int | None) -> str:
    """A time for people; nothing for none."""
    if microseconds is None:
        return ""
    return datetime.fromtimestamp(microseconds / 1_000_000, UTC).isoformat(timespec="seconds")


@app.command(
    short_help="Replace a token.",
    epilog=examples("hexmarshal token rotate alice", "hexmarshal token rotate bot --days 30"),
)
def rotate(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whose token.")],
    *,
    days: Annotated[
        float | None,
        typer.Option("--days", metavar="N", help="For how many days the new one is valid."),
    ] = None,
    store: Place = None,
    json: Json = False,
) -> int:
    """Make a new token with the role and seats of the old one, which ends at once."""
    from hexmarshal.service.auth import Role, new_token

    if days is not None and days <= 0:
        raise UsageError("--days must be more than 0")

    async def work(kept: Store) -> str:
        row = await kept.token_named(name)
        if row is None:
            raise NotFoundError(f"no token named {name!r}", hint="hexmarshal token list")
        token, fresh = new_token(name, Role(row.role), row.seats, days)
        await kept.remove_token(name)
        await kept.add_token(fresh)
        return token

    token = in_store(store, work)
    if json:
        print_json({"name": name, "token": token})
    else:
        print(token)
    return ExitCode.OK


@app.command(short_help="Revoke a token.", epilog=examples("hexmarshal token revoke alice"))
def revoke(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whose token.")],
    *,
    store: Place = None,
    json: Json = False,
) -> int:
    """Revoke a token; running servers refuse it within half a second."""
    if not in_store(store, lambda kept: kept.remove_token(name)):
        raise NotFoundError(f"no token named {name!r}", hint="hexmarshal token list")
    if json:
        print_json({"name": name, "revoked": True})
    else:
        print(f"revoked: {name}")
    return ExitCode.OK
