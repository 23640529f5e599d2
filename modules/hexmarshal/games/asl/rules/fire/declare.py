"""Declaring fire: a shot made of an action, and everything that may be wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.fire.direction import direction_faults
from hexmarshal.games.asl.rules.fire.eligibility import capacity_faults, firer_faults, mode_of
from hexmarshal.games.asl.rules.fire.group import connected, fire, sees_target
from hexmarshal.games.asl.rules.fire.shot import (
    FARTHEST,
    HALF,
    Mode,
    Shot,
    member_of,
    reach_of,
    under_cover,
)
from hexmarshal.games.asl.rules.machine_guns.fields import arc_faults
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import SIDES, other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.asl.rules.fire.shot import Member
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "candidates", "check", "combine_faults", "declare", "group_faults", "listed", "listed_groups",
    "members_for", "range_faults",
]  # fmt: skip


def check(now: Situation, action: Action) -> Verdict:
    """Fire in a phase of one's own: prep, final, advancing and opportunity fire."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    if _shooter(now) != action.side:
        text = f"{action.side} does not fire in this phase"
        yield Violation("ASL-FIRE-1", text)
        return
    target = Location(action.text("target"), _level_of(now, action))
    yield from target_faults(now, action.side, target)
    firers = action.so_far("firers")
    if not firers and action.open("firers") and not _reached(now, action.side, target):
        yield Violation("ASL-FIRE-4", f"nobody reaches {target}", cells=(target.cell,))
    if not firers:
        yield Violation("ASL-FIRE-1", "nobody fires", cured_by=("firers",))
    faults = [fault for name in firers for fault in firer_faults(now, name, action.side)]
    yield from faults
    if faults or target.level not in now.ground.levels(target.cell):
        return
    yield from capacity_faults(now, firers)
    members = members_for(now, firers, target)
    yield from group_faults(now, members)
    yield from range_faults(now, members, target, bool(action.so_far("leaders")))
    yield from combine_faults(now, members, target)
    yield from _at_own_location(now, members, target, action.side)
    yield from arc_faults(now, members, target)
    for member in members:
        if member.mode == Mode.FINAL_AGAIN and not _close(now, member, target):
            text = f"{member.unit.id} is marked First Fire, and {target} is not adjacent"
            yield Violation("ASL-A8.4", text, units=(member.unit.id,), cells=(target.cell,))
    yield from direction_faults(now, action.so_far("leaders"), members, action.side)
    shot = Shot(action.side, tuple(members), (), target)
    for member in members:
        if not sees_target(now, member, shot):
            yield Violation(
                "ASL-LOS-2",
                f"{member.unit.id} in {member.place} has no line of sight to {target}",
                cells=(member.place.cell, target.cell),
                units=(member.unit.id,),
                by_sight=True,
            )


def _level_of(now: Situation, action: Action) -> int:
    """The level fired at; as long as none is chosen, one where an enemy is."""
    level = action.given("level")
    if isinstance(level, int) or not action.open("level"):
        return level if isinstance(level, int) else 0
    enemy = other(action.side)
    here = [u.level for u in now.position.at(action.text("target")) if u.side == enemy and u.cell]
    return min(here, default=0)


def _reached(now: Situation, side: str, target: Location) -> bool:
    """Whether anybody who may fire now has a location within twice his range."""
    for unit in now.position.of_side(side):
        cell = now.position.cell_of(unit)
        if not cell or not (now.is_weapon(unit) or now.is_personnel(unit)):
            continue
        if firer_faults(now, unit.id, side):
            continue
        if now.ground.distance(cell, target.cell) <= 2 * reach_of(now, unit):
            return True
    return False


def _shooter(now: Situation) -> str:
    return now.opposing if now.position.phase == "defensive_fire" else now.phasing


