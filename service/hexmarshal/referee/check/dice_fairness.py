"""Dice of a log: how often each face came, and how likely fair dice stray so far."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["DiceStatistics", "fairness", "statistics"]

# More work than this to count all ways, and the tail of the chi-square law stands in.
_ENUMERABLE: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class DiceStatistics:
    """The dice of one player with so many sides; `p` is the chance that fair ones stray so far."""

    player: str
    sides: int
    faces: tuple[int, ...]
    p: float
    exact: bool

    @property
    def count(self) -> int:
        """How many dice were rolled."""
        return sum(self.faces)

    @property
    def mean(self) -> Fraction:
        """The average face."""
        total = sum(face * count for face, count in enumerate(self.faces, 1))
        return Fraction(total, self.count or 1)

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "player": self.player,
            "sides": self.sides,
            "count": self.count,
            "faces": list(self.faces),
            "mean": round(float(self.mean), 3),
            "p": round(self.p, 6),
            "exact": self.exact,
        }


def statistics(rolls: Iterable[tuple[str, int, int]]) -> tuple[DiceStatistics, ...]:
    """From (player, sides, value): one entry a player and kind of dice; impossible values drop."""
    counts: dict[tuple[str, int], Counter[int]] = {}
    for player, sides, value in rolls:
        if 1 <= value <= sides:
            counts.setdefault((player, sides), Counter())[value] += 1
    found = []
    for (player, sides), faces in sorted(counts.items()):
        listed = tuple(faces[face] for face in range(1, sides + 1))
        p, exact = fairness(listed)
        found.append(DiceStatistics(player, sides, listed, p, exact))
    return tuple(found)


def fairness(faces: tuple[int, ...]) -> tuple[float, bool]:
    """The chance that fair dice stray at least as far, by Pearson's measure; exact where small.

    >>> fairness((1, 1, 1, 1, 1, 1))
    (1.0, True)
    >>> round(fairness((0, 0, 0, 0, 0, 4))[0], 6)
    0.00463
    """
    count, sides = sum(faces), len(faces)
    if count == 0 or sides < 2:
        return 1.0, True
    # With equal chances Pearson's measure grows with the sum of squares alone.
    reached = sum(n * n for n in faces)
    if count**4 * sides <= _ENUMERABLE:
        return _exact(count, sides, reached), True
    chi = sides * reached / count - count
    return _tail(chi, sides - 1), False


def _exact(count: int, sides: int, reached: int) -> float:
    ways = sum(weight for squares, weight in _spreads(count, sides) if squares >= reached)
    return float(Fraction(ways, sides**count))


@lru_cache(maxsize=64)
def _spreads(count: int, sides: int) -> tuple[tuple[int, int], ...]:
    """Sum of squares, and number of ways, for every set of face counts, as a convolution."""
    states: dict[tuple[int, int], int] = {(0, 0): 1}
    for _ in range(sides):
        after: dict[tuple[int, int], int] = {}
        for (used, squares), ways in states.items():
            for n in range(count - used + 1):
                key = used + n, squares + n * n
                after[key] = after.get(key, 0) + ways * math.comb(count - used, n)
        states = after
    return tuple((squares, ways) for (used, squares), ways in states.items() if used == count)


def _tail(chi: float, freedom: int) -> float:
    """The upper tail of the chi-square law: a finite sum for whole degrees of freedom."""
    odd = freedom % 2
    total = math.erfc(math.sqrt(chi / 2)) if odd else 0.0
    term = math.exp(-chi / 2) * (math.sqrt(2 * chi / math.pi) if odd else 1.0)
    for k in range(1 if odd else 0, freedom, 2):
        if k:
            term *= chi / k if k > 1 else 1.0
        total += term
    return min(1.0, total)
