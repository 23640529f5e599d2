"""Hexside terrain: walls and hedges B9.2, bocage B9.52, cliffs B11.21, party walls B23.71."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.sight.ground.ground_tables import Trait
from hexmarshal.games.asl.sight.hit import no
from hexmarshal.games.asl.sight.rules.blind_hexes import behind_bocage, behind_obstacle
from hexmarshal.games.asl.sight.rules.citations import Cause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.sight.hit import Met, Truth

__all__ = ["hexsides"]

_PARTY, _CLIFF = int(Trait.PARTY), int(Trait.CLIFF)
_WALL, _BOCAGE = int(Trait.WALL), int(Trait.BOCAGE)


def hexsides(m: Met) -> Iterator[tuple[Truth, Cause]]:
    """What stops a line at a hexside; `m` holds nothing but hexsides."""
    if m.any_traits & _PARTY:
        yield m.has(_PARTY) & _party_wall(m), Cause.PARTY_WALL
    if m.any_traits & _WALL:
        # ASL-HSW-1: between ends on different levels there is no wall.
        level = m.has(_WALL) & (m.level == m.high) & (m.level == m.low)
        if m.any(level):
            yield level & no(_own(m) | _spine(m) | m.on_hillock), Cause.WALL
    if m.any_traits & _BOCAGE:
        # Only a line along the spine of an end's hex crosses it; others touch its drawing at most.
        yield m.has(_BOCAGE) & no(_own(m) | (_on_spine(m) & no(m.along))) & _bocage(m), Cause.BOCAGE
    if m.any_traits & _CLIFF:
        yield m.has(_CLIFF) & _cliff(m), Cause.CLIFF


def _own(m: Met) -> Truth:
    """Hexsides of an end's hex do not count, nor does paint that strays from its hexside."""
    own = (m.from_a == 0) | (m.from_b == 0) | (m.beyond_a == 0) | (m.beyond_b == 0)
    beside = (m.from_a == 1) | (m.from_b == 1) | m.at_spine_end
    return own | no(m.on_side) | (beside & no(m.drawn))


def _spine(m: Met) -> Truth:
    """Along a wall that starts at a vertex of an end's hex the line is free: B9.2.

    It may also pass the vertex at the far end of that wall, unless walls meet there on all sides.
    """
    free = _on_spine(m)
    for passes, near, over in (
        (m.passes_a, m.from_a, m.beyond_a),
        (m.passes_b, m.from_b, m.beyond_b),
    ):
        free = free | (passes & (near + over == 3) & (m.most(near, over) == 2))
    return free


def _on_spine(m: Met) -> Truth:
    """Whether it is a hexside that starts at a vertex of an end's hex and leads away from it."""
    return ((m.from_a == 1) & (m.beyond_a == 1)) | ((m.from_b == 1) & (m.beyond_b == 1))


def _bocage(m: Met) -> Truth:
    """Bocage hides like a house of one storey in the hex behind it, and along itself as well.

    Unlike a house it has no blind hex for a viewer who is high enough.
    """
    beyond_high = m.pick(m.a_is_high, m.beyond_a, m.beyond_b)
    beyond_low = m.pick(m.a_is_high, m.beyond_b, m.beyond_a)
    to_low = m.least(m.from_low, beyond_low)
    hexes = behind_bocage(m, m.full, m.most(m.from_high, beyond_high))
    hidden = m.sloping & (m.low < m.full) & (m.full < m.high) & (2 * to_low <= hexes)
    return (m.full > m.high) | ((m.full == m.high) & m.sloping) | hidden


def _party_wall(m: Met) -> Truth:
    """A party wall stops lines up to its height, even on the hexsides of their ends.

    It stands where its building ends on the side of the higher end, and like that building hides
    what lies behind it: from roofs as high as its own, and in the hexes that are blind.
    """
    half = (m.full == m.high) & (m.full == m.low) & (m.top > m.full)
    stops = (m.full > m.high) | half | ((m.full == m.high) & m.sloping)
    beyond_high = m.pick(m.a_is_high, m.beyond_a, m.beyond_b)
    beyond_low = m.pick(m.a_is_high, m.beyond_b, m.beyond_a)
    to_high, to_low = m.least(m.from_high, beyond_high), m.most(m.from_low, beyond_low)
    between = m.sloping & m.on_side & (to_high > 0) & (to_high < m.reach)
    top = m.pick(m.roof, m.top, m.full)
    lower = (m.low < m.full) & (m.full < m.high)
    blind = lower & (2 * to_low <= behind_obstacle(m, top, to_high))
    return stops | (between & ((m.top == m.high) | blind))


def _cliff(m: Met) -> Truth:
    """The hexes below a cliff: at least one is blind to a viewer who is not at its edge."""
    upper = m.base >= m.beyond_base
    crest = m.most(m.base, m.beyond_base)
    beyond_high = m.pick(m.a_is_high, m.beyond_a, m.beyond_b)
    beyond_low = m.pick(m.a_is_high, m.beyond_b, m.beyond_a)
    to_edge = m.pick(upper, m.from_high, beyond_high)
    to_foot = m.pick(upper, beyond_high, m.from_high)
    to_lower = m.pick(upper, m.from_low, beyond_low)
    falls = m.drawn & (m.base != m.beyond_base) & (to_edge < to_foot) & (to_edge > 0)
    hidden = 2 * to_lower <= behind_obstacle(m, crest, to_edge)
    return falls & (m.low < crest) & (crest < m.high) & hidden
