"""The state of a game: what is where after loading, and after every command since."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import Place
from hexmarshal.vassal.commands import game, piece
from hexmarshal.vassal.commands.registry import Broken, Unknown
from hexmarshal.vassal.state.placed import Placed, PlacedDeck, PlacedPiece, PlacedStack, placed
from hexmarshal.vassal.state.stacking import DrawingOrder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.vassal.commands.codec import Command
    from hexmarshal.vassal.commands.tree import CommandNode

__all__ = ["GameState", "Notes", "Problem", "Seat"]

MODULE: Final = "Module"


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at a side; the user id is a password and is never shown."""

    user: str = field(repr=False)
    name: str
    side: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that could not be read or done; the file keeps it verbatim."""

    message: str
    place: Place


@dataclass(slots=True)
class Notes:
    """All notes of a game; owners of private and secret ones are user ids."""

    scenario: str = ""
    public: str = ""
    private: dict[str, str] = field(default_factory=dict, repr=False)
    secret: dict[tuple[str, str], game.SecretNote] = field(default_factory=dict, repr=False)


@dataclass(slots=True)
class GameState:
    """All that a save holds, typed; `apply` does what VASSAL does with a command.

    What commands of a module's own do is unknown: in a save they are kept in `others`.
    """

    table: DrawingOrder = field(default_factory=DrawingOrder)
    properties: dict[tuple[str, str], str] = field(default_factory=dict)
    turns: dict[str, game.SetTurn] = field(default_factory=dict)
    seats: dict[str, Seat] = field(default_factory=dict, repr=False)
    boards: dict[str, tuple[game.BoardChoice, ...]] = field(default_factory=dict)
    notes: Notes = field(default_factory=Notes)
    extensions: dict[str, str] = field(default_factory=dict)
    plugins: dict[str, str] = field(default_factory=dict)
    startup_done: dict[str, bool] = field(default_factory=dict)
    clocks: dict[str, game.Clock] = field(default_factory=dict, repr=False)
    clock_control: game.ClockControl | None = None
    unmask: tuple[str, ...] | None = field(default=None, repr=False)
    email: str | None = None
    events: tuple[game.Event, ...] | None = None
    locks: dict[str, game.LockScenarioTab] = field(default_factory=dict, repr=False)
    stacks_placed: bool = False
    others: tuple[str, ...] = ()
    loading: bool = field(default=False, compare=False)
    problems: list[Problem] = field(default_factory=list, compare=False)
    done: int = field(default=0, compare=False, repr=False)

    def __repr__(self) -> str:
        return f"<GameState with {len(self.table.items)} pieces and stacks>"

    @classmethod
    def load(cls, root: CommandNode) -> GameState:
        """The state after the save part of a tree; logged commands only wait."""
        state = cls()
        state.apply_all(node.command for node in root.walk())
        return state

    # What is where

    @property
    def pieces(self) -> dict[str, PlacedPiece]:
        """Every piece by its id, bottom of the drawing order first."""
        return {i: p for i, p in self.table.items.items() if isinstance(p, PlacedPiece)}

    @property
    def stacks(self) -> dict[str, PlacedStack]:
        """Every stack by its id."""
        return {i: p for i, p in self.table.items.items() if isinstance(p, PlacedStack)}

    @property
    def decks(self) -> dict[str, PlacedDeck]:
        """Every deck by its id."""
        return {i: p for i, p in self.table.items.items() if isinstance(p, PlacedDeck)}

    def find(self, id: str) -> Placed | None:
        """The piece, stack or deck of this id."""
        return self.table.items.get(id)

    def members(self, id: str) -> tuple[PlacedPiece, ...]:
        """The pieces of a stack or deck from bottom to top."""
        return self.table.members_of(id)

    def on_map(self, map: str | None) -> Iterator[PlacedPiece]:
        """All pieces of a map, or those off every map."""
        return (p for p in self.pieces.values() if p.map == map)

    def property_value(self, name: str, container: str = "") -> str | None:
        """A global property, in its container or the first that has it."""
        return self.properties.get(self._property_key(name, container))

    def copy(self) -> GameState:
        """A state of its own, to keep while this one goes on; pieces are shared."""
        twin = replace(self, table=self.table.copy(), notes=replace(self.notes))
        twin.notes.private = dict(self.notes.private)
        twin.notes.secret = dict(self.notes.secret)
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, dict | list):
                setattr(twin, each.name, value.copy())
        return twin

    # What happens

    def apply_all(self, commands: Iterable[Command]) -> None:
        """Apply one command after the other."""
        for command in commands:
            self.apply(command)

    def apply(self, command: Command) -> None:
        """Do what the command says; what cannot be done is noted in `problems`."""
        self.done += 1
        match command:
            case piece.AddPiece():
                self._add(command)
            case piece.ChangePiece(id, state, old):
                self._expect(self.table.change(id, state, old), id, "changed")
            case piece.MovePiece(id, to, x, y, under):
                self._expect(self.table.move(id, to, x, y, under), id, "moved")
            case piece.RemovePiece(id):
                self._expect(self.table.remove(id), id, "removed")
            case game.ChangeProperty(name, _, new, container):
                self.properties[self._property_key(name, container or "")] = new
            case game.SetGlobalProperty(name, value, container):
                self.properties[container or "", name] = value
            case game.SetTurn(tracker):
                self.turns[tracker] = command
            case game.TakeSeat(user, name, side):
                self.seats[user] = Seat(user, name, side)
            case game.LeaveSeat(user):
                self.seats.pop(user, None)
            case game.BeginSave():
                self._clear()
            case game.EndSave():
                self.loading = False
            case Broken(text, name, problem):
                self._problem(f"{name} {problem}")
                self._keep(text)
            case Unknown(text):
                self._keep(text)
            case _:
                self._apply_component(command)

    def _apply_component(self, command: Command) -> None:
        """The commands that restore one component each."""
        match command:
            case game.ChooseBoards(of_map, boards):
                self.boards[of_map] = boards
            case game.StacksPlaced():
                self.stacks_placed = True
            case game.ScenarioNotes(text):
                self.notes.scenario = text
            case game.PublicNotes(text):
                self.notes.public = text
            case game.PrivateNote(owner, text):
                self.notes.private[owner] = text
            case game.SecretNote(name, owner):
                self.notes.secret[owner, name] = command
            case game.LoadedExtension(name, version):
                self.extensions[name] = version
            case game.LoadedPlugin(name, version):
                self.plugins[name] = version
            case game.StartupCommandDone(id, done):
                self.startup_done[id] = done
            case game.Clock(side=side):
                self.clocks[side] = command
            case game.ClockControl():
                self.clock_control = command
            case game.Unmask(users):
                self.unmask = users or ()
            case game.ServerEmail(text):
                self.email = text
            case game.Events(events):
                self.events = events
            case game.LockScenarioTab(tab):
                self.locks[tab] = command

    def _problem(self, message: str, unit: str | None = None) -> None:
        place = Place(field=f"command {self.done}", unit=unit)
        self.problems.append(Problem(message, place))

    def _expect(self, known: bool, unit: str, done: str) -> None:
        if not known:
            self._problem(f"a piece that is not in the game is {done}", unit)

    def _keep(self, text: str) -> None:
        if self.loading:
            self.others = (*self.others, text)

    def _clear(self) -> None:
        fresh = GameState(loading=True, done=self.done, problems=self.problems)
        for each in fields(self):
            setattr(self, each.name, getattr(fresh, each.name))

    def _add(self, command: piece.AddPiece) -> None:
        if command.id is None:
            self._problem("a piece without an id enters the game")
            return
        item = placed(command.id, command.type, command.state)
        if isinstance(item, PlacedPiece) and item.problem:
            self._problem(item.problem, item.id)
        self.table.add(item)

    def _property_key(self, name: str, container: str) -> tuple[str, str]:
        if (container, name) not in self.properties and container in ("", MODULE):
            for key in self.properties:
                if key[1] == name and (not container or key[0] in ("", MODULE)):
                    return key
        return container, name
