"""The counters of a scenario: who there is, where each starts, what is printed on it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import RulesError
from hexmarshal.games.traces_of_war.state.kinds import AXIS, KINDS, SOVIET
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.values import FrozenMap, Value, freeze

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.errors import Place
    from hexmarshal.games.traces_of_war.state.source import Source
    from hexmarshal.games.traces_of_war.state.tables import Tables
    from hexmarshal.kit.game import ScenarioCard

__all__ = ["Roster"]

# What of a counter's row the unit keeps as values, beside its type. Its name, the colour of its
# set-up and the type of a headquarters have no effect (TOW-2.2e).
_KEPT = ("name", "nation", "ladder", "radius", "token", "arrival", "replacement", "category")


class Roster:
    """The counters of a scenario, checked against the tables and against each other."""

    def __init__(self, source: Source, scenario: ScenarioCard, tables: Tables) -> None:
        self.source, self.scenario, self.tables = source, scenario, tables
        self.file = scenario.file
        shared = source.read("counters.yaml", "counters")["counters"]
        own = scenario.data.get("counters", {})
        left_out = set(scenario.data.get("without", ()))
        self._files = {**dict.fromkeys(shared, "counters.yaml"), **dict.fromkeys(own, self.file)}
        self.rows: dict[str, dict[str, Any]] = {
            name: row for name, row in {**shared, **own}.items() if name not in left_out
        }

    def units(self) -> Iterator[Unit]:
        """Every counter as a unit, on its hex or in the box where it waits."""
        places: Mapping[str, str] = self.scenario.data["units"]
        for name in places:
            if name not in self.rows:
                raise RulesError(f"no counter {name!r}", place=self._place("units", name))
        security = self._named("security")
        airborne = self.scenario.data.get("airborne", "")
        if airborne and airborne not in self.rows:
            raise RulesError(f"no counter {airborne!r}", place=self._place("airborne"))
        for name, row in self.rows.items():
            unit = self._unit(name, row)
            if name in places:
                yield _at(unit, cell=places[name])
            elif name in security:
                yield _at(unit, box="deploy")
            elif name == airborne:
                yield _at(unit, box="airborne")
            elif row.get("arrival"):
                yield _at(unit, box="arrivals")
            elif row.get("category"):
                yield _at(unit, box="reserve")

    def _named(self, key: str) -> set[str]:
        found = self.scenario.data.get(key, ())
        for i, name in enumerate(found):
            if name not in self.rows:
                raise RulesError(f"no counter {name!r}", place=self._place(key, i))
        return set(found)

    def _place(self, *keys: str | int) -> Place:
        return self.source.place(self.file, *keys)

    def _unit(self, name: str, row: Mapping[str, Any]) -> Unit:
        file = self._files[name]
        kind = KINDS[row["type"]]
        for i, step in enumerate(row["ladder"]):
            # TOW-2.2a: mechanized units print attack and defense apart, the others one strength.
            if kind.combat and (step.count("-") == 2) is not kind.mechanized:
                form = "attack-defense-move" if kind.mechanized else "strength-move"
                place = self.source.place(file, "counters", name, "ladder", i)
                raise RulesError(f"{row['type']} counters print {form}, not {step}", place=place)
        token = row.get("token")
        if token and token not in self.tables.tables["tokens"]:
            place = self.source.place(file, "counters", name, "token")
            raise RulesError(f"rules/tables.yaml has no token {token!r}", place=place)
        values: dict[str, Value] = {key: freeze(row[key]) for key in _KEPT if key in row}
        if "ukrainian" in row:
            other = row["ukrainian"]
            kept = {key: freeze(other[key]) for key in ("name", "ladder", "radius") if key in other}
            values["ukrainian"] = FrozenMap(kept)
        if row.get("ours"):
            values["ours"] = freeze(row["ours"])
        side = SOVIET if row["nation"] in ("soviet", "guards") else AXIS
        # TOW-2.2c: counters start, and enter play, at full strength.
        steps = len(row["ladder"])
        return Unit(name, type=row["type"], side=side, steps=steps, values=FrozenMap(values))


def _at(unit: Unit, cell: str = "", box: str = "") -> Unit:
    return replace(unit, cell=cell, box=box)
