"""Interrogation: what a prisoner may tell, where a scenario allows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.concealment.cover import place_hidden, reveal
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.works import is_work
from hexmarshal.rules.verdict import Modifier, Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["interrogate"]

FARTHEST: Final = 8
_REACH: Final = 4
CONCEALED: Final = "concealed"
HIDDEN: Final = "hidden"
WORKS: Final = "fortifications"


def interrogate(play: Play, prisoner: Unit, guard: Unit) -> None:
    """ASL-INTERRO-1: one roll for each unit that is captured, as it was before."""
    now = play.now
    if now.option("interrogation") is not True:
        return
    modifiers = _modifiers(now, prisoner, guard)
    dice, rolls = play.roll_two("interrogation", guard.side)
    total = sum(dice) + sum(int(m.amount) for m in modifiers)
    result = {5: CONCEALED, 4: HIDDEN, 3: WORKS}.get(
        total, "nothing" if total > 5 else "compromised"
    )
    told = f"{dice[0]} + {dice[1]}" + "".join(f" {m.amount:+} {m.label}" for m in modifiers)
    play.decide(
        Resolution(
            "interrogation",
            result,
            modifiers=modifiers,
            dice=rolls,
            steps=(Step(f"{prisoner.id}: {told} = {total}: {result}", "ASL-INTERRO-1"),),
        )
    )
    if result in (CONCEALED, HIDDEN, WORKS):
        _tell(play, prisoner, now.at(guard), result)
    elif result == "compromised":  # ASL-INTERRO-3: three times, of what there is
        left = 3
        for kind in (HIDDEN, CONCEALED, WORKS, *(CONCEALED, HIDDEN, WORKS) * 2):
            if left and _tell(play, prisoner, now.at(guard), kind):
                left -= 1


def _modifiers(now: Situation, prisoner: Unit, guard: Unit) -> tuple[Modifier, ...]:
    counter = now.counter(prisoner)
    found = [
        ("squad", -1, counter.kind == "squad"),
        ("inexperienced", -1, now.is_inexperienced(prisoner)),
        ("heroic", 1, now.is_hero(prisoner)),
        ("elite", 1, counter.quality == "elite"),
        ("single man", 1, counter.is_smc),
        ("inexperienced guard", 1, now.is_inexperienced(guard)),
    ]
    return tuple(Modifier(label, amount, "ASL-INTERRO-1") for label, amount, yes in found if yes)


def _tell(play: Play, prisoner: Unit, at: Location, kind: str) -> bool:
    """ASL-INTERRO-2, ASL-INTERRO-4: the nearest hex with such, if near or in his sight."""
    now = play.now
    flag = marks.CONCEALED if kind == CONCEALED else marks.HIDDEN
    units = [
        unit
        for unit in now.position.of_side(prisoner.side)
        if unit.cell
        and unit.has(flag)
        and is_work(unit) == (kind == WORKS)
        and _could_know(now, at, unit)
    ]
    if not units:
        return False
    cell = min(units, key=lambda u: (now.ground.distance(at.cell, u.cell), u.cell)).cell
    do: Callable[[Play, str, str, str], None] = reveal if kind == CONCEALED else place_hidden
    for unit in units:
        if unit.cell == cell:
            do(play, unit.id, f"{prisoner.id} has told of it", "ASL-INTERRO-2")
    return True


def _could_know(now: Situation, at: Location, unit: Unit) -> bool:
    """ASL-INTERRO-4: within eight hexes, or in sight from where he could go in his next move."""
    if now.ground.distance(at.cell, unit.cell) <= FARTHEST:
        return True
    near = [at.cell, *(c for c in now.ground.names if now.ground.distance(at.cell, c) <= _REACH)]
    from hexmarshal.games.asl.state.ground import Location as Place

    return any(now.sees_unit(Place(cell), unit) for cell in near)
