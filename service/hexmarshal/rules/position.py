"""The position: everything that is true on the table, as one immutable value."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, fields
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
    mapped,
    optional,
)
from hexmarshal.rules.copying import copied
from hexmarshal.rules.dice import Generator
from hexmarshal.rules.pieces import MARKER, PILE, UNIT, Marker, Pile, Unit
from hexmarshal.rules.values import EMPTY, FieldError, FrozenMap, Record, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

__all__ = ["POSITION", "Position", "canonical_json"]

T = TypeVar("T")

BY_CELL = "units by cell"
SPREAD = "some units are carried or cover several cells"

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
    decision asked for within the phase. `knowledge` is what one side alone knows; all may read
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
    generator: Generator | None = None
    viewer: str = ""
    _index: dict[str, Any] = field(
        default_factory=dict, init=False, repr=False, compare=False, hash=False
    )

    def __reduce__(self) -> tuple[object, ...]:
        # What was worked out and remembered is not part of the position.
        return (Position, tuple(getattr(self, f.name) for f in fields(self) if f.init))

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

    def at(self, cell: str) -> tuple[Unit, ...]:
        """The units on this cell, carried ones too, the bottom of the stack first."""
        index: Mapping[str, tuple[Unit, ...]] | None = self._index.get(BY_CELL)
        return (self._by_cell() if index is None else index).get(cell, ())

    def in_box(self, box: str) -> tuple[Unit, ...]:
        """The units in this off-map box."""
        return self._by_box().get(box, ())

    def carried_by(self, unit: str) -> tuple[Unit, ...]:
        """The units that this one carries."""
        return self._by_carrier().get(unit, ())

    def of_side(self, side: str) -> tuple[Unit, ...]:
        """The units of one side, in the order of their ids."""
        return self._by_side().get(side, ())

    def cell_of(self, unit: Unit) -> str:
        """Where the unit is on the map, its carrier's cell if it is carried; '' if off the map."""
        seen = {unit.id}
        while not unit.cell and unit.carrier and unit.carrier not in seen:
            carrier = self.units.get(unit.carrier)
            if carrier is None:
                return ""
            seen.add(carrier.id)
            unit = carrier
        return unit.cell

    def remember(self, name: str, make: Callable[[], T]) -> T:
        """A derived value, such as zones of control, worked out once for this position."""
        if name not in self._index:
            self._index[name] = make()
        found: T = self._index[name]
        return found

    def markers_at(self, cell: str) -> tuple[Marker, ...]:
        """The markers that lie on this cell."""
        return self._markers("cell").get(cell, ())

    def markers_on(self, unit: str) -> tuple[Marker, ...]:
        """The markers that lie on this unit."""
        return self._markers("unit").get(unit, ())

    @property
    def occupied(self) -> Mapping[str, tuple[Unit, ...]]:
        """Every cell with a unit on it, in order, and its stack."""
        return self.remember("occupied", lambda: FrozenMap(self._by_cell()))

    # Changes: each makes a new position that shares what it does not touch

    def with_unit(self, *units: Unit) -> Position:
        """With these units added or replaced."""
        if len(units) != 1:
            return copied(self, units=self.units.merged({u.id: u for u in units}))
        (unit,) = units
        after = copied(self, units=self.units.set(unit.id, unit))
        if (index := self._stacks_after(unit)) is not None:
            after._index[BY_CELL] = index  # noqa: SLF001 - of our own class
            after._index[SPREAD] = False  # noqa: SLF001
        return after

    def without_unit(self, *ids: str) -> Position:
        """With these units gone."""
        return copied(self, units=self.units.without(*ids))

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
            return POSITION.decode(document)
        except FieldError as error:
            raise error.as_error("the position") from None

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON: equal positions, and only they, have equal digests."""
        return self.remember("digest", lambda: hashlib.sha256(_canonical(self)).hexdigest())

    # Indices, made when first asked for

    def _by_cell(self) -> Mapping[str, tuple[Unit, ...]]:
        return self.remember(BY_CELL, lambda: _grouped(self._places()))

    def _stacks_after(self, unit: Unit) -> Mapping[str, tuple[Unit, ...]] | None:
        """The index of stacks once this unit is as given: this one's with two stacks changed.

        None where it was not made yet, or where units are carried or cover several cells: then the
        next question makes it anew.
        """
        index: Mapping[str, tuple[Unit, ...]] | None = self._index.get(BY_CELL)
        if index is None or unit.carrier or unit.footprint:
            return None
        if self.remember(SPREAD, self._is_spread):
            return None
        changed = dict(index)
        before = self.units.get(unit.id)
        if before is not None and before.cell:
            left = tuple(u for u in changed.pop(before.cell) if u.id != unit.id)
            if left:
                changed[before.cell] = left
        if unit.cell:
            stack = (*changed.get(unit.cell, ()), unit)
            changed[unit.cell] = tuple(sorted(stack, key=lambda u: (u.rank, u.id)))
        return changed

    def _is_spread(self) -> bool:
        return any(unit.carrier or unit.footprint for unit in self.units.values())

    def _places(self) -> Iterator[tuple[str, Unit]]:
        for unit in self.units.values():
            if unit.footprint:
                yield from ((cell, unit) for cell in unit.cells)
            elif unit.cell:
                yield unit.cell, unit
            elif unit.carrier and (cell := self.cell_of(unit)):
                yield cell, unit

    def _by_box(self) -> Mapping[str, tuple[Unit, ...]]:
        boxed = ((unit.box, unit) for unit in self.units.values() if unit.box)
        return self.remember("units by box", lambda: _grouped(boxed))

    def _by_carrier(self) -> Mapping[str, tuple[Unit, ...]]:
        carried = ((unit.carrier, unit) for unit in self.units.values() if unit.carrier)
        return self.remember("units by carrier", lambda: _grouped(carried))

    def _by_side(self) -> Mapping[str, tuple[Unit, ...]]:
        return self.remember(
            "units by side", lambda: _listed((unit.side, unit) for unit in self.units.values())
        )

    def _markers(self, by: str) -> Mapping[str, tuple[Marker, ...]]:
        lying = ((m.cell if by == "cell" else m.unit, m) for m in self.markers.values())
        return self.remember(f"markers by {by}", lambda: _listed(lying))


def _listed(pairs: Iterable[tuple[str, T]]) -> dict[str, tuple[T, ...]]:
    groups: dict[str, list[T]] = {}
    for where, thing in pairs:
        if where:
            groups.setdefault(where, []).append(thing)
    return {where: tuple(things) for where, things in groups.items()}


def _grouped(pairs: Iterable[tuple[str, Unit]]) -> dict[str, tuple[Unit, ...]]:
    """Stacks, the bottom first; equal ranks stay in the order of their ids."""
    return {
        where: stack if len(stack) == 1 else tuple(sorted(stack, key=lambda unit: unit.rank))
        for where, stack in _listed(pairs).items()
    }


_spell = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def canonical_json(document: object) -> bytes:
    """One spelling for one document: sorted names, no spaces, UTF-8."""
    return _spell(document).encode("utf-8", "surrogatepass")


# From one position to the next nearly all units are the same objects: how each is spelt is kept by
# its identity, together with the object, so that no other one can come to the same identity.
_SPELT: dict[int, tuple[Unit, str]] = {}
_SPELT_LIMIT = 8192


def _spelt(unit: Unit) -> str:
    found = _SPELT.get(id(unit))
    if found is not None:
        return found[1]
    text = f"{_spell(unit.id)}:{_spell(UNIT.encode(unit))}"
    if len(_SPELT) >= _SPELT_LIMIT:
        _SPELT.clear()
    _SPELT[id(unit)] = (unit, text)
    return text


def _canonical(position: Position) -> bytes:
    """The canonical JSON of a position, put together from its parts."""
    parts = {n: _spell(part) for n, part in copied(position, units=NO_UNITS).to_json().items()}
    if position.units:
        parts["units"] = f"{{{','.join(map(_spelt, position.units.values()))}}}"
    text = ",".join(f'"{name}":{parts[name]}' for name in sorted(parts))
    return f"{{{text}}}".encode("utf-8", "surrogatepass")


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
        "generator": optional(GENERATOR.converter),
        "viewer": TEXT,
    },
)
