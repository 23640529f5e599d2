"""Depressions: gullies, streams, sunken roads and their banks, A6.3 and B19.2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.sight.ground.ground_tables import Trait
from hexmarshal.games.asl.sight.hit import no
from hexmarshal.games.asl.sight.rules.citations import Cause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.sight.hit import Amount, Met, Truth

__all__ = ["depressions"]

_WAY = int(Trait.DECK | Trait.ROAD | Trait.BRIDGE)


def depressions(m: Met) -> Iterator[tuple[Truth, Cause]]:
    """Where a line climbs out of the depression of an end too far from the other end.

    ASL-LOS-8 for all of them, ASL-GULLY-2, ASL-STREAM-2 and ASL-SUNK-2 for each.
    """
    if m.any(m.a_depressed):
        yield _climbs_out(m, from_a=True), Cause.DEPRESSION
    if m.any(m.b_depressed):
        yield _climbs_out(m, from_a=False), Cause.DEPRESSION


def _climbs_out(m: Met, *, from_a: bool) -> Truth:
    if from_a:
        bound, bottom, level = m.a_depressed, m.a_level, m.b_level
        to_other, at_other = m.from_b, m.in_b
    else:
        bound, bottom, level = m.b_depressed, m.b_level, m.a_level
        to_other, at_other = m.from_a, m.in_a
    rise = level - bottom
    # Along the depression, and into the next hex of it, one sees from inside; from outside always
    # from the next hex.
    beside = (m.reach == 1) & (rise > 0)
    outside = bound & no(_within(m, bottom) | at_other | beside | m.sunken_way)
    if not m.any(outside):
        return outside
    # Else from as many levels above as there are hexes to go, not counting its own hexsides.
    follows = m.sunken_a if from_a else m.sunken_b
    return outside & ((rise <= 0) | (rise < 2 * m.least(to_other, m.reach - follows)))


def _within(m: Met, bottom: Amount) -> Truth:
    """Down in a depression; under a bridge or the road on it, the depression goes on."""
    dips = m.depressed | m.bridged
    return (m.level <= bottom) | (dips & ((m.level == m.floor) | m.has(_WAY)))
