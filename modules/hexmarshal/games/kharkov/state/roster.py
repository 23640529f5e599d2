"""Counters and scenarios: who there is, and the position at the start."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import RulesError
from hexmarshal.kit.game import ScenarioCard
from hexmarshal.rules.state.pieces import Pile, Unit
from hexmarshal.rules.values import FrozenMap, Record, Value, freeze

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.kharkov.state.source import Source
    from hexmarshal.games.kharkov.state.tables import Tables

__all__ = ["BOXES", "OUT", "Roster", "Scenario"]

BOXES = {
    "reserve-28": "Reserve of 28th Army",
    "reserve-6": "Reserve of 6th Army",
    "reserve-57": "Reserve of 57th Army",
    "reserve-9": "Reserve of 9th Army",
    "arrivals": "Reinforcements",
    "deploy": "Units to set up",
    "eliminated": "Eliminated units",
    "regiments": "Regiments",
    "broken-down": "Divisions broken down",
}
# What units are that are out of the game, in words.
OUT = {"eliminated": "eliminated", "broken-down": "broken down"}
CARRIED = ("name", "division", "army", "ladder", "radius", "move", "inactive_move")


class Scenario(ScenarioCard):
    """One scenario as its file has it."""

    def air(self, side: str, turn: int) -> int:
        """The side's air points of a turn (KHA-13.0-G); none where the track ends."""
        points = self.data["air"][side]
        return int(points[turn - 1]) if 0 < turn <= len(points) else 0


class Roster:
    """The counters of one scenario."""

    def __init__(self, source: Source, scenario: Scenario, tables: Tables) -> None:
        listed: dict[str, Any] = {}
        if source.has("counters.yaml"):
            listed = source.read("counters.yaml", "counters")
        own = scenario.data
        self.scenario, self.tables = scenario, tables
        self.counters: dict[str, Any] = {**listed.get("counters", {}), **own.get("counters", {})}
        self.pools: dict[str, Any] = own.get("pools") or listed.get("pools", {})
        self.replacements: list[str] = own.get("replacements") or listed.get("replacements", [])
        self.regiments: int = own.get("regiments", listed.get("regiments", 0))

    def unit(self, unit_id: str, field: str, **place: object) -> Unit:
        """The counter of this id, at full strength (KHA-5.11)."""

        def wrong(text: str) -> RulesError:
            # Only now: to find the place means to read the file again.
            return RulesError(text, place=replace(self.scenario.place(), field=field, unit=unit_id))

        row = self.counters.get(unit_id)
        if row is None:
            raise wrong(f"no counter {unit_id!r}")
        kind = self.tables.kinds.get(row["type"])
        if kind is None:
            raise wrong(f"no type {row['type']!r}")
        values: dict[str, Value] = {k: freeze(row[k]) for k in CARRIED if k in row}
        side = row.get("side") or kind.side
        if not side:
            raise wrong("whose is it? its counter needs a side")
        if kind.pool and kind.pool in self.pools:
            values.setdefault("move", self.pools[kind.pool]["move"])
        steps = len(row.get("ladder", kind.ladder)) or 1
        return Unit(unit_id, kind.key, side, steps=steps, values=FrozenMap(values), **place)  # type: ignore[arg-type]

    def reduced(self) -> dict[str, int]:
        """The steps of units that the scenario does not start at full strength."""
        rows = self.scenario.data.get("units", {}).items()
        return {u: row["steps"] for u, row in rows if isinstance(row, dict) and "steps" in row}

    def piles(self) -> Iterator[Pile]:
        """What unrevealed units may turn out to be (KHA-5.12), and Replacements (KHA-9.53)."""
        for pool, row in self.pools.items():
            cards = [value for value, count in row["values"].items() for _ in range(count)]
            yield Pile(f"pool-{pool}", tuple(cards), "soviet")
        yield Pile("replacements", tuple(self.replacements), "soviet")

    def units(self) -> Iterator[Unit]:
        """Every unit of the scenario in its place."""
        data = self.scenario.data
        for unit_id, where in data["units"].items():
            row = where if isinstance(where, dict) else {"cell": where}
            flags = frozenset(row.get("flags", ()))
            unit = self.unit(unit_id, f"units.{unit_id}", cell=row["cell"], flags=flags)
            yield _with_steps(unit, row.get("steps"))
        for army, row in data.get("reserves", {}).items():
            field = f"reserves.{army}"
            yield self.unit(row["marker"], field, cell=row["hex"])
            for unit_id in row["units"]:
                yield self.unit(unit_id, field, box=f"reserve-{army}")
        for i, row in enumerate(data.get("arrivals", ())):
            for unit_id in row["units"]:
                unit = self.unit(unit_id, f"arrivals[{i}]", box="arrivals")
                more: Record = FrozenMap({"turn": row["turn"], "entry": row["entry"]})
                yield _valued(unit, more)
        for number in range(1, self.regiments + 1):
            yield Unit(f"reg-{number:02}", "regiment", "axis", box="regiments")


def _with_steps(unit: Unit, steps: int | None) -> Unit:
    return unit if steps is None else replace(unit, steps=steps)


def _valued(unit: Unit, more: Record) -> Unit:
    return replace(unit, values=unit.values.merged(more))
