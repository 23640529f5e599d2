"""What holds in every position of the game, and is broken in this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.movement.stacking import MOST_SMC, overstack_of
from hexmarshal.games.asl.state.situation import SIDES
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.validate import POSITION_RULE
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.state.situation import Situation

__all__ = ["problems"]


def _entrenched(now: Situation) -> Iterator[Violation]:
    """ASL-STACK-5, ASL-LIMIT-7: nobody is too many in a trench, whatever the hex holds."""
    for cell, units in now.position.occupied.items():
        for side in SIDES:
            dug_in = [
                unit
                for unit in units
                if unit.side == side
                and unit.values.get("entrenched") is True
                and now.is_personnel(unit)
            ]
            smc = sum(now.is_smc(unit) for unit in dug_in)
            if overstack_of(now, dug_in) or smc > MOST_SMC:
                text = f"the entrenchment in {cell} holds three squads and four SMC"
                names = tuple(unit.id for unit in dug_in)
                field = f"units.{names[0]}.values.entrenched"
                yield Violation("ASL-STACK-5", text, cells=(cell,), units=names, field=field)
                text = f"{cell} may hold more than that, the entrenchment in it may not"
                yield Violation("ASL-LIMIT-7", text, cells=(cell,), units=names, field=field)


def _homes(now: Situation) -> Iterator[Violation]:
    """ASL-SF-1: who came out of a house goes back to a location that there is."""
    for unit in now.position.units.values():
        home = unit.values.get("street_from")
        if home is None:
            continue
        cell, _, level = str(home).partition(" level ")
        known = cell in now.ground.near and (not level or level.lstrip("-").isdigit())
        if not known or int(level or 0) not in now.ground.levels(cell):
            text = f"{unit.id} came out of {home}, which is no location of the map"
            field = f"units.{unit.id}.values.street_from"
            yield Violation(POSITION_RULE, text, units=(unit.id,), field=field)


def _waiting(now: Situation) -> Iterator[Violation]:
    """Frames about people and locations that are on the map."""
    for i, frame in enumerate(now.position.frames):
        at = f"frames[{i}].about"
        if frame.kind in ("overrun", "expel"):  # ASL-A4.15c
            man = now.position.units.get(frame.text("unit"))
            if man is not None and now.at(man).cell not in now.ground.near:
                yield Violation(POSITION_RULE, f"{man.id} is not on the map", field=f"{at}.unit")
        for n, text in enumerate(frame.texts("waiting")):  # ASL-A25.232
            cell, _, level = text.partition(" ")
            known = cell in now.ground.near and level.removeprefix("-").isdecimal()
            if not known or int(level) not in now.ground.levels(cell):
                fault = f"{text!r} is no location of the map: a hex and a level"
                yield Violation(POSITION_RULE, fault, field=f"{at}.waiting[{n}]")


def problems(now: Situation) -> Iterator[Violation]:
    """Weapons held by weapons or by the enemy, and people who possess people."""
    for unit in now.position.units.values():
        holder = now.holder(unit)
        if holder is None:
            continue
        field = f"units.{unit.id}.bonds.{marks.POSSESSES}"
        if not now.is_weapon(unit):
            text = f"{unit.id} is no support weapon and is possessed by nobody"
            yield Violation(POSITION_RULE, text, units=(unit.id,), field=field)
        elif not now.is_personnel(holder):
            text = f"{holder.id} possesses no weapon"
            yield Violation(POSITION_RULE, text, units=(unit.id,), field=field)
        elif holder.side != unit.side:
            text = f"{unit.id} of {unit.side} is possessed by {holder.id} of {holder.side}"
            yield Violation(POSITION_RULE, text, units=(unit.id,), field=field)
    yield from _entrenched(now)
    yield from _homes(now)
    yield from _waiting(now)
    for unit in now.position.units.values():
        if unit.has(marks.DM) and not unit.has(marks.BROKEN):
            text = f"{unit.id} is DM and not broken"
            yield Violation("ASL-DM-1", text, units=(unit.id,), field=f"units.{unit.id}.flags")
