"""Values that are a text first: written as read, with the meaning read from it on demand."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ExactText"]


@dataclass(frozen=True, slots=True)
class ExactText:
    """A value in VASSAL's own notation; equal if written alike."""

    text: str = ""

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        return bool(self.text)

    def problem(self) -> str | None:
        """What is wrong with the text, in words, or None."""
        return None
