"""What the referee makes of a dragged vehicle of two cells: a drive, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from hexmarshal.games.heroes_of_stalingrad.rules.movement import driving
from hexmarshal.games.heroes_of_stalingrad.rules.movement.steps import allowance
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.whose import mover_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.heroes_of_stalingrad.plugin import HeroesOfStalingrad
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.sightings import UnitSighting

__all__ = ["DRAGS", "interpret"]

DRAGS: Final = ("drive", "drive_on")

# So much further than it may go a vehicle is followed: it was driven, and too far.
_TOO_FAR: Final = 3


class _Deed(Protocol):
    @property
    def unit(self) -> str: ...
    @property
    def cells(self) -> tuple[str, ...]: ...
    @property
    def after(self) -> UnitSighting | None: ...


def interpret(
    plugin: HeroesOfStalingrad, position: Position, deeds: Sequence[_Deed]
) -> Iterator[tuple[Action, ...]]:
    """HOS-2.40, HOS-2.41: a vehicle goes ahead, back and about its ends to where it lies."""
    unit = position.units.get(deeds[0].unit) if len(deeds) == 1 else None
    if unit is None or not unit.cell or not unit.footprint:
        return
    cells, facing = deeds[0].cells, _facing(deeds[0])
    if not cells and facing in (None, unit.facing):
        return
    now = plugin.situated(position)
    moving = now.moving
    on = moving is not None and position.state == "step" and moving.text("unit") == unit.id
    who = {} if on else {"unit": unit.id}
    kind = "drive_on" if on else "drive"
    end = cells[-1] if cells else unit.cell
    for steps in _ways(now, unit, end, facing):
        action = plugin.game.actions.make(kind, unit.side, **who, steps=steps)
        yield (action,)
        if plugin.check(position, action).legal:
            return


def _facing(deed: _Deed) -> int | None:
    facts = deed.after.facts if deed.after is not None else ()
    shown = next((fact.value for fact in facts if fact.of == "facing"), None)
    return shown if isinstance(shown, int) else None


def _ways(now: Situation, unit: Unit, end: str, facing: int | None) -> Iterator[tuple[str, ...]]:
    """The steps to a cell: straight on, then by any way, as the counter looks there first."""
    points = (allowance(now, unit) or 0) + _TOO_FAR
    if facing in (None, unit.facing) and (steps := driving.straight(now, unit, end, points)):
        yield steps
    if any(True for _ in mover_faults(now, unit, unit.side)):
        return
    ends = now.position.remember(f"drives of {unit.id}", lambda: driving.reach(now, unit, points))
    found = [(way, at) for (cell, at), way in ends.items() if cell == end]
    found.sort(key=lambda one: (one[1] != facing, len(one[0])))
    yield from (way for way, _ in found[:2])
