"""Where hexes lie in pixels: the affine map between the integer lattice and the drawn map."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.lattice.hexes import CORNER_OFFSETS, Hex, centre_lattice
from hexmarshal.geometry.lattice.orientation import Orientation

if TYPE_CHECKING:
    from shapely import Polygon

__all__ = ["Layout", "SquareLayout"]

Number = int | float | Fraction


@dataclass(frozen=True, slots=True)
class Layout:
    """The size and the place of hexes, with y down.

    `pitch` is the distance between neighbouring columns (flat top) or rows (pointy top) of hexes,
    `breadth` the distance between two opposite sides, measured along a column (or row); (x0, y0) is
    the centre of hex (0, 0). The hexes need not be regular: printed ones seldom are.
    """

    orientation: Orientation
    pitch: float
    breadth: float
    x0: float = 0
    y0: float = 0

    def __post_init__(self) -> None:
        for field in ("pitch", "breadth", "x0", "y0"):
            value = getattr(self, field)
            if not math.isfinite(value) or (field in ("pitch", "breadth") and value <= 0):
                raise GeometryError(f"hexes cannot have {field} {value}", place=Place(field=field))

    @classmethod
    def regular(
        cls,
        orientation: Orientation = Orientation.FLAT,
        side: float = 32,
        x0: float = 0,
        y0: float = 0,
    ) -> Layout:
        """Regular hexagons with a given side."""
        return cls(orientation, 1.5 * side, math.sqrt(3) * side, x0, y0)

    def pixel(self, x: Number, y: Number) -> tuple[float, float]:
        """The pixel of a lattice point."""
        if self.orientation is Orientation.FLAT:
            return float(self.x0 + x * self.pitch / 3), float(self.y0 + y * self.breadth / 2)
        return (
            float(self.x0 + (x + y) * self.breadth / 4),
            float(self.y0 + (3 * y - x) * self.pitch / 6),
        )

    def lattice(self, x: Number, y: Number) -> tuple[Fraction, Fraction]:
        """The lattice point of a pixel, exactly; the layout's floats are taken at face value."""
        _check_finite(x, y)
        pitch, breadth = Fraction(self.pitch), Fraction(self.breadth)
        across, down = Fraction(x) - Fraction(self.x0), Fraction(y) - Fraction(self.y0)
        if self.orientation is Orientation.FLAT:
            return across * 3 / pitch, down * 2 / breadth
        total, skew = across * 4 / breadth, down * 6 / pitch
        return (3 * total - skew) / 4, (total + skew) / 4

    def hex_at(self, x: Number, y: Number) -> Hex:
        """The hex that holds a pixel; on a border, the one with the smallest (q, r)."""
        lattice_x, lattice_y = self.lattice(x, y)
        q, r = lattice_x / 3, lattice_y / 2 - lattice_x / 6
        q0, r0 = math.floor(q), math.floor(r)

        def off_centre(hex: Hex) -> tuple[Fraction, Hex]:
            dq, dr = q - hex.q, r - hex.r
            ds = -dq - dr
            return max(abs(dq - dr), abs(dr - ds), abs(ds - dq)), hex

        around = (Hex(q0, r0), Hex(q0 + 1, r0), Hex(q0, r0 + 1), Hex(q0 + 1, r0 + 1))
        return min(map(off_centre, around))[1]

    def centre(self, hex: Hex) -> tuple[float, float]:
        """The pixel in the middle of a hex."""
        return self.pixel(*centre_lattice(hex))

    def corners(self, hex: Hex) -> tuple[tuple[float, float], ...]:
        """The six corners, in order; neighbours share them to the last bit."""
        x, y = centre_lattice(hex)
        return tuple(self.pixel(x + dx, y + dy) for dx, dy in CORNER_OFFSETS)

    def polygon(self, hex: Hex) -> Polygon:
        """The hex as a Shapely polygon."""
        from shapely import Polygon

        return Polygon(self.corners(hex))


@dataclass(frozen=True, slots=True)
class SquareLayout:
    """The size and the place of squares, whose sides may differ; square (0, 0) is at (x0, y0)."""

    width: float = 48
    height: float = 48
    x0: float = 0
    y0: float = 0

    def __post_init__(self) -> None:
        for field in ("width", "height", "x0", "y0"):
            value = getattr(self, field)
            if not math.isfinite(value) or (field in ("width", "height") and value <= 0):
                raise GeometryError(
                    f"squares cannot have {field} {value}", place=Place(field=field)
                )

    def pixel(self, x: Number, y: Number) -> tuple[float, float]:
        """The pixel of a point of the grid."""
        return float(self.x0 + x * self.width), float(self.y0 + y * self.height)

    def lattice(self, x: Number, y: Number) -> tuple[Fraction, Fraction]:
        """The point of the grid at a pixel, exactly; floats are taken at face value."""
        _check_finite(x, y)
        return (
            (Fraction(x) - Fraction(self.x0)) / Fraction(self.width),
            (Fraction(y) - Fraction(self.y0)) / Fraction(self.height),
        )


def _check_finite(x: Number, y: Number) -> None:
    if not (math.isfinite(x) and math.isfinite(y)):
        raise GeometryError(f"({x}, {y}) is not a point", place=Place(field="pixel"))
