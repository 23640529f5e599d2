"""Piece steps of a recipe done to a saved game or log, later states of each piece included."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.commands.piece import AddPiece, ChangePiece
from hexmarshal.vassal.commands.table import LogEntry
from hexmarshal.vassal.commands.tree import CommandNode
from hexmarshal.vassal.pieces.piece import Piece
from hexmarshal.vassal.recipes.inside import StepEditor
from hexmarshal.vassal.refresh.carry import Roster
from hexmarshal.vassal.refresh.definitions import Definition
from hexmarshal.vassal.refresh.plan import Plan
from hexmarshal.vassal.traits import BasicPiece

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.vassal.commands.codec import Command
    from hexmarshal.vassal.recipes.recipe import PieceStep
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["edit_game"]


def edit_game(
    saved: SavedGame,
    step: PieceStep,
    note: Callable[[str, str], None],
    problems: list[str],
) -> SavedGame:
    """The game with the step done to each piece that it selects."""
    root = _Editor(step, note, problems, StepEditor(step)).node(saved.root)
    return saved if root is saved.root else saved.with_root(root)


@dataclass(slots=True)
class _Editor:
    step: PieceStep
    note: Callable[[str, str], None]
    problems: list[str]
    editor: StepEditor
    plans: dict[str, Plan] = field(default_factory=dict)

    def node(self, node: CommandNode) -> CommandNode:
        """The node with all below; itself if nothing changes."""
        command = node.command
        fresh = self.command(command)
        children = tuple(map(self.node, node.children))
        same = all(a is b for a, b in zip(children, node.children, strict=True))
        if fresh is command and same:
            return node
        return CommandNode(node.text if fresh is command else fresh.encode(), children)

    def command(self, command: Command) -> Command:
        match command:
            case LogEntry(str()):
                inner = command.logged
                fresh = self.command(inner)
                return command if fresh is inner else LogEntry(fresh.encode())
            case AddPiece():
                return self.add(command)
            case ChangePiece(id) if id in self.plans:
                return self.change(command)
        return command

    def add(self, command: AddPiece) -> Command:
        unit = command.id or ""
        self.plans.pop(unit, None)
        piece = Piece.parse(command.type, command.state, unit)
        if not isinstance(piece.basic, BasicPiece):
            return command
        if piece.problem is not None:
            self.problems.append(f"piece {unit} cannot be read: {piece.problem}")
            return command
        fresh, words = self.editor.edited(piece)
        if fresh == piece:
            return command
        self.note(f"{piece.name} ({unit})", "; ".join(words))
        self.plans[unit] = Plan.make(
            piece.type, Definition(fresh.gpid, fresh.name, "", fresh), None
        )
        return replace(command, type=fresh.type.text, state=fresh.state_text)

    def change(self, command: ChangePiece) -> Command:
        plan = self.plans[command.id]
        try:
            state = plan.apply(command.state, Roster()).state
            old = command.old_state
            old = None if old is None else plan.apply(old, Roster()).state
        except VassalFormatError as why:
            raise VassalFormatError(
                f"a logged change of piece {command.id} does not fit it: {why.message}",
                place=self.step.place,
            ) from None
        return replace(command, state=state, old_state=old)
