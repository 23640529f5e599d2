"""What a step of movement costs: exact amounts in named parts, or the reason why it is barred."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from hexmarshal.errors import GeometryError, Place

__all__ = ["Barred", "Charge", "Cost", "MoveRule", "Standing", "Step", "exact", "in_lowest_terms"]

C = TypeVar("C", bound=Hashable)
S = TypeVar("S")

Cost = int | Fraction


class Charge(NamedTuple):
    """One named part of a step's cost, such as `("woods", 2)` or `("river", 1)`."""

    name: str
    amount: Cost


class Step(NamedTuple):
    """A step that is allowed: what it costs, what is remembered of it, whether the move ends."""

    charges: tuple[Charge, ...]
    memory: Hashable = None
    ends: bool = False

    @property
    def cost(self) -> Cost:
        """The sum of the charges."""
        return sum((charge.amount for charge in self.charges), 0)

    @classmethod
    def of(cls, *charges: tuple[str, Cost], memory: Hashable = None, ends: bool = False) -> Step:
        """A step from pairs of name and amount."""
        return cls(tuple(Charge(*charge) for charge in charges), memory, ends)


class Barred(NamedTuple):
    """A step that is not allowed, and why."""

    why: str


class Standing(NamedTuple, Generic[C]):
    """Where a moving unit stands and what its rule remembers of the way come from."""

    cell: C
    memory: Hashable


class MoveRule(ABC, Generic[C, S]):
    """A cost function; subclasses say what a step costs, and remember no more than they need.

    What `step` returns as memory comes back in the next `Standing`: the mode of movement, the
    direction come from, whether the whole way was road. Two ways into a cell are kept apart only
    where their memories differ, so a small memory is a fast one.
    """

    __slots__ = ()

    def begin(self, cell: C) -> Hashable:  # noqa: ARG002
        """What a unit remembers before its first step."""
        return None

    @abstractmethod
    def step(self, here: Standing[C], to: C, side: S) -> Step | Barred:
        """What it costs to go from `here` over `side` to the neighbour `to`."""

    def bonus(self, memory: Hashable) -> Cost:  # noqa: ARG002
        """What is added to the allowance while the way come from is remembered so."""
        return 0


def exact(amount: object, what: str, cell: str | None = None) -> Cost:
    """`amount` itself if it is an exact number that is not negative; an error at `cell` if not."""
    place = Place(cell=cell)
    if isinstance(amount, bool) or not isinstance(amount, (int, Fraction)):
        raise GeometryError(
            f"{what} is {amount!r}, which is no exact number",
            place=place,
            hint="costs are integers or fractions.Fraction, never floats",
        )
    if amount < 0:
        raise GeometryError(f"{what} is negative: {amount}", place=place)
    return amount


def in_lowest_terms(amount: Cost) -> Cost:
    """An integer wherever the amount is whole, so that 2 is never shown as Fraction(2, 1)."""
    return amount.numerator if amount.denominator == 1 else amount
