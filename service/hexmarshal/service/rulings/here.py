"""What is done in the server's own process: at once if its kind has proved cheap, else in a thread.

What is done at once holds up everybody else while it runs. A thread takes the processor from the
event loop too, but never for longer than the interpreter lets one thread run; it is for what takes
some milliseconds, and for what has to be brought to a worker and back at greater cost than its own.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.message import Message

    _Wanted = tuple[Callable[[], Any], asyncio.Future[Any]]

__all__ = ["ACCOUNT", "INLINE_SECONDS", "Here", "Key"]

T = TypeVar("T")
# A game, what is done, and what makes one of them dearer than another; never a caller's own word.
Key = tuple[str, str, str]

# Whose share is taken by what is done in this task.
ACCOUNT: ContextVar[str] = ContextVar("account", default="")
# What takes longer than this on the processor does not belong on the event loop.
INLINE_SECONDS = 0.0006
# How quickly it is forgotten that something took longer than it does now.
MEMORY = 0.97
# For so many more times somebody who was slow once is not trusted.
DOUBT = 50
# After as much in one step of the loop, others get their turn.
TURN_SECONDS = 0.0002
THREADS = 4


class Here:
    """What kinds of work cost, and threads for those that are not cheap.

    A caller has one thread at a time, and those who wait get theirs in turn.
    """

    def __init__(self) -> None:
        self._costs: dict[Key, float] = {}
        self._doubts: dict[Key, int] = {}
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="here")
        # Work by caller, each with who waits for it.
        self._waiting: OrderedDict[str, deque[_Wanted]] = OrderedDict()
        self._busy: set[str] = set()

    def cost(self, key: Key) -> float | None:
        """Seconds on the processor; None for what was never done."""
        return self._costs.get(key)

    def cheap(self, key: Key, times: int = 1) -> bool:
        """Whether it may be done on the event loop, so many times in a row."""
        known = self._costs.get(key)
        return known is not None and known * times < INLINE_SECONDS

    def learn(self, key: Key, seconds: float) -> None:
        """Remember what it took: about the longest, because all wait for that one too."""
        known = self._costs.get(key)
        if known is None:
            self._costs[key] = seconds
            return
        doubt = self._doubts.pop(key, 0)
        if known < INLINE_SECONDS <= seconds and not doubt:
            # The collector may come at any time: slow once proves nothing about a cheap kind.
            self._doubts[key] = DOUBT
            return
        if doubt > 1 and seconds < INLINE_SECONDS:
            self._doubts[key] = doubt - 1
        self._costs[key] = max(seconds, known * MEMORY + seconds * (1 - MEMORY))

    async def do(self, key: Key, work: Callable[[], T]) -> T:
        """Do it now, or in a thread if it may take long."""
        if self.cheap(key):
            started = time.thread_time()
            found = self.measured(key, work)
            if time.thread_time() - started > TURN_SECONDS:
                await asyncio.sleep(0)
            return found
        return await self.apart(lambda: self.measured(key, work))

    async def said(self, key: Key, work: Callable[[], Message]) -> bytes:
        """The answer that comes of it, ready to be sent: to write a large one takes time, too."""
        return await self.do(key, lambda: work().SerializeToString())

    def measured(self, key: Key, work: Callable[[], T]) -> T:
        """Do it now, whatever it takes, and remember that."""
        started = time.thread_time()
        try:
            return work()
        finally:
            self.learn(key, time.thread_time() - started)

    async def apart(self, work: Callable[[], T]) -> T:
        """Do it in a thread, when it is this caller's turn."""
        account = ACCOUNT.get()
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(account, deque()).append((work, done))
        self._hand_out()
        try:
            return await done
        finally:
            del done  # which may hold an exception, and that this very frame

    def _hand_out(self) -> None:
        """Give threads to callers in turn; one at a time to each."""
        while len(self._busy) < THREADS:
            account = next((one for one in self._waiting if one not in self._busy), None)
            if account is None:
                return
            waiting = self._waiting[account]
            work, done = waiting.popleft()
            self._waiting.move_to_end(account)
            if not waiting:
                del self._waiting[account]
            if done.done():  # nobody waits for it any more
                continue
            self._busy.add(account)
            running = asyncio.get_running_loop().run_in_executor(self._threads, work)
            running.add_done_callback(partial(self._ended, account, done))

    def _ended(self, account: str, done: asyncio.Future[Any], running: asyncio.Future[Any]) -> None:
        """A thread is free again; bring what it has found to who waits for it."""
        error = None if running.cancelled() else running.exception()
        if done.done():
            pass
        elif running.cancelled():
            done.cancel()
        elif error is not None:
            done.set_exception(error)
        else:
            done.set_result(running.result())
        self._busy.discard(account)
        self._hand_out()

    def close(self) -> None:
        """Begin nothing any more."""
        self._waiting.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)
