"""Hills: higher ground, crests as high as the viewer, and the hexes behind lower ones, B10.2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.sight.ground.ground_tables import Trait
from hexmarshal.games.asl.sight.hit import no
from hexmarshal.games.asl.sight.rules.blind_hexes import behind_crest
from hexmarshal.games.asl.sight.rules.citations import Cause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.sight.hit import Met, Truth

__all__ = ["crests", "higher_ground"]

_DECK, _CLIFF = int(Trait.DECK), int(Trait.CLIFF)


def higher_ground(m: Met) -> Iterator[tuple[Truth, Cause]]:
    """Ground that is higher than both ends, that of elevated roads too: ASL-HILL-1 ASL-ELEV-1."""
    yield _ground(m) & (m.level > m.high), Cause.GROUND


def crests(m: Met) -> Iterator[tuple[Truth, Cause]]:
    """Ground between the levels of the ends, or as high as the higher one.

    About valleys and water, too: ASL-VALLEY-1 ASL-WATER-1.
    """
    if not m.any(m.sloping):
        return
    ground = _ground(m)
    as_high = ground & m.sloping & (m.level == m.high)
    if m.any(as_high):
        yield as_high & no(_spur(m) | _bank(m)), Cause.PLATEAU
    between = ground & (m.low < m.level) & (m.level < m.high)
    if m.any(between):
        hexes = behind_crest(m, m.level, m.from_high)
        yield between & (2 * m.from_low <= hexes), Cause.CREST


def _ground(m: Met) -> Truth:
    """Whether what is met is ground at all, and not the deck of a bridge."""
    ground = no(m.has(_DECK))
    if m.any_traits & _CLIFF:
        # B11.2: along a cliff only the ground at its foot counts.
        ground = ground & no(m.has(_CLIFF) & m.along & (m.beyond_a == m.from_a))
    return ground


def _spur(m: Met) -> Truth:
    """Ground of the viewer's level that reaches into a lower hex next to it: B10.2 EXC."""
    by_a = (m.from_a == 1) & (m.a_level > m.floor)
    by_b = (m.from_b == 1) & (m.b_level > m.floor)
    return by_a | by_b


def _bank(m: Met) -> Truth:
    """The ground about a depression is no crest line: A6.3 alone says who sees into it."""
    depressed = m.pick(m.a_is_high, m.b_depressed, m.a_depressed)
    return depressed & (m.level - m.low == 2)
