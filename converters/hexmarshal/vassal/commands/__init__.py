"""VASSAL's commands: the tree they form, and every stock one as a typed value."""

from __future__ import annotations

from hexmarshal.vassal.commands.codec import Command
from hexmarshal.vassal.commands.registry import STOCK, Broken, Nothing, Unknown, decode
from hexmarshal.vassal.commands.tree import CommandNode, parse, tree

__all__ = [
    "STOCK",
    "Broken",
    "Command",
    "CommandNode",
    "Nothing",
    "Unknown",
    "decode",
    "parse",
    "tree",
]
