"""Numbers that players say for a side: two points on the dice, the Germans none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.referee.chat.plain_words import WORD
from hexmarshal.scenario.sheets import same_name
from hexmarshal.table.side_names import own_side_names, side_words

if TYPE_CHECKING:
    from hexmarshal.rules.plugin import Game

__all__ = ["SpokenNumbers"]

_WORDS: Final = ("none", "one", "two", "three", "four", "five", "six")


class SpokenNumbers:
    """Keeps the numbers that were said in a phase, by side; they decide between what may be."""

    def __init__(self, game: Game) -> None:
        self._sides = {**side_words(game), **own_side_names(game)}
        self._said: set[tuple[str, int]] = set()

    def hear(self, text: str, side: str) -> None:
        """A line, of a speaker of a side: a number is of the side that was named before it."""
        for found in WORD.findall(text):
            word = same_name(found)
            side = self._sides.get(word) or self._sides.get(word.removesuffix("s")) or side
            number = int(word) if word.isdecimal() else -1
            number = _WORDS.index(word) if word in _WORDS else number
            if number >= 0:
                self._said.add((side, number))

    def forget(self) -> None:
        """The phase is over: what was said was of that."""
        self._said.clear()

    def has(self, side: str, number: int) -> bool:
        """Whether somebody said it of a side."""
        return (side, number) in self._said
