"""What the rules write into: the ledger of one action with the ground and the tables around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.state.situation import Situation
from hexmarshal.games.asl.state.units import marks
from hexmarshal.kit.game import Execution
from hexmarshal.rules.dice import Roll
from hexmarshal.rules.state.effects import ChangeUnit
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hexmarshal.games.asl.state.tables import Tables
    from hexmarshal.rules.dice import Dice
    from hexmarshal.rules.state.lifetimes import Lifetime
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value

__all__ = ["Play"]

_COLOURS = ("coloured", "white")


class Play(Execution[Situation]):
    """One action being carried out."""

    __slots__ = ("calls", "raging")

    def __init__(
        self,
        position: Position,
        dice: Dice,
        lifetimes: Sequence[Lifetime],
        situation_of: Callable[[Position], Situation],
    ) -> None:
        super().__init__(position, dice, lifetimes, situation_of)
        self.raging: list[str] = []
        """Leaders who went berserk and have not carried others away yet (ASL-A15.42b)."""
        self.calls: list[tuple[str, int]] = []
        """The original rolls that may call a sniper, with who made them (ASL-SAN-2)."""

    @property
    def tables(self) -> Tables:
        """The tables of the game."""
        return self.now.tables

    def mark(self, unit: str, *flags: str) -> None:
        """Put marks on a unit."""
        new = frozenset(flags) - self.position.unit(unit).flags
        if new:
            self.do(ChangeUnit(unit, flags=new))

    def unmark(self, unit: str, *flags: str) -> None:
        """Take marks off a unit."""
        gone = frozenset(flags) & self.position.unit(unit).flags
        if gone & marks.UNSEEN:  # who is concealed no longer is known to all
            self.do(ChangeUnit(unit, unflags=gone, known_to=("*",), seen_by=("*",)))
        elif gone:
            self.do(ChangeUnit(unit, unflags=gone))

    def note(self, unit: str, **values: Value) -> None:
        """Set values of a unit; None takes one away."""
        self.do(ChangeUnit(unit, values=FrozenMap(values)))

    def roll_two(
        self, kind: str, side: str, *, calls: bool = False
    ) -> tuple[tuple[int, int], tuple[Roll, ...]]:
        """A DR: the coloured die, the white one, and both as they are written down.

        One that `calls` may be answered by a sniper.
        """
        one, two = self.dice.throw(kind, 6, 6, side=side, colours=_COLOURS)
        rolls = tuple(
            Roll(6, value, kind, side=side, colour=colour)
            for value, colour in zip((one, two), _COLOURS, strict=True)
        )
        if calls:
            self.calls.append((side, one + two))
        return (one, two), rolls

    def roll_one(self, kind: str, side: str) -> tuple[int, Roll]:
        """A dr."""
        value = self.dice.roll(6, kind, side)
        return value, Roll(6, value, kind, side=side)
