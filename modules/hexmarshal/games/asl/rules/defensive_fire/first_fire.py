"""Fire at who moves: first fire, subsequent first fire, final protective fire, snap shots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.defensive_fire.residual import give_up_rate, offered
from hexmarshal.games.asl.rules.fire.declare import (
    combine_faults,
    group_faults,
    listed_groups,
    members_for,
    range_faults,
)
from hexmarshal.games.asl.rules.fire.direction import direction_faults
from hexmarshal.games.asl.rules.fire.eligibility import capacity_faults, firer_faults
from hexmarshal.games.asl.rules.fire.group import fire, sees_target
from hexmarshal.games.asl.rules.fire.shot import Mode, Shot, reach_of
from hexmarshal.games.asl.rules.machine_guns.fields import arc_faults
from hexmarshal.games.asl.rules.machine_guns.lanes import lane_faults, lay_lane, rows
from hexmarshal.games.asl.rules.movement.stack import moving
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import Situation, other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.hiding import common
from hexmarshal.rules.state.effects import ChangeFrame
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.asl.rules.fire.shot import Member
    from hexmarshal.games.asl.rules.movement.stack import Moving
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value

__all__ = [
    "candidates", "check", "declare", "hold_fire", "leave_residual", "listed", "open_window",
    "shot_of",
]  # fmt: skip


def open_window(play: Play, place: Location, targets: Sequence[str]) -> None:
    """ASL-DF-1: after every expenditure the DEFENDER may fire, if anybody is in range at all.

    Who sees what is not asked: a window that opens tells nothing of lines of sight.
    """
    side = play.now.opposing
    now = Situation(common(play.position), play.now.ground, play.tables)
    unseen = now.option("hidden_units") is True  # ASL-HIP-1: all know that there may be some
    if unseen or any(_could_reach(now, unit.id, place) for unit in now.on_map(side)):
        near = (place.cell, *now.ground.near[place.cell])
        play.react(
            "first_fire",
            side,
            near=near,
            about={"cell": place.cell, "level": place.level, "targets": tuple(targets)},
        )


def _could_reach(now: Situation, name: str, place: Location) -> bool:
    unit = now.unit(name)
    if unit.flags & {marks.BROKEN, marks.TI, marks.MELEE}:
        return False
    if unit.has(marks.CONCEALED):
        return True  # who is under the "?", and what it reaches, is nobody's business
    far = now.ground.distance(unit.cell, place.cell)
    if (
        far > 1
        and unit.has(marks.FINAL_FIRE)
        and all(
            weapon.flags & {marks.FINAL_FIRE, marks.MALFUNCTION} for weapon in now.weapons(unit)
        )
    ):
        return False
    reach = [now.counter(unit).range, *(reach_of(now, w) for w in now.weapons(unit))]
    return far <= 2 * max(reach)


def targets_now(now: Situation) -> tuple[Location, tuple[str, ...]] | None:
    """Where the moving stack stands, and who of it can be fired at."""
    return now.remember("moving targets", lambda: _targets_of(now))


def _targets_of(now: Situation) -> tuple[Location, tuple[str, ...]] | None:
    frame = now.position.frame("first_fire")
    if frame is None:
        return None
    level = frame.value("level", 0)
    place = Location(frame.text("cell"), level if isinstance(level, int) else 0)
    return place, tuple(n for n in frame.texts("targets") if n in now.position.units)


def shot_of(now: Situation, action: Action) -> Shot | None:
    """The shot that an action declares."""
    found = targets_now(now)
    move = moving(now)
    if found is None or move is None:
        return None
    place, targets = found
    snap = (move.left, place.cell) if action.given("snap") is True and move.left else None
    units = [now.unit(name) for name in targets]
    members = members_for(
        now,
        action.so_far("firers"),
        place,
        targets=units,
        snap=snap is not None,
        dashed=_dashed(now, move, place, action.so_far("firers")),
    )
    leaders = tuple(now.unit(name) for name in action.so_far("leaders"))
    return Shot(action.side, tuple(members), leaders, place, targets, snap)


def _dashed(now: Situation, move: Moving, place: Location, firers: Sequence[str]) -> frozenset[str]:
    """ASL-DASH-2, ASL-DASH-4: who sees of a dash nothing but the road hex fires as Area Fire."""
    if not move.dash or place.cell != move.dash[0] or not move.left:
        return frozenset()
    found = set()
    for name in firers:
        unit = now.unit(name)
        holder = now.holder(unit) if now.is_weapon(unit) else unit
        if holder is None:
            continue
        at = now.at(holder)
        if not any(now.sees(at, Location(cell)) for cell in (move.left, move.dash[-1])):
            found.add(name)
    return frozenset(found)


def check(now: Situation, action: Action) -> Verdict:
    """ASL-DF-1, ASL-DF-2, ASL-A8.3, ASL-A8.31a."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    found = targets_now(now)
    move = moving(now)
    if found is None or move is None:
        return  # the kernel has told that it is out of turn
    place, targets = found
    if not targets:
        yield Violation("ASL-DF-1", "nobody who moved is left to be fired at", cells=(place.cell,))
    firers = action.so_far("firers")
    if not firers:
        yield Violation("ASL-FIRE-1", "nobody fires", cured_by=("firers",))
    faults = [fault for name in firers for fault in firer_faults(now, name, action.side)]
    yield from faults
    if faults:
        return
    yield from capacity_faults(now, firers)
    snap = action.given("snap") is True
    shot = shot_of(now, action)
    assert shot is not None
    members = shot.members
    yield from group_faults(now, members)
    yield from range_faults(now, members, place, bool(action.so_far("leaders")))
    yield from combine_faults(now, members, place)
    yield from arc_faults(now, members, place)
    for member in members:
        yield from _again_faults(now, member, move, place)
        yield from _how_often(now, member, move, place)
        yield from _own_location(now, member, place, action.side)
    yield from _all_guns(now, members)
    if snap:
        yield from _snap_faults(now, move, place, members)
    yield from direction_faults(now, action.so_far("leaders"), members, action.side)
    if isinstance(action.given("lane"), str):
        yield from lane_faults(now, members, place, action.text("lane"))
    for member in members:
        if not sees_target(now, member, shot):
            yield Violation(
                "ASL-LOS-2",
                f"{member.unit.id} in {member.place} has no line of sight to {place}",
                cells=(member.place.cell, place.cell),
                units=(member.unit.id,),
                by_sight=True,
            )


