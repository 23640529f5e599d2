"""What both stores ask alike: a query of the schema, its rows turned into ours."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, TypeVar

from hexmarshal.service.store import schema
from hexmarshal.service.store.base import BanRow, EventRow, MatchRow, Store, Stored, TokenRow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["SqlStore"]

T = TypeVar("T")


class SqlStore(Store):
    """A store that answers SQL; how it is asked, and how it writes, is each one's own."""

    @abstractmethod
    async def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """What a query finds."""

    @abstractmethod
    async def listed(self, made: Callable[[Any], T], query: str, *values: object) -> list[T]:
        """What a query finds that may look far or find much: nobody else waits for it."""

    @abstractmethod
    async def change(self, query: str, *values: object) -> int:
        """Change something, durably; how many rows it was."""

    # Matches

    async def match(self, id: str) -> MatchRow | None:
        """One match."""
        found = await self.rows(schema.MATCH_BY_ID, id)
        return schema.match_row(found[0]) if found else None

    async def matches(
        self,
        *,
        player: str | None,
        ids: Sequence[str],
        game: str,
        after: str,
        limit: int,
        open: bool = False,
    ) -> list[MatchRow]:
        """Matches, newest first."""
        query, values = schema.list_matches(
            player=player, ids=tuple(ids), game=game, after=after, limit=limit, open=open
        )
        return await self.listed(schema.match_row, query, *values)

    async def made_by(self, player: str) -> Stored:
        """How many matches a player created."""
        return (await self.listed(_stored, schema.MATCHES_OF, player))[0]

    async def stored(self) -> Stored:
        """How many matches there are."""
        return (await self.listed(_stored, schema.STORED))[0]

    async def head(self, id: str) -> int | None:
        """The newest version."""
        found = await self.rows(schema.MATCH_VERSION, id)
        return int(found[0][0]) if found else None

    async def events(self, id: str, after: int) -> list[EventRow]:
        """The events after a version."""
        return await self.listed(schema.event_row, schema.EVENTS_AFTER, id, after)

    async def refusals(self, id: str) -> list[bytes]:
        """What was refused."""
        return await self.listed(lambda row: schema.blob(row[0]), schema.REFUSALS, id)

    async def old_matches(self, before: int, *, unfinished: bool) -> list[str]:
        """The matches that nobody touched since a moment."""
        return await self.listed(
            lambda row: str(row[0]), schema.OLD_MATCHES, before, int(unfinished)
        )

    # People

    async def token(self, hash: str) -> TokenRow | None:
        """The token with this hash."""
        found = await self.rows(schema.TOKEN_BY_HASH, hash)
        return schema.token_row(found[0]) if found else None

    async def token_named(self, name: str) -> TokenRow | None:
        """The token of this name."""
        found = await self.rows(schema.TOKEN_BY_NAME, name)
        return schema.token_row(found[0]) if found else None

    async def tokens_state(self) -> tuple[int, ...]:
        """The numbers of tokens and bans, and when the newest were made."""
        return (await self.listed(lambda row: tuple(map(int, row)), schema.TOKENS_STATE))[0]

    async def tokens(self) -> list[TokenRow]:
        """All tokens."""
        return await self.listed(schema.token_row, schema.SELECT_TOKENS)

    async def remove_token(self, name: str) -> bool:
        """Revoke a token."""
        return await self.change(schema.DELETE_TOKEN, name) == 1

    async def unban(self, name: str) -> bool:
        """Let somebody in again."""
        return await self.change(schema.DELETE_BAN, name) == 1

    async def banned(self, name: str) -> BanRow | None:
        """The ban of somebody."""
        found = await self.rows(schema.BAN_BY_NAME, name)
        return schema.ban_row(found[0]) if found else None

    async def bans(self) -> list[BanRow]:
        """All bans."""
        return await self.listed(schema.ban_row, schema.SELECT_BANS)


def _stored(row: tuple[Any, ...]) -> Stored:
    return Stored(*map(int, row))
