"""Hexes as a tiling."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hexmarshal.geometry.lattice.hex_route import (
    Piece,
    centre_route,
    hex_cuts,
    hex_pieces,
    hexes_at,
    lattice_point,
)
from hexmarshal.geometry.lattice.hexes import Hex, Hexside, Vertex, centre_lattice
from hexmarshal.geometry.lattice.tiling import STRIDE, Regular, filled
from hexmarshal.geometry.sight.course import Course, course_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from hexmarshal.geometry.terrain.outlines import Outline
    from hexmarshal.geometry.terrain.points import Point

__all__ = ["HEXES", "HexTiling"]


class HexTiling(Regular):
    """Hexes of the lattice."""

    cell_type = Hex
    own_sides = 8
    side_stride = 8
    vertex_stride = 8

    def point(self, place: Hashable) -> Point | None:
        """On the lattice."""
        if isinstance(place, Hex | Hexside | Vertex):
            return lattice_point(place)
        return None

    def owners(self, place: Hashable) -> tuple[Hashable, ...]:
        """One hex, two or three."""
        return place.hexes if isinstance(place, Hexside | Vertex) else (place,)

    def cells_at(self, point: Point) -> tuple[Hashable, ...]:
        """One hex, two or three."""
        return hexes_at(point)

    def pieces(self, start: Point, end: Point) -> tuple[Piece, ...]:
        """On the lattice, off the map too."""
        return hex_pieces(start, end)

    def side(self, one: Hashable, other: Hashable) -> Hashable:
        """A hexside."""
        assert isinstance(one, Hex)
        assert isinstance(other, Hex)
        return Hexside.between(one, other)

    def key(self, place: Any) -> int:  # noqa: ANN401 - a hex
        """One number for the two of a hex."""
        q, r = place
        return q * STRIDE + r  # type: ignore[no-any-return]

    def side_key(self, side: Any) -> int:  # noqa: ANN401 - a hexside
        """Eight numbers a hex."""
        return self.key(side.hex) * 8 + side.direction  # type: ignore[no-any-return]

    def vertex_key(self, vertex: Any) -> int:  # noqa: ANN401 - a vertex
        """Eight numbers a hex."""
        return self.key(vertex.hex) * 8 + vertex.corner  # type: ignore[no-any-return]

    def distance(self, one: Hashable, other: Hashable) -> int | None:
        """In hexes."""
        assert isinstance(one, Hex)
        assert isinstance(other, Hex)
        return one.distance(other)

    def cells_met(self, outline: Outline) -> Iterable[Hashable] | None:
        """Along the edges, and those inside."""
        found: dict[Hashable, None] = {}
        for a, b in outline.edges():
            found.update(dict.fromkeys(hex_cuts(a, b)))
        return filled(self, outline, found)

    def centre(self, cell: Hex) -> tuple[int, int]:
        """Three steps a column, two a row."""
        return centre_lattice(cell)

    def cell_of(self, key: int) -> Hex:
        """The hex with a key."""
        q = (key + STRIDE // 2) // STRIDE
        return Hex(q, key - q * STRIDE)

    def shifted(self, place: Hashable, by: Hex) -> Hashable:
        """A hex, a hexside or a vertex elsewhere."""
        if isinstance(place, Hexside):
            return Hexside(place.hex + by, place.direction)
        if isinstance(place, Vertex):
            return Vertex(place.hex + by, place.corner)
        return place + by if isinstance(place, Hex) else place

    def own_side(self, side: Any) -> tuple[int, int, int]:  # noqa: ANN401 - a hexside
        """The hex that names the side."""
        return side.hex.q, side.hex.r, side.direction

    def own_side_key(self, cell: Hex, number: int) -> int:
        """As `side_key`."""
        return self.key(cell) * 8 + number

    def centre_course(self, across: int, down: int) -> Course:
        """The route between centres, arranged."""
        return _hex_course(across, down)

    def neighbours(self, cell: Any) -> tuple[Hashable, ...]:  # noqa: ANN401 - a hex
        """The six around."""
        return cell.neighbours()  # type: ignore[no-any-return]


@lru_cache(maxsize=1 << 14)
def _hex_course(dq: int, dr: int) -> Course:
    return course_of(centre_route(dq, dr), HEXES)


HEXES = HexTiling()
