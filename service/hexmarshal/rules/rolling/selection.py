"""Random selection: a die for each, the highest are chosen; with exact odds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from hexmarshal.errors import RulesError
from hexmarshal.rules.odds import Distribution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.rules.dice import Dice

__all__ = ["Selection", "Ties", "select", "selection_odds"]

# Whether all that tie are chosen, or they roll again until one is left.
Ties = Literal["all", "again"]
# Beyond so many there are too many outcomes to list.
MOST = 16


@dataclass(frozen=True, slots=True)
class Selection:
    """Who was chosen, in the order given, and what each rolled, round by round."""

    chosen: tuple[str, ...]
    rounds: tuple[tuple[tuple[str, int], ...], ...]

    def __str__(self) -> str:
        told = "; ".join(
            ", ".join(f"{name} {value}" for name, value in rolled) for rolled in self.rounds
        )
        return f"{' and '.join(self.chosen)} ({told})" if told else " and ".join(self.chosen)


def select(
    dice: Dice,
    names: Sequence[str],
    *,
    label: str,
    ties: Ties = "all",
    sides: int = 6,
    side: str = "",
) -> Selection:
    """Roll a die for each name, in order; whoever rolls highest is chosen. One needs no die."""
    if not names:
        raise RulesError(f"nobody to choose from for {label}")
    left = tuple(names)
    rounds: list[tuple[tuple[str, int], ...]] = []
    while len(left) > 1:
        values = dice.throw(label, *(sides,) * len(left), side=side)
        rounds.append(tuple(zip(left, values, strict=True)))
        best = max(values)
        left = tuple(name for name, value in rounds[-1] if value == best)
        if ties == "all":
            break
    return Selection(left, tuple(rounds))


def selection_odds(
    names: Sequence[str], *, ties: Ties = "all", sides: int = 6
) -> Distribution[tuple[str, ...]]:
    """How likely it is that exactly these are chosen, for each group of them."""
    if not names:
        raise RulesError("nobody to choose from")
    if ties == "again" or len(names) == 1:
        return Distribution.uniform((name,) for name in names)
    if len(names) > MOST:
        raise RulesError(f"{len(names)} to choose from, and at most {MOST} can be listed")
    weights: dict[tuple[str, ...], int] = {}
    for size in range(1, len(names) + 1):
        others = len(names) - size
        # All of them roll the same value, everybody else less.
        ways = sum((value - 1) ** others for value in range(1, sides + 1))
        for group in combinations(names, size):
            weights[group] = ways
    return Distribution(weights)
