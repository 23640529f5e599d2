"""A server in a process of its own, as a user starts it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

FRONTIER = f"{Path(__file__).parent / 'frontier'}:Frontier"
ENV = {"HEXMARSHAL_PLUGINS": FRONTIER}


@contextmanager
def served(*options: str):
    """A server in a process of its own: its address and the process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "hexmarshal", "serve", "--listen", "127.0.0.1:0", *options],
        stderr=subprocess.PIPE,
        env=os.environ | ENV,
        text=True,
    )
    try:
        line = process.stderr.readline()
        yield json.loads(line)["address"], process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(10)
        process.stderr.close()
