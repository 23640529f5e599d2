"""A log as players leave it who say nothing: every announcement taken out of the file."""

from __future__ import annotations

from hexmarshal.vassal.commands.codec import Command
from hexmarshal.vassal.commands.table import Chat, LogEntry
from hexmarshal.vassal.commands.tree import tree
from hexmarshal.vassal.saves.chat import ChatKind, read_chat
from hexmarshal.vassal.saves.log import GameLog, logged_commands
from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["muted"]


def muted(saved: SavedGame) -> SavedGame:
    """The log without a word of anybody; dice stay, which a button rolled."""
    root = saved.root
    kept = [child for child in root.children if not isinstance(child.command, LogEntry)]
    for node in saved.log_part():
        done = [one for one in logged_commands(node) if not is_talk(one)]
        if done:
            first, *rest = (tree(LogEntry(command.encode())) for command in done)
            kept.append(first.with_children(rest))
    silent = saved.with_root(root.with_children(kept))
    assert not [line for step in GameLog(silent).steps() for line in step.chat if "[" in line.text]
    return silent


def is_talk(command: Command) -> bool:
    return isinstance(command, Chat) and read_chat(command.text).kind is ChatKind.TALK
