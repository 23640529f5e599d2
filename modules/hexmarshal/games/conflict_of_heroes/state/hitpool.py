"""The two pools of hit markers: what is left, and what a draw brings as far as one knows."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.rules.odds import Distribution
from hexmarshal.rules.state.pieces import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["draw", "left", "pool_of"]


def pool_of(now: Situation, unit: Unit) -> str:
    """COH-7.5a, COH-15.2a: men draw from one pool, vehicles from the other."""
    return "vehicle" if now.counter(unit).vehicle else "foot"


def left(now: Situation, pool: str) -> tuple[str, ...]:
    """The markers still to be drawn; in a position without pools, all that do not lie about."""
    if cards := now.position.pile(f"hits-{pool}").cards:
        return cards
    rest = list(now.tables.full_pools[pool])
    for unit in _hit_units(now, pool):
        hit = now.hit(unit)
        if hit is not None and hit.key in rest:
            rest.remove(hit.key)
    # More than twenty units are hit: then markers are used twice.
    return tuple(rest) or now.tables.full_pools[pool]


def draw(now: Situation, pool: str) -> Distribution[str]:
    """COH-7.5a: the exact chance of each marker, without replacement, as this position tells.

    Who looks at it through one side's eyes knows how many markers are left, and the faces of his
    own and of those that he was shown. A face that he does not know lies under a unit that lives,
    so it is none that kills; of the others each is as likely as its copies not yet seen.
    """
    cards = left(now, pool)
    faces = [now.hit(unit) for unit in _hit_units(now, pool)]
    if UNKNOWN not in cards and None not in faces:
        return Distribution.uniform(cards)
    size = len(cards) if UNKNOWN in cards else max(1, len(cards) - faces.count(None))
    unseen = Counter(now.tables.full_pools[pool])
    unseen.subtract(face.key for face in faces if face is not None)
    fatal = {key for key in unseen if now.tables.hits[key].eliminated}
    kills = sum(unseen[key] for key in fatal)
    rest = {key: n for key, n in unseen.items() if n > 0 and key not in fatal}
    chances = {key: Fraction(unseen[key], size) for key in fatal}
    total = sum(rest.values())
    for key, copies in rest.items():
        chances[key] = Fraction(max(0, size - kills), size) * Fraction(copies, total)
    return Distribution.weighted(chances)


def _hit_units(now: Situation, pool: str) -> Iterator[Unit]:
    """The units that carry a marker of this pool."""
    for unit in now.position.units.values():
        if pool_of(now, unit) == pool and now.hit_marker(unit) is not None:
            yield unit
