"""Who builds a game's VASSAL module: an installed package, or a function that a user names."""

from __future__ import annotations

import inspect
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, NotFoundError, RulesError, UsageError
from hexmarshal.errors.names import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.metadata import EntryPoint
    from pathlib import Path

    from hexmarshal.vassal.builder import ModuleBuilder

    Make = Callable[[Path | None], ModuleBuilder]

__all__ = ["GROUP", "offer"]

GROUP = "hexmarshal.modules"


def offer(game: str, source: str = "", plugins: Sequence[str] = ()) -> Make:
    """The function that makes a game's module from its data, or from a folder of the user's.

    A plugin named on the command line has it in the package `module` beside it.
    """
    if sum(map(bool, (game or plugins, source))) != 1:
        raise UsageError(
            "name a game, a plugin with --plugin, or a function with --from",
            hint="hexmarshal build --help",
        )
    if source:
        return _named(source)
    return _plugged(game, plugins) if plugins else _offered(game)


def _plugged(game: str, plugins: Sequence[str]) -> Make:
    from hexmarshal.cli.rules.plugins import games
    from hexmarshal.rules.plugins.registry import default

    registry = games(None)
    loaded = [registry.load(spec) for spec in plugins]
    if not game and len(loaded) > 1:
        raise UsageError("several plugins: name the game", hint="hexmarshal build --help")
    plugin = default().get(game) if game else loaded[0]
    package = type(plugin).__module__.rpartition(".")[0]
    where = f"{package}.module" if package else "module"
    try:
        found = getattr(import_module(where), "build_module", None)
    except ModuleNotFoundError as error:
        if error.name != where:
            raise RulesError(f"{where} cannot be loaded: {error}") from error
        found = None
    except Exception as error:
        raise RulesError(f"{where} cannot be loaded: {type(error).__name__}: {error}") from error
    if found is None:
        raise NotFoundError(
            f"the plugin of {plugin.game.key} has no module to build",
            hint=f"it would be the function build_module of {where}; or name one with --from",
        )
    return _checked(found, f"{where}:build_module")


def _offered(game: str) -> Make:
    offers = {entry.name: entry for entry in entry_points(group=GROUP)}
    if game not in offers:
        known = f"games with a module: {', '.join(sorted(offers))}" if offers else "none is known"
        raise NotFoundError(
            f"no VASSAL module of a game {game!r} can be built",
            hint=did_you_mean(game, offers, known),
        )
    return _checked(_loaded(offers[game]), offers[game].value)


def _named(source: str) -> Make:
    from hexmarshal.rules.plugins.naming import named

    module, _, attribute = source.rpartition(":")
    if not module or not attribute:
        hint = "as in package.module:build"
        raise UsageError(f"{source!r} is not a module and a function", hint=hint)
    return _checked(named(source, "the builder"), source)


def _loaded(entry: EntryPoint) -> object:
    from hexmarshal.rules.plugins.naming import reason

    try:
        return entry.load()
    except Exception as error:
        raise RulesError(f"{entry.value} cannot be loaded: {reason(error)}") from error


def _checked(found: object, source: str) -> Make:
    """A function of a folder, whether or not it takes one."""
    if not callable(found):
        raise RulesError(f"{source} is not a function that builds a module")
    takes_folder = bool(inspect.signature(found).parameters)

    def make(folder: Path | None) -> ModuleBuilder:
        from hexmarshal.vassal.builder import ModuleBuilder

        if folder is not None and not takes_folder:
            raise UsageError(f"{source} takes no data of your own")
        try:
            made = found(folder) if takes_folder else found()
        except HexMarshalError:
            raise
        except Exception as error:
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise RulesError(
                f"{source} failed: {what}", hint="a fault of that code; --debug shows where"
            ) from error
        if not isinstance(made, ModuleBuilder):
            raise RulesError(f"{source} gives a {type(made).__name__}, not a module")
        return made

    return make
