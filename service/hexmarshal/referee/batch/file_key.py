"""What the result of a file depends on: as long as it is the same, nothing is checked again."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.metadata import PackageNotFoundError, entry_points, version
from typing import TYPE_CHECKING

from hexmarshal.rules.plugins.registry import GROUP

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hexmarshal.table.module_finder import Means

__all__ = ["key_of", "modules_beside", "own_version", "rules_version"]


def key_of(path: Path, means: Means) -> str:
    """Another one as soon as the content of the file, or of what it is checked with, is another."""
    options = sorted((means.options or {}).items())
    given = [means.game, means.scenario, options, means.any_module, rules_version()]
    parts = [json.dumps(given, default=str), _digest(path)]
    beside = (means.module,) if means.module is not None else modules_beside(path)
    parts += (_known_digest(f) if f is not None else "" for f in (*beside, means.binding))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@cache
def own_version() -> str:
    """The version of this program, as it is installed."""
    try:
        return version("hexmarshal")
    except PackageNotFoundError:
        return ""


@cache
def rules_version() -> str:
    """The same with what else is installed that brings games."""
    found = {
        f"{entry.dist.name} {entry.dist.version}"
        for entry in entry_points(group=GROUP)
        if entry.dist is not None and entry.dist.name != "hexmarshal"
    }
    return ", ".join((own_version(), *sorted(found)))


def modules_beside(file: Path) -> Sequence[Path]:
    """The modules among which that of a file is looked for."""
    return sorted(file.parent.glob("*.vmod"))


def _known_digest(file: Path) -> str:
    try:
        stat = file.stat()
    except OSError:
        return ""
    return _digest_of(file, stat.st_size, stat.st_mtime_ns)


@cache
def _digest_of(file: Path, _size: int, _time: int) -> str:
    return _digest(file)


def _digest(file: Path) -> str:
    try:
        with file.open("rb") as data:
            return hashlib.file_digest(data, "sha256").hexdigest()
    except OSError:
        return ""
