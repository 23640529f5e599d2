"""A single thing met on a single line, in plain numbers: quicker than arrays of one."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from hexmarshal.games.asl.sight.ground.ground_tables import CENTRE, Trait
from hexmarshal.games.asl.sight.hit import Met
from hexmarshal.games.asl.sight.rules.hillocks import NO_HILLOCK
from hexmarshal.vassal.vasl.grid import NONE

if TYPE_CHECKING:
    from hexmarshal.games.asl.sight.ground.scalar_ground import PlainGround

__all__ = ["End", "Meeting", "Trace"]


class End:
    """One end of a line."""

    __slots__ = ("depressed", "hex", "level", "roof")

    def __init__(self, hex: int, level: int, *, depressed: bool, roof: bool) -> None:
        self.hex, self.level = hex, level
        self.depressed, self.roof = depressed, roof


class Trace:
    """A line between the centres of two hexes."""

    def __init__(self, plain: PlainGround, a: End, b: End) -> None:
        self.plain, self.a, self.b = plain, a, b
        self.raised_a, self.raised_b = plain.raised(a, b)
        self.a_level, self.b_level = a.level + self.raised_a, b.level + self.raised_b
        self.high, self.low = max(self.a_level, self.b_level), min(self.a_level, self.b_level)

    @cached_property
    def reach(self) -> int:
        """The range."""
        return self.plain.range(self.a.hex, self.b.hex)

    @cached_property
    def vertex(self) -> int:
        """The vertex of hex a through which it leaves along a hexside, or -1."""
        return self.plain.vertex(self.a.hex, self.b.hex)

    @cached_property
    def sunken_way(self) -> bool:
        """Whether the ends are adjacent across a hexside of a depression."""
        return self.plain.sunken_way(self.a.hex, self.b.hex)

    @cached_property
    def sunken(self) -> tuple[int, int]:
        """How many hexsides of depressions the line follows from its ends."""
        one, two = self.plain.sunken(self.a.hex, self.b.hex)
        return one * self.a.depressed, two * self.b.depressed

    @cached_property
    def on_hillock(self) -> bool:
        """Whether either end is on a hillock."""
        hillock = self.plain.hillock
        ends = self.a.hex, self.b.hex
        return bool(hillock) and any(hillock[end] != NO_HILLOCK for end in ends)

    @cached_property
    def hillocks(self) -> tuple[int, int]:
        """The hillocks in the hexes that the line enters first from its ends, or NO_HILLOCK."""
        a, b = self.a.hex, self.b.hex
        return self.plain.hillock_by(a, b), self.plain.hillock_by(b, a)


class Meeting(Met):
    """What one cell is to one line."""

    def __init__(self, trace: Trace, cell: int) -> None:
        plain = trace.plain
        self.trace, self.cell = trace, cell
        self.hex: int = plain.cell_hex[cell]
        self.traits = self.any_traits = plain.cell_traits[cell]
        self.level, self.full = plain.cell_ground[cell], plain.cell_full[cell]
        self.top, self.hexside = plain.cell_top[cell], plain.cell_is_hexside[cell]
        a, b = trace.a, trace.b
        self.in_a, self.in_b = self.hex == a.hex, self.hex == b.hex
        self.between = not (self.in_a or self.in_b)
        self.unbroken_a = self.unbroken_b = False
        self.a_level, self.b_level = trace.a_level, trace.b_level
        self.raised_a, self.raised_b = trace.raised_a, trace.raised_b
        self.sloped = bool(trace.raised_a or trace.raised_b)
        self.high, self.low = trace.high, trace.low
        self.a_depressed, self.b_depressed = a.depressed, b.depressed
        self.roof = a.roof or b.roof

    def pick(self, truth: Any, one: Any, two: Any) -> Any:  # noqa: ANN401
        """One if true, else the other."""
        return one if truth else two

    def most(self, one: Any, two: Any) -> Any:  # noqa: ANN401
        """The greater one."""
        return max(two, one)

    def any(self, truth: Any) -> bool:  # noqa: ANN401
        """Whether it is true."""
        return bool(truth)

    @cached_property
    def base(self) -> int:
        """The level of the centre of its hex."""
        return self.trace.plain.hex_base[self.hex]

    @cached_property
    def hex_traits(self) -> int:
        """Of its hex as a whole."""
        return self.trace.plain.hex_traits[self.hex]

    @cached_property
    def a_traits(self) -> int:
        """Of the hex of end a."""
        return self.trace.plain.hex_traits[self.trace.a.hex]

    @cached_property
    def b_traits(self) -> int:
        """Of the hex of end b."""
        return self.trace.plain.hex_traits[self.trace.b.hex]

    @cached_property
    def reach(self) -> int:
        """The range from end to end."""
        return self.trace.reach

    @cached_property
    def from_a(self) -> int:
        """Hexes from end a."""
        return self.trace.plain.range(self.hex, self.trace.a.hex)

    @cached_property
    def from_b(self) -> int:
        """Hexes from end b."""
        return self.trace.plain.range(self.hex, self.trace.b.hex)

    @cached_property
    def on_hillock(self) -> bool:
        """Whether either end is on a hillock."""
        return self.trace.on_hillock

    @cached_property
    def before_hillock(self) -> bool:
        """Whether it is part of a hillock that starts right before an end."""
        hillock = self.trace.plain.hillock
        return bool(hillock) and hillock[self.hex] in self.trace.hillocks

    @cached_property
    def along(self) -> bool:
        """Whether the line runs along hexsides."""
        return self.trace.vertex >= 0

    @cached_property
    def sunken_a(self) -> int:
        """How many hexsides of its depression the line follows from end a."""
        return self.trace.sunken[0]

    @cached_property
    def sunken_b(self) -> int:
        """How many hexsides of its depression the line follows from end b."""
        return self.trace.sunken[1]

    @cached_property
    def sunken_way(self) -> bool:
        """Whether the ends are adjacent across a hexside of a depression."""
        return self.trace.sunken_way

    @cached_property
    def _zone(self) -> int:
        return self.trace.plain.cell_zone[self.cell]

    @cached_property
    def on_side(self) -> bool:
        """Whether it lies on a hexside indeed."""
        return self._zone != CENTRE

    @cached_property
    def drawn(self) -> bool:
        """Whether the hexside as a whole has such terrain."""
        return self.trace.plain.has_side[self.hex][min(self._zone, CENTRE - 1)]

    @cached_property
    def _over(self) -> int:
        return self.trace.plain.neighbours[self.hex][min(self._zone, CENTRE - 1)]

    @cached_property
    def beyond(self) -> bool:
        """Whether there is a hex beyond the hexside."""
        return self._over != NONE

    @cached_property
    def beyond_base(self) -> int:
        """The level of the hex beyond."""
        return self.trace.plain.hex_base[max(self._over, 0)]

    def _range_beyond(self, end: End) -> int:
        return 2 if self._over == NONE else self.trace.plain.range(self._over, end.hex)

    @cached_property
    def beyond_a(self) -> int:
        """Hexes from end a to the hex beyond."""
        return self._range_beyond(self.trace.a)

    @cached_property
    def beyond_b(self) -> int:
        """Hexes from end b to the hex beyond."""
        return self._range_beyond(self.trace.b)

    @cached_property
    def passes_a(self) -> bool:
        """Whether the line runs along a walled spine of hex a and may pass its far end."""
        vertex = self.trace.vertex
        return vertex >= 0 and self.trace.plain.walled_on[self.trace.a.hex][vertex]

    @cached_property
    def passes_b(self) -> bool:
        """Whether the line runs along a walled spine of hex b and may pass its far end."""
        vertex = self.trace.vertex
        return vertex >= 0 and self.trace.plain.walled_on[self.trace.b.hex][(vertex + 3) % 6]

    @cached_property
    def at_spine_end(self) -> bool:
        """Whether the hexside starts at the far end of a walled spine of an end's hex."""
        if self._over == NONE:
            return False
        plain, trace = self.trace.plain, self.trace
        for end, near, over in (
            (trace.a.hex, self.from_a, self.beyond_a),
            (trace.b.hex, self.from_b, self.beyond_b),
        ):
            if {near, over} == {1, 2}:
                vertex = plain.vertex(end, self.hex if near == 2 else self._over)
                if vertex >= 0 and plain.walled_on[end][vertex]:
                    return True
        return False

    @cached_property
    def is_building(self) -> bool:
        """Whether it is a building that a line may stay in: A6.8."""
        return bool(self.traits & int(Trait.BUILDING))
