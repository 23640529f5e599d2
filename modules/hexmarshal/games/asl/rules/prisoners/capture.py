"""Capture: a unit becomes a prisoner, and somebody guards it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.morale.casualties import drop
from hexmarshal.games.asl.rules.prisoners.guards import free, lose_guard, room_of
from hexmarshal.games.asl.rules.prisoners.interrogation import interrogate
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import AddUnit, ChangeUnit, MoveUnit
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation

__all__ = ["can_guard", "capture", "plainest", "split_off", "strip", "swap_sides"]

_CLASSES: Final = ("conscript", "green", "second", "", "first", "elite")
_KEPT: Final = frozenset({marks.WOUNDED, marks.HEROIC, marks.STEALTHY, marks.LAX, marks.FANATIC})


def plainest(now: Situation, unit: Unit) -> str:
    """ASL-A20.54a, ASL-A20.54c: the green or conscript counter of its size and nation.

    Its own type for a single man, and where its nation has no other; a crew is a half-squad.
    """
    counter = now.counter(unit)
    if not counter.is_mmc:
        return unit.type
    kind = "squad" if counter.kind == "squad" else "half_squad"
    nation = now.nation(unit)
    found = [
        one
        for one in now.tables.counters.values()
        if one.nation == nation and one.kind == kind and not one.assault_engineer
    ]
    best = min(
        found,
        key=lambda one: (_CLASSES.index(one.quality), one.morale, one.fp, one.range, one.key),
        default=None,
    )
    return unit.type if best is None else best.key


def can_guard(now: Situation, unit: Unit) -> bool:
    """ASL-A20.5a, ASL-PRIS-1: the armed who are not berserk; of the broken only single men."""
    return (
        now.is_personnel(unit)
        and now.is_armed(unit)
        and not unit.has(marks.BERSERK)
        and (not unit.has(marks.BROKEN) or now.is_smc(unit))
    )


def strip(play: Play, name: str, *, armed: bool) -> None:
    """ASL-A20.21b, ASL-A20.54a: it drops its weapons and is what it was no longer."""
    now = play.now
    unit = now.unit(name)
    drop(play, unit, *now.weapons(unit))
    lose_guard(play, unit)
    was = unit.values.get("was") or unit.type
    flags = frozenset() if armed or now.is_smc(unit) else frozenset({marks.UNARMED})
    play.do(
        ChangeUnit(
            name,
            type=plainest(now, unit),
            flags=flags,
            unflags=unit.flags - _KEPT - flags,
            values=FrozenMap({"was": was, "beside": None, "captured_by": other(unit.side)}),
            known_to=("*",),
            seen_by=("*",),
        )
    )


def capture(
    play: Play, name: str, by: Sequence[str], place: Location, rule: str = "ASL-PRIS-3"
) -> None:
    """ASL-A20.21a, ASL-A20.5c: a captor guards it; for whom there is no room goes free."""
    now = play.now
    unit = now.unit(name)
    side = other(unit.side)
    first = [now.unit(one) for one in by if one in now.position.units]
    rest = [one for one in now.people(place, side) if one not in first]
    size = now.size(unit)
    guards = [one for one in (*first, *rest) if can_guard(now, one) and room_of(now, one) >= size]
    told = f"{now.named(unit)} is captured"
    strip(play, name, armed=False)
    if not guards:
        step = Step(f"{told}, and nobody can guard it: it is free and unarmed", "ASL-A20.5c")
        play.decide(Resolution("capture", "freed", steps=(step,)))
        if not play.position.unit(name).cell:
            free(play, name, place)
        return
    guard = guards[0]
    play.decide(
        Resolution("capture", "captured", steps=(Step(f"{told}, guarded by {guard.id}", rule),))
    )
    bonds: FrozenMap[tuple[str, ...]] = FrozenMap({marks.GUARDS: (guard.id,)})
    play.do(ChangeUnit(name, bonds=bonds), MoveUnit(name))
    interrogate(play, unit, guard)


def split_off(play: Play, name: str) -> str:
    """ASL-PRIS-3: of a squad alone one half-squad is captured, the other goes on; its name."""
    now = play.now
    unit = now.unit(name)
    counter = now.counter(unit)
    if counter.kind != "squad":
        return name
    place = now.at(unit)
    number = 2
    while f"{name}.{number}" in play.position.units:
        number += 1
    other_half = f"{name}.{number}"
    play.do(ChangeUnit(name, type=counter.half))
    half = Unit(
        other_half,
        counter.half,
        unit.side,
        cell=place.cell,
        level=place.level,
        flags=unit.flags,
        values=unit.values,
    )
    play.do(AddUnit(other_half, half))
    return other_half


def swap_sides(play: Play, names: Sequence[str]) -> None:
    """ASL-PRIS-4: both captured each other to the last man: all are green or conscripts, free."""
    for name in names:
        strip(play, name, armed=True)
        play.unmark(name, marks.UNARMED)
        play.note(name, captured_by=None)
        text = f"{name} is {play.position.unit(name).type} from now on, and free"
        play.decide(Resolution("capture", "freed", steps=(Step(text, "ASL-PRIS-4"),)))
