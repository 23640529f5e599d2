"""Names in a recipe: a glob such as `*Infantry`, or a regular expression between slashes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import translate
from typing import TYPE_CHECKING

from hexmarshal.errors import BadInputError

if TYPE_CHECKING:
    from hexmarshal.errors import Place

__all__ = ["Pattern", "compiled"]


def compiled(text: str, place: Place) -> re.Pattern[str]:
    """A regular expression of a recipe."""
    try:
        return re.compile(text, re.DOTALL)
    except (re.error, OverflowError, RecursionError) as why:
        raise BadInputError(f"{text!r} is not a regular expression: {why}", place=place) from None


@dataclass(frozen=True, slots=True)
class Pattern:
    """One or more patterns, of which one must match the whole text."""

    text: str
    any_of: tuple[re.Pattern[str], ...]

    @classmethod
    def read(cls, given: object, place: Place) -> Pattern:
        """From a text or a list of texts."""
        texts = [_word(each) for each in (given if isinstance(given, list) else [given])]
        return cls(" or ".join(texts), tuple(_one(text, place) for text in texts))

    def holds(self, text: str) -> bool:
        """Whether a text matches."""
        return any(pattern.fullmatch(text) for pattern in self.any_of)


def _word(given: object) -> str:
    if isinstance(given, bool):
        return "true" if given else "false"
    return str(given)


def _one(text: str, place: Place) -> re.Pattern[str]:
    if len(text) > 2 and text[0] == "/" == text[-1]:
        return compiled(text[1:-1], place)
    return re.compile(translate(text))
