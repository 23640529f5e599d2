"""Sight on a board: ask about one line, about many, or about all that one location sees."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.errors import UsageError
from hexmarshal.games.asl.sight.answer_table import AnswerTable, table_of
from hexmarshal.games.asl.sight.conditions import Conditions
from hexmarshal.games.asl.sight.decide import judge
from hexmarshal.games.asl.sight.ground.ground_tables import Ground
from hexmarshal.games.asl.sight.ground.profiles import look_one
from hexmarshal.games.asl.sight.ground.scalar_ground import PlainGround
from hexmarshal.games.asl.sight.hit_single import End
from hexmarshal.games.asl.sight.lines import AT_CENTRE, EndTable, Lines
from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.games.asl.sight.tally import NOWHERE, blocks
from hexmarshal.rules.copying import quick
from hexmarshal.vassal.vasl.hexes import ABSENT

if TYPE_CHECKING:
    import numpy.typing as npt

    from hexmarshal.vassal.vasl import Board

    Ints = npt.NDArray[np.int64]
    Spots = tuple[Ints, Ints, Ints | None]

__all__ = ["Answer", "Answers", "Sight", "Spot"]

_CAUSES = tuple(Cause)
_INHERENT_STAIRS = frozenset({"Stone Building, 1 Level", "Wooden Building, 1 Level"})


@quick
@dataclass(frozen=True, slots=True)
class Spot:
    """A location: a hex, a level above its ground, and a vertex for a unit in bypass."""

    hex: str
    level: int = 0
    vertex: int | None = None
    """0 is the left one at the top; the others follow clockwise."""

    def __str__(self) -> str:
        level = f" level {self.level}" if self.level else ""
        vertex = f" vertex {self.vertex}" if self.vertex is not None else ""
        return f"{self.hex}{level}{vertex}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one line."""

    range: int
    blocked: bool
    hindrance: int
    cause: Cause
    at: str
    """The hex where it is stopped or first hindered; empty for a line without either."""

    @property
    def rule(self) -> str:
        """The rule that stops or hinders it."""
        return self.cause.rule


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What became of many lines, as arrays."""

    range: Ints
    blocked: npt.NDArray[np.bool_]
    hindrance: Ints
    cause: Ints
    """Numbers of `Cause`."""
    at: Ints
    """Indices of hexes, or -1."""


class Sight:
    """Lines of sight on one board or map, under given conditions."""

    def __init__(
        self, board: Board, conditions: Conditions | None = None, ground: Ground | None = None
    ) -> None:
        self.board = board
        self.ground = Ground(board) if ground is None else ground
        self.conditions = conditions or Conditions()
        self.table: AnswerTable | None = None
        """What was decided before, for lines under no conditions; `decide_all` makes it."""

    def decide_all(self) -> None:
        """Decide all lines between locations now, so that later each is only looked up."""
        if self.table is None:
            self.table = table_of(self.board, Sight(self.board, ground=self.ground).answers)

    @cached_property
    def _ends_table(self) -> EndTable:
        return EndTable(self.ground, self.conditions.crest)

    @cached_property
    def _plain(self) -> PlainGround:
        return PlainGround(self.ground)

    def under(self, conditions: Conditions) -> Sight:
        """The same board under other conditions; what was prepared is shared."""
        other = copy(self)
        other.conditions = conditions
        other.__dict__.pop("_filled", None)
        if conditions.crest != self.conditions.crest:
            other.__dict__.pop("_ends_table", None)
            other.__dict__.pop("_ends", None)
        return other

    def answer(self, a: Spot, b: Spot) -> Answer:
        """Whether a sees b."""
        one, two = self.board.hex(a.hex), self.board.hex(b.hex)
        centres = a.vertex is None and b.vertex is None
        if centres and (not self.conditions or self._passes_clear(one, two)):
            return self._on_board(one, a.level, two, b.level)
        return self._only(self._judge(self._spots([a]), self._spots([b])))

    def _only(self, found: Answers) -> Answer:
        values = (found.range, found.cause, found.hindrance, found.at)
        reach, cause, hindrance, at = (int(value[0]) for value in values)
        return self._answer(reach, _CAUSES[cause], hindrance, at)

    def between(self, one: int, one_level: int, two: int, two_level: int) -> Answer:
        """The same for the centres of hexes by index, as quickly as can be."""
        if self.conditions and not self._passes_clear(one, two):
            parts = (np.array([part]) for part in (one, one_level, two, two_level))
            return self._only(self.answers(*parts))
        return self._on_board(one, one_level, two, two_level)

    def _on_board(self, one: int, one_level: int, two: int, two_level: int) -> Answer:
        """A line that only the board decides."""
        if self.table is not None:
            known = self.table.one(one, one_level, two, two_level)
            if known is not None:
                cause, hindrance, at = known
                reach = self.board.grid.distance(one, two)
                return self._answer(reach, _CAUSES[cause], hindrance, at)
        return self._decided(one, one_level, two, two_level)

    @cached_property
    def _filled(self) -> list[tuple[int, int]] | None:
        """The centres of the hexes that conditions are about; None for those of the whole map."""
        named = self.conditions.local
        if named is None:
            return None
        self.conditions.lights.check(self.board)
        grid = self.board.grid
        return [(int(grid.x[i]), int(grid.y[i])) for i in map(self.board.hex, named)]

    def _passes_clear(self, one: int, two: int) -> bool:
        """Whether a line stays clear of every hex that the conditions are about.

        Farther from its centre than its vertices are no line touches a hex, nor runs beside it.
        """
        filled = self._filled
        if filled is None:
            return False
        grid = self.board.grid
        ax, ay = int(grid.x[one]), int(grid.y[one])
        dx, dy = int(grid.x[two]) - ax, int(grid.y[two]) - ay
        length = dx * dx + dy * dy
        radius = 2 * max(x * x + y * y for x, y in grid.spokes)
        for x, y in filled:
            px, py = x - ax, y - ay
            along = px * dx + py * dy
            if along <= 0:
                near = px * px + py * py <= radius
            elif along >= length:
                near = (px - dx) ** 2 + (py - dy) ** 2 <= radius
            else:
                near = (px * dy - py * dx) ** 2 <= radius * length
            if near:
                return False
        return True

    def _decided(self, one: int, one_level: int, two: int, two_level: int) -> Answer:
        plain = self._plain
        if one == two:
            cause = self._within(one, one_level, two_level)
            return self._answer(0, cause, 0, one if cause.blocks else NOWHERE)
        if self.ground.direction.comes_after(one, two):
            one, one_level, two, two_level = two, two_level, one, one_level
        a, b = self._end(one, one_level), self._end(two, two_level)
        cause, hindrance, at = plain.decide(a, b, *self._met(one, two))
        return self._answer(plain.range(one, two), cause, hindrance, at)

    def answers(self, one: Ints, one_level: Ints, two: Ints, two_level: Ints) -> Answers:
        """Whether hexes see hexes, at those levels above their ground; hexes by index."""
        if self.table is not None and not self.conditions:
            known = self.table.find(one, one_level, two, two_level)
            if known is not None:
                cause, hindrance, at = known
                reach = self.board.grid.range(one, two)
                return Answers(reach, blocks(cause), hindrance, cause, at)
        return self._judge((one, one_level, None), (two, two_level, None))

    def field(self, spot: Spot, level: int | None = None) -> Answers:
        """What a location sees of every hex: its ground or, where it has that level, the level."""
        count = len(self.board.grid.names)
        every = np.arange(count)
        levels = np.zeros(count, np.int64)
        if level is not None:
            has = [
                any(known.above == level for known in hex_levels)
                for hex_levels in self.board.levels
            ]
            levels[np.array(has)] = level
        one = np.repeat(self._spots([spot])[0], count)
        vertex = None if spot.vertex is None else np.full(count, spot.vertex)
        none = None if vertex is None else np.full(count, AT_CENTRE)
        return self._judge((one, np.full(count, spot.level), vertex), (every, levels, none))

    def other_levels(self, spot: Spot) -> dict[int, dict[int, int]]:
        """The storeys, roofs, bridges and cellars that a location sees, with their hindrance."""
        levels = self.board.levels
        seen: dict[int, dict[int, int]] = {}
        for above in sorted({level.above for known in levels for level in known} - {0}):
            found = self.field(spot, above)
            for index, known in enumerate(levels):
                if not found.blocked[index] and any(level.above == above for level in known):
                    seen.setdefault(index, {})[above] = int(found.hindrance[index])
        return dict(sorted(seen.items()))

    def elevation(self, spot: Spot) -> float:
        """How high the eyes of a location are, as lines from it are judged: ASL-ROOF-1."""
        hexes, level, vertex = self._spots([spot])
        return float(self._ends_table.ends(hexes, level, vertex).level[0]) / 2

    def _spots(self, spots: list[Spot]) -> tuple[Ints, Ints, Ints]:
        for spot in spots:
            self.board.level(self.board.hex(spot.hex), spot.level)
            if spot.vertex is not None and not 0 <= spot.vertex < 6:
                raise UsageError(f"hex {spot.hex} has vertices from 0 to 5, not {spot.vertex}")
        return (
            np.array([self.board.hex(spot.hex) for spot in spots], np.int64),
            np.array([spot.level for spot in spots], np.int64),
            np.array([AT_CENTRE if s.vertex is None else s.vertex for s in spots], np.int64),
        )

    def _judge(self, one: Spots, two: Spots) -> Answers:
        same = one[0] == two[0]
        if one[2] is not None and two[2] is not None:
            same &= (one[2] == AT_CENTRE) | (two[2] == AT_CENTRE)
        if not same.any():
            lines = Lines.between(self._ends_table, one, two)
            found = judge(lines, self.conditions)
            return Answers(lines.range, found.blocked, found.hindrance, found.cause, found.at)
        return self._with_same(one, two, same)

    def _with_same(self, one: Spots, two: Spots, same: npt.NDArray[np.bool_]) -> Answers:
        """Lines inside of one hex have a rule of their own; the others are judged as always."""
        cause = np.zeros(same.size, np.int64)
        for i in np.flatnonzero(same).tolist():
            cause[i] = self._within(int(one[0][i]), int(one[1][i]), int(two[1][i]))
        blocked, none = cause != 0, np.zeros(same.size, np.int64)
        at = np.where(blocked, one[0], NOWHERE)
        whole = Answers(none.copy(), blocked, none.copy(), cause, at)
        others = np.flatnonzero(~same)
        if others.size:
            parts = ([None if p is None else p[others] for p in side] for side in (one, two))
            some = self._judge(*(tuple(part) for part in parts))  # type: ignore[arg-type]
            for name in ("range", "blocked", "hindrance", "cause", "at"):
                getattr(whole, name)[others] = getattr(some, name)
        return whole

    def _within(self, index: int, one: int, two: int) -> Cause:
        """Inside of one hex: stairs join levels of a building, and nobody sees under a bridge."""
        kinds = {self.board.level(index, level).kind for level in (one, two)}
        if one == two:
            return Cause.CLEAR
        if "bridge" in kinds:
            return Cause.BRIDGE
        stairs = bool(self.board.facts.stairway[index])
        building = int(self.board.facts.building[index])
        if building != ABSENT:
            storeys = self.board.catalogue.by_code[building].name
            stairs |= storeys in _INHERENT_STAIRS
        # From the rooftop one looks down the way up to it, into the highest storey.
        stairs |= "rooftop" in kinds
        return Cause.CLEAR if stairs and abs(one - two) == 1 else Cause.STAIRS

    def _end(self, index: int, level: int) -> End:
        known = self._ends.get((index, level))
        if known is None:
            self.board.level(index, level)
            ends = self._ends_table.ends(np.array([index]), np.array([level]))
            known = End(
                index,
                int(ends.level[0]),
                depressed=bool(ends.in_depression[0]),
                roof=bool(ends.on_roof[0]),
            )
            self._ends[index, level] = known
        return known

    @cached_property
    def _ends(self) -> dict[tuple[int, int], End]:
        return {}

    def _met(self, one: int, two: int) -> tuple[list[int], list[int], int]:
        profiles = self.ground.profiles_for(1)
        if profiles is not None:
            return profiles.one(one, two)
        cells = look_one(self.ground, one, two)
        return cells, list(range(len(cells))), len(cells)

    def _answer(self, reach: int, cause: Cause, hindrance: int, at: int) -> Answer:
        where = self.board.grid.names[at] if at != NOWHERE else ""
        return Answer(reach, cause.blocks, hindrance, cause, where)
