"""What `hexmarshal --help` costs beside an empty Python."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable

from ratio import Ratio, compare


def measure() -> Iterable[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        # Compiled beforehand, as an installed program is, whatever this environment says of it.
        env = os.environ | {"PYTHONPYCACHEPREFIX": folder}
        env.pop("PYTHONDONTWRITEBYTECODE", None)

        def run(*args: str) -> None:
            subprocess.run([sys.executable, *args], check=True, stdout=subprocess.DEVNULL, env=env)

        for words, bound in (("--help", 4), ("doctor --help", 14)):
            yield compare(
                f"hexmarshal {words} / python -c pass",
                lambda words=words: run("-m", "hexmarshal.cli", *words.split()),
                lambda: run("-c", "pass"),
                bound,
                rounds=12,
            )
