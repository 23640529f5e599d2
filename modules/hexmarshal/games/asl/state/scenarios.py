"""Scenarios: what a printed card holds, and the position that it begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.errors import RulesError
from hexmarshal.errors.names import did_you_mean
from hexmarshal.games.asl.rules.movement.stack import ENTERING
from hexmarshal.games.asl.state.situation import SIDES
from hexmarshal.games.asl.state.tables import DUMMY
from hexmarshal.games.asl.state.units import marks
from hexmarshal.kit.game import ScenarioCard
from hexmarshal.rules.state.pieces import Marker, Unit
from hexmarshal.rules.values import EMPTY, FrozenMap, freeze

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.games.asl.state.ground import Ground
    from hexmarshal.games.asl.state.tables import Tables
    from hexmarshal.rules.values import Record, Value

__all__ = ["Scenario"]


class Scenario(ScenarioCard):
    """One scenario card."""

    @property
    def first(self) -> str:
        """Who moves first."""
        return str(self.data.get("first", SIDES[0]))

    def extras(self) -> Record:
        """What positions keep of it."""
        values: dict[str, Value] = {
            "phasing": self.first,
            "first": self.first,
            "turns": self.turns,
        }
        if "victory" in self.data:
            values["victory"] = freeze(self.data["victory"])
        for side in SIDES:
            card = self.data["sides"][side]
            values[f"{side}_nation"] = card["nation"]
            for name in ("elr", "san"):
                if name in card:
                    values[f"{side}_{name}"] = card[name]
        return FrozenMap(values)

    def units(self, tables: Tables, ground: Ground) -> Iterator[Unit]:
        """Its units, on the map or waiting to enter."""
        for side in SIDES:
            for number, group in enumerate(self.data["sides"][side]["groups"]):
                for name, row in group["units"].items():
                    at = ("sides", side, "groups", number, "units", name)
                    yield self._unit(side, group, name, row, at, tables, ground)

    def _unit(
        self,
        side: str,
        group: Mapping[str, Any],
        name: str,
        row: Mapping[str, Any],
        at: tuple[str | int, ...],
        tables: Tables,
        ground: Ground,
    ) -> Unit:
        counter = tables.counters.get(row["counter"])
        if counter is None:
            raise RulesError(
                f"no table has the counter {row['counter']!r}",
                place=self.place(*at, "counter"),
                hint=did_you_mean(row["counter"], tables.counters),
            )
        flags = frozenset(
            flag
            for name, flag in (
                ("dismantled", marks.DISMANTLED),
                ("concealed", marks.CONCEALED),
                ("hidden", marks.HIDDEN),
            )
            if row.get(name)
        )
        if counter.kind == DUMMY:
            flags |= {marks.CONCEALED}
        own = frozenset({side})
        known = own if flags & {marks.CONCEALED, marks.HIDDEN} else None
        seen = own if marks.HIDDEN in flags else None
        if "of" in row:
            bonds = FrozenMap[tuple[str, ...]]({marks.POSSESSES: (row["of"],)})
            return Unit(name, counter.key, side, bonds=bonds, flags=flags)
        values: dict[str, Value] = {}
        if not counter.nation:
            values["nation"] = self.data["sides"][side]["nation"]
        cell = row.get("hex", "")
        if cell and not ground.has(cell):
            raise RulesError(f"the map has no hex {cell}", place=self.place(*at, "hex"))
        if not cell:
            values["turn"] = int(group.get("turn", 1))
            values["entry"] = tuple(group.get("entry", ()))
            return Unit(
                name,
                counter.key,
                side,
                box=ENTERING,
                values=FrozenMap(values),
                flags=flags,
                known_to=known,
                seen_by=seen,
            )
        return Unit(
            name,
            counter.key,
            side,
            cell=cell,
            level=int(row.get("level", 0)),
            values=FrozenMap(values) if values else EMPTY,
            flags=flags,
            known_to=known,
            seen_by=seen,
        )

    @property
    def hides(self) -> bool:
        """Whether a side has hidden units: its card says so, and both have read it."""
        return any(
            row.get("hidden")
            for side in SIDES
            for group in self.data["sides"][side]["groups"]
            for row in group["units"].values()
        )

    def markers(self) -> FrozenMap[Marker]:
        """ASL-SAN-1: the snipers where the card has them."""
        found = {}
        for side in SIDES:
            cell = self.data["sides"][side].get("sniper")
            if cell:
                name = f"sniper {side}"
                found[name] = Marker(name, "sniper", side, cell=str(cell))
        return FrozenMap(found)

    def areas(self) -> dict[str, tuple[str, ...]]:
        """Where each unit may be set up, of those whose group has an area."""
        return {
            name: tuple(group["area"])
            for side in SIDES
            for group in self.data["sides"][side]["groups"]
            if "area" in group
            for name, row in group["units"].items()
            if "of" not in row
        }

    def cells(self) -> FrozenMap[Record]:
        """Who controls what at the start: the side whose set-up area a hex lies in."""
        goal = self.data.get("victory", {})
        found: dict[str, Record] = {}
        for cell in goal.get("hexes", ()):
            for side in SIDES:
                groups = self.data["sides"][side]["groups"]
                if any(cell in group.get("area", ()) for group in groups):
                    found[cell] = FrozenMap({"control": side})
        return FrozenMap(found)