def target_faults(now: Situation, side: str, target: Location) -> Iterator[Violation]:
    """ASL-FIRE-8: fire needs an enemy; friends may not be fired at."""
    if target.level not in now.ground.levels(target.cell):
        text = f"{target.cell} has no level {target.level}"
        yield Violation("ASL-FIRE-7", text, cells=(target.cell,))
        return
    enemies = now.people(target, other(side)) or [
        unit
        for unit in now.position.at(target.cell)
        if unit.type == "vehicle" and unit.side == other(side)
    ]
    if not enemies:
        if now.people(target, side):
            text = f"only friends are in {target}"
        else:
            text = f"no enemy is in {target}"
        yield Violation("ASL-FIRE-8", text, cells=(target.cell,))


def members_for(
    now: Situation,
    firers: Sequence[str],
    target: Location,
    *,
    targets: Sequence[Unit] | None = None,
    spray: bool = False,
    snap: bool = False,
    dashed: frozenset[str] = frozenset(),
) -> list[Member]:
    """The members of a shot, with what their firepower is multiplied by."""
    found = []
    covered = [one for side in SIDES for one in under_cover(now, target, side)]
    against = [*now.people(target), *covered] if targets is None else targets
    for name in firers:
        unit = now.unit(name)
        more = []
        if spray:
            more.append(("spraying fire", HALF, "ASL-A7.34"))
        if snap:
            more.append(("snap shot", HALF, "ASL-SNAP-2"))
        hostile = [one for one in against if one.side != unit.side]
        mode = _mode_with(now, unit, firers)
        found.append(member_of(now, unit, mode, target, hostile, more=more, dashing=name in dashed))
    return found


def _mode_with(now: Situation, unit: Unit, firers: Sequence[str]) -> str:
    """ASL-A8.3: a gun that fires with its crew's second shot makes sustained fire, too."""
    mode = mode_of(now, unit)
    if mode == Mode.FIRST and now.is_weapon(unit):
        user = now.holder(unit)
        if user is not None and user.id in firers:
            return mode_of(now, user)
    return mode


def group_faults(now: Situation, members: Sequence[Member]) -> Iterator[Violation]:
    """ASL-FG-1, ASL-FG-2: a chain of ADJACENT locations; the berserk fire alone."""
    groups = connected(now, tuple(members))
    if len(groups) > 1:
        apart = [str(group[0].place) for group in groups]
        leader = _leader_between(now, groups)
        text = f"{' and '.join(apart)} are not ADJACENT"
        if leader:  # ASL-FG-2
            text += f", and {leader} brings no firepower"
        yield Violation(
            "ASL-FG-2" if leader else "ASL-FG-1",
            text,
            cells=tuple(group[0].place.cell for group in groups),
            units=tuple(member.unit.id for group in groups[1:] for member in group),
            cured_by=("firers",),
        )
    berserk = {m.user.id for m in members if m.user.has(marks.BERSERK)}
    users = {m.user.id for m in members}
    if berserk and len(users) > 1:
        text = f"{', '.join(sorted(berserk))} is berserk and in no fire group"
        yield Violation("ASL-FG-1", text, units=tuple(sorted(berserk)))


def _leader_between(now: Situation, groups: Sequence[tuple[Member, ...]]) -> str:
    """A leader of theirs who stands where he would link the groups, if he were a link."""
    places = [{member.place for member in group} for group in groups]
    for leader in now.on_map(groups[0][0].user.side):
        if not now.is_leader(leader):
            continue
        here = now.at(leader)
        if all(any(now.adjacent(here, place) for place in group) for group in places):
            return leader.id
    return ""


def range_faults(
    now: Situation, members: Sequence[Member], target: Location, led: bool
) -> Iterator[Violation]:
    """ASL-FIRE-4, ASL-MG-4: twice the range at most; beyond 16 hexes machine guns need a leader."""
    for member in members:
        far = now.ground.distance(member.place.cell, target.cell)
        reach = reach_of(now, member.unit)
        twice = reach if member.is_weapon and now.counter(member.unit).kind == "atr" else 2 * reach
        if far > twice:
            text = f"{target} is {far} hexes from {member.unit.id}, which reaches {twice}"
            yield Violation("ASL-FIRE-4", text, units=(member.unit.id,), cells=(target.cell,))
        elif far > FARTHEST and not led:
            text = f"beyond {FARTHEST} hexes {member.unit.id} needs a directing leader"
            yield Violation("ASL-MG-4", text, units=(member.unit.id,), cured_by=("leaders",))


