"""Changes every piece of a saved game or log alike, wherever the command tree holds one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.vassal.commands.piece import AddPiece, ChangePiece
from hexmarshal.vassal.commands.table import LogEntry
from hexmarshal.vassal.commands.tree import CommandNode
from hexmarshal.vassal.pieces.piece import Piece

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.vassal.commands.codec import Command
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["rewrite_pieces"]


def rewrite_pieces(
    saved: SavedGame,
    change: Callable[[Piece], Piece],
    other: Callable[[Command], Command] = lambda command: command,
) -> SavedGame:
    """The game with `change` done to every piece and every later state of one.

    `change` must keep the number of traits; `other` is done to commands that hold no piece. Where
    nothing changes, the file stays as it is.
    """
    root = _Rewriter(change, other).node(saved.root)
    return saved if root is saved.root else saved.with_root(root)


class _Rewriter:
    """Goes through a tree in the order of execution, so that the type of each piece is known."""

    def __init__(
        self, change: Callable[[Piece], Piece], other: Callable[[Command], Command]
    ) -> None:
        self._change = change
        self._other = other
        self._types: dict[str, str] = {}

    def node(self, node: CommandNode) -> CommandNode:
        """The node with all below; the same object if nothing changed."""
        before = node.command
        after = self._command(before)
        children = tuple(map(self.node, node.children))
        if after is before and all(a is b for a, b in zip(children, node.children, strict=True)):
            return node
        return CommandNode(node.text if after is before else after.encode(), children)

    def _command(self, command: Command) -> Command:
        match command:
            case LogEntry(str()):
                inner = command.logged
                changed = self._command(inner)
                return command if changed is inner else LogEntry(changed.encode())
            case AddPiece(id, type, state):
                self._types[id or ""] = type
                piece = Piece.parse(type, state, id or "null")
                new = self._change(piece)
                if new is piece or new == piece:
                    return command
                return replace(command, type=new.type.text, state=new.state_text)
            case ChangePiece(id, state, old):
                new_state = self._state(id, state)
                new_old = None if old is None else self._state(id, old)
                if (new_state, new_old) == (state, old):
                    return command
                return replace(command, state=new_state, old_state=new_old)
        return self._other(command)

    def _state(self, id: str, state: str) -> str:
        known = self._types.get(id)
        return state if known is None else self._change(Piece.parse(known, state, id)).state_text
