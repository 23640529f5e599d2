"""A position with the tables: what checks get; and with a ledger: what carries actions out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.kit.game import Execution

if TYPE_CHECKING:
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from mygame.state.tables import Tables

__all__ = ["Play", "Situation"]


@dataclass(frozen=True, slots=True)
class Situation:
    """What a side knows, and the tables."""

    position: Position
    tables: Tables

    def enemies_beside(self, cell: str, side: str) -> list[Unit]:
        """The enemies in the hexes around a hex."""
        around = self.tables.cost[cell]
        return [unit for near in around for unit in self.position.at(near) if unit.side != side]


class Play(Execution[Situation]):
    """The truth while an action is carried out: changes go through it, `now` is what is so far."""

    __slots__ = ()
