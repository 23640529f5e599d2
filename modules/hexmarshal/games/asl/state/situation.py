"""A position with its ground and tables around it, and the questions that many rules ask of it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from hexmarshal.errors import NotFoundError, RulesError
from hexmarshal.games.asl.queries.sight_queries import conditions_of
from hexmarshal.games.asl.sight.view import Spot
from hexmarshal.games.asl.state import marks, traits
from hexmarshal.games.asl.state.ground import Ground, Location
from hexmarshal.games.asl.state.options import DEFAULTS
from hexmarshal.games.asl.state.tables import DUMMY
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.games.asl.sight.view import Answer, Sight
    from hexmarshal.games.asl.state.tables import Counter, Tables
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value

__all__ = ["SIDES", "Attack", "Situation", "other"]

SIDES = ("attacker", "defender")
"""The sides of a scenario; whose player turn it is stands in `extras.phasing`."""
_HIGHEST_MORALE = 10

T = TypeVar("T")


def other(side: str) -> str:
    """The other side."""
    return SIDES[1] if side == SIDES[0] else SIDES[0]


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack of this phase: by whom, from where, at what."""

    by: tuple[str, ...]
    places: tuple[str, ...]
    to: str
    snap: bool


def _names(value: Value) -> tuple[str, ...]:
    return tuple(str(name) for name in value) if isinstance(value, tuple) else ()