def _again_faults(
    now: Situation, member: Member, move: Moving, place: Location
) -> Iterator[Violation]:
    """ASL-A8.3, ASL-A8.31a, ASL-A8.31c: who has fired before fires only at what is near."""
    del move
    name = member.unit.id
    far = now.ground.distance(member.place.cell, place.cell)
    if member.mode == Mode.SUBSEQUENT:
        if far > reach_of(now, member.unit):
            text = f"{place} is beyond the normal range of {name}"
            yield Violation("ASL-A8.3", text, units=(name,), cells=(place.cell,))
        nearest = _nearest_enemy(now, member)
        if nearest is not None and far > nearest:
            text = f"a known enemy is nearer to {name} than {place}"
            where = (place.cell,)
            yield Violation("ASL-A8.3", text, units=(name,), cells=where, by_sight=True)
    elif member.mode == Mode.PROTECTIVE:
        if far > 1:
            text = f"{name} is marked Final Fire, and {place} is not adjacent"
            yield Violation("ASL-A8.31a", text, units=(name,), cells=(place.cell,))
        if member.place != place and now.people(member.place, other(member.user.side)):
            text = f"{name} has an enemy in its own location"
            yield Violation("ASL-A8.31c", text, units=(name,))
    if member.mode in Mode.AGAIN and member.is_weapon:
        if now.is_smc(member.user) and now.counter(member.unit).is_machine_gun:
            text = f"{member.user.id} alone has no sustained fire with {name}"
            yield Violation("ASL-A8.31c", text, units=(member.user.id, name))
        if not now.counter(member.unit).is_machine_gun:
            yield Violation("ASL-A8.3", f"{name} is no machine gun", units=(name,))


def _all_guns(now: Situation, members: Sequence[Member]) -> Iterator[Violation]:
    """ASL-A8.31a: final protective fire is with a machine gun, too, if it has one."""
    last = {m.user.id: m.user for m in members if m.mode == Mode.PROTECTIVE}
    used = {m.user.id for m in members if m.is_weapon}
    for name, user in last.items():
        guns = [
            weapon.id
            for weapon in now.weapons(user)
            if now.counter(weapon).is_machine_gun
            and not weapon.flags & {marks.MALFUNCTION, marks.DISMANTLED}
        ]
        if guns and name not in used and now.is_mmc(user):
            text = f"{name} must use {' or '.join(guns)} as well"
            yield Violation("ASL-A8.31a", text, units=(name, *guns), cured_by=("firers",))


def _nearest_enemy(now: Situation, member: Member) -> int | None:
    return min(
        (now.ground.distance(member.place.cell, u.cell) for u in now.enemies_in_sight(member.user)),
        default=None,
    )


def _how_often(
    now: Situation, member: Member, move: Moving, place: Location
) -> Iterator[Violation]:
    """ASL-DF-2, ASL-A9.2, ASL-SNAP-3: not more often than factors were spent there."""
    count = sum(attack.to == str(place) and member.unit.id in attack.by for attack in now.attacks())
    most = max(1, int(move.here))
    if count >= most:
        text = (
            f"{member.unit.id} has fired {count} times at those who spent {move.here} MF in {place}"
        )
        yield Violation("ASL-DF-2", text, units=(member.unit.id,), cells=(place.cell,))


