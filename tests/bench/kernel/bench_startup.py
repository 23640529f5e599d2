"""What `hexmarshal --help` costs beside an empty Python."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable

from ratio import Ratio, compare


def measure() -> Iterable[Ratio]:
    def run(*args: str) -> None:
        subprocess.run([sys.executable, *args], check=True, stdout=subprocess.DEVNULL)

    for words, bound in (("--help", 4), ("doctor --help", 14)):
        yield compare(
            f"hexmarshal {words} / python -c pass",
            lambda words=words: run("-m", "hexmarshal", *words.split()),
            lambda: run("-c", "pass"),
            bound,
            rounds=12,
        )
