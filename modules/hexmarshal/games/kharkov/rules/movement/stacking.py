"""KHA-8.1: how many units a hex holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["crowded", "excess", "fits", "violations"]


def load(now: Situation, cell: str, side: str, without: frozenset[str] = frozenset()) -> int:
    """The combat units on a hex; headquarters, markers and garrisons are free.

    KHA-10.16 for headquarters, KHA-15.33 for garrisons.
    """
    return sum(u.id not in without for u in now.fighters(cell, side))


def fits(now: Situation, units: Iterable[Unit], cell: str, side: str) -> bool:
    """Whether these units may stop there beside those that are there already."""
    coming = [u.id for u in units if now.fights(u)]
    if not coming or (len(coming) == 1 and not now.full(side) & now.board.bit.get(cell, 0)):
        return True
    limit: int = now.tables.schedule["stacking"]
    return load(now, cell, side, frozenset(coming)) + len(coming) <= limit


def violations(
    now: Situation,
    units: Iterable[Unit],
    cell: str,
    side: str,
    rule: str = "KHA-8.1",
    *,
    cured_by: tuple[str, ...] = (),
) -> Iterator[Violation]:
    """The limit of three, where units would stop (KHA-8.0-G); passing through is free."""
    group = tuple(units)
    if not fits(now, group, cell, side):
        text = f"more than {now.tables.schedule['stacking']} combat units in {cell}"
        ids = tuple(u.id for u in group)
        yield Violation(rule, text, cells=(cell,), units=ids, cured_by=cured_by)


def crowded(now: Situation) -> dict[str, str]:
    """Hexes with more units than they hold, each with its side."""
    names = now.board.names
    both = [(cell, side) for side in (AXIS, SOVIET) for cell in names(now.crowded(side))]
    return dict(sorted(both))


def excess(now: Situation, unit: Unit) -> Iterator[Violation]:
    """A unit may be removed as excess only where there is one; the owner chooses which."""
    if now.position.cell_of(unit) not in crowded(now) or not now.fights(unit):
        yield Violation("KHA-8.1", f"{unit.id} is not in an overcrowded hex", units=(unit.id,))
