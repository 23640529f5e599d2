"""Hindrances: terrain that one sees through, but worse, A6.7."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.sight.ground.ground_tables import Trait
from hexmarshal.games.asl.sight.hit import no
from hexmarshal.games.asl.sight.rules.blind_hexes import behind_obstacle
from hexmarshal.games.asl.sight.rules.obstacles import inside_factory

if TYPE_CHECKING:
    from hexmarshal.games.asl.sight.hit import Amount, Met

__all__ = ["hindrances"]

_SPLIT, _THIN, _FACTORY = int(Trait.SPLIT), int(Trait.THIN), int(Trait.FACTORY)
_BARE, _FRAIL, _BRIDGE = int(Trait.BARE), int(Trait.FRAIL), int(Trait.BRIDGE)
_SOFT = int(Trait.HINDRANCE | Trait.THIN)


def hindrances(m: Met) -> Amount:
    """How much each hinders its line.

    ASL-BRUSH-1 ASL-GRAIN-1 ASL-MARSH-2 ASL-CRAG-1 ASL-GRAVE-1 ASL-ORCH-1
    """
    under = m.has(_SPLIT) & (m.level == m.high) & (m.level == m.low)
    hinders = under & m.has(int(Trait.LOWER_HINDRANCE))
    soft, factory = m.has(_SOFT), m.has(_FACTORY)
    if m.any_traits & _FACTORY:
        soft = soft & (no(factory) | inside_factory(m))
    # What stands on higher ground, or is a bridge above both ends, does not hinder below.
    hinders = hinders | (no(under) & soft & (m.level <= m.high) & (m.top > m.high))
    if m.any(m.sloping):
        as_high = (m.full == m.high) & m.sloping & (m.full > m.level)
        hinders = hinders | (as_high & m.has(_FRAIL | _BARE))
        # ASL-BRIDGE-1: a bridge lies in the way of those below it and those above.
        hinders = hinders | (m.has(_BRIDGE) & (m.low < m.level) & (m.level < m.high))
        lower = soft & no(factory) & (m.low < m.full) & (m.full < m.high) & (m.full > m.level)
        if m.any(lower):
            # ASL-ORCH-2: bare trees hinder a view from high above only right before its lower end.
            close = no(m.has(_BARE)) | (m.from_low == 1)
            hexes = behind_obstacle(m, m.full, m.from_high)
            hinders = hinders | (lower & close & (2 * m.from_low <= hexes))
    hinders = hinders & no(m.hexside | m.in_a | m.in_b)
    return m.pick(hinders, m.pick(m.has(_THIN), 2, 1), 0)
