"""Tasks that look after something as long as the server runs, and their end."""

from __future__ import annotations

import asyncio

__all__ = ["end"]

_AGAIN_SECONDS = 0.5


async def end(task: asyncio.Task[None] | None) -> None:
    """Cancel a task, and wait until it has ended.

    One cancellation is not enough: before Python 3.12 `asyncio.wait_for` loses one that comes in
    the moment in which what it waits for is done, and so may a library underneath.
    """
    while task is not None and not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=_AGAIN_SECONDS)
