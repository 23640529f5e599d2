"""How a grid's cells are numbered: every option of the engine's grid numberings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.geometry.grids.attributes import flag, initial, text, whole
from hexmarshal.geometry.grids.labels import Axis, LocationFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.geometry.grids.attributes import Attributes

__all__ = ["Extent", "Numbering"]


class Extent(NamedTuple):
    """The highest column and row of a grid, from which descending numbers count down."""

    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class Numbering:
    """Names for cells that are counted in columns and rows, from 0 at the grid's origin."""

    columns: Axis = field(default_factory=Axis)
    rows: Axis = field(default_factory=Axis)
    columns_first: bool = True
    separator: str = ""
    location_format: LocationFormat = field(
        default_factory=lambda: LocationFormat.parse("$gridLocation$")
    )
    stagger: bool = True
    """Hexes only: odd columns count one row further."""
    oblique: bool = False
    """Hexes only: rows run diagonally."""

    @classmethod
    def from_attributes(cls, attributes: Attributes, *, oblique: bool = False) -> Numbering:
        """From the attributes of a `HexGridNumbering` or `SquareGridNumbering`."""
        columns, rows = (
            Axis(
                alphabetic=initial(attributes, f"{axis}Type", "N") == "A",
                leading=whole(attributes, f"{axis}Leading", 1, most=20),
                offset=whole(attributes, f"{axis}Off", 1),
                descending=flag(attributes, f"{axis}Descend", default=False),
            )
            for axis in "hv"
        )
        return cls(
            columns=columns,
            rows=rows,
            columns_first=initial(attributes, "first", "H") == "H",
            separator=text(attributes, "sep", ""),
            location_format=LocationFormat.parse(
                text(attributes, "locationFormat", "$gridLocation$")
            ),
            stagger=flag(attributes, "stagger", default=True),
            oblique=oblique,
        )

    def name(self, column: int, row: int) -> str:
        """The printed name of a column and row, as the numbering counts them."""
        labels = {"column": self.columns.label(column), "row": self.rows.label(row)}
        ordered = ("column", "row") if self.columns_first else ("row", "column")
        labels["gridLocation"] = self.separator.join(labels[axis] for axis in ordered)
        return self.location_format.fill(labels, keep_unknown=False)

    @property
    def complete(self) -> bool:
        """Whether names hold both the column and the row, so that they can tell cells apart."""
        properties = {part for part, is_property in self.location_format.parts if is_property}
        return "gridLocation" in properties or {"column", "row"} <= properties

    def read(self, name: str) -> Iterator[tuple[int, int]]:
        """Every (column, row) that a name may stand for, in the order in which the engine tries.

        Without a separator there may be several (`719` is 7 and 19 or 71 and 9), and some may not
        carry the name (the engine also reads `007` where it writes `7`).
        """
        axes = {"column": self.columns, "row": self.rows}
        ordered = [("column", True), (self.separator, False), ("row", True)]
        parts = tuple(ordered if self.columns_first else reversed(ordered))
        whole_format = self.location_format.expanded("gridLocation", parts)
        accepts = {
            axis: (lambda label, labels=labels: labels.index(label) is not None)
            for axis, labels in axes.items()
        }
        for reading in whole_format.readings(name, accepts):
            if len(reading) == 2:
                column = self.columns.index(reading["column"])
                row = self.rows.index(reading["row"])
                if column is not None and row is not None:
                    yield column, row

    def count_hex(
        self, raw_column: int, raw_row: int, extent: Extent, *, sideways: bool
    ) -> tuple[int, int]:
        """The column and row that the numbering gives to a hex of the grid's own count."""
        flip_column, flip_row = self._flips(sideways=sideways)
        column = _flipped(raw_column, extent.rows if sideways else extent.columns, flip_column)
        row = _flipped(raw_row, extent.columns if sideways else extent.rows, flip_row)
        if self.stagger and raw_column % 2:
            row += -1 if flip_row else 1
        return column, row + self._slant(column)

    def raw_hex(
        self, column: int, row: int, extent: Extent, *, sideways: bool, by_name: bool = False
    ) -> tuple[int, int]:
        """The hex of the grid's own count that has a column and row of the numbering.

        With `by_name`, as the engine computes it: it looks at the parity of the numbered column
        where it should look at the grid's, and knows nothing of the oblique numbering.
        """
        flip_column, flip_row = self._flips(sideways=sideways)
        raw_column = _flipped(column, extent.rows if sideways else extent.columns, flip_column)
        if not by_name:
            row -= self._slant(column)
        if self.stagger and (column if by_name else raw_column) % 2:
            row += 1 if flip_row else -1
        return raw_column, _flipped(row, extent.columns if sideways else extent.rows, flip_row)

    def _flips(self, *, sideways: bool) -> tuple[bool, bool]:
        flips = self.columns.descending, self.rows.descending
        return (flips[1], flips[0]) if sideways else flips

    def _slant(self, column: int) -> int:
        if not self.oblique:
            return 0
        toward_zero = abs(column) // 2 * (-1 if column < 0 else 1)
        return toward_zero if self.stagger else 1 - toward_zero


def _flipped(index: int, highest: int, flip: bool) -> int:
    return highest - index if flip else index
