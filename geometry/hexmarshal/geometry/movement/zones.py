"""Zones of control: which cells units control, and what that does to a mover's cost."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from hexmarshal.geometry.movement.costs import Barred, Charge, Cost, MoveRule, Standing, Step

if TYPE_CHECKING:
    from hexmarshal.geometry.movement.stategraph import Exits

__all__ = ["ZonesOfControl", "controlled"]

C = TypeVar("C", bound=Hashable)
S = TypeVar("S")


def controlled(
    units: Iterable[C], exits: Exits[C, S], extends: Callable[[C, C, S], bool] | None = None
) -> frozenset[C]:
    """The cells in the zones of control of units: their neighbours, and not their own cells.

    `extends(unit, cell, side)` says where a zone does not reach: over a river, into a town.
    """
    return frozenset(
        to
        for unit in units
        for to, side in exits(unit)
        if extends is None or extends(unit, to, side)
    )


@dataclass(frozen=True, slots=True)
class ZonesOfControl(MoveRule[C, S]):
    """A movement rule with enemy zones of control laid over it.

    A unit pays `entering` and `leaving`, and `between` for a step from one controlled cell to the
    next, which is barred where `between` is None; with `must_stop` its move ends on entering. A
    unit that starts its move in a zone may leave it. Cells in `occupied` cannot be entered at all.
    """

    rule: MoveRule[C, S]
    cells: frozenset[C]
    must_stop: bool = True
    entering: Cost = 0
    leaving: Cost = 0
    between: Cost | None = 0
    occupied: frozenset[C] = frozenset()

    def begin(self, cell: C) -> Hashable:
        """As the rule beneath."""
        return self.rule.begin(cell)

    def bonus(self, memory: Hashable) -> Cost:
        """As the rule beneath."""
        return self.rule.bonus(memory)

    def step(self, here: Standing[C], to: C, side: S) -> Step | Barred:
        """The step beneath, with what the zones add."""
        if to in self.occupied:
            return Barred("an enemy unit is there")
        step = self.rule.step(here, to, side)
        leaves, enters = here.cell in self.cells, to in self.cells
        if isinstance(step, Barred) or not (leaves or enters):
            return step
        if leaves and enters and self.between is None:
            return Barred("from one enemy zone of control to another")
        extra = (
            ("leaving a zone of control", self.leaving if leaves else 0),
            ("entering a zone of control", self.entering if enters else 0),
            ("between zones of control", (self.between or 0) if leaves and enters else 0),
        )
        charges = step.charges + tuple(Charge(name, cost) for name, cost in extra if cost != 0)
        return Step(charges, step.memory, step.ends or (enters and self.must_stop))
