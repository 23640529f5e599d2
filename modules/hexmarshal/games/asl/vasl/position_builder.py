"""A table of VASL as a position of the rules, and what of the table the rules cannot show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import RulesError
from hexmarshal.games.asl.rules.sequence.turn import PHASES
from hexmarshal.games.asl.state.situation import SIDES
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.vasl.counters.counter_faces import (
    CONCEALMENT,
    GUN,
    SNIPER,
    VEHICLE,
    WEAPON,
)
from hexmarshal.games.asl.vasl.counters.counter_names import own_names
from hexmarshal.games.asl.vasl.scenario_info import ALLIED, AXIS
from hexmarshal.rules.state.pieces import Marker, Unit
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.asl.plugin import AdvancedSquadLeader
    from hexmarshal.games.asl.vasl.table_reader import TableCounter, VaslTable
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value

__all__ = ["ReadPosition", "position_of", "sides_of"]

_FLAGS: Final = frozenset(flag.key for flag in marks.FLAGS)
_WEAPON_FLAGS: Final = frozenset(
    {
        marks.MALFUNCTION,
        marks.DISMANTLED,
        marks.PREP_FIRE,
        marks.FIRST_FIRE,
        marks.FINAL_FIRE,
        marks.ADVANCING_FIRE,
        marks.OPPORTUNITY,
        marks.CAPTURED,
    }
)


@dataclass(frozen=True, slots=True)
class ReadPosition:
    """The position; the counter of the table behind each unit; and what was left out, and why."""

    position: Position
    units: Mapping[str, TableCounter]
    left_out: tuple[tuple[TableCounter, str], ...]
    nations: Mapping[str, tuple[str, ...]]
    """Of each side."""


def sides_of(table: VaslTable) -> dict[str, str]:
    """The side of each nation on the table: who moves first in VASL's information attacks."""
    names = own_names()
    nations: list[str] = []
    for counter in table.counters:
        face = counter.face
        if face.is_unit and face.nation in names.sides and face.nation != "sea":
            nations.append(face.nation)
    order = sorted(set(nations), key=lambda nation: (-nations.count(nation), nation))
    first = table.info.first if table.info is not None else AXIS
    leads = {first: SIDES[0], (ALLIED if first == AXIS else AXIS): SIDES[1]}
    found = {n: leads.get(names.sides[n], "") for n in order}
    for nation in order:
        if not found[nation]:
            taken = {side for side in found.values() if side}
            found[nation] = next((side for side in SIDES if side not in taken), SIDES[0])
    if order and len(set(found.values())) == 1 and len(order) > 1:
        # Both are of VASL's one side: the one with fewer counters is the other.
        other = SIDES[1] if found[order[0]] == SIDES[0] else SIDES[0]
        found[order[1]] = other
    return found


def position_of(
    table: VaslTable, plugin: AdvancedSquadLeader, *, phase: str = "", phasing: str = ""
) -> ReadPosition:
    """The position that the table shows; the phase is not on it, and may be given."""
    if table.map is None:
        raise RulesError("the save has no boards", hint="choose boards in VASL, and save again")
    if phase and phase not in PHASES:
        raise RulesError(f"there is no phase {phase!r}", hint=f"phases: {', '.join(PHASES)}")
    builder = _Builder(table, plugin)
    units, markers = builder.units(), builder.markers()
    turn = table.info.turn if table.info is not None else 1
    side = phasing or builder.moving
    extras: dict[str, Value] = {"phasing": side, "first": SIDES[0]}
    for name in SIDES:
        own = [n for n, of in builder.sides.items() if of == name]
        if own:
            extras[f"{name}_nation"] = own[0]
    position = replace(
        plugin.blank(),
        scenario="table",
        board=table.map.name,
        options=FrozenMap({"free_sight": True}),
        phase=phase or PHASES[0],
        active=(side,),
        turn=max(1, turn),
        units=FrozenMap(units),
        markers=FrozenMap(markers),
        extras=FrozenMap(extras),
    )
    nations = {name: tuple(n for n, of in builder.sides.items() if of == name) for name in SIDES}
    return ReadPosition(position, builder.behind, tuple(builder.left_out), nations)


