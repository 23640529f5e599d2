"""A position with its ground and tables around it, and the questions that many rules ask of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.units import marks, traits
from hexmarshal.games.asl.state.units.units_on_map import SIDES, other
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.state.tables import Counter
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

from hexmarshal.games.asl.state.lines_between import LinesBetween

__all__ = ["SIDES", "Attack", "Situation", "other"]

_HIGHEST_MORALE = 10


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack of this phase: by whom, from where, at what."""

    by: tuple[str, ...]
    places: tuple[str, ...]
    to: str
    snap: bool


def _names(value: Value) -> tuple[str, ...]:
    return tuple(str(name) for name in value) if isinstance(value, tuple) else ()


class Situation(LinesBetween):
    """What the checks get: the position as the acting side knows it, the ground, the tables."""

    __slots__ = ()

    # What was done in this phase

    def attacks(self) -> Iterator[Attack]:
        """The attacks of this phase, in the movement phase those on the stack where it stands."""
        found = self.position.extras.get("attacks", ())
        for entry in found if isinstance(found, tuple) else ():
            if isinstance(entry, FrozenMap):
                yield Attack(
                    _names(entry.get("by")),
                    _names(entry.get("from")),
                    str(entry.get("to")),
                    entry.get("snap") is True,
                )

    # State

    def good_order(self, unit: Unit) -> bool:
        """ASL-DEF-4: neither broken nor in melee; pinned, CX and TI units are in good order."""
        return not unit.flags & {marks.BROKEN, marks.MELEE}

    def is_armed(self, unit: Unit) -> bool:
        """ASL-DEF-2: everybody but unarmed units without a working weapon."""
        if self.is_dummy(unit):
            return False
        if not unit.has(marks.UNARMED) or self.is_smc(unit):  # ASL-A20.54c
            return True
        return any(not weapon.has(marks.MALFUNCTION) for weapon in self.weapons(unit))

    def is_inexperienced(self, unit: Unit) -> bool:
        """Conscripts, unarmed units, and green ones without an unbroken leader."""
        counter = self.tables.counters.get(unit.type)
        if counter is None or not counter.is_mmc or traits.is_partisan(self, unit):
            return False
        if counter.quality == "green":
            return not any(
                self.is_leader(one) and not one.has(marks.BROKEN) and traits.leads(self, one, unit)
                for one in self.people(self.at(unit), unit.side)
            )
        return counter.quality == "conscript" or unit.has(marks.UNARMED)

    def morale(self, unit: Unit) -> int:
        """The morale that counts now; never more than 10 (ASL-A10.31)."""
        counter = self.counter(unit)
        if unit.has(marks.BERSERK):
            return _HIGHEST_MORALE
        if unit.has(marks.BROKEN):
            level = counter.broken + traits.broken_bonus(self, unit)
        else:
            level = counter.morale + unit.has(marks.WAVE)  # ASL-A25.23e
        level += unit.has(marks.FANATIC)  # ASL-FAN-1
        level += self._urged(unit, counter)
        if unit.has(marks.WOUNDED):
            level -= 1  # ASL-WOUND-2
        if not self.is_hero(unit) and self.encircled(unit):
            level -= 1  # ASL-ENC-2
        return min(level, _HIGHEST_MORALE)

    def encircled(self, unit: Unit) -> bool:
        """ASL-ENC-2, ASL-ENC-3: by fire, or upstairs with no way out that the enemy leaves free."""
        if unit.has(marks.ENCIRCLED):
            return True
        start = self.at(unit)
        if start.level <= 0 or not self.ground.in_building(start):
            return False
        return self.remember(
            f"trapped {unit.side} {start}", lambda: not self._way_down(start, other(unit.side))
        )

    def _way_down(self, start: Location, enemy: str) -> bool:
        """Whether storeys that the enemy does not hold lead from here to the ground."""
        seen, to_do = {start}, [start]
        while to_do:
            here = to_do.pop()
            beside = [Location(here.cell, here.level + n) for n in (-1, 1)]
            beside += [Location(cell, here.level) for cell in self.ground.near[here.cell]]
            for place in beside:
                if place in seen or place.level not in self.ground.levels(place.cell):
                    continue
                seen.add(place)
                if not self.accessible(here, place) or self._held(place, enemy):
                    continue
                if place.level == 0:
                    return True
                to_do.append(place)
        return False

    def _held(self, place: Location, side: str) -> bool:
        """Whether an unbroken, armed and known unit of a side is in a location."""
        return any(
            self.is_armed(unit) and not unit.flags & {marks.BROKEN, *marks.UNSEEN}
            for unit in self.people(place, side)
        )

    def _urged(self, unit: Unit, counter: Counter) -> bool:
        """ASL-NAT-COM: with a commissar all but himself and leaders of level 10 have one more."""
        top = counter.kind == "leader" and counter.morale >= _HIGHEST_MORALE
        if top or traits.is_commissar(self, unit):
            return False
        return bool(unit.cell) and traits.commissar_with(self, self.at(unit), unit.side) is not None

    def leadership(self, leader: Unit, led: Unit | None = None) -> int:
        """ASL-LDR-1: what a leader adds; one worse when wounded or among another nation's."""
        amount = self.counter(leader).leadership + leader.has(marks.WOUNDED)
        if led is not None and self.nation(led) and self.nation(leader):
            amount += self.nation(led) != self.nation(leader)
        return amount

    def in_wave(self, unit: Unit) -> bool:
        """ASL-A25.23e: whether a unit takes part in a human wave at the moment."""
        if not unit.has(marks.WAVE):
            return False
        frame = self.position.frame("wave")
        return frame is not None and unit.id in frame.texts("units")

    def can_be_pinned(self, unit: Unit) -> bool:
        """ASL-PIN-1: not berserk units, heroes, vehicles, nor whoever is in the water."""
        if unit.has(marks.BERSERK) or self.is_hero(unit) or not self.is_personnel(unit):
            return False
        if self.in_wave(unit):
            return False
        terrain = self.ground.terrain(self.at(unit).cell)
        return not (terrain.water or terrain.ford)

    def self_rallies(self, unit: Unit) -> bool:
        """ASL-UNIT-3, ASL-UNIT-7: leaders, crews, Finns and boxed broken morale."""
        counter = self.counter(unit)
        if unit.has(marks.DISRUPTED):  # ASL-A19.12
            return False
        by_nation = traits.nation_of(self, unit).self_rallies and traits.at_home(self)
        return counter.kind in ("leader", "crew") or counter.self_rally or by_nation
