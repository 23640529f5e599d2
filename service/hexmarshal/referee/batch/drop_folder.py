"""A drop folder: each new or changed file is checked once it is whole, its report beside it."""

from __future__ import annotations

import time
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.batch.file_key import modules_beside
from hexmarshal.referee.batch.folder import check_folder
from hexmarshal.referee.batch.results_store import Results
from hexmarshal.referee.batch.selection import files_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hexmarshal.referee.batch.checkers import Checkers
    from hexmarshal.referee.batch.one_file import FileCheck
    from hexmarshal.referee.batch.pages import Pages
    from hexmarshal.referee.batch.results_store import FileOutcome

__all__ = ["DropFolder"]

# Seconds between two looks: a folder on another machine tells of no changes by itself.
_PAUSE: Final = 1.0
# A whole archive that looks the same twice is written to no more; one that is not whole may be on
# its way over a slow line, and is given so many looks.
_STILL_BROKEN: Final = 15

_Look = tuple[str, int, int, int]


@dataclass(slots=True)
class _Seen:
    """How a file and what it is checked with looked, and how often they have looked so since."""

    looks: tuple[_Look, ...]
    still: int = 0
    done: bool = False


class DropFolder:
    """The folder, and what is known of the files in it."""

    def __init__(
        self, folder: Path, check: FileCheck, output: Path, checkers: Checkers, pages: Pages
    ) -> None:
        self._folder, self._check, self._output = folder, check, output
        self._checkers, self._pages = checkers, pages
        self._seen: dict[Path, _Seen] = {}
        self._started = False

    def watch(self) -> Iterator[FileOutcome]:
        """What comes of each file, for ever."""
        while True:
            yield from self.look()
            time.sleep(_PAUSE)

    def look(self) -> list[FileOutcome]:
        """Look once: check what has come to rest since the last look, forget what is gone."""
        if not self._folder.is_dir():
            # A share that is away for a while: nothing in it is gone.
            return []
        files = files_of(self._folder, self._output)
        beside: dict[Path, tuple[_Look, ...]] = {}
        ready = [path for path in files if self._is_ready(path, beside)]
        gone = self._seen.keys() - set(files)
        for path in gone:
            del self._seen[path]
        if not ready and not gone and self._started:
            return []
        self._started = True
        told: list[str] = []
        check_folder(
            self._folder,
            ready,
            self._check,
            self._output,
            self._checkers,
            present=files,
            pages=self._pages,
            kept=told.append,
        )
        for path in ready:
            self._seen[path].done = True
        results = Results(self._output)
        try:
            return [one for name in told for one in results.outcomes(name)]
        finally:
            results.close()

    def _is_ready(self, path: Path, beside: dict[Path, tuple[_Look, ...]]) -> bool:
        """Whether a file that is not done has not changed for a while, and is whole."""
        if path.parent not in beside:
            means = self._check.means
            given = (means.module,) if means.module is not None else modules_beside(path)
            beside[path.parent] = tuple(_look(f) for f in (*given, means.binding) if f is not None)
        looks = (_look(path), *beside[path.parent])
        seen = self._seen.get(path)
        if seen is None or seen.looks != looks:
            self._seen[path] = _Seen(looks)
            return False
        seen.still += 1
        if seen.done:
            return False
        return seen.still >= _STILL_BROKEN or zipfile.is_zipfile(path)


def _look(path: Path) -> _Look:
    try:
        stat = path.stat()
    except OSError:
        return str(path), 0, 0, 0
    return str(path), stat.st_size, stat.st_mtime_ns, stat.st_ino
