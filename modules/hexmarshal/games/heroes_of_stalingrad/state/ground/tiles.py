"""Terrain tiles laid on a board: turned, and across the grid where the scenario says so."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hexmarshal.geometry.lattice.squares import Square
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.rules.state.pieces import Marker

__all__ = ["LETTERS", "LaidTile", "laid"]

LETTERS = ("N", "E", "S", "W")
_HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class LaidTile:
    """A tile where it lies; `across` counts halves of a cell to the right and down."""

    id: str
    key: str
    at: str
    turn: int = 0
    across: tuple[int, int] = (0, 0)
    ruins: tuple[str, ...] = ()

    @property
    def offset(self) -> bool:
        """Whether its cells lie off the base grid."""
        return self.across != (0, 0)

    def squares(self, row: Mapping[str, Any], corner: Square) -> dict[tuple[int, int], Square]:
        """The square of each of its own cells; `corner` is the cell under its upper left."""
        columns, rows = row["size"]
        dx, dy = (_HALF * half for half in self.across)
        found = {}
        for x in range(columns):
            for y in range(rows):
                tx, ty = _turned(x, y, columns, rows, self.turn)
                at = (corner.column + tx + dx, corner.row + ty + dy)
                found[x, y] = Square(*(int(n) if n == int(n) else Fraction(n) for n in at))
        return found

    def letter(self, side: str) -> str:
        """A side of one of its cells, as it lies now."""
        return LETTERS[(LETTERS.index(side) + self.turn) % 4]

    def name(self, cell: tuple[int, int]) -> str:
        """What a cell of its own is called where it lies across the grid."""
        return f"{self.id}.{cell[0]}{cell[1]}"


def _turned(x: int, y: int, columns: int, rows: int, turn: int) -> tuple[int, int]:
    for _ in range(turn % 4):
        x, y = rows - 1 - y, x
        columns, rows = rows, columns
    return x, y


def laid(markers: Mapping[str, Marker]) -> Iterator[LaidTile]:
    """The tiles that a position's markers lay on its board."""
    for marker in markers.values():
        if marker.kind != "tile" or not marker.cell:
            continue
        values = marker.values
        across, ruins = values.get("across", ()), values.get("ruins", ())
        halves = [h for h in across if isinstance(h, int)] if isinstance(across, tuple) else []
        yield LaidTile(
            marker.id,
            str(values.get("tile", "")),
            marker.cell,
            marker.facing or 0,
            (halves[0] % 2, halves[1] % 2) if len(halves) == 2 else (0, 0),
            tuple(map(str, ruins)) if isinstance(ruins, tuple) else (),
        )


NOTHING: FrozenMap[Any] = FrozenMap()
