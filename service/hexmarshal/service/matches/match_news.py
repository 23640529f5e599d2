"""Who waits for news of a match, and how news reach them: from here, and from other servers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from hexmarshal.service.log import LOG
from hexmarshal.service.store import StoreUnavailableError
from hexmarshal.service.tasks import end

if TYPE_CHECKING:
    from hexmarshal.service.store import Store

__all__ = ["Bell", "News"]

RETRY_SECONDS = 0.5


class Bell(asyncio.Event):
    """What rings once, when something happens in a match.

    Until then `version` is what those who wait know of it; from then on `rung` is what there is to
    know, or None if that is not said, and `following` is what rings next.
    """

    version = -1
    rung: int | None = None
    following: Bell

    def heard(self) -> tuple[int | None, Bell]:
        """The newest version that it and those after it rang for, and the one that rings next."""
        newest: int | None = self.version
        bell = self
        while bell.is_set():
            newest = None if newest is None or bell.rung is None else max(newest, bell.rung)
            bell = bell.following
        return newest, bell


class News:
    """A bell for each match that somebody watches; it costs nothing while nothing happens."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # A bell is there as long as somebody waits for it.
        self._bells: WeakValueDictionary[str, Bell] = WeakValueDictionary()
        self._hearing: asyncio.Task[None] | None = None

    def bell(self, match: str) -> Bell:
        """The bell of a match; take it before looking at the match."""
        found = self._bells.get(match)
        if found is None:
            found = self._bells[match] = Bell()
        return found

    def tell(self, match: str, version: int | None = None) -> None:
        """Wake who waits for news of a match; not who knows of that version already."""
        bell = self._bells.get(match)
        if bell is None or (version is not None and version <= bell.version):
            return
        # The next one is there before anybody asks for it: nothing is missed in between.
        bell.following = self._bells[match] = Bell()
        bell.following.version = bell.version if version is None else version
        bell.rung = version
        bell.set()

    def begin(self) -> None:
        """Hear from now on what other servers do."""
        self._hearing = asyncio.get_running_loop().create_task(self._hear())

    def close(self) -> None:
        """Hear nothing any more, and let all who wait go."""
        if self._hearing is not None:
            self._hearing.cancel()
        for match in list(self._bells):
            self.tell(match)

    async def ended(self) -> None:
        """Wait until nothing is heard any more: the store may be closed then."""
        await end(self._hearing)

    async def _hear(self) -> None:
        while True:
            try:
                async for match, version in self._store.news():
                    if not match:
                        await self._look()
                    else:
                        self.tell(match, version)
            except StoreUnavailableError as error:
                LOG.warning("no news from the store: %s", error)
            except Exception as error:  # noqa: BLE001 - watchers must go on hearing
                LOG.error("bug in the news of matches", exc_info=error)
            await asyncio.sleep(RETRY_SECONDS)

    async def _look(self) -> None:
        """Somebody did something somewhere: see whether anybody here waits for it."""
        for match in list(self._bells):
            self.tell(match, await self._store.head(match))
            await asyncio.sleep(0)
