"""Where a log begins: at the start of its scenario, or in a game that is under way."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.referee.case.table_comparison import apart
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.bookkeeping import Books
    from hexmarshal.table.reading.sightings import UnitSighting

__all__ = ["is_start", "started"]


def is_start(
    read: Position, start: Position, shown: Mapping[str, UnitSighting], books: Books
) -> bool:
    """Whether a position that was read off the table is the start of its scenario.

    The order within stacks and decks, and what is only there to help the players, may differ; so
    may tracks, which the table shows: players agree on handicaps.
    """
    if not start.scenario or (read.turn, read.phase, read.board) != (
        start.turn,
        start.phase,
        start.board,
    ):
        return False
    units = dict.fromkeys((*read.units, *start.units))
    return (
        not any(apart(start, shown, unit) for unit in units)
        and all(item.of == "track" for item in books.changed(start, read))
        and all(
            Counter(read.pile(name).cards) == Counter(start.pile(name).cards)
            for name in dict.fromkeys((*read.piles, *start.piles))
        )
    )


def started(read: Position, start: Position) -> Position:
    """The start of the scenario with the stacks and decks in the order of the table."""
    units = {
        unit.id: replace(unit, rank=read.units[unit.id].rank) if unit.id in read.units else unit
        for unit in start.units.values()
    }
    return replace(
        start, units=FrozenMap(units), piles=read.piles, tracks=read.tracks, generator=None
    )
