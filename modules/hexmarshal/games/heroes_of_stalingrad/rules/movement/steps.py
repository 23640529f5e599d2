"""HOS-2.30 to HOS-2.39, HOS-3.4 to HOS-3.7, HOS-3.16: single steps of units of one cell."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.movement.zones import (
    ignored_around,
    stays_inside,
)
from hexmarshal.games.heroes_of_stalingrad.state.ground.ground import WALL, WINDOW
from hexmarshal.games.heroes_of_stalingrad.state.kinds import INFANTRY
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "allowance",
    "barred",
    "difficult",
    "end_faults",
    "entry_faults",
    "free",
    "reach",
    "step_faults",
]

SUPPRESSION = 2


def allowance(now: Situation, unit: Unit, steps: int | None = None) -> int | None:
    """HOS-2.30, HOS-2.33, HOS-6.4: how far a unit goes in a Move Action; None is the X."""
    move = now.counter(unit).face(unit.steps if steps is None else steps).move
    if move is None:
        return None
    bonus = 1 if now.kept("bonus").get(unit.side) == "movement" else 0
    return max(0, move + bonus - SUPPRESSION * now.suppressed(unit))


def barred(now: Situation, unit: Unit, cell: str) -> Iterator[Violation]:
    """HOS-3.4, HOS-3.5, HOS-2.46: terrain that a unit may not enter, wrecks that bar it too."""
    family = now.family(unit)
    for kind in now.kinds(cell):
        if kind.impassable:
            text = f"nobody enters {kind.title.lower()} at {cell}"
            yield Violation("HOS-3.4", text, cells=(cell,), units=(unit.id,))
        elif family in kind.forbidden:
            text = f"{kind.title} at {cell} is forbidden to {family}"
            yield Violation("HOS-3.5", text, cells=(cell,), units=(unit.id,))
    if now.ground.incomplete(cell):
        for tile in _covering(now, cell):
            element = now.element(tile)
            if element is not None and family != INFANTRY and element.kind.bars(family):
                text = f"a part of {cell} is {element.kind.title.lower()}, forbidden to {family}"
                yield Violation("HOS-3.5", text, cells=(cell,), units=(unit.id,))


def _covering(now: Situation, cell: str) -> Iterator[str]:
    square = now.ground.square(cell)
    for name in now.ground.cells:
        if now.ground.is_offset(name) and max(square.apart(now.ground.square(name))) < 1:
            yield name


def difficult(now: Situation, cell: str) -> bool:
    """HOS-3.7: whether entering a cell ends the move."""
    return any(kind.difficult for kind in now.kinds(cell))


def entry_faults(
    now: Situation, unit: Unit, here: str, there: str, windows: int = 0
) -> Iterator[Violation]:
    """Whether the ground lets a unit step from cell to cell, whoever stands there."""
    ground, mine = now.ground, (unit.id,)
    offset = ground.is_offset(here), ground.is_offset(there)
    if any(offset) and now.is_vehicle(unit):
        text = f"only infantry enters cells off the grid such as {there}"
        yield Violation("HOS-2.38", text, cells=(there,), units=mine)
    if there not in ground.near[here]:
        rule = "HOS-2.38" if offset[0] != offset[1] else "HOS-2.30"
        yield Violation(rule, f"{there} is not beside {here}", cells=(here, there), units=mine)
        return
    what = ground.passage(here, there)
    if what == WALL and now.is_vehicle(unit) and not (ground.house(here) or ground.house(there)):
        # HOS-2.42: a vehicle goes diagonally between two cells that are forbidden to it.
        across, down = ground.square(here).apart(ground.square(there))
        what = WALL if not (across == 1 and down == 1) else ""
    if what == WALL or (what == WINDOW and windows < 1):
        told = "a wall" if what == WALL else "a window, and no door,"
        text = f"{told} stands between {here} and {there}"
        yield Violation("HOS-3.16", text, cells=(here, there), units=mine)
    yield from barred(now, unit, there)


def step_faults(
    now: Situation,
    unit: Unit,
    here: str,
    there: str,
    *,
    target: str = "",
    windows: int = 0,
) -> Iterator[Violation]:
    """All that is wrong with one step; `target` is the unit that is assaulted in the last one."""
    yield from entry_faults(now, unit, here, there, windows)
    vehicle = now.is_vehicle(unit)
    assaulted = False
    for one in now.occupants(there):
        if one.id == unit.id:
            continue
        if one.id == target:
            assaulted = True
        elif now.is_vehicle(one):
            rule = "HOS-2.39" if vehicle else "HOS-2.35"
            text = f"it cannot pass {one.id} in {there}"
            yield Violation(rule, text, cells=(there,), units=(unit.id, one.id))
        elif not vehicle and one.side != unit.side:
            text = f"it cannot pass the enemy {one.id} in {there}"
            yield Violation("HOS-2.35", text, cells=(there,), units=(unit.id, one.id))
    # HOS-2.64, HOS-5.45: zones do not bar the step that begins an assault.
    if not vehicle and not assaulted:
        yield from _zone_faults(now, unit, here, there, target=target)


def _zone_faults(
    now: Situation, unit: Unit, here: str, there: str, *, target: str
) -> Iterator[Violation]:
    """HOS-2.63: no step inside one zone; and how far the exceptions to that go."""
    for enemy in stays_inside(now, unit.side, here, there):
        where, both = (here, there), (unit.id, enemy)
        text = f"from {here} to {there} it moves inside the zone of control of {enemy}"
        yield Violation("HOS-2.63", text, cells=where, units=both)
        if target:
            text = f"zones are ignored in the step onto {target} alone, not on the way to it"
            yield Violation("HOS-5.45", text, cells=where, units=both)
        elif any(one.side != unit.side for one in now.occupants(there)):
            text = f"only an assault goes into an enemy's cell in spite of {enemy}"
            yield Violation("HOS-2.64", text, cells=where, units=both)
        for idle, rule in ignored_around(now, unit.side, here, there):
            text = f"the zone of {idle} is ignored, that of {enemy} is not"
            yield Violation(rule, text, cells=where, units=(*both, idle))


def end_faults(
    now: Situation, unit: Unit, cell: str, *, cured_by: str = "path"
) -> Iterator[Violation]:
    """HOS-2.32: two units do not share a cell at the end of a move; vehicles ram infantry."""
    for one in now.occupants(cell):
        if one.id == unit.id or (now.is_vehicle(unit) and not now.is_vehicle(one)):
            continue
        text = f"{one.id} is in {cell}"
        yield Violation(
            "HOS-2.32", text, cells=(cell,), units=(unit.id, one.id), cured_by=(cured_by,)
        )


def free(now: Situation, unit: Unit, cell: str) -> bool:
    """Whether a unit may stand in a cell: nobody is there, and the ground lets it."""
    crowded = any(one.id != unit.id for one in now.occupants(cell))
    return not crowded and not any(True for _ in barred(now, unit, cell))


def reach(
    now: Situation, unit: Unit, points: int, *, starts: tuple[str, ...] = (), eased: bool = False
) -> dict[str, tuple[str, ...]]:
    """Every cell that a unit of one cell can end in, with a shortest path to it.

    `eased`: difficult passage does not stop it (HOS-5.84).
    """
    found: dict[str, tuple[str, ...]] = {}
    seen = set(starts or (unit.cell,))
    waiting: deque[tuple[str, tuple[str, ...]]] = deque((cell, ()) for cell in seen)
    while waiting:
        here, path = waiting.popleft()
        if len(path) >= points or (path and not eased and difficult(now, here)):
            continue
        for near in now.ground.near[here]:
            if near in seen or any(True for _ in step_faults(now, unit, here, near)):
                continue
            seen.add(near)
            way = (*path, near)
            if not any(True for _ in end_faults(now, unit, near)):
                found[near] = way
            waiting.append((near, way))
    return found
