"""What a scenario adds to the board: SMOKE, vehicles and wrecks, weather and night."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.errors import RulesError
from hexmarshal.games.asl.sight.blind import behind_obstacle
from hexmarshal.games.asl.sight.citations import Cause

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from hexmarshal.games.asl.sight.meetings import Meetings
    from hexmarshal.vassal.vasl import Board

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["MOST_SMOKE", "Conditions", "Smoke"]

MOST_SMOKE = 3
"""The hindrance of one hex of smoke, whatever is piled up in it."""


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
class Conditions:
    """Given hindrances and limits; hexes by name."""

    smoke: Mapping[str, Smoke] = field(default_factory=dict)
    vehicles: frozenset[str] = frozenset()
    """Hexes with a vehicle or a wreck that is not in bypass: one of hindrance each."""
    weather: int = 0
    """The hindrance of low visibility, on every line."""
    night_range: int | None = None
    """How far one sees at night."""

    def __bool__(self) -> bool:
        return bool(self.smoke or self.vehicles or self.weather or self.night_range is not None)

    def filled(self, board: Board) -> Flags:
        """Which hexes smoke or vehicles fill."""
        full = np.zeros(len(board.grid.names), np.bool_)
        full[[board.hex(name) for name in (*self.smoke, *self.vehicles)]] = True
        return full

    def of_hexes(self, m: Meetings, board: Board) -> tuple[Ints, Ints]:
        """What smoke and vehicles add at each meeting; `m` holds all that the lines meet."""
        count = len(board.grid.names)
        value, bottom, top = (np.zeros(count, np.int64) for _ in range(3))
        for name, smoke in self.smoke.items():
            index = board.hex(name)
            value[index] = min(smoke.hindrance, MOST_SMOKE)
            bottom[index] = 2 * (int(board.facts.base[index]) + smoke.level)
            top[index] = bottom[index] + 2 * smoke.rises
        wreck = np.zeros(count, np.bool_)
        wreck[[board.hex(name) for name in self.vehicles]] = True
        there = m.hex >= 0
        low, high = bottom.take(m.hex), top.take(m.hex)
        within = (m.low >= low) & (m.high < high)
        a_in = m.in_a & (m.a_level >= low) & (m.a_level < high)
        b_in = m.in_b & (m.b_level >= low) & (m.b_level < high)
        shadow = m.sloping & (m.low < high) & (m.high >= high)
        shadow &= 2 * m.from_low <= behind_obstacle(m, high, m.from_high)
        inner = ~m.in_a & ~m.in_b
        smoked = there & ((inner & (within | shadow)) | a_in | b_in)
        level = (m.base == m.high) & (m.base == m.low)
        blocked_by = there & inner & level & wreck.take(m.hex)
        return np.where(smoked, value.take(m.hex), 0), blocked_by.astype(np.int64)

    def beyond_sight(self, ranges: Ints) -> Flags:
        """Which lines are longer than one sees at night."""
        if self.night_range is None:
            return np.zeros(ranges.shape, np.bool_)
        return ranges > self.night_range

    @property
    def causes(self) -> tuple[Cause, Cause]:
        """What the two numbers of `of_hexes` are caused by."""
        return Cause.SMOKE, Cause.VEHICLE
