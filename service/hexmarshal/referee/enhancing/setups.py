"""Predefined set-ups: scenarios of the game laid out with the module's own counters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError, NotFoundError, Place
from hexmarshal.errors.counts import some
from hexmarshal.referee.enhancing.additions import Addition, Outcome, Part
from hexmarshal.rules import engine
from hexmarshal.rules.state import validate
from hexmarshal.table.placing import write_save
from hexmarshal.table.reading import TableReader
from hexmarshal.table.scenarios import Form, Reader, position_of
from hexmarshal.vassal.components import PredefinedSetup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.referee.enhancing.additions import Bench
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.plugins.registry import Registry
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.module_finder import Means

__all__ = ["Setup", "add_setups", "read_setup", "scenario_setup"]

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_TOLD: Final = 3


@dataclass(frozen=True, slots=True)
class Setup:
    """A set-up to be: its name in the menu, and the position that it shows."""

    key: str
    title: str
    position: Position
    doc: str = ""


def scenario_setup(plugin: GamePlugin, scenario: str) -> Setup:
    """The beginning of a scenario of the game."""
    # The engine says which scenarios there are if this is none.
    position = engine.start(plugin, scenario, seed=scenario)
    info = next(one for one in plugin.scenarios() if one.key == position.scenario)
    return Setup(info.key, info.title or info.key, position, info.doc)


def read_setup(registry: Registry, means: Means, plugin: GamePlugin, named: str) -> Setup:
    """A scenario of the game by its key, or one from a file of any form that scenarios have."""
    if named in {one.key for one in plugin.scenarios()}:
        return scenario_setup(plugin, named)
    place = Place(file=named)
    if not Path(named).is_file():
        known = ", ".join(one.key for one in plugin.scenarios())
        raise NotFoundError("no scenario and no file", place=place, hint=f"scenarios: {known}")
    loaded = Reader(registry, means).read(named).sound()
    try:
        position = loaded.position or position_of(plugin, loaded.scenario)
        validate.admit(plugin, position)
    except HexMarshalError as error:
        raise error.at(place) from None
    key = Path(named).name.partition(".")[0]
    told = loaded.scenario.title if loaded.form in (Form.YAML, Form.JSON) else ""
    return Setup(key, told or key.replace("-", " ").replace("_", " "), position)


def add_setups(bench: Bench, setups: Sequence[Setup] | None) -> Iterator[Addition]:
    """Put set-ups into the file menu; without any given, those of all scenarios."""
    if setups is None:
        setups = [scenario_setup(bench.plugin, one.key) for one in bench.plugin.scenarios()]
    for setup in setups:
        yield _add(bench, setup)


def _add(bench: Bench, setup: Setup) -> Addition:
    what = f"set-up {setup.title!r}"
    entry = f"hexmarshal-{_UNSAFE.sub('-', setup.key).strip('-').lower() or 'setup'}.vsav"
    known = {one.name.casefold(): one.get("file") for one in bench.module.each(PredefinedSetup)}
    if known.get(setup.title.casefold(), entry) != entry:
        return Addition(Part.SETUPS, Outcome.THERE, what)
    boards = bench.binding.map.boards
    if boards and setup.position.board not in boards.values():
        why = f"no board of the module is {setup.position.board!r}"
        return Addition(Part.SETUPS, Outcome.LEFT_OUT, what, why)
    units = [unit for unit in setup.position.units.values() if unit.cell or unit.box]
    types = {one.known.kind for one in bench.counters() if one.known is not None}
    lacking = list(dict.fromkeys(unit.type for unit in units if unit.type not in types))
    if lacking:
        why = f"no counter of the module is of type {some(lacking, _TOLD)}"
        return Addition(Part.SETUPS, Outcome.LEFT_OUT, what, why)
    try:
        saved, _ = write_save(bench.module, bench.binding, bench.plugin, setup.position)
        state = saved.state()
        shown = TableReader(bench.module, bench.binding, bench.plugin, state).units(state)
    except HexMarshalError as error:
        return Addition(Part.SETUPS, Outcome.LEFT_OUT, what, error.message)
    lost = [unit.id for unit in units if unit.id not in shown]
    if lost:
        why = f"the module has no counter or place for {some(lost, _TOLD)}"
        return Addition(Part.SETUPS, Outcome.LEFT_OUT, what, why)
    outcome = bench.put(entry, saved.to_bytes())
    if setup.title.casefold() not in known:
        bench.module.root.add(
            PredefinedSetup,
            {
                "description": setup.doc,
                "file": entry,
                "isMenu": "false",
                "name": setup.title,
                "useFile": "true",
            },
        )
        outcome = Outcome.ADDED
    return Addition(Part.SETUPS, outcome, what)
