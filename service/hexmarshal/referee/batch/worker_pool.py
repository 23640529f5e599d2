"""Worker processes: each takes task after task, and one that dies is replaced."""

from __future__ import annotations

import signal
from contextlib import suppress
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

__all__ = ["Died", "work_through"]

_NONE: Final[Any] = object()
T = TypeVar("T")
R = TypeVar("R")


class Died:
    """In place of a result: the worker did not survive this task."""

    def __init__(self, code: int | None) -> None:
        self.code = code


class _Worker(Generic[T, R]):
    """A process, the line to it, and the task that it is busy with."""

    def __init__(self, work: Callable[[T], R]) -> None:
        context = get_context("spawn")
        self.line, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(
            target=_serve, args=(work, theirs), daemon=True
        )
        self.process.start()
        # Only the worker may hold its end: so its death closes the line.
        theirs.close()
        self.task: T | None = None

    def give(self, task: T) -> None:
        """Let it work on a task."""
        self.task = task
        with suppress(OSError):
            # If it died before it got the task, the closed line will tell.
            self.line.send(task)

    def result(self) -> R | Died:
        """What came of the task; waits for it."""
        try:
            found: R = self.line.recv()
        except (EOFError, OSError):
            self.process.join()
            return Died(self.process.exitcode)
        return found

    def dismiss(self) -> None:
        """End it, whatever it does."""
        self.line.close()
        self.process.terminate()
        self.process.join()


def _serve(work: Callable[[Any], Any], line: Connection) -> None:
    """The life of a worker: until the line is closed."""
    # Who interrupts means the parent, which ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            task = line.recv()
        except (EOFError, OSError):
            return
        line.send(work(task))


def work_through(
    tasks: Iterable[T], work: Callable[[T], R], jobs: int
) -> Iterator[tuple[T, R | Died]]:
    """Every task with its result, as they come; `work` must be importable, and not raise.

    Tasks are taken one by one, as workers have time for them. A worker that dies takes only its
    own task with it.
    """
    todo = iter(tasks)
    workers: dict[Connection, _Worker[T, R]] = {}
    try:
        for task in islice(todo, jobs):
            worker: _Worker[T, R] = _Worker(work)
            worker.give(task)
            workers[worker.line] = worker
        while workers:
            for line in wait(list(workers)):
                worker = workers[line]  # type: ignore[index]
                done, result = worker.task, worker.result()
                following = next(todo, _NONE)
                if isinstance(result, Died) or following is _NONE:
                    del workers[worker.line]
                    worker.dismiss()
                    if following is not _NONE:
                        worker = _Worker(work)
                        workers[worker.line] = worker
                if following is not _NONE:
                    worker.give(following)
                assert done is not None
                yield done, result
    finally:
        for worker in workers.values():
            worker.dismiss()
