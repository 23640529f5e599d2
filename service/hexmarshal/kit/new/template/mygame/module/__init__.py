"""The game's VASSAL module, as declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.kit.module import build
from mygame.module.plan import plan
from mygame.plugin import MyGame

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = ["build_module"]


def build_module(folder: Path | str | None = None) -> ModuleBuilder:
    """The module, from the game's data or from a folder of a user's own."""
    plugin = MyGame(folder)
    return build(plugin, plan(plugin.tables))
