"""Which stock command a text is; what is unknown or broken is kept as it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hexmarshal.vassal import sequence
from hexmarshal.vassal.commands import game, piece, table
from hexmarshal.vassal.commands.codec import Command, CommandError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["STOCK", "Broken", "Nothing", "Unknown", "broken_secrets", "decode"]


@dataclass(frozen=True, slots=True)
class Nothing(Command):
    """The empty text: a command that does nothing, but holds a place in the tree."""

    def encode(self) -> str:
        """The empty text."""
        return ""


@dataclass(frozen=True, slots=True)
class Unknown(Command):
    """A command of a module's own code, kept verbatim."""

    text: str = field(repr=False)

    def encode(self) -> str:
        """The text as it was."""
        return self.text


@dataclass(frozen=True, slots=True)
class Broken(Command):
    """A text with a stock prefix that is damaged or of a future version, kept verbatim."""

    text: str = field(repr=False)
    name: str
    problem: str

    def encode(self) -> str:
        """The text as it was."""
        return self.text


STOCK: Final[tuple[type[Command], ...]] = (
    piece.AddPiece,
    piece.RemovePiece,
    piece.ChangePiece,
    piece.MovePiece,
    game.BeginSave,
    game.EndSave,
    table.LogEntry,
    table.Undo,
    table.Chat,
    game.TakeSeat,
    game.LeaveSeat,
    game.ChangeProperty,
    game.SetGlobalProperty,
    game.SetTurn,
    game.ChooseBoards,
    game.StacksPlaced,
    game.ScenarioNotes,
    game.PublicNotes,
    game.PrivateNote,
    game.SecretNote,
    game.Unmask,
    game.LoadedExtension,
    game.LoadedPlugin,
    game.StartupCommandDone,
    game.Clock,
    game.ClockControl,
    table.Flare,
    table.ShowThread,
    table.ShowDice,
    table.PlaySound,
    game.ServerEmail,
    game.Events,
    game.LockScenarioTab,
    game.SavedDeck,
    table.PrivateChat,
    table.WakeUp,
    table.Invite,
    table.SyncRequest,
)

_EXACT: Final[dict[str, type[Command]]] = {
    "begin_save": game.BeginSave,
    "end_save": game.EndSave,
}
_BY_SLASH: Final[dict[str, type[Command]]] = {
    c.FORM.prefix: c for c in STOCK if c.FORM and len(c.FORM.prefix) == 2
}
# Looked up with the tab included, so that PLAY is not PLAYER and CLOCK not CLOCKCONTROL.
_BY_HEAD: Final[dict[str, type[Command]]] = {
    c.FORM.prefix.partition("\t")[0] + "\t": c for c in STOCK if c.FORM and "\t" in c.FORM.prefix
}
_BY_START: Final[tuple[tuple[str, type[Command]], ...]] = tuple(
    (c.FORM.prefix, c)
    for c in (table.Chat, game.SetTurn, table.PrivateChat, table.SyncRequest, game.Events)
    if c.FORM
)
_BOARDS: Final = "BoardPicker"


def decode(text: str) -> Command:
    """The typed command, or `Unknown` or `Broken`; never an error."""
    cls = _BY_SLASH.get(text[:2]) or _class_of(text)
    if cls is None:
        return Unknown(text) if text else Nothing()
    try:
        return cls.decode(text)
    except CommandError as why:
        return Broken(text, cls.__name__, str(why))


def broken_secrets(command: Broken) -> Iterator[tuple[str, bool]]:
    """What would be user ids in a broken command, read as far as its fields go."""
    cls = _class_of(command.text)
    found = cls.FORM if cls else None
    if cls is None or found is None or found.delimiter is None:
        return
    tokens = sequence.decode(command.text[len(found.prefix) :], found.delimiter)
    for slot, token in zip(cls.SLOTS, tokens, strict=False):
        if slot.kind.secret and token:
            yield token, slot.kind.soft


def _class_of(text: str) -> type[Command] | None:
    found = _BY_SLASH.get(text[:2])
    if found is not None:
        return found
    head, tab, _ = text.partition("\t")
    if tab:
        found = _BY_HEAD.get(head + tab)
        if found is not None:
            return found
    if text in _EXACT:
        return _EXACT[text]
    # A map may be called "TURN track" or "Events": its boards come before the open prefixes.
    if head.endswith(_BOARDS):
        return game.ChooseBoards
    for start, cls in _BY_START:
        if text.startswith(start):
            return cls
    return None
