"""Boards of one's own: painted hex by hex and written as archives, to try rules and tools on."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.errors import NotFoundError, Place, UsageError
from hexmarshal.vassal.container.archive import build_archive
from hexmarshal.vassal.container.atomic import write_atomically
from hexmarshal.vassal.vasl import losdata, metadata
from hexmarshal.vassal.vasl.board import Board, make_board
from hexmarshal.vassal.vasl.catalogue import known_terrain
from hexmarshal.vassal.vasl.grid import GEO_HEX_HEIGHT, GEO_HEX_WIDTH, grid_of, owners

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Self

    import numpy.typing as npt

    from hexmarshal.vassal.vasl.catalogue import Catalogue

    Point = tuple[float, float]

__all__ = ["Painting", "board_entries"]


def board_entries(
    meta: metadata.BoardMetadata, los: losdata.LosData, others: Mapping[str, bytes] | None = None
) -> dict[str, bytes]:
    """The entries of a board's archive: what is known of it, and its picture and the like."""
    return {
        metadata.ENTRY: metadata.write_metadata(meta),
        losdata.ENTRY: losdata.write_los_data(los),
        **(others or {}),
    }


class Painting:
    """A board of open ground to paint on; 9 columns of 6 rows unless told otherwise."""

    def __init__(
        self,
        columns: int = 9,
        rows: int = 6,
        name: str = "bdTest",
        catalogue: Catalogue | None = None,
        **more: object,
    ) -> None:
        """Lay out the hexes; `more` are fields of the board's metadata, as its hex sizes."""
        self.name, self.columns, self.rows = name, columns, rows
        self.catalogue = catalogue or known_terrain()
        plain: dict[str, object] = {
            "name": name,
            "image": "",
            "width": columns,
            "height": rows,
            "building_types": {},
            "slopes": {},
            "embankments": {},
            "partial_orchards": {},
        }
        self.meta = metadata.BoardMetadata(**(plain | more))  # type: ignore[arg-type]
        width = (self.meta.hex_width or GEO_HEX_WIDTH) * (columns - 1)
        height = (self.meta.hex_height or GEO_HEX_HEIGHT) * rows
        shape = (round(height), round(max(width, Fraction(1))))
        self.grid = grid_of(self.meta, columns, rows, shape[1], shape[0])
        self.owner = owners(self.grid)
        self.terrain = np.zeros(shape, np.uint8)
        self.elevation = np.zeros(shape, np.int8)
        self.stairs = np.zeros(len(self.grid.names), np.bool_)

    def _code(self, terrain: str) -> int:
        known = self.catalogue.by_name.get(terrain)
        if known is None:
            raise NotFoundError(f"there is no terrain {terrain!r}", place=Place(file=self.name))
        return known.code

    def _hex(self, name: str) -> int:
        known = self.grid.by_name.get(name.upper())
        if known is None:
            raise NotFoundError(f"there is no hex {name}", place=Place(file=self.name, cell=name))
        return known

    def _at(self, name: str) -> tuple[float, float]:
        index = self._hex(name)
        return self.grid.x[index] / self.grid.scale, self.grid.y[index] / self.grid.scale

    def fill(self, terrain: str, *names: str) -> Self:
        """Paint whole hexes."""
        for name in names:
            self.terrain[self.owner == self._hex(name)] = self._code(terrain)
        return self

    def spot(self, terrain: str, name: str, radius: float = 20) -> Self:
        """Paint a disc in the middle of a hex."""
        code = self._code(terrain)
        window, away, _ = self._beside(self._at(name), self._at(name), radius)
        self.terrain[window][away <= radius] = code
        return self

    def raise_to(self, level: int, *names: str) -> Self:
        """Lift whole hexes."""
        for name in names:
            self.elevation[self.owner == self._hex(name)] = level
        return self

    def hill(self, level: int, *names: str, radius: float = 30) -> Self:
        """Lift what is near the centres of hexes, and between those that are neighbours."""
        index = [self._hex(name) for name in names]
        for one in index:
            for two in (one, *(n for n in self.grid.neighbours[one].tolist() if n in index)):
                start, end = (self._at(self.grid.names[n]) for n in (one, two))
                window, away, _ = self._beside(start, end, radius)
                view = self.elevation[window]
                view[away <= radius] = np.maximum(view[away <= radius], level)
        return self

    def side(self, terrain: str, name: str, side: int, thick: float = 3) -> Self:
        """Paint one hexside; 0 is the top one, the others follow clockwise."""
        if not 0 <= side < 6:
            raise UsageError(f"a hex has hexsides from 0 to 5, not {side}")
        x, y = self._at(name)
        spokes = [(dx / self.grid.scale, dy / self.grid.scale) for dx, dy in self.grid.spokes]
        (x1, y1), (x2, y2) = spokes[side], spokes[(side + 1) % 6]
        code = self._code(terrain)
        window, away, inside = self._beside((x + x1, y + y1), (x + x2, y + y2), thick)
        self.terrain[window][inside & (away <= thick)] = code
        return self

    def band(self, terrain: str, level: int, *names: str, wide: float = 9) -> Self:
        """Paint a way from hex to hex, such as a gully, on a level."""
        code = self._code(terrain)
        for one, two in pairwise(names):
            window, away, _ = self._beside(self._at(one), self._at(two), wide)
            self.terrain[window][away <= wide] = code
            self.elevation[window][away <= wide] = level
        return self

    def _beside(
        self, one: Point, two: Point, reach: float
    ) -> tuple[tuple[slice, slice], npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """The pixels around a stroke, their distances, and which lie not beyond its ends."""
        (x1, y1), (x2, y2) = one, two
        left, top = (max(0, int(min(v) - reach - 1)) for v in ((x1, x2), (y1, y2)))
        right, bottom = (max(0, int(max(v) + reach + 2)) for v in ((x1, x2), (y1, y2)))
        view = self.terrain[top:bottom, left:right]
        rows, columns = np.indices(view.shape)
        x, y = columns + left + 0.5, rows + top + 0.5
        length = max(float(np.hypot(x2 - x1, y2 - y1)), 1e-9)
        along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length
        at = np.clip(along, 0, length) / length
        away = np.hypot(x - x1 - at * (x2 - x1), y - y1 - at * (y2 - y1))
        window = (slice(top, bottom), slice(left, right))
        return window, np.asarray(away), np.asarray((along >= 0) & (along <= length))

    def stairway(self, *names: str) -> Self:
        """Give buildings a stairway."""
        for name in names:
            self.stairs[self._hex(name)] = True
        return self

    @property
    def los(self) -> losdata.LosData:
        """The sight data."""
        return losdata.LosData(self.columns, self.rows, self.elevation, self.terrain, self.stairs)

    def board(self) -> Board:
        """The board, without the way over a file."""
        return make_board(self.name, self.meta, self.los, self.catalogue, Place(file=self.name))

    def entries(self, others: Mapping[str, bytes] | None = None) -> dict[str, bytes]:
        """The entries of its archive."""
        return board_entries(self.meta, self.los, others)

    def write(
        self, folder: Path, others: Mapping[str, bytes] | None = None, *, force: bool = True
    ) -> Path:
        """Write the archive into a folder, under the board's name."""
        path = folder / self.name
        write_atomically(path, build_archive(self.entries(others)), force=force)
        return path
