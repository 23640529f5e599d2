"""Three versions of a saved game made into one: command by command, pieces by their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.vassal.commands.game import (
    ChooseBoards,
    SetGlobalProperty,
    SetTurn,
    TakeSeat,
)
from hexmarshal.vassal.commands.piece import AddPiece
from hexmarshal.vassal.commands.tree import CommandNode
from hexmarshal.vassal.pieces.gpids import with_gpids
from hexmarshal.vassal.pieces.piece import Piece
from hexmarshal.vassal.pieces.piece_names import full_name
from hexmarshal.vassal.privacy.secrets import Redactor, find_user_ids
from hexmarshal.vassal.threeway.account import Account
from hexmarshal.vassal.threeway.kinship import KNOWN
from hexmarshal.vassal.threeway.pieces import merge_pieces
from hexmarshal.vassal.threeway.sequences import merge_orders

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["merge_games"]

Key = tuple[str, ...]


def merge_games(
    base: SavedGame,
    ours: SavedGame,
    theirs: SavedGame,
    account: Account,
    where: str = "",
    gpids: Mapping[str, str] | None = None,
) -> SavedGame:
    """The game with the changes of both; `gpids` are new numbers of pieces that theirs added.

    Logs, and games that were set up anew so that no piece can be recognised, go as a whole.
    """
    users = [u for saved in (base, ours, theirs) for u in find_user_ids(saved.root)]
    told = Account(account.favour, account.taken, account.conflicts, Redactor(users))
    if theirs.text in {base.text, ours.text}:
        return ours
    if any(saved.is_log for saved in (base, ours, theirs)):
        return _whole(ours, theirs, told, where, "a log")
    was, mine, other = (_ids(saved.root) for saved in (base, ours, theirs))
    if min(len(was & mine), len(was & other)) < KNOWN * len(was):
        if base.text == ours.text:
            account.take(f"{where}: set up anew" if where else "the game, which was set up anew")
            return theirs
        return _whole(ours, theirs, told, where, "a game that was set up anew")
    trial = Account(account.favour, hide=told.hide)
    root = _Merge(trial, where, gpids or {}).children(base.root, ours.root, theirs.root)
    if len(_ids(root)) < sum(isinstance(n.command, AddPiece) for n in root.walk()):
        return _whole(ours, theirs, told, where, "pieces that stand in other groups")
    account.taken += trial.taken
    account.conflicts += trial.conflicts
    return ours.with_root(root)


def _whole(
    ours: SavedGame, theirs: SavedGame, account: Account, where: str, what: str
) -> SavedGame:
    account.clash(where, f"{what}: changed by both", "", "changed", "changed")
    return theirs if account.favours_theirs else ours


def _ids(root: CommandNode) -> set[str]:
    commands = (node.command for node in root.walk())
    return {command.id or "" for command in commands if isinstance(command, AddPiece)}


def _table(root: CommandNode) -> dict[Key, CommandNode]:
    """The commands of a save by what they are about; repeats are counted."""
    table: dict[Key, CommandNode] = {}
    for node in root.children:
        key = _key(node)
        number = 0
        while (*key, str(number)) in table:
            number += 1
        table[*key, str(number)] = node
    return table


def _key(node: CommandNode) -> Key:
    if node.children:
        return "group", node.text
    match command := node.command:
        case AddPiece():
            return "piece", command.id or ""
        case SetGlobalProperty():
            return "property", command.container or "", command.name
        case SetTurn():
            return "turn", command.tracker
        case TakeSeat():
            return "seat", command.user
        case ChooseBoards():
            return "boards", command.map
    return "command", node.text.partition("\t")[0][:40]


class _Merge:
    """Goes down three trees at once, as far as they have the same groups."""

    def __init__(self, account: Account, where: str, gpids: Mapping[str, str]) -> None:
        self._account, self._where, self._gpids = account, where, gpids

    def children(self, base: CommandNode, ours: CommandNode, theirs: CommandNode) -> CommandNode:
        """The node of ours with what is below it merged."""
        tables = [_table(node) for node in (base, ours, theirs)]
        was, mine, other = tables
        order, _ = merge_orders(list(was), list(mine), list(other))
        # The end of the save stays its end.
        last = list(mine)[-1:]
        order = [*(key for key in order if key not in last), *last]
        found = (self._node(key, *(table.get(key) for table in tables)) for key in order)
        return ours.with_children(node for node in found if node is not None)

    def _node(
        self,
        key: Key,
        was: CommandNode | None,
        mine: CommandNode | None,
        other: CommandNode | None,
    ) -> CommandNode | None:
        if other in (was, mine):
            return mine
        if key[0] == "group" and was is not None and mine is not None and other is not None:
            return self.children(was, mine, other)
        if mine == was:
            self._account.take(f"{self._called(key, other or was)}: {_how(was, other)}")
            return other if other is None or was is not None else self._renumbered(other)
        if mine is not None and was is not None and other is not None and key[0] == "piece":
            merged = self._piece(key, was, mine, other)
            if merged is not None:
                return merged
        texts = [None if node is None else node.text for node in (was, mine, other)]
        if key[0] == "piece":
            texts = [None if text is None else "changed" for text in texts]
        self._account.clash(self._called(key, mine or other), "changed by both", *texts)
        return other if self._account.favours_theirs else mine

    def _piece(
        self, key: Key, was: CommandNode, mine: CommandNode, other: CommandNode
    ) -> CommandNode | None:
        commands = [node.command for node in (was, mine, other)]
        added = [command for command in commands if isinstance(command, AddPiece)]
        if len(added) < 3:
            return None
        pieces = [Piece.parse(command.type, command.state) for command in added]
        where = self._called(key, mine)
        merged = merge_pieces(pieces[0], pieces[1], pieces[2], where, self._account)
        return CommandNode(AddPiece(added[1].id, merged.type.text, merged.state_text).encode())

    def _renumbered(self, node: CommandNode) -> CommandNode:
        command = node.command
        if not self._gpids or not isinstance(command, AddPiece):
            return node
        piece = with_gpids(Piece.parse(command.type, command.state), self._gpids)
        return CommandNode(AddPiece(command.id, piece.type.text, piece.state_text).encode())

    def _called(self, key: Key, node: CommandNode | None) -> str:
        name = " ".join(key[:-1])
        if key[0] == "piece" and node is not None and isinstance(c := node.command, AddPiece):
            piece = Piece.parse(c.type, c.state)
            words = "a stack" if piece.is_stack else full_name(piece) or piece.name
            name = f"{words or 'a piece'} ({c.id})"
        elif key[0] == "seat":
            name = "a seat"
        return f"{self._where}: {name}" if self._where else name


def _how(was: CommandNode | None, other: CommandNode | None) -> str:
    if was is None:
        return "added"
    return "removed" if other is None else "changed"
