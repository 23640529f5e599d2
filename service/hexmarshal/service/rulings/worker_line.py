"""A worker process from the server's side: threads of its own start it, talk to it and see it end.

To start a process, to copy a large job and to wait for a full pipe all take time that the event
loop does not have.
"""

from __future__ import annotations

import pickle
import queue
import subprocess
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from hexmarshal.service.rulings.worker_process import COMMAND, HEAD, Job

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Line", "Listener", "WorkerLine"]

# How long to wait for the last words of a process that has ended.
LAST_WORDS_SECONDS = 1.0
# What surely fits into a pipe beside a word or two that are not read yet.
SHORT_BYTES = 16 << 10


class Listener(Protocol):
    """Who hears of a worker, on the event loop."""

    def heard(self, message: object) -> None:
        """It said something."""

    def gone(self, error: OSError | None) -> None:
        """It has ended, for whatever reason, or could not be started."""


class Line(Protocol):
    """What a pool needs of a worker."""

    pid: int | None

    def say(self, message: object) -> None:
        """Send it a message, sooner or later."""

    def end(self) -> None:
        """End it, whatever it does."""


class WorkerLine:
    """One process, and what is said to it and by it. `tell` brings a call to the event loop."""

    def __init__(self, listener: Listener, tell: Callable[..., object]) -> None:
        self.pid: int | None = None
        self._listener = listener
        self._tell = tell
        self._process: subprocess.Popen[bytes] | None = None
        self._unsaid: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._behind = 0  # so many messages wait in the queue, or are being sent
        self._ended = False
        self._turn = threading.Lock()
        threading.Thread(target=self._live, name="worker", daemon=True).start()

    def say(self, message: object) -> None:
        """Send it a message; a process that is gone is noticed by who waits for it.

        A short one goes into the pipe at once: there is room, as one job is sent at a time.
        """
        short = not isinstance(message, Job) or message.size <= SHORT_BYTES
        with self._turn:
            line = self._process.stdin if self._process is not None else None
            if line is not None and not self._behind and short:
                data = pickle.dumps(message)
                with suppress(OSError, ValueError):
                    line.write(HEAD.pack(len(data)) + data)
                    line.flush()
                return
            self._behind += 1
        self._unsaid.put(message)

    def end(self) -> None:
        """End the process, also one that is not started yet."""
        with self._turn:
            self._ended = True
            if self._process is not None:
                self._process.kill()

    def _live(self) -> None:
        """Start it, and wait for its end: that, and not the end of what it says, is what counts.

        Somebody whom it started may hold its end of the line for longer than it lives.
        """
        error = None
        try:
            command = [sys.executable, *COMMAND]
            process = subprocess.Popen(  # noqa: S603 - ours
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as found:
            error = found
        else:
            with self._turn:
                self._process, self.pid = process, process.pid
                if self._ended:
                    process.kill()
            ears = threading.Thread(target=self._listen, args=(process,), daemon=True)
            mouth = threading.Thread(target=self._speak, args=(process,), daemon=True)
            ears.start()
            mouth.start()
            process.wait()
            ears.join(LAST_WORDS_SECONDS)
            self._unsaid.put(None)
        with suppress(RuntimeError):  # the loop is closed, nobody listens any more
            self._tell(self._listener.gone, error)

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        line = process.stdout
        assert line is not None
        try:
            while len(head := line.read(HEAD.size)) == HEAD.size:
                message = pickle.loads(line.read(HEAD.unpack(head)[0]))  # noqa: S301 - our worker's
                self._tell(self._listener.heard, message)
        except Exception:  # noqa: BLE001 - cut off, or nothing that a worker says
            self.end()
        line.close()

    def _speak(self, process: subprocess.Popen[bytes]) -> None:
        line = process.stdin
        assert line is not None
        with suppress(OSError):
            while (message := self._unsaid.get()) is not None:
                data = pickle.dumps(message)
                line.write(HEAD.pack(len(data)))
                line.write(data)
                line.flush()
                with self._turn:
                    self._behind -= 1
        with self._turn, suppress(OSError):
            line.close()
