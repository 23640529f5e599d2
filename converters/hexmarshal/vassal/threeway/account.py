"""What a three-way merge took over, and where both sides changed the same thing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FAVOURS", "Account", "Conflict"]

FAVOURS: Final = ("ours", "theirs")
_LONGEST: Final = 300

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Conflict:
    """Something that both sides changed, each in its own way; None stands for what is not there."""

    where: str
    what: str
    base: str | None
    ours: str | None
    theirs: str | None

    def __str__(self) -> str:
        sides = (("base", self.base), ("ours", self.ours), ("theirs", self.theirs))
        lines = [f"    {name:<6} {_said(value)}" for name, value in sides]
        return "\n".join([f"{self.where}: {self.what}", *lines])

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "where": self.where,
            "what": self.what,
            "base": self.base,
            "ours": self.ours,
            "theirs": self.theirs,
        }


def _said(value: str | None) -> str:
    if value is None:
        return "(not there)"
    return repr(value if len(value) <= _LONGEST else value[:_LONGEST] + "...")


@dataclass(slots=True)
class Account:
    """What came from theirs, in words, and the conflicts; `favour` decides what those become."""

    favour: str = "ours"
    taken: list[str] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    hide: Callable[[str], str] = lambda text: text
    """Takes players' passwords out of what is told."""

    def take(self, words: str) -> None:
        """Note what came from theirs."""
        self.taken.append(self.hide(words))

    def clash(
        self, where: str, what: str, base: str | None, ours: str | None, theirs: str | None
    ) -> None:
        """Note a conflict."""
        told = (None if text is None else self.hide(text) for text in (base, ours, theirs))
        self.conflicts.append(Conflict(self.hide(where), self.hide(what), *told))

    @property
    def favours_theirs(self) -> bool:
        """Whether conflicts are decided as theirs has it."""
        return self.favour == "theirs"

    def choose(
        self,
        values: tuple[T, T, T],
        where: str,
        what: str,
        say: Callable[[T], str | None] = lambda value: None if value is None else str(value),
    ) -> T:
        """The value of base, ours and theirs to go on with; theirs if ours is as it was."""
        base, ours, theirs = values
        if theirs in (base, ours):
            return ours
        if ours == base:
            return theirs
        self.clash(where, what, say(base), say(ours), say(theirs))
        return theirs if self.favours_theirs else ours
