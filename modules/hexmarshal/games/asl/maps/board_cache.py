"""A folder of boards made ready before: keyed by content, bounded, and never half written."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hexmarshal.errors import OutputError
from hexmarshal.vassal.container.atomic import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["LIMIT", "Cache", "cache_folder", "key_of"]

LIMIT = 512 << 20
"""So many bytes are kept; what was not used for longest goes first."""

_VARIABLE = "HEXMARSHAL_CACHE"
_SUFFIX = ".board.npz"


def cache_folder() -> Path | None:
    """Where prepared boards are kept: HEXMARSHAL_CACHE, or the platform's cache folder.

    None, and so no cache, if HEXMARSHAL_CACHE is set to nothing.
    """
    named = os.environ.get(_VARIABLE)
    if named is not None:
        return Path(named) if named else None
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / "hexmarshal" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "hexmarshal"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "hexmarshal"


def key_of(parts: Iterable[bytes]) -> str:
    """A name for what these bytes make."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:40]


class Cache:
    """Sets of arrays by key."""

    def __init__(self, folder: Path | None, limit: int = LIMIT) -> None:
        self.folder, self.limit = folder, limit

    def get(self, key: str) -> dict[str, Any] | None:
        """The arrays kept under a key; None if there are none, or if the file is damaged."""
        if self.folder is None:
            return None
        path = self.folder / f"{key}{_SUFFIX}"
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in stored.files}
        except (OSError, ValueError, TypeError, KeyError, EOFError, zipfile.BadZipFile):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return arrays

    def put(self, key: str, arrays: Mapping[str, Any]) -> None:
        """Keep arrays; a cache that cannot be written is no reason to fail."""
        if self.folder is None:
            return
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)
        with contextlib.suppress(OSError, OutputError):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(self.folder / f"{key}{_SUFFIX}", [buffer.getvalue()], force=True)
            self._prune()

    def _prune(self) -> None:
        assert self.folder is not None
        files = []
        for path in self.folder.glob(f"*{_SUFFIX}"):
            with contextlib.suppress(OSError):
                state = path.stat()
                files.append((state.st_mtime_ns, state.st_size, path))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files)[:-1]:
            if total <= self.limit:
                break
            with contextlib.suppress(OSError):
                path.unlink()
            total -= size
