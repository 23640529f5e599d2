"""The four commands that make, change, move and remove pieces."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import Final, Self

from hexmarshal.vassal.commands.codec import ODD, Command, form, shared
from hexmarshal.vassal.commands.field_kinds import (
    NULL,
    HiddenText,
    Integer,
    Nullable,
    SharedText,
    Text,
    UserId,
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
        start, last = text.find("/", 2), text.rfind("/")
        end = last
        while end > start and text[end - 1] == "\\":
            end = text.rfind("/", 0, end)
        # What begins with a quote or a backslash may be written in more than one way.
        if text.startswith("+/") and start < end and text[end + 1 : end + 2] not in ODD:
            own_id, raw, state = text[2:start], text[start + 1 : end], text[end + 1 :]
            own_type = _unescaped(raw) if "/" in raw else raw
            # A slash without a backslash before it would part two fields.
            exact = own_type is raw or len(raw) - len(own_type) == raw.count("/")
            if exact and raw[:1] not in ODD and own_id.isalnum():
                made = object.__new__(cls)
                _FILL_ID(made, None if own_id == NULL else own_id)
                # Many pieces have the same type: it is kept as one object, which knows its hash.
                _FILL_TYPE(made, shared(own_type))
                _FILL_STATE(made, state if end == last else _unescaped(state))
                return made
        return super(AddPiece, cls).decode(text)


_BACKSLASH: Final = repeat("\\")
# Filling slots takes half the time of a frozen `__init__`.
_FILL_ID, _FILL_TYPE, _FILL_STATE = (
    getattr(AddPiece, name).__set__ for name in ("id", "type", "state")
)


def _unescaped(field: str) -> str:
    """What each slash with a backslash before it stands for; several times as fast as `replace`."""
    parts = field.split("/")
    texts = [*map(str.removesuffix, parts, _BACKSLASH)]
    texts[-1] = parts[-1]
    return "/".join(texts)


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
