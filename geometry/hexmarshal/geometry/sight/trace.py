"""The trace of a line: in order, everything that it meets, with exact points."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.cells import unknown_cell
from hexmarshal.geometry.lattice.hex_route import (
    CellSpan,
    Piece,
    SideCross,
    SideRun,
    VertexPass,
    centre_route,
    shifted,
)
from hexmarshal.geometry.lattice.hexes import Hex
from hexmarshal.geometry.sight.contacts import Contact, Meeting
from hexmarshal.geometry.terrain.points import Point

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator
    from fractions import Fraction

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["Event", "EventKind", "ShapeContact", "Trace", "point_of", "trace"]


class EventKind(Enum):
    """What happens at a point of the line."""

    ENTER_CELL = "enters"
    LEAVE_CELL = "leaves"
    CROSS_SIDE = "crosses side"
    RUN_START = "starts along side"
    RUN_END = "stops along side"
    THROUGH_VERTEX = "goes through vertex"
    ENTER_SHAPE = "enters shape"
    LEAVE_SHAPE = "leaves shape"
    TOUCH_SHAPE = "touches shape"
    CROSS_SHAPE = "crosses line"
    EDGE_START = "starts along edge of shape"
    EDGE_END = "stops along edge of shape"


class Event(NamedTuple):
    """One thing that happens, where, and to which cell, side, vertex or shape."""

    kind: EventKind
    share: Fraction
    at: Point
    what: Hashable


class ShapeContact(NamedTuple):
    """How the line meets one shape, by the shape's name."""

    shape: str
    contact: Contact


@dataclass(frozen=True, slots=True)
class Trace:
    """Plain data: the pieces on the grid and the contacts with shapes, each in order.

    Shares of the way run from 0 at `start` to 1 at `end`; `point(share)` is the exact point. On a
    map of hexes, cells beyond the map's edge appear like all others.
    """

    start: Point
    end: Point
    pieces: tuple[Piece, ...]
    contacts: tuple[ShapeContact, ...]

    def point(self, share: Fraction) -> Point:
        """The exact point at a share of the way."""
        return self.start.towards(self.end, share)

    @property
    def cells(self) -> tuple[Hashable, ...]:
        """The cells whose inside the line crosses, in order."""
        return tuple(p.cell for p in self.pieces if isinstance(p, CellSpan))

    @property
    def crossed(self) -> tuple[Hashable, ...]:
        """The sides that the line crosses."""
        return tuple(p.side for p in self.pieces if isinstance(p, SideCross))

    @property
    def along(self) -> tuple[SideRun, ...]:
        """The sides that the line runs along, each with both neighbours."""
        return tuple(p for p in self.pieces if isinstance(p, SideRun))

    @property
    def vertices(self) -> tuple[Hashable, ...]:
        """The vertices that the line goes through exactly."""
        return tuple(p.vertex for p in self.pieces if isinstance(p, VertexPass))

    def reversed(self) -> Trace:
        """The same line seen from its end."""
        if self.start == self.end:
            return self
        return Trace(
            self.end,
            self.start,
            tuple(_turned(piece) for piece in reversed(self.pieces)),
            _in_order(ShapeContact(c.shape, c.contact.reversed()) for c in self.contacts),
        )

    def events(self) -> Iterator[Event]:
        """Everything that happens, point by point, grid and shapes together."""
        happenings = [*self._grid_events(), *self._shape_events()]
        happenings.sort(key=lambda happening: happening[1])
        for kind, share, what in happenings:
            yield Event(kind, share, self.point(share), what)

    def _grid_events(self) -> Iterator[tuple[EventKind, Fraction, Hashable]]:
        for piece in self.pieces:
            if isinstance(piece, CellSpan):
                yield EventKind.ENTER_CELL, piece.start, piece.cell
                yield EventKind.LEAVE_CELL, piece.end, piece.cell
            elif isinstance(piece, SideRun):
                yield EventKind.RUN_START, piece.start, piece.side
                yield EventKind.RUN_END, piece.end, piece.side
            elif isinstance(piece, SideCross):
                yield EventKind.CROSS_SIDE, piece.at, piece.side
            else:
                yield EventKind.THROUGH_VERTEX, piece.at, piece.vertex

    def _shape_events(self) -> Iterator[tuple[EventKind, Fraction, Hashable]]:
        for shape, contact in self.contacts:
            if contact.meeting is Meeting.INSIDE:
                if not contact.open_start:
                    yield EventKind.ENTER_SHAPE, contact.start, shape
                if not contact.open_end:
                    yield EventKind.LEAVE_SHAPE, contact.end, shape
            elif contact.meeting is Meeting.ALONG:
                yield EventKind.EDGE_START, contact.start, shape
                yield EventKind.EDGE_END, contact.end, shape
            elif contact.meeting is Meeting.TOUCH:
                yield EventKind.TOUCH_SHAPE, contact.start, shape
            else:
                yield EventKind.CROSS_SHAPE, contact.start, shape


def trace(terrain: TerrainMap, a: Hashable, b: Hashable) -> Trace:
    """The trace between two places: cells, sides, vertices, exact points or names of cells."""
    a, b = (terrain.cell(p) if isinstance(p, str) else p for p in (a, b))
    start, end = point_of(terrain, a), point_of(terrain, b)
    if type(a) is Hex and type(b) is Hex and terrain.outlines is None:
        pieces = tuple(shifted(piece, a) for piece in centre_route(*(b - a)))
    else:
        pieces = terrain.tiling.pieces(start, end)
    contacts: list[ShapeContact] = []
    if start != end:
        for shape in terrain.shapes:
            found = shape.outline.contacts(start, end)
            contacts.extend(ShapeContact(shape.name, contact) for contact in found)
    return Trace(start, end, pieces, _in_order(contacts))


def point_of(terrain: TerrainMap, place: Hashable) -> Point:
    """The exact point of a place on the map; off the map is an error."""
    if isinstance(place, str):
        place = terrain.cell(place)
    tiling = terrain.tiling
    if isinstance(place, Point):
        if not any(cell in terrain for cell in tiling.cells_at(place)):
            raise GeometryError(
                f"the point {place} is off the map", place=Place(cell=terrain.place_of(place))
            )
        return place
    found = tiling.point(place)
    if found is None:
        raise unknown_cell(place)
    if not any(cell in terrain for cell in tiling.owners(place)):
        raise GeometryError(f"{place} is off the map", place=Place(cell=str(place)))
    return found


def _turned(piece: Piece) -> Piece:
    if isinstance(piece, CellSpan):
        return CellSpan(piece.cell, 1 - piece.end, 1 - piece.start)
    if isinstance(piece, SideRun):
        return SideRun(piece.side, piece.cells, 1 - piece.end, 1 - piece.start)
    if isinstance(piece, SideCross):
        return SideCross(piece.side, piece.cells, 1 - piece.at)
    return VertexPass(piece.vertex, piece.cells, 1 - piece.at)


def _in_order(contacts: Iterable[ShapeContact]) -> tuple[ShapeContact, ...]:
    return tuple(
        sorted(
            contacts,
            key=lambda c: (c.contact.start, c.contact.end, c.shape, c.contact.meeting.value),
        )
    )