class _Builder:
    def __init__(self, table: VaslTable, plugin: AdvancedSquadLeader) -> None:
        self.table, self.counters = table, plugin.tables.counters
        self.sides = sides_of(table)
        self.behind: dict[str, TableCounter] = {}
        self.left_out: list[tuple[TableCounter, str]] = []
        self._lowest: dict[str, int] = {}
        """The lowest unit of each stack."""
        for counter in table.counters:
            if counter.face.is_unit and counter.stack:
                rank = self._lowest.get(counter.stack, counter.rank)
                self._lowest[counter.stack] = min(rank, counter.rank)
        assert table.map is not None
        self._ground = plugin.situation(replace(plugin.blank(), board=table.map.name)).ground
        info = table.info
        own = [side for n, side in self.sides.items() if info and _camp(n) == info.moving]
        self.moving = own[0] if own else SIDES[0]

    def units(self) -> dict[str, Unit]:
        """Every counter that fights, with what it is tied to."""
        found: dict[str, Unit] = {}
        for counter in self.table.counters:
            if not counter.face.is_unit:
                if counter.is_placed and counter.face.cls == CONCEALMENT and self._alone(counter):
                    dummy = self._dummy(counter)
                    found[dummy.id] = dummy
                    self.behind[dummy.id] = counter
                continue
            if not counter.is_placed:
                self.left_out.append((counter, counter.why))
                continue
            unit = self._unit(counter)
            if unit is not None:
                found[unit.id] = unit
                self.behind[unit.id] = counter
        return {name: self._tied(unit, found) for name, unit in found.items()}

    def _alone(self, counter: TableCounter) -> bool:
        """Whether no unit lies below it in its stack."""
        return not counter.stack or self._lowest.get(counter.stack, counter.rank) >= counter.rank

    def _dummy(self, counter: TableCounter) -> Unit:
        """ASL-A12.12d: a "?" with nothing under it."""
        side = self.sides.get(counter.face.nation, SIDES[0])
        return Unit(
            f"c{counter.id}",
            "dummy",
            side,
            cell=self._cell(counter),
            level=self._level(counter),
            rank=counter.rank,
            flags=frozenset({marks.CONCEALED}),
            values=FrozenMap({"nation": counter.face.nation}),
            known_to=frozenset({side}),
        )

    def _unit(self, counter: TableCounter) -> Unit | None:
        face = counter.face
        side = self.sides.get(face.nation, "")
        holder = self.table.by_id.get(counter.holder)
        if holder is not None:
            side = self.sides.get(holder.face.nation, side)
        if not side:
            if face.cls == WEAPON:
                self.left_out.append((counter, "of no nation, and possessed by nobody"))
                return None
            side = SIDES[0]
        values: dict[str, Value] = {}
        key = face.counter.replace("commissar_8+1", "leader_8+1")
        key = key if key in self.counters else ""
        if not key:
            key = "vehicle" if face.cls == VEHICLE else "personnel"
            values["counter"] = face.text
            if face.cls == WEAPON:
                self.left_out.append((counter, f"the rules have no {face.text} yet"))
                return None
        elif not self.counters[key].nation:
            values["nation"] = face.nation
        if counter.entrenched:
            values["entrenched"] = True
        if counter.crest:
            values["crest"] = True
        if counter.vertex is not None and face.cls != GUN:
            values["vertex"] = counter.vertex
        if face.turret not in (None, face.facing):
            values["turret"] = face.turret
        flags = counter.flags & (_WEAPON_FLAGS if face.cls == WEAPON else _FLAGS)
        if holder is not None and _camp(holder.face.nation) != _camp(face.nation):
            flags |= {marks.CAPTURED} if _camp(face.nation) else frozenset()
        if face.hidden:
            flags = (flags | {marks.HIDDEN}) - {marks.CONCEALED}
        own = frozenset({side})
        unseen = bool(flags & marks.UNSEEN) and face.cls != WEAPON
        return Unit(
            f"c{counter.id}",
            key,
            side,
            cell=self._cell(counter),
            level=self._level(counter),
            rank=counter.rank,
            facing=face.facing if face.cls in (VEHICLE, GUN) else None,
            flags=frozenset(flags),
            values=FrozenMap(values),
            seen_by=own if face.hidden else None,
            known_to=own if unseen else None,
        )

    def _cell(self, counter: TableCounter) -> str:
        """The hex under the one name that the map has for it, on a seam too."""
        board = self._ground.board
        return board.grid.names[board.hex(counter.cell)].split("/")[0]

    def _level(self, counter: TableCounter) -> int:
        """The level of the location; one that the hex does not have is reported, not made."""
        known = self._ground.levels(counter.cell)
        level = max(known) if counter.roof else counter.level
        if level in known:
            return int(level)
        why = f"its marker says level {level}, and {counter.cell} has none; put on the ground"
        self.left_out.append((counter, why))
        return 0

    def _tied(self, unit: Unit, found: Mapping[str, Unit]) -> Unit:
        holder = f"c{self.behind[unit.id].holder}"
        if holder not in found:
            return unit
        bonds = FrozenMap[tuple[str, ...]]({marks.POSSESSES: (holder,)})
        return replace(unit, cell="", level=0, bonds=bonds)

    def markers(self) -> dict[str, Marker]:
        """SMOKE, wrecks, shelling and residual firepower."""
        found: dict[str, Marker] = {}
        for counter in self.table.placed():
            mark = counter.face.mark
            if counter.face.cls == SNIPER and counter.face.nation in self.sides:
                side = self.sides[counter.face.nation]
                found[f"sniper {side}"] = Marker(
                    f"sniper {side}", SNIPER, side, cell=self._cell(counter)
                )
                continue
            if mark is None or not mark.marker:
                continue
            values: dict[str, Value] = dict(mark.values)
            told = counter.face.found.groupdict() if counter.face.found is not None else {}
            if told.get("fp"):
                values["fp"] = int(told["fp"])
            found[f"m{counter.id}"] = Marker(
                f"m{counter.id}", mark.marker, cell=self._cell(counter), values=FrozenMap(values)
            )
        return found


def _camp(nation: str) -> str:
    return own_names().sides.get(nation, "")
