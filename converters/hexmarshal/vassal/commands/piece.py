"""The four commands that make, change, move and remove pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from hexmarshal.vassal.commands.codec import (
    NULL,
    ODD,
    Command,
    HiddenText,
    Integer,
    Nullable,
    SharedText,
    Text,
    UserId,
    form,
    shared,
)

__all__ = ["AddPiece", "ChangePiece", "MovePiece", "RemovePiece"]


@form("+/", "/")
@dataclass(frozen=True, slots=True)
class AddPiece(Command):
    """A piece, stack or deck enters the game; in a module's own files its id is null."""

    id: Nullable
    type: SharedText
    state: HiddenText

    @classmethod
    def decode(cls, text: str) -> Self:
        """As of every command; most of a save are these, so the usual form is read in one pass."""
        parts = text.split("/")
        fields: list[str] = []
        inside: list[str] = []
        for part in parts[1:]:
            if part[-1:] == "\\":
                inside.append(part[:-1])
            elif inside:
                fields.append("/".join([*inside, part]))
                inside.clear()
            else:
                fields.append(part)
        if parts[0] == "+" and len(fields) == 3 and not inside:
            own_id, own_type, state = fields
            # What begins with a quote or a backslash may be written in more than one way.
            if not (own_id.startswith(ODD) or own_type.startswith(ODD) or state.startswith(ODD)):
                return cls(None if own_id == NULL else own_id, shared(own_type), state)
        return super(AddPiece, cls).decode(text)


@form("-/")
@dataclass(frozen=True, slots=True)
class RemovePiece(Command):
    """A piece leaves the game."""

    id: Text


@form("D/", "/")
@dataclass(frozen=True, slots=True)
class ChangePiece(Command):
    """A piece gets a new state; with the old one given, only the traits that differ change."""

    id: Text
    state: HiddenText
    old_state: HiddenText | None = None


@form("M/", "/")
@dataclass(frozen=True, slots=True)
class MovePiece(Command):
    """A piece goes to a point of a map, above the piece named by `under`, or off all maps."""

    id: Text
    map: Nullable
    x: Integer
    y: Integer
    under: Nullable
    old_map: Nullable
    old_x: Integer
    old_y: Integer
    old_under: Nullable
    user: UserId | None = None
