"""Movement by what a map says: the costs of its terrains, its roads and climbs, as a rule."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.geometry.costs import Barred, Charge, Cost, MoveRule, Standing, Step
from hexmarshal.geometry.costs import in_lowest_terms as lowest
from hexmarshal.geometry.reach import Movement

if TYPE_CHECKING:
    from hexmarshal.geometry.terrain import TerrainMap

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
    terrains of the side are added, and `climb` for each level that the step goes up. A road that
    crosses the side, and has a cost for the mode, replaces all that: the cheapest one counts. A
    way by road alone adds `road_bonus` to the allowance. Terrains in `barred` cannot be entered
    or crossed, except by road.
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
        over = self.terrain.side_terrain.get(side, ())
        for kind in (*kinds, *over):
            if kind in self.barred:
                return Barred(f"{kind} cannot be {'crossed' if kind in over else 'entered'}")
        dearest = max(
            self._priced(kinds), key=lambda charge: charge.amount, default=Charge("open", self.base)
        )
        charges = [dearest, *self._priced(over)]
        up = self.terrain.level(to) - self.terrain.level(here.cell)
        if self.climb and up > 0:
            charges.append(Charge("climb", lowest(self.climb * up)))
        return Step(tuple(charges), False if self.road_bonus else None)

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
