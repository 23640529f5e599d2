"""Units that a game has taken off the map: where some are, the game is under way."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

__all__ = ["fallen"]


def fallen(position: Position, start: Position) -> tuple[Unit, ...]:
    """Those that start on the map and lie in a box where nobody starts, as the losses."""
    filled = {unit.box for unit in start.units.values()}
    return tuple(
        unit
        for unit in position.units.values()
        if unit.box not in filled
        and unit.id in start.units
        and start.units[unit.id].cell
        and not unit.carrier
    )
