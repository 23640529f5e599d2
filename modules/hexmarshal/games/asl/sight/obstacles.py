"""Obstacles, hills and hindrances: A6.2, A6.4, A6.7, B10.2 and B10.23."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.sight.citations import Cause
from hexmarshal.games.asl.sight.ground import Trait
from hexmarshal.games.asl.sight.met import no

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.sight.met import Amount, Met, Truth

__all__ = ["blind_hexes", "hindrances", "obstacles"]

_BUILDING, _OBSTACLE, _FACTORY = int(Trait.BUILDING), int(Trait.OBSTACLE), int(Trait.FACTORY)
_SPLIT, _THIN, _DECK = int(Trait.SPLIT), int(Trait.THIN), int(Trait.DECK)
_BARE, _FRAIL, _WATER = int(Trait.BARE), int(Trait.FRAIL), int(Trait.WATER)
_SOFT, _CLIFF = int(Trait.HINDRANCE | Trait.THIN), int(Trait.CLIFF)


def blind_hexes(m: Met, top: Amount, from_high: Amount, *, crest: bool = False) -> Amount:
    """How many hexes behind something of that height are blind, times two: A6.4, B10.23.

    Behind an obstacle at least one hex: one more for each level of its height and for each five
    hexes to the viewer, one less for each level by which the viewer is higher than needed. A
    crest line has one less, and so may have none.
    """
    hexes = 2 * top + 2 * (from_high // 5) - m.high - m.low
    return m.most(hexes, 0 * hexes) if crest else m.most(hexes + 2, 2 + 0 * hexes)


def obstacles(m: Met) -> Iterator[tuple[Truth, Cause]]:
    """What stops a line between its ends' hexes, rule by rule."""
    area = no(m.hexside)
    ground = no(m.has(_DECK))
    if m.any_traits & _CLIFF:
        # Along a cliff the line is free: only the ground at its foot counts.
        ground = ground & no(m.has(_CLIFF) & m.along & (m.beyond_a == m.from_a))
    yield ground & (m.level > m.high), Cause.GROUND

    under = m.has(_SPLIT) & (m.level == m.high) & (m.level == m.low)
    yield area & under & m.has(int(Trait.LOWER_OBSTACLE)), Cause.HIGHER

    solid = m.has(_OBSTACLE) & no(m.has(_THIN))
    if m.any_traits & _FACTORY:
        # A factory stops what passes through it from outside.
        solid |= m.has(_FACTORY) & no(_inside_factory(m))
    over = area & no(under) & (m.top > m.high) & solid
    half = over & (m.full <= m.high) & (m.full == m.low)
    yield half, Cause.HALF_LEVEL
    yield over & no(half), Cause.HIGHER

    if not m.any(m.sloping):
        return
    yield from _as_high(m, area, ground)
    hidden = area & (m.low < m.full) & (m.full < m.high) & (m.full > m.level)
    if m.any(hidden):
        top = m.pick(m.roof & m.has(_BUILDING), m.top, m.full)
        blocking = m.has(_OBSTACLE | _FACTORY)
        yield hidden & blocking & (2 * m.from_low <= blind_hexes(m, top, m.from_high)), Cause.BLIND
    crest = ground & (m.low < m.level) & (m.level < m.high)
    if m.any(crest):
        hexes = blind_hexes(m, m.level, m.from_high, crest=True)
        yield crest & (2 * m.from_low <= hexes), Cause.CREST


def _as_high(m: Met, area: Truth, ground: Truth) -> Iterator[tuple[Truth, Cause]]:
    """What is exactly as high as the higher end hides what is lower: A6.2, B10.2."""
    top = m.pick(m.has(_BUILDING), m.top, m.full)
    if m.any_traits & _BARE:
        top = m.pick(m.has(_BARE), m.level, top)
    level_with = ground & m.sloping & (top == m.high) & (area | (m.full == m.level))
    if not m.any(level_with):
        return
    flat = top == m.level
    low = top - m.level < 2
    # B10.2 EXC: ground of the viewer's level that reaches into the lower hex next to it.
    spur = (m.near_a & (m.a_level > m.base)) | (m.near_b & (m.b_level > m.base))
    level_with &= no(flat & spur)
    # A6.3: a line into or out of a depression runs over the banks of its hexes.
    level_with &= no((m.a_depressed | m.b_depressed) & m.depressed & low)
    # The bank beside a viewer who looks down on water does not hide the water.
    down = (m.from_a == 1) & (m.a_level > m.b_level) & ((m.b_traits & _WATER) != 0)
    up = (m.from_b == 1) & (m.b_level > m.a_level) & ((m.a_traits & _WATER) != 0)
    level_with &= no((down | up) & low & ((m.hex_traits & _WATER) != 0))
    yield level_with & flat, Cause.PLATEAU
    yield level_with & no(flat | m.has(_FRAIL | _BARE)), Cause.ADVANTAGE


def _inside_factory(m: Met) -> Truth:
    """Lines between two hexes of a factory see through it, hindered: B23.74."""
    return (m.a_traits & m.b_traits & _FACTORY) != 0


def hindrances(m: Met) -> Amount:
    """How much it hinders the line: A6.7."""
    under = m.has(_SPLIT) & (m.level == m.high) & (m.level == m.low)
    hinders = under & m.has(int(Trait.LOWER_HINDRANCE))
    soft, factory = m.has(_SOFT), m.has(_FACTORY)
    if m.any_traits & _FACTORY:
        soft = soft & (no(factory) | _inside_factory(m))
    # A line that passes below a bridge is not hindered by it.
    passes = no(m.has(_DECK) & (m.level > m.high))
    hinders = hinders | (no(under) & soft & passes & (m.top > m.high))
    if m.any(m.sloping):
        as_high = (m.full == m.high) & m.sloping & (m.full > m.level)
        hinders = hinders | (as_high & m.has(_FRAIL | _BARE))
        shadow = soft & no(factory) & (m.low < m.full) & (m.full < m.high) & (m.full > m.level)
        if m.any(shadow):
            # B14.2: bare trees hinder a view from high above only right before its lower end.
            close = no(m.has(_BARE)) | (m.from_low == 1)
            hexes = blind_hexes(m, m.full, m.from_high)
            hinders = hinders | (shadow & close & (2 * m.from_low <= hexes))
    hinders = hinders & no(m.hexside | m.in_a | m.in_b)
    return m.pick(hinders, m.pick(m.has(_THIN), 2, 1), 0)
