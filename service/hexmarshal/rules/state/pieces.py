"""What stands on a map or beside it: units, markers, piles of cards or chits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from hexmarshal.rules.codec import (
    FLAGS,
    INT,
    OPTIONAL_INT,
    RECORD,
    SIDES,
    TEXT,
    TEXTS,
    Converter,
    Shape,
    mapped,
)
from hexmarshal.rules.copying import quick
from hexmarshal.rules.values import EMPTY, FrozenMap, Record

if TYPE_CHECKING:
    from hexmarshal.rules.values import Value

__all__ = [
    "BONDS",
    "CARRIES",
    "MARKER",
    "NO_BONDS",
    "NO_FLAGS",
    "PILE",
    "UNIT",
    "UNKNOWN",
    "Bonds",
    "Marker",
    "Pile",
    "Unit",
    "sides_after",
]

NO_FLAGS: frozenset[str] = frozenset()
# By role, the units that a bond of that role ties a unit to.
Bonds: TypeAlias = FrozenMap[tuple[str, ...]]
NO_BONDS: Bonds = FrozenMap()
# The role of the bond that a unit keeps as its `carrier`.
CARRIES = "carries"
# What a view shows in place of a type or a card that the viewer does not know.
UNKNOWN = "?"


@quick
@dataclass(frozen=True, slots=True)
class Unit:
    """One counter.

    It is in one place: on `cell` (a hex, a square, an area, as the map prints it; `level` counts
    storeys or elevations of one cell), in an off-map `box`, carried by another unit (`carrier`), or
    nowhere yet. `place` says where within the cell, as the game's `places` name it: "entrenched",
    "bypass:3". `bonds` name the units that this one is tied to, by role: "possesses" those that
    possess it, "tows" those that tow it; `carrier` is the bond "carries". A unit without a cell or
    a box goes along with its carrier, or else with what it is bonded to. A unit that covers more
    than one cell lists the others in `footprint`. `rank` orders a stack from the bottom up.
    `seen_by` names the sides that know that the unit is there, `known_to` the sides that know what
    it is; None means all of them. To the others it shows its `face`, a unit type like any other
    ("unknown rifle division"). A unit whose identity may be secret needs an id that does not tell
    it.
    """

    id: str
    type: str
    side: str
    cell: str = ""
    level: int = 0
    box: str = ""
    carrier: str = ""
    footprint: tuple[str, ...] = ()
    rank: int = 0
    facing: int | None = None
    steps: int = 1
    flags: frozenset[str] = NO_FLAGS
    values: Record = EMPTY
    seen_by: frozenset[str] | None = None
    known_to: frozenset[str] | None = None
    face: str = ""
    place: str = ""
    bonds: Bonds = NO_BONDS

    def has(self, flag: str) -> bool:
        """Whether the unit carries this flag."""
        return flag in self.flags

    def value(self, name: str, default: Value = None) -> Value:
        """A value of this counter."""
        return self.values.get(name, default)

    def number(self, name: str, default: int = 0) -> int:
        """A whole-number value of this counter; `default` where it has none."""
        value = self.values.get(name, default)
        return value if isinstance(value, int) else default

    @property
    def cells(self) -> tuple[str, ...]:
        """Every cell that the unit covers itself, the first one being where it stands."""
        return (self.cell, *self.footprint) if self.cell else ()

    def by(self, role: str) -> tuple[str, ...]:
        """The units that do this to it: carry it, possess it, tow it."""
        if role == CARRIES:
            return (self.carrier,) if self.carrier else ()
        return self.bonds.get(role, ())

    def held_by(self) -> tuple[tuple[str, str], ...]:
        """Every bond on it as role and unit, the carrier first, then by role."""
        if not self.bonds:
            return ((CARRIES, self.carrier),) if self.carrier else ()
        carried = ((CARRIES, self.carrier),) if self.carrier else ()
        return (*carried, *((role, unit) for role, units in self.bonds.items() for unit in units))


@quick
@dataclass(frozen=True, slots=True)
class Marker:
    """Anything that is not a unit: smoke, a hit, an order token, a plotted barrage, a trench.

    It lies on a cell, on a unit or in a box. A secret order is a marker that only its side knows
    (`known_to`), a secret plot one that only its side sees at all (`seen_by`).
    """

    id: str
    kind: str
    side: str = ""
    cell: str = ""
    level: int = 0
    unit: str = ""
    box: str = ""
    facing: int | None = None
    values: Record = EMPTY
    seen_by: frozenset[str] | None = None
    known_to: frozenset[str] | None = None
    face: str = ""


@quick
@dataclass(frozen=True, slots=True)
class Pile:
    """Cards or chits in order, the top first: a deck, a hand, a discard pile, a cup of tokens.

    `known_to` names the sides that may look at the faces: nobody for a deck, its owner for a hand,
    None (all) for an open pile. How many there are is public, unless `seen_by` names the sides that
    see the pile at all: a hand below the table, a cup that others may not count.
    """

    name: str
    cards: tuple[str, ...] = ()
    side: str = ""
    known_to: frozenset[str] | None = None
    seen_by: frozenset[str] | None = None


def sides_after(
    change: tuple[str, ...] | None, now: frozenset[str] | None
) -> frozenset[str] | None:
    """Who sees or knows it after a change: None leaves it, ("*",) means all, else the sides."""
    if change is None:
        return now
    return None if change == ("*",) else frozenset(change)


BONDS: Converter[Bonds] = mapped(TEXTS)
UNIT: Shape[Unit] = Shape(
    Unit,
    {
        "type": TEXT,
        "side": TEXT,
        "cell": TEXT,
        "level": INT,
        "box": TEXT,
        "carrier": TEXT,
        "footprint": TEXTS,
        "rank": INT,
        "facing": OPTIONAL_INT,
        "steps": INT,
        "flags": FLAGS,
        "values": RECORD,
        "seen_by": SIDES,
        "known_to": SIDES,
        "face": TEXT,
        "place": TEXT,
        "bonds": BONDS,
    },
    key="id",
)
MARKER: Shape[Marker] = Shape(
    Marker,
    {
        "kind": TEXT,
        "side": TEXT,
        "cell": TEXT,
        "level": INT,
        "unit": TEXT,
        "box": TEXT,
        "facing": OPTIONAL_INT,
        "values": RECORD,
        "seen_by": SIDES,
        "known_to": SIDES,
        "face": TEXT,
    },
    key="id",
)
PILE: Shape[Pile] = Shape(
    Pile, {"cards": TEXTS, "side": TEXT, "known_to": SIDES, "seen_by": SIDES}, key="name"
)
