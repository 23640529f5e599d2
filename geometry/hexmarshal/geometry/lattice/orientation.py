"""How hexes stand (a side or a corner on top) and how their columns and rows are counted."""

from __future__ import annotations

from enum import Enum

__all__ = ["Offset", "Orientation"]


class Orientation(Enum):
    """Whether a hex shows a side (flat) or a corner (pointy) at its top."""

    FLAT = "flat"
    POINTY = "pointy"

    @property
    def direction_names(self) -> tuple[str, ...]:
        """Compass names of directions and hexsides 0 to 5."""
        flat = self is Orientation.FLAT
        return ("N", "NE", "SE", "S", "SW", "NW") if flat else ("NW", "NE", "E", "SE", "SW", "W")

    @property
    def corner_names(self) -> tuple[str, ...]:
        """Compass names of corners 0 to 5."""
        flat = self is Orientation.FLAT
        return ("NW", "NE", "E", "SE", "SW", "W") if flat else ("NW", "N", "NE", "SE", "S", "SW")


class Offset(Enum):
    """Column-and-row schemes: which columns (q) or rows (r), odd or even, are shoved forward."""

    ODD_Q = ("q", -1)
    EVEN_Q = ("q", 1)
    ODD_R = ("r", -1)
    EVEN_R = ("r", 1)

    def to_axial(self, col: int, row: int) -> tuple[int, int]:
        """Axial coordinates (q, r) of a column and a row."""
        axis, sign = self.value
        if axis == "q":
            return col, row - (col + sign * (col & 1)) // 2
        return col - (row + sign * (row & 1)) // 2, row

    def from_axial(self, q: int, r: int) -> tuple[int, int]:
        """The column and the row of axial coordinates."""
        axis, sign = self.value
        if axis == "q":
            return q, r + (q + sign * (q & 1)) // 2
        return q + (r + sign * (r & 1)) // 2, r
