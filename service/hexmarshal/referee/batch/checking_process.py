"""A process of its own that checks files: what kills it kills nobody else."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hexmarshal.referee.batch.one_file import Checked, FileCheck

__all__ = ["CheckingProcess", "ProcessDiedError"]


class ProcessDiedError(Exception):
    """The process did not survive a file; the code that it ended with is the argument."""


class CheckingProcess:
    """Started once, it takes file after file; where it has died, the next file starts it anew.

    A program rather than a process of `multiprocessing`, because the workers of a cluster may
    have no such children.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None

    def check(self, check: FileCheck, path: Path) -> Checked:
        """The result of one file."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pickle.dump((check, path), process.stdin)
            process.stdin.flush()
            # Ours at both ends.
            checked: Checked = pickle.load(process.stdout)  # noqa: S301
        except (OSError, EOFError, pickle.UnpicklingError):
            self.close()
            raise ProcessDiedError(process.returncode) from None
        return checked

    def close(self) -> None:
        """End it."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError, subprocess.TimeoutExpired):
            process.communicate(timeout=5)
        if process.poll() is None:
            process.kill()
            process.wait()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            paths = os.pathsep.join(path for path in sys.path if path)
            self._process = subprocess.Popen(  # noqa: S603 - this very Python
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": paths, **self._environment},
            )
        return self._process


def serve() -> None:
    """The life of such a process: until nobody speaks to it any more."""
    inward, outward = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    # What anybody prints must not get among the answers.
    os.dup2(2, 1)
    while True:
        try:
            check, path = pickle.load(inward)  # noqa: S301 - from who started us
        except EOFError:
            return
        try:
            pickle.dump(check(path), outward)
            outward.flush()
        except BrokenPipeError:
            return


if __name__ == "__main__":
    serve()
