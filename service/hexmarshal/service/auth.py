"""Who calls, and what that caller may do: bearer tokens with a role and seats."""

from __future__ import annotations

import hashlib
import secrets
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from hexmarshal.service.calls.statuses import denied, unauthenticated
from hexmarshal.service.store import TokenRow

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.service.store import MatchRow, Store

__all__ = ["LOCAL", "Authenticator", "Caller", "Role", "new_token", "token_hash"]

PREFIX = "hm_"
# How long a token that was revoked may still be taken for good.
REMEMBERED_SECONDS = 5.0
REMEMBERED_TOKENS = 10_000


class Role(StrEnum):
    """What a token is good for; each role may do all that the ones before it may."""

    READER = "reader"  # asks about games, rules and positions of its own
    PLAYER = "player"  # also creates matches and plays its seats
    DIRECTOR = "director"  # also sees all matches whole, and removes them
    ADMIN = "admin"  # also plays any seat


_RANK = {role: i for i, role in enumerate(Role)}


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls. `seats` are pairs of match and side that the token itself grants."""

    name: str
    role: Role
    seats: frozenset[tuple[str, str]] = frozenset()

    def may(self, role: Role) -> bool:
        """Whether the caller has at least this role."""
        return _RANK[self.role] >= _RANK[role]

    def require(self, role: Role) -> None:
        """Refuse a caller of a lesser role."""
        if not self.may(role):
            raise denied(f"this needs the role {role.value}, not {self.role}", reason="ROLE")

    def sides(self, match: MatchRow) -> list[str]:
        """The sides that the caller may play in a match."""
        if self.may(Role.ADMIN):
            return [side for side, _ in match.seats]
        granted = {side for of, side in self.seats if of == match.id}
        plays = self.may(Role.PLAYER)
        return [
            side
            for side, player in match.seats
            if side in granted or (plays and player in {"", self.name})
        ]


# Without authentication everybody on this machine is the one user of it.
LOCAL = Caller("", Role.ADMIN)


def token_hash(token: str) -> str:
    """What is kept of a token; it has 256 random bits, so a plain hash cannot be guessed back."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def new_token(
    name: str, role: Role, seats: Iterable[tuple[str, str]] = (), days: float | None = None
) -> tuple[str, TokenRow]:
    """A new token, which is shown once, and the row to keep."""
    token = PREFIX + secrets.token_urlsafe(32)
    now = time.time_ns() // 1000
    expires = None if days is None else now + round(days * 86_400_000_000)
    return token, TokenRow(name, token_hash(token), role.value, tuple(seats), now, expires)


class Authenticator:
    """Turns the `authorization` header into a caller."""

    def __init__(self, store: Store, *, required: bool) -> None:
        self._store = store
        self.required = required
        self._known: dict[str, tuple[float, Caller, int | None]] = {}

    async def caller(self, header: str | None) -> Caller:
        """The caller, or a refusal that does not say what exactly is wrong with the token."""
        if not self.required:
            return LOCAL
        if not header:
            raise unauthenticated("a bearer token is needed in the `authorization` metadata")
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise unauthenticated("the `authorization` metadata must be 'Bearer TOKEN'")
        digest = token_hash(token.strip())
        now = time.monotonic()
        known = self._known.get(digest)
        if known is None or known[0] < now:
            row = await self._store.token(digest)
            if row is None:
                self._known.pop(digest, None)
                raise unauthenticated("the token is not valid")
            if len(self._known) >= REMEMBERED_TOKENS:
                self._known.clear()
            caller = Caller(row.name, Role(row.role), frozenset(row.seats))
            known = self._known[digest] = (now + REMEMBERED_SECONDS, caller, row.expires_at)
        _, caller, expires = known
        if expires is not None and expires <= time.time_ns() // 1000:
            raise unauthenticated("the token is not valid")
        return caller
