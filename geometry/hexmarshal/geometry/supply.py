"""Tracing: a line of supply in one or more stages, or where it stopped and what blocked it."""

from __future__ import annotations

from collections.abc import Container, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.costs import Barred, Cost, MoveRule, Standing, Step, in_lowest_terms

if TYPE_CHECKING:
    from hexmarshal.geometry.paths import Path
    from hexmarshal.geometry.reach import Frontier, Movement, Reach

__all__ = ["LineRule", "Stage", "SupplyLine", "trace_supply"]

C = TypeVar("C", bound=Hashable)
S = TypeVar("S")

_HEX = Step.of(("hex", 1))


@dataclass(frozen=True, slots=True)
class LineRule(MoveRule[C, S]):
    """A line counted in cells: what it may not enter or cross (with why), what it must follow.

    `along` restricts it to sides that a road or railway crosses. A blocked cell may be where the
    line starts, but not where it goes.
    """

    blocked: Mapping[C, str] = field(default_factory=dict)
    blocked_sides: Mapping[S, str] = field(default_factory=dict)
    along: Container[S] | None = None
    along_name: str = "road"

    def step(self, here: Standing[C], to: C, side: S) -> Step | Barred:  # noqa: ARG002
        """One cell on, if nothing blocks it."""
        why = self.blocked.get(to) or self.blocked_sides.get(side)
        if why is not None:
            return Barred(why)
        if self.along is not None and side not in self.along:
            return Barred(f"no {self.along_name}")
        return _HEX


@dataclass(frozen=True, slots=True)
class Stage(Generic[C, S]):
    """One part of a supply line: how it runs, where it may end, how long it may be."""

    name: str
    movement: Movement[C, S]
    ends: Container[C]
    length: Cost | None = None


@dataclass(frozen=True, slots=True)
class SupplyLine(Generic[C, S]):
    """The line found, one path a stage; or, where `failed` names a stage, the edge of that stage.

    `frontier` lists the steps that the failed stage could not take, each with what blocked it;
    `searched` the cells that it did come to.
    """

    paths: tuple[Path[C, S], ...] = ()
    failed: str | None = None
    searched: tuple[C, ...] = ()
    frontier: tuple[Frontier[C, S], ...] = ()

    @property
    def found(self) -> bool:
        """Whether the line reaches its source."""
        return self.failed is None

    @property
    def cells(self) -> tuple[C, ...]:
        """The cells of the line in order, each join of two stages once."""
        cells = [cell for path in self.paths for cell in path.cells[1:]]
        return (self.paths[0].start, *cells) if self.paths else ()

    @property
    def cost(self) -> Cost:
        """The length of all stages together."""
        return in_lowest_terms(sum((path.cost for path in self.paths), 0))

    def blockers(self) -> dict[str, list[C]]:
        """What stopped the failed stage, and which cells lie behind it."""
        behind: dict[str, list[C]] = {}
        for edge in self.frontier:
            cells = behind.setdefault(edge.why, [])
            if edge.to not in cells:
                cells.append(edge.to)
        return behind


def trace_supply(start: C, stages: Sequence[Stage[C, S]]) -> SupplyLine[C, S]:
    """Trace from `start` through the stages, each beginning where the one before may end.

    Every stage keeps within its own length. Among the lines that do, the one with the shortest
    last stage is given, then with the shortest stage before it, and so on.
    """
    if not stages:
        raise GeometryError("a supply line needs at least one stage")
    reaches: list[Reach[C, S]] = []
    joins: list[C] = [start]
    for stage in stages:
        reach = stage.movement.reach(*joins, allowance=stage.length)
        joins = [cell for cell in reach if cell in stage.ends]
        if not joins:
            return SupplyLine((), stage.name, tuple(reach), tuple(reach.frontier()))
        reaches.append(reach)
    paths: list[Path[C, S]] = []
    end = joins[0]
    for reach in reversed(reaches):
        paths.append(reach.path(end))
        end = paths[-1].start
    return SupplyLine(tuple(reversed(paths)))
