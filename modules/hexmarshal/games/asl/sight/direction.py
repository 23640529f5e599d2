"""Which end of a line is its first: the same whoever asks, and wherever the board lies in a map.

The names decide, for no flip and no shift changes them. Where two boards meet a hex has a name on
either; then the board counts that both ends of the line lie on.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["Direction"]

_ELSEWHERE = -1


class Direction:
    """The order of the hexes of a map."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self.ranks = _places(list(names))
        """For every hex its place in the order of names."""
        self.shared: Flags = np.array(["/" in name for name in names], np.bool_)
        """Which hexes have several names."""
        self.seams = bool(self.shared.any())

    def backward(self, a: Ints, b: Ints) -> Flags:
        """Whether b comes before a."""
        found: Flags = self.ranks.take(a) > self.ranks.take(b)
        if not self.seams:
            return found
        some = np.flatnonzero(self.shared.take(a) | self.shared.take(b))
        for ranks in self._by_board:
            one, two = ranks.take(a[some]), ranks.take(b[some])
            found[some] = np.where(np.minimum(one, two) > _ELSEWHERE, one > two, found[some])
        return found

    def comes_after(self, a: int, b: int) -> bool:
        """The same for two hexes."""
        if self.seams and (self.shared[a] or self.shared[b]):
            return bool(self.backward(np.array([a]), np.array([b]))[0])
        return bool(self.ranks[a] > self.ranks[b])

    @cached_property
    def _by_board(self) -> list[Ints]:
        """For every board the places of its hexes in the order of their names on it.

        The boards come from the last to the first: where ends lie on two of them, the first counts.
        """
        members: dict[str, dict[int, str]] = {}
        for index, name in enumerate(self._names):
            for each in name.split("/"):
                board, _, own = each.rpartition(":")
                members.setdefault(board, {})[index] = own
        found = []
        for board in sorted(members, reverse=True):
            ranks = np.full(len(self._names), _ELSEWHERE, np.int64)
            ranks[list(members[board])] = _places(list(members[board].values()))
            found.append(ranks)
        return found


def _places(names: list[str]) -> Ints:
    places = np.empty(len(names), np.int64)
    places[np.argsort(np.array(names), kind="stable")] = np.arange(len(names))
    return places
