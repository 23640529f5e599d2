"""Every order of what may happen to workers, on a pool whose workers are pretended."""

from __future__ import annotations

import asyncio
import sys
import threading
from contextlib import suppress

import pytest

from hexmarshal.service.calls.statuses import Refusal
from hexmarshal.service.rulings import worker_line, worker_pool
from hexmarshal.service.rulings.worker_pool import Pool
from hexmarshal.service.rulings.worker_process import Job, Outcome, Ready, Start, Stop

START = Start(10, 10, b"")
ANN, BOB = "ann", "bob"


class Pretended:
    """A worker that does what it is told to do by the test, and nothing by itself."""

    def __init__(self, listener) -> None:
        self.listener = listener
        self.pid = None
        self.job = None
        self.ended = False
        self.ready = False

    def say(self, message) -> None:
        if isinstance(message, Job):
            assert self.ready, "given a job before it was ready"
            assert not self.ended, "given a job although it was sent away"
            assert self.job is None, "given a second job"
            self.job = message
        elif isinstance(message, Stop):
            assert self.job is None or message.number == self.job.number

    def end(self) -> None:
        self.ended = True

    def begin(self) -> None:
        self.ready = True
        self.listener.heard(Ready())

    def answer(self, *, spent=False) -> None:
        number, self.job = self.job.number, None
        self.listener.heard(Outcome(number, 0.0, answer=str(number).encode(), spent=spent))

    def die(self, error=None) -> None:
        self.listener.gone(error)


class Clock:
    """What would be done later, done when the test says so."""

    def __init__(self) -> None:
        self.due = []

    def call_later(self, _seconds, function, *values):
        entry = [function, values]
        self.due.append(entry)
        clock = self

        class Handle:
            def cancel(self) -> None:
                with suppress(ValueError):
                    clock.due.remove(entry)

        return Handle()

    def strike(self) -> None:
        function, values = self.due.pop(0)
        function(*values)


class Table:
    """A pool, its workers, and who waits for what."""

    def __init__(self, workers: int, monkeypatch) -> None:
        self.lines = []
        self.clock = Clock()
        self.asked = []
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "call_later", self.clock.call_later, raising=False)
        self.pool = Pool(workers, START, self._open)
        self.pool.warm()

    def _open(self, listener):
        line = Pretended(listener)
        self.lines.append(line)
        return line

    @property
    def living(self):
        hands = {hand.line for hand in self.pool._hands}
        return [line for line in self.lines if line in hands]

    def events(self):
        """All that may happen next, by name."""
        found = {}
        waiting = [one for one in self.asked if not one.done()]
        if len(waiting) < 4:
            found["ann asks"] = lambda: self.ask(ANN)
            found["bob asks"] = lambda: self.ask(BOB)
        for number, line in enumerate(self.living):
            if line.ended:
                found[f"{number} is gone"] = line.die
                continue
            found[f"{number} dies"] = line.die
            if not line.ready:
                found[f"{number} is ready"] = line.begin
                found[f"{number} cannot start"] = lambda line=line: line.die(OSError("no room"))
            elif line.job is not None:
                found[f"{number} answers"] = line.answer
                found[f"{number} is spent"] = lambda line=line: line.answer(spent=True)
        for number, one in enumerate(waiting):
            found[f"cancel {number}"] = one.cancel
        if self.clock.due:
            found["time passes"] = self.clock.strike
        return found

    def ask(self, account: str) -> None:
        self.asked.append(asyncio.ensure_future(self.pool.run(account, None, 1e9)))

    def state(self):
        """What matters for what comes next; orders that lead to the same need no second look."""
        hands = [
            (line.ready, line.ended, line.job is not None, hand.asked and hand.asked.account,
             bool(hand.asked and hand.asked.done.done()))
            for line in self.living
            for hand in self.pool._hands
            if hand.line is line
        ]  # fmt: skip
        waiting = [(who, len(jobs)) for who, jobs in self.pool._waiting.items()]
        open_ones = sum(not one.done() for one in self.asked)
        due = [function.__name__ for function, _ in self.clock.due]
        return str((hands, waiting, open_ones, due, min(self.pool._failures, 2)))

    def check(self) -> None:
        hands = self.pool._hands
        assert len(hands) <= self.pool.workers + 1
        busy = [hand.asked.account for hand in hands if hand.asked is not None]
        for account in set(busy):
            assert busy.count(account) <= self.pool.workers
        for hand in hands:
            if hand.asked is not None and not hand.leaving:
                assert hand.line.job is not None, "the pool waits for what nobody works on"
        if self.pool._next() is not None:
            idle = [hand for hand in hands if hand.free]
            assert not idle, "somebody waits although a worker is free"

    async def heal(self) -> None:
        """From now on all goes well: then nobody may wait for ever."""
        for _ in range(60):
            for line in self.living:
                if line.ended:
                    line.die()
                elif not line.ready:
                    line.begin()
                elif line.job is not None:
                    line.answer()
            if self.clock.due and not self.living:
                self.clock.strike()
            await settled()
            if all(one.done() for one in self.asked) and not self.pool.waiting:
                return
        pytest.fail("the pool is stuck")


