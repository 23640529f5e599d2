"""What a check is: an id, how much it matters, what it means, and a function that finds it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.errors import Place

__all__ = ["SEVERITIES", "Check", "Finding", "Found", "Severity", "Subject"]


class Severity(IntEnum):
    """How much a finding matters."""

    INFO = 1
    """Good to know; nothing is wrong."""
    WARNING = 2
    """Something does less than its author meant."""
    ERROR = 3
    """Players see an error, or something is lost."""

    @property
    def word(self) -> str:
        """As it is printed."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Found:
    """What a check sees: where, in words, and whether it matters less here than usual."""

    message: str
    place: Place
    path: str = ""
    severity: Severity | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found in a file."""

    id: str
    severity: Severity
    message: str
    place: Place
    path: str
    """The component path, as extensions and traits write it; empty where there is none."""
    hint: str
    fixable: bool

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "id": self.id,
            "severity": self.severity.word,
            "message": self.message,
            "place": self.place.as_dict(),
            "path": self.path,
            "hint": self.hint,
            "fixable": self.fixable,
        }


class Subject:
    """What is looked at: a module, an extension or a saved game."""


S = TypeVar("S", bound=Subject)


@dataclass(frozen=True, slots=True)
class Check(Generic[S]):
    """One declared check. `mend` changes the file so that nothing is found, and tells what it did.

    A check that `needs_files` is left out when there is only a build file without its archive.
    """

    id: str
    severity: Severity
    title: str
    advice: str
    look: Callable[[S], Iterator[Found]]
    mend: Callable[[S], Iterator[str]] | None = None
    needs_files: bool = False

    def findings(self, subject: S) -> Iterator[Finding]:
        """Everything that this check finds."""
        for found in self.look(subject):
            severity = self.severity if found.severity is None else found.severity
            yield Finding(
                self.id,
                severity,
                found.message,
                found.place,
                found.path,
                found.hint or self.advice,
                self.mend is not None,
            )


SEVERITIES: Final = {severity.word: severity for severity in Severity}
