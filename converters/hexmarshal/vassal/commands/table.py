"""The commands that happen at the table: chat, dice, sounds, pointers, and those of live play."""

from __future__ import annotations

from dataclasses import dataclass

from hexmarshal.vassal.commands.codec import Command, form
from hexmarshal.vassal.commands.field_kinds import (  # noqa: TC001 - `form` reads the hints
    Flag,
    HiddenNullable,
    Integer,
    Integers,
    SoftUserId,
    Text,
)

__all__ = [
    "Chat",
    "Flare",
    "Invite",
    "LogEntry",
    "PlaySound",
    "PrivateChat",
    "ShowDice",
    "ShowThread",
    "SyncRequest",
    "Undo",
    "WakeUp",
]


@form("LOG\t")
@dataclass(frozen=True, slots=True)
class LogEntry(Command):
    """The text of a logged command; None stands for one that no encoder knew."""

    text: HiddenNullable

    @property
    def logged(self) -> Command:
        """The command that was logged."""
        from hexmarshal.vassal.commands import registry

        return registry.decode("" if self.text is None else self.text)


@form("UNDO\t")
@dataclass(frozen=True, slots=True)
class Undo(Command):
    """An undo begins (true) or ends (false)."""

    begins: Flag


@form("CHAT")
@dataclass(frozen=True, slots=True)
class Chat(Command):
    """A line in the chat window: talk, a report, or dice."""

    text: Text


@form("FLARE\t", "\t")
@dataclass(frozen=True, slots=True)
class Flare(Command):
    """A player points at a spot."""

    id: Text
    x: Integer
    y: Integer


@form("LOS\t", "\t")
@dataclass(frozen=True, slots=True)
class ShowThread(Command):
    """A line-of-sight thread from a to b."""

    id: Text
    ax: Integer
    ay: Integer
    bx: Integer
    by: Integer
    persist: Flag
    mirror: Flag
    reset: Flag | None = None


@form("SHOW_RESULTS\t", "\t")
@dataclass(frozen=True, slots=True)
class ShowDice(Command):
    """The faces (from 0) that a special dice button shows."""

    button: Text
    faces: Integers


@form("AUDIO\t")
@dataclass(frozen=True, slots=True)
class PlaySound(Command):
    """A sound clip of the module is played."""

    clip: Text


@form("PRIV_CHAT/", "/")
@dataclass(frozen=True, slots=True)
class PrivateChat(Command):
    """A chat line for one player only."""

    player: SoftUserId
    text: Text


@form("PLAY\t", "\t")
@dataclass(frozen=True, slots=True)
class WakeUp(Command):
    """A sound that calls a player."""

    sound: Text
    player: SoftUserId


@form("INVITE\t", "\t", plain=True)
@dataclass(frozen=True, slots=True)
class Invite(Command):
    """A player is asked into a room."""

    player: SoftUserId
    id: SoftUserId
    room: Text


@form("SYNC")
@dataclass(frozen=True, slots=True)
class SyncRequest(Command):
    """A player asks for the state of the game."""

    player: SoftUserId
