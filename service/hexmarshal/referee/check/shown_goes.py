"""Whose go it is by the marker for that, where one who plays both sides has it the wrong way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["Go", "ShownGoes"]

# Once may be wrong otherwise.
_AGAIN: Final = 2


class Go(NamedTuple):
    """The side that did the first thing in a go, and after how many goes it was shown again."""

    side: str = ""
    wrong: int = 0

    @property
    def is_off(self) -> bool:
        """Whether the marker shows the other side."""
        return self.wrong >= _AGAIN


class ShownGoes:
    """Sees that the marker goes over to the side that has just acted, again and again.

    Then it is one wrong marker, moved once too often or too rarely, and shows the other of two.
    """

    def __init__(self, playing: Collection[str]) -> None:
        self._playing = frozenset(playing)
        self.go = Go()

    def act(self, side: str) -> None:
        """A side does something, or says so; what others suffer by it comes later."""
        if side in self._playing and not self.go.side:
            self.go = self.go._replace(side=side)

    def hand_over(self, shown: str) -> str:
        """The marker was moved, and shows a side; returns whose go it is."""
        acted, wrong = self.go
        if acted:
            wrong = min(wrong + 1, _AGAIN) if acted == shown else 0
        self.go = Go("", wrong)
        others = self._playing - {shown}
        return next(iter(others)) if self.go.is_off and len(others) == 1 else shown
