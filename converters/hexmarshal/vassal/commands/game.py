"""The commands that a save is made of beside its pieces: seats, properties, boards, notes, turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from hexmarshal.vassal import sequence
from hexmarshal.vassal.commands.codec import Command, form
from hexmarshal.vassal.commands.field_kinds import (
    FieldKind,
    Flag,
    Integer,
    Lines,
    Rest,
    SoftUserId,
    Text,
    UserId,
    UserIds,
)
from hexmarshal.vassal.commands.turn import TurnState

__all__ = [
    "BeginSave",
    "BoardChoice",
    "ChangeProperty",
    "ChooseBoards",
    "Clock",
    "ClockControl",
    "EndSave",
    "Event",
    "Events",
    "LeaveSeat",
    "LoadedExtension",
    "LoadedPlugin",
    "LockScenarioTab",
    "PrivateNote",
    "PublicNotes",
    "SavedDeck",
    "ScenarioNotes",
    "SecretNote",
    "ServerEmail",
    "SetGlobalProperty",
    "SetTurn",
    "StacksPlaced",
    "StartupCommandDone",
    "TakeSeat",
    "Unmask",
]

REVERSED: Final = "rev"


@form("begin_save")
@dataclass(frozen=True, slots=True)
class BeginSave(Command):
    """The running game ends and all pieces go."""


@form("end_save")
@dataclass(frozen=True, slots=True)
class EndSave(Command):
    """The game starts: maps open."""


@form("PLAYER\t", "\t")
@dataclass(frozen=True, slots=True)
class TakeSeat(Command):
    """A player takes a side."""

    user: UserId
    name: Text
    side: Text


@form("PYREMOVE\t", "\t")
@dataclass(frozen=True, slots=True)
class LeaveSeat(Command):
    """A player gives the side up."""

    user: UserId


@form("MutableProperty\t", "\t")
@dataclass(frozen=True, slots=True)
class ChangeProperty(Command):
    """A global property changes; an empty container means the first one that has it."""

    name: Text
    old: Text
    new: Text
    container: Text | None = None


@form("GlobalProperty\t;", ";")
@dataclass(frozen=True, slots=True)
class SetGlobalProperty(Command):
    """The value of a global property in a save."""

    name: Text
    value: Text
    container: Text | None = None


@form("TURN", "\t", glued=True)
@dataclass(frozen=True, slots=True)
class SetTurn(Command):
    """Where a turn tracker stands."""

    tracker: Text
    state: Text

    @property
    def turn(self) -> TurnState:
        """The state level by level."""
        return TurnState.decode(self.state)


@dataclass(frozen=True, slots=True)
class BoardChoice:
    """A board at a column and row of a map's layout, maybe turned around."""

    name: str
    column: int = 0
    row: int = 0
    reversed: bool = False


def _read_boards(tokens: list[str]) -> tuple[BoardChoice, ...]:
    if len(tokens) % 3:
        raise ValueError
    found: list[BoardChoice] = []
    for board, column, row in zip(*[iter(tokens)] * 3, strict=True):
        name, *turned = sequence.decode(board, "/")
        if turned not in ([], [REVERSED]):
            raise ValueError
        found.append(BoardChoice(name, int(column), int(row), bool(turned)))
    return tuple(found)


def _write_boards(boards: tuple[BoardChoice, ...]) -> list[str]:
    tokens: list[str] = []
    for board in boards:
        name = sequence.join([board.name, REVERSED] if board.reversed else [board.name], "/")
        tokens += [name, str(board.column), str(board.row)]
    return tokens


@form("", "\t", glued=True, suffix="BoardPicker")
@dataclass(frozen=True, slots=True)
class ChooseBoards(Command):
    """Which boards lie where on a map."""

    map: Text
    boards: Annotated[tuple[BoardChoice, ...], Rest("boards", _read_boards, _write_boards)]


@form("SETUP_STACK\t")
@dataclass(frozen=True, slots=True)
class StacksPlaced(Command):
    """The marker that at-start stacks are in the game already."""


@form("NOTES\t")
@dataclass(frozen=True, slots=True)
class ScenarioNotes(Command):
    """The scenario's notes."""

    text: Lines


@form("PNOTES\t")
@dataclass(frozen=True, slots=True)
class PublicNotes(Command):
    """Notes for all players."""

    text: Lines


@form("PNOTE\t", "\t")
@dataclass(frozen=True, slots=True)
class PrivateNote(Command):
    """A player's own notes."""

    owner: UserId
    text: Lines


@form("SNOTE\t", "\t")
@dataclass(frozen=True, slots=True)
class SecretNote(Command):
    """A note that its owner may reveal later."""

    name: Text
    owner: UserId
    hidden: Flag
    text: Lines
    date: Text | None = None
    handle: Text | None = None


@form("UNMASK\t", "\t")
@dataclass(frozen=True, slots=True)
class Unmask(Command):
    """Whose pieces others may unmask; None is an empty list as newer engines write it."""

    users: UserIds


@form("EXT\t", "\t")
@dataclass(frozen=True, slots=True)
class LoadedExtension(Command):
    """An extension that was loaded when the game was saved."""

    name: Text
    version: Text


@form("PLUGIN\t", "\t")
@dataclass(frozen=True, slots=True)
class LoadedPlugin(Command):
    """A plug-in that was loaded when the game was saved."""

    name: Text
    version: Text


@form("SGKC\t", "\t")
@dataclass(frozen=True, slots=True)
class StartupCommandDone(Command):
    """Whether a start-up key command was applied in this game."""

    id: Text
    done: Flag


@form("CLOCK\t", "\t")
@dataclass(frozen=True, slots=True)
class Clock(Command):
    """A side's chess clock, in milliseconds."""

    who: SoftUserId
    side: Text
    elapsed: Integer
    verified: Integer
    ticking: Flag
    restore: Flag


@form("CLOCKCONTROL\t", "\t")
@dataclass(frozen=True, slots=True)
class ClockControl(Command):
    """Whether the clocks show and run."""

    showing: Flag
    online: Flag


@form("SEMAIL\t")
@dataclass(frozen=True, slots=True)
class ServerEmail(Command):
    """Where an internet dice server sends its rolls."""

    text: Text


@dataclass(frozen=True, slots=True)
class Event:
    """An entry of the old event log."""

    time: int
    user: str
    action: str


def _read_events(text: str) -> tuple[Event, ...]:
    found: list[Event] = []
    for entry in sequence.decode(text, "|") if text else ():
        time, user, action = sequence.decode(entry, ",")
        found.append(Event(int(time), user, action))
    return tuple(found)


def _write_events(events: tuple[Event, ...]) -> str:
    entries = (sequence.join([str(e.time), e.user, e.action], ",") for e in events)
    return sequence.join(entries, "|")


@form("Events")
@dataclass(frozen=True, slots=True)
class Events(Command):
    """What old saves keep of the game's events."""

    events: Annotated[
        tuple[Event, ...], FieldKind("list of events", _read_events, _write_events, loose=True)
    ]


@form("LOCKSPOTAB\t", "\t")
@dataclass(frozen=True, slots=True)
class LockScenarioTab(Command):
    """Scenario options locked with a password."""

    tab: Text
    by: SoftUserId
    password: UserId
    date: Text


@form("DECK\t")
@dataclass(frozen=True, slots=True)
class SavedDeck(Command):
    """The root of a file that holds one deck."""
