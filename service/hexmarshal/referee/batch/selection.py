"""Which files of a folder are to be checked: all, those of one shard, the newer ones, a number."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Self

from hexmarshal.errors import UsageError

__all__ = ["Selection", "Shard", "files_of", "name_of", "since"]

_SUFFIXES: Final = (".vlog", ".vsav")
_SPANS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def files_of(folder: Path, output: Path) -> list[Path]:
    """Every save and log below a folder, in order, but for those in the results' own folder."""
    own = os.path.realpath(output)
    found: list[Path] = []
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if os.path.realpath(Path(where, name)) != own]
        found += (
            Path(where, name)
            for name in names
            if name.lower().endswith(_SUFFIXES) and Path(where, name).is_file()
        )
    return sorted(found)


def name_of(path: Path, folder: Path) -> str:
    """What a file is called in the results; bytes that are no text are shown as such."""
    name = path.relative_to(folder).as_posix()
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several parts; a file belongs to the same one, whatever else is in the folder."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """From `2/8`: the second of eight."""
        found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            raise UsageError(
                f"--shard {text!r} is not a part of a whole", hint="the second of eight is 2/8"
            )
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def __contains__(self, name: str) -> bool:
        digest = hashlib.sha256(name.encode()).digest()
        return int.from_bytes(digest[:8], "big") % self.of == self.number - 1


@dataclass(frozen=True, slots=True)
class Selection:
    """What of a folder is looked at in one go."""

    shard: Shard | None = None
    since: float | None = None
    """The time, in seconds of the epoch, after which a file has changed."""
    limit: int | None = None
    """So many files at most are checked; those that are done already do not count."""

    def of(self, folder: Path, files: list[Path]) -> list[Path]:
        """The files that belong to the shard."""
        if self.shard is None:
            return files
        return [path for path in files if name_of(path, folder) in self.shard]

    def is_new(self, path: Path) -> bool:
        """Whether it has changed since the time that was asked for."""
        if self.since is None:
            return True
        try:
            return path.stat().st_mtime >= self.since
        except OSError:
            return False


def since(text: str, now: datetime) -> float:
    """The time that `2026-11-01`, `2026-11-01T18:30`, or `36h`, `7d`, `2w` before now is.

    >>> noon = datetime.fromisoformat("2026-01-01T12:00+00:00")
    >>> since("1h", noon) == since("2026-01-01T11:00+00:00", noon)
    True
    """
    if found := re.fullmatch(r"(\d{1,6})([mhdw])", text):
        try:
            return (now - timedelta(**{_SPANS[found[2]]: int(found[1])})).timestamp()
        except OverflowError:
            return 0.0
    try:
        # A time without a zone is one of the clock on the wall.
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        raise UsageError(
            f"--since {text!r} is no time",
            hint="2026-11-01, 2026-11-01T18:30, or so long ago: 36h, 7d, 2w",
        ) from None
