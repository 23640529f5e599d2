"""Obstacles: what stands between the ends and is higher than a line can pass, A6.2 and A6.4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.sight.ground.ground_tables import Trait
from hexmarshal.games.asl.sight.hit import no
from hexmarshal.games.asl.sight.rules.blind_hexes import behind_obstacle
from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.games.asl.sight.rules.hills import crests, higher_ground

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.sight.hit import Met, Truth

__all__ = ["inside_factory", "obstacles", "standing"]

_BUILDING, _OBSTACLE, _FACTORY = int(Trait.BUILDING), int(Trait.OBSTACLE), int(Trait.FACTORY)
_SPLIT, _THIN, _HILLOCK = int(Trait.SPLIT), int(Trait.THIN), int(Trait.HILLOCK)
_SOFT = int(Trait.FRAIL | Trait.BARE)


def obstacles(m: Met) -> Iterator[tuple[Truth, Cause]]:
    """What stops a line between its ends' hexes, rule by rule: the ground and what stands on it."""
    yield from higher_ground(m)
    yield from standing(m)
    yield from crests(m)


def standing(m: Met) -> Iterator[tuple[Truth, Cause]]:
    """What the terrain does; on ground that is higher than both ends it does nothing more.

    Its heights are those of the catalogue: ASL-WOODS-1 ASL-BLDG-3 ASL-ORCH-3.
    """
    area = no(m.hexside)
    # ASL-ORCH-1: level with the trunks of trees one looks below their crowns.
    under = m.has(_SPLIT) & (m.level == m.high) & (m.level == m.low)
    yield area & under & m.has(int(Trait.LOWER_OBSTACLE)), Cause.HIGHER

    solid = area & m.has(_OBSTACLE) & no(m.has(_THIN))
    if m.any_traits & _FACTORY:
        # A factory stops what passes through it from outside.
        outside = m.has(_FACTORY) & no(inside_factory(m))
        solid, under = solid | (area & outside), under & no(outside)
    over = solid & no(under) & (m.level <= m.high) & (m.top > m.high)
    # ASL-LOS-7 ASL-RUBBLE-1; from a hillock, or right before one, one looks over it: ASL-HILLOCK-1.
    half = over & (m.full <= m.high) & (m.full == m.low)
    if m.any(half):
        yield half & no(m.on_hillock | (m.has(_HILLOCK) & m.before_hillock)), Cause.HALF_LEVEL
    yield over & no(half), Cause.HIGHER

    if not m.any(m.sloping):
        return
    # ASL-HILL-2. Half a storey of roof matters to those alone who are on roofs.
    top = m.pick(m.has(_BUILDING), m.top, m.full)
    as_high = area & m.sloping & (top == m.high) & (top > m.level)
    yield as_high & no(m.has(_SOFT)), Cause.ADVANTAGE
    lower = area & (m.low < m.full) & (m.full < m.high) & (m.full > m.level)
    if m.any(lower):
        top = m.pick(m.roof & m.has(_BUILDING), m.top, m.full)
        hexes = behind_obstacle(m, top, m.from_high)
        yield lower & m.has(_OBSTACLE | _FACTORY) & (2 * m.from_low <= hexes), Cause.BLIND


def inside_factory(m: Met) -> Truth:
    """Lines below the roof between two hexes of a factory see through it, hindered: ASL-FACT-1."""
    return ((m.a_traits & m.b_traits & _FACTORY) != 0) & no(m.roof)
