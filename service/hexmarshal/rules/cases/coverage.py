"""Which rules are implemented where and tested where: ids cited in a game's code and in tests."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from hexmarshal.rules.rulebook import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.rulebook import Rulebook

__all__ = ["Citation", "Coverage", "coverage_of", "package_folder", "tests_folder"]

_TOKEN = re.compile(r"\b[A-Z][A-Z0-9]+-[A-Za-z0-9][A-Za-z0-9.()_/-]*")
_CODE = {".py", ".yaml", ".yml"}
_TESTS = {".py", ".yaml", ".yml", ".json"}


@dataclass(frozen=True, slots=True)
class Citation:
    """A line that names a rule."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Coverage:
    """Where the rules of one game are named; `strangers` stand in its code alone."""

    rulebook: Rulebook
    implemented: Mapping[str, tuple[Citation, ...]]
    tested: Mapping[str, tuple[Citation, ...]]
    strangers: Mapping[str, tuple[Citation, ...]]

    def problems(self) -> list[str]:
        """What CI refuses: implemented without code or test, and ids that do not exist."""
        found = []
        for rule in self.rulebook.with_status(Status.IMPLEMENTED):
            if rule.id not in self.implemented:
                found.append(f"{rule.id} is marked implemented, but no code cites it")
            if rule.id not in self.tested:
                found.append(f"{rule.id} is marked implemented, but no test names it")
        for stranger, places in self.strangers.items():
            found.append(f"{stranger} is cited in {places[0]}, but the rulebook does not have it")
        return found


def coverage_of(
    plugin: GamePlugin, tests: Path | None = None, package: Path | None = None
) -> Coverage:
    """The citations of a game's rules in its package and in a folder of tests."""
    home = package or package_folder(plugin)
    root = tests or tests_folder(home)
    book = plugin.rulebook
    code = _citations(_files(home, _CODE), home.parent, book)
    inside = [home] if root is not None and home.is_relative_to(root) else []
    tested = _citations(_files(root, _TESTS, inside), root.parent, book) if root else {}
    prefixes = {rule.partition("-")[0] for rule in book}
    strangers = {
        rule: places
        for rule, places in code.items()
        if rule not in book and rule.partition("-")[0] in prefixes
    }
    return Coverage(
        book,
        {rule: places for rule, places in code.items() if rule in book},
        {rule: places for rule, places in tested.items() if rule in book},
        strangers,
    )


def package_folder(plugin: GamePlugin) -> Path:
    """The folder that holds the plugin's class."""
    return Path(inspect.getfile(type(plugin))).resolve().parent


def tests_folder(package: Path) -> Path | None:
    """The `tests` beside the `pyproject.toml` above a package; None in an installed one."""
    for folder in package.parents:
        if (folder / "pyproject.toml").is_file() and (folder / "tests").is_dir():
            return folder / "tests"
    return None


def _files(root: Path, suffixes: set[str], without: Iterable[Path] = ()) -> Iterator[Path]:
    for path in sorted(root.rglob("*")):
        if path.suffix not in suffixes or "__pycache__" in path.parts:
            continue
        if path.name.startswith("rulebook") or any(path.is_relative_to(w) for w in without):
            continue
        yield path


@cache
def _tokens(path: Path, _changed: int) -> tuple[tuple[str, int], ...]:
    """Rule-like words of a file with their lines; kept, because many games share the tests."""
    text = path.read_text("utf-8", "replace")
    lines = enumerate(text.splitlines(), start=1)
    return tuple((m[0], number) for number, line in lines for m in _TOKEN.finditer(line))


def _citations(
    files: Iterable[Path], relative_to: Path, book: Rulebook
) -> dict[str, tuple[Citation, ...]]:
    found: dict[str, list[Citation]] = {}
    for path in files:
        for token, line in _tokens(path, path.stat().st_mtime_ns):
            where = Citation(path.relative_to(relative_to).as_posix(), line)
            for rule in _rules(token, book):
                found.setdefault(rule, []).append(where)
    return {rule: tuple(places) for rule, places in found.items()}


def _rules(token: str, book: Rulebook) -> Iterator[str]:
    """The rule that a word names, without the punctuation that follows it in a sentence."""
    word = token
    while word:
        if word in book:
            yield word
            return
        if word[-1].isalnum():
            break
        word = word[:-1]
    parts = token.split("/")
    if len(parts) > 1 and all(_TOKEN.match(part) for part in parts):
        for part in parts:
            yield from _rules(part, book)
        return
    yield token.rstrip(".()_/-")
