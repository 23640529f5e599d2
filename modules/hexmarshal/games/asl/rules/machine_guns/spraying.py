"""Spraying fire: one roll at two hexes side by side, with half the firepower."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.loss import expose_by_fire
from hexmarshal.games.asl.rules.fire import declare as plain
from hexmarshal.games.asl.rules.fire.attack import resolve
from hexmarshal.games.asl.rules.fire.direction import direction_faults
from hexmarshal.games.asl.rules.fire.eligibility import capacity_faults, firer_faults
from hexmarshal.games.asl.rules.fire.group import (
    mark_after,
    parts_of,
    record,
    sees_target,
    users_of,
)
from hexmarshal.games.asl.rules.fire.shot import HALF, Mode, Shot, reach_of
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value

__all__ = ["candidates", "check", "declare", "listed"]

_INFANTRY_REACH = 3


def check(now: Situation, action: Action) -> Verdict:
    """ASL-A7.34, ASL-MG-5: two hexes next to each other, by units that can spray."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    targets = [Location(action.text("target"))]
    if (now.opposing if now.position.phase == "defensive_fire" else now.phasing) != action.side:
        yield Violation("ASL-FIRE-1", f"{action.side} does not fire in this phase")
        return
    targets.append(Location(action.text("second")))
    one, two = (target.cell for target in targets)
    if now.ground.side_to(one, two) is None:
        yield Violation("ASL-MG-5", f"{one} and {two} are not contiguous", cells=(one, two))
    if not any(now.people(target, other(action.side)) for target in targets):
        yield Violation("ASL-FIRE-8", f"no enemy is in {one} or {two}", cells=(one, two))
    firers = action.so_far("firers")
    if not firers:
        yield Violation("ASL-FIRE-1", "nobody fires", cured_by=("firers",))
    faults = [fault for name in firers for fault in firer_faults(now, name, action.side)]
    yield from faults
    if faults:
        return
    yield from capacity_faults(now, firers)
    members = plain.members_for(now, firers, targets[0], spray=True)
    yield from plain.group_faults(now, members)
    for member in members:
        name = member.unit.id
        if not now.counter(member.unit).spraying:
            yield Violation("ASL-A7.34", f"{name} does not spray", units=(name,))
        for target in targets:
            far = now.ground.distance(member.place.cell, target.cell)
            if far == 0:
                yield Violation("ASL-MG-5", f"{name} sprays its own hex", units=(name,))
            if not member.is_weapon and far > _INFANTRY_REACH:
                text = f"{target} is farther than {_INFANTRY_REACH} hexes from {name}"
                yield Violation("ASL-A7.34", text, units=(name,), cells=(target.cell,))
            if member.mode == Mode.FINAL_AGAIN and far > 1:
                text = f"{name} is marked First Fire, and {target} is not adjacent"
                yield Violation("ASL-MG-5", text, units=(name,), cells=(target.cell,))
            shot = Shot(action.side, (member,), (), target)
            if not sees_target(now, member, shot):
                text = f"{name} has no line of sight to {target}"
                yield Violation(
                    "ASL-LOS-2", text, cells=(target.cell,), units=(name,), by_sight=True
                )
    for target in targets:
        far_members = [m for m in members if m.is_weapon]
        yield from plain.range_faults(now, far_members, target, bool(action.so_far("leaders")))
    yield from direction_faults(now, action.so_far("leaders"), members, action.side)


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Hexes with enemies and those beside them, and who can spray."""
    if slot == "target":
        return plain.candidates(now, action, "target")
    if slot == "second":
        cell = str(action.given("target", ""))
        return now.ground.near.get(cell, ())
    if slot == "firers":
        found = plain.candidates(now, action, "firers") or ()
        return tuple(n for n in found if now.counter(now.unit(str(n))).spraying)
    return plain.candidates(now, action, slot)


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists each weapon and unit by itself."""
    if slot == "firers":
        return tuple((name,) for name in candidates(now, action, slot) or ())
    return None


def declare(play: Play, action: Action) -> None:
    """ASL-MG-5: one roll, resolved in each hex by its own modifiers."""
    now = play.now
    leaders = tuple(now.unit(name) for name in action.texts("leaders"))
    dice: tuple[int, int] | None = None
    first: Shot | None = None
    hits = []
    for number, name in enumerate(("target", "second")):
        target = Location(action.text(name))
        members = tuple(
            replace(
                member,
                factors=(
                    *member.factors,
                    *(
                        (("beyond normal range", HALF, "ASL-A7.34"),)
                        if not member.is_weapon
                        and now.ground.distance(member.place.cell, target.cell)
                        > reach_of(now, member.unit)
                        and not any(rule == "ASL-FIRE-4" for _, _, rule in member.factors)
                        else ()
                    ),
                ),
            )
            for member in plain.members_for(now, action.texts("firers"), target, spray=True)
        )
        shot = Shot(action.side, members, leaders, target, spray=True)
        first = first or shot
        if number == 0:
            record(play, shot)
            expose_by_fire(play, users_of(shot))
        parts = parts_of(play.now, shot)
        for part in parts[:1]:
            hit = resolve(play, part, members[0].mode, given=dice)
            dice = hit.dice
            hits.append(hit)
    assert first is not None
    mark_after(play, first, hits[0] if hits else None)
