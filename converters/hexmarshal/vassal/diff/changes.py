"""What differs between two files, as data that reads as words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["Change", "Detail", "Difference"]

_SIGNS: Final = {"added": "+", "removed": "-", "changed": "~", "moved": ">", "renamed": "="}
_LONGEST: Final = 160
# What is shown of a long value before the place where it differs.
_BEFORE: Final = 40


@dataclass(frozen=True, slots=True)
class Detail:
    """One value that differs; None stands for one that is not there."""

    what: str
    old: str | None
    new: str | None

    def __str__(self) -> str:
        return self.shown()

    def shown(self, *, whole: bool = False) -> str:
        """In words; long values are cut to where they differ unless they shall be `whole`."""
        most = None if whole else _LONGEST
        if self.old is None:
            return f"{self.what}: added" + (f" {_short(self.new or '', most)}" if self.new else "")
        if self.new is None:
            return f"{self.what}: removed" + (f" {_short(self.old, most)}" if self.old else "")
        start = 0
        if most is not None and max(len(self.old), len(self.new)) > most:
            start = max(0, _first_difference(self.old, self.new) - _BEFORE)
        one, other = (_short(text, most, start) for text in (self.old, self.new))
        return f"{self.what}: {one} -> {other}"

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {"what": self.what, "from": self.old, "to": self.new}


def _first_difference(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _short(text: str, most: int | None, start: int = 0) -> str:
    shown = text[start:] if most is None else text[start : start + most]
    before = "..." if start else ""
    return repr(before + shown + ("..." if start + len(shown) < len(text) else ""))


@dataclass(frozen=True, slots=True)
class Change:
    """Something that was added, removed, changed, moved or renamed."""

    kind: str
    group: str
    name: str
    where: str = ""
    details: tuple[Detail, ...] = ()

    def __str__(self) -> str:
        where = f" ({self.where})" if self.where else ""
        return f"{_SIGNS[self.kind]} {self.name or '(no name)'}{where}"

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "change": self.kind,
            "group": self.group,
            "name": self.name,
            "where": self.where,
            "details": [detail.as_dict() for detail in self.details],
        }

    def rewritten(self, write: Callable[[str], str]) -> Change:
        """With every text passed through `write`."""

        def each(text: str | None) -> str | None:
            return None if text is None else write(text)

        details = tuple(Detail(write(d.what), each(d.old), each(d.new)) for d in self.details)
        return replace(self, name=write(self.name), where=write(self.where), details=details)


@dataclass(slots=True)
class Difference:
    """Everything that differs between two files."""

    changes: list[Change] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.changes)

    def add(self, changes: Iterable[Change]) -> None:
        """Take more changes in."""
        self.changes += changes

    def groups(self) -> dict[str, list[Change]]:
        """The changes by what they are about, in the order of their first appearance."""
        found: dict[str, list[Change]] = {}
        for change in self.changes:
            found.setdefault(change.group, []).append(change)
        return found

    def summary(self) -> dict[str, dict[str, int]]:
        """How many of each kind in each group."""
        return {name: dict(Counter(c.kind for c in found)) for name, found in self.groups().items()}

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "same": not self.changes,
            "summary": self.summary(),
            "changes": [change.as_dict() for change in self.changes],
        }
