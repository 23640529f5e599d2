"""The board as the draughtsman needs it: terrain, front line and names, in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import Place, RulesError
from hexmarshal.geometry.lattice.hexes import Hex, Hexside
from hexmarshal.geometry.terrain.terrain_file import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hexmarshal.games.kharkov.state.source import Source
    from hexmarshal.geometry.lattice.hexes import Vertex
    from hexmarshal.geometry.lattice.layout import Layout
    from hexmarshal.geometry.svg.canvas import Point
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["Field"]


@dataclass(frozen=True)
class Field:
    """One board."""

    terrain: TerrainMap
    map: Mapping[str, Any]

    @classmethod
    def load(cls, source: Source, board: str = "kharkov") -> Field:
        """The board of a folder of data; its grid must be one of VASSAL's hex grids."""
        file = source.file(f"boards/{board}/terrain.yaml")
        terrain = load(file)
        if terrain.layout is None or terrain.grid is None or terrain.grid.get("kind") != "hex":
            raise RulesError(
                "a board that is drawn needs a grid of kind hex",
                place=Place(file=str(file), field="grid.kind"),
            )
        return cls(terrain, source.read(f"boards/{board}/map.yaml", "map"))

    @property
    def grid(self) -> Mapping[str, Any]:
        """The grid's section of the terrain file."""
        assert self.terrain.grid is not None
        return self.terrain.grid

    @property
    def size(self) -> tuple[int, int]:
        """The board in pixels."""
        return int(self.grid["width"]), int(self.grid["height"])

    @property
    def layout(self) -> Layout:
        """Where hexes lie."""
        assert self.terrain.layout is not None
        return self.terrain.layout

    @cached_property
    def hexes(self) -> dict[str, Hex]:
        """Every hex by its name."""
        return {name: cell for cell, name in self.terrain.names.items() if isinstance(cell, Hex)}

    def centre(self, cell: Hex) -> Point:
        """The middle of a hex."""
        return self.layout.centre(cell)

    def point(self, vertex: Vertex) -> Point:
        """The pixel of a corner."""
        return self.layout.corners(vertex.hexes[0])[vertex.seen_from(vertex.hexes[0])]

    @cached_property
    def soviet(self) -> frozenset[Hex]:
        """The hexes on the Soviet side of the line of 12 May."""
        found = set()
        for row, spans in self.map["front"]["soviet"].items():
            for span in spans.split(","):
                first, _, last = span.partition("-")
                for column in range(int(first), int(last or first) + 1):
                    found.add(self.hexes[f"{row}{column:02}"])
        return frozenset(found)

    @cached_property
    def front(self) -> list[Hexside]:
        """The hexsides of the line of 12 May."""
        return self._between(self.soviet)

    @cached_property
    def sector(self) -> list[Hexside]:
        """The hexsides of the green line that bounds the southern sector."""
        south = self.map["south_row"]
        return self._between({h for name, h in self.hexes.items() if int(name[:2]) >= south})

    def _between(self, one: Iterable[Hex]) -> list[Hexside]:
        inside, board = set(one), set(self.hexes.values())
        return [
            Hexside.between(cell, other)
            for cell in sorted(inside)
            for other in cell.neighbours()
            if other in board and other not in inside
        ]

    def points_of_the_line(self) -> Iterator[tuple[str, Point, Point]]:
        """The numbered and lettered points: name, place on the line, and a hex on its own side."""
        for side in ("axis", "soviet_groups"):
            stretches = list(self.map["front"][side].items())
            for i, (key, cells) in enumerate(stretches):
                first = self.hexes[cells[0]]
                before = self.hexes[stretches[i - 1][1][-1]] if i else None
                yield key.partition("-")[0], self._point(first, before), self.centre(first)
            key, cells = stretches[-1]
            last = self.hexes[cells[-1]]
            yield key.partition("-")[2], self._point(last, None), self.centre(last)

    def _point(self, cell: Hex, before: Hex | None) -> Point:
        """The corner of the line that both hexes touch; at an edge of the map, the line's end."""
        line: dict[Vertex, int] = {}
        for side in self.front:
            for vertex in side.vertices:
                line[vertex] = line.get(vertex, 0) + 1
        touching = [v for v in cell.vertices() if v in line]
        if before is not None:
            shared = [v for v in touching if v in before.vertices()]
            return self.point((shared or touching)[0])
        ends = [v for v in touching if line[v] == 1]
        return self.point((ends or touching)[0])
