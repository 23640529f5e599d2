"""A real Dask cluster on this machine, of processes that a test may kill one by one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

# Until a process of the cluster is up; how fast it is does not matter.
PATIENCE = 120.0


@dataclass
class LocalCluster:
    """A scheduler and its workers."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)


def _start(*words: str, log: Path) -> subprocess.Popen[bytes]:
    config = {
        "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "20s",
        "DASK_DISTRIBUTED__SCHEDULER__WORK_STEALING": "True",
        "PYTHONWARNINGS": "ignore",
    }
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(
        [sys.executable, "-m", *words],
        env={**os.environ, **config, "PYTHONPATH": paths},
        stdout=subprocess.DEVNULL,
        stderr=log.open("wb"),
    )


@contextmanager
def local_cluster(place: Path, workers: int = 2) -> Iterator[LocalCluster]:
    """Gone afterwards, whatever was killed in between."""
    file = place / "scheduler.json"
    scheduler = _start(
        *("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"),
        *("--no-dashboard", "--no-jupyter", "--no-show", "--scheduler-file", str(file)),
        log=place / "scheduler.log",
    )
    made = LocalCluster("", scheduler)
    try:
        made.workers = [
            _start(
                *("distributed.cli.dask_worker", "--scheduler-file", str(file), "--no-nanny"),
                *("--host", "127.0.0.1", "--nthreads", "1", "--no-dashboard"),
                *("--local-directory", str(place / f"worker{number}")),
                log=place / f"worker{number}.log",
            )
            for number in range(workers)
        ]
        end = time.monotonic() + PATIENCE
        while not made.address:
            assert scheduler.poll() is None, (place / "scheduler.log").read_text()
            assert time.monotonic() < end, "the scheduler does not start"
            if file.exists():
                with suppress(ValueError):  # half written
                    made.address = json.loads(file.read_text())["address"]
            time.sleep(0.05)
        yield made
    finally:
        for process in (*made.workers, scheduler):
            process.kill()
            process.wait()
