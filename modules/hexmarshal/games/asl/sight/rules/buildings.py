"""Buildings: a line to another level must leave the building before it leaves the hex, A6.8."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.sight.ground.ground_tables import Trait
from hexmarshal.games.asl.sight.hit import no
from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.games.asl.sight.rules.obstacles import inside_factory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.sight.hit import Met, Truth

__all__ = ["buildings"]

_FACTORY = int(Trait.FACTORY)


def buildings(m: Met) -> Iterator[tuple[Truth, Cause]]:
    """The building of an end met beyond its hex, without a gap since that end: ASL-SPLIT-1."""
    if not m.any_traits & int(Trait.BUILDING) or not m.any(m.sloping):
        return
    # A unit above the roofs of the next hex looks over them.
    from_a = m.unbroken_a & no(m.in_a) & (m.a_level - m.raised_a <= m.full)
    from_b = m.unbroken_b & no(m.in_b) & (m.b_level - m.raised_b <= m.full)
    stopped = m.sloping & (from_a | from_b)
    if m.any_traits & _FACTORY:
        # ASL-FACT-1: below its roof a factory has no floors.
        stopped = stopped & no(m.has(_FACTORY) & inside_factory(m))
    yield stopped, Cause.BUILDING
