"""What the rules may ask about something that a line meets.

The rules are written once, with operators that work on whole arrays of meetings as well as on a
single one: comparisons, `&`, `|`, arithmetic, and the few functions here. `Met` derives what can
be derived; `meetings.py` has the arrays, `meeting.py` the single one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

from hexmarshal.games.asl.sight.ground.ground_tables import Trait

__all__ = ["Amount", "Met", "Truth", "no"]

Truth = Any
"""A bool, or an array of them."""
Amount = Any
"""An int, or an array of them; levels are half levels."""


def no(truth: Truth) -> Truth:
    """The opposite; `~` would make a number of a bool."""
    return truth ^ True


class Met(ABC):
    """Something met on a line from end a to end b, or many such things."""

    traits: Amount
    """Of the terrain, as a number of `Trait` flags."""
    any_traits: Any
    """All traits that occur, as one number."""
    level: Amount
    """Of the ground."""
    full: Amount
    """The top in whole levels."""
    top: Amount
    """The top with its half level, if it has one."""
    hexside: Truth
    base: Amount
    """The level of the centre of its hex."""
    hex_traits: Amount
    """Of its hex as a whole."""
    between: Truth
    """Whether it lies in neither end's hex, or beside a unit at a vertex."""
    in_a: Truth
    in_b: Truth
    unbroken_a: Truth
    """Whether building follows building from end a up to it."""
    unbroken_b: Truth

    a_level: Amount
    b_level: Amount
    high: Amount
    low: Amount
    a_traits: Amount
    """Of the hex of end a as a whole."""
    b_traits: Amount
    raised_a: Amount
    """The half level that a slope adds to end a; it is part of its level."""
    raised_b: Amount
    sloped: bool
    """Whether slopes matter at all."""
    a_depressed: Truth
    """Whether end a is in a depression."""
    b_depressed: Truth
    roof: Truth
    """Whether either end is on a rooftop."""
    reach: Amount
    """The range from end to end."""
    from_a: Amount
    """Hexes from end a."""
    from_b: Amount
    on_hillock: Truth
    """Whether either end is on a hillock."""
    before_hillock: Truth
    """Whether it is part of a hillock that starts right before an end."""
    along: Truth
    """Whether the line runs along hexsides."""
    sunken_a: Amount
    """How many hexsides of its depression the line follows from end a."""
    sunken_b: Amount
    sunken_way: Truth
    """Whether the ends are adjacent across a hexside of a depression."""

    drawn: Truth
    """For hexsides: whether the hexside as a whole has such terrain."""
    on_side: Truth
    beyond: Truth
    """Whether there is a hex beyond the hexside."""
    beyond_base: Amount
    beyond_a: Amount
    """Hexes from end a to the hex beyond."""
    beyond_b: Amount
    passes_a: Truth
    """Whether the line runs along a walled spine of hex a and may pass its far end."""
    passes_b: Truth
    at_spine_end: Truth
    """Whether the hexside starts at the far end of a walled spine of an end's hex."""

    @abstractmethod
    def pick(self, truth: Truth, one: Amount, two: Amount) -> Amount:
        """One where true, else the other."""

    @abstractmethod
    def most(self, one: Amount, two: Amount) -> Amount:
        """The greater one."""

    @abstractmethod
    def any(self, truth: Truth) -> bool:
        """Whether it is true anywhere."""

    def has(self, trait: int) -> Truth:
        """Whether the terrain has any of these traits."""
        return (self.traits & trait) != 0

    def least(self, one: Amount, two: Amount) -> Amount:
        """The smaller one."""
        return -self.most(-one, -two)

    @cached_property
    def a_is_high(self) -> Truth:
        """Whether end a is the higher one."""
        return self.a_level >= self.b_level

    @cached_property
    def from_high(self) -> Amount:
        """Hexes from the higher end."""
        return self.pick(self.a_is_high, self.from_a, self.from_b)

    @cached_property
    def from_low(self) -> Amount:
        """Hexes from the lower end."""
        return self.pick(self.a_is_high, self.from_b, self.from_a)

    @cached_property
    def raised(self) -> Amount:
        """What a slope adds to the higher end."""
        return self.pick(self.a_is_high, self.raised_a, self.raised_b)

    @cached_property
    def sloping(self) -> Truth:
        """Whether the ends are on different levels."""
        return self.high > self.low

    @cached_property
    def bridged(self) -> Truth:
        """Whether a bridge covers the centre of its hex."""
        return (self.hex_traits & int(Trait.BRIDGE)) != 0

    @cached_property
    def floor(self) -> Amount:
        """The level of the centre of its hex, below the bridge if there is one."""
        return self.pick(self.bridged, self.base - 2, self.base)

    @cached_property
    def depressed(self) -> Truth:
        """Whether its hex is a depression."""
        return (self.hex_traits & int(Trait.DEPRESSION)) != 0
