"""A board as the rules need it: names, neighbours, terrain, levels, walls and roads."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hexmarshal.geometry.lattice.hexes import DIRECTIONS, Hex

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.conflict_of_heroes.rules.terrain.sight import Judged
    from hexmarshal.games.conflict_of_heroes.state.source import Source
    from hexmarshal.games.conflict_of_heroes.state.tables import Tables, TerrainKind
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["Board"]


@dataclass(frozen=True)
class Board:
    """One map. Only whole hexes are on it (COH-1.0b), named board, row, column (COH-1.0c)."""

    key: str
    title: str
    map: TerrainMap
    hexes: Mapping[str, Hex]
    names: Mapping[Hex, str]
    kinds: Mapping[str, TerrainKind]
    levels: Mapping[str, int]
    neighbours: Mapping[str, tuple[str, ...]]
    walls: frozenset[tuple[str, str]]
    roads: frozenset[tuple[str, str]]
    road_hexes: frozenset[str]
    heights: Mapping[tuple[int, int], int] = field(default_factory=dict)
    tops: Mapping[tuple[int, int], int] = field(default_factory=dict)
    lines: dict[tuple[str, str], Judged] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """Without smoke a line of sight is the same in every position: those judged so far."""
    steps: dict[tuple[str, bool, str], list[tuple[str, int]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """What the ground adds to a step, by who goes and from where: see `movement.reach`."""
    # By hex and distance, as they are asked for: at most a few thousand on a map.
    _near: dict[tuple[str, int], tuple[str, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _ahead: dict[tuple[str, int], tuple[str, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def load(cls, source: Source, key: str, tables: Tables) -> Board:
        """The board in a folder of data."""
        return _read(source, key, tables)

    def direction(self, one: str, other: str) -> int | None:
        """The direction of a neighbour; None if the two do not touch."""
        a, b = self.hexes[one], self.hexes[other]
        step = (b[0] - a[0], b[1] - a[1])
        return _STEPS.get(step)

    def distance(self, one: str, other: str) -> int:
        """COH-7.7a: the target's hex counts, the firer's does not."""
        return self.hexes[one].distance(self.hexes[other])

    def wall(self, one: str, other: str) -> bool:
        """Whether a wall lies between two neighbours (COH-4.0b)."""
        return (one, other) in self.walls

    def road(self, one: str, other: str) -> bool:
        """Whether a road leads from one to the other."""
        return (one, other) in self.roads

    def in_arc(self, cell: str, facing: int, other: str) -> bool:
        """COH-6.1a: the three front hexes and all that lies beyond them, border rows included."""
        return self.hexes[cell].in_arc(self.hexes[other], facing, 120)

    def in_front(self, cell: str, facing: int | None, reach: int) -> tuple[str, ...]:
        """The hexes at most so far away and in the arc, its own first; with no facing all."""
        if facing is None:
            return self.within(cell, reach)
        key = (cell, 6 * reach + facing)
        found = self._ahead.get(key)
        if found is None:
            near = self.within(cell, reach)
            found = tuple(c for c in near if c == cell or self.in_arc(cell, facing, c))
            self._ahead[key] = found
        return found

    def edge(self, cell: str) -> bool:
        """Whether the hex is at the edge of the map."""
        return len(self.neighbours[cell]) < 6

    def within(self, cell: str, reach: int) -> tuple[str, ...]:
        """The hexes at most so far away, this one first."""
        found = self._near.get((cell, reach))
        if found is None:
            names = self.names
            found = tuple(names[h] for h in self.hexes[cell].disk(reach) if h in names)
            self._near[cell, reach] = found
        return found


_STEPS: dict[tuple[int, int], int] = {step: k for k, step in enumerate(DIRECTIONS)}


def _read(source: Source, key: str, tables: Tables) -> Board:
    terrain = source.terrain(f"boards/{key}.yaml")
    chart = tables.terrain
    hexes = {name: cell for cell, name in terrain.names.items() if isinstance(cell, Hex)}
    names = {cell: name for name, cell in hexes.items()}
    kinds: dict[str, TerrainKind] = {}
    for name, cell in hexes.items():
        found = [chart[t] for t in terrain.cell_terrain.get(cell, ()) if t in chart]
        # COH-4.0a: one terrain a hex, that under its centre; COH-4.0c: a bare hill is open ground;
        # COH-5.0.1b: a road does not change it.
        kinds[name] = found[0] if found else chart["open"]
    levels = {name: int(terrain.level(cell)) for name, cell in hexes.items()}
    walls: set[tuple[str, str]] = set()
    for side, terrains in terrain.side_terrain.items():
        if "wall" in terrains:
            one, other = (names.get(h, "") for h in side.hexes)  # type: ignore[attr-defined]
            walls |= {(one, other), (other, one)}
    roads: set[tuple[str, str]] = set()
    for path in terrain.paths:
        cells = [terrain.names[c] for c in path.cells]
        for one, other in itertools.pairwise(cells):
            roads |= {(one, other), (other, one)}
    heights: dict[tuple[int, int], int] = {hexes[n]: level for n, level in levels.items()}
    return Board(
        key=key,
        title=terrain.name_of_map,
        map=terrain,
        hexes=hexes,
        names=names,
        kinds=kinds,
        levels=levels,
        neighbours={
            name: tuple(names[h] for h in cell.neighbours() if h in names)
            for name, cell in hexes.items()
        },
        walls=frozenset(walls),
        roads=frozenset(roads),
        road_hexes=frozenset(one for one, _ in roads),
        heights=heights,
        # COH-11.3c: woods, forests and buildings rise one level above their ground.
        tops={h: heights[h] + kinds[n].blocks for n, h in hexes.items()},
    )