def _close(now: Situation, member: Member, target: Location) -> bool:
    return member.place == target or now.ground.distance(member.place.cell, target.cell) <= 1


def combine_faults(
    now: Situation, members: Sequence[Member], target: Location
) -> Iterator[Violation]:
    """ASL-FG-1: who fires from where others have fired at the same target in this phase."""
    for attack in now.attacks():
        if attack.to != str(target):
            continue
        for member in members:
            again = member.mode in (Mode.SUBSEQUENT, Mode.PROTECTIVE)
            if str(member.place) in attack.places and member.unit.id not in attack.by and not again:
                text = f"{member.unit.id} should have fired together with {', '.join(attack.by)}"
                yield Violation("ASL-FG-1", text, units=(member.unit.id,))


def _at_own_location(
    now: Situation, members: Sequence[Member], target: Location, side: str
) -> Iterator[Violation]:
    """ASL-A7.212: an enemy in one's own location comes first."""
    for member in members:
        if member.place != target and any(
            not one.has(marks.UNARMED) for one in now.people(member.place, other(side))
        ):
            text = f"{member.unit.id} must fire at the enemy in its own location"
            yield Violation("ASL-A7.212", text, units=(member.unit.id,))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """What may be chosen: hexes with enemies, firers of one's own, leaders with them."""
    side = action.side
    if slot == "target":
        enemies = now.position.of_side(other(side))
        return tuple(dict.fromkeys(unit.cell for unit in enemies if unit.cell))
    if slot == "level":
        cell = str(action.given("target", ""))
        enemies = tuple(u for u in now.position.at(cell) if u.side == other(side)) if cell else ()
        levels = {unit.level for unit in enemies if unit.cell}
        return (None, *sorted(levels - {0})) if 0 in levels else tuple(sorted(levels)) or (None,)
    if slot == "firers":
        return tuple(
            unit.id
            for unit in now.position.of_side(side)
            if now.position.cell_of(unit)
            and (now.is_weapon(unit) or now.is_personnel(unit))
            and not firer_faults(now, unit.id, side)
        )
    if slot == "leaders":
        places = {now.at(now.unit(name)) for name in action.so_far("firers")}
        return tuple(
            u.id
            for place in sorted(places)
            for u in now.position.at(place.cell)
            if u.side == side and now.is_leader(u) and now.at(u) == place
        )
    return None


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists: each location with all that can fire from it, and each unit and weapon alone."""
    if slot == "firers":
        target = str(action.given("target", ""))
        return tuple(listed_groups(now, candidates(now, action, slot) or (), target))
    if slot == "leaders":
        return ((), *((name,) for name in candidates(now, action, slot) or ()))
    return None


def listed_groups(now: Situation, names: Iterable[Value], target: str) -> Iterator[tuple[str, ...]]:
    """Of those who could fire, each alone, and all of one location together."""
    by_place: dict[Location, list[str]] = {}
    for name in names:
        unit = now.unit(str(name))
        place = now.at(unit)
        if not target or now.ground.distance(place.cell, target) <= 2 * reach_of(now, unit):
            by_place.setdefault(place, []).append(unit.id)
    for group in by_place.values():
        for name in group:
            yield (name,)
        if len(group) > 1:
            yield tuple(group)


def declare(play: Play, action: Action) -> None:
    """Fire: by whoever sees, as far as the group hangs together."""
    now = play.now
    target = Location(action.text("target"), action.number("level"))
    members = members_for(now, action.texts("firers"), target)
    leaders = tuple(now.unit(name) for name in action.texts("leaders"))
    shot = Shot(action.side, tuple(members), leaders, target)
    fire(play, shot, members[0].mode)
