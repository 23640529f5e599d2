"""Kills servers, workers and the database: `python tests/bench/service/kills.py [NUMBER]`.

Half of the kills on SQLite, half on PostgreSQL if it is on this machine; ends with 0 if no action
that was acknowledged is lost or done twice.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "service"))

from server import kills, postgres


def main(number: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        print(kills.of_server_and_workers(Path(folder) / "a.sqlite3", number // 2), flush=True)
    binaries = postgres.binaries()
    if binaries is None:
        print("no PostgreSQL here")
    else:
        print(kills.of_everything(binaries, number - number // 2), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
