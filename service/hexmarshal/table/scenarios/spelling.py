"""The game's own spelling of the names in a scenario: read forgivingly, kept canonically."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.rules.params import ParamType
from hexmarshal.scenario.sheets import Lexicon, same_name
from hexmarshal.scenario.sheets.columns import ENTRY
from hexmarshal.table.scenarios.forms import sheet_kinds
from hexmarshal.table.scenarios.to_position import beginning
from hexmarshal.table.side_names import own_side_names, side_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hexmarshal.geometry.values_with_lines import Keys, Sourced
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.scenario.model import Facts, MarkerEntry, Scenario, Stacks, UnitEntry, Value

__all__ = ["Spelling", "well_spelt"]

_ZEROS: Final = re.compile(r"(?<![0-9])0+(?=[0-9])")


class Spelling:
    """The names that a game and the map of a scenario have, found by whatever spelling."""

    def __init__(self, plugin: GamePlugin, scenario: Scenario) -> None:
        self.plugin, self.game = plugin, plugin.game
        position = beginning(plugin, scenario.based_on, scenario.options)
        named = {same_name(one.key): one.key for one in self.game.boards}
        board = scenario.map and named.get(same_name(scenario.map), scenario.map)
        self.position = replace(position, board=board) if board else position

    def lexicon(self) -> Lexicon:
        """For reading sheets."""
        sides = frozenset(side.key for side in self.game.sides)
        return Lexicon(sheet_kinds(self.plugin), sides, self.spell)

    def spell(self, what: str, text: str, side: str = "") -> str:
        """The game's spelling of a side, a type, a cell, a box or an entry; else the text."""
        match what:
            case "side":
                return self._sides.get(same_name(text), text)
            case "type":
                return self._type(text, side)
            case "cell":
                return self.cell(text)
            case "box":
                return _one(self._boxes, same_name(text)) or text
            case "entry":
                return self._entry(text)
        return text

    @cached_property
    def _sides(self) -> dict[str, str]:
        own = own_side_names(self.game)
        return {**{same_name(word): side for word, side in side_words(self.game).items()}, **own}

    @cached_property
    def _boxes(self) -> dict[str, set[str]]:
        return _by_name((box.key, (box.key, box.title)) for box in self.game.boxes)

    @cached_property
    def _types(self) -> dict[str, set[str]]:
        """Types by every name that people may give them: one or several, with the side or not."""
        rows = []
        for kind in self.game.unit_types:
            names = {kind.key, kind.title}
            if kind.side and kind.key.startswith(f"{kind.side}_"):
                names.add(kind.key.removeprefix(f"{kind.side}_"))
            names |= {f"{kind.side} {name}" for name in names if kind.side}
            rows.append(
                (kind.key, names | {f"{n}s" for n in names} | {n.rstrip("s") for n in names})
            )
        return _by_name(rows)

    def _type(self, text: str, side: str) -> str:
        if any(kind.key == text for kind in self.game.unit_types):
            return text
        found = self._types.get(same_name(text), set())
        if len(found) > 1:
            own = {k.key for k in self.game.unit_types if k.key in found and k.side == side}
            found = own or found
        return next(iter(found)) if len(found) == 1 else text

    @cached_property
    def _cells(self) -> dict[str, set[str]]:
        names = self.plugin.cells(self.position) or ()
        return _by_name((name, (name, _ZEROS.sub("", name))) for name in names)

    def cell(self, text: str) -> str:
        """The name of a cell, whatever its case, signs and zeros."""
        if not text or self.plugin.has_cell(self.position, text):
            return text
        bare = _ZEROS.sub("", text)
        found = _one(self._cells, same_name(text)) or _one(self._cells, same_name(bare))
        if not found and self.plugin.has_cell(self.position, text.upper()):
            return text.upper()
        return found or text

    def _entry(self, text: str) -> str:
        param = next(
            (p for p in self.game.attributes if p.name == self.game.terms.arrival_entry), None
        )
        if param is None:
            return text
        if param.choices:
            return {same_name(one): one for one in param.choices}.get(same_name(text), text)
        return self.cell(text) if param.type in (ParamType.CELL, ParamType.CELLS) else text


