"""Many things met on many lines, as arrays; each array is made when a rule first asks for it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hexmarshal.games.asl.sight.ground.ground_tables import CENTRE, Ground, Trait
from hexmarshal.games.asl.sight.hit import Met
from hexmarshal.vassal.vasl.grid import NONE, vertex_towards
from hexmarshal.vassal.vasl.hexes import ABSENT
from hexmarshal.vassal.vasl.outlines.ranges import ranges

if TYPE_CHECKING:
    import numpy.typing as npt

    from hexmarshal.games.asl.sight.lines import Lines

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["Meetings"]


class Meetings(Met):
    """Meetings in order of lines and, on each line, from end a to end b."""

    def __init__(
        self,
        ground: Ground,
        lines: Lines,
        line: Ints,
        cell: npt.NDArray[np.integer],
        order: npt.NDArray[np.integer],
    ) -> None:
        self.ground, self.lines, self.sloped = ground, lines, lines.sloped
        self.line, self.cell = line, cell
        self.order = order
        """Their number on the line, those left out included."""

    def __len__(self) -> int:
        return int(self.line.size)

    def of(self, chosen: Ints) -> Meetings:
        """Only these."""
        some = Meetings(
            self.ground,
            self.lines,
            self.line.take(chosen),
            self.cell.take(chosen),
            self.order.take(chosen),
        )
        for name in ("unbroken_a", "unbroken_b"):
            if name in self.__dict__:
                some.__dict__[name] = self.__dict__[name].take(chosen)
        return some

    def pick(self, truth: Any, one: Any, two: Any) -> Any:  # noqa: ANN401
        """One where true, else the other."""
        return np.where(truth, one, two)

    def most(self, one: Any, two: Any) -> Any:  # noqa: ANN401
        """The greater one."""
        return np.maximum(one, two)

    def any(self, truth: Any) -> bool:  # noqa: ANN401
        """Whether it is true anywhere."""
        return bool(truth.any())

    def _of_cell(self, table: Any) -> Any:  # noqa: ANN401
        return table.take(self.cell)

    def _of_line(self, values: Any) -> Any:  # noqa: ANN401
        return values.take(self.line)

    @cached_property
    def traits(self) -> Any:  # noqa: ANN401
        """As numbers."""
        return self._of_cell(self.ground.cell_traits)

    @cached_property
    def any_traits(self) -> Any:  # noqa: ANN401
        """All traits that occur."""
        return int(np.bitwise_or.reduce(self.traits)) if len(self) else 0

    @cached_property
    def hex(self) -> Any:  # noqa: ANN401
        """The hexes."""
        return self._of_cell(self.ground.cell_hex)

    @cached_property
    def level(self) -> Any:  # noqa: ANN401
        """Of the ground."""
        return self._of_cell(self.ground.cell_ground)

    @cached_property
    def full(self) -> Any:  # noqa: ANN401
        """The tops in whole levels."""
        return self._of_cell(self.ground.cell_full)

    @cached_property
    def top(self) -> Any:  # noqa: ANN401
        """The tops with their half levels."""
        return self._of_cell(self.ground.cell_top)

    @cached_property
    def hexside(self) -> Any:  # noqa: ANN401
        """Which lie on hexsides."""
        return self._of_cell(self.ground.cell_is_hexside)

    @cached_property
    def base(self) -> Any:  # noqa: ANN401
        """The levels of the centres of the hexes."""
        return self.ground.hex_base.take(self.hex)

    @cached_property
    def hex_traits(self) -> Any:  # noqa: ANN401
        """Of the hexes as wholes."""
        return self.ground.hex_traits.take(self.hex)

    @cached_property
    def a(self) -> Any:  # noqa: ANN401
        """The hexes of the ends a."""
        return self._of_line(self.lines.a.hex)

    @cached_property
    def b(self) -> Any:  # noqa: ANN401
        """The hexes of the ends b."""
        return self._of_line(self.lines.b.hex)

    @cached_property
    def in_a(self) -> Any:  # noqa: ANN401
        """Which lie in the hex of end a."""
        return self.hex == self.a

    @cached_property
    def in_b(self) -> Any:  # noqa: ANN401
        """Which lie in the hex of end b."""
        return self.hex == self.b

    @cached_property
    def a_level(self) -> Any:  # noqa: ANN401
        """Of the ends a."""
        return self._of_line(self.lines.a.level)

    @cached_property
    def b_level(self) -> Any:  # noqa: ANN401
        """Of the ends b."""
        return self._of_line(self.lines.b.level)

    @cached_property
    def high(self) -> Any:  # noqa: ANN401
        """Of the higher ends."""
        return self._of_line(self.lines.high)

    @cached_property
    def low(self) -> Any:  # noqa: ANN401
        """Of the lower ends."""
        return self._of_line(self.lines.low)

    @cached_property
    def raised_a(self) -> Any:  # noqa: ANN401
        """What slopes add to the ends a."""
        return self._of_line(self.lines.raised_a)

    @cached_property
    def raised_b(self) -> Any:  # noqa: ANN401
        """What slopes add to the ends b."""
        return self._of_line(self.lines.raised_b)

    @cached_property
    def a_traits(self) -> Any:  # noqa: ANN401
        """Of the hexes of the ends a."""
        return self.ground.hex_traits.take(self.a)

    @cached_property
    def b_traits(self) -> Any:  # noqa: ANN401
        """Of the hexes of the ends b."""
        return self.ground.hex_traits.take(self.b)

    @cached_property
    def a_depressed(self) -> Any:  # noqa: ANN401
        """Whether end a is in a depression."""
        return self._of_line(self.lines.a.in_depression)

    @cached_property
    def b_depressed(self) -> Any:  # noqa: ANN401
        """Whether end b is in a depression."""
        return self._of_line(self.lines.b.in_depression)

    @cached_property
    def roof(self) -> Any:  # noqa: ANN401
        """Whether either end is on a roof."""
        return self._of_line(self.lines.a.on_roof | self.lines.b.on_roof)

    @cached_property
    def reach(self) -> Any:  # noqa: ANN401
        """The ranges from end to end."""
        return self._of_line(self.lines.range)

    @cached_property
    def from_a(self) -> Any:  # noqa: ANN401
        """Hexes from the ends a."""
        return self.ground.board.grid.range(self.hex, self.a)

    @cached_property
    def from_b(self) -> Any:  # noqa: ANN401
        """Hexes from the ends b."""
        return self.ground.board.grid.range(self.hex, self.b)

    @cached_property
    def between(self) -> Any:  # noqa: ANN401
        """Which lie in neither end's hex, or in that of a unit at one of its vertices."""
        inside = (self.hex != self.a) & (self.hex != self.b)
        if self.lines.any_vertex:
            beside = self._of_line(self.lines.a.at_vertex) & self.in_a
            beside |= self._of_line(self.lines.b.at_vertex) & self.in_b
            solid = (self.traits & int(Trait.OBSTACLE | Trait.SPLIT)) == int(Trait.OBSTACLE)
            inside |= beside & solid & ~self.hexside
        return inside

    def note_buildings(self, counts: Ints) -> None:
        """Find out what is unbroken; `counts` says how many meetings each line has in all.

        Unbroken from an end: the nth meeting from it is the nth one that is still in the list.
        """
        walls = (self.traits & int(Trait.BUILDING)) != 0
        starts = np.flatnonzero(np.concatenate([[True], self.line[1:] != self.line[:-1]]))
        lengths = np.diff(np.append(starts, len(self)))
        position = ranges(np.zeros_like(starts), lengths)
        self.unbroken_a = _no_break(walls & (self.order == position), starts)
        rest = np.repeat(lengths, lengths) - position
        held = walls & (counts.take(self.line) - self.order == rest)
        self.unbroken_b = _no_break(held[::-1], len(self) - (starts + lengths)[::-1])[::-1]

    @cached_property
    def on_hillock(self) -> Any:  # noqa: ANN401
        """Whether either end is on a hillock."""
        return self._of_line(self.lines.on_hillock)

    @cached_property
    def before_hillock(self) -> Any:  # noqa: ANN401
        """Which are part of a hillock that starts right before an end of their line."""
        if self.ground.hillock is None:
            return np.zeros(len(self), np.bool_)
        hillock = self.ground.hillock.take(self.hex)
        by_a = hillock == self._of_line(self.lines.hillock_by_a)
        return by_a | (hillock == self._of_line(self.lines.hillock_by_b))

    @cached_property
    def along(self) -> Any:  # noqa: ANN401
        """Which lines run along hexsides."""
        return self._of_line(self.lines.vertex_of_a >= 0)

    @cached_property
    def sunken_a(self) -> Any:  # noqa: ANN401
        """How many hexsides of depressions the lines follow from their ends a."""
        return self._of_line(self.lines.sunken_a)

    @cached_property
    def sunken_b(self) -> Any:  # noqa: ANN401
        """How many hexsides of depressions the lines follow from their ends b."""
        return self._of_line(self.lines.sunken_b)

    @cached_property
    def sunken_way(self) -> Any:  # noqa: ANN401
        """Whether the ends are adjacent across a hexside of a depression."""
        return self._of_line(self.lines.sunken_way)

    @cached_property
    def _side(self) -> Ints:
        return np.minimum(self.zone, CENTRE - 1)

    @cached_property
    def zone(self) -> Ints:
        """The hexsides, or CENTRE."""
        return self.ground.cell_zone.take(self.cell)

    @cached_property
    def on_side(self) -> Any:  # noqa: ANN401
        """Which lie on a hexside indeed."""
        return self.zone != CENTRE

    @cached_property
    def drawn(self) -> Any:  # noqa: ANN401
        """Which hexsides have such terrain as a whole."""
        return self.ground.board.facts.side[self.hex, self._side] != ABSENT

    @cached_property
    def _over(self) -> Ints:
        return self.ground.board.grid.neighbours[self.hex, self._side]  # type: ignore[no-any-return]

    @cached_property
    def beyond(self) -> Any:  # noqa: ANN401
        """Which hexsides have a hex beyond."""
        return self._over != NONE

    @cached_property
    def beyond_base(self) -> Any:  # noqa: ANN401
        """The levels of the hexes beyond."""
        return self.ground.hex_base.take(np.maximum(self._over, 0))

    def _range_beyond(self, end: Ints) -> Ints:
        over = np.maximum(self._over, 0)
        return np.where(self._over == NONE, 2, self.ground.board.grid.range(over, end))

    @cached_property
    def beyond_a(self) -> Any:  # noqa: ANN401
        """Hexes from the ends a to the hexes beyond."""
        return self._range_beyond(self.a)

    @cached_property
    def beyond_b(self) -> Any:  # noqa: ANN401
        """Hexes from the ends b to the hexes beyond."""
        return self._range_beyond(self.b)

    @cached_property
    def passes_a(self) -> Any:  # noqa: ANN401
        """Which lines run along a walled spine of hex a and may pass its far end."""
        vertex = self._of_line(self.lines.vertex_of_a)
        return (vertex >= 0) & self.ground.walled_on[self.a, vertex]

    @cached_property
    def passes_b(self) -> Any:  # noqa: ANN401
        """Which lines run along a walled spine of hex b and may pass its far end."""
        vertex = self._of_line(self.lines.vertex_of_b)
        return (vertex >= 0) & self.ground.walled_on[self.b, vertex]

    @cached_property
    def at_spine_end(self) -> Any:  # noqa: ANN401
        """Which hexsides start at the far end of a walled spine of an end's hex."""
        found = np.zeros(len(self), np.bool_)
        for end, near, over in (
            (self.a, self.from_a, self.beyond_a),
            (self.b, self.from_b, self.beyond_b),
        ):
            next_to = (near + over == 3) & (np.maximum(near, over) == 2) & self.beyond
            vertex = vertex_towards(
                self.ground.board.grid, end, np.where(near == 2, self.hex, self._over)
            )
            found |= next_to & (vertex >= 0) & self.ground.walled_on[end, vertex]
        return found


def _no_break(held: Flags, starts: Ints) -> Flags:
    """Whether every meeting of the line up to this one holds."""
    breaks = np.cumsum(~held)
    lengths = np.diff(np.append(starts, held.size))
    before: Ints = breaks[starts] - (~held[starts]).astype(np.int64)
    return breaks == np.repeat(before, lengths)  # type: ignore[no-any-return]
