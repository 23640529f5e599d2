"""What a game declares about its frames: their values, who may be asked, what silence means."""

from __future__ import annotations

from dataclasses import dataclass

from hexmarshal.errors import RulesError
from hexmarshal.rules.action import Signature, TypeTable
from hexmarshal.rules.values import EMPTY, Record

__all__ = ["FrameTable", "FrameType", "ItemType", "Silence"]

KIND = "kind"


@dataclass(frozen=True, slots=True)
class Silence:
    """The action that stands for saying nothing: no air support, no reaction, no advance."""

    kind: str
    params: Record = EMPTY


@dataclass(frozen=True, slots=True)
class ItemType(Signature):
    """One kind of entry of an agenda; the entry names it under `kind`, beside its values."""

    def __post_init__(self) -> None:
        Signature.__post_init__(self)
        if KIND in self.by_name:
            raise RulesError(f"{self.name}: no value of an entry may be named {KIND!r}")


@dataclass(frozen=True, slots=True)
class FrameType(Signature):
    """One kind of frame: `params` are the values that it is about, as those of an action.

    `asks` is false for business in progress, which nobody is asked about. `deciders` are the sides
    that may be asked and `phases` the phases in which it may be open; empty means all of them.
    `agenda` are the kinds of entries that its agenda may have. `upon` are the kinds of frames that
    must lie below it: the activation in which a unit is asked what it does. `silence` is done where
    a player says nothing; None means that he must answer.
    """

    asks: bool = True
    deciders: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    agenda: tuple[ItemType, ...] = ()
    upon: tuple[str, ...] = ()
    silence: Silence | None = None

    def item(self, kind: object) -> ItemType | None:
        """The kind of agenda entry of this name."""
        return next((item for item in self.agenda if item.name == kind), None)


class FrameTable(TypeTable[FrameType]):
    """The frames of one game."""

    __slots__ = ()
