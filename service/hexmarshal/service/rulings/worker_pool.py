"""The workers of a server: who gets one next, and what happens when one dies or does not stop."""

from __future__ import annotations

import asyncio
import pickle
import sys
from collections import OrderedDict, deque
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from hexmarshal.service.calls import statuses
from hexmarshal.service.log import LOG
from hexmarshal.service.rulings.worker_process import COMMAND, HEAD, Job, Outcome, Stop

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Callable

    from hexmarshal.service.rulings.worker_process import Start, Worker

__all__ = ["Pool"]

# For how long after its time a worker may go on before it is ended.
GRACE_SECONDS = 1.0
CLOSING_SECONDS = 5.0
_NUMBERS = count(1)


@dataclass(slots=True, eq=False)
class _Asked:
    """A job that somebody waits for."""

    account: str
    job: Job
    done: asyncio.Future[Outcome]


@dataclass(slots=True, eq=False)
class _Hand:
    """One worker process as the server sees it."""

    process: Process
    asked: _Asked | None = None

    def say(self, message: object) -> None:
        """Send it a message; a process that is gone is noticed by who listens to it."""
        data = pickle.dumps(message)
        assert self.process.stdin is not None
        with suppress(OSError, RuntimeError):
            self.process.stdin.write(HEAD.pack(len(data)) + data)

    def end_with(self, asked: _Asked) -> None:
        """End the process if it is still busy with this."""
        if self.asked is asked:
            self.end()

    def end(self) -> None:
        """End the process, whatever it does."""
        with suppress(ProcessLookupError):
            self.process.kill()


class Pool:
    """So many workers, and one more that is only for callers who have no other.

    Callers who wait get their turn one after the other, however much each of them asks for; and
    however much one asks for, one worker is left for the next.
    """

    def __init__(self, workers: int, start: Start) -> None:
        self.workers = workers
        self.start = start
        self._hands: set[_Hand] = set()
        self._starting = 0
        self._waiting: OrderedDict[str, deque[_Asked]] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self.deaths = 0

    @property
    def pids(self) -> list[int]:
        """The processes there are."""
        return [hand.process.pid for hand in self._hands]

    @property
    def waiting(self) -> int:
        """How many jobs are asked for and not done."""
        busy = sum(hand.asked is not None for hand in self._hands)
        return busy + sum(map(len, self._waiting.values()))

    def warm(self) -> None:
        """Start the workers now, so that the first caller does not wait for them."""
        for _ in range(self.workers - len(self._hands) - self._starting):
            self._begin()

    async def run(self, account: str, work: Callable[[Worker], bytes], seconds: float) -> Outcome:
        """What comes of the work, done for this caller within so many seconds."""
        done: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        asked = _Asked(account, Job(next(_NUMBERS), work, seconds), done)
        self._waiting.setdefault(account, deque()).append(asked)
        self._hand_out()
        try:
            return await asyncio.wait_for(done, seconds + GRACE_SECONDS / 2)
        except TimeoutError:
            raise statuses.expired() from None
        finally:
            if not done.done() or done.cancelled():
                self._abandon(asked)

    def _abandon(self, asked: _Asked) -> None:
        """Nobody waits for it any more: it is not begun, or stopped, or its worker is ended."""
        waiting = self._waiting.get(asked.account)
        if waiting is not None and asked in waiting:
            waiting.remove(asked)
            if not waiting:
                del self._waiting[asked.account]
            return
        hand = next((hand for hand in self._hands if hand.asked is asked), None)
        if hand is not None:
            hand.say(Stop(asked.job.number))
            asyncio.get_running_loop().call_later(GRACE_SECONDS, hand.end_with, asked)

    def _running(self, account: str) -> int:
        return sum(h.asked is not None and h.asked.account == account for h in self._hands)

    def _hand_out(self) -> None:
        """Give free workers to callers in turn; start workers as long as there may be more."""
        if self._closed:
            return
        for account in list(self._waiting):
            if self._running(account) >= self.workers:
                continue
            hand = next((hand for hand in self._hands if hand.asked is None), None)
            if hand is None:
                there = len(self._hands) + self._starting
                if there < self.workers or (there == self.workers and not self._starting):
                    self._begin()
                return
            waiting = self._waiting[account]
            asked = waiting.popleft()
            self._waiting.move_to_end(account)
            if not waiting:
                del self._waiting[account]
            hand.asked = asked
            hand.say(asked.job)
        if self._waiting and any(hand.asked is None for hand in self._hands):
            eligible = any(self._running(account) < self.workers for account in self._waiting)
            if eligible:
                self._hand_out()

    def _begin(self) -> None:
        self._starting += 1
        task = asyncio.get_running_loop().create_task(self._serve())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self) -> None:
        """One worker from its start to its end."""
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *COMMAND,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
        except OSError as error:
            LOG.error("no worker can be started: %s", error)
            for waiting in self._waiting.values():
                for asked in waiting:
                    _fail(asked)
            self._waiting.clear()
            return
        finally:
            self._starting -= 1
        hand = _Hand(process)
        self._hands.add(hand)
        hand.say(self.start)
        self._hand_out()
        try:
            await self._listen(hand)
        finally:
            self._hands.discard(hand)
            hand.end()
            if hand.asked is not None and not self._closed:
                self.deaths += 1
                LOG.error("a worker died; another takes its place")
                _fail(hand.asked)
            await process.wait()
            self._hand_out()

    async def _listen(self, hand: _Hand) -> None:
        """Its answers, until it is gone or has to go."""
        line = hand.process.stdout
        assert line is not None
        with suppress(asyncio.IncompleteReadError, OSError):
            while True:
                (size,) = HEAD.unpack(await line.readexactly(HEAD.size))
                number, outcome = pickle.loads(await line.readexactly(size))  # noqa: S301 - ours
                asked, hand.asked = hand.asked, None
                assert asked is not None
                assert asked.job.number == number
                if not asked.done.done():
                    asked.done.set_result(outcome)
                if outcome.spent:
                    return
                self._hand_out()

    async def close(self) -> None:
        """End all workers, also one in the middle of a long job."""
        self._closed = True
        for hand in list(self._hands):
            hand.end()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CLOSING_SECONDS)


def _fail(asked: _Asked) -> None:
    if not asked.done.done():
        asked.done.set_exception(statuses.unavailable("a worker died; try again", reason="WORKER"))
