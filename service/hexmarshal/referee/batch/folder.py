"""A folder of files: checked in worker processes, and skipped when done before and unchanged."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.batch.results_store import FileOutcome, Results
from hexmarshal.referee.batch.worker_pool import Died, work_through

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from hexmarshal.table.module_finder import Means

__all__ = ["FolderSummary", "check_folder", "files_of"]

_SUFFIXES: Final = (".vlog", ".vsav")


@dataclass(frozen=True, slots=True)
class FolderSummary:
    """How many files of which outcome; `skipped` were done before."""

    total: int
    skipped: int
    clean: int
    violations: int
    unbound: int
    failed: tuple[tuple[str, str], ...]
    certain: int
    files: tuple[FileOutcome, ...] = ()

    @property
    def notable(self) -> list[FileOutcome]:
        """The files of which there is something to tell, the worst first."""
        told = (one for one in self.files if one.status != "clean" or one.likely or one.why)
        return sorted(told, key=lambda one: (-one.certain, -one.likely, one.status, one.file))

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "total": self.total,
            "skipped": self.skipped,
            "clean": self.clean,
            "violations": self.violations,
            "unbound": self.unbound,
            "failed": len(self.failed),
            "certain": self.certain,
            "errors": dict(self.failed),
            "files": [one.to_json() for one in self.files],
        }


def files_of(folder: Path, output: Path) -> list[Path]:
    """Every save and log below a folder, in order, but for those in the results' own folder."""
    own = output.resolve()
    found = (p for p in folder.rglob("*") if p.suffix.lower() in _SUFFIXES and p.is_file())
    return sorted(path for path in found if own not in path.resolve().parents)


def check_folder(
    folder: Path,
    files: Sequence[Path],
    means: Means,
    plugins: Sequence[str],
    output: Path,
    jobs: int = 0,
    progress: Callable[[int], None] | None = None,
) -> FolderSummary:
    """Check all files that are new or changed; results go to `output` as they come."""
    advance = progress or (lambda _steps: None)
    jobs = jobs or os.cpu_count() or 1
    with Results(output) as results:
        names = {path: path.relative_to(folder).as_posix() for path in files}
        keys = {path: _key(path, means) for path in files}
        done = results.keys()
        todo = [path for path in files if done.get(names[path]) != keys[path]]
        skipped = len(files) - len(todo)
        advance(skipped)
        for path, result in _checked(todo, means, tuple(plugins), jobs):
            # Who killed a worker may have been the machine: next time it is tried again.
            key = "" if result.pop("died", False) else keys[path]
            results.keep(names[path], key, result)
            advance(1)
        results.forget_all_but(set(names.values()))
        counts = results.counts()
        return FolderSummary(
            len(files),
            skipped,
            counts.get("clean", 0),
            counts.get("violations", 0),
            counts.get("unbound", 0),
            tuple(results.failed()),
            results.certain(),
            tuple(results.outcomes()),
        )


# What a result depends on


def _key(path: Path, means: Means) -> str:
    """Another one as soon as the content of the file, or of what it is checked with, is another."""
    given = [means.game, means.scenario, sorted((means.options or {}).items()), _own_version()]
    parts = [json.dumps(given, default=str), _digest(path)]
    beside = (means.module,) if means.module is not None else tuple(_modules(path.parent))
    parts += (_known_digest(f) if f is not None else "" for f in (*beside, means.binding))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@cache
def _own_version() -> str:
    try:
        return version("hexmarshal")
    except PackageNotFoundError:
        return ""


def _modules(folder: Path) -> Iterator[Path]:
    """The modules among which that of a file is looked for."""
    return iter(sorted(folder.glob("*.vmod")))


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


# Workers


def _checked(
    files: Sequence[Path], means: Means, plugins: tuple[str, ...], jobs: int
) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Each file with its report; in this process if one is enough."""
    work = partial(_check, means=means, plugins=plugins)
    if jobs == 1 or len(files) <= 1:
        yield from ((path, work(path)) for path in files)
        return
    for path, result in work_through(files, work, jobs):
        if isinstance(result, Died):
            text = f"the worker process died on this file (exit code {result.code})"
            yield path, {"error": text, "died": True}
        else:
            yield path, result


def _check(path: Path, *, means: Means, plugins: tuple[str, ...]) -> dict[str, Any]:
    """The report of one file as data; an error is a report too."""
    from hexmarshal.referee.check.check_inputs import check_path
    from hexmarshal.rules.plugins.registry import default

    try:
        registry = default()
        for spec in plugins:
            registry.load(spec)
        return check_path(path, means, registry).to_json()
    except HexMarshalError as error:
        # The name of the file stands beside it.
        within = HexMarshalError(error.message, place=replace(error.place, file=None))
        return {"error": str(within), "hint": error.hint}
    except Exception as error:  # noqa: BLE001 - one bad file must not stop the others
        return {"error": f"a fault of ours: {type(error).__name__}: {error}"}
