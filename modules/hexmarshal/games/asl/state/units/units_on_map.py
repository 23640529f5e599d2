"""Who is who and where: the units of a position, with the ground and tables around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from hexmarshal.errors import RulesError
from hexmarshal.games.asl.sight.view import Spot
from hexmarshal.games.asl.state.ground import Ground, Location
from hexmarshal.games.asl.state.options import DEFAULTS
from hexmarshal.games.asl.state.tables import DUMMY
from hexmarshal.games.asl.state.units import marks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.games.asl.state.tables import Counter, Tables
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value

__all__ = ["SIDES", "UnitsOnMap", "other"]

T = TypeVar("T")
SIDES = ("attacker", "defender")
"""The sides of a scenario; whose player turn it is stands in `extras.phasing`."""


def other(side: str) -> str:
    """The other side."""
    return SIDES[1] if side == SIDES[0] else SIDES[0]


class UnitsOnMap:
    """A position with its ground and tables: what units are, whom they hold, where they are."""

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
