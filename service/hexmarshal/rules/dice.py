"""Dice as values: given by the table, or drawn from a generator that is kept with the game.

The generator is SHA-256 in counter mode, written down here so that a seed means the same game for
ever, on any machine and in any language. Number `n` (from 0) of seed `s` is the first 8 bytes, most
significant first, of `SHA-256("hexmarshal dice 1" 00 s 00 n)`, with `s` in UTF-8 and `n` in decimal
digits. To choose one of `k`, numbers at or above the largest multiple of `k` below 2**64 are
skipped; the choice is the number modulo `k`. A shuffle runs from the last place down to the second,
exchanging each place with one chosen from it and those before it. Who does not know the seed cannot
work it out from the dice seen so far, which a plain linear generator would allow.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from hexmarshal.errors import Place, RulesError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Dice", "Generator", "Roll"]

T = TypeVar("T")
_PREFIX = b"hexmarshal dice 1\0"


@dataclass(frozen=True, slots=True)
class Generator:
    """A seed and how many numbers were drawn from it: the whole state."""

    seed: str
    count: int = 0

    def number(self) -> tuple[int, Generator]:
        """A number below 2**64, and the generator after it."""
        text = self.seed.encode("utf-8", "surrogatepass") + b"\0" + str(self.count).encode()
        block = hashlib.sha256(_PREFIX + text).digest()
        return int.from_bytes(block[:8], "big"), Generator(self.seed, self.count + 1)

    def below(self, bound: int) -> tuple[int, Generator]:
        """A whole number from 0 to bound - 1, all equally likely."""
        limit = 2**64 - 2**64 % bound
        number, after = self.number()
        while number >= limit:
            number, after = after.number()
        return number % bound, after


@dataclass(frozen=True, slots=True)
class Roll:
    """One die rolled, or one thing picked out of `sides`: values run from 1 to `sides`."""

    sides: int
    value: int
    label: str = ""
    pick: bool = False


class Dice:
    """The dice of one action: hands out values and remembers them.

    Values given (`given` for dice, `picks` for cards and other draws) come first and must be used
    up exactly; where none were given the generator is asked. One Dice serves one action.
    """

    __slots__ = ("_given", "_picks", "generator", "rolls")

    def __init__(
        self,
        generator: Generator | None = None,
        *,
        given: Sequence[int] | None = None,
        picks: Sequence[int] | None = None,
    ) -> None:
        self.generator = generator
        self.rolls: list[Roll] = []
        self._given = None if given is None else list(given)
        self._picks = None if picks is None else list(picks)

    def roll(self, sides: int = 6, label: str = "") -> int:
        """One die."""
        return self._next(self._given, "dice", sides, label, pick=False)

    def roll_many(self, count: int, sides: int = 6, label: str = "") -> tuple[int, ...]:
        """Several dice, in order."""
        return tuple(self.roll(sides, label) for _ in range(count))

    def pick(self, count: int, label: str = "") -> int:
        """An index from 0 to count - 1: a card from a deck, a chit from a cup."""
        return self._next(self._picks, "picks", count, label, pick=True) - 1

    def shuffled(self, things: Sequence[T], label: str = "") -> tuple[T, ...]:
        """The same things in another order."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            chosen = self.pick(last + 1, label)
            order[last], order[chosen] = order[chosen], order[last]
        return tuple(order)

    def finish(self) -> None:
        """Complain about given values that nothing asked for."""
        for field, left in (("dice", self._given), ("picks", self._picks)):
            if left:
                used = sum(roll.pick is (field == "picks") for roll in self.rolls)
                raise RulesError(
                    f"{len(left)} of the {field} given were not used: the action needs {used}",
                    place=Place(field=field),
                )

    def _next(
        self, given: list[int] | None, field: str, sides: int, label: str, *, pick: bool
    ) -> int:
        if sides < 1:
            raise RulesError(f"cannot choose one of {sides}")
        if given is not None:
            nth = sum(roll.pick is pick for roll in self.rolls)
            where = Place(field=f"{field}[{nth}]")
            if not given:
                raise RulesError(
                    f"another value from 1 to {sides} is needed{_for(label)}", place=where
                )
            value = given.pop(0)
            if not 1 <= value <= sides:
                raise RulesError(f"{value} is not from 1 to {sides}{_for(label)}", place=where)
        elif self.generator is not None:
            index, self.generator = self.generator.below(sides)
            value = index + 1
        else:
            raise RulesError(
                f"a value from 1 to {sides} is needed{_for(label)}, and the game has no generator",
                place=Place(field=field),
                hint=f"give the {field}, or a position with a seed",
            )
        self.rolls.append(Roll(sides, value, label, pick))
        return value


def _for(label: str) -> str:
    return f" for {label}" if label else ""
