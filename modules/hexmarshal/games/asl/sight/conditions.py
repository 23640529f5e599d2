"""What a scenario adds to the board: SMOKE, shelling, vehicles, weather, night, alpine hills."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.errors import RulesError
from hexmarshal.games.asl.sight.ground.ground_tables import Trait
from hexmarshal.games.asl.sight.rules.blind_hexes import behind_obstacle
from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.games.asl.sight.rules.night import Lights

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt

    from hexmarshal.games.asl.sight.hit_batch import Meetings
    from hexmarshal.games.asl.sight.lines import Lines
    from hexmarshal.vassal.vasl import Board

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["MOST_SMOKE", "Conditions", "Fog", "Smoke"]

MOST_SMOKE = 3
"""The hindrance of one hex of smoke, whatever is piled up in it."""

_MIST_STEP = 6
"""Mist hinders by one for each so many hexes, or part of them, beyond the first so many."""
_SHELLED_LEVELS = 2


@dataclass(frozen=True, slots=True)
class Smoke:
    """SMOKE in a hex: its hindrance, the level where it starts and how many levels it fills."""

    hindrance: int
    level: int = 0
    rises: int = 2

    def __post_init__(self) -> None:
        if not self.hindrance >= 1 or self.rises < 1:
            raise RulesError(f"smoke of hindrance {self.hindrance} over {self.rises} levels")


@dataclass(frozen=True, slots=True)
class Fog:
    """Fog up to a level of the board: every level of it hinders like smoke."""

    level: int
    hindrance: int

    def __post_init__(self) -> None:
        if self.hindrance < 1:
            raise RulesError(f"fog of hindrance {self.hindrance}")


@dataclass(frozen=True, slots=True)
class Conditions:
    """Given hindrances and limits; hexes by name."""

    smoke: Mapping[str, Smoke] = field(default_factory=dict)
    vehicles: frozenset[str] = frozenset()
    """Hexes with a vehicle or a wreck that is not in bypass: one of hindrance each."""
    weather: int = 0
    """The hindrance of low visibility, on every line."""
    night_range: int | None = None
    """How far one sees at night."""
    lights: Lights = field(default_factory=Lights)
    """What is seen from beyond that range."""
    mist: int = 0
    """1 in mist, rain or falling snow; 2 where rain or snow falls heavily (ASL-MIST-1)."""
    fog: Fog | None = None
    shelling: Mapping[str, int] = field(default_factory=dict)
    """Hexes under the fire of artillery, and the hindrance that it makes of all lines there."""
    entrenched: frozenset[str] = frozenset()
    """Hexes whose ground units are in foxholes or trenches."""
    crest: frozenset[str] = frozenset()
    """Hexes of depressions whose ground units are at their edge, in Crest status."""
    alpine: bool = False
    """Whether hills rise and fall in every hex."""

    def __bool__(self) -> bool:
        return self != _NONE

    @property
    def local(self) -> frozenset[str] | None:
        """The hexes that all of it is about; None if some of it concerns every line."""
        everywhere = self.weather or self.mist or self.fog or self.alpine
        if everywhere or self.night_range is not None:
            return None
        # Lights matter at night alone.
        return frozenset(
            (*self.smoke, *self.vehicles, *self.shelling, *self.entrenched, *self.crest)
        )

    def filled(self, board: Board) -> Flags:
        """Which hexes smoke, shelling or vehicles fill."""
        full = np.zeros(len(board.grid.names), np.bool_)
        full[[board.hex(name) for name in (*self.smoke, *self.vehicles, *self.shelling)]] = True
        return full

    def of_hexes(self, m: Meetings, board: Board) -> tuple[Ints, Ints, Ints]:
        """What smoke, vehicles and shelling add at each meeting; `m` holds all the lines meet."""
        smoke = [
            (board.hex(name), min(s.hindrance, MOST_SMOKE), s.level, s.rises)
            for name, s in self.smoke.items()
        ]
        shells = [
            (board.hex(name), value, 0, _SHELLED_LEVELS) for name, value in self.shelling.items()
        ]
        return _clouds(m, board, smoke), self._vehicles(m, board), _clouds(m, board, shells)

    def _vehicles(self, m: Meetings, board: Board) -> Ints:
        parked = np.zeros(len(board.grid.names), np.bool_)
        parked[[board.hex(name) for name in self.vehicles]] = True
        level = (m.base == m.high) & (m.base == m.low) & (m.hex_traits & int(Trait.WATER) == 0)
        between = (m.hex >= 0) & ~m.in_a & ~m.in_b
        found: Ints = (between & level & parked.take(m.hex)).astype(np.int64)
        return found

    @property
    def causes(self) -> tuple[Cause, Cause, Cause]:
        """What the numbers of `of_hexes` are caused by."""
        return Cause.SMOKE, Cause.VEHICLE, Cause.SHELLING

    def of_lines(self, lines: Lines, inside: Flags) -> Iterator[tuple[Ints, Cause]]:
        """What the weather adds to whole lines; `inside` are those that stay in one building."""
        steps = -(-(lines.range - _MIST_STEP) // _MIST_STEP)
        mist = np.maximum(steps, 0) + self.mist - 1 if self.mist else 0
        yield np.where(inside, 0, self.weather + mist), Cause.WEATHER
        if self.fog is not None:
            # Half levels stand in the level that they are a part of.
            low, high = lines.low // 2, np.minimum(lines.high // 2, self.fog.level)
            foggy = np.maximum(high - low + 1, 0) * self.fog.hindrance
            yield np.where(inside, 0, foggy), Cause.FOG

    def stops(self, m: Meetings, board: Board) -> Iterator[tuple[Flags, Cause]]:
        """Which meetings stop their lines under these conditions, and under no others."""
        if self.alpine:
            # ASL-HILL-5: level lines are stopped by the hills that they cross.
            hill = (m.base > 0) & (m.level == m.base)
            level = (m.base == m.high) & (m.base == m.low)
            yield hill & level & ~m.in_a & ~m.in_b & (m.hex >= 0), Cause.ALPINE
        if self.entrenched:
            yield _over_own_walls(m, board, self.entrenched), Cause.ENTRENCHED

    def beyond_sight(self, lines: Lines) -> Flags:
        """Which lines end in the dark, for the end that asks."""
        if self.night_range is None:
            self.lights.check(lines.ground.board)
            return np.zeros(len(lines), np.bool_)
        return self.lights.unseen(lines, self.night_range)


_NONE = Conditions()


def _clouds(m: Meetings, board: Board, given: list[tuple[int, int, int, int]]) -> Ints:
    """The hindrance of what fills hexes from a level above their ground upwards."""
    if not given:
        return np.zeros(len(m), np.int64)
    count = len(board.grid.names)
    value, bottom, top = (np.zeros(count, np.int64) for _ in range(3))
    for index, hindrance, level, rises in given:
        value[index] = hindrance
        bottom[index] = 2 * (int(board.facts.base[index]) + level)
        top[index] = bottom[index] + 2 * rises
    low, high = bottom.take(m.hex), top.take(m.hex)
    within = (m.low >= low) & (m.high < high)
    a_in = m.in_a & (m.a_level >= low) & (m.a_level < high)
    b_in = m.in_b & (m.b_level >= low) & (m.b_level < high)
    shadow = m.sloping & (m.low < high) & (m.high >= high)
    shadow &= 2 * m.from_low <= behind_obstacle(m, high, m.from_high)
    inner = ~m.in_a & ~m.in_b
    clouded = (m.hex >= 0) & ((inner & (within | shadow)) | a_in | b_in)
    return np.where(clouded, value.take(m.hex), 0)


def _over_own_walls(m: Meetings, board: Board, entrenched: frozenset[str]) -> Flags:
    """Walls and hedges of an entrenched end's hex hide it from non-adjacent ends not above it."""
    trench = np.zeros(len(board.grid.names), np.bool_)
    trench[[board.hex(name) for name in entrenched]] = True
    wall = m.has(int(Trait.WALL)) & m.on_side & m.drawn & (m.reach > 1)
    base = m.ground.hex_base
    by_a = trench[m.a] & (m.a_level == base[m.a]) & (m.b_level <= m.a_level)
    by_b = trench[m.b] & (m.b_level == base[m.b]) & (m.a_level <= m.b_level)
    own_a = (m.level == m.a_level) & (m.in_a | (m.beyond_a == 0))
    own_b = (m.level == m.b_level) & (m.in_b | (m.beyond_b == 0))
    hidden: Flags = wall & ((by_a & own_a) | (by_b & own_b))
    return hidden
