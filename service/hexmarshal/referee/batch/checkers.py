"""Who checks the files of a folder: processes of this machine, or other machines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from hexmarshal.referee.batch.one_file import Checked
from hexmarshal.referee.batch.worker_pool import Died, work_through

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from hexmarshal.referee.batch.one_file import FileCheck

__all__ = ["Checkers", "Pool", "set_aside"]


class Checkers(Protocol):
    """Takes files one by one; each comes back with its result, in any order."""

    def __call__(self, check: FileCheck, files: Iterable[Path]) -> Iterator[tuple[Path, Checked]]:
        """Each file with its result; one that kills its worker twice is set aside."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Processes of this machine that check; a single one works in this very process.

    Unless it is `apart`: then no file can do any harm here.
    """

    jobs: int
    apart: bool = False

    def __call__(self, check: FileCheck, files: Iterable[Path]) -> Iterator[tuple[Path, Checked]]:
        """Each file with its result; one that kills its worker twice is set aside."""
        if self.jobs == 1 and not self.apart:
            yield from ((path, check(path)) for path in files)
            return
        suspects = []
        for path, found in work_through(files, check, self.jobs):
            if isinstance(found, Died):
                suspects.append(path)
            else:
                yield path, found
        for path, found in work_through(suspects, check, 1):
            yield path, set_aside(found.code) if isinstance(found, Died) else found


def set_aside(code: int | None) -> Checked:
    """In place of a result of a file on which two workers died."""
    why = f" (exit code {code})" if code is not None else ""
    return Checked({"error": f"set aside: two workers died on this file{why}"}, died=True)
