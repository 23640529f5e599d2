"""The four commands that make, change, move and remove pieces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import Final, Self

from hexmarshal.vassal.commands.codec import ODD, Command, form
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
        head, _, state = text.rpartition("/")
        if head.endswith("\\"):
            end = len(head)
            while end > 0 and text[end - 1] == "\\":
                end = text.rfind("/", 0, end)
            head, state = text[: max(end, 0)], _unescaped(text[end + 1 :])
        parts = head.split("/", 2)
        # What begins with a quote or a backslash may be written in more than one way.
        if len(parts) == 3 and parts[0] == "+" and parts[1].isalnum() and state[:1] not in ODD:
            own_type = _type_in(parts[2])
            if own_type is not None:
                made = object.__new__(cls)
                _FILL_ID(made, None if parts[1] == NULL else parts[1])
                _FILL_TYPE(made, own_type)
                _FILL_STATE(made, state)
                return made
        return super(AddPiece, cls).decode(text)


_BACKSLASH: Final = repeat("\\")
# Filling slots takes half the time of a frozen `__init__`.
_FILL_ID, _FILL_TYPE, _FILL_STATE = (
    getattr(AddPiece, name).__set__ for name in ("id", "type", "state")
)


# Many pieces have the same type: it is unescaped once and kept as one object.
@lru_cache(maxsize=1 << 12)
def _type_in(raw: str) -> str | None:
    """The type in a command's text, or None if it has to be looked at more closely."""
    if raw[:1] in ODD:
        return None
    unescaped = _unescaped(raw)
    return unescaped if len(raw) - len(unescaped) == raw.count("/") else None


def _unescaped(field: str) -> str:
    """What each slash with a backslash before it stands for; several times as fast as `replace`."""
    if "/" not in field:
        return field
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