def _by_name(rows: Iterable[tuple[str, Iterable[str]]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for key, names in rows:
        for name in names:
            found.setdefault(same_name(name), set()).add(key)
    return found


def _one(names: Mapping[str, set[str]], name: str) -> str:
    found = names.get(name, ())
    return next(iter(found)) if len(found) == 1 else ""


def well_spelt(spelling: Spelling, scenario: Scenario, source: Sourced) -> Scenario:
    """The scenario with the game's own spelling of every name; `source` learns the new names."""
    spelt = _Spelt(spelling, scenario)
    found = spelt.scenario()
    if found != scenario:
        source.lines.update({spelt.renamed(keys): line for keys, line in source.lines.items()})
    return found


class _Spelt:
    def __init__(self, spelling: Spelling, scenario: Scenario) -> None:
        self.spell, self.cell = spelling.spell, spelling.cell
        self.given = scenario
        self.params = {param.name: param.type for param in spelling.game.attributes}
        way_in = self.params.get(spelling.game.terms.arrival_entry)
        self.cells_enter = way_in in (ParamType.CELL, ParamType.CELLS)
        self.units = _by_name((unit, (unit,)) for unit in scenario.units)
        self.areas = _by_name((area, (area,)) for area in scenario.areas)
        boards = {same_name(one.key): one.key for one in spelling.game.boards}
        self.map = scenario.map and boards.get(same_name(scenario.map), scenario.map)

    def side(self, text: str) -> str:
        return self.spell("side", text)

    def unit(self, text: str) -> str:
        return text if text in self.given.units else _one(self.units, same_name(text)) or text

    def area(self, text: str) -> str:
        return text if text in self.given.areas else _one(self.areas, same_name(text)) or text

    def scenario(self) -> Scenario:
        given, setup = self.given, self.given.setup
        units = {key: self._entry(unit) for key, unit in given.units.items()}
        return replace(
            given,
            map=self.map,
            sides=None if given.sides is None else tuple(map(self.side, given.sides)),
            briefings={self.side(side): text for side, text in given.briefings.items()},
            start=replace(
                given.start,
                active=None
                if given.start.active is None
                else tuple(map(self.side, given.start.active)),
            ),
            areas={
                key: replace(area, cells=tuple(map(self.cell, area.cells)))
                for key, area in given.areas.items()
            },
            units=units,
            setup=replace(
                setup,
                cells=self._stacks(setup.cells, self.cell),
                boxes=self._stacks(setup.boxes, lambda text: self.spell("box", text)),
                carried=self._stacks(setup.carried, self.unit),
                areas=self._stacks(setup.areas, self.area),
            ),
            reinforcements=tuple(
                replace(
                    group,
                    units=tuple(map(self.unit, group.units)),
                    entry=self._way_in(group.entry),
                )
                for group in given.reinforcements
            ),
            objectives=tuple(
                replace(one, cell=self.cell(one.cell), area=self.area(one.area))
                for one in given.objectives
            ),
            markers={key: self._marker(marker) for key, marker in given.markers.items()},
        )

    def _way_in(self, entry: Value) -> Value:
        if isinstance(entry, int) and not self.cells_enter:
            return entry
        return _each(entry, lambda text: self.spell(ENTRY, text))

    def _entry(self, unit: UnitEntry) -> UnitEntry:
        side = self.side(unit.side)
        return replace(
            unit,
            side=side,
            type=self.spell("type", unit.type, side),
            face=self.spell("type", unit.face, side) if unit.face else "",
            footprint=tuple(map(self.cell, unit.footprint)),
            seen_by=self._sides(unit.seen_by),
            known_to=self._sides(unit.known_to),
            values=self._values(unit.values),
            bonds={role: _each(by, self.unit) for role, by in unit.bonds.items()},
        )

    def _values(self, values: Facts) -> dict[str, Value]:
        spells = {
            ParamType.UNIT: self.unit,
            ParamType.UNITS: self.unit,
            ParamType.CELL: self.cell,
            ParamType.CELLS: self.cell,
            ParamType.SIDE: self.side,
        }
        return {
            name: _each(value, spells[kind]) if (kind := self.params.get(name)) in spells else value
            for name, value in values.items()
        }

    def _marker(self, marker: MarkerEntry) -> MarkerEntry:
        return replace(
            marker,
            side=self.side(marker.side) if marker.side else "",
            cell=self.cell(marker.cell),
            unit=self.unit(marker.unit),
            seen_by=self._sides(marker.seen_by),
            known_to=self._sides(marker.known_to),
        )

    def _sides(self, sides: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return None if sides is None else tuple(map(self.side, sides))

    def _stacks(self, stacks: Stacks, spell: Any) -> dict[str, tuple[str, ...]]:  # noqa: ANN401
        found: dict[str, tuple[str, ...]] = {}
        for name, stack in stacks.items():
            place = spell(name)
            found[place] = (*found.get(place, ()), *map(self.unit, stack))
        return found

    def renamed(self, keys: Keys) -> Keys:
        """The keys of a part, as they are called now."""
        match keys:
            case ("units", str(side), *rest):
                return ("units", self.side(side), *rest)
            case ("briefings", str(side), *rest):
                return ("briefings", self.side(side), *rest)
            case ("setup", "cells", str(cell), *rest):
                return ("setup", "cells", self.cell(cell), *rest)
            case ("setup", "boxes", str(box), *rest):
                return ("setup", "boxes", self.spell("box", box), *rest)
            case ("setup", "areas", str(area), *rest):
                return ("setup", "areas", self.area(area), *rest)
            case ("setup", "carried", str(unit), *rest):
                return ("setup", "carried", self.unit(unit), *rest)
        return keys


def _each(value: Value, spell: Any) -> Value:  # noqa: ANN401 - one of several
    if isinstance(value, str):
        spelt: str = spell(value)
        return spelt
    if isinstance(value, list):
        return [_each(one, spell) for one in value]
    if isinstance(value, int) and not isinstance(value, bool):
        # A cell or a unit whose name is all digits, without quotes.
        named: str = spell(str(value))
        return named
    return value
