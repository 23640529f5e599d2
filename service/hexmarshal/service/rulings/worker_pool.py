"""The workers of a server: who gets one next, and what happens when one dies or does not stop."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from hexmarshal.service.calls import statuses
from hexmarshal.service.log import LOG
from hexmarshal.service.rulings.worker_line import WorkerLine
from hexmarshal.service.rulings.worker_process import Job, Loading, Outcome, Ready, Stop

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.service.rulings.worker_line import Line, Listener
    from hexmarshal.service.rulings.worker_process import Start, Worker

__all__ = ["Pool"]

# For how long after its time a worker may go on before it is ended, and if it loads a game.
GRACE_SECONDS = 1.0
LOADING_SECONDS = 60.0
# After a worker that ended before it was ready the next one is started later, and later again.
PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0
CLOSING_SECONDS = 5.0
_NUMBERS = count(1)


@dataclass(slots=True, eq=False)
class _Asked:
    """A job that somebody waits for."""

    account: str
    job: Job
    done: asyncio.Future[Outcome]


class _Hand:
    """One worker as the pool sees it: not ready yet, free, or busy with what somebody asked for."""

    def __init__(self, pool: Pool, open_line: Callable[[Listener], Line]) -> None:
        self._pool = pool
        self.ready = False
        self.loading = False
        self.leaving = False
        self.asked: _Asked | None = None
        self.line = open_line(self)

    @property
    def free(self) -> bool:
        """Whether it can be given a job."""
        return self.ready and not self.leaving and self.asked is None

    def give(self, asked: _Asked) -> None:
        """Have it do this."""
        self.asked, self.loading = asked, False
        self.line.say(asked.job)

    def heard(self, message: object) -> None:
        """What it says."""
        self._pool.heard(self, message)

    def gone(self, error: OSError | None) -> None:
        """It ended."""
        self._pool.gone(self, error)

    def stop(self, asked: _Asked) -> None:
        """Nobody waits for this any more."""
        self.line.say(Stop(asked.job.number))
        asyncio.get_running_loop().call_later(GRACE_SECONDS, self.end_with, asked)

    def end_with(self, asked: _Asked) -> None:
        """End the process if it is still busy with this; half a game must not stay, so wait."""
        if self.asked is not asked:
            return
        if self.loading:
            self.loading = False
            asyncio.get_running_loop().call_later(LOADING_SECONDS, self.end_with, asked)
        else:
            self.leave()

    def leave(self) -> None:
        """End the process, whatever it does."""
        self.leaving = True
        self.line.end()


class Pool:
    """So many workers, and one more that is only for callers who have no other.

    Callers who wait get their turn one after the other, however much each of them asks for; and
    however much one asks for, one worker is left for the next.

    All that happens comes in through `run`, `heard`, `gone` and the ends of waiting, on the event
    loop, and each of them ends with `_hand_out`: nothing that may have freed a worker, or lost
    one, is forgotten.
    """

    def __init__(
        self, workers: int, start: Start, open_line: Callable[[Listener], Line] | None = None
    ) -> None:
        self.workers = workers
        self.start = start
        self._open_line = open_line or self._line
        self._hands: set[_Hand] = set()
        self._waiting: OrderedDict[str, deque[_Asked]] = OrderedDict()
        self._failures = 0
        self._pause: asyncio.TimerHandle | None = None
        self._closed: asyncio.Event | None = None
        self.deaths = 0

    @staticmethod
    def _line(listener: Listener) -> Line:
        return WorkerLine(listener, asyncio.get_running_loop().call_soon_threadsafe)

    @property
    def pids(self) -> list[int]:
        """The processes there are."""
        return [hand.line.pid for hand in self._hands if hand.line.pid is not None]

    @property
    def waiting(self) -> int:
        """How many jobs are asked for and not done."""
        busy = sum(hand.asked is not None for hand in self._hands)
        return busy + sum(map(len, self._waiting.values()))

    def warm(self) -> None:
        """Start the workers now, so that the first caller does not wait for them."""
        self._hand_out()

    async def run(
        self, account: str, work: Callable[[Worker], bytes], seconds: float, size: int = 0
    ) -> Outcome:
        """What comes of the work, done for this caller within so many seconds."""
        done: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        asked = _Asked(account, Job(next(_NUMBERS), work, seconds, size), done)
        self._waiting.setdefault(account, deque()).append(asked)
        self._hand_out()
        try:
            return await asyncio.wait_for(done, seconds + GRACE_SECONDS / 2)
        except TimeoutError:
            raise statuses.expired() from None
        finally:
            if not done.done() or done.cancelled():
                self._abandon(asked)
            del done, asked  # which may hold an exception, and that this very frame

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
            hand.stop(asked)

    # What workers do

    def heard(self, hand: _Hand, message: object) -> None:
        """A worker is ready, or done with its job, or cannot stop yet."""
        if isinstance(message, Ready):
            hand.ready, self._failures = True, 0
        elif isinstance(message, Loading):
            hand.loading = True
        elif isinstance(message, Outcome):
            asked, hand.asked = hand.asked, None
            if asked is None or asked.job.number != message.number:
                # It says what it was not asked: whatever that is, it does not work for us.
                hand.asked = asked
                hand.leave()
                return
            if not asked.done.done():
                asked.done.set_result(message)
            if message.spent:
                hand.leave()
        self._hand_out()

    def gone(self, hand: _Hand, error: OSError | None = None) -> None:
        """A worker has ended: what it worked on is lost, and another takes its place."""
        self._hands.discard(hand)
        asked, hand.asked = hand.asked, None
        if self._closed is not None:
            if not self._hands:
                self._closed.set()
            return
        if asked is not None:
            self.deaths += 1
            LOG.error("a worker died; another takes its place")
            _fail(asked)
        if not hand.ready:
            self._failed(error)
        self._hand_out()

    def _failed(self, error: OSError | None) -> None:
        """One ended before it was ready: try again later; who waits must not if there is none."""
        LOG.error("a worker cannot be started%s", f": {error}" if error else "")
        if self._pause is not None:
            self._pause.cancel()
        seconds = min(PAUSE_SECONDS * 2**self._failures, LONGEST_PAUSE_SECONDS)
        self._failures = min(self._failures + 1, 10)
        self._pause = asyncio.get_running_loop().call_later(seconds, self._go_on)
        if not self._hands:
            waiting = [asked for listed in self._waiting.values() for asked in listed]
            self._waiting.clear()
            for asked in waiting:
                _fail(asked)

    def _go_on(self) -> None:
        self._pause = None
        self._hand_out()

    # Who gets one

    def _hand_out(self) -> None:
        """Give free workers to callers in turn; start workers as long as there may be more."""
        if self._closed is not None:
            return
        while (asked := self._next()) is not None:
            hand = next((hand for hand in self._hands if hand.free), None)
            if hand is None:
                break
            self._take(asked)
            hand.give(asked)
        # After a failure one at a time: each may fail like the last.
        most = self.workers
        if self._pause is None:
            if asked is not None and all(hand.ready for hand in self._hands):
                most += 1
            while len(self._hands) < most and (not self._failures or not self._starting):
                self._hands.add(_Hand(self, self._started_line))

    def _started_line(self, listener: Listener) -> Line:
        line = self._open_line(listener)
        line.say(self.start)
        return line

    @property
    def _starting(self) -> bool:
        return any(not hand.ready for hand in self._hands)

    def _next(self) -> _Asked | None:
        """What is to be done next: of the caller whose turn it is, and who may have one more."""
        busy = [hand.asked.account for hand in self._hands if hand.asked is not None]
        for account, asked in self._waiting.items():
            if busy.count(account) < self.workers:
                return asked[0]
        return None

    def _take(self, asked: _Asked) -> None:
        waiting = self._waiting[asked.account]
        waiting.popleft()
        self._waiting.move_to_end(asked.account)
        if not waiting:
            del self._waiting[asked.account]

    async def close(self) -> None:
        """End all workers, also one in the middle of a long job."""
        self._closed = asyncio.Event()
        if self._pause is not None:
            self._pause.cancel()
        for hand in list(self._hands):
            hand.leave()
        if self._hands:
            await asyncio.wait({asyncio.create_task(self._closed.wait())}, timeout=CLOSING_SECONDS)


def _fail(asked: _Asked) -> None:
    if not asked.done.done():
        asked.done.set_exception(statuses.unavailable("a worker died; try again", reason="WORKER"))
