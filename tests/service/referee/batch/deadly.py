"""Work that kills its worker, in a module that a new process loads in no time."""

from __future__ import annotations

import os
import signal


def squared(task: int) -> int:
    if task == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return task * task
