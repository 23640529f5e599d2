"""Runs the checks over a file, and mends what can be mended safely."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from hexmarshal.errors import UsageError
from hexmarshal.vassal.behaviour import checks as behaviour
from hexmarshal.vassal.container.archive import Archive, FileKind
from hexmarshal.vassal.lint import (
    contents,
    expressions,
    files,
    formats,
    gpids,
    grids,
    names,
    saves,
    spelling,
    targets,
)
from hexmarshal.vassal.lint.checks import Subject
from hexmarshal.vassal.lint.saves import SaveSubject
from hexmarshal.vassal.lint.subject import ModuleSubject, lenient_module
from hexmarshal.vassal.module import Module, is_build_file
from hexmarshal.vassal.privacy.secrets import redactor_of
from hexmarshal.vassal.saves.savegame import SavedGame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hexmarshal.errors import Place
    from hexmarshal.vassal.container.limits import Limits
    from hexmarshal.vassal.lint.checks import Check, Finding

S = TypeVar("S", bound=Subject)

__all__ = [
    "MODULE_CHECKS",
    "SAVE_CHECKS",
    "check_module",
    "check_save",
    "fix_module",
    "open_subject",
]

MODULE_CHECKS: Final[tuple[Check[ModuleSubject], ...]] = (
    *formats.CHECKS,
    *files.CHECKS,
    *contents.CHECKS,
    *gpids.CHECKS,
    *names.CHECKS,
    *targets.CHECKS,
    *expressions.CHECKS,
    *grids.CHECKS,
    *spelling.CHECKS,
    *behaviour.CHECKS,
)
SAVE_CHECKS: Final[tuple[Check[SaveSubject], ...]] = saves.CHECKS


def open_subject(
    path: Path | str, base: Path | str | None = None, limits: Limits | None = None
) -> ModuleSubject | SaveSubject:
    """The file to look at, with the module that it belongs to if that is given."""
    path = Path(path)
    own = None if base is None else Module.open(base, limits)
    module = Module.open(path, limits) if is_build_file(path) else None
    if module is None:
        archive = Archive.open(path, limits)
        if archive.kind is FileKind.SAVE:
            return SaveSubject(SavedGame.from_archive(archive), own)
        module = lenient_module(archive)
    if own is not None and not module.is_extension:
        raise UsageError(
            "only an extension or a saved game belongs to a module", place=module.place
        )
    return ModuleSubject(module, own)


def check_module(
    subject: ModuleSubject,
    ignore: Iterable[str] = (),
    done: Callable[[int], None] = lambda _steps: None,
) -> list[Finding]:
    """Everything found in a module or extension, the worst first."""
    chosen = [c for c in MODULE_CHECKS if subject.has_files or not c.needs_files]
    return _sorted(_run(chosen, subject, set(ignore), done))


def check_save(
    subject: SaveSubject,
    ignore: Iterable[str] = (),
    done: Callable[[int], None] = lambda _steps: None,
    *,
    show_secrets: bool = False,
) -> list[Finding]:
    """Everything found in a saved game or log, the worst first, without players' ids."""
    findings = _sorted(_run(SAVE_CHECKS, subject, set(ignore), done))
    if show_secrets:
        return findings
    hide = redactor_of(subject.saved.root)
    return [replace(f, message=hide(f.message), place=_hidden(f.place, hide)) for f in findings]


def _hidden(place: Place, hide: Callable[[str], str]) -> Place:
    unit = place.unit
    return place if unit is None else replace(place, unit=hide(unit))


def _run(
    checks: Sequence[Check[S]],
    subject: S,
    ignored: set[str],
    done: Callable[[int], None],
) -> Iterator[Finding]:
    for check in checks:
        if check.id not in ignored:
            yield from check.findings(subject)
        done(1)


def _sorted(findings: Iterable[Finding]) -> list[Finding]:
    # Stable: within a severity the checks keep their order, and each the order of the file.
    return sorted(findings, key=lambda finding: -finding.severity)


@dataclass(frozen=True, slots=True)
class Mended:
    """Something that was changed in a module."""

    id: str
    what: str


def fix_module(
    subject: ModuleSubject, ignore: Iterable[str] = (), *, remove_unused: bool = False
) -> list[Mended]:
    """Mend what can be mended safely; the module is changed but not yet saved."""
    done: list[Mended] = []
    ignored = set(ignore)
    for check in MODULE_CHECKS:
        left_out = check.id in ignored or (check.needs_files and not subject.has_files)
        if check.mend is not None and not left_out:
            # Each looks anew, because the one before may have changed what it sees.
            fresh = ModuleSubject(subject.module, subject.base)
            done += [Mended(check.id, what) for what in check.mend(fresh)]
    if remove_unused and subject.has_files:
        fresh = ModuleSubject(subject.module, subject.base)
        done += [Mended("unused-image", what) for what in files.remove_unused(fresh)]
    return done
