"""Global properties that a saved game keeps although its module no longer has them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.vassal.commands.game import SetGlobalProperty
from hexmarshal.vassal.commands.tree import CommandNode
from hexmarshal.vassal.components import GlobalProperty, ScenarioProperty, ZoneProperty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["reset_properties"]


def reset_properties(
    saved: SavedGame, modules: Sequence[Module], reset: Sequence[str] = ()
) -> tuple[SavedGame, list[str]]:
    """The game without properties that no module has, and what was done in words.

    Those named in `reset` get the value that a new game begins with; `*` stands for all.
    """
    initial: dict[str, str] = {}
    known: set[str] = set()
    for module in modules:
        for component in module.walk():
            if isinstance(component, GlobalProperty | ZoneProperty):
                initial.setdefault(component.name, component.get("initialValue"))
                known.add(component.name)
            elif isinstance(component, ScenarioProperty):
                known.add(component.name)
    words: list[str] = []

    def changed(node: CommandNode) -> CommandNode | None:
        command = node.command if node.text.startswith("GlobalProperty\t") else None
        if not isinstance(command, SetGlobalProperty):
            children = [new for child in node.children if (new := changed(child)) is not None]
            same = len(children) == len(node.children) and all(
                a is b for a, b in zip(children, node.children, strict=True)
            )
            return node if same else node.with_children(children)
        name = command.name
        if name not in known and not node.children:
            words.append(f"{name}: removed, the module has no such property")
            return None
        value = initial.get(name)
        wanted = "*" in reset or name in reset
        if value is None or not wanted or value == command.value:
            return node
        words.append(f"{name}: {command.value!r} reset to {value!r}")
        return CommandNode(replace(command, value=value).encode(), node.children)

    root = changed(saved.root)
    return (saved if root is None or root is saved.root else saved.with_root(root)), words
