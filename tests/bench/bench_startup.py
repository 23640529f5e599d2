"""What `hexmarshal --help` costs beside an empty Python."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable

from ratio import Ratio, compare


def measure() -> Iterable[Ratio]:
    def run(*args: str) -> None:
        subprocess.run([sys.executable, *args], check=True, stdout=subprocess.DEVNULL)

    yield compare(
        "hexmarshal --help / python -c pass",
        lambda: run("-m", "hexmarshal.cli", "--help"),
        lambda: run("-c", "pass"),
        4,
        rounds=10,
    )
    yield compare(
        "hexmarshal doctor --help / python -c pass",
        lambda: run("-m", "hexmarshal.cli", "doctor", "--help"),
        lambda: run("-c", "pass"),
        14,
        rounds=10,
    )
