"""Dice that a log shows, handed out to the rules in the order of the rolls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hexmarshal.rules.dice import Dice, NeedsDiceError, RollRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.chat.plain_words import Told
    from hexmarshal.referee.chat.told_apart import Part

__all__ = ["LogDice", "Throw"]


@dataclass(frozen=True, slots=True)
class Throw:
    """One die of a roll in the log; `side` is that of the player's seat, if he plays no other.

    `about` are the units and cells that players spoke of right before it, in this order, `parts`
    the same as they stood together, and `told` what they told of it in plain words; `beside` are
    those that were named right behind it, perhaps of something else. Where it is `again`, other
    dice had been rolled behind what was said before it; `plainly`: nobody asked or weighed that,
    or told of the past.
    """

    step: int
    sides: int
    value: int
    player: str
    side: str = ""
    about: tuple[str, ...] = ()
    told: tuple[Told, ...] = ()
    parts: tuple[Part, ...] = ()
    beside: tuple[str, ...] = ()
    again: bool = False
    plainly: bool = False


class LogDice(Dice):
    """The dice of one action: rolls come from the log, picks from what is assumed so far.

    What was drawn out of a cup or a deck shows only by what it did; `counts` says out of how many
    each pick was made, so that other assumptions can be tried, and `drawn` what it was for. `alike`
    has for each die that was `used` its roll and its colour there: within one roll it does not
    matter which die is which.
    """

    __slots__ = (
        "_assume",
        "_first",
        "_tray",
        "alike",
        "assumed",
        "counts",
        "drawn",
        "picks",
        "used",
    )

    def __init__(
        self, tray: Sequence[Throw], picks: Sequence[int] = (), *, assume: bool = False
    ) -> None:
        """With `assume`, dice that the log does not show are made up, and counted."""
        super().__init__(None)
        self._tray = list(tray)
        self._assume = assume
        self._first: str | None = None
        self.assumed = 0
        self.used: list[Throw] = []
        self.alike: list[tuple[int, str]] = []
        self.picks = list(picks)
        self.counts: list[int] = []
        self.drawn: list[str] = []

    def value(self, request: RollRequest, index: int, known: tuple[int, ...]) -> int:
        """The next die of the log with so many sides; of a draw what is assumed, else the first.

        Where the rules say who rolls, rather one of his own.
        """
        sides = request.dice[index]
        if request.pick:
            self.drawn.append(request.kind)
            return self._drawn(sides) + 1
        fits = [one for one in self._tray if one.sides == sides and 1 <= one.value <= sides]
        own = (one for one in fits if request.side and one.side == request.side)
        throw = next(own, fits[0] if fits else None)
        if throw is not None:
            self._tray.remove(throw)
            self.used.append(throw)
            self.alike.append((len(self.used) - len(known), request.colour(index)))
            return throw.value
        if self._assume:
            # High for whatever is rolled first, low for the rest: no ties, which roll again.
            self.assumed += 1
            self._first = request.kind if self._first is None else self._first
            return sides if request.kind == self._first else 1
        raise NeedsDiceError(
            replace(request, known=known), f"the log shows no roll{_for(request)}", field="dice"
        )

    def _drawn(self, count: int) -> int:
        nth = len(self.counts)
        self.counts.append(count)
        if nth >= len(self.picks):
            self.picks.append(0)
        return min(self.picks[nth], count - 1)

    @property
    def left(self) -> tuple[Throw, ...]:
        """The dice of the log that nothing has asked for."""
        return tuple(self._tray)

    def finish(self) -> None:
        """Dice that are left over are another action's."""


def _for(request: RollRequest) -> str:
    return f" for {request.kind}" if request.kind else ""
