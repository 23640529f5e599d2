"""Dice that a log shows, handed out to the rules in the order of the rolls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.rules.dice import Dice, Roll

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LogDice", "NeedsDiceError", "Throw"]


@dataclass(frozen=True, slots=True)
class Throw:
    """One die of a roll in the log."""

    step: int
    sides: int
    value: int
    player: str


class NeedsDiceError(Exception):
    """The rules ask for a roll that the log has not shown (yet)."""


class LogDice(Dice):
    """The dice of one action: rolls come from the log, picks from what is assumed so far.

    What was drawn out of a cup or a deck shows only by what it did; `counts` says out of how many
    each pick was made, so that other assumptions can be tried.
    """

    __slots__ = ("_tray", "counts", "picks", "used")

    def __init__(self, tray: Sequence[Throw], picks: Sequence[int] = ()) -> None:
        super().__init__(None)
        self._tray = list(tray)
        self.used: list[Throw] = []
        self.picks = list(picks)
        self.counts: list[int] = []

    def roll(self, sides: int = 6, label: str = "") -> int:
        """The next die of the log with so many sides."""
        for i, throw in enumerate(self._tray):
            if throw.sides == sides and 1 <= throw.value <= sides:
                del self._tray[i]
                self.used.append(throw)
                self.rolls.append(Roll(sides, throw.value, label))
                return throw.value
        raise NeedsDiceError(label)

    def pick(self, count: int, label: str = "") -> int:
        """What is assumed to have been drawn; the first if nothing is."""
        nth = len(self.counts)
        self.counts.append(count)
        if nth >= len(self.picks):
            self.picks.append(0)
        index = min(self.picks[nth], count - 1)
        self.rolls.append(Roll(count, index + 1, label, pick=True))
        return index

    def finish(self) -> None:
        """Dice that are left over are another action's."""
