"""What every store offers: append-only events under versioned matches, and tokens."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.errors import ExitCode, HexMarshalError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

__all__ = [
    "EventRow",
    "MatchRow",
    "Store",
    "StoreUnavailableError",
    "TokenRow",
    "VersionConflictError",
    "open_store",
]


class StoreUnavailableError(HexMarshalError):
    """The database does not answer, or the disk says no; nothing was acknowledged."""

    code = "store"
    exit_code = ExitCode.UNAVAILABLE


class VersionConflictError(Exception):
    """Another writer was faster: the match is no longer at the version expected."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as it was created; all that happens later is in its events."""

    id: str
    game: str
    scenario: str
    title: str
    seats: tuple[tuple[str, str], ...]  # side, player ("" for whoever may play)
    undo: int
    options: str  # JSON
    seed: str | None
    opening: bytes  # the first position, as a message
    created_at: int  # microseconds since 1970
    created_by: str
    key: str  # makes creation idempotent; "" for none
    version: int = 0
    behind: tuple[tuple[str, int], ...] = ()  # of how many events a side was not told


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event; `position` is set only where the effects in `data` do not lead to it.

    `drawn` is how many numbers the generator had given after it. `untold` are the sides that are
    not told of it, `aside` those that are told and whose decisions it leaves as they were.
    """

    version: int
    data: bytes
    drawn: int = 0
    key: str | None = None
    position: bytes | None = None
    untold: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A bearer token: only its hash is kept."""

    name: str
    hash: str
    role: str
    seats: tuple[tuple[str, str], ...]  # match, side
    created_at: int
    expires_at: int | None = None


class Store(ABC):
    """A database of matches. Every method returns only when what it did is durable."""

    @abstractmethod
    async def open(self) -> None:
        """Connect, and bring the schema up to date."""

    @abstractmethod
    async def close(self) -> None:
        """Let go of everything; what was acknowledged is safe already."""

    @abstractmethod
    async def create_match(self, row: MatchRow) -> MatchRow:
        """Add a match; with a key that its creator used before, the match of then."""

    @abstractmethod
    async def match(self, id: str) -> MatchRow | None:
        """One match, with its newest version."""

    @abstractmethod
    async def matches(
        self, *, player: str | None, ids: Sequence[str], game: str, after: str, limit: int
    ) -> list[MatchRow]:
        """Matches, newest first, after the one of id `after`.

        With a player, those in which the player has a seat, a seat is open, or `ids` name.
        """

    @abstractmethod
    async def made_by(self, player: str) -> int:
        """How many matches a player created."""

    @abstractmethod
    async def head(self, id: str) -> int | None:
        """The newest version of a match."""

    @abstractmethod
    async def events(self, id: str, after: int) -> list[EventRow]:
        """The events of a match after a version, in order."""

    @abstractmethod
    async def append(
        self, id: str, event: EventRow, behind: tuple[tuple[str, int], ...] = ()
    ) -> None:
        """Add the next event; raises VersionConflictError if the match is elsewhere.

        `behind` is of how many events each side was not told, this one included.
        """

    @abstractmethod
    def news(self) -> AsyncIterator[tuple[str, int]]:
        """Matches with their new versions as other servers change them, while there is a store.

        No name means that some match was changed, or that news may have been missed.
        """

    @abstractmethod
    async def delete_match(self, id: str) -> bool:
        """Remove a match with all its events; False if there is none."""

    @abstractmethod
    async def secret(self, name: str) -> bytes:
        """32 random bytes that all servers of this store share, made when first asked for."""

    @abstractmethod
    async def add_token(self, row: TokenRow) -> bool:
        """Add a token; False if the name is taken."""

    @abstractmethod
    async def token(self, hash: str) -> TokenRow | None:
        """The token with this hash."""

    @abstractmethod
    async def token_named(self, name: str) -> TokenRow | None:
        """The token of this name."""

    @abstractmethod
    async def tokens_state(self) -> tuple[int, int]:
        """What is another pair of numbers after a token was added or revoked."""

    @abstractmethod
    async def tokens(self) -> list[TokenRow]:
        """All tokens, by name."""

    @abstractmethod
    async def remove_token(self, name: str) -> bool:
        """Revoke a token; False if there is none."""


def open_store(where: str, *, ephemeral: bool = False) -> Store:
    """The store that a path or an address names; not yet opened."""
    if where.startswith(("postgresql://", "postgres://")) and not ephemeral:
        try:
            from hexmarshal.service.store.postgres import PostgresStore
        except ImportError:
            raise MissingExtraError(
                "matches in PostgreSQL need psycopg", hint="pip install 'hexmarshal[postgres]'"
            ) from None
        return PostgresStore(where)
    from hexmarshal.service.store.sqlite import SqliteStore

    return SqliteStore(None if ephemeral else where)
