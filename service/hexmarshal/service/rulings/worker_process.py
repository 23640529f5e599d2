"""A worker: a process that takes one job after the other from the server, and stops when told.

It lives no longer than its server: the line between them ends with either. A job ends by its time
or because nobody waits for it any more, but never in the middle of an import or of loading a game:
half a module would stay for all later jobs.
"""

from __future__ import annotations

import gc
import os
import pickle
import queue
import signal
import struct
import threading
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, NoReturn

from hexmarshal.rules.plugins import registry as registries
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.paging import PageTokens
from hexmarshal.service.calls.statuses import Refusal
from hexmarshal.service.rulings.position_cache import PositionReader

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from hexmarshal.rules.plugins.registry import Registry

__all__ = [
    "COMMAND",
    "HEAD",
    "Job",
    "Loading",
    "Outcome",
    "Ready",
    "Start",
    "Stop",
    "Worker",
    "held",
]

# How the server starts one: `-P`, so that nothing is imported from the folder it is started in.
COMMAND = ("-P", "-c", f"from {__name__} import main; main()")
HEAD = struct.Struct(">I")  # before every message on the line: its length
# When to look again whether a job can be stopped.
AGAIN_SECONDS = 0.02
_IMPORTS = "<frozen importlib"
NICENESS = 10
# What is held is looked at after a job of so long, and after so many short ones.
LONG_SECONDS = 0.02
LOOK_JOBS = 16


@dataclass(frozen=True, slots=True)
class Start:
    """The first message to a worker: what it may hold, and the secret of the page tokens."""

    max_units: int
    max_bytes: int
    secret: bytes


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work, and how long it may take."""

    number: int
    work: Callable[[Worker], bytes]
    seconds: float
    size: int = 0  # of what it carries, about


@dataclass(frozen=True, slots=True)
class Stop:
    """Nobody waits for this job any more."""

    number: int


@dataclass(frozen=True, slots=True)
class Ready:
    """A worker has started, and takes jobs."""


@dataclass(frozen=True, slots=True)
class Loading:
    """A worker should stop its job, but loads a game; that it must not leave half done."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a worker sends back: an answer or a status, how long it took, and what it holds now."""

    number: int
    seconds: float
    answer: bytes = b""
    status: bytes = b""
    bug: str = ""
    spent: bool = False  # it holds so much that another should take its place


@dataclass(slots=True)
class Worker:
    """What a job finds in a worker: the games, and the positions that were read before."""

    registry: Registry
    reader: PositionReader
    tokens: PageTokens


class _TimeUp(BaseException):
    pass


class _Desk:
    """The job at hand, and whether it is to stop."""

    def __init__(self, say: Callable[[object], None]) -> None:
        self.number: int | None = None
        self.stopped: int | None = None
        self._say = say
        self._told: int | None = None
        self._jobs = 0

    def look_due(self, seconds: float) -> bool:
        """Whether to look at the memory again: after a long job, and from time to time."""
        self._jobs = 0 if seconds > LONG_SECONDS else (self._jobs + 1) % LOOK_JOBS
        return self._jobs == 0

    def ring(self, _number: int, frame: FrameType | None) -> None:
        """The time of a job is up, or it is stopped: end it where that is safe, else soon."""
        if self.number is None:
            return
        while frame is not None:
            code = frame.f_code
            if code.co_filename.startswith(_IMPORTS) or code is registries.Registry.get.__code__:
                if self._told != self.number:
                    self._told = self.number
                    self._say(Loading())
                signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)
                return
            frame = frame.f_back
        raise _TimeUp

    def stop(self, number: int) -> None:
        """From the thread that listens: stop a job, if it is the one at hand."""
        self.stopped = number
        if hasattr(signal, "SIGUSR1") and self.number == number:
            os.kill(os.getpid(), signal.SIGUSR1)

    def ring_stop(self, number: int, frame: FrameType | None) -> None:
        """The job at hand may be a later one by now."""
        if self.number == self.stopped:
            self.ring(number, frame)


