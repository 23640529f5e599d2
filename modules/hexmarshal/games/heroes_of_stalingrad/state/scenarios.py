"""Scenarios: the position that a scenario file describes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hexmarshal.games.heroes_of_stalingrad.state.kinds import AMBUSHED, SIDES, WAITING
from hexmarshal.geometry.lattice.footprints import Footprint
from hexmarshal.kit.game import ScenarioCard
from hexmarshal.rules.state.pieces import Marker, Unit
from hexmarshal.rules.values import FrozenMap, Value, freeze

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.ground.ground import Ground
    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables

__all__ = ["Scenario"]


@dataclass(frozen=True)
class Scenario(ScenarioCard):
    """One scenario file, checked against the rest of the data."""

    tables: Tables

    def tiles(self) -> Iterator[Marker]:
        """The tiles on the board."""
        for name, row in (self.data.get("tiles") or {}).items():
            if row["tile"] not in self.tables.tile_rows:
                raise self.fail(f"there is no tile {row['tile']!r}", "tiles", name, "tile")
            values: dict[str, Value] = {"tile": row["tile"]}
            if any(row.get("across") or ()):
                values["across"] = tuple(row["across"])
            yield Marker(
                name, "tile", cell=row["at"], facing=row.get("turn", 0), values=FrozenMap(values)
            )

    def check_ground(self, ground: Ground) -> None:
        """Whether all tiles lie on the board."""
        for where, text in ground.faults:
            raise self.fail(text, "tiles", *([where] if where else []))

    def army(self) -> FrozenMap[Value]:
        """The armies; each tile and option must be one of the data, in a slot that it fits."""
        from hexmarshal.games.heroes_of_stalingrad.rules.army.recruitment import slot_faults

        found: dict[str, Value] = {}
        for side in SIDES:
            mine = (self.data.get("army") or {}).get(side) or {}
            for name, row in mine.items():
                at = ("army", side, name)
                if "tile" in row:
                    if row["tile"] not in self.tables.recruitment_tiles:
                        raise self.fail(f"there is no tile {row['tile']!r}", *at, "tile")
                    continue
                option = self.tables.recruitment_options.get(row["option"])
                if option is None:
                    raise self.fail(f"there is no option {row['option']!r}", *at, "option")
                tile = mine.get(row["of"])
                if tile is None or "tile" not in tile:
                    raise self.fail(f"{row['of']} is no tile of this army", *at, "of")
                for fault in slot_faults(self.tables, tile["tile"], option, row["slot"]):
                    raise self.fail(fault.text, *at, "slot")
            found[side] = freeze(mine)
        return FrozenMap(found)

    def units(self, ground: Ground) -> Iterator[Unit]:
        """The counters, on their cells, in their vehicles, or waiting to be placed."""
        waiting = set(self.data.get("deploy") or ())
        rows = self.data.get("units") or {}
        for name in waiting:
            if name not in rows:
                raise self.fail(f"there is no unit {name!r}", "deploy")
        for name, row in rows.items():
            yield self._unit(name, row, ground, waits=name in waiting)

    def _unit(self, name: str, row: Mapping[str, Any], ground: Ground, *, waits: bool) -> Unit:
        counter = self.tables.counters.get(row["counter"])
        if counter is None:
            raise self.fail(f"there is no counter {row['counter']!r}", "units", name, "counter")
        if counter.side and counter.side != row["side"]:
            raise self.fail(f"{row['counter']} is {counter.side}", "units", name, "side")
        group = row.get("group", "")
        army = (self.data.get("army") or {}).get(row["side"]) or {}
        if group and group not in army:
            raise self.fail(f"{group} is not in the army", "units", name, "group")
        faces = len(counter.faces)
        steps = faces if int(row.get("face", 1)) == 1 else faces - 1
        face = counter.face(steps)
        ambush = any(f.has("ambush") for f in counter.faces)
        hidden = face.name == "active" and face.has("ambush")
        unit = Unit(
            name,
            row["counter"],
            row["side"],
            facing=row.get("facing"),
            steps=steps,
            values=FrozenMap({"group": group}) if group else FrozenMap(),
            known_to=frozenset((row["side"],)) if hidden else None,
            face=AMBUSHED if ambush else "",
        )
        if waits:
            return replace(unit, box=WAITING)
        if row.get("carrier"):
            return replace(unit, carrier=row["carrier"])
        cell = row.get("cell", "")
        if not ground.has(cell):
            raise self.fail(f"the board has no cell {cell!r}", "units", name, "cell")
        if counter.cells < 2:
            return replace(unit, cell=cell)
        rear = ground.name(Footprint(ground.square(cell), int(row.get("facing", 0)) % 8).rear)
        if not rear:
            raise self.fail("its rear is off the board", "units", name, "cell")
        return replace(unit, cell=cell, footprint=(rear,), facing=row.get("facing", 0))

    def extras(self) -> dict[str, Value]:
        """What positions of this scenario keep besides."""
        found: dict[str, Value] = {
            "army": self.army(),
            "turns": self.turns,
            "hand": freeze(self.data.get("hand") or {}),
        }
        for name in ("objectives", "victory", "zones", "budget"):
            if self.data.get(name):
                found[name] = freeze(self.data[name])
        return found
