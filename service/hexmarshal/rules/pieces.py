"""What stands on a map or beside it: units, markers, piles of cards or chits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.rules.codec import (
    FLAGS,
    INT,
    OPTIONAL_INT,
    RECORD,
    SIDES,
    TEXT,
    TEXTS,
    Shape,
)
from hexmarshal.rules.values import EMPTY, Record

if TYPE_CHECKING:
    from hexmarshal.rules.values import Value

__all__ = ["MARKER", "NO_FLAGS", "PILE", "UNIT", "UNKNOWN", "Marker", "Pile", "Unit"]

NO_FLAGS: frozenset[str] = frozenset()
# What a view shows in place of a type or a card that the viewer does not know.
UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class Unit:
    """One counter.

    It is in one place: on `cell` (a hex, a square, an area, as the map prints it; `level` counts
    storeys or elevations of one cell), in an off-map `box`, carried by another unit (`carrier`), or
    nowhere yet. A unit that covers more than one cell lists the others in `footprint`. `rank`
    orders a stack from the bottom up. `seen_by` names the sides that know that the unit is there,
    `known_to` the sides that know what it is; None means all of them. To the others it shows its
    `face`, a unit type like any other ("unknown rifle division"). A unit whose identity may be
    secret needs an id that does not tell it.
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


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards or chits in order, the top first: a deck, a hand, a discard pile, a cup of tokens.

    `known_to` names the sides that may look at the faces: nobody for a deck, its owner for a hand,
    None (all) for an open pile. How many there are is public.
    """

    name: str
    cards: tuple[str, ...] = ()
    side: str = ""
    known_to: frozenset[str] | None = None


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
PILE: Shape[Pile] = Shape(Pile, {"cards": TEXTS, "side": TEXT, "known_to": SIDES}, key="name")
