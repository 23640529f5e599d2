"""Blind hexes: how far behind something high one does not see what lies low, A6.4 and B10.23."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexmarshal.games.asl.sight.hit import Amount, Met

__all__ = ["behind_bocage", "behind_crest", "behind_obstacle"]


def _formula(m: Met, top: Amount, from_high: Amount) -> Amount:
    """Twice the height, less both ends, and one for each full five hexes to the higher end.

    Heights are half levels, so that this is twice the number of hexes.
    """
    hexes = 2 * top + 2 * (from_high // 5) - m.high - m.low
    if m.sloped:
        # ASL-SLOPE-1: to see past what is lower than the viewer's hex, a slope does not help.
        hexes = hexes + m.raised * (top < m.high - m.raised)
    return hexes


def behind_crest(m: Met, top: Amount, from_high: Amount) -> Amount:
    """Twice the number of blind hexes behind a crest line, which may have none."""
    hexes = _formula(m, top, from_high)
    return m.most(hexes, 0 * hexes)


def behind_bocage(m: Met, top: Amount, from_high: Amount) -> Amount:
    """The same as behind an obstacle, but height may leave none."""
    hexes = _formula(m, top, from_high) + 2
    return m.most(hexes, 0 * hexes)


def behind_obstacle(m: Met, top: Amount, from_high: Amount) -> Amount:
    """Twice the number of blind hexes behind anything else: one more, and at least one."""
    hexes = _formula(m, top, from_high) + 2
    return m.most(hexes, 2 + 0 * hexes)
