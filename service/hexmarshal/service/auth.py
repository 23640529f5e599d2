"""Who calls, and what that caller may do: bearer tokens and certificates, roles and seats."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from hexmarshal.service.calls.statuses import Refusal, denied, unauthenticated
from hexmarshal.service.oidc import looks_signed
from hexmarshal.service.store import StoreUnavailableError, TokenRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from hexmarshal.service.oidc import Issuer, Signed
    from hexmarshal.service.store import MatchRow, Store

__all__ = ["LOCAL", "Authenticator", "Caller", "Role", "digest_of", "new_token", "token_hash"]

PREFIX = "hm_"
NUL = "\0"
# How soon a token that was revoked is no longer taken for good, and its streams end.
LOOK_SECONDS = 0.25
# How long a token is taken for good when the store does not say that anything changed.
REMEMBERED_SECONDS = 5.0
REMEMBERED_TOKENS = 10_000
# How often all that is open is looked at when nothing says that anything changed.
AGAIN_SECONDS = 60.0


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
            if side in granted or (plays and player and player == self.name)
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


class OpenStream(Protocol):
    """A call that stays open, and can be ended when its caller is let in no longer."""

    digest: str
    caller: Caller

    def revoke(self) -> None:
        """End the call now."""


class Authenticator:
    """Turns the `authorization` header, or the certificate of the client, into a caller."""

    def __init__(
        self,
        store: Store,
        *,
        required: bool,
        certificates: bool = False,
        issuer: Issuer | None = None,
    ) -> None:
        self._store = store
        self._issuer = issuer
        # Tokens of the issuer that were checked: whom they are for, and until when.
        self._signed: dict[str, Signed] = {}
        self.required = required
        self._certificates = certificates
        self._known: dict[str, tuple[float, Caller, int | None]] = {}
        # What is open, each with when its token expires; those that are in doubt.
        self._streams: dict[OpenStream, int | None] = {}
        self._new: set[OpenStream] = set()
        self._again = 0.0
        self._state: tuple[int, ...] = ()
        # Tokens read since the state, which may have come and gone in between; and those that were
        # read before it, and need to be read once more.
        self._fresh: set[str] = set()
        self._unsure: set[str] = set()

    async def caller(
        self,
        header: str | None,
        certified: Sequence[str] = (),
        knock: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> Caller:
        """The caller, or a refusal that does not say what exactly is wrong with the token.

        To check what an issuer signed takes time: `knock` refuses who has tried too often.
        """
        if not self.required:
            return await self._person(certified) if self._certificates else LOCAL
        token = bearer_token(header)
        digest = token_hash(token)
        if self._issuer is not None and looks_signed(token) and digest not in self._signed:
            with knock():
                found = await self._issuer.check(token)
            if len(self._signed) >= REMEMBERED_TOKENS:
                self._signed.clear()
            self._signed[digest] = found
        return await self._bearer(digest)

    async def _person(self, certified: Sequence[str]) -> Caller:
        """Whom a certificate is for."""
        name = next((name for name in certified if name), "")
        if not name or NUL in name:
            raise unauthenticated("the certificate names nobody: it needs a common name")
        return await self._named(name)

    async def _named(self, name: str) -> Caller:
        """Somebody whom others vouch for, with the role and seats of the token of that name."""
        await self._refuse_banned(name)
        row = await self._store.token_named(name)
        if row is None or _past(row.expires_at):
            return Caller(name, Role.PLAYER)
        return Caller(name, Role(row.role), frozenset(row.seats))

    async def _bearer(self, digest: str) -> Caller:
        now = time.monotonic()
        known = self._known.get(digest)
        if (known is None or known[0] < now) and (signed := self._signed.get(digest)) is not None:
            caller = await self._named(signed.name)
            expires: int | None = signed.expires_at
            known = self._known[digest] = (now + REMEMBERED_SECONDS, caller, expires)
            self._was_read(digest)
        elif known is None or known[0] < now:
            row = await self._store.token(digest)
            if row is None:
                self._known.pop(digest, None)
                raise unauthenticated("the token is not valid")
            await self._refuse_banned(row.name)
            if len(self._known) >= REMEMBERED_TOKENS:
                self._known.clear()
            caller = Caller(row.name, Role(row.role), frozenset(row.seats))
            known = self._known[digest] = (now + REMEMBERED_SECONDS, caller, row.expires_at)
            self._was_read(digest)
        _, caller, expires = known
        if _past(expires):
            raise unauthenticated("the token is not valid")
        return caller

    def _was_read(self, digest: str) -> None:
        """Read before a state and after it, it is counted in it: who removes it changes that."""
        if digest in self._unsure:
            self._unsure.discard(digest)
        else:
            self._fresh.add(digest)

    async def _refuse_banned(self, name: str) -> None:
        ban = await self._store.banned(name)
        if ban is not None and not _past(ban.expires_at):
            why = f": {ban.reason}" if ban.reason else ""
            raise denied(f"{name!r} is banned{why}", reason="BANNED")

    @contextmanager
    def held_open(self, stream: OpenStream) -> Iterator[None]:
        """For as long as a stream is open: whoever revokes its token or bans its caller ends it."""
        known = self._known.get(stream.digest)
        self._streams[stream] = None if known is None else known[2]
        self._new.add(stream)
        try:
            yield
        finally:
            del self._streams[stream]
            self._new.discard(stream)

    async def watch(self) -> None:
        """Look again and again whether tokens were revoked, here or by another process."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
            except StoreUnavailableError:
                continue  # a store that does not answer revokes nobody

    async def look(self) -> None:
        """Forget callers whose token changed, and end their streams.

        So too if they are let in with another role or other seats: these were asked for once.
        """
        fresh, self._fresh = self._fresh, set()
        try:
            state = await self._store.tokens_state()
        except StoreUnavailableError:
            self._fresh |= fresh
            raise
        if state != self._state:
            self._state = state
            self._known.clear()
            self._again = 0.0
        for digest in fresh:
            self._known.pop(digest, None)
        self._unsure = fresh
        now = time.monotonic()
        if now >= self._again:
            self._again = now + AGAIN_SECONDS
            self._new |= self._streams.keys()
        self._new |= {
            one for one, expires in self._streams.items() if expires is not None and _past(expires)
        }
        await self._look_at_streams()

    async def _look_at_streams(self) -> None:
        """Those that are in doubt; who could not be looked at stays in doubt."""
        for number, stream in enumerate(list(self._new)):
            if number % 20 == 0:
                await asyncio.sleep(0)
            if stream in self._streams and not await self._same(stream):
                stream.revoke()
            self._new.discard(stream)

    async def _same(self, stream: OpenStream) -> bool:
        """Whether its caller is still let in, with the same role and seats."""
        try:
            if self.required:
                return stream.caller == await self._bearer(stream.digest)
            return not self._certificates or stream.caller == await self._named(stream.caller.name)
        except Refusal:
            return False


def digest_of(header: str | None) -> str:
    """The hash of the token in the header, or a refusal."""
    return token_hash(bearer_token(header))


def bearer_token(header: str | None) -> str:
    """The token in the header, or a refusal."""
    if not header:
        raise unauthenticated("a bearer token is needed in the `authorization` metadata")
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise unauthenticated("the `authorization` metadata must be 'Bearer TOKEN'")
    return token.strip()


def _past(moment: int | None) -> bool:
    return moment is not None and moment <= time.time_ns() // 1000
