"""Two dice with command points and luck: the one way in which players roll."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.games.conflict_of_heroes.rules.turn.payment import discard
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Modifier, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.dice import Roll

__all__ = ["Rolled", "Roller", "bought", "luck_objections", "roll_objections", "total_cap"]


def bought(action: Action) -> Mapping[str, int]:
    """COH-7.5.1b: the command points bought for each roll, by what is rolled against.

    A bare number is for the only roll, or for each of them: it stands under the empty name.
    """
    value = action.given("cap")
    if isinstance(value, int) and not isinstance(value, bool):
        return {"": value} if value else {}
    if isinstance(value, FrozenMap):
        return {k: v for k, v in value.items() if isinstance(v, int) and v}
    return {}


def total_cap(action: Action, rolls: Sequence[str]) -> int:
    """What all rolls cost: a point a step, up or down."""
    given = bought(action)
    if "" in given:
        return abs(given[""]) * max(1, len(rolls))
    return sum(abs(points) for points in given.values())


def roll_objections(now: Situation, action: Action, rolls: Sequence[str]) -> Iterator[Violation]:
    """COH-3.2.3a: at most two points a roll, up or down, for one's own rolls only.

    Luck needs its card.
    """
    most = now.tables.number("fire", "cap_per_roll")
    value = action.given("cap")
    numbers = value.values() if isinstance(value, FrozenMap) else () if value is None else (value,)
    if not all(type(number) is int for number in numbers):
        yield Violation("COH-3.2.3a", "CAP are a number, or numbers by roll", field="cap")
    for name, points in bought(action).items():
        if abs(points) > most:
            text = f"{points} CAP for one roll: at most {most}"
            yield Violation("COH-3.2.3a", text, field="cap")
        if name and name not in rolls:
            yield Violation("COH-3.2.3a", f"nothing is rolled against {name}", field="cap")
        elif not rolls:
            yield Violation("COH-3.2.3a", "nothing is rolled", field="cap")
    yield from luck_objections(now, action, rolled=bool(rolls))


def luck_objections(now: Situation, action: Action, *, rolled: bool) -> Iterator[Violation]:
    """COH-C12: the card, and a roll to change."""
    luck = action.given("luck") is True
    if luck and "12" not in now.hand(action.side):
        yield Violation("COH-C12", f"{action.side} has no card 12", field="luck")
    elif luck and not rolled:
        yield Violation("COH-C12", "nothing is rolled", field="luck")


class Rolled(NamedTuple):
    """A roll as it counts."""

    total: int
    dice: tuple[Roll, ...]
    modifiers: tuple[Modifier, ...]


class Roller:
    """Rolls for one side in one action; the command points are paid for already."""

    __slots__ = ("_cap", "_luck", "play", "side")

    def __init__(self, play: Play, side: str, action: Action) -> None:
        self.play, self.side = play, side
        self._cap = bought(action)
        self._luck = action.flag("luck")

    def cap(self, name: str) -> int:
        """The points bought for this roll."""
        return self._cap.get(name, self._cap.get("", 0))

    def two(self, label: str, name: str, needs: Sequence[int], *, sparing: bool = False) -> Rolled:
        """2D6 and what was bought; `needs` are the totals from which more happens.

        More is better, unless the roll is against somebody to be spared: a friend.
        """
        return self._roll(2, label, name, needs, sparing=sparing)

    def one(self, label: str, name: str) -> Rolled:
        """1D6 and what was bought; the higher the better."""
        return self._roll(1, label, name, range(1, 7), sparing=False)

    def low(self, label: str, name: str) -> Rolled:
        """1D6 that counts against the roller: what was bought is taken off it."""
        die = self.play.dice.roll(6, label)
        rolls = (self.play.dice.rolls[-1],)
        off = [Modifier("command points", -p, "COH-3.2.3a") for p in (self.cap(name),) if p]
        total = max(0, die - self.cap(name))
        if total and self._luck and "12" in self.play.now.hand(self.side):
            less = min(total, self.play.now.tables.cards["12"].change)
            off.append(Modifier("luck", -less, "COH-C12"))
            total -= less
            self._luck = False
            discard(self.play, self.side, "12")
        return Rolled(total, rolls, tuple(off))

    def _roll(
        self, dice: int, label: str, name: str, needs: Sequence[int], *, sparing: bool
    ) -> Rolled:
        before = len(self.play.dice.rolls)
        total = sum(self.play.dice.roll_many(dice, 6, label))
        modifiers = []
        if points := self.cap(name):
            total += points
            modifiers.append(Modifier("command points", points, "COH-3.2.3a"))
        lucky = self._luck and "12" in self.play.now.hand(self.side)
        change = self.play.now.tables.cards["12"].change if lucky else 0
        best = _luckier(total, needs, change, sparing=sparing) if lucky else None
        if best is not None:
            # COH-C12: after the fact, where it makes the difference.
            modifiers.append(Modifier("luck", best - total, "COH-C12"))
            total = best
            self._luck = False
            discard(self.play, self.side, "12")
        return Rolled(total, tuple(self.play.dice.rolls[before:]), tuple(modifiers))


def _luckier(total: int, needs: Sequence[int], change: int, *, sparing: bool) -> int | None:
    """The total to which card 12 can turn a roll for the better, if it can."""
    if sparing:
        return min((n - 1 for n in needs if total - change < n <= total), default=None)
    return max((n for n in needs if total < n <= total + change), default=None)
