"""Boards of our own, painted hex by hex and written as real board archives."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

from hexmarshal.errors import Place
from hexmarshal.games.asl.sight.view import Answer, Sight, Spot
from hexmarshal.vassal.archive import build_archive
from hexmarshal.vassal.vasl import Board, known_terrain
from hexmarshal.vassal.vasl.board import make_board
from hexmarshal.vassal.vasl.grid import grid_of, owners
from hexmarshal.vassal.vasl.losdata import LosData, write_los_data
from hexmarshal.vassal.vasl.metadata import BoardMetadata, write_metadata


class Canvas:
    """A board of open ground to paint on; 9 columns of 6 rows unless told otherwise."""

    def __init__(self, columns: int = 9, rows: int = 6, name: str = "bdTest") -> None:
        assert (columns - 1) % 4 == 0
        assert rows % 2 == 0
        self.name = name
        self.meta = BoardMetadata(
            name=name,
            image="",
            width=columns,
            height=rows,
            building_types={},
            slopes={},
            embankments={},
            partial_orchards={},
        )
        self.shape = (129 * rows // 2, 225 * (columns - 1) // 4)
        self.grid = grid_of(self.meta, columns, rows, self.shape[1], self.shape[0])
        self.owner = owners(self.grid)
        self.terrain = np.zeros(self.shape, np.uint8)
        self.elevation = np.zeros(self.shape, np.int8)
        self.stairs = np.zeros(len(self.grid.names), np.bool_)
        self.columns, self.rows = columns, rows
        down, right = np.indices(self.shape)
        self._x, self._y = right + 0.5, down + 0.5

    def _code(self, terrain: str) -> int:
        return known_terrain().by_name[terrain].code

    def _at(self, name: str) -> tuple[int, float, float]:
        index = self.grid.by_name[name]
        scale = self.grid.scale
        return index, self.grid.x[index] / scale, self.grid.y[index] / scale

    def fill(self, terrain: str, *names: str) -> Canvas:
        """Paint whole hexes."""
        for name in names:
            self.terrain[self.owner == self.grid.by_name[name]] = self._code(terrain)
        return self

    def spot(self, terrain: str, name: str, radius: float = 20) -> Canvas:
        """Paint a disc in the middle of a hex."""
        _, x, y = self._at(name)
        inside = (self._x - x) ** 2 + (self._y - y) ** 2 <= radius**2
        self.terrain[inside] = self._code(terrain)
        return self

    def raise_to(self, level: int, *names: str) -> Canvas:
        """Lift whole hexes."""
        for name in names:
            self.elevation[self.owner == self.grid.by_name[name]] = level
        return self

    def side(self, terrain: str, name: str, side: int, thick: float = 3) -> Canvas:
        """Paint one hexside; 0 is the top one, the others follow clockwise."""
        _, x, y = self._at(name)
        spokes = [(dx / self.grid.scale, dy / self.grid.scale) for dx, dy in self.grid.spokes]
        (x1, y1), (x2, y2) = spokes[side], spokes[(side + 1) % 6]
        x1, y1, x2, y2 = x + x1, y + y1, x + x2, y + y2
        length = np.hypot(x2 - x1, y2 - y1)
        along = ((self._x - x1) * (x2 - x1) + (self._y - y1) * (y2 - y1)) / length
        away = np.abs((self._x - x1) * (y2 - y1) - (self._y - y1) * (x2 - x1)) / length
        self.terrain[(along >= 0) & (along <= length) & (away <= thick)] = self._code(terrain)
        return self

    def band(self, terrain: str, level: int, *names: str, wide: float = 9) -> Canvas:
        """Paint a way from hex to hex, such as a gully, on a level."""
        for one, two in pairwise(names):
            (_, x1, y1), (_, x2, y2) = self._at(one), self._at(two)
            length = np.hypot(x2 - x1, y2 - y1)
            along = ((self._x - x1) * (x2 - x1) + (self._y - y1) * (y2 - y1)) / length
            along = np.clip(along, 0, length)
            px, py = x1 + along * (x2 - x1) / length, y1 + along * (y2 - y1) / length
            inside = (self._x - px) ** 2 + (self._y - py) ** 2 <= wide**2
            self.terrain[inside], self.elevation[inside] = self._code(terrain), level
        return self

    def stairway(self, *names: str) -> Canvas:
        for name in names:
            self.stairs[self.grid.by_name[name]] = True
        return self

    @property
    def los(self) -> LosData:
        return LosData(self.columns, self.rows, self.elevation, self.terrain, self.stairs)

    def board(self) -> Board:
        place = Place(file=self.name)
        return make_board(self.name, self.meta, self.los, known_terrain(), place)

    def sight(self) -> Sight:
        return Sight(self.board())

    def entries(self) -> dict[str, bytes]:
        return {
            "BoardMetadata.xml": write_metadata(self.meta),
            "LOSData": write_los_data(self.los),
        }

    def write(self, folder: Path) -> Path:
        path = folder / self.name
        path.write_bytes(b"".join(build_archive(self.entries())))
        return path


def see(canvas: Canvas, a: str, b: str, a_level: int = 0, b_level: int = 0) -> Answer:
    """The answer for one line, after making sure that it is the same from the other end."""
    sight = canvas.sight()
    answer = sight.answer(Spot(a, a_level), Spot(b, b_level))
    assert sight.answer(Spot(b, b_level), Spot(a, a_level)) == answer
    return answer
