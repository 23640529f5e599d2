"""Where a turn tracker stands: nested counters and lists, each with its current value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal import sequence

__all__ = ["CounterLevel", "ListLevel", "TurnLevel", "TurnState"]


@dataclass(frozen=True, slots=True)
class CounterLevel:
    """A level that counts, such as turns or years."""

    current: int
    sublevel: int
    loop: bool
    loop_limit: int
    levels: tuple[TurnLevel, ...] = ()

    def encode(self) -> str:
        """The level as it stands in its parent's state."""
        own = [str(self.current), str(self.sublevel), _flag(self.loop), str(self.loop_limit)]
        return sequence.join([*own, *(level.encode() for level in self.levels)], ";")


@dataclass(frozen=True, slots=True)
class ListLevel:
    """A level that goes through a list, such as phases or sides; some entries may be inactive."""

    current: int
    sublevel: int
    first: int
    active: tuple[bool, ...]
    levels: tuple[TurnLevel, ...] = ()

    def encode(self) -> str:
        """The level as it stands in its parent's state."""
        active = sequence.join(map(_flag, self.active), ",")
        own = [str(self.current), str(self.sublevel), str(self.first), active]
        return sequence.join([*own, *(level.encode() for level in self.levels)], ";")


TurnLevel = CounterLevel | ListLevel


@dataclass(frozen=True, slots=True)
class TurnState:
    """A tracker's state: which top level is current, and each top level's own state."""

    current: int
    levels: tuple[TurnLevel, ...]

    @classmethod
    def decode(cls, text: str) -> Self:
        """Read a state; a VassalFormatError says that it is none."""
        try:
            current, *levels = sequence.decode(text, "|")
            return cls(int(current), tuple(_level(level) for level in levels))
        except (ValueError, RecursionError) as why:
            raise VassalFormatError("the state of a turn tracker cannot be read") from why

    def encode(self) -> str:
        """The state as a `TURN` command holds it."""
        return sequence.join([str(self.current), *(lv.encode() for lv in self.levels)], "|")


def _level(text: str) -> TurnLevel:
    current, sublevel, third, fourth, *inner = sequence.decode(text, ";")
    levels = tuple(_level(level) for level in inner)
    # The two kinds are told apart by their third field: a flag or a number.
    if third in ("true", "false"):
        return CounterLevel(int(current), int(sublevel), third == "true", int(fourth), levels)
    active = tuple(flag == "true" for flag in sequence.decode(fourth, ",")) if fourth else ()
    return ListLevel(int(current), int(sublevel), int(third), active, levels)


def _flag(value: bool) -> str:
    return "true" if value else "false"