def main() -> NoReturn:
    """Take jobs from standard input until it ends; answer on what was standard output."""
    coming = os.fdopen(os.dup(0), "rb")
    going = os.fdopen(os.dup(1), "wb")
    # Whatever a plugin prints must not get between the answers.
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _step_back()

    def say(message: object) -> None:
        data = pickle.dumps(message)
        try:
            going.write(HEAD.pack(len(data)) + data)
            going.flush()
        except OSError:  # without a server there is no worker
            os._exit(0)

    desk = _Desk(say)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, desk.ring)
        signal.signal(signal.SIGUSR1, desk.ring_stop)
    try:
        start = _read(coming)
    except EOFError:
        os._exit(0)
    assert isinstance(start, Start)
    _bound_memory(start.max_bytes)
    reader = PositionReader(max_units=start.max_units)
    worker = Worker(registries.default(), reader, PageTokens(start.secret))
    jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(coming, jobs, desk), daemon=True).start()
    loaded = -1
    say(Ready())
    while True:
        say(_do(jobs.get(), worker, desk, start.max_bytes))
        if loaded != (loaded := worker.registry.loaded):
            # A game that is loaded stays: the collector need not look at it again and again.
            gc.collect()
            gc.freeze()


def _read(line: BinaryIO) -> object:
    head = line.read(HEAD.size)
    if len(head) < HEAD.size:
        raise EOFError
    return pickle.loads(line.read(HEAD.unpack(head)[0]))  # noqa: S301 - from our own server


def _listen(line: BinaryIO, jobs: queue.SimpleQueue[Job], desk: _Desk) -> NoReturn:
    """Hear what the server says, also during a job; without a server there is no worker."""
    with suppress(EOFError, OSError):
        while True:
            message = _read(line)
            if isinstance(message, Stop):
                desk.stop(message.number)
            elif isinstance(message, Job):
                jobs.put(message)
    os._exit(0)


def _do(job: Job, worker: Worker, desk: _Desk, most: int) -> Outcome:
    """Do a job within its time, whatever comes of it."""
    started = time.thread_time()
    timed = hasattr(signal, "setitimer")

    def seconds() -> float:
        return time.thread_time() - started

    def away() -> None:
        desk.number = None
        if timed:
            signal.setitimer(signal.ITIMER_REAL, 0)

    if desk.stopped == job.number:
        return Outcome(job.number, 0.0, status=statuses.expired().status())
    try:
        try:
            desk.number = job.number
            if timed:
                signal.setitimer(signal.ITIMER_REAL, max(job.seconds, 0.001))
            outcome = Outcome(job.number, seconds(), job.work(worker))
        finally:
            away()
    except _TimeUp:
        away()
        outcome = Outcome(job.number, seconds(), status=statuses.expired().status())
    except Refusal as refusal:
        outcome = Outcome(job.number, seconds(), status=refusal.status())
    except MemoryError:
        full = statuses.exhausted("memory", "the call needs more memory than a worker may have")
        return Outcome(job.number, seconds(), status=full.status(), spent=True)
    except Exception:  # noqa: BLE001 - a plugin may fail in any way; the server logs it
        outcome = Outcome(job.number, seconds(), bug=traceback.format_exc())
    spent = desk.look_due(outcome.seconds) and held() > most // 2
    return Outcome(job.number, seconds(), outcome.answer, outcome.status, outcome.bug, spent)


def _step_back() -> None:
    """Let the server go first, where there is one processor too few: it answers everybody."""
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)


def _bound_memory(most: int) -> None:
    """Where the system can, refuse this process more than so much memory."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def held(pid: int | str = "self") -> int:
    """How many bytes a process holds in memory now; 0 where that cannot be told."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:  # noqa: PTH123 - after every job: no detours
            return int(file.read().split()[1]) * 4096
    except (OSError, IndexError):
        return 0