async def settled() -> None:
    for _ in range(6):
        await asyncio.sleep(0)


async def happen(workers: int, steps, monkeypatch):
    """The table after these steps."""
    monkeypatch.setattr(worker_pool.LOG, "error", lambda *_: None)

    # Nobody's time runs out here: who gives up, cancels.
    async def patient(future, _seconds):
        return await future

    monkeypatch.setattr(asyncio, "wait_for", patient)
    table = Table(workers, monkeypatch)
    for step in steps:
        table.events()[step]()
        await settled()
        table.check()
    return table


def explore(workers: int, depth: int) -> int:
    """Try all orders of so many steps; how many different states there were."""
    seen = set()
    paths = [()]
    for _ in range(depth):
        longer = []
        for path in paths:
            state, following = asyncio.run(recovers(workers, path))
            if state not in seen:
                seen.add(state)
                longer += [(*path, step) for step in following]
        paths = longer
    return len(seen)


async def recovers(workers: int, path):
    """Where these steps lead, and what may happen then; whatever it was, all are answered."""
    with pytest.MonkeyPatch.context() as patch:
        table = await happen(workers, path, patch)
        found = table.state(), list(table.events())
        await table.heal()
        table.ask("somebody new")
        await table.heal()
        for one in table.asked:
            if not one.cancelled() and (error := one.exception()) is not None:
                assert isinstance(error, Refusal)
    return found


@pytest.mark.parametrize(("workers", "depth", "states"), [(1, 7, 300), (2, 6, 300)])
def test_no_order_of_deaths_leaves_anybody_waiting(workers, depth, states):
    assert explore(workers, depth) >= states


class Heard:
    """Who is told of one worker."""

    def __init__(self) -> None:
        self.messages = []
        self.ended = threading.Event()
        self.error = None

    def heard(self, message) -> None:
        self.messages.append(message)

    def gone(self, error) -> None:
        self.error = error
        self.ended.set()


def opened(monkeypatch, *command):
    monkeypatch.setattr(worker_line, "COMMAND", command)
    heard = Heard()
    return worker_line.WorkerLine(heard, lambda function, *values: function(*values)), heard


def test_a_worker_is_gone_when_it_is_although_another_holds_its_line(monkeypatch):
    """For that the pool waited in vain: asyncio takes a process for alive while a pipe is open."""
    child = "import os, sys; os.fork() or (sys.stdin.read(), os._exit(0))"
    _, heard = opened(monkeypatch, "-c", child)
    assert heard.ended.wait(20)


def test_a_worker_that_talks_nonsense_is_ended(monkeypatch):
    talk = "import os, time; os.write(1, bytes([0, 0, 0, 4]) + b'junk'); time.sleep(60)"
    _, heard = opened(monkeypatch, "-c", talk)
    assert heard.ended.wait(20)
    assert not heard.messages


def test_a_worker_may_be_ended_before_it_has_started(monkeypatch):
    line, heard = opened(monkeypatch, "-c", "import time; time.sleep(60)")
    line.end()
    assert heard.ended.wait(20)


def test_a_worker_that_cannot_be_started_is_told(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    _, heard = opened(monkeypatch)
    assert heard.ended.wait(20)
    assert isinstance(heard.error, OSError)


class Written:
    """A job by its source, for a worker that can import nothing of ours."""

    def __init__(self, source: str) -> None:
        self._source = source

    def __reduce__(self):
        return eval, (self._source,)


HALF_AN_ANSWER = """lambda worker: (
    (os := __import__("os")),
    (main := __import__("sys")._getframe().f_back.f_back),
    os.write(main.f_locals["going"].fileno(), bytes([0, 0, 3, 232]) + b"half"),
    os.kill(os.getpid(), 9),
)"""


def test_a_worker_that_dies_in_the_middle_of_its_answer_holds_up_nobody():
    """So a pool of the standard library is stuck for good, its process dead and known to be.

    All its workers answer on one line: the lock of it dies with who held it, and who reads waits
    for the other half.
    """

    async def main() -> None:
        pool = Pool(2, Start(100, 256 << 20, b"x" * 32))
        fine = Written("lambda worker: b'fine'")
        try:
            for _ in range(2):
                assert (await pool.run("ann", fine, 30)).answer == b"fine"
                with pytest.raises(Refusal) as caught:
                    await pool.run("ann", Written(HALF_AN_ANSWER), 30)
                assert caught.value.code.name == "UNAVAILABLE"
            asked = [pool.run(name, fine, 30) for name in ("ann", "bob", "ann", "cat")]
            assert [one.answer for one in await asyncio.gather(*asked)] == [b"fine"] * 4
            assert pool.deaths == 2
        finally:
            await pool.close()

    asyncio.run(main())
