"""Commands that installed games bring along, found without the cost of `importlib.metadata`.

The overview must not wait for it: it costs more than all the rest of `hexmarshal --help`.
"""

from __future__ import annotations

import os
import sys

__all__ = ["contributed"]

GROUP = "[hexmarshal.commands]"


def contributed() -> dict[str, str]:
    """Names of commands, each with `module:attribute` of its app; the first on the path wins."""
    found: dict[str, str] = {}
    for folder in sys.path:
        try:
            entries = [e.path for e in os.scandir(folder or ".") if e.name.endswith(".dist-info")]
        except OSError:
            continue
        for entry in sorted(entries):
            try:
                # A plain `open`: importing pathlib here would cost as much as the reading.
                with open(f"{entry}/entry_points.txt", encoding="utf-8") as file:  # noqa: PTH123
                    text = file.read()
            except (OSError, UnicodeDecodeError):
                continue
            if GROUP in text:
                for name, target in _lines(text):
                    found.setdefault(name, target)
    return found


def _lines(text: str) -> list[tuple[str, str]]:
    section = text.partition(GROUP)[2].partition("\n[")[0]
    pairs = (line.partition("=") for line in section.splitlines() if "=" in line)
    return [(name.strip(), target.strip()) for name, _, target in pairs]
