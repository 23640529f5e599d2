"""HOS-2.44, HOS-2.45, HOS-2.49, HOS-2.52, HOS-5.5, HOS-5.94: forced movement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.movement.states import make_inactive
from hexmarshal.games.heroes_of_stalingrad.rules.movement.steps import entry_faults, free
from hexmarshal.games.heroes_of_stalingrad.rules.movement.zones import holding, zone
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.state.kinds import DRIVEN, INFANTRY, other
from hexmarshal.rules.state.effects import MoveUnit
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record, Value

__all__ = ["candidates", "check", "choose", "displace", "eject", "held_fast", "in_enemy_zone"]

SUPPRESSES = ("ram", "passenger", "crew")


def in_enemy_zone(now: Situation, unit: Unit, cell: str) -> bool:
    """Whether a cell lies in a zone of control that a unit must mind."""
    return any(cell in zone(now, enemy) for enemy in holding(now, unit.side))


def held_fast(now: Situation, unit: Unit) -> bool:
    """HOS-2.45, HOS-2.37: whether a movement of 0 or X lets a forced unit not move."""
    move = now.face(unit).move
    if not move:
        return True
    low = move - 2 * now.suppressed(unit) <= 0
    return low and bool(now.option("suppressed_is_null"))


def _make_ready(play: Play, name: str) -> bool:
    """HOS-2.52: the active face is flipped first; whether the unit can move then."""
    unit = play.unit(name)
    if play.now.option("forced_active") == "destroyed" and play.now.face(unit).move is None:
        return False
    make_inactive(play, name)
    return not held_fast(play.now, play.unit(name))


def _cells(now: Situation, unit: Unit, cause: str) -> Iterator[str]:
    """Free cells beside a unit that is driven from its own."""
    for cell in now.ground.near.get(unit.cell, ()):
        if any(True for _ in entry_faults(now, unit, unit.cell, cell)) or not free(now, unit, cell):
            continue
        zones = cause != "crowded" and not now.option("ram_into_zones")
        if zones and in_enemy_zone(now, unit, cell):
            continue
        yield cell


def displace(play: Play, entry: Record) -> None:
    """A unit is driven to an adjacent free cell of its owner's choice, or destroyed."""
    name, cause = str(entry["unit"]), str(entry["cause"])
    if not play.now.is_live(play.unit(name)):
        return
    if cause == "repelled" and not play.unit(str(entry["by"])).cell:
        return  # HOS-5.57: a beaten vehicle that leaves no wreck takes no cell from anybody
    rule = DRIVEN[cause]
    if not _make_ready(play, name):
        text = f"{name} cannot move and is destroyed"
        play.tell("forced movement", text, (text, "HOS-2.45"))
        play.first({"kind": "destroy", "unit": name, "by": entry.get("by")})
        return
    cells = tuple(_cells(play.now, play.unit(name), cause))
    if not cells:
        text = f"{name} has no free cell to go to and is destroyed"
        play.tell("forced movement", text, (text, "HOS-2.45"))
        play.first({"kind": "destroy", "unit": name, "by": entry.get("by")})
    elif len(cells) == 1:
        _go(play, name, cells[0], cause, rule)
    else:
        about = {"unit": name, "cells": cells, "cause": cause}
        play.ask("displace", play.unit(name).side, about=about)


def _go(play: Play, name: str, cell: str, cause: str, rule: str) -> None:
    play.do(MoveUnit(name, cell))
    play.tell("forced movement", f"{name} goes to {cell}", (f"driven by: {cause}", rule))
    if cause in SUPPRESSES or (cause == "push" and play.now.option("pushed_suppressed")):
        play.first({"kind": "suppress", "unit": name, "count": 1})


def eject(play: Play, entry: Record) -> None:
    """HOS-5.94, HOS-5.5: the vehicle of a passenger or a crew is destroyed."""
    name = str(entry["unit"])
    unit = play.unit(name)
    vehicle = play.unit(str(entry["vehicle"]))
    crew = entry.get("crew") is True
    make_inactive(play, name)
    cause = "crew" if crew else "passenger"
    stood = entry.get("cells")
    around = tuple(map(str, stood)) if isinstance(stood, tuple) else vehicle.cells
    cells = tuple(_beside(play.now, play.unit(name), around, zones=not crew))
    if not cells or held_fast(play.now, play.unit(name)):
        text = f"{name} finds no cell beside {vehicle.id} and is destroyed"
        play.tell("forced movement", text, (text, DRIVEN[cause]))
        play.first({"kind": "destroy", "unit": name})
    elif len(cells) == 1:
        _go(play, name, cells[0], cause, DRIVEN[cause])
    else:
        play.ask("displace", unit.side, about={"unit": name, "cells": cells, "cause": cause})


def _beside(now: Situation, unit: Unit, stood: tuple[str, ...], *, zones: bool) -> Iterator[str]:
    seen = set(stood)
    for mine in stood:
        for cell in now.ground.near.get(mine, ()):
            if cell in seen:
                continue
            seen.add(cell)
            if not free(now, unit, cell) or any(True for _ in entry_faults(now, unit, mine, cell)):
                continue
            if zones and (in_enemy_zone(now, unit, cell) or _near_vehicles(now, unit, cell)):
                continue
            yield cell


def _near_vehicles(now: Situation, unit: Unit, cell: str) -> bool:
    """HOS-5.94: whether the zones of enemy vehicles count as well, by the switch."""
    if now.option("ejected_near_vehicles"):
        return False
    return any(
        now.family(enemy) != INFANTRY and cell in zone(now, enemy)
        for enemy in now.live(other(unit.side))
    )


# The owner's choice


def _asked(now: Situation) -> Frame | None:
    return now.position.frame("displace")


def check(now: Situation, action: Action) -> Verdict:
    """Whether a unit that is driven away may go there."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    frame = _asked(now)
    if frame is None:
        return
    cell = action.text("cell")
    if cell not in frame.texts("cells"):
        rule = DRIVEN[frame.text("cause")]
        text = f"{frame.text('unit')} cannot go to {cell}"
        yield Violation(rule, text, cells=(cell,), units=(frame.text("unit"),))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The cells to choose from."""
    del action
    frame = _asked(now)
    return frame.texts("cells") if slot == "cell" and frame is not None else None


def choose(play: Play, action: Action) -> None:
    """The owner has chosen."""
    frame = play.answered("displace")
    cause = frame.text("cause")
    _go(play, frame.text("unit"), action.text("cell"), cause, DRIVEN[cause])
    go_on(play)
