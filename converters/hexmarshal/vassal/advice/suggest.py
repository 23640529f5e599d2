"""Which habits a module lacks, each with the recipe that adds it to this very module."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.vassal.advice.habits import HABITS
from hexmarshal.vassal.components import PieceSlot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.lint.subject import ModuleSubject

__all__ = ["Suggestion", "suggestions"]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One thing that the module lacks."""

    id: str
    title: str
    good_for: str
    recipe: str
    command: str

    def as_dict(self) -> dict[str, str]:
        """For JSON."""
        return {
            "id": self.id,
            "title": self.title,
            "good_for": self.good_for,
            "recipe": self.recipe,
            "command": self.command,
        }


def suggestions(subject: ModuleSubject) -> Iterator[Suggestion]:
    """What a module of this size would be expected to have and has not; an extension gets none."""
    if subject.module.is_extension:
        return
    pieces = sum(1 for _ in subject.each(PieceSlot))
    for habit in HABITS:
        if pieces >= habit.pieces and not habit.has(subject):
            recipe = habit.recipe(subject)
            yield Suggestion(habit.id, habit.title, habit.good_for, recipe, habit.command)