class Situation:
    """What the checks get: the position as the acting side knows it, the ground, the tables."""

    __slots__ = ("ground", "position", "tables")

    def __init__(self, position: Position, ground: Ground, tables: Tables) -> None:
        self.position, self.ground, self.tables = position, ground, tables

    def remember(self, name: str, make: Callable[[], T]) -> T:
        """Something worked out once for this position."""
        return self.position.remember(f"asl {name}", make)

    def option(self, name: str) -> Value:
        """How a switch is set."""
        return self.position.option(name, DEFAULTS[name])

    # Sides

    @property
    def phasing(self) -> str:
        """The ATTACKER: the side whose player turn it is."""
        return str(self.position.extras.get("phasing", SIDES[0]))

    @property
    def opposing(self) -> str:
        """The DEFENDER."""
        return other(self.phasing)

    def nation(self, unit: Unit) -> str:
        """The nationality of a unit: its counter's, its own, or its side's."""
        counter = self.tables.counters.get(unit.type)
        if counter is not None and counter.nation:
            return counter.nation
        own = unit.values.get("nation")
        return str(own) if own else str(self.position.extras.get(f"{unit.side}_nation", ""))

    # Units

    def unit(self, name: str) -> Unit:
        """The unit with this id."""
        return self.position.unit(name)

    def counter(self, unit: Unit) -> Counter:
        """What its counter prints; a unit without a counter of the tables is an error."""
        found = self.tables.counters.get(unit.type)
        if found is None:
            raise RulesError(f"{unit.id}: no table has the counter {unit.type!r}")
        return found

    def is_personnel(self, unit: Unit) -> bool:
        """A squad, half-squad, crew, leader or hero."""
        found = self.tables.counters.get(unit.type)
        return found is not None and found.is_personnel

    def is_weapon(self, unit: Unit) -> bool:
        """A support weapon."""
        found = self.tables.counters.get(unit.type)
        return found is not None and not found.is_personnel

    def is_mmc(self, unit: Unit) -> bool:
        """A squad, half-squad or crew."""
        found = self.tables.counters.get(unit.type)
        return found is not None and found.is_mmc

    def is_smc(self, unit: Unit) -> bool:
        """A leader or hero."""
        found = self.tables.counters.get(unit.type)
        return found is not None and found.is_smc

    def is_leader(self, unit: Unit) -> bool:
        """A leader, heroic or not."""
        found = self.tables.counters.get(unit.type)
        return found is not None and found.kind == "leader"

    def is_hero(self, unit: Unit) -> bool:
        """A hero, or a heroic leader."""
        found = self.tables.counters.get(unit.type)
        return (found is not None and found.kind == "hero") or unit.has(marks.HEROIC)

    def is_dummy(self, unit: Unit) -> bool:
        """A "?" with nothing under it (ASL-A12.12d)."""
        found = self.tables.counters.get(unit.type)
        return found is not None and found.kind == DUMMY

    def is_hidden(self, unit: Unit) -> bool:
        """Concealed, or hidden altogether."""
        return not unit.flags.isdisjoint({marks.CONCEALED, marks.HIDDEN})

    def named(self, unit: Unit) -> str:
        """What a player calls it: its id and what it prints."""
        found = self.tables.counters.get(unit.type)
        secret = self.is_hidden(unit) and not unit.has(marks.STRENGTH_SHOWN)
        return f"{unit.id} ({found.text})" if found is not None and not secret else unit.id

    def readers(self, unit: Unit) -> frozenset[str] | None:
        """Who may read what is decided about a unit: of what is under a "?" its own side alone."""
        return frozenset({unit.side}) if self.is_hidden(unit) else None

    # Where things are

    def at(self, unit: Unit) -> Location:
        """The location of a unit; of a weapon that is possessed, its possessor's."""
        cell = self.position.cell_of(unit)
        if unit.cell:
            return Location(cell, unit.level)
        holder = self.holder(unit) or self.guard(unit)
        return Location(cell, holder.level if holder is not None else unit.level)

    def holder(self, weapon: Unit) -> Unit | None:
        """Who possesses a weapon."""
        for name in weapon.by(marks.POSSESSES):
            if name in self.position.units:
                return self.position.units[name]
        return None

    def guard(self, prisoner: Unit) -> Unit | None:
        """ASL-A20.5a: who guards a prisoner."""
        for name in prisoner.by(marks.GUARDS):
            if name in self.position.units:
                return self.position.units[name]
        return None

    def prisoners(self, guard: Unit) -> tuple[Unit, ...]:
        """The prisoners whom a unit guards."""
        return self.position.bonded(guard.id, marks.GUARDS)

    def size(self, unit: Unit) -> int:
        """ASL-US-1: the US# of a unit."""
        return self.counter(unit).size

    def weapons(self, unit: Unit) -> tuple[Unit, ...]:
        """The support weapons that a unit possesses."""
        return self.position.bonded(unit.id, marks.POSSESSES)

    def people(self, place: Location, side: str = "") -> list[Unit]:
        """The personnel in a location, of one side or of both; who is carried is not in it.

        ASL-STACK-2, ASL-LIMIT-5.
        """
        return [
            unit
            for unit in self.position.at(place.cell)
            if unit.level == place.level
            and not unit.carrier
            and not unit.by(marks.GUARDS)
            and self.is_personnel(unit)
            and (not side or unit.side == side)
        ]

    def on_map(self, side: str) -> Iterator[Unit]:
        """The personnel of a side on the map."""
        for unit in self.position.of_side(side):
            if unit.cell and self.is_personnel(unit):
                yield unit

    def spots(self, unit: Unit) -> tuple[Spot, ...]:
        """From where lines to and from a unit run: its centre, or vertices that it passes."""
        place = self.at(unit)
        if unit.place.startswith("bypass:"):  # ASL-BYP-6
            one, two = unit.place.removeprefix("bypass:").split("-")
            return (
                Spot(place.cell, place.level, int(one)),
                Spot(place.cell, place.level, int(two)),
            )
        vertex = unit.values.get("vertex")
        return (Spot(place.cell, place.level, vertex if isinstance(vertex, int) else None),)

    # Sight

    @property
    def sight(self) -> Sight:
        """The lines of sight as this position has them: smoke, wrecks, weather."""
        return self.remember("sight", lambda: self.ground.sight.under(conditions_of(self.position)))

    @property
    def lines(self) -> dict[tuple[Location, Location], Answer]:
        """The lines between locations that were looked along in this position."""
        return self.remember("lines", dict[tuple[Location, Location], "Answer"])

    def line(self, a: Location, b: Location) -> Answer:
        """The line between two locations."""
        if not self.sight.conditions:
            return self.ground.line(a, b)
        found = self.lines.get((a, b))
        if found is None:
            found = self.sight.answer(Spot(a.cell, a.level), Spot(b.cell, b.level))
            self.lines[a, b] = found
        return found

    def sees(self, a: Location, b: Location) -> bool:
        """Whether a line is clear."""
        return a == b or not self.line(a, b).blocked

    def line_to(self, a: Location, unit: Unit) -> Answer:
        """The best line to a unit, which may be at a vertex."""
        spots = self.spots(unit)
        if len(spots) == 1 and spots[0].vertex is None:
            return self.line(a, self.at(unit))
        here = Spot(a.cell, a.level)
        found = []
        for spot in spots:
            with suppress(NotFoundError):  # vertices of half hexes lie off the map
                found.append(self.sight.answer(here, spot))
        if not found:
            return self.line(a, self.at(unit))
        return min(found, key=lambda answer: (answer.blocked, answer.hindrance))

    def sees_unit(self, a: Location, unit: Unit) -> bool:
        """Whether a location sees a unit."""
        return a == self.at(unit) or not self.line_to(a, unit).blocked

    def enemies_in_sight(self, unit: Unit) -> list[Unit]:
        """ASL-DEF-4: the known enemy units of a unit: not concealed, in its line of sight."""
        place = self.at(unit)
        return [
            enemy
            for enemy in self.on_map(other(unit.side))
            if not self.is_hidden(enemy) and self.sees_unit(place, enemy)
        ]

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

    def adjacent(self, a: Location, b: Location) -> bool:
        """ASL-DEF-1 ADJACENT: infantry could advance from one to the other, and sight exists."""
        return self.accessible(a, b) and self._sees_without_smoke(a, b)

    def _sees_without_smoke(self, a: Location, b: Location) -> bool:
        return not self.ground.line(a, b).blocked

    def accessible(self, a: Location, b: Location) -> bool:
        """ASL-DEF-1: a location next to another into which infantry could advance."""
        if a.cell == b.cell:
            storeys = all(self.ground.kind_of(one) in ("ground", "level") for one in (a, b))
            return abs(a.level - b.level) == 1 and storeys and self.ground.stairs(a.cell)
        side = self.ground.side_to(a.cell, b.cell)
        if side is None:
            return False
        hexside = self.ground.hexside(a.cell, side)
        if hexside is not None and hexside.cost is None and not hexside.minimum:
            return False
        if a.level or b.level:
            return a.level == b.level and self.ground.same_building(a.cell, b.cell)
        row = self.ground.beneath(b.cell)
        return row.cost is not None or self.ground.is_way(b.cell, side + 3)
