"""KHA-6.8: on the first turns Soviet units slip out of the zones in which they begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.state.situation import SOVIET
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["first_hex", "slips"]


def slips(now: Situation, unit: Unit, here: str, began: str) -> bool:
    """Whether the unit may leave an enemy zone here: all of it is the zone that it began in.

    Zones are told apart by the units that have them: another unit's zone stops it.
    """
    if unit.side != SOVIET or now.turn not in now.tables.schedule["infiltration"] or not began:
        return False
    return now.controllers(here, SOVIET) <= _at_start(now, began)


def _at_start(now: Situation, began: str) -> frozenset[str]:
    return now.position.remember(f"zones over {began}", lambda: now.controllers(began, SOVIET))


def first_hex(now: Situation, units: Sequence[Unit], here: str, to: str) -> Iterator[Violation]:
    """The book wants a free hex: one without enemies, or, by the switch, an empty one."""
    if not now.option("infiltrate_empty") or units[0].side != SOVIET:
        return
    if not _at_start(now, here):
        return
    ids = tuple(u.id for u in units)
    if any(u.id not in ids for u in now.at(to, SOVIET)):
        yield Violation("KHA-6.8", f"{to} is not empty", cells=(to,), units=ids)
