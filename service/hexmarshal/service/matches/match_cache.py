"""The matches in use, kept up to date with the store, and the news of what happens in them."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from google.protobuf.timestamp_pb2 import Timestamp

from hexmarshal.rules import engine
from hexmarshal.rules.secrecy.telling import TOLD
from hexmarshal.service.calls import statuses
from hexmarshal.service.matches.match import Done, Happening, HeldMatch, stored_key
from hexmarshal.service.matches.match_news import News
from hexmarshal.service.store import Change, EventRow, VersionConflictError
from hexmarshal.v1 import match_terms_pb2 as terms_pb
from hexmarshal.wire.positions import encode_position

if TYPE_CHECKING:
    from hexmarshal.rules.secrecy.telling import Telling
    from hexmarshal.rules.state.position import Position
    from hexmarshal.service.rulings.routing import Rulings
    from hexmarshal.service.settings import Settings
    from hexmarshal.service.store import Store
    from hexmarshal.v1 import match_service_pb2 as pb

__all__ = ["Shelf", "timestamp"]

# So many matches go back to the store at once: the others go when the next one comes.
LET_GO = 32
# How much is added to a match before it is counted again what its creator has in all.
COUNTED = 256 << 10


def timestamp(microseconds: int) -> Timestamp:
    """A moment, from the microseconds that the store counts."""
    return Timestamp(seconds=microseconds // 1_000_000, nanos=microseconds % 1_000_000 * 1000)


def _seats_after(
    held: HeldMatch, event: pb.Event
) -> tuple[tuple[tuple[str, str], ...], bool] | None:
    """The seats after an event, and whether anybody may take one; None if none changed."""
    if not (event.HasField("seat_taken") or event.HasField("seat_left")):
        return None
    who = event.seat_taken.player
    seats = tuple((s, who if s == event.side else player) for s, player in held.row.seats)
    free = any(not player for _, player in seats)
    return seats, free and held.table.terms.access == terms_pb.ACCESS_OPEN


class Shelf:
    """Matches by id; the ones not used for longest go back to the store, which has them anyway."""

    def __init__(self, store: Store, rulings: Rulings, settings: Settings) -> None:
        self._store = store
        self._rulings = rulings
        self._most = settings.max_match_bytes
        self._most_of_player = settings.max_bytes_per_player
        self._most_held = settings.max_held_bytes
        self._held: OrderedDict[str, HeldMatch] = OrderedDict()
        # What each of them takes in memory, about, and all of them.
        self._weights: dict[str, int] = {}
        self._weight = 0
        self._loading: dict[str, asyncio.Lock] = {}
        self.news = News(store)
        self.closing = False

    def __len__(self) -> int:
        return len(self._held)

    async def current(self, id: str) -> HeldMatch:
        """A match, brought up to date with the store."""
        if not id:
            raise statuses.invalid("match", "is missing")
        head = await self._store.head(id)
        if head is None:
            self._let_go(id)
            raise statuses.not_found("match", id)
        held = self._held.get(id)
        if held is not None and held.version >= head:
            self._held.move_to_end(id)
            return held
        async with self._loading.setdefault(id, asyncio.Lock()):
            try:
                return await self._load(id)
            finally:
                self._loading.pop(id, None)

    async def known(self, id: str, version: int | None) -> HeldMatch:
        """A match of which is known that it is at a version at least, and at no later one."""
        held = self._held.get(id)
        if held is None or version is None or held.version < version:
            return await self.current(id)
        self._held.move_to_end(id)
        return held

    async def at(self, id: str, seat: str, version: int, repeated: tuple[str, str]) -> HeldMatch:
        """A match for a writer who thinks that it is at `version`, as that seat counts.

        If it is so here, the store need not be asked first: the write itself finds out whether
        another server was faster.
        """
        held = self._held.get(id)
        if (
            held is not None
            and seat in held.sides
            and held.versions.newest(seat) == version
            and held.version_of(*repeated) is None
        ):
            self._held.move_to_end(id)
            return held
        return await self.current(id)

    async def _load(self, id: str) -> HeldMatch:
        held = self._held.get(id)
        if held is None:
            row = await self._store.match(id)
            if row is None:
                raise statuses.not_found("match", id)
            plugin = await self._rulings.plugin(row.game, "game")
            events = await self._store.events(id, 0) if row.version else []
            # What that takes depends on how many there are: to a power of two.
            key = (row.game, "open", str(len(events).bit_length()))
            held = await self._rulings.here.do(key, partial(HeldMatch, row, plugin, events))
        else:
            for event in await self._store.events(id, held.version):
                await self._take(held, event)
        # Who waits may know less of it than is known here from now on.
        self.news.tell(id, held.version)
        self._held[id] = held
        self._held.move_to_end(id)
        self._weigh(held)
        return held

    async def _take(self, held: HeldMatch, row: EventRow) -> None:
        """Add an event that another server wrote, unless it is known by now."""
        if row.version == held.version + 1:
            key = (held.row.game, "take", "")
            event, after = await self._rulings.here.do(key, partial(held.read, row))
            if row.version == held.version + 1:
                held.add(row, event, after)

    def _weigh(self, held: HeldMatch) -> None:
        """Count what a match takes now; let others go, long not used, if all take too much."""
        newest, now = held.row.id, held.weight
        before = self._weights.get(newest, 0)
        self._weights[newest] = now
        self._weight += now - before
        if self._weight <= self._most_held:
            return
        for oldest in list(islice(self._held, LET_GO)):
            if oldest != newest and not self._held[oldest].lock.locked():
                self._let_go(oldest)
            if self._weight <= self._most_held:
                return

    def _let_go(self, id: str) -> None:
        if self._held.pop(id, None) is not None:
            self._weight -= self._weights.pop(id, 0)

    async def append(
        self,
        held: HeldMatch,
        event: pb.Event,
        after: Position,
        key: str,
        *,
        done: Done | None = None,
        whole: bool = False,
        told: Telling = TOLD,
        upon: int | None = None,
    ) -> Happening:
        """Write the event, and only then let anybody know of it.

        `upon` is the version that it was worked out upon, if that took time. Raises
        VersionConflictError if another server was faster; the match is up to date then.
        """
        if upon is not None and held.version != upon:
            raise VersionConflictError(held.row.id)
        before = held.position
        drawn = after.generator.count if after.generator is not None else 0
        event.version = held.version + 1
        event.time.CopyFrom(timestamp(time.time_ns() // 1000))
        row = EventRow(
            version=event.version,
            data=event.SerializeToString(),
            drawn=drawn,
            key=stored_key(event.side, key) if key else None,
            position=encode_position(after).SerializeToString() if whole else None,
            untold=told.untold,
            aside=told.aside,
        )
        await self._require_room(held, row.size)
        seats = _seats_after(held, event)
        change = Change(
            held.versions.behind(row),
            None if seats is None else seats[0],
            open=seats is not None and seats[1],
            ended=event.HasField("ended") or engine.outcome(held.plugin, after) is not None,
        )
        try:
            await self._store.append(held.row.id, row, change)
        except VersionConflictError:
            await self.current(held.row.id)
            raise
        # A reader may have found the event in the store before we came back from writing it.
        if held.version < row.version:
            held.add(row, event, after)
        if self._held.get(held.row.id) is held:
            self._weigh(held)
        self.news.tell(held.row.id, row.version)
        return Happening(event, before, after, done, row)

    def require_room(self, held: HeldMatch, size: int) -> None:
        """Refuse what would make a match larger than one may be."""
        if held.bytes + size > self._most:
            raise statuses.exhausted("match_bytes", f"a match takes {self._most} bytes at most")

    async def _require_room(self, held: HeldMatch, size: int) -> None:
        """The same, and from time to time for all matches of who made it."""
        self.require_room(held, size)
        creator = held.row.created_by
        if creator and held.bytes // COUNTED != (held.bytes + size) // COUNTED:
            found = await self._store.made_by(creator)
            if found.bytes > self._most_of_player:
                text = f"the matches of {creator} take too much room: remove some"
                raise statuses.exhausted("bytes_per_player", text)

    async def forget(self, id: str) -> None:
        """Remove a match from the store and from here."""
        await self._store.delete_match(id)
        self._let_go(id)
        self.news.tell(id)

    def close(self) -> None:
        """Let all who wait go."""
        self.closing = True
        self.news.close()
