"""The ledger of one action: applies effects as they happen, and keeps the account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.verdict import Applied, Resolution

if TYPE_CHECKING:
    from hexmarshal.rules.dice import Dice
    from hexmarshal.rules.effects import Effect
    from hexmarshal.rules.position import Position

__all__ = ["Ledger"]


class Ledger:
    """What a plugin's `apply` writes into: `position` is always the position so far."""

    __slots__ = ("_effects", "_resolutions", "dice", "position")

    def __init__(self, position: Position, dice: Dice) -> None:
        self.position = position
        self.dice = dice
        self._effects: list[Effect] = []
        self._resolutions: list[Resolution] = []

    def do(self, *effects: Effect) -> None:
        """Let these happen now."""
        for effect in effects:
            self.position = effect.on(self.position)
            self._effects.append(effect)

    def decide(self, resolution: Resolution) -> None:
        """Write down what was decided, and let its effects happen now."""
        self._resolutions.append(resolution)
        self.do(*resolution.effects)

    def close(self) -> Applied:
        """The account."""
        return Applied(
            self.position, tuple(self._resolutions), tuple(self._effects), tuple(self.dice.rolls)
        )
