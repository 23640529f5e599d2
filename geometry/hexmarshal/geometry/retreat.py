"""Retreat: the cells that a beaten unit may fall back to, best first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.costs import Barred, Cost, MoveRule, Standing, Step
from hexmarshal.geometry.reach import Movement

if TYPE_CHECKING:
    from hexmarshal.geometry.paths import Path

__all__ = ["Retreat", "retreats"]

C = TypeVar("C", bound=Hashable)
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Retreat(Generic[C, S]):
    """One candidate: the way there, and what each preference said of it (lower is better)."""

    path: Path[C, S]
    ranks: tuple[Any, ...]

    @property
    def cell(self) -> C:
        """Where the retreat ends."""
        return self.path.end


@dataclass(frozen=True, slots=True)
class _Away(MoveRule[C, S]):
    """Each step leads one farther from the start, and none nearer to the nearest enemy."""

    rule: MoveRule[C, S]
    origin: C
    enemies: tuple[C, ...]
    distance: Callable[[C, C], int]

    def begin(self, cell: C) -> Hashable:
        return self.rule.begin(cell)

    def bonus(self, memory: Hashable) -> Cost:
        return self.rule.bonus(memory)

    def step(self, here: Standing[C], to: C, side: S) -> Step | Barred:
        if self.distance(self.origin, to) != self.distance(self.origin, here.cell) + 1:
            return Barred("not farther from where the retreat began")
        if self.enemies and self._nearest(to) < self._nearest(here.cell):
            return Barred("nearer to an enemy")
        return self.rule.step(here, to, side)

    def _nearest(self, cell: C) -> int:
        return min(self.distance(enemy, cell) for enemy in self.enemies)


def retreats(
    movement: Movement[C, S],
    start: C,
    steps: int,
    *,
    distance: Callable[[C, C], int],
    enemies: Iterable[C] = (),
    prefer: Sequence[Callable[[Path[C, S]], Any]] = (),
) -> list[Retreat[C, S]]:
    """The cells exactly `steps` away that can be retreated to under the movement's rule.

    The rule bars what a retreat may not enter. `prefer` ranks the ways, the first preference
    first, lower before higher; equals keep the order of cost and of the map.
    """
    if steps < 0:
        raise GeometryError(f"a retreat of {steps} steps cannot be")
    away = _Away(movement.rule, start, tuple(enemies), distance)
    reach = Movement(_within(movement, start, steps, distance), away, name=movement.name).reach(
        start
    )
    found = []
    for cell in reach:
        if distance(start, cell) == steps:
            path = reach.path(cell)
            found.append(Retreat(path, tuple(preference(path) for preference in prefer)))
    return sorted(found, key=lambda retreat: retreat.ranks)


def _within(
    movement: Movement[C, S], start: C, steps: int, distance: Callable[[C, C], int]
) -> Callable[[C], Iterable[tuple[C, S]]]:
    def exits(cell: C) -> Iterable[tuple[C, S]]:
        return movement.exits(cell) if distance(start, cell) < steps else ()

    return exits
