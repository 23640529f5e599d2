"""What the rules write into: the ledger of one action with the map and the tables around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.state.situation import Situation
from hexmarshal.kit.game import Execution

if TYPE_CHECKING:
    from hexmarshal.games.traces_of_war.state.tables import Tables

__all__ = ["Play"]


class Play(Execution[Situation]):
    """One action being carried out."""

    __slots__ = ()

    @property
    def tables(self) -> Tables:
        """The tables of the game."""
        return self.now.tables
