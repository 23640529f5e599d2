"""Scenarios in saved games of a module: read off its table, and laid out on it."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError, NotFoundError, Place
from hexmarshal.geometry.values_with_lines import Sourced
from hexmarshal.rules.values import FrozenMap
from hexmarshal.scenario import read_scenario, to_yaml
from hexmarshal.scenario.prose import with_prose
from hexmarshal.scenario.source import read_source
from hexmarshal.table.module_finder import Means, own_module
from hexmarshal.table.placing import Placer, unshown
from hexmarshal.table.reading import POSITION_ENTRY, TableReader, base_position
from hexmarshal.table.reading.marker_names import named_by_place
from hexmarshal.table.scenarios.forms import Form
from hexmarshal.table.scenarios.from_position import open_decision, scenario_of
from hexmarshal.table.scenarios.reading import Loaded
from hexmarshal.table.scenarios.to_position import position_of
from hexmarshal.table.scenarios.waiting import (
    laid_out,
    still_waiting,
    where_they_wait,
    without_deployment,
)
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.savegame import SavedGame

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.plugins.registry import Registry
    from hexmarshal.rules.state.position import Position
    from hexmarshal.scenario.model import Scenario
    from hexmarshal.table.binding import Binding
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["SCENARIO_ENTRY", "SaveWriter", "load_save"]

# What a save of ours carries beside its table for people: titles, areas, special rules.
SCENARIO_ENTRY: Final = "hexmarshal/scenario.yaml"
# Notes of a reading that tell where something was taken from, not that something is missing.
_DOUBTS: Final = frozenset({"scenario", "alike"})


def load_save(path: Path, means: Means, registry: Registry, told: Scenario | None = None) -> Loaded:
    """The scenario that a save shows, or the end of a log.

    `told` is the scenario that it was made of, for a save that VASSAL itself has written: it
    carries nothing beside the table.
    """
    place = Place(file=str(path))
    saved = SavedGame.open(path)
    try:
        if not means.game:
            means = replace(means, game=_game_of(saved) or (told.game if told else ""))
        module = means.find_module(path, saved, registry)
        if module is None:
            name = saved.module_metadata.name if saved.module_metadata is not None else ""
            raise NotFoundError(
                f"the module {name!r} is not at hand" if name else "no module is named",
                hint="give it with --module",
            )
        binding = _binding(means, module)
        plugin = registry.get(means.game or binding.game)
        if plugin.game.key != binding.game:
            raise NotFoundError(
                f"the binding is for the game {binding.game!r}, not for {plugin.game.key!r}",
                hint="leave --game out, or give a binding for it",
            )
        return _read(saved, module, binding, plugin, means, str(path), told)
    except HexMarshalError as error:
        raise error.at(place) from None


def _game_of(saved: SavedGame) -> str:
    """The game that a save of ours names."""
    data = saved.entry(POSITION_ENTRY)
    if data is None:
        return ""
    document = read_source(data, f"{POSITION_ENTRY}").value
    game = document.get("game") if isinstance(document, dict) else None
    return game if isinstance(game, str) else ""


def _binding(means: Means, module: Module) -> Binding:
    binding = means.find_binding(module)
    if binding is None:
        raise NotFoundError(
            f"the module {module.name!r} carries no binding",
            hint="'hexmarshal binding new' drafts one; --binding uses one",
        )
    return binding


def _read(
    saved: SavedGame,
    module: Module,
    binding: Binding,
    plugin: GamePlugin,
    means: Means,
    name: str,
    told: Scenario | None = None,
) -> Loaded:
    state = _last_state(saved)
    table = TableReader(module, binding, plugin, state)
    base = base_position(plugin, saved, means.scenario, means.options)
    notes: list[str] = []
    carried = _carried(saved, plugin, notes) or told
    if told is not None and saved.entry(POSITION_ENTRY) is None:
        base = position_of(plugin, told)
    shown = base
    if base is not None and carried is not None:
        shown = laid_out(plugin, binding, carried, base)
    if saved.entry(POSITION_ENTRY) is None and shown is not None:
        shown = _as_they_lie(shown, binding)
    reading = table.read(state, shown)
    notes += (note.text for note in reading.notes if note.code in _DOUBTS)
    left_out = tuple(note.text for note in reading.notes if note.code not in _DOUBTS)
    position = named_by_place(replace(reading.position, generator=None), state.pieces)
    if base is not None and shown is not None:
        position = still_waiting(position, shown, base)
    scenario = _as_carried(carried, plugin, position, notes)
    left_out += open_decision(plugin, position, scenario)
    source = Sourced(None, name)
    return Loaded(name, Form.SAVE, scenario, plugin, source, position, tuple(notes), left_out)


def _as_they_lie(base: Position, binding: Binding) -> Position:
    """Without the cards of piles that are read: those of another game lay in another order."""
    shown = [rule.pile for rule in binding.piles if rule.mixed]
    piles = {name: replace(base.pile(name), cards=()) for name in shown if name in base.piles}
    return replace(base, piles=FrozenMap({**base.piles, **piles}))


def _last_state(saved: SavedGame) -> GameState:
    if not saved.is_log:
        return saved.state()
    log = GameLog(saved)
    last = deque(log.replay(), maxlen=1)
    return last[0][1] if last else log.start()


def _carried(saved: SavedGame, plugin: GamePlugin, notes: list[str]) -> Scenario | None:
    """The scenario that travels with the save, if it can be used."""
    data = saved.entry(SCENARIO_ENTRY)
    if data is None:
        return None
    try:
        carried = read_scenario(data, SCENARIO_ENTRY)
        position_of(plugin, carried)
    except HexMarshalError as error:
        notes.append(f"the scenario that the file carries cannot be used: {error}")
        return None
    return carried


def _as_carried(
    carried: Scenario | None, plugin: GamePlugin, position: Position, notes: list[str]
) -> Scenario:
    """The scenario that travels with the save where the table still shows it, else its words."""
    fresh = scenario_of(plugin, position)
    if carried is None:
        return fresh
    if position_of(plugin, carried) == position:
        return carried
    notes.append("the table shows another position than the scenario that the file carries")
    return with_prose(without_deployment(plugin, fresh, carried), carried)


class SaveWriter:
    """Lays scenarios out on the table of one module."""

    def __init__(self, plugin: GamePlugin, means: Means) -> None:
        self.plugin, self.means = plugin, means
        module = Module.open(means.module) if means.module is not None else own_module(plugin)
        if module is None:
            raise NotFoundError(
                f"{plugin.game.title} builds no module of its own", hint="give one with --module"
            )
        self.module = module
        self.binding = _binding(means, module)
        if self.binding.game != plugin.game.key:
            raise NotFoundError(
                f"the binding is for the game {self.binding.game!r}, not for {plugin.game.key!r}",
                hint="give the module of the scenario's game with --module",
            )

    def write(self, scenario: Scenario) -> tuple[bytes, tuple[str, ...]]:
        """The save, and what its table cannot show; the file carries that beside the table."""
        position = position_of(self.plugin, scenario)
        shown = laid_out(self.plugin, self.binding, scenario, position)
        placer = Placer(self.module, self.binding, self.plugin, shown)
        state = placer.place(shown)
        for text in unshown(placer.table, state, shown, placer.marker_pieces):
            placer.cannot(text)
        saved = placer.save(state, position)
        saved = saved.with_entries({SCENARIO_ENTRY: to_yaml(scenario).encode()})
        # What is the same of many units is told once.
        times = Counter(note.text for note in placer.notes)
        told = (f"{text} ({n} units)" if n > 1 else text for text, n in times.items())
        return saved.to_bytes(), (*where_they_wait(shown, position), *told)

    def again(self, data: bytes) -> Scenario:
        """The scenario in a save that was just written."""
        saved = SavedGame.from_archive(Archive.from_bytes(data))
        means = Means(game=self.plugin.game.key)
        return _read(saved, self.module, self.binding, self.plugin, means, "").scenario
