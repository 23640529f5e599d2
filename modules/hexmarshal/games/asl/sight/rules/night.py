"""Night: how far one sees, and the lights that are seen from farther away."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from hexmarshal.games.asl.sight.lines import Lines
    from hexmarshal.vassal.vasl import Board

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["Lights", "Wheels"]


class Wheels(Enum):
    """What a moving vehicle runs on; tracks are heard and seen from farther away."""

    WHEELS = "wheels"
    TRACKS = "tracks"

    def reach(self, night_range: int) -> int:
        """From how far it is seen while it moves."""
        if self is Wheels.TRACKS:
            return 2 * night_range or 2
        return -(-3 * night_range // 2) or 1


@dataclass(frozen=True, slots=True)
class Lights:
    """What is seen beyond the night visibility range; hexes by name."""

    lit: frozenset[str] = frozenset()
    """Hexes that starshells, fires or flares illuminate."""
    flashes: frozenset[str] = frozenset()
    """Hexes where somebody fires or fights: gunflashes."""
    moving: Mapping[str, Wheels] = field(default_factory=dict)
    """Hexes of moving vehicles."""

    def check(self, board: Board) -> None:
        """Refuse hexes that are not there, by day, too."""
        for name in (*self.lit, *self.flashes, *self.moving):
            board.hex(name)

    def unseen(self, lines: Lines, night_range: int) -> Flags:
        """Which lines end in the dark for the end that asks: ASL-NVR-1 ASL-NVR-2 ASL-NVR-8."""
        if night_range < 0:
            raise RulesError(f"a night visibility range of {night_range}")
        board = lines.ground.board
        viewer = np.where(lines.swapped, lines.b.hex, lines.a.hex)
        target = np.where(lines.swapped, lines.a.hex, lines.b.hex)
        lit, flash = _flags(board, self.lit), _flags(board, self.flashes)
        reach = np.full(len(board.grid.names), night_range)
        for name, wheels in self.moving.items():
            reach[board.hex(name)] = wheels.reach(night_range)
        # Who stands in the light sees nothing of the dark.
        near = ~lit[viewer] & (lines.range <= reach[target])
        return ~(near | lit[target] | flash[target])


def _flags(board: Board, names: frozenset[str]) -> Flags:
    found = np.zeros(len(board.grid.names), np.bool_)
    found[[board.hex(name) for name in names]] = True
    return found
