"""Pieces that were found to be in order by themselves, remembered by identity.

From one position to the next nearly all pieces are the same objects: who looks at every position of
a game need not look at each of them again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from hexmarshal.rules.verdict import Violation

__all__ = ["Sound"]

P = TypeVar("P")

PIECES = 8192
SURROUNDINGS = 16


class Sound:
    """The pieces found sound, by what that depends on besides: whose rules, and what else."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        # With the rules and the pieces, so that no others can come to the same identity.
        self._found: dict[tuple[int, Hashable], tuple[object, dict[int, object]]] = {}

    def problems(
        self,
        pieces: Iterable[P],
        rules: object,
        besides: Hashable,
        find: Callable[[P], Iterable[Violation]],
    ) -> Iterator[Violation]:
        """What is wrong with each of these; those without a problem are not asked about again."""
        key = (id(rules), besides)
        if key not in self._found:
            if len(self._found) >= SURROUNDINGS:
                self._found.clear()
            self._found[key] = (rules, {})
        sound = self._found[key][1]
        for piece in [piece for piece in pieces if id(piece) not in sound]:
            found = tuple(find(piece))
            yield from found
            if not found:
                if len(sound) >= PIECES:
                    sound.clear()
                sound[id(piece)] = piece
