"""Whose fault an exception is: that of a plugin, if it came out of the plugin's code."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from hexmarshal.errors import Place, RulesError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.rules.plugin import GamePlugin

__all__ = ["PluginFailedError", "fault_of"]


class PluginFailedError(RulesError):
    """A game's plugin raised what it should not: a fault of its code, not of the user's files."""

    code = "plugin-failed"


def fault_of(
    error: BaseException, plugins: Iterable[GamePlugin], place: Place | None = None
) -> PluginFailedError | None:
    """The error that names the plugin in whose code this was raised; None if it was in none."""
    by_package = {_package(plugin): plugin for plugin in plugins}
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        module = str(frame.f_globals.get("__name__", ""))
        for package, plugin in by_package.items():
            if module == package or module.startswith(f"{package}."):
                what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
                code = frame.f_code
                return PluginFailedError(
                    f"the plugin {plugin.game.key!r} failed in {code.co_name}: {what}",
                    place=place,
                    hint=f"a fault of the plugin ({Path(code.co_filename).name}, line {line}): "
                    "tell its author; --debug shows all",
                )
    return None


def _package(plugin: GamePlugin) -> str:
    """The name under which all of a plugin's code is: its package, or its one module."""
    name = type(plugin).__module__
    if hasattr(sys.modules.get(name), "__path__"):
        return name
    return name.rpartition(".")[0] or name
