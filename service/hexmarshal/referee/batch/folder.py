"""A folder of files: each is checked, and skipped when it was done before and is unchanged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.batch.file_key import key_of
from hexmarshal.referee.batch.results_store import Results
from hexmarshal.referee.batch.selection import Selection, name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from hexmarshal.referee.batch.checkers import Checkers
    from hexmarshal.referee.batch.one_file import Checked, FileCheck
    from hexmarshal.referee.batch.pages import Pages
    from hexmarshal.referee.batch.results_store import FileOutcome

__all__ = ["FolderSummary", "check_folder", "summed"]

# So many files are told of; there may be thousands.
_MOST: Final = 40


@dataclass(frozen=True, slots=True)
class FolderSummary:
    """How many files of which outcome; `skipped` were done before, `left` is for another time."""

    output: Path
    total: int
    skipped: int
    left: int
    clean: int
    violations: int
    unbound: int
    failed: int
    certain: int
    notable: tuple[FileOutcome, ...]
    """Files of which there is something to tell, the worst first; not all if there are many."""
    notables: int
    """How many such files there are."""

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of files."""
        names = ("total", "skipped", "left", "clean", "violations", "unbound", "failed")
        return {name: getattr(self, name) for name in names if name != "left" or self.left}

    def to_json(self) -> dict[str, object]:
        """As JSON-able data, with every file."""
        results = Results(self.output)
        try:
            files = [one.to_json() for one in results.outcomes()]
            errors = dict(results.failed())
        finally:
            results.close()
        return {**self.counts, "certain": self.certain, "errors": errors, "files": files}


def check_folder(
    folder: Path,
    files: Sequence[Path],
    check: FileCheck,
    output: Path,
    checkers: Checkers,
    *,
    selection: Selection | None = None,
    present: Sequence[Path] | None = None,
    pages: Pages | None = None,
    progress: Callable[[int], None] | None = None,
    kept: Callable[[str], None] | None = None,
) -> FolderSummary:
    """Check those of the files that are new or changed; results go to `output` as they come.

    What is known of files that are not `present` is forgotten; unless told, `files` are all. The
    name of each file of which there is a new result is told to `kept`.
    """
    chosen = selection or Selection()
    check = replace(check, pages=pages is not None)
    with Results(output) as results:
        if chosen.shard is not None:
            results.mark(chosen.shard)
        names = {name_of(path, folder) for path in (files if present is None else present)}
        round_ = _Round(folder, results, check, chosen, pages, progress or (lambda _steps: None))
        for path, checked in checkers(check, round_.todo(files)):
            if round_.keep(path, checked) and kept is not None:
                kept(name_of(path, folder))
        for gone in results.forget_all_but(names):
            if pages is not None:
                pages.remove(gone)
        made = summed(results)
        if pages is not None:
            pages.write_index(results)
        return replace(made, total=len(files), skipped=round_.skipped, left=round_.left)


class _Round:
    """One go through a folder: what is to be done, and what has come of it."""

    def __init__(
        self,
        folder: Path,
        results: Results,
        check: FileCheck,
        selection: Selection,
        pages: Pages | None,
        advance: Callable[[int], None],
    ) -> None:
        self._folder, self._results, self._check = folder, results, check
        self._selection, self._pages, self._advance = selection, pages, advance
        self._keys: dict[Path, str] = {}
        self.skipped = self.left = 0

    def todo(self, files: Iterable[Path]) -> Iterator[Path]:
        """Each file that is to be checked, when somebody has time for it."""
        given, limit = 0, self._selection.limit
        for path in files:
            if not self._selection.is_new(path):
                self.left += 1
                self._advance(1)
                continue
            name, key = name_of(path, self._folder), key_of(path, self._check.means)
            if self._results.key(name) == key and self._has_page(name):
                self.skipped += 1
                self._advance(1)
            elif limit is not None and given >= limit:
                self.left += 1
                self._advance(1)
            else:
                given += 1
                self._keys[path] = key
                yield path

    def _has_page(self, name: str) -> bool:
        return self._pages is None or self._pages.has(name, failed=self._results.has_failed(name))

    def keep(self, path: Path, checked: Checked) -> bool:
        """Put down what came of a file; not if it has gone."""
        name, key = name_of(path, self._folder), self._keys.pop(path)
        self._advance(1)
        if checked.result.get("error") and not path.exists():
            # Taken away, or renamed, while it was its turn.
            self._results.forget(name)
            return False
        # Who killed a worker may have been the machine: next time it is tried again.
        self._results.keep(name, "" if checked.died else key, checked.result)
        if self._pages is not None:
            self._pages.write(name, checked.page)
        return True


def summed(results: Results) -> FolderSummary:
    """What all results come to."""
    counts = results.counts()
    return FolderSummary(
        results.folder,
        total=sum(counts.values()),
        skipped=0,
        left=0,
        clean=counts.get("clean", 0),
        violations=counts.get("violations", 0),
        unbound=counts.get("unbound", 0),
        failed=counts.get("failed", 0),
        certain=results.certain(),
        notable=tuple(results.outcomes(notable=True, most=_MOST)),
        notables=results.notable(),
    )
