"""Checks a scenario against its game: names, ground, stacks, totals, areas, each with its place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, Place
from hexmarshal.errors.names import did_you_mean
from hexmarshal.rules import engine
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.state.fallen import fallen
from hexmarshal.rules.state.validate import POSITION_RULE, problems, setup_problems
from hexmarshal.scenario.consistency import ScenarioFinding, inconsistencies, places_of
from hexmarshal.table.scenarios.forms import Form
from hexmarshal.table.scenarios.plausibility import implausible
from hexmarshal.table.scenarios.reading import keys_of
from hexmarshal.table.scenarios.to_position import position_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.geometry.values_with_lines import Keys
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Violation
    from hexmarshal.table.scenarios.reading import Loaded

__all__ = ["check_scenario"]

# Where a scenario says what a position keeps under another name.
_ELSEWHERE = {
    "board": ("map",),
    "phase": ("start", "phase"),
    "state": ("start", "state"),
    "turn": ("start", "turn"),
    "active": ("start", "active"),
    "scenario": ("based_on",),
    "piles": ("decks",),
}
_PLACES = ("cell", "box", "carrier", "footprint")


def check_scenario(loaded: Loaded) -> tuple[ScenarioFinding, ...]:
    """Everything that is wrong with a scenario, in the order of the file."""
    found = dict.fromkeys(_Check(loaded).findings())
    sheets = list(dict.fromkeys(one.place.sheet or "" for one in found))
    return tuple(
        sorted(
            found,
            key=lambda one: (
                sheets.index(one.place.sheet or ""),
                one.place.line or one.place.row or 0,
            ),
        )
    )


class _Check:
    def __init__(self, loaded: Loaded) -> None:
        self.loaded, self.plugin = loaded, loaded.plugin
        self.scenario, self.source = loaded.scenario, loaded.source
        self.said = {unit: keys for unit, keys, kind, _ in places_of(self.scenario)}

    def findings(self) -> Iterator[ScenarioFinding]:
        yield from inconsistencies(self.scenario, self.source)
        yield from self._unplaced()
        yield from self._names()
        unlikely = tuple(implausible(self.plugin, self.scenario, self.source))
        yield from unlikely
        strangers = {one.place.unit for one in unlikely if one.code == "side"}
        try:
            position = self.loaded.position or position_of(self.plugin, self.scenario)
        except HexMarshalError as error:
            field = error.place.field or ""
            keys = keys_of(field, self.source.value)
            yield ScenarioFinding(
                "game", error.message, error.place.within(self._at(*keys)), error.hint
            )
            return
        wrong = problems if self._under_way(position) else setup_problems
        for violation in wrong(self.plugin, position):
            code = "game" if violation.rule == POSITION_RULE else "rule"
            rule = "" if violation.rule == POSITION_RULE else violation.rule
            if violation.field.endswith(".side") and strangers & set(violation.units):
                # Told already, with the counter that it is about.
                continue
            hint = "" if rule else self._hint(position, violation)
            yield ScenarioFinding(
                code, violation.text, self._place(violation, position), hint, rule
            )
        yield from self._cells(position)

    def _under_way(self, position: Position) -> bool:
        """Whether this is out of the middle of a game, and no set-up to be held to its rules."""
        if position.scenario not in {one.key for one in self.plugin.scenarios()}:
            return False
        start = engine.start(self.plugin, position.scenario, position.options.plain())
        order = [phase.key for phase in self.plugin.game.phases]
        if position.phase in order and start.phase in order:
            now, then = ((at.turn, order.index(at.phase)) for at in (position, start))
            if now > then:
                return True
        return bool(fallen(position, start))

    def _at(self, *keys: str | int) -> Place:
        return self.source.place(*keys)

    def _unplaced(self) -> Iterator[ScenarioFinding]:
        for unit in self.scenario.units.values():
            if unit.id not in self.said and not unit.bonds:
                place = Place(unit=unit.id).within(self._at("units", unit.side, unit.id))
                text = f"the unit {unit.id} is nowhere: in no cell, area, box or reinforcement"
                yield ScenarioFinding("unplaced", text, place)

    def _names(self) -> Iterator[ScenarioFinding]:
        """What no position holds, and only the game can judge."""
        scenario, plugin = self.scenario, self.plugin
        known = [one.key for one in plugin.scenarios()]
        if scenario.based_on and scenario.based_on not in known:
            text = f"{plugin.game.title} has no scenario {scenario.based_on!r}"
            yield ScenarioFinding("game", text, self._at("based_on"), f"it has: {', '.join(known)}")
        for i, special in enumerate(scenario.special_rules):
            for rule in special.rules:
                if rule not in plugin.rulebook:
                    at = self._at("special_rules", i, "rules")
                    yield ScenarioFinding("game", f"the rulebook has no rule {rule!r}", at)
        if scenario.reinforcements and not plugin.game.terms.arrivals:
            text = f"{plugin.game.title} keeps no reinforcements"
            yield ScenarioFinding("game", text, self._at("reinforcements"))
        last = scenario.turns or self._longest()
        for i, group in enumerate(scenario.reinforcements):
            if last and not 1 <= group.turn <= last:
                text = f"arrives on turn {group.turn} of {last}"
                yield ScenarioFinding("turn", text, self._at("reinforcements", i, "turn"))

    def _longest(self) -> int:
        """The turns of the scenario based on, or of the game's longest."""
        known = self.plugin.scenarios()
        basis = [one.turns for one in known if one.key == self.scenario.based_on and one.turns]
        return max(basis or [one.turns for one in known], default=0)

    def _cells(self, position: Position) -> Iterator[ScenarioFinding]:
        """Cells of areas and of entries, which no position holds in a place of its own."""
        for key, area in self.scenario.areas.items():
            for i, cell in enumerate(area.cells):
                yield from self._cell(position, cell, "areas", key, "cells", i)
        entry = self.plugin.game.terms.arrival_entry
        kinds = {param.name: param.type for param in self.plugin.game.attributes}
        if kinds.get(entry) not in (ParamType.CELL, ParamType.CELLS):
            return
        for i, group in enumerate(self.scenario.reinforcements):
            entries = group.entry if isinstance(group.entry, list) else [group.entry]
            for named in entries:
                if isinstance(named, str):
                    yield from self._cell(position, named, "reinforcements", i, "entry")

    def _cell(self, position: Position, cell: str, *keys: str | int) -> Iterator[ScenarioFinding]:
        if not self.plugin.has_cell(position, cell):
            place = Place(cell=cell).within(self._at(*keys))
            yield ScenarioFinding(
                "game", f"the map has no cell {cell!r}", place, self._cell_hint(position, cell)
            )

    def _hint(self, position: Position, violation: Violation) -> str:
        """The name that may have been meant."""
        for cell in violation.cells:
            if not self.plugin.has_cell(position, cell):
                return self._cell_hint(position, cell)
        game = self.plugin.game
        what = violation.field.rpartition(".")[2]
        unit = position.units.get(violation.units[0]) if violation.units else None
        if what in ("type", "face") and unit is not None:
            name = getattr(unit, what)
            kinds = [k for k in game.unit_types if k.side in ("", unit.side)] or game.unit_types
            names = {text: kind.key for kind in kinds for text in (kind.title, kind.key)}
            return did_you_mean(
                name, names, f"'hexmarshal scenario types {game.key}' lists the types"
            )
        if what == "side" and unit is not None:
            return did_you_mean(unit.side, position.sides, f"it has {', '.join(position.sides)}")
        known = [param.name for param in game.attributes]
        if ".values." in violation.field and what not in known:
            return did_you_mean(what, known)
        return ""

    def _cell_hint(self, position: Position, cell: str) -> str:
        """The cell that may have been meant, or the map that has it."""
        maps = [board for board in self.plugin.game.boards if board.key != position.board]
        for board in maps:
            if self.plugin.has_cell(replace(position, board=board.key), cell):
                said = "" if self.scenario.map else "no map is named, and "
                return f"{said}this is map {position.board!r}: map {board.key!r} has such a cell"
        return did_you_mean(cell, self.plugin.cells(position) or ())

    def _place(self, violation: Violation, position: Position) -> Place:
        """Where the file says what the violation is about."""
        unit = violation.units[0] if violation.units else None
        cell = violation.cells[0] if violation.cells else None
        known = Place(unit=unit, cell=cell)
        if self.loaded.form in (Form.POSITION, Form.MESSAGE):
            path = violation.field or (f"units.{unit}.cell" if unit else "")
            return known.within(self._at(*keys_of(path, self.source.value)))
        return known.within(self._at(*self._keys(violation, position, unit, cell)))

    def _keys(
        self, violation: Violation, position: Position, unit: str | None, cell: str | None
    ) -> Keys:
        path = keys_of(violation.field, position.to_json()) if violation.field else ()
        head, *rest = path or ("",)
        if head == "units" and rest:
            unit = str(rest[0])
            if len(rest) > 1 and rest[1] not in _PLACES and unit in self.scenario.units:
                return ("units", self.scenario.units[unit].side, *rest)
        elif head == "cells" and rest:
            for i, objective in enumerate(self.scenario.objectives):
                if objective.cell == rest[0]:
                    return ("objectives", i, "cell")
            return path
        elif head:
            return (*_ELSEWHERE.get(str(head), (head,)), *rest)
        if unit is not None and unit in self.said:
            return self.said[unit]
        if unit is not None and unit in self.scenario.units:
            return ("units", self.scenario.units[unit].side, unit)
        return ("setup", "cells", cell) if cell is not None else ()
