"""Movement by what a map says: the costs of its terrains, its roads and climbs, as a rule."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.geometry.movement.costs import Barred, Charge, Cost, MoveRule, Standing, Step
from hexmarshal.geometry.movement.costs import in_lowest_terms as lowest
from hexmarshal.geometry.movement.reach import Movement

if TYPE_CHECKING:
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["TerrainCosts", "exits_of", "movement"]


def exits_of(
    terrain: TerrainMap,
) -> Callable[[Hashable], list[tuple[Hashable, Hashable]]]:
    """The neighbours of a cell on the map, each with the side between."""

    def exits(cell: Hashable) -> list[tuple[Hashable, Hashable]]:
        terrain.name(cell)  # an error for a cell that is not on the map
        return [(to, terrain.side(cell, to)) for to in terrain.neighbours(cell)]

    return exits


@dataclass(frozen=True, slots=True)
class TerrainCosts(MoveRule[Hashable, Hashable]):
    """What the map's terrains cost in one mode of movement.

    A cell costs what its dearest terrain costs, or `base` if none names a cost for the mode; the
    terrains of the side are added, and `climb` for each level that the step goes up. Between
    squares that meet at a corner the sides to the left or to the right of it count, whichever cost
    less. A road that crosses the side, and has a cost for the mode, replaces all that: the cheapest
    one counts. A way by road alone adds `road_bonus` to the allowance. Terrains in `barred` cannot
    be entered or crossed, except by road.
    """

    terrain: TerrainMap
    mode: str = "foot"
    base: Cost = 1
    climb: Cost = 0
    road_bonus: Cost = 0
    barred: frozenset[str] = frozenset()

    def begin(self, cell: Hashable) -> Hashable:  # noqa: ARG002
        """Whether the way was by road alone so far, where that matters."""
        return True if self.road_bonus else None

    def bonus(self, memory: Hashable) -> Cost:
        """What a march by road alone adds."""
        return self.road_bonus if memory else 0

    def step(self, here: Standing[Hashable], to: Hashable, side: Hashable) -> Step | Barred:
        """By road if there is one, else over the side into the cell."""
        roads = self._priced(self.terrain.links.get(side, ()))
        if roads:
            return Step((min(roads, key=lambda road: road.amount),), here.memory)
        kinds = self.terrain.cell_terrain.get(to, ())
        for kind in kinds:
            if kind in self.barred:
                return Barred(f"{kind} cannot be entered")
        crossed = self._crossed(here.cell, to)
        if isinstance(crossed, Barred):
            return crossed
        dearest = max(
            self._priced(kinds), key=lambda charge: charge.amount, default=Charge("open", self.base)
        )
        charges = [dearest, *crossed]
        up = self.terrain.level(to) - self.terrain.level(here.cell)
        if self.climb and up > 0:
            charges.append(Charge("climb", lowest(self.climb * up)))
        return Step(tuple(charges), False if self.road_bonus else None)

    def _crossed(self, start: Hashable, to: Hashable) -> list[Charge] | Barred:
        """What the sides on the way cost; the cheapest way that is not barred."""
        layer = self.terrain.side_terrain
        barred = None
        open_ways: list[list[Charge]] = []
        for way in self.terrain.tiling.ways(start, to) if layer else ((),):
            kinds = tuple(kind for side in way for kind in layer.get(side, ()))
            closed = next((kind for kind in kinds if kind in self.barred), None)
            if closed is None:
                open_ways.append(self._priced(kinds))
            else:
                barred = Barred(f"{closed} cannot be crossed")
        if barred is not None and not open_ways:
            return barred
        return min(open_ways, key=lambda charges: sum(charge.amount for charge in charges))

    def _priced(self, kinds: tuple[str, ...]) -> list[Charge]:
        priced = []
        for kind in kinds:
            for mode, amount in self.terrain.types[kind].cost:
                if mode == self.mode:
                    priced.append(Charge(kind, lowest(amount)))
        return priced


def movement(
    terrain: TerrainMap, rule: MoveRule[Hashable, Hashable] | None = None
) -> Movement[Hashable, Hashable]:
    """The map prepared for reaches under a rule; on foot by its own costs if none is given."""
    return Movement(exits_of(terrain), rule or TerrainCosts(terrain), name=terrain.describe)
