"""What every store offers: append-only events under versioned matches, and tokens."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.errors import ExitCode, HexMarshalError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

__all__ = [
    "UNCHANGED",
    "BanRow",
    "Change",
    "EventRow",
    "MatchRow",
    "Store",
    "StoreUnavailableError",
    "Stored",
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
    terms: str = "{}"  # JSON
    open: bool = False  # whether anybody may take one of its seats
    bytes: int = 0  # what is stored of it
    changed_at: int = 0
    ended_at: int | None = None


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

    @property
    def size(self) -> int:
        """How many bytes of it are stored, about."""
        return len(self.data) + len(self.position or b"")


@dataclass(frozen=True, slots=True)
class Change:
    """What an event changes about its match besides the version.

    `behind` is of how many events each side was not told, this one included. `seats`, if any
    changed, are all of them, and `open` is whether anybody may take one.
    """

    behind: tuple[tuple[str, int], ...] = ()
    seats: tuple[tuple[str, str], ...] | None = None
    open: bool = False
    ended: bool = False


@dataclass(frozen=True, slots=True)
class BanRow:
    """Somebody who is let in no longer, whatever token or certificate they have."""

    name: str
    reason: str
    created_at: int
    expires_at: int | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """How much there is."""

    matches: int
    bytes: int
    open: int = 0


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A bearer token: only its hash is kept."""

    name: str
    hash: str
    role: str
    seats: tuple[tuple[str, str], ...]  # match, side
    created_at: int
    expires_at: int | None = None


UNCHANGED = Change()


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
        self,
        *,
        player: str | None,
        ids: Sequence[str],
        game: str,
        after: str,
        limit: int,
        open: bool = False,
    ) -> list[MatchRow]:
        """Matches, newest first, after the one of id `after`.

        With a player, those in which the player has a seat or that `ids` name; with `open` those in
        which anybody may take a seat.
        """

    @abstractmethod
    async def made_by(self, player: str) -> Stored:
        """How many matches a player created, and what is stored of them."""

    @abstractmethod
    async def stored(self) -> Stored:
        """How many matches there are, and what is stored of them."""

    @abstractmethod
    async def ping(self) -> None:
        """Ask for nothing, to see whether the store answers."""

    @abstractmethod
    async def head(self, id: str) -> int | None:
        """The newest version of a match."""

    @abstractmethod
    async def events(self, id: str, after: int) -> list[EventRow]:
        """The events of a match after a version, in order."""

    @abstractmethod
    async def append(self, id: str, event: EventRow, change: Change = UNCHANGED) -> None:
        """Add the next event; raises VersionConflictError if the match is elsewhere."""

    @abstractmethod
    async def refuse(self, id: str, data: bytes, most: int) -> None:
        """Keep what was refused in a match, unless there are so many of it already."""

    @abstractmethod
    async def refusals(self, id: str) -> list[bytes]:
        """What was refused in a match, in order."""

    @abstractmethod
    def news(self) -> AsyncIterator[tuple[str, int]]:
        """Matches with their new versions as other servers change them, while there is a store.

        No name means that some match was changed, or that news may have been missed.
        """

    @abstractmethod
    async def delete_match(self, id: str) -> bool:
        """Remove a match with all its events; False if there is none."""

    @abstractmethod
    async def old_matches(self, before: int, *, unfinished: bool) -> list[str]:
        """The matches that nobody touched since a moment; of those that go on, only if asked."""

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
    async def tokens_state(self) -> tuple[int, ...]:
        """What are other numbers after a token or a ban was added or removed."""

    @abstractmethod
    async def tokens(self) -> list[TokenRow]:
        """All tokens, by name."""

    @abstractmethod
    async def remove_token(self, name: str) -> bool:
        """Revoke a token; False if there is none."""

    @abstractmethod
    async def ban(self, row: BanRow) -> None:
        """Let somebody in no longer; a ban of before is replaced."""

    @abstractmethod
    async def unban(self, name: str) -> bool:
        """Let somebody in again; False if there is no ban."""

    @abstractmethod
    async def banned(self, name: str) -> BanRow | None:
        """The ban of somebody."""

    @abstractmethod
    async def bans(self) -> list[BanRow]:
        """All bans, by name."""

    @abstractmethod
    async def back_up(self, file: str) -> None:
        """Write a copy of everything, as it is at one moment, while servers go on."""


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
