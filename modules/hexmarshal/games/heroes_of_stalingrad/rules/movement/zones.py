"""HOS-2.60 to HOS-2.67: zones of control."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.sight.lines import spot_of, trace
from hexmarshal.games.heroes_of_stalingrad.state.ground.ground import DOOR, OPEN
from hexmarshal.games.heroes_of_stalingrad.state.kinds import INFANTRY, other

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["holding", "ignored_around", "stays_inside", "zone"]


def zone(now: Situation, unit: Unit) -> frozenset[str]:
    """The cells that a unit controls."""
    return now.remember(f"zone of {unit.id}", lambda: frozenset(_zone(now, unit)))


def _zone(now: Situation, unit: Unit) -> Iterator[str]:
    # HOS-2.67, HOS-5.93: who is carried has none; HOS-2.60: nor, as we read it, an ambusher.
    if not unit.cell or now.is_wreck(unit):
        return
    if now.ambushed(unit) and not now.option("ambush_zone"):
        return
    ground, family = now.ground, now.family(unit)
    for mine in unit.cells:
        for cell in _around(now, mine):
            if cell in unit.cells or any(kind.bars(family) for kind in now.kinds(cell)):
                continue
            # HOS-2.67: a zone goes through doors, not through walls and windows.
            if not _overlaps(now, mine, cell) and ground.passage(mine, cell) not in (OPEN, DOOR):
                continue
            start = spot_of(now, mine, unit.cells)
            if trace(now, start, spot_of(now, cell), ignoring=frozenset((unit.id,))).visible:
                yield cell


def _around(now: Situation, cell: str) -> Iterator[str]:
    """HOS-2.61, HOS-2.62: off the grid the cells off it and those covered; on it those on it."""
    ground = now.ground
    if not ground.is_offset(cell):
        yield from (near for near in ground.near[cell] if not ground.is_offset(near))
        return
    yield from (near for near in ground.near[cell] if ground.is_offset(near))
    yield from (c for c in ground.cells if _overlaps(now, cell, c))


def _overlaps(now: Situation, one: str, two: str) -> bool:
    a, b = now.ground.square(one), now.ground.square(two)
    return a.is_offset != b.is_offset and max(a.apart(b)) < 1


def holding(now: Situation, side: str) -> tuple[Unit, ...]:
    """The enemy units whose zones infantry of a side must mind.

    HOS-2.65: not those of vehicles; HOS-2.66: not those of Suppressed units.
    """
    return now.remember(
        f"zones against {side}",
        lambda: tuple(
            unit
            for unit in now.live(other(side))
            if unit.cell and now.family(unit) == INFANTRY and not now.suppressed(unit)
        ),
    )


def stays_inside(now: Situation, side: str, here: str, there: str) -> tuple[str, ...]:
    """HOS-2.63: the enemy units inside whose zone a step from cell to cell would be."""
    return tuple(_around_both(now, holding(now, side), here, there))


def ignored_around(now: Situation, side: str, here: str, there: str) -> Iterator[tuple[str, str]]:
    """The enemy units whose zone such a step may ignore, and the rule that lets it."""
    minded = holding(now, side)
    others = tuple(one for one in now.live(other(side)) if one.cell and one not in minded)
    for name in _around_both(now, others, here, there):
        infantry = now.family(now.unit(name)) == INFANTRY
        yield name, "HOS-2.66" if infantry else "HOS-2.65"


def _around_both(now: Situation, enemies: tuple[Unit, ...], here: str, there: str) -> Iterator[str]:
    for enemy in enemies:
        controlled = zone(now, enemy)
        if here in controlled and there in controlled:
            yield enemy.id
