"""Which modifiers of a roll count: each has its rule, and some exclude others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hexmarshal.rules.verdict import Amount, Modifier

__all__ = ["Tally", "tally"]


@dataclass(frozen=True, slots=True)
class Tally:
    """All modifiers in the order given; those that do not count say by which rule."""

    modifiers: tuple[Modifier, ...]

    @property
    def counted(self) -> tuple[Modifier, ...]:
        """Those that count."""
        return tuple(one for one in self.modifiers if not one.excluded_by)

    def total(self, to: str = "die") -> Amount:
        """What they come to, for the die, the column or whatever else they change."""
        return sum((one.amount for one in self.counted if one.to == to), start=0)


def tally(modifiers: Iterable[Modifier]) -> Tally:
    """What counts of these modifiers.

    A modifier names under `excludes` the rules or labels of others that do not count beside it. One
    that is excluded itself excludes nobody; of those that exclude each other, be it in a ring, the
    first one counts.
    """
    listed = tuple(modifiers)
    excluders = {
        i: {j for j, other in enumerate(listed) if j != i and _excludes(other, one)}
        for i, one in enumerate(listed)
    }
    counted: set[int] = set()
    out: dict[int, int] = {}
    while left := {i: excluders[i] - set(out) for i in excluders if i not in {*counted, *out}}:
        free = [i for i, others in left.items() if not others]
        if not free:
            free = [_first_of_a_ring(left)]
            out |= dict.fromkeys(left[free[0]], free[0])
        counted.update(free)
        for i in left:
            if i not in out and (by := excluders[i] & set(free)):
                out[i] = min(by)
    return Tally(
        tuple(
            replace(one, excluded_by=listed[out[i]].rule) if i in out else one
            for i, one in enumerate(listed)
        )
    )


def _first_of_a_ring(left: Mapping[int, set[int]]) -> int:
    """Where all exclude each other in a ring that nobody outside it breaks: the first listed."""

    def reached(start: int) -> set[int]:
        found: set[int] = set()
        edge = set(left[start])
        while edge:
            found |= edge
            edge = set().union(*(left[i] for i in edge)) - found
        return found

    ways = {i: reached(i) for i in left}
    return next(i for i in sorted(left) if all(i in ways[j] for j in ways[i]))


def _excludes(one: Modifier, other: Modifier) -> bool:
    return other.rule in one.excludes or other.label in one.excludes
