"""Whether the server is ready: it looks again and again whether the store answers."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from grpc_health.v1 import health_pb2

from hexmarshal.service.log import LOG
from hexmarshal.service.store import Stored, StoreUnavailableError
from hexmarshal.service.tasks import end

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grpc_health.v1.health import aio

    from hexmarshal.service.store import Store

__all__ = ["LIVENESS", "READINESS", "Readiness"]

# What the health service answers besides the services: whether the process lives, and whether it
# has all that it needs. The empty name is the process, too.
LIVENESS = "liveness"
READINESS = "readiness"
LOOK_SECONDS = 1.0
# A store that takes longer to answer nothing is as good as none.
PATIENCE_SECONDS = 2.0
COUNT_SECONDS = 60.0


class Readiness:
    """Looks at the store, and says so to the health service."""

    def __init__(
        self, store: Store, health: aio.HealthServicer, needing: Iterable[str], other: Iterable[str]
    ) -> None:
        self._store = store
        self._health = health
        self._needing = (READINESS, *needing)
        self._other = ("", LIVENESS, *other)
        self._task: asyncio.Task[None] | None = None
        self.up = True
        self.seconds = 0.0
        self.stored = Stored(0, 0)
        self._counted = 0.0

    async def begin(self) -> None:
        """Say that all is well, and look from now on."""
        for name in (*self._needing, *self._other):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        self._task = asyncio.create_task(self._watch())

    def close(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()

    async def ended(self) -> None:
        """Wait until nothing is asked of the store any more."""
        await end(self._task)

    async def _watch(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Ask the store for nothing."""
        started = time.monotonic()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._store.ping()
            if started - self._counted >= COUNT_SECONDS:
                self._counted = started
                async with asyncio.timeout(PATIENCE_SECONDS):
                    self.stored = await self._store.stored()
            up = True
        except (TimeoutError, StoreUnavailableError):
            up = False
        except Exception as error:  # noqa: BLE001 - whoever looks must go on looking
            LOG.error("bug in looking after the store", exc_info=error)
            up = False
        self.seconds = time.monotonic() - started
        if up != self.up:
            LOG.log(20 if up else 40, "the store answers again" if up else "the store is gone")
            self.up = up
            status = health_pb2.HealthCheckResponse
            for name in self._needing:
                await self._health.set(name, status.SERVING if up else status.NOT_SERVING)
