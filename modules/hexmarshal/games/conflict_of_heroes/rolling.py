"""Two dice with command points and luck: the one way in which players roll."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.games.conflict_of_heroes import source
from hexmarshal.games.conflict_of_heroes.payment import discard
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Modifier, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.games.conflict_of_heroes.scene import Scene
    from hexmarshal.games.conflict_of_heroes.table import Table
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.dice import Roll

__all__ = ["Rolled", "Roller", "bought", "roll_objections", "total_cap"]


def bought(action: Action) -> Mapping[str, int]:
    """COH-7.5.1b: the command points bought for each roll, by what is rolled against.

    A bare number is for the only roll, or for each of them: it stands under the empty name.
    """
    value = action.params.get("cap")
    if isinstance(value, int) and not isinstance(value, bool):
        return {"": value} if value else {}
    if isinstance(value, FrozenMap):
        return {k: v for k, v in value.items() if isinstance(v, int) and v}
    return {}


def total_cap(action: Action, rolls: Sequence[str]) -> int:
    """The sum over all rolls."""
    given = bought(action)
    if "" in given:
        return given[""] * max(1, len(rolls))
    return sum(given.values())


def roll_objections(scene: Scene, action: Action, rolls: Sequence[str]) -> Iterator[Violation]:
    """COH-3.2.3a: at most two points a roll, for one's own rolls only; luck needs its card."""
    most = source.number("fire", "cap_per_roll")
    value = action.params.get("cap")
    if value is not None and not isinstance(value, int | FrozenMap):
        yield Violation("COH-3.2.3a", "CAP are a number, or numbers by roll", field="cap")
    for name, points in bought(action).items():
        if not 0 <= points <= most:
            text = f"{points} CAP for one roll: at most {most}"
            yield Violation("COH-3.2.3a", text, field="cap")
        if name and name not in rolls:
            yield Violation("COH-3.2.3a", f"nothing is rolled against {name}", field="cap")
    if action.flag("luck") and "12" not in scene.hand(action.side):
        yield Violation("COH-C12", f"{action.side} has no card 12", field="luck")


class Rolled(NamedTuple):
    """A roll as it counts."""

    total: int
    dice: tuple[Roll, ...]
    modifiers: tuple[Modifier, ...]


class Roller:
    """Rolls for one side in one action; the command points are paid for already."""

    __slots__ = ("_cap", "_luck", "side", "table")

    def __init__(self, table: Table, side: str, action: Action) -> None:
        self.table, self.side = table, side
        self._cap = bought(action)
        self._luck = action.flag("luck")

    def cap(self, name: str) -> int:
        """The points bought for this roll."""
        return self._cap.get(name, self._cap.get("", 0))

    def two(self, label: str, name: str, needs: Sequence[int]) -> Rolled:
        """2D6 and what was bought; `needs` are the totals from which it is better, ascending."""
        return self._roll(2, label, name, needs)

    def one(self, label: str, name: str) -> Rolled:
        """1D6 and what was bought."""
        return self._roll(1, label, name, ())

    def _roll(self, dice: int, label: str, name: str, needs: Sequence[int]) -> Rolled:
        before = len(self.table.dice.rolls)
        total = sum(self.table.dice.roll_many(dice, 6, label))
        modifiers = []
        if points := self.cap(name):
            total += points
            modifiers.append(Modifier("command points", points, "COH-3.2.3a"))
        change = source.cards()["12"].change
        if self._luck and any(total < need <= total + change for need in needs):
            # COH-C12: after the fact, where it makes the difference.
            best = max(need for need in needs if need <= total + change)
            modifiers.append(Modifier("luck", best - total, "COH-C12"))
            total = best
            self._luck = False
            discard(self.table, self.side, "12")
        return Rolled(total, tuple(self.table.dice.rolls[before:]), tuple(modifiers))
