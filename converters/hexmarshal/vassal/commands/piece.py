"""The four commands that make, change, move and remove pieces."""

from __future__ import annotations

from dataclasses import dataclass

from hexmarshal.vassal.commands.codec import (
    Command,
    HiddenText,
    Integer,
    Nullable,
    SharedText,
    Text,
    UserId,
    form,
)

__all__ = ["AddPiece", "ChangePiece", "MovePiece", "RemovePiece"]


@form("+/", "/")
@dataclass(frozen=True, slots=True)
class AddPiece(Command):
    """A piece, stack or deck enters the game; in a module's own files its id is null."""

    id: Nullable
    type: SharedText
    state: HiddenText


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
