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
_AXIS = frozenset({AXIS})


def pool(side: str) -> str:
    """The pool of a side's inactive tokens."""
    return POOLS[side]


def first_piles(tables: Tables) -> Iterator[Pile]:
    """TOW-3.0b: the tokens and markers before the first turn.

    TOW-4.2e: nobody may look into the cup, nor into the opponent's pool. TOW-4.2b: how many tokens
    the Axis player keeps back is his secret, and who could count those in the cup would know it; he
    himself knows both.
    """
    tokens = tables.tokens.values()
    for side, name in POOLS.items():
        cards = tuple(t.id for t in tokens if t.side == side and t.from_turn <= 1)
        yield Pile(name, cards, side, frozenset({side}))
    yield Pile(TRACK, tuple(t.id for t in tokens if t.from_turn > 1))
    yield Pile(PLAYED, tuple(t.id for t in tokens if t.side == "both"))
    yield Pile(DRAWN)
    yield Pile(CUP, known_to=_NOBODY, seen_by=_AXIS)
    yield Pile(HAND, (), AXIS, _AXIS, seen_by=_AXIS)
    # Who saw what is left in the box would know what was drawn from it.
    yield Pile(BOX, tables.air_markers, known_to=_NOBODY)
    # TOW-4.1: how many were drawn is in the table, how many were used is seen by all.
    yield Pile(AIR, (), AXIS, _AXIS)
