"""A position with its ground and tables around it, and the questions that many rules ask of it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from hexmarshal.games.heroes_of_stalingrad.state.counters import UNSEEN, Counter
from hexmarshal.games.heroes_of_stalingrad.state.kinds import (
    AMBUSHED,
    DESTROYED,
    HEAVY,
    INFANTRY,
    INITIATIVE,
    ORDER,
    RUSSIAN,
    SIDES,
    other,
)
from hexmarshal.games.heroes_of_stalingrad.state.options import DEFAULTS
from hexmarshal.rules.state.pieces import UNKNOWN
from hexmarshal.rules.values import EMPTY, FrozenMap, thaw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.counters import Face, Weapon
    from hexmarshal.games.heroes_of_stalingrad.state.ground.ground import Element, Ground
    from hexmarshal.games.heroes_of_stalingrad.state.tables import Kind, Tables
    from hexmarshal.geometry.lattice.squares import Square
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.state.pieces import Marker, Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value

__all__ = ["Situation"]

T = TypeVar("T")


@lru_cache(maxsize=512)
def _own_counter(key: str, record: Record) -> Counter:
    """A counter that a position brings along."""
    row: Any = thaw(record)
    return Counter.read(key, row)


class Situation:
    """What the checks get: the position as the acting side knows it, the ground, the tables."""

    __slots__ = ("ground", "position", "tables")

    def __init__(self, position: Position, ground: Ground, tables: Tables) -> None:
        self.position, self.ground, self.tables = position, ground, tables

    def remember(self, name: str, make: Callable[[], T]) -> T:
        """Something worked out once for this position on this ground."""
        return self.position.remember(f"{name} on {id(self.ground)}", make)

    def option(self, name: str) -> Value:
        """How a switch is set."""
        return self.position.option(name, DEFAULTS[name])

    @property
    def initiative(self) -> str:
        """HOS-2.3: who holds the initiative in this turn: by the marker, if there is one."""
        marker = self.position.track(INITIATIVE)
        if 1 <= marker <= len(SIDES):
            return SIDES[marker - 1]
        return str(self.position.extras.get(INITIATIVE, RUSSIAN))

    def in_order(self) -> tuple[str, str]:
        """Both sides, that with the initiative first."""
        return self.initiative, other(self.initiative)

    # Units

    def unit(self, name: str) -> Unit:
        """A unit."""
        return self.position.unit(name)

    def counter(self, unit: Unit) -> Counter:
        """What is printed on a unit, as far as it is known."""
        own = unit.values.get("counter")
        if isinstance(own, FrozenMap):
            return _own_counter(unit.type, own)
        return UNSEEN if unit.type in (AMBUSHED, UNKNOWN) else self.tables.counters[unit.type]

    def face(self, unit: Unit) -> Face:
        """The face that shows."""
        return self.counter(unit).face(unit.steps)

    def family(self, unit: Unit) -> str:
        """HOS-4.1: infantry, light or heavy."""
        return self.counter(unit).family

    def title(self, unit: Unit) -> str:
        """What a person calls it."""
        return f"{unit.id} ({self.counter(unit).title})"

    def is_vehicle(self, unit: Unit) -> bool:
        """A light or a heavy vehicle."""
        return self.family(unit) != INFANTRY

    def is_heavy(self, unit: Unit) -> bool:
        """A heavy vehicle."""
        return self.family(unit) == HEAVY

    def is_wreck(self, unit: Unit) -> bool:
        """HOS-2.91: whether it is a terrain element by now."""
        return self.face(unit).wreck

    def is_live(self, unit: Unit) -> bool:
        """On the board, by itself or carried, and no wreck."""
        return bool(unit.cell or unit.carrier) and not self.is_wreck(unit)

    def ambushed(self, unit: Unit) -> bool:
        """HOS-5.2: whether it lies in ambush."""
        face = self.face(unit)
        return face.name == "active" and face.has("ambush")

    def suppressed(self, unit: Unit) -> int:
        """HOS-5.24: its Suppressed markers."""
        return unit.number("suppressed")

    def squares(self, unit: Unit) -> tuple[Square, ...]:
        """The squares that a unit covers; a passenger's are those of its vehicle."""
        if unit.carrier:
            carrier = self.position.units.get(unit.carrier)
            return self.squares(carrier) if carrier is not None else ()
        return tuple(s for c in unit.cells if (s := self.ground.find(c)) is not None)

    def cells(self, unit: Unit) -> tuple[str, ...]:
        """The cells that a unit covers; a passenger's are those of its vehicle."""
        if unit.carrier and (carrier := self.position.units.get(unit.carrier)) is not None:
            return self.cells(carrier)
        return unit.cells

    def live(self, side: str = "") -> Iterator[Unit]:
        """The units on the board, of one side or of both, passengers too."""
        units = self.position.of_side(side) if side else self.position.units.values()
        return (unit for unit in units if self.is_live(unit))

    def occupants(self, cell: str) -> tuple[Unit, ...]:
        """The units in a cell that take room there: no passengers, no wrecks."""
        return tuple(
            unit for unit in self.position.at(cell) if unit.cell and not self.is_wreck(unit)
        )

    def wrecks(self, cell: str) -> tuple[Unit, ...]:
        """The wrecks in a cell."""
        return tuple(u for u in self.position.at(cell) if u.cell and self.is_wreck(u))

    def passengers(self, unit: Unit) -> tuple[Unit, ...]:
        """The units that a vehicle carries, its crew too."""
        return self.position.carried_by(unit.id)

    def is_crew(self, unit: Unit) -> bool:
        """HOS-5.5: whether it is inside a vehicle as its crew."""
        face = self.face(unit)
        return bool(unit.carrier) and face.name == "active" and face.has("crew")

    # Abilities

    def ability(self, unit: Unit, name: str) -> Any:  # noqa: ANN401 - a number, true, or a table
        """An ability of the face, of its crew, or one that a slot or a card gives; None: not."""
        face = self.face(unit)
        found = face.abilities[name] if face.has(name) else self._lent(unit, name)
        if name == "assault" and unit.side in self._furious():
            # HOS-6.5: Assault +2 as an ability, in place of a lesser one.
            return max(2, found if isinstance(found, int) and found is not True else 0)
        return found

    def _lent(self, unit: Unit, name: str) -> Any:  # noqa: ANN401
        crew = self.crew_with(unit, name)
        if crew is not None:
            return self.face(crew).abilities[name]
        from hexmarshal.games.heroes_of_stalingrad.state.army import unlocked

        return unlocked(self, unit).get(name)

    def crew_with(self, unit: Unit, name: str) -> Unit | None:
        """HOS-5.5: who lends a vehicle an ability that it lacks, as its crew."""
        if not self.is_vehicle(unit) or self.face(unit).has(name):
            return None
        crews = (u for u in self.passengers(unit) if self.is_crew(u) and self.face(u).has(name))
        return next(crews, None)

    def _furious(self) -> tuple[str, ...]:
        found = self.position.extras.get("fury", ())
        return tuple(map(str, found)) if isinstance(found, tuple) else ()

    def has(self, unit: Unit, name: str) -> bool:
        """Whether it has an ability."""
        found = self.ability(unit, name)
        return found is not None and found is not False

    def weapons(self, unit: Unit) -> tuple[Weapon, ...]:
        """HOS-2.93: the weapons that it can still use."""
        face = self.face(unit)
        weapons = face.weapons
        if unit.has("damage_main"):
            first = next((w.name for w in weapons if w.main), None)
            weapons = tuple(w for w in weapons if w.name != first)
        return weapons

    def weapon(self, unit: Unit, name: str) -> Weapon | None:
        """One of its weapons; without a name its only or its main one."""
        weapons = self.weapons(unit)
        if name:
            return next((w for w in weapons if w.name == name), None)
        return next((w for w in weapons if w.main), weapons[0] if weapons else None)

    # Ground

    def kinds(self, cell: str) -> tuple[Kind, ...]:
        """The terrain of a cell, that of wrecks in it too."""
        element = self.ground.element(cell)
        found = [] if element is None else [element.kind]
        for wreck in self.wrecks(cell):
            kind = self.tables.kinds.get(self.face(wreck).terrain)
            if kind is not None:
                found.append(kind)
        return tuple(found)

    def element(self, cell: str) -> Element | None:
        """The terrain element of a cell, wrecks apart."""
        return self.ground.element(cell)

    def house(self, unit: Unit) -> str:
        """The building that a unit is wholly inside of; '' in the open."""
        houses = {self.ground.house(cell) for cell in self.cells(unit)}
        return houses.pop() if len(houses) == 1 else ""

    # Orders

    def tokens(self, side: str) -> tuple[Marker, ...]:
        """The order tokens of a side, on units and beside the board."""
        return tuple(
            m for m in self.position.markers.values() if m.kind == ORDER and m.side == side
        )

    def token_on(self, unit: Unit) -> Marker | None:
        """HOS-2.10: the order token that a unit bears."""
        found = (m for m in self.position.markers_on(unit.id) if m.kind == ORDER)
        return next(found, None)

    def destroyed(self, unit: Unit) -> bool:
        """Whether a counter counts as destroyed."""
        return unit.box == DESTROYED or self.is_wreck(unit)

    # Frames

    @property
    def activation(self) -> Frame | None:
        """The activation in progress."""
        return self.position.frame("activation")

    @property
    def moving(self) -> Frame | None:
        """The Move Action in progress."""
        return self.position.frame("moving")

    def kept(self, name: str) -> Record:
        """A record that the position keeps besides."""
        found = self.position.extras.get(name)
        return found if isinstance(found, FrozenMap) else EMPTY
