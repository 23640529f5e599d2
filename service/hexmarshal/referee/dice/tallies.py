"""Rolls counted by player and purpose, with exact tests of whether fair dice would fall so."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.check.dice_fairness import fairness

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hexmarshal.referee.dice.rolls import Die, Roll

__all__ = ["Tally", "Verdict", "judged", "mean_chance", "tallies"]

# Sums of more dice than this follow the normal law closely enough.
_EXACT_SUMS: Final = 1200


@dataclass(frozen=True, slots=True)
class Tally:
    """The rolls of one player, with one kind of die, for one purpose or for all."""

    player: str
    purpose: str
    die: Die
    rolls: int
    counts: tuple[tuple[str, int], ...]
    """How often each face came."""
    p_faces: float | None
    """The chance that fair dice stray so far from equal numbers; None if that cannot be tested."""
    p_mean: float | None
    """The chance that the sum of fair dice is so far off."""
    exact_faces: bool = True
    """Whether all ways were counted; else the chi-square law stands in."""

    @property
    def dice(self) -> int:
        """How many dice fell."""
        return sum(count for _, count in self.counts)

    @property
    def exact_mean(self) -> bool:
        """Whether all sums were counted; else the normal law stands in."""
        return self.dice <= _EXACT_SUMS

    @property
    def mean(self) -> Fraction | None:
        """The average face of a die with numbers."""
        total = _total(self.counts)
        return None if total is None or not self.dice else Fraction(total, self.dice)

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "player": self.player,
            "purpose": self.purpose,
            "die": self.die.name,
            "rolls": self.rolls,
            "dice": self.dice,
            "counts": dict(self.counts),
            "mean": None if self.mean is None else round(float(self.mean), 4),
            "p_faces": None if self.p_faces is None else round(self.p_faces, 6),
            "p_mean": None if self.p_mean is None else round(self.p_mean, 6),
            "exact": self.exact_faces and self.exact_mean,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What all tests say together: with many of them, some are small by chance."""

    tests: int
    expected: float
    """So many below one in twenty are to be expected of fair dice."""
    below: int
    smallest: float
    """The smallest chance, corrected for the number of tests (Holm)."""

    def __str__(self) -> str:
        if not self.tests:
            return "no test: too few dice, or dice whose faces nobody tells"
        word = "nothing stands out" if self.smallest >= 0.05 else "this is rare with fair dice"
        return (
            f"{self.tests} tests: {self.below} below 0.05, and fair dice give about "
            f"{self.expected:.1f}; corrected for their number the smallest is "
            f"{self.smallest:.3f}: {word}"
        )

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "tests": self.tests,
            "expected_below_0.05": round(self.expected, 3),
            "below_0.05": self.below,
            "smallest_corrected": round(self.smallest, 6),
        }


def tallies(rolls: Iterable[Roll], *, by_purpose: bool) -> tuple[Tally, ...]:
    """Counted by player and die, and by purpose if wished; what was taken back does not count."""
    found: dict[tuple[str, str, Die], list[Roll]] = {}
    for roll in rolls:
        if not roll.taken_back:
            purpose = roll.purpose if by_purpose else ""
            found.setdefault((roll.player, purpose, roll.die), []).append(roll)
    ordered = sorted(found.items(), key=lambda item: (item[0][0], item[0][1], item[0][2].name))
    return tuple(_tally(*key, of) for key, of in ordered)


def _tally(player: str, purpose: str, die: Die, rolls: Sequence[Roll]) -> Tally:
    fell = Counter(result for roll in rolls for result in roll.results)
    faces = die.faces or tuple(sorted(fell, key=_order))
    counts = tuple((face, fell[face]) for face in dict.fromkeys(faces))
    p_faces, exact = None, True
    if die.is_fair_in_form:
        p_faces, exact = fairness(tuple(count for _, count in counts))
    p_mean = None
    total = _total(counts)
    if die.is_fair_in_form and die.is_numbered and total is not None:
        p_mean = mean_chance(sum(fell.values()), len(die.faces), total)
    return Tally(player, purpose, die, len(rolls), counts, p_faces, p_mean, exact)


def _order(face: str) -> tuple[int, int, str]:
    return (0, int(face), "") if face.lstrip("-").isdecimal() else (1, 0, face)


def _total(counts: Sequence[tuple[str, int]]) -> int | None:
    if not all(face.lstrip("-").isdecimal() for face, _ in counts):
        return None
    return sum(int(face) * count for face, count in counts)


def mean_chance(count: int, sides: int, total: int) -> float:
    """The chance that the sum of fair dice is at least as far from its mean, on either side.

    >>> round(mean_chance(2, 6, 12), 6)
    0.055556
    >>> mean_chance(2, 6, 7)
    1.0
    """
    if count == 0:
        return 1.0
    twice_off = abs(2 * total - count * (sides + 1))
    if count > _EXACT_SUMS:
        deviation = math.sqrt(count * (sides * sides - 1) / 12)
        return math.erfc((twice_off - 1) / 2 / deviation / math.sqrt(2)) if twice_off > 1 else 1.0
    ways = sum(
        number
        for add, number in enumerate(_sums(count, sides))
        if abs(2 * (add + count) - count * (sides + 1)) >= twice_off
    )
    return float(Fraction(ways, sides**count))


@lru_cache(maxsize=32)
def _sums(count: int, sides: int) -> tuple[int, ...]:
    """In how many ways so many dice, counted from nought, give each sum."""
    ways = [1]
    for _ in range(count):
        # Each sum is the one before it, with one more at the front and one less at the back.
        after, window = [], 0
        for add in range(len(ways) + sides - 1):
            window += ways[add] if add < len(ways) else 0
            window -= ways[add - sides] if add >= sides else 0
            after.append(window)
        ways = after
    return tuple(ways)


def judged(found: Iterable[Tally]) -> Verdict:
    """What the tests say together."""
    chances = sorted(p for one in found for p in (one.p_faces, one.p_mean) if p is not None)
    count = len(chances)
    smallest = min((1.0, *(p * (count - i) for i, p in enumerate(chances[:1]))))
    below = sum(p < 0.05 for p in chances)
    return Verdict(count, 0.05 * count, below, smallest)
