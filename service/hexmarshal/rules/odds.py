"""Exact distributions: odds by enumeration, never by sampling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd
from operator import add
from typing import Generic, TypeVar

__all__ = ["Distribution"]

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
W = TypeVar("W", bound=Hashable)


class Distribution(Generic[T]):
    """Outcomes with their exact probabilities, kept as whole-number weights over one total.

    >>> two = Distribution.dice(2, 6)
    >>> two[7]
    Fraction(1, 6)
    >>> two.map(lambda n: "hit" if n >= 9 else "miss")["hit"]
    Fraction(5, 18)
    """

    __slots__ = ("_total", "_weights")

    def __init__(self, weights: Mapping[T, int]) -> None:
        positive = {outcome: weight for outcome, weight in weights.items() if weight}
        if not positive or any(weight < 0 for weight in positive.values()):
            raise ValueError("weights must not be negative, and not all zero")
        common = gcd(*positive.values())
        self._weights = {outcome: weight // common for outcome, weight in positive.items()}
        self._total = sum(self._weights.values())

    @property
    def weights(self) -> Mapping[T, int]:
        """The outcomes with whole-number weights without a common divisor."""
        return self._weights

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return self._total

    @classmethod
    def certain(cls, outcome: T) -> Distribution[T]:
        """One outcome, always."""
        return cls({outcome: 1})

    @classmethod
    def uniform(cls, outcomes: Iterable[T]) -> Distribution[T]:
        """Each equally likely; one that is listed twice counts twice."""
        return cls(Counter(outcomes))

    @classmethod
    def weighted(cls, chances: Mapping[T, Fraction]) -> Distribution[T]:
        """From probabilities, which need not be normalised."""
        common = 1
        for chance in chances.values():
            common = common * chance.denominator // gcd(common, chance.denominator)
        return cls({outcome: int(chance * common) for outcome, chance in chances.items()})

    @staticmethod
    def die(sides: int = 6) -> Distribution[int]:
        """One die."""
        return Distribution(dict.fromkeys(range(1, sides + 1), 1))

    @staticmethod
    def dice(count: int, sides: int = 6) -> Distribution[int]:
        """The sum of several dice, by convolution."""
        return Distribution.total_of([Distribution.die(sides)] * count)

    @staticmethod
    def total_of(parts: Sequence[Distribution[int]]) -> Distribution[int]:
        """The sum of independent numbers, by convolution."""
        total = Distribution.certain(0)
        for part in parts:
            total = total.joined(part, add)
        return total

    @staticmethod
    def draws(pile: Iterable[T], count: int) -> Distribution[tuple[T, ...]]:
        """What `count` draws without replacement bring, in the order drawn."""
        drawn: dict[tuple[tuple[T, ...], tuple[tuple[T, int], ...]], int] = {
            ((), tuple(Counter(pile).items())): 1
        }
        for _ in range(count):
            after: dict[tuple[tuple[T, ...], tuple[tuple[T, int], ...]], int] = {}
            for (hand, left), weight in drawn.items():
                for i, (card, copies) in enumerate(left):
                    if copies:
                        rest = (*left[:i], (card, copies - 1), *left[i + 1 :])
                        key = ((*hand, card), rest)
                        after[key] = after.get(key, 0) + weight * copies
            drawn = after
        hands: dict[tuple[T, ...], int] = {}
        for (hand, _left), weight in drawn.items():
            hands[hand] = hands.get(hand, 0) + weight
        return Distribution(hands)

    def map(self, change: Callable[[T], U]) -> Distribution[U]:
        """The distribution of a function of the outcome."""
        weights: dict[U, int] = {}
        for outcome, weight in self._weights.items():
            key = change(outcome)
            weights[key] = weights.get(key, 0) + weight
        return Distribution(weights)

    def flat_map(self, follow: Callable[[T], Distribution[U]]) -> Distribution[U]:
        """What a second chance, depending on the first, brings."""
        branches = [(weight, follow(outcome)) for outcome, weight in self._weights.items()]
        common = 1
        for _, branch in branches:
            common = common * branch.total // gcd(common, branch.total)
        weights: dict[U, int] = {}
        for weight, branch in branches:
            scale = weight * (common // branch.total)
            for outcome, inner in branch.weights.items():
                weights[outcome] = weights.get(outcome, 0) + scale * inner
        return Distribution(weights)

    def joined(self, other: Distribution[U], how: Callable[[T, U], W]) -> Distribution[W]:
        """A function of two independent outcomes."""
        weights: dict[W, int] = {}
        for a, weight in self._weights.items():
            for b, second in other._weights.items():
                key = how(a, b)
                weights[key] = weights.get(key, 0) + weight * second
        return Distribution(weights)

    def given(self, holds: Callable[[T], bool]) -> Distribution[T]:
        """The distribution among the outcomes for which `holds`."""
        return Distribution({o: w for o, w in self._weights.items() if holds(o)})

    def __getitem__(self, outcome: T) -> Fraction:
        return Fraction(self._weights.get(outcome, 0), self._total)

    def __iter__(self) -> Iterator[T]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Distribution) and self._weights == other._weights

    def __hash__(self) -> int:
        return hash(frozenset(self._weights.items()))

    def __repr__(self) -> str:
        return "Distribution({" + ", ".join(f"{k!r}: {p}" for k, p in self.items()) + "})"

    def __reduce__(self) -> tuple[object, ...]:
        return (Distribution, (self._weights,))

    def items(self) -> list[tuple[T, Fraction]]:
        """Every outcome with its probability, in the order in which they came up."""
        return [(o, Fraction(w, self._total)) for o, w in self._weights.items()]

    def table(self) -> list[tuple[T, Fraction]]:
        """As `items`, the likeliest first."""
        return sorted(self.items(), key=lambda row: -row[1])

    def probability(self, holds: Callable[[T], bool]) -> Fraction:
        """How likely it is that `holds`."""
        return Fraction(sum(w for o, w in self._weights.items() if holds(o)), self._total)

    def expected(self, value: Callable[[T], int | Fraction]) -> Fraction:
        """The mean of a number that depends on the outcome."""
        weighed = (value(o) * w for o, w in self._weights.items())
        return Fraction(sum(weighed, start=Fraction(0))) / self._total
