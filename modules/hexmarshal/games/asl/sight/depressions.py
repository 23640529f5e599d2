"""Depressions: gullies, streams, sunken roads and their banks, A6.3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.sight.citations import Cause
from hexmarshal.games.asl.sight.ground import Trait
from hexmarshal.games.asl.sight.met import no

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.sight.met import Met, Truth

__all__ = ["depressions"]

_BRIDGE, _WAY = int(Trait.BRIDGE), int(Trait.DECK | Trait.ROAD | Trait.BRIDGE)


def depressions(m: Met) -> Iterator[tuple[Truth, Cause]]:
    """Where a line leaves the depression of an end too early.

    From the hex in which it leaves, the other end must be at least as many levels higher as it is
    hexes away.
    """
    if m.any(m.a_depressed):
        yield _leaves(m, from_a=True), Cause.DEPRESSION
    if m.any(m.b_depressed):
        yield _leaves(m, from_a=False), Cause.DEPRESSION


def _leaves(m: Met, *, from_a: bool) -> Truth:
    """Outside the depression of one end, and too far from the other."""
    if from_a:
        bound, bottom, level = m.a_depressed, m.a_level, m.b_level
        to_other, near, at_other = m.from_b, m.near_b, m.in_b
    else:
        bound, bottom, level = m.b_depressed, m.b_level, m.a_level
        to_other, near, at_other = m.from_a, m.near_a, m.in_a
    rise = level - bottom
    bound = bound & ((rise <= 0) | ((rise <= 2 * m.reach) & (m.reach != 1)))
    bound = bound & no(at_other) & (2 * to_other > rise)
    # Below a bridge the depression goes on, whatever the bridge is drawn over.
    bridged = (m.hex_traits & _BRIDGE) != 0
    floor = m.pick(bridged, m.base - 2, m.base)
    inside = (m.level <= bottom) | ((m.depressed | bridged) & (m.level == floor))
    inside = inside | (m.depressed & m.has(_WAY))
    # The bank between the last hex of the depression and a higher viewer beside it.
    bank = near & (level > m.base) & m.depressed
    return bound & no(inside | bank | m.sunken_way)
