"""Hexside terrain: walls and hedges B9.2, bocage B9.52, cliffs B11, party walls B23.71."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.sight.citations import Cause
from hexmarshal.games.asl.sight.ground import Trait
from hexmarshal.games.asl.sight.met import no
from hexmarshal.games.asl.sight.obstacles import blind_hexes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.sight.met import Met, Truth

__all__ = ["hexsides"]

_PARTY, _CLIFF = int(Trait.PARTY), int(Trait.CLIFF)
_WALL, _BOCAGE = int(Trait.WALL), int(Trait.BOCAGE)


def hexsides(m: Met) -> Iterator[tuple[Truth, Cause]]:
    """What stops a line at a hexside; `m` holds nothing but hexsides."""
    if m.any_traits & _PARTY:
        yield m.has(_PARTY) & _party_wall(m), Cause.PARTY_WALL
    if m.any_traits & (_WALL | _BOCAGE):
        level = m.has(_WALL) & (m.level == m.high) & (m.level == m.low)
        bocage = m.has(_BOCAGE)
        if m.any(level | bocage):
            stands = no(_own(m))
            yield level & stands, Cause.WALL
            yield bocage & stands & _bocage(m), Cause.BOCAGE
    if m.any_traits & _CLIFF:
        yield m.has(_CLIFF) & _cliff(m), Cause.CLIFF


def _own(m: Met) -> Truth:
    """Hexsides that do not count because they belong to an end: those of its hex and its spines.

    A spine is a hexside that starts at a vertex of the end's hex. Along a walled spine the line
    may also pass the vertex at its far end, if no more than one wall goes on from there: B9.321.
    """
    own = no(m.on_side)
    for near, over, passes in (
        (m.from_a, m.beyond_a, m.passes_a),
        (m.from_b, m.beyond_b, m.passes_b),
    ):
        own = own | (near == 0) | (over == 0)
        # Beside the hex of the end the drawing of a wall may stray over a bare hexside.
        own = own | ((near == 1) & ((over == 1) | no(m.drawn)))
        own = own | (passes & (near + over == 3) & (m.most(near, over) == 2))
    return own


def _bocage(m: Met) -> Truth:
    """Bocage is an obstacle of one level on a hexside, and blinds like one."""
    hidden = m.sloping & (m.low < m.full)
    hidden = hidden & (2 * m.from_low <= blind_hexes(m, m.full, m.from_high))
    return (m.full > m.high) | ((m.full == m.high) & m.sloping) | hidden


def _party_wall(m: Met) -> Truth:
    """A party wall stops lines up to its height even on the hexsides of their ends.

    The hex beyond it, seen from above, is its first blind hex.
    """
    half = (m.full == m.high) & (m.full == m.low) & (m.top > m.full)
    hexes = blind_hexes(m, m.full, m.most(m.from_high - 1, 0 * m.from_high))
    hidden = m.sloping & (m.low < m.full) & (2 * m.from_low + 2 <= hexes)
    return (m.full > m.high) | half | ((m.full == m.high) & m.sloping) | hidden


def _cliff(m: Met) -> Truth:
    """The hexes below a cliff: blind as behind an obstacle, for a viewer not at its edge."""
    upper = m.base >= m.beyond_base
    crest = m.most(m.base, m.beyond_base)
    here_high = m.from_high
    beyond_high = m.pick(m.a_is_high, m.beyond_a, m.beyond_b)
    beyond_low = m.pick(m.a_is_high, m.beyond_b, m.beyond_a)
    to_edge = m.pick(upper, here_high, beyond_high)
    to_foot = m.pick(upper, beyond_high, here_high)
    to_lower = m.pick(upper, m.from_low, beyond_low)
    falls = m.beyond & (m.base != m.beyond_base) & (to_edge < to_foot) & (to_edge > 0)
    hidden = 2 * to_lower <= blind_hexes(m, crest, to_edge)
    return falls & (m.low < crest) & (crest < m.high) & hidden