def _own_location(
    now: Situation, member: Member, place: Location, side: str
) -> Iterator[Violation]:
    if member.mode == Mode.PROTECTIVE or member.place == place:
        return
    if any(not u.has(marks.UNARMED) for u in now.people(member.place, other(side))):
        text = f"{member.unit.id} must fire at the enemy in its own location"
        yield Violation("ASL-A7.212", text, units=(member.unit.id,))


def _snap_faults(
    now: Situation, move: Moving, place: Location, members: Sequence[Member]
) -> Iterator[Violation]:
    """ASL-SNAP-1, ASL-SNAP-3: along a hexside that was just crossed, once by each firer."""
    if not move.left or now.ground.side_to(move.left, place.cell) is None:
        yield Violation("ASL-SNAP-1", "no hexside was just crossed", cells=(place.cell,))
    for member in members:
        if member.place.cell == place.cell:
            text = f"{member.unit.id} is in the hex that is entered"
            yield Violation("ASL-SNAP-1", text, units=(member.unit.id,))
        if member.mode != Mode.FIRST:
            text = f"{member.unit.id} has fired: a snap shot is first fire"
            yield Violation("ASL-SNAP-1", text, units=(member.unit.id,))
        if any(attack.snap and member.unit.id in attack.by for attack in now.attacks()):
            text = f"{member.unit.id} has made its snap shot"
            yield Violation("ASL-SNAP-3", text, units=(member.unit.id,))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Who could fire at the moving stack."""
    found = targets_now(now)
    if found is None:
        return ()
    place, _ = found
    if slot == "firers":
        chosen = set(action.so_far("firers"))
        return tuple(
            unit.id
            for unit in now.position.of_side(action.side)
            if unit.id not in chosen
            and now.position.cell_of(unit)
            and (now.is_weapon(unit) or now.is_personnel(unit))
            and not firer_faults(now, unit.id, action.side)
            and now.ground.distance(now.position.cell_of(unit), place.cell)
            <= 2 * reach_of(now, unit)
        )
    if slot == "leaders":
        places = {now.at(now.unit(name)) for name in action.so_far("firers")}
        return tuple(
            u.id for at in sorted(places) for u in now.people(at, action.side) if now.is_leader(u)
        )
    if slot == "lane":
        return (None, *_lanes(now, action, place))
    return None


def _lanes(now: Situation, action: Action, place: Location) -> Iterator[str]:
    """ASL-A9.22: the hexes beyond the target, on the same hex grain from one machine gun."""
    names = action.so_far("firers")
    gun = now.unit(names[0]) if len(names) == 1 else None
    if gun is None or not now.is_weapon(gun) or not now.counter(gun).is_machine_gun:
        return
    cell = now.position.cell_of(gun)
    for side in range(6):
        row = [c for c, _ in zip(rows(now, cell, side), range(reach_of(now, gun)), strict=False)]
        if place.cell in row:
            yield from row[row.index(place.cell) :]


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists: each unit and weapon alone, and all of one location together."""
    if slot == "firers":
        found = targets_now(now)
        target = found[0].cell if found is not None else ""
        return tuple(listed_groups(now, candidates(now, action, slot) or (), target))
    if slot == "leaders":
        return ((), *((name,) for name in candidates(now, action, slot) or ()))
    return (None,) if slot == "lane" else None


def declare(play: Play, action: Action) -> None:
    """The DEFENDER fires; then he may fire on, or lets them go."""
    from hexmarshal.games.asl.rules.movement.spending import go_on

    now = play.now
    shot = shot_of(now, action)
    assert shot is not None
    lane = action.text("lane")
    frame = now.position.frame("first_fire")
    if frame is not None and frame.value("offer") is not None:
        # ASL-RFP-5: what was not done at once is not done
        play.do(ChangeFrame("first_fire", FrozenMap({"offer": None})))
    hits = fire(play, shot, shot.members[0].mode)
    if lane and hits:
        lay_lane(play, shot, hits[0], lane)
    go_on(play)
    found = targets_now(play.now)
    if found is None or (not found[1] and not offered(play.now)):
        hold_fire(play, action)


def leave_residual(play: Play, action: Action) -> None:
    """ASL-RFP-5: weapons that have just kept their rate leave residual fire instead."""
    give_up_rate(play, action.side, action.texts("weapons"))
    found = targets_now(play.now)
    if found is None or not found[1]:
        hold_fire(play, action)


def hold_fire(play: Play, action: Action) -> None:
    """ASL-DFF-1: when all who want to have fired, the move goes on."""
    from hexmarshal.games.asl.rules.movement.spending import settle

    del action
    play.answered("first_fire")
    settle(play)
