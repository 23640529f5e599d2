"""What a game itself makes of deeds.

A game may offer a module `referee` beside its plugin with a function

    interpret(position: Position, deeds: Sequence[Deed]) -> Iterable[Sequence[Action]]

that yields what the deeds may have been, the likeliest first, each a sequence of actions.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position

__all__ = ["own_reading"]


def own_reading(
    plugin: GamePlugin,
) -> Callable[[Position, Sequence[Deed]], Iterable[Sequence[Action]]] | None:
    """The function `interpret` of the module `referee` beside a plugin, if there is one."""
    package = type(plugin).__module__.rpartition(".")[0]
    name = f"{package}.referee" if package else "referee"
    if not package or importlib.util.find_spec(name) is None:
        return None
    found: Callable[[Position, Sequence[Deed]], Iterable[Sequence[Action]]] | None = getattr(
        importlib.import_module(name), "interpret", None
    )
    return found
