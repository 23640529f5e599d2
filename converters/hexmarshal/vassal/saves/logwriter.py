"""Writes a log: a starting state, then steps of commands, each with its way back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import UsageError, VassalFormatError
from hexmarshal.vassal.commands.game import ChangeProperty, SetTurn
from hexmarshal.vassal.commands.piece import AddPiece, ChangePiece, MovePiece, RemovePiece
from hexmarshal.vassal.commands.table import Chat, LogEntry, Undo
from hexmarshal.vassal.commands.tree import CommandNode, tree
from hexmarshal.vassal.saves.chat import talk
from hexmarshal.vassal.saves.chat_dice import dice_report
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.placed import PlacedDeck, PlacedStack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType
    from typing import Self

    from hexmarshal.vassal.commands.codec import Command
    from hexmarshal.vassal.commands.turn import TurnState
    from hexmarshal.vassal.state.game_state import GameState
    from hexmarshal.vassal.state.placed import Placed

__all__ = ["LogWriter", "StepWriter"]


class LogWriter:
    """A game in the making; `state` is always the state after the last step."""

    def __init__(self, start: SavedGame | GameState) -> None:
        saved = start if isinstance(start, SavedGame) else SavedGame.from_state(start)
        self._start = saved
        self.state = saved.state()
        self._groups = list(saved.log_part())
        for group in self._groups:
            for node in group.walk():
                command = node.command
                if isinstance(command, LogEntry):
                    self.state.apply(command.logged)
        self._done: list[tuple[Command, ...]] = []

    def step(self) -> StepWriter:
        """A new step, for a `with` statement; it is logged at its end unless it is empty."""
        return StepWriter(self)

    def undo(self) -> None:
        """Take back the last step that stands."""
        if not self._done:
            raise UsageError("there is no step to take back")
        inverse = self._done.pop()
        for command in inverse:
            self.state.apply(command)
        self._groups.append(_group([Undo(True), *inverse, Undo(False)]))

    def finish(self, entries: Mapping[str, bytes] | None = None) -> SavedGame:
        """The log as a file, with `entries` as its metadata."""
        root = self._start.root
        rest = [child for child in root.children if not isinstance(child.command, LogEntry)]
        saved = self._start.with_root(root.with_children([*rest, *self._groups]))
        return saved.with_entries(entries) if entries else saved

    def _log(self, commands: Sequence[Command], inverse: Sequence[Command]) -> None:
        self._groups.append(_group(commands))
        self._done.append(tuple(inverse))


class StepWriter:
    """Gathers the commands of one step and does each at once."""

    def __init__(self, log: LogWriter) -> None:
        self._log = log
        self._commands: list[Command] = []
        self._inverse: list[Command] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None and self._commands:
            self._log._log(self._commands, self._inverse)  # noqa: SLF001 - two halves of one

    @property
    def state(self) -> GameState:
        """The state so far."""
        return self._log.state

    def command(self, command: Command, *inverse: Command) -> None:
        """Any command; `inverse` is what takes it back."""
        for each in (command, *inverse):
            _check_writable(each)
        self.state.apply(command)
        self._commands.append(command)
        self._inverse[:0] = inverse

    def move(
        self,
        id: str,
        map: str | None,
        x: int,
        y: int,
        *,
        under: str | None = None,
        user: str | None = None,
    ) -> None:
        """Move a piece to a point, above `under`, or with no map off all maps."""
        item = self._known(id)
        below = self.state.table.below(id)
        old = (item.map, item.x, item.y, below)
        there = MovePiece(id, map, x, y, under, *old, user)
        self.command(there, MovePiece(id, *old, map, x, y, under, user))

    def change(self, id: str, state: str) -> None:
        """Give a piece, stack or deck a new state."""
        old = self._known(id).state
        self.command(ChangePiece(id, state, old), ChangePiece(id, old, state))

    def add(self, id: str, type: str, state: str) -> None:
        """Bring a piece into the game."""
        if self.state.find(id) is not None:
            raise UsageError(f"there is already a piece with the id {id}")
        self.command(AddPiece(id, type, state), RemovePiece(id))

    def remove(self, id: str) -> None:
        """Take a piece out of the game; taking that back restores its stack too."""
        item = self._known(id)
        back: list[Command] = [AddPiece(id, item.type, item.state)]
        holder = self.state.find(self.state.table.holders.get(id, ""))
        if isinstance(holder, PlacedStack | PlacedDeck):
            left = replace(holder, members=tuple(m for m in holder.members if m != id))
            back.append(ChangePiece(holder.id, holder.state, left.state))
        self.command(RemovePiece(id), *back)

    def set_property(self, name: str, value: str, container: str = "Module") -> None:
        """Change a global property."""
        old = self.state.property_value(name, container) or ""
        self.command(
            ChangeProperty(name, old, value, container), ChangeProperty(name, value, old, container)
        )

    def set_turn(self, tracker: str, turn: TurnState) -> None:
        """Put a turn tracker to a state."""
        old = self.state.turns.get(tracker)
        self.command(SetTurn(tracker, turn.encode()), *([old] if old else []))

    def chat(self, player: str, said: str) -> None:
        """Let a player say something."""
        self.command(Chat(talk(player, said)))

    def report(self, text: str) -> None:
        """A report line, such as a move in words."""
        self.command(Chat(text if text.startswith("*") else f"* {text}"))

    def roll(self, button: str, dice: Sequence[int], player: str) -> None:
        """A roll of a dice button, with the properties that it sets."""
        self.command(Chat(dice_report(button, dice, player)))
        self.set_property(f"{button}_result", ",".join(map(str, dice)))
        self.set_property(f"{button}_total", str(sum(dice)))

    def _known(self, id: str) -> Placed:
        item = self.state.find(id)
        if item is None:
            raise UsageError(f"there is no piece with the id {id} in the game")
        return item


def _group(commands: Sequence[Command]) -> CommandNode:
    first, *rest = (tree(LogEntry(command.encode())) for command in commands)
    return first.with_children(rest)


def _check_writable(command: Command) -> None:
    """Refuse now what could not be written when the file is saved."""
    text = _group([command]).encode()
    if text.endswith("\\"):
        raise VassalFormatError(
            "a logged command cannot end in a backslash", hint="add a space behind the backslash"
        )
