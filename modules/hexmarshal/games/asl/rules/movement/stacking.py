"""Stacking: how many may be in one location, and what it costs to be more."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Final

from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["crowd_of", "equivalents", "overstack", "overstack_of", "setup_faults"]

MOST_SQUADS: Final = 3
MOST_SMC: Final = 4


def equivalents(now: Situation, units: Iterable[Unit]) -> Fraction:
    """ASL-A5.5, ASL-LIMIT-6: squads; two half-squads or crews make one, five SMC a half-squad."""
    total = Fraction(0)
    smc = 0
    for unit in units:
        kind = now.counter(unit).kind
        if kind == "squad":
            total += 1
        elif kind in ("half_squad", "crew"):
            total += Fraction(1, 2)
        elif now.is_smc(unit):
            smc += 1
    return total + Fraction(1, 2) * (smc // (MOST_SMC + 1))


def overstack_of(now: Situation, units: Iterable[Unit]) -> int:
    """ASL-STACK-4, ASL-LIMIT-3: squad-equivalents above the limit, fractions rounded up."""
    return max(0, ceil(equivalents(now, units) - MOST_SQUADS))


def crowd_of(now: Situation, units: Sequence[Unit]) -> int:
    """ASL-STACK-3, ASL-LIMIT-2: what entering such a crowd costs; by a switch a factor a unit."""
    if now.option("overstack_by_unit") is not True:
        return overstack_of(now, units)
    halves = sorted((now.counter(u).kind == "squad") + 1 for u in units if now.is_mmc(u))
    over, room = 0, 2 * MOST_SQUADS
    for size in reversed(halves):
        if size <= room:
            room -= size
        else:
            over += 1
    return over + max(0, sum(now.is_smc(u) for u in units) - MOST_SMC)


def overstack(now: Situation, place: Location, side: str) -> int:
    """How much a side is above the limit in a location."""
    return overstack_of(now, now.people(place, side))


def setup_faults(now: Situation) -> Iterator[Violation]:
    """ASL-STACK-1, ASL-LIMIT-1: the limits may never be exceeded at set-up."""
    from hexmarshal.games.asl.state.ground import Location

    for cell, units in now.position.occupied.items():
        places = {(unit.level, unit.side) for unit in units if now.is_personnel(unit)}
        for level, side in sorted(places):
            place = Location(cell, level)
            here = now.people(place, side)
            smc = [unit for unit in here if now.is_smc(unit)]
            if overstack_of(now, here) or len(smc) > MOST_SMC:
                yield Violation(
                    "ASL-STACK-1",
                    f"{place} holds more than {MOST_SQUADS} squads and {MOST_SMC} SMC at set-up",
                    cells=(cell,),
                    units=tuple(unit.id for unit in here),
                )
            if len(smc) > MOST_SMC:
                text = f"{place} holds {len(smc)} SMC at set-up, and {MOST_SMC} may be there"
                names = tuple(unit.id for unit in smc)
                yield Violation("ASL-LIMIT-1", text, cells=(cell,), units=names)
