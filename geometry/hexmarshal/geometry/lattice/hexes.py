"""Hexes, hexsides and vertices as values, in integer arithmetic throughout.

Directions run clockwise on the screen (y down) from 0 to 5, and corners likewise; hexside k runs
from corner k to corner k + 1. The arithmetic is the same for both orientations; only the names and
the pixels differ:

    direction   0    1    2    3    4    5      corner      0    1    2    3    4    5
    flat top    N    NE   SE   S    SW   NW     flat top    NW   NE   E    SE   SW   W
    pointy top  NW   NE   E    SE   SW   W      pointy top  NW   N    NE   SE   S    SW

**The lattice.** Every centre and every vertex has integer coordinates (x, y) on a lattice that is
an affine image of the drawn map: the centre of (q, r) is (3q, 2r + q), its vertices lie at (±2, 0)
and (±1, ±1) from it; hexside midpoints are given doubled, so that they are integers too. An affine
map keeps straight lines, the sides of a line, the order along a line and ratios of areas, so what
is decided on the lattice (through a vertex? along a hexside? left or right?) is decided for the
map. `hexmarshal.geometry.lattice.layout` turns lattice points into pixels and back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.lattice.orientation import Offset, Orientation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "CORNER_OFFSETS",
    "DIRECTIONS",
    "ORIGIN",
    "Hex",
    "Hexside",
    "Offset",
    "Orientation",
    "Vertex",
    "centre_lattice",
    "hexside_lattice_doubled",
    "vertex_lattice",
]

_AXIAL = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))

CORNER_OFFSETS = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
"""The six corners on the lattice, from the centre, clockwise from corner 0."""


class Hex(NamedTuple):
    """A hex in axial coordinates; `s` is the third cube coordinate, q + r + s = 0."""

    q: int
    r: int

    @property
    def s(self) -> int:
        """The third cube coordinate."""
        return -self.q - self.r

    def __add__(self, other: tuple[int, int]) -> Hex:  # type: ignore[override]
        return Hex(self.q + other[0], self.r + other[1])

    def __sub__(self, other: tuple[int, int]) -> Hex:
        return Hex(self.q - other[0], self.r - other[1])

    def __mul__(self, times: int) -> Hex:  # type: ignore[override]
        return Hex(self.q * times, self.r * times)

    def __neg__(self) -> Hex:
        return Hex(-self.q, -self.r)

    def neighbour(self, direction: int, steps: int = 1) -> Hex:
        """The hex `steps` away in a straight line; any integer is a direction, modulo 6."""
        dq, dr = _AXIAL[direction % 6]
        return Hex(self.q + dq * steps, self.r + dr * steps)

    def neighbours(self) -> tuple[Hex, ...]:
        """The six hexes around, in direction order."""
        q, r = self
        return tuple([Hex(q + dq, r + dr) for dq, dr in _AXIAL])

    def distance(self, other: Hex) -> int:
        """How many steps away `other` is."""
        dq, dr = self.q - other.q, self.r - other.r
        return max(abs(dq), abs(dr), abs(dq + dr))

    def directions_to(self, other: Hex) -> tuple[int, ...]:
        """The direction whose 60-degree sector holds `other`; both, if it is on their border."""
        if self == other:
            raise GeometryError("a hex has no direction to itself", place=Place(cell=str(self)))
        turn = _turn(self, other)
        nearest = (turn + 1) // 4 % 6
        return (nearest, (nearest + 1) % 6) if turn % 4 == 2 else (nearest,)

    def direction_to(self, other: Hex) -> int:
        """The nearest direction; exactly between two, the clockwise one of them."""
        return self.directions_to(other)[-1]

    def ring(self, radius: int) -> Iterator[Hex]:
        """The hexes exactly `radius` away, clockwise, starting in direction 0."""
        _check_radius(radius)
        if radius == 0:
            yield self
            return
        here = self.neighbour(0, radius)
        for direction in range(2, 8):
            for _ in range(radius):
                yield here
                here = here.neighbour(direction)

    def disk(self, radius: int) -> Iterator[Hex]:
        """The hexes at most `radius` away, this one first, ring by ring."""
        _check_radius(radius)
        for distance in range(radius + 1):
            yield from self.ring(distance)

    def rotated(self, steps: int, about: Hex | None = None) -> Hex:
        """Turned clockwise by `steps` times 60 degrees about a hex (the origin by default)."""
        centre = about or ORIGIN
        q, r = self - centre
        for _ in range(steps % 6):
            q, r = -r, q + r
        return Hex(q, r) + centre

    def mirrored(self, direction: int = 0, about: Hex | None = None) -> Hex:
        """Mirrored in the line through a hex along a direction; direction k becomes 2 * that - k.

        Direction 0 swaps left and right of a flat-topped map.
        """
        centre = about or ORIGIN
        q, r = (self - centre).rotated(-direction)
        return Hex(-q, q + r).rotated(direction) + centre

    def in_arc(self, other: Hex, facing: int, degrees: int = 60, *, corner: bool = False) -> bool:
        """Whether `other` is in this hex's arc of 60 to 360 degrees.

        The arc's middle is direction `facing`, or corner `facing` with `corner=True`. A hex is in
        the arc if its centre is: hexes exactly on a border ray are in, and so is this hex itself.
        """
        if degrees % 60 or not 60 <= degrees <= 360:
            raise GeometryError(
                f"an arc of {degrees} degrees cannot be: it has 60, 120, 180, 240, 300 or 360",
                place=Place(field="degrees", cell=str(self)),
            )
        if self == other:
            return True
        middle = 4 * facing - 2 if corner else 4 * facing
        half = degrees // 30
        return (_turn(self, other) - middle + half) % 24 <= 2 * half

    def side(self, direction: int) -> Hexside:
        """The hexside towards a neighbour."""
        return Hexside(self, direction)

    def sides(self) -> tuple[Hexside, ...]:
        """The six hexsides, in direction order."""
        return tuple(Hexside(self, direction) for direction in range(6))

    def vertex(self, corner: int) -> Vertex:
        """The vertex at a corner."""
        return Vertex(self, corner)

    def vertices(self) -> tuple[Vertex, ...]:
        """The six vertices, in corner order."""
        return tuple(Vertex(self, corner) for corner in range(6))

    @classmethod
    def from_offset(cls, col: int, row: int, offset: Offset = Offset.ODD_Q) -> Hex:
        """The hex at a column and a row."""
        return cls(*offset.to_axial(col, row))

    def to_offset(self, offset: Offset = Offset.ODD_Q) -> tuple[int, int]:
        """The column and the row of this hex."""
        return offset.from_axial(self.q, self.r)

    def __str__(self) -> str:
        return f"({self.q},{self.r})"


DIRECTIONS: tuple[Hex, ...] = tuple(Hex(q, r) for q, r in _AXIAL)
"""The steps to the six neighbours."""

ORIGIN = Hex(0, 0)


class _Side(NamedTuple):
    hex: Hex
    direction: int


class _Corner(NamedTuple):
    hex: Hex
    corner: int


class Hexside(_Side):
    """The side between two hexes; the same value from whichever of the two it is made.

    It is kept with a direction of 0, 1 or 2 (and a vertex with a corner of 3 or 4: so hexes,
    hexsides and vertices may be keys of one mapping and never collide).
    """

    __slots__ = ()

    def __new__(cls, hex: Hex, direction: int) -> Self:
        """Name the side from either hex; any integer is a direction, modulo 6."""
        direction %= 6
        if direction > 2:
            return tuple.__new__(cls, (hex.neighbour(direction), direction - 3))
        return tuple.__new__(cls, (hex, direction))

    @classmethod
    def between(cls, one: Hex, other: Hex) -> Hexside:
        """The side that two neighbours share."""
        step = other - one
        if step not in DIRECTIONS:
            raise GeometryError(f"{one} and {other} are not neighbours", place=Place(cell=str(one)))
        return cls(one, DIRECTIONS.index(step))

    @property
    def hexes(self) -> tuple[Hex, Hex]:
        """The two hexes that it divides."""
        return self.hex, self.hex.neighbour(self.direction)

    def beyond(self, hex: Hex) -> Hex:
        """The hex on the other side."""
        one, other = self.hexes
        if hex not in (one, other):
            raise GeometryError(f"{hex} does not touch {self}", place=Place(cell=str(hex)))
        return other if hex == one else one

    def seen_from(self, hex: Hex) -> int:
        """The direction in which `hex`, one of the two, has this side."""
        return self.direction if self.beyond(hex) != self.hex else self.direction + 3

    @property
    def vertices(self) -> tuple[Vertex, Vertex]:
        """Its two ends, clockwise around the first hex."""
        return Vertex(self.hex, self.direction), Vertex(self.hex, self.direction + 1)

    def name(
        self,
        name_of: Callable[[Hex], str | None] = str,
        orientation: Orientation = Orientation.FLAT,
    ) -> str:
        """Such as `1204/N`, from the first of its hexes that has a name."""
        for owner in self.hexes:
            if (known := name_of(owner)) is not None:
                return f"{known}/{orientation.direction_names[self.seen_from(owner)]}"
        raise GeometryError("no hex of this hexside has a name", place=Place(cell=str(self)))

    @classmethod
    def named(
        cls,
        name: str,
        hex_of: Callable[[str], Hex],
        orientation: Orientation = Orientation.FLAT,
    ) -> Hexside:
        """The side with a name such as `1204/N`; `1203/S` is the same one."""
        return cls(*_parse(name, "/", "hexside", hex_of, orientation.direction_names))

    def __str__(self) -> str:
        return self.name()

    def __repr__(self) -> str:
        return f"Hexside({self.hex!r}, {self.direction})"


class Vertex(_Corner):
    """The point where three hexes meet; the same value from whichever of them it is made."""

    __slots__ = ()

    def __new__(cls, hex: Hex, corner: int) -> Self:
        """Name the vertex from any of its hexes; any integer is a corner, modulo 6."""
        corner %= 6
        # Corner k is corner k + 2 of neighbour k - 1 and corner k + 4 of neighbour k.
        if corner in (0, 5):
            return tuple.__new__(cls, (hex.neighbour(corner), (corner + 4) % 6))
        if corner < 3:
            return tuple.__new__(cls, (hex.neighbour(corner - 1), corner + 2))
        return tuple.__new__(cls, (hex, corner))

    @property
    def hexes(self) -> tuple[Hex, Hex, Hex]:
        """The three hexes that meet here, clockwise."""
        return (
            self.hex,
            self.hex.neighbour(self.corner - 1),
            self.hex.neighbour(self.corner),
        )

    @property
    def sides(self) -> tuple[Hexside, Hexside, Hexside]:
        """The three hexsides that meet here."""
        one, other, third = self.hexes
        return (
            Hexside.between(one, other),
            Hexside.between(other, third),
            Hexside.between(third, one),
        )

    def seen_from(self, hex: Hex) -> int:
        """Which corner of `hex`, one of the three, it is."""
        if hex not in self.hexes:
            raise GeometryError(f"{hex} does not touch {self}", place=Place(cell=str(hex)))
        return (self.corner + 2 * self.hexes.index(hex)) % 6

    def name(
        self,
        name_of: Callable[[Hex], str | None] = str,
        orientation: Orientation = Orientation.FLAT,
    ) -> str:
        """Such as `1204@E`, from the first of its hexes that has a name."""
        for owner in self.hexes:
            if (known := name_of(owner)) is not None:
                return f"{known}@{orientation.corner_names[self.seen_from(owner)]}"
        raise GeometryError("no hex of this vertex has a name", place=Place(cell=repr(self)))

    @classmethod
    def named(
        cls,
        name: str,
        hex_of: Callable[[str], Hex],
        orientation: Orientation = Orientation.FLAT,
    ) -> Vertex:
        """The vertex with a name such as `1204@E`."""
        return cls(*_parse(name, "@", "vertex", hex_of, orientation.corner_names))

    def __str__(self) -> str:
        return self.name()

    def __repr__(self) -> str:
        return f"Vertex({self.hex!r}, {self.corner})"


def centre_lattice(hex: Hex) -> tuple[int, int]:
    """The centre of a hex on the lattice."""
    q, r = hex
    return 3 * q, 2 * r + q


def vertex_lattice(vertex: Vertex) -> tuple[int, int]:
    """A vertex on the lattice."""
    (q, r), corner = vertex
    x, y = CORNER_OFFSETS[corner]
    return 3 * q + x, 2 * r + q + y


def hexside_lattice_doubled(side: Hexside) -> tuple[int, int]:
    """The midpoint of a hexside on the lattice, with both coordinates doubled to be whole."""
    (ax, ay), (bx, by) = map(centre_lattice, side.hexes)
    return ax + bx, ay + by


def _turn(one: Hex, other: Hex) -> int:
    """The direction as a number of 15-degree steps clockwise from direction 0, modulo 24.

    Multiples of 4 are exactly along a direction, 2 more exactly through a corner; odd numbers are
    anywhere between two such rays.
    """
    q, r = other - one
    for sector in range(6):
        # In the sector from direction 0 (included) to direction 1: q of steps 1, the rest steps 0.
        if q >= 0 and q + r < 0:
            ahead = -q - r
            between = 0 if q == 0 else 1 if q < ahead else 2 if q == ahead else 3
            return 4 * sector + between
        q, r = q + r, -q
    raise AssertionError("unreachable: the sectors cover the plane")


def _check_radius(radius: int) -> None:
    if radius < 0:
        raise GeometryError(f"a radius of {radius} hexes cannot be", place=Place(field="radius"))


def _parse(
    name: str, sign: str, what: str, hex_of: Callable[[str], Hex], names: tuple[str, ...]
) -> tuple[Hex, int]:
    hex_name, found, compass = name.rpartition(sign)
    if not found or compass.upper() not in names:
        raise GeometryError(
            f"{name!r} is not a {what}",
            place=Place(cell=name),
            hint=f"write the hex, {sign!r} and one of {', '.join(names)}",
        )
    return hex_of(hex_name), names.index(compass.upper())
