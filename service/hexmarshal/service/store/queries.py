"""What both stores ask alike: a query of the schema, its rows turned into ours."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from hexmarshal.service.store import schema
from hexmarshal.service.store.base import BanRow, EventRow, MatchRow, Store, Stored, TokenRow

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SqlStore"]


class SqlStore(Store):
    """A store that answers SQL; how it is asked, and how it writes, is each one's own."""

    @abstractmethod
    async def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """What a query finds."""

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
        return [schema.match_row(row) for row in await self.rows(query, *values)]

    async def made_by(self, player: str) -> Stored:
        """How many matches a player created."""
        return Stored(*map(int, (await self.rows(schema.MATCHES_OF, player))[0]))

    async def stored(self) -> Stored:
        """How many matches there are."""
        return Stored(*map(int, (await self.rows(schema.STORED))[0]))

    async def head(self, id: str) -> int | None:
        """The newest version."""
        found = await self.rows(schema.MATCH_VERSION, id)
        return int(found[0][0]) if found else None

    async def events(self, id: str, after: int) -> list[EventRow]:
        """The events after a version."""
        return [schema.event_row(row) for row in await self.rows(schema.EVENTS_AFTER, id, after)]

    async def refusals(self, id: str) -> list[bytes]:
        """What was refused."""
        return [schema.blob(row[0]) for row in await self.rows(schema.REFUSALS, id)]

    async def old_matches(self, before: int, *, unfinished: bool) -> list[str]:
        """The matches that nobody touched since a moment."""
        found = await self.rows(schema.OLD_MATCHES, before, int(unfinished))
        return [str(row[0]) for row in found]

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
        return tuple(map(int, (await self.rows(schema.TOKENS_STATE))[0]))

    async def tokens(self) -> list[TokenRow]:
        """All tokens."""
        return [schema.token_row(row) for row in await self.rows(schema.SELECT_TOKENS)]

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
        return [schema.ban_row(row) for row in await self.rows(schema.SELECT_BANS)]
