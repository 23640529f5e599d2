"""A way over the map with its cost broken down step by step."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from hexmarshal.geometry.movement.costs import Charge, Cost, in_lowest_terms

__all__ = ["Leg", "Path"]

C = TypeVar("C", bound=Hashable)
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Leg(Generic[C, S]):
    """One step of a path: from where to where, over which side, for what; `total` is up to here."""

    start: C
    end: C
    side: S
    charges: tuple[Charge, ...]
    total: Cost
    ends: bool = False

    @property
    def cost(self) -> Cost:
        """The sum of the charges."""
        return in_lowest_terms(sum((charge.amount for charge in self.charges), 0))


@dataclass(frozen=True, slots=True)
class Path(Generic[C, S]):
    """Legs from a start, in order; none when the unit stays where it is."""

    start: C
    legs: tuple[Leg[C, S], ...]

    @property
    def end(self) -> C:
        """Where the path leads."""
        return self.legs[-1].end if self.legs else self.start

    @property
    def cells(self) -> tuple[C, ...]:
        """Every cell in order, the start first."""
        return (self.start, *(leg.end for leg in self.legs))

    @property
    def cost(self) -> Cost:
        """What the whole way costs."""
        return self.legs[-1].total if self.legs else 0

    def charges(self) -> dict[str, Cost]:
        """The cost of the whole way by the names of its parts, in order of first appearance."""
        sums: dict[str, Cost] = {}
        for leg in self.legs:
            for name, amount in leg.charges:
                sums[name] = in_lowest_terms(sums.get(name, 0) + amount)
        return sums

    def explain(self, name: Callable[[C], str] = str) -> list[str]:
        """One line a leg for a person: `0203 -> 0304: woods 2 + river 1 = 3 (5 so far)`."""
        lines = []
        for leg in self.legs:
            parts = " + ".join(f"{what} {amount}" for what, amount in leg.charges) or "free"
            total = f" = {leg.cost}" if len(leg.charges) > 1 else ""
            stop = ", the move ends here" if leg.ends else ""
            way = f"{name(leg.start)} -> {name(leg.end)}"
            lines.append(f"{way}: {parts}{total} ({leg.total} so far{stop})")
        return lines
