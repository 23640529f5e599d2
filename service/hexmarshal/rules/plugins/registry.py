"""Where plugins come from: installed distributions, the environment, or an explicit `add`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, NotFoundError, RulesError
from hexmarshal.errors.names import did_you_mean
from hexmarshal.rules.plugin import GamePlugin
from hexmarshal.rules.plugins.faults import PluginFailedError, fault_of
from hexmarshal.rules.plugins.naming import named, reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hexmarshal.errors import Place

__all__ = ["ENVIRONMENT", "GROUP", "BrokenPlugin", "Registry", "default"]

GROUP = "hexmarshal.games"
ENVIRONMENT = "HEXMARSHAL_PLUGINS"


@dataclass(frozen=True, slots=True)
class BrokenPlugin:
    """A plugin that could not be loaded: what it should have been, and why it is not."""

    key: str
    source: str
    error: str


class Registry:
    """Plugins by the key of their game, each loaded when it is first asked for."""

    def __init__(self, entries: Iterable[EntryPoint] = (), specs: Iterable[str] = ()) -> None:
        self._plugins: dict[str, GamePlugin] = {}
        self._waiting: dict[str, tuple[str, Callable[[], object]]] = {}
        self._broken: dict[str, BrokenPlugin] = {}
        for entry in entries:
            source = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
            if entry.name in self._waiting:
                first = self._waiting[entry.name][0]
                self._fail(f"{entry.name} ({source})", source, f"the key is taken by {first}")
            else:
                self._waiting[entry.name] = (source, entry.load)
        for spec in specs:
            try:
                self.load(spec)
            except HexMarshalError as error:
                self._fail(spec, ENVIRONMENT, str(error))

    def add(self, plugin: GamePlugin) -> GamePlugin:
        """Register a plugin; it takes the place of one with the same key."""
        self._plugins[plugin.game.key] = plugin
        self._broken.pop(plugin.game.key, None)
        return plugin

    def load(self, spec: str) -> GamePlugin:
        """Register `module:attribute`; a module with a slash is a path to a package or a file."""
        module, _, attribute = spec.rpartition(":")
        if not module or not attribute:
            raise RulesError(f"a plugin is 'module:attribute', not {spec!r}")
        return self.add(_plugin(named(spec, "the plugin"), spec))

    def get(self, key: str) -> GamePlugin:
        """The plugin of this game."""
        if key in self._plugins:
            return self._plugins[key]
        if key in self._waiting:
            source, load = self._waiting[key]
            try:
                plugin = _plugin(load(), source)
                if plugin.game.key != key:
                    raise RulesError(f"its game is {plugin.game.key!r}, not {key!r}")
                return self.add(plugin)
            except Exception as error:  # noqa: BLE001 - a plugin may fail in any way
                self._fail(key, source, reason(error))
            # Not before: a game whose loading was interrupted is still there to be loaded.
            del self._waiting[key]
        if key in self._broken:
            broken = self._broken[key]
            raise RulesError(f"the plugin {key!r} of {broken.source} is broken: {broken.error}")
        known = ", ".join(self.keys()) or "none"
        raise NotFoundError(
            f"no game {key!r}", hint=did_you_mean(key, self.keys(), f"installed: {known}")
        )

    @property
    def loaded(self) -> int:
        """How many plugins are loaded."""
        return len(self._plugins)

    def is_loaded(self, key: str) -> bool:
        """Whether `get` has nothing to load, because it did already or there is no such game."""
        return key in self._plugins or key not in self._waiting

    def keys(self) -> list[str]:
        """The keys of all games, also of those that are not loaded yet."""
        return sorted({*self._plugins, *self._waiting})

    def plugins(self) -> list[GamePlugin]:
        """Every plugin that works, in the order of the keys; the others are in `broken` then."""
        found = []
        for key in self.keys():
            try:
                found.append(self.get(key))
            except RulesError:
                continue
        return found

    @property
    def broken(self) -> tuple[BrokenPlugin, ...]:
        """What could not be loaded so far."""
        return tuple(self._broken.values())

    def fault(self, error: Exception, place: Place | None = None) -> PluginFailedError | None:
        """What to tell of an exception out of the code of a plugin; None for any other."""
        return fault_of(error, self._plugins.values(), place)

    def _fail(self, key: str, source: str, error: str) -> None:
        self._broken[key] = BrokenPlugin(key, source, error)


def _plugin(found: object, source: str) -> GamePlugin:
    if isinstance(found, type) and (lacking := getattr(found, "__abstractmethods__", None)):
        raise RulesError(
            f"the plugin {source!r} is not complete: {found.__name__} has no"
            f" {', '.join(sorted(lacking))}",
            hint="docs/add-a-game.md says what each of them answers",
        )
    try:
        made = found() if callable(found) and not isinstance(found, GamePlugin) else found
    except Exception as error:
        raise RulesError(f"the plugin {source!r} cannot be made: {reason(error)}") from error
    if not isinstance(made, GamePlugin):
        raise RulesError(f"{source} gives a {type(made).__name__}, not a GamePlugin")
    try:
        _ = made.game.key
    except Exception as error:
        raise RulesError(f"the plugin {source!r} declares no game: {reason(error)}") from error
    return made


@cache
def default() -> Registry:
    """The registry of this process: installed plugins, then those of HEXMARSHAL_PLUGINS."""
    listed = os.environ.get(ENVIRONMENT, "")
    specs = [spec for part in listed.split(",") if (spec := part.strip())]
    return Registry(entry_points(group=GROUP), specs)
