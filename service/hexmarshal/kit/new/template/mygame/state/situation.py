"""A position with the tables: what checks get; and with a ledger: what carries actions out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexmarshal.rules.state.ledger import Ledger
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Applied
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


@dataclass(frozen=True, slots=True)
class Play:
    """The truth while an action is carried out; changes go through the ledger."""

    ledger: Ledger
    tables: Tables

    @property
    def now(self) -> Situation:
        """The situation after all that has happened."""
        return Situation(self.ledger.position, self.tables)

    def close(self) -> Applied:
        """What came of it."""
        return self.ledger.close()
