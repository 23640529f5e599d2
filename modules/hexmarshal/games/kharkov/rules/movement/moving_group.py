"""The hand of KHA-6.0-P: a group moves hex by hex until the player lets go of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from hexmarshal.games.kharkov.frames import HAND
from hexmarshal.rules.state.effects import PopFrame
from hexmarshal.rules.values import FrozenMap, Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.values import Record

__all__ = ["NONE", "Hand", "hold", "in_hand", "let_go"]


@dataclass(frozen=True, slots=True)
class Hand:
    """The group that is moving: where it began, and what each unit has spent, in half points.

    `won` is true just after an overrun cleared the way; `ridden` counts the rail hexes of a train
    that an alarm stopped.
    """

    units: tuple[str, ...] = ()
    began: str = ""
    spent: Mapping[str, int] = field(default_factory=dict)
    won: bool = False
    ridden: int = 0

    def to_record(self) -> Record:
        """As part of a position."""
        spent: Record = FrozenMap(dict(self.spent))
        record: dict[str, Value] = {"units": self.units, "began": self.began, "spent": spent}
        if self.won:
            record["won"] = True
        if self.ridden:
            record["ridden"] = self.ridden
        return FrozenMap(record)


NONE = Hand()


def in_hand(now: Situation) -> Hand:
    """The group whose movement goes on."""
    frame = now.position.frame(HAND)
    return NONE if frame is None else now.position.remember("hand", lambda: _held(frame.about))


def _held(record: Record) -> Hand:
    return Hand(
        cast("tuple[str, ...]", record["units"]),
        str(record["began"]),
        cast("FrozenMap[int]", record["spent"]),
        record.get("won") is True,
        cast("int", record.get("ridden", 0)),
    )


def let_go(play: Play) -> None:
    """The movement of the group is over."""
    hand = in_hand(play.now)
    if hand.units:
        known = play.position.units
        play.flag((u for u in hand.units if u in known and known[u].cell), "moved")
        play.do(PopFrame(HAND))


def hold(play: Play, hand: Hand) -> None:
    """This group is in the hand now; whoever was and is not any more has finished."""
    before = in_hand(play.now)
    known = play.position.units
    left = (u for u in before.units if u not in hand.units and u in known and known[u].cell)
    play.flag(left, "moved")
    play.keep(HAND, hand.to_record())
