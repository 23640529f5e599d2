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

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from hexmarshal.errors import Place, RulesError
from hexmarshal.rules.copying import quick

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Dice", "Generator", "Given", "NeedsDiceError", "Roll", "RollRequest", "Stream"]

T = TypeVar("T")
_PREFIX = b"hexmarshal dice 1\0"


@quick
@dataclass(frozen=True, slots=True)
class Generator:
    """A seed and how many numbers were drawn from it: the whole state."""

    seed: str
    count: int = 0

    def number(self) -> tuple[int, Generator]:
        """A number below 2**64, and the generator after it."""
        block = sha256(_seeded(self.seed) + b"%d" % self.count).digest()
        return int.from_bytes(block[:8], "big"), Generator(self.seed, self.count + 1)

    def below(self, bound: int) -> tuple[int, Generator]:
        """A whole number from 0 to bound - 1, all equally likely."""
        limit = 2**64 - 2**64 % bound
        number, after = self.number()
        while number >= limit:
            number, after = after.number()
        return number % bound, after


class Stream:
    """The numbers of a generator one after the other, for whoever draws many and keeps none."""

    __slots__ = ("_count", "_seed")

    def __init__(self, generator: Generator) -> None:
        self._seed = _seeded(generator.seed)
        self._count = generator.count

    def below(self, bound: int) -> int:
        """The next whole number from 0 to bound - 1, as the generator would give it."""
        if bound == 1:  # whatever the number is
            self._count += 1
            return 0
        limit = 2**64 - 2**64 % bound
        while True:
            block = sha256(self._seed + b"%d" % self._count).digest()
            self._count += 1
            number = int.from_bytes(block[:8], "big")
            if number < limit:
                return number % bound


def _seeded(seed: str) -> bytes:
    """What is hashed for every number of a seed, before its count."""
    return _PREFIX + seed.encode("utf-8", "surrogatepass") + b"\0"


@quick
@dataclass(frozen=True, slots=True)
class Roll:
    """One die rolled, or one thing picked out of `sides`: values run from 1 to `sides`.

    `label` is what the roll was for, `side` who rolled, `colour` which of several dice it was.
    """

    sides: int
    value: int
    label: str = ""
    pick: bool = False
    side: str = ""
    colour: str = ""


@quick
@dataclass(frozen=True, slots=True)
class RollRequest:
    """A roll that the rules ask for: what it is for, the faces of each die, who rolls.

    `colours` tell the dice apart where it matters which is which. `known` are the values that are
    there already. A pick is one of so many cards or chits.
    """

    kind: str = ""
    dice: tuple[int, ...] = (6,)
    colours: tuple[str, ...] = ()
    side: str = ""
    pick: bool = False
    known: tuple[int, ...] = ()

    def colour(self, index: int) -> str:
        """The colour of one of the dice; '' where they are all alike."""
        return self.colours[index] if index < len(self.colours) else ""

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        lean = {
            "kind": self.kind,
            "colours": list(self.colours),
            "side": self.side,
            "pick": self.pick,
            "known": list(self.known),
        }
        return {"dice": list(self.dice), **{k: v for k, v in lean.items() if v}}


@dataclass(frozen=True, slots=True)
class Given:
    """A value from the table that says of which roll, by whom and with which die it is.

    What is empty or 0 is not said. A plain number says nothing of all that.
    """

    value: int
    kind: str = ""
    sides: int = 0
    side: str = ""
    colour: str = ""


class NeedsDiceError(RulesError):
    """The rules ask for a roll whose values are not there yet: a question rather than an error."""

    code = "needs-dice"

    def __init__(self, request: RollRequest, message: str, *, field: str, hint: str = "") -> None:
        super().__init__(message, place=Place(field=field), hint=hint)
        self.request = request


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
        given: Sequence[int | Given] | None = None,
        picks: Sequence[int | Given] | None = None,
    ) -> None:
        self.generator = generator
        self.rolls: list[Roll] = []
        self._given = None if given is None else list(given)
        self._picks = None if picks is None else list(picks)

    def throw(
        self, kind: str, *dice: int, side: str = "", colours: Sequence[str] = ()
    ) -> tuple[int, ...]:
        """The dice of one roll, by name: each with so many faces, thrown by a side."""
        return self._values(RollRequest(kind, dice, tuple(colours), side))

    def roll(self, sides: int = 6, label: str = "", side: str = "") -> int:
        """One die."""
        return self._values(RollRequest(label, (sides,), side=side))[0]

    def roll_many(
        self, count: int, sides: int = 6, label: str = "", side: str = ""
    ) -> tuple[int, ...]:
        """Several dice of one roll, in order."""
        return self._values(RollRequest(label, (sides,) * count, side=side))

    def pick(self, count: int, label: str = "", side: str = "") -> int:
        """An index from 0 to count - 1: a card from a deck, a chit from a cup."""
        return self._values(RollRequest(label, (count,), side=side, pick=True))[0] - 1

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
                    hint=f"give the first {used} alone" if used else "give none",
                )

    def _values(self, request: RollRequest) -> tuple[int, ...]:
        found: tuple[int, ...] = ()
        for index, sides in enumerate(request.dice):
            if sides < 1:
                raise RulesError(f"cannot choose one of {sides}")
            value = self.value(request, index, found)
            roll = Roll(
                sides, value, request.kind, request.pick, request.side, request.colour(index)
            )
            self.rolls.append(roll)
            found = (*found, value)
        return found

    def value(self, request: RollRequest, index: int, known: tuple[int, ...]) -> int:
        """The value of one die of a roll, from wherever this Dice has its values."""
        given = self._picks if request.pick else self._given
        field = "picks" if request.pick else "dice"
        sides, text = request.dice[index], _for(request.kind)
        if given is not None:
            nth = sum(roll.pick is request.pick for roll in self.rolls)
            where = f"{field}[{nth}]"
            if not given:
                needed = f"another value from 1 to {sides} is needed{text}"
                raise NeedsDiceError(replace(request, known=known), needed, field=where)
            return _fitting(given.pop(0), request, index, where)
        if self.generator is not None:
            found, self.generator = self.generator.below(sides)
            return found + 1
        raise NeedsDiceError(
            replace(request, known=known),
            f"a value from 1 to {sides} is needed{text}, and the game has no generator",
            field=field,
            hint=f"give the {field}, or a position with a seed",
        )


def _fitting(given: int | Given, request: RollRequest, index: int, where: str) -> int:
    """The value, if it is of the roll and of the die that are asked for."""
    sides, text = request.dice[index], _for(request.kind)
    value = given.value if isinstance(given, Given) else given
    if isinstance(given, Given):
        colour = request.colour(index)
        for said, asked, what in (
            (given.kind, request.kind, "roll"),
            (given.side, request.side, "side"),
            (given.colour, colour, "colour"),
        ):
            if said and asked and said != asked:
                raise RulesError(
                    f"the next value is asked for{text}: {what} {asked!r}, not {said!r}",
                    place=Place(field=where),
                )
        if given.sides and given.sides != sides:
            raise RulesError(
                f"a die with {sides} faces is asked for{text}, not one with {given.sides}",
                place=Place(field=where),
            )
    if type(value) is not int:
        raise RulesError(
            f"a whole number from 1 to {sides} is wanted{text}, not {value!r}",
            place=Place(field=where),
        )
    if not 1 <= value <= sides:
        raise RulesError(f"{value} is not from 1 to {sides}{text}", place=Place(field=where))
    return value


def _for(label: str) -> str:
    return f" for {label}" if label else ""
