"""The piles of tokens and air markers: their names, and who may look into them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.state.kinds import AXIS, SOVIET
from hexmarshal.rules.state.pieces import Pile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.traces_of_war.state.tables import Tables

__all__ = ["AIR", "BOX", "CUP", "DRAWN", "HAND", "PLAYED", "POOLS", "TRACK", "first_piles", "pool"]

POOLS = {SOVIET: "soviet-pool", AXIS: "axis-pool"}
CUP, HAND, DRAWN, PLAYED, TRACK = "cup", "axis-hand", "drawn", "played", "turn-track"
BOX, AIR = "luftwaffe", "luftwaffe-drawn"

_NOBODY: frozenset[str] = frozenset()


def pool(side: str) -> str:
    """The pool of a side's inactive tokens."""
    return POOLS[side]


def first_piles(tables: Tables) -> Iterator[Pile]:
    """TOW-3.0b: the tokens and markers before the first turn.

    TOW-4.2e: nobody may look into the cup, nor into the opponent's pool. How many tokens lie
    where is open, as it is at a table.
    """
    tokens = tables.tokens.values()
    for side, name in POOLS.items():
        cards = tuple(t.id for t in tokens if t.side == side and t.from_turn <= 1)
        yield Pile(name, cards, side, frozenset({side}))
    yield Pile(TRACK, tuple(t.id for t in tokens if t.from_turn > 1))
    yield Pile(PLAYED, tuple(t.id for t in tokens if t.side == "both"))
    yield Pile(DRAWN)
    yield Pile(CUP, known_to=_NOBODY)
    yield Pile(HAND, (), AXIS, frozenset({AXIS}))
    # Who saw what is left in the box would know what was drawn from it.
    yield Pile(BOX, tables.air_markers, known_to=_NOBODY)
    yield Pile(AIR, (), AXIS, frozenset({AXIS}))
