"""The garbage collector, held to steps that nobody notices: all wait while it looks at objects.

A server holds for long what thousands watch and play, a million objects and more. To look at all
of them takes the better part of a second, and Python would do so again and again. Here every object
is looked at a few times while it is young, some thousands at a time, and then left alone. What goes
out of use later is freed as always, when nothing refers to it any more; only what refers to itself
stays, and all is looked through for that when memory has doubled: in a moment in which nobody
waits for an answer, or when it has grown to four times.
"""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING

from hexmarshal.service.log import LOG
from hexmarshal.service.rulings.worker_process import held

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Collector"]

# So many new objects are looked at in one step; what survives a few steps is old.
STEPS = (300, 3, 1)
OLDEST = 2
LOOK_SECONDS = 5.0
# How often one looks for a moment in which nobody waits.
IDLE_SECONDS = 0.05
# How much memory may grow before everything is looked through, and before nothing is waited for.
GROWTH, URGENT = 2, 4
LEAST_BYTES = 256 << 20


class Collector:
    """From `begin` to `close` the collector of this process works in small steps."""

    def __init__(
        self, memory: Callable[[], int] = held, idle: Callable[[], bool] = lambda: True
    ) -> None:
        self._memory, self._idle = memory, idle
        self._before, self._frozen = gc.get_threshold(), 0
        self._known = 0
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """What is loaded by now stays, and need not be looked at again."""
        self._before, self._frozen = gc.get_threshold(), gc.get_freeze_count()
        self._settle()
        gc.set_threshold(*STEPS)
        gc.callbacks.append(self._stepped)
        self._task = asyncio.get_running_loop().create_task(self._watch())

    def close(self) -> None:
        """Leave the collector as it was."""
        if self._task is None:
            return
        self._task.cancel()
        self._task = None
        gc.callbacks.remove(self._stepped)
        gc.set_threshold(*self._before)
        if not self._frozen:
            gc.unfreeze()

    @staticmethod
    def _stepped(phase: str, info: dict[str, int]) -> None:
        if phase == "stop" and info["generation"] == OLDEST:
            gc.freeze()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(IDLE_SECONDS if self._grown(GROWTH) else LOOK_SECONDS)
            self.look()

    def _grown(self, times: int) -> bool:
        return self._memory() >= self._known + (times - 1) * max(self._known, LEAST_BYTES)

    def look(self) -> bool:
        """Look through everything if memory has grown much; whether it was so."""
        if not self._grown(GROWTH) or not (self._idle() or self._grown(URGENT)):
            return False
        before = self._known
        self._all()
        fields = {"before": before, "after": self._known}
        LOG.debug("memory looked through", extra={"fields": fields})
        return True

    def _all(self) -> None:
        gc.unfreeze()
        self._settle()

    def _settle(self) -> None:
        """Look through what is not held to be old yet; what is left then is."""
        gc.collect()
        gc.freeze()
        # Python compares with how much was left: nothing, or the next old ones would wait long.
        gc.collect()
        self._known = self._memory()
