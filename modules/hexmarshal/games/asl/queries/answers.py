"""The answers to questions about fire, movement, rout and close combat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.queries import (
    close_queries,
    fire_queries,
    movement_queries,
    quality_queries,
)

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.values import Record
    from hexmarshal.rules.verdict import Answer

__all__ = ["answer"]

_ANSWERS = {
    "attack": fire_queries.attack,
    "odds": fire_queries.odds,
    "firers": fire_queries.firers,
    "fire_table": fire_queries.fire_table,
    "reach": movement_queries.reach,
    "movement_factors": movement_queries.factors,
    "rout": movement_queries.rout_places,
    "close_combat": close_queries.close_combat,
    "ambush": close_queries.ambush,
    "concealment": close_queries.concealment,
    "prisoners": close_queries.prisoners,
    "vehicle": close_queries.vehicle,
    "stack": movement_queries.stack,
    "quality": quality_queries.quality,
    "nation": quality_queries.nation,
}


def answer(now: Situation, name: str, params: Record) -> Answer:
    """The answer to one of the declared questions."""
    return _ANSWERS[name](now, params)
