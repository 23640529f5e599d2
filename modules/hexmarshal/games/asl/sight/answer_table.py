"""The answers to all lines between locations of a board, decided once when it is made ready.

A board has a few hundred locations and so some ten thousand lines between them; they are decided
together in a fraction of a second, and a megabyte or two keeps what came of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.games.asl.sight.ground.profiles import MOST_HEXES

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from hexmarshal.games.asl.sight.view import Answers
    from hexmarshal.vassal.vasl import Board

    Ints = npt.NDArray[np.int64]
    Ask = Callable[[Ints, Ints, Ints, Ints], Answers]

__all__ = ["MOST_LOCATIONS", "AnswerTable", "table_of"]

MOST_LOCATIONS = 900
"""Maps with more locations decide their lines when they are asked."""

_TOGETHER = 12_000
_NOWHERE = -1


class AnswerTable:
    """What became of the line between every two locations; `words` holds it, packed."""

    def __init__(self, board: Board, words: npt.NDArray[np.int32]) -> None:
        self.words = words
        self.count = int(words.shape[0])
        hexes, levels = _locations(board)
        self._lowest, self._tallest = int(levels.min()), int(levels.max())
        wide = self._tallest - self._lowest + 1
        self._number = np.full((len(board.grid.names), wide), _NOWHERE, np.int64)
        self._number[hexes, levels - self._lowest] = np.arange(hexes.size)
        self._numbers: list[list[int]] = self._number.tolist()

    def find(
        self, one: Ints, one_level: Ints, two: Ints, two_level: Ints
    ) -> tuple[Ints, Ints, Ints] | None:
        """Causes, hindrances and hexes of lines; None if one of the locations is not there."""
        a, b = self._locate(one, one_level), self._locate(two, two_level)
        if a is None or b is None:
            return None
        words = self.words.ravel().take(a * self.count + b).astype(np.int64)
        return words & 255, (words >> 8) & 255, (words >> 16) - 1

    def one(
        self, one: int, one_level: int, two: int, two_level: int
    ) -> tuple[int, int, int] | None:
        """The same for a single line."""
        a, b = self._place(one, one_level), self._place(two, two_level)
        if a < 0 or b < 0:
            return None
        word: int = self.words.item(a, b)
        return word & 255, (word >> 8) & 255, (word >> 16) - 1

    def _locate(self, hexes: Ints, levels: Ints) -> Ints | None:
        column = levels - self._lowest
        if column.size and (column.min() < 0 or column.max() >= self._number.shape[1]):
            return None
        found: Ints = self._number[hexes, column]
        return None if (found < 0).any() else found

    def _place(self, index: int, level: int) -> int:
        if not self._lowest <= level <= self._tallest:
            return _NOWHERE
        return self._numbers[index][level - self._lowest]


def _locations(board: Board) -> tuple[Ints, Ints]:
    """The hexes of all locations, and their levels."""
    listed = [(i, at) for i, levels in enumerate(board.levels) for at in {v.above for v in levels}]
    hexes, levels = np.array(sorted(listed), np.int64).T
    return hexes, levels


def table_of(board: Board, ask: Ask) -> AnswerTable | None:
    """Decide the lines between all locations, unless there are too many of them."""
    hexes, levels = _locations(board)
    if len(board.grid.names) > MOST_HEXES or hexes.size > MOST_LOCATIONS:
        return None
    words = np.zeros((hexes.size, hexes.size), np.int32)
    first, second = np.triu_indices(hexes.size)
    for low in range(0, first.size, _TOGETHER):
        i, j = first[low : low + _TOGETHER], second[low : low + _TOGETHER]
        found = ask(hexes[i], levels[i], hexes[j], levels[j])
        words[i, j] = found.cause | found.hindrance << 8 | (found.at + 1) << 16
    return AnswerTable(board, np.maximum(words, words.T))
