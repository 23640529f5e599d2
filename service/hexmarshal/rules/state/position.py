"""The position: everything that is true on the table, as one immutable value."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from hexmarshal.errors import NotFoundError, Place
from hexmarshal.rules.codec import (
    INT,
    NATURAL,
    RECORD,
    TEXT,
    TEXTS,
    Shape,
    keyed,
    listed,
    mapped,
    optional,
)
from hexmarshal.rules.copying import FOLLOWS, copied
from hexmarshal.rules.dice import Generator
from hexmarshal.rules.frames.frame import FRAME, Frame, asking, followed
from hexmarshal.rules.state.pieces import CARRIES, MARKER, PILE, UNIT, Marker, Pile, Unit
from hexmarshal.rules.state.spelling import Speller
from hexmarshal.rules.state.stacks import Changed, Spot, Stacks
from hexmarshal.rules.state.stacks import listed as grouped
from hexmarshal.rules.values import EMPTY, FieldError, FrozenMap, Record, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

__all__ = ["POSITION", "Position"]

T = TypeVar("T")

NO_UNITS: FrozenMap[Unit] = FrozenMap()
NO_MARKERS: FrozenMap[Marker] = FrozenMap()
NO_PILES: FrozenMap[Pile] = FrozenMap()
NO_RECORDS: FrozenMap[Record] = FrozenMap()
NO_TRACKS: FrozenMap[int] = FrozenMap()


@dataclass(frozen=True, slots=True)
class Position:
    """A whole game at one moment.

    `board` names the map of the plugin in use and `version` the version of the plugin's data;
    `cells` holds what changed on single cells (control, rubble, a blown bridge). `active` lists
    the sides that may act now: usually one, several where both decide at once. `state` names the
    decision asked for within the phase. `frames` are the decisions that play waits for and the
    business in progress, the topmost last; while one of them asks for something, `state` and
    `active` follow from it. `knowledge` is what one side alone knows; all may read
    tracks, cells, options and extras. `viewer` is empty for the whole truth; in a view it is the
    side whose knowledge this is.
    """

    game: str
    version: str = ""
    scenario: str = ""
    board: str = ""
    options: Record = EMPTY
    sides: tuple[str, ...] = ()
    turn: int = 1
    phase: str = ""
    state: str = ""
    active: tuple[str, ...] = ()
    units: FrozenMap[Unit] = NO_UNITS
    markers: FrozenMap[Marker] = NO_MARKERS
    piles: FrozenMap[Pile] = NO_PILES
    cells: FrozenMap[Record] = NO_RECORDS
    tracks: FrozenMap[int] = NO_TRACKS
    knowledge: FrozenMap[Record] = NO_RECORDS
    extras: Record = EMPTY
    frames: tuple[Frame, ...] = ()
    generator: Generator | None = None
    viewer: str = ""
    _index: dict[str, Any] = field(
        default_factory=dict, init=False, repr=False, compare=False, hash=False
    )
    # Empty until asked for; shared by all positions with the same units.
    _stacks: list[Stacks | Changed] = field(
        default_factory=list,
        init=False,
        repr=False,
        compare=False,
        hash=False,
        metadata={FOLLOWS: "units"},
    )

    def __reduce__(self) -> tuple[object, ...]:
        # What was worked out and remembered is not part of the position.
        return (Position, tuple(getattr(self, f.name) for f in fields(self) if f.init))

    def __repr__(self) -> str:
        words = [self.game, self.scenario, f"turn {self.turn}", self.phase, self.state]
        acting = " and ".join(self.active)
        whose = f", {acting} to act" if acting else ""
        seen = f", as {self.viewer} knows it" if self.viewer else ""
        said = " ".join(filter(None, words))
        return f"<Position {said}{whose}, {len(self.units)} units{seen}>"

    def _repr_svg_(self) -> str | None:
        from hexmarshal.rules.showing.map_picture import shown_position

        return shown_position(self)

    # Questions

    def unit(self, unit: str) -> Unit:
        """The unit with this id."""
        found = self.units.get(unit)
        if found is None:
            raise NotFoundError(f"no unit {unit!r}", place=Place(unit=unit))
        return found

    def pile(self, name: str) -> Pile:
        """The pile of this name; one that was never made is empty."""
        return self.piles.get(name) or Pile(name)

    def track(self, name: str, default: int = 0) -> int:
        """Where the marker on this track stands."""
        return self.tracks.get(name, default)

    def option(self, name: str, default: Value = None) -> Value:
        """How a switch of this game is set."""
        return self.options.get(name, default)

    def frame(self, kind: str) -> Frame | None:
        """The topmost frame of this kind; None if none is open."""
        for frame in reversed(self.frames):
            if frame.kind == kind:
                return frame
        return None

    def asked(self, side: str = "") -> Frame | None:
        """The frame that asks for something now, as far as this side sees; None if none does."""
        return asking(self.frames, side)

    def at(self, cell: str, place: str | None = None) -> tuple[Unit, ...]:
        """The units on this cell, carried ones too, the bottom of the stack first.

        With `place`, those at this place within the cell; '' is the cell's open ground.
        """
        if place is None:
            return self.stacks.cells.get(cell, ())
        return self.stacks.places.get(Spot(cell, place), ())

    def in_box(self, box: str) -> tuple[Unit, ...]:
        """The units in this off-map box."""
        return self.stacks.boxes.get(box, ())

    def bonded(self, unit: str, role: str) -> tuple[Unit, ...]:
        """The units that this one has a bond on: those that it possesses, crews, tows, guards."""
        return self.stacks.bonded(unit, role)

    def carried_by(self, unit: str) -> tuple[Unit, ...]:
        """The units that this one carries."""
        return self.stacks.bonded(unit, CARRIES)

    def of_side(self, side: str) -> tuple[Unit, ...]:
        """The units of one side, in the order of their ids."""
        return self.stacks.sides.get(side, ())

    def of_type(self, side: str, kind: str) -> tuple[Unit, ...]:
        """The units of one side that are of this type, in the order of their ids."""
        return self.stacks.of_type(side, kind)

    def cell_of(self, unit: Unit) -> str:
        """Where the unit is on the map, its carrier's cell if it is carried; '' if off the map."""
        return unit.cell or self.stacks.spot(unit).cell

    def place_of(self, unit: Unit) -> str:
        """At which place within its cell the unit is; its carrier's if it has none of its own."""
        return self.stacks.spot(unit).place

    @property
    def stacks(self) -> Stacks:
        """Where the units are, indexed."""
        held = self._stacks
        if not held:
            held.append(Stacks(self.units))
        found = held[0]
        if isinstance(found, Changed):
            found = held[0] = found.before.after(self.units, found.ids)
        return found

    def remember(self, name: str, make: Callable[[], T]) -> T:
        """A derived value, such as zones of control, worked out once for this position."""
        index = self._index
        if name in index:
            known: T = index[name]
            return known
        found = index[name] = make()
        return found

    def markers_at(self, cell: str) -> tuple[Marker, ...]:
        """The markers that lie on this cell."""
        return self._markers("cell").get(cell, ()) if self.markers else ()

    def markers_on(self, unit: str) -> tuple[Marker, ...]:
        """The markers that lie on this unit."""
        return self._markers("unit").get(unit, ()) if self.markers else ()

    @property
    def occupied(self) -> Mapping[str, tuple[Unit, ...]]:
        """Every cell with a unit on it, in order, and its stack."""
        return self.remember("occupied", lambda: FrozenMap(self.stacks.cells))

    # Changes: each makes a new position that shares what it does not touch

    def with_unit(self, *units: Unit) -> Position:
        """With these units added or replaced."""
        if len(units) == 1:
            (unit,) = units
            return self.with_units(self.units.set(unit.id, unit), (unit.id,))
        changes = {unit.id: unit for unit in units}
        return self.with_units(self.units.merged(changes), changes)

    def without_unit(self, *ids: str) -> Position:
        """With these units gone."""
        return self.with_units(self.units.without(*ids), ids)

    def with_units(self, units: FrozenMap[Unit], changed: Collection[str]) -> Position:
        """With these units, which differ from those before in `changed` only."""
        after = copied(self, units=units)
        if self._stacks:
            before, ids = self._stacks[0], frozenset(changed)
            if isinstance(before, Changed):
                ids |= before.ids
                before = before.before
            # Where most units change, the stacks are sooner made anew.
            if 2 * len(ids) < len(units):
                after._stacks.append(Changed(before, ids))  # noqa: SLF001 - our own
        return after

    def with_marker(self, *markers: Marker) -> Position:
        """With these markers added or replaced."""
        return copied(self, markers=self.markers.merged({m.id: m for m in markers}))

    def with_track(self, name: str, value: int) -> Position:
        """With one track at this value."""
        return copied(self, tracks=self.tracks.set(name, value))

    def with_pile(self, *piles: Pile) -> Position:
        """With these piles added or replaced."""
        return copied(self, piles=self.piles.merged({p.name: p for p in piles}))

    # JSON

    def to_json(self) -> dict[str, object]:
        """As JSON-able data, without what is as by default; nothing is lost."""
        return POSITION.encode(self)

    @classmethod
    def from_json(cls, document: object) -> Position:
        """From what `to_json` gave, or from what a client wrote; errors name the field."""
        try:
            return followed(POSITION.decode(document))
        except FieldError as error:
            raise error.as_error("the position") from None

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON: equal positions, and only they, have equal digests."""
        return self.remember("digest", lambda: hashlib.sha256(_SPELLER.spelt(self)).hexdigest())

    def _markers(self, by: str) -> Mapping[str, tuple[Marker, ...]]:
        """The markers by what they lie on: their cells, or their units."""
        found: Mapping[str, tuple[Marker, ...]] | None = self._index.get(by)
        if found is None:
            on = attrgetter(by)
            found = grouped((on(m), m) for m in self.markers.values() if on(m))
            self._index[by] = found
        return found


GENERATOR: Shape[Generator] = Shape(Generator, {"seed": TEXT, "count": NATURAL})
POSITION: Shape[Position] = Shape(
    Position,
    {
        "game": TEXT,
        "version": TEXT,
        "scenario": TEXT,
        "board": TEXT,
        "options": RECORD,
        "sides": TEXTS,
        "turn": INT,
        "phase": TEXT,
        "state": TEXT,
        "active": TEXTS,
        "units": keyed(UNIT),
        "markers": keyed(MARKER),
        "piles": keyed(PILE),
        "cells": mapped(RECORD),
        "tracks": mapped(INT),
        "knowledge": mapped(RECORD),
        "extras": RECORD,
        "frames": listed(FRAME.converter),
        "generator": optional(GENERATOR.converter),
        "viewer": TEXT,
    },
)
_SPELLER = Speller(POSITION, {"units": UNIT, "markers": MARKER, "piles": PILE}, {"frames": FRAME})
