"""Pieces that were found to be in order by themselves, remembered by identity.

From one position to the next nearly all pieces are the same objects: who looks at every position of
a game need not look at each of them again.
"""

from __future__ import annotations

from itertools import compress
from operator import is_not
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from hexmarshal.rules.verdict import Violation

__all__ = ["Found", "Sound"]

P = TypeVar("P")

PIECES = 8192
SURROUNDINGS = 16


class Sound:
    """The pieces found sound, by what that depends on besides: whose rules, and what else."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        # With the rules and the pieces, so that no others can come to the same identity.
        self._found: dict[tuple[int, Hashable], tuple[object, Found]] = {}

    def under(self, rules: object, besides: Hashable = None) -> Found:
        """Those found under these rules, where the rest is so."""
        key = (id(rules), besides)
        if key not in self._found:
            if len(self._found) >= SURROUNDINGS:
                self._found.clear()
            self._found[key] = (rules, Found())
        return self._found[key][1]


class Found:
    """Pieces found sound under the same rules."""

    __slots__ = ("_all", "_last")

    def __init__(self) -> None:
        self._all: dict[int, object] = {}
        self._last: list[object] = []  # the last that were looked at together, all of them sound

    def problems(
        self, pieces: Iterable[P], find: Callable[[P], Iterable[Violation]]
    ) -> Iterator[Violation]:
        """What is wrong with each of these; those without a problem are not asked about again."""
        now, before = list(pieces), self._last
        others = compress(now, map(is_not, now, before)) if len(now) == len(before) else now
        all_sound = True
        for piece in others:
            if id(piece) not in self._all:
                found = tuple(find(piece))
                yield from found
                if found:
                    all_sound = False
                else:
                    self._keep(piece)
        if all_sound:
            self._last = list(now)

    def of(self, piece: P, find: Callable[[], Iterable[Violation]]) -> tuple[Violation, ...]:
        """The same of one piece alone."""
        if id(piece) in self._all:
            return ()
        found = tuple(find())
        if not found:
            self._keep(piece)
        return found

    def _keep(self, piece: object) -> None:
        if len(self._all) >= PIECES:
            self._all.clear()
        self._all[id(piece)] = piece
