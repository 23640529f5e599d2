"""A fire group fires: split by blocked sight, rate of fire and breakdown, marks on who fired."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import NotFoundError
from hexmarshal.games.asl.rules.concealment.loss import expose_by_fire
from hexmarshal.games.asl.rules.defensive_fire.residual import leave_residual
from hexmarshal.games.asl.rules.fire import cowering, encirclement
from hexmarshal.games.asl.rules.fire.attack import Hit, resolve, targets_of
from hexmarshal.games.asl.rules.fire.modifiers import leadership_of
from hexmarshal.games.asl.rules.fire.shot import Mode, weapon_values
from hexmarshal.games.asl.rules.fire.vehicles import unarmored_in
from hexmarshal.games.asl.rules.heat_of_battle import heat
from hexmarshal.games.asl.rules.machine_guns.fields import lay_arc
from hexmarshal.games.asl.rules.morale.checks import Fate, fate_of_check
from hexmarshal.games.asl.rules.morale.results import chosen_by_lot, inflict
from hexmarshal.games.asl.rules.quality import ammunition
from hexmarshal.games.asl.rules.quality.elr import beyond_elr
from hexmarshal.games.asl.rules.weapons.breakdown import break_down
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import SetExtra
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.rules.fire.shot import Member, Shot
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.values import Value

__all__ = ["connected", "fire", "mark_after", "parts_of", "record", "sees_target", "users_of"]

_MARK = {
    Mode.PREP: marks.PREP_FIRE,
    Mode.FIRST: marks.FIRST_FIRE,
    Mode.SUBSEQUENT: marks.FINAL_FIRE,
    Mode.PROTECTIVE: marks.FINAL_FIRE,
    Mode.FINAL: marks.FINAL_FIRE,
    Mode.FINAL_AGAIN: marks.FINAL_FIRE,
    Mode.ADVANCING: marks.ADVANCING_FIRE,
    Mode.OPPORTUNITY: marks.ADVANCING_FIRE,
}
_KEEPS_ROF = frozenset({Mode.PREP, Mode.FIRST, Mode.FINAL, Mode.OPPORTUNITY})
_WORST = 12


def connected(now: Situation, members: tuple[Member, ...]) -> list[tuple[Member, ...]]:
    """ASL-FG-1, ASL-FG-2: the members by chains of ADJACENT locations."""
    places = list(dict.fromkeys(member.place for member in members))
    if len(places) <= 1:
        return [members] if members else []
    groups: list[set[int]] = []
    for i, place in enumerate(places):
        joined = {i}
        for group in [g for g in groups if any(now.adjacent(place, places[j]) for j in g)]:
            joined |= group
            groups.remove(group)
        groups.append(joined)
    groups.sort(key=min)
    return [tuple(m for m in members if places.index(m.place) in group) for group in groups]


def sees_target(now: Situation, member: Member, shot: Shot) -> bool:
    """Whether a member has a line of sight to what is shot at."""
    if shot.snap is not None:
        return sees_hexside(now, member, shot.snap)
    if shot.moving is not None:
        moving = [now.unit(n) for n in shot.moving if n in now.position.units]
        here = [u for u in moving if now.at(u) == shot.target]
        if here:
            return any(now.sees_unit(member.place, unit) for unit in here)
    return now.sees(member.place, shot.target)


def sees_hexside(now: Situation, member: Member, snap: tuple[str, str]) -> bool:
    """ASL-SNAP-1: both ends of the hexside are seen."""
    from hexmarshal.games.asl.sight.view import Spot

    side = now.ground.side_to(*snap)
    if side is None:
        return False
    ends = (Spot(snap[0], 0, side), Spot(snap[0], 0, (side + 1) % 6))
    here = Spot(member.place.cell, member.place.level)
    try:
        return all(not now.sight.answer(here, end).blocked for end in ends)
    except NotFoundError:  # a vertex of a half hex lies off the map
        return False


def parts_of(now: Situation, shot: Shot) -> list[Shot]:
    """ASL-FG-4: who sees the target, by groups that still hang together."""
    seeing = tuple(m for m in shot.members if sees_target(now, m, shot))
    found = []
    for members in connected(now, seeing):
        places = {member.place for member in members}
        leaders = tuple(leader for leader in shot.leaders if now.at(leader) in places)
        covered = {now.at(leader) for leader in leaders}
        found.append(replace(shot, members=members, leaders=leaders if covered == places else ()))
    return found


def fire(play: Play, shot: Shot, label: str) -> list[Hit]:
    """The attack of a group, or of the parts that blocked sight leaves of it."""
    record(play, shot)
    expose_by_fire(play, users_of(shot))
    now = play.now
    hits: list[Hit] = []
    parts = parts_of(now, shot)
    blind = tuple(m for m in shot.members if not any(m in part.members for part in parts))
    if blind:
        _fire_blindly(play, shot, blind, label, rolls=not parts)
    for part in parts:
        if hits and not targets_of(play.now, part) and not unarmored_in(play.now, part):
            # ASL-FG-4: the target is gone; the others cease, and have fired all the same.
            _mark_all(play, part.members, None, shot.target)
            continue
        hits.append(_fire_part(play, part, label))
    _mark_leaders(play, shot)
    return hits


def users_of(shot: Shot) -> list[str]:
    """Who fires or directs."""
    return list(dict.fromkeys((*(m.user.id for m in shot.members), *(u.id for u in shot.leaders))))


def mark_after(play: Play, shot: Shot, hit: Hit | None) -> None:
    """ASL-MG-5: weapons and marks, after two hexes were sprayed with one roll."""
    if hit is not None:
        _weapons_after(play, shot.members, hit.dice)
    _mark_all(play, shot.members, hit, shot.target)
    if hit is not None and hit.cowered:
        mark = marks.PREP_FIRE if shot.members[0].mode == Mode.PREP else marks.FINAL_FIRE
        cowering.cower(play, shot.members, mark)
    if hit is not None:
        ammunition.run_out(play, shot, hit.dice)
    _mark_leaders(play, shot)


def _fire_part(play: Play, part: Shot, label: str) -> Hit:
    encirclement.surround(play, part)
    before = play.now
    hit = resolve(play, part, label)
    broken = _weapons_after(play, part.members, hit.dice)
    _mark_all(play, part.members, hit, part.target)
    if hit.cowered:
        mark = marks.PREP_FIRE if part.members[0].mode == Mode.PREP else marks.FINAL_FIRE
        cowering.cower(play, part.members, mark)
    if part.moving is not None:
        leave_residual(play, before, part, hit, broken)
    _protective_check(play, part, hit)
    ammunition.run_out(play, part, hit.dice)
    return hit


def _fire_blindly(
    play: Play, shot: Shot, members: tuple[Member, ...], label: str, *, rolls: bool
) -> None:
    """ASL-LOS-2: who fired without sight has fired, and may break down; nobody is hit."""
    names = ", ".join(member.unit.id for member in members)
    step = Step(f"{names}: no line of sight to {shot.target}", "ASL-LOS-2")
    if not rolls:
        play.decide(Resolution("fire", "no sight", steps=(step,)))
        _mark_all(play, members, None, shot.target)
        return
    dice, rolled = play.roll_two(label, shot.side, calls=True)
    play.decide(Resolution("fire", "no sight", dice=rolled, steps=(step,)))
    _weapons_after(play, members, dice)
    _mark_all(play, members, Hit(dice, -1, ()), shot.target)


def record(play: Play, shot: Shot) -> None:
    """Remember who fired from where at what in this phase (ASL-FG-1, ASL-DF-2)."""
    old = play.position.extras.get("attacks", ())
    entry: FrozenMap[Value] = FrozenMap(
        {
            "by": tuple(member.unit.id for member in shot.members),
            "from": tuple(str(p) for p in dict.fromkeys(m.place for m in shot.members)),
            "to": str(shot.target),
            "snap": shot.snap is not None,
        }
    )
    play.do(SetExtra("attacks", (*(old if isinstance(old, tuple) else ()), entry)))


def _weapons_after(
    play: Play, members: tuple[Member, ...], dice: tuple[int, int]
) -> tuple[str, ...]:
    """ASL-SWENG-2: weapons that the roll breaks; in a group the lot says which."""
    return break_down(play, [m for m in members if m.is_weapon], sum(dice))


def keeps_rof(now: Situation, member: Member, dice: tuple[int, int]) -> bool:
    """ASL-A9.2: the coloured die is not above the rate of fire."""
    if member.mode not in _KEEPS_ROF or member.user.has(marks.PINNED):
        return False
    return dice[0] <= weapon_values(now, member.unit)[2]


def _mark_all(play: Play, members: tuple[Member, ...], hit: Hit | None, target: Location) -> None:
    """ASL-FIRE-1, ASL-FIRE-6, ASL-DFF-1: all are marked but weapons that keep their rate."""
    for member in members:
        if member.unit.id not in play.position.units:
            continue
        mark = _MARK[member.mode]
        if member.is_weapon:
            kept = hit is not None and keeps_rof(play.now, member, hit.dice)
            if not kept or play.position.unit(member.unit.id).has(marks.MALFUNCTION):
                play.mark(member.unit.id, mark)
            else:
                step = Step(f"{member.unit.id} keeps its rate of fire", "ASL-A9.2")
                play.decide(Resolution("rate of fire", "kept", steps=(step,)))
                lay_arc(play, member, target)
            _mark_user(play, member, mark)
        else:
            play.mark(member.unit.id, mark, marks.USED)
        if member.user.id not in play.position.units:
            continue
        if member.mode == Mode.PREP:
            play.mark(member.user.id, marks.PREP_FIRE)
            play.unmark(member.user.id, marks.CX)  # ASL-CX-3
        if member.mode in (Mode.SUBSEQUENT, Mode.FINAL_AGAIN):  # ASL-A8.3
            play.mark(member.user.id, marks.FINAL_FIRE)
            play.unmark(member.user.id, marks.FIRST_FIRE)
            for weapon in play.now.weapons(play.position.unit(member.user.id)):
                play.mark(weapon.id, marks.FINAL_FIRE)
                play.unmark(weapon.id, marks.FIRST_FIRE)


def _mark_user(play: Play, member: Member, mark: str) -> None:
    """ASL-FIRE-6: a second weapon, or the first of a half-squad, costs the inherent firepower."""
    user = play.position.units.get(member.user.id)
    if user is None or member.mode in Mode.AGAIN:
        return
    used = user.values.get("weapons_used", ())
    names = used if isinstance(used, tuple) else ()
    if member.unit.id not in names:
        names = (*names, member.unit.id)
        play.note(user.id, weapons_used=names)
    free = 1 if play.now.counter(user).kind == "squad" else 0
    if len(names) > free:
        play.mark(user.id, marks.NO_FIRE)
    del mark


def _mark_leaders(play: Play, shot: Shot) -> None:
    """ASL-FD-1, ASL-FD-5: who directs has fired himself, and directs the same again or nobody."""
    for leader in shot.leaders:
        if leader.id not in play.position.units:
            continue
        mine = tuple(m.unit.id for m in shot.members if m.place == play.now.at(leader))
        again = any(m.mode in Mode.AGAIN for m in shot.members)
        play.mark(leader.id, marks.DIRECTED)
        play.note(leader.id, directed_units=mine)
        first = shot.members[0].mode
        if first == Mode.PREP:
            play.mark(leader.id, marks.PREP_FIRE)
        elif shot.moving is not None or first in (Mode.FINAL, Mode.FINAL_AGAIN):
            play.mark(leader.id, marks.FINAL_FIRE if again else marks.FIRST_FIRE)


def _protective_check(play: Play, part: Shot, hit: Hit) -> None:
    """ASL-A8.31b: the roll is also a normal morale check of all who fired as a last resort."""
    fired = list(dict.fromkeys(m.user.id for m in part.members if m.mode == Mode.PROTECTIVE))
    if not fired:
        return
    places = {m.place for m in part.members if m.mode == Mode.PROTECTIVE}
    fired += [leader.id for leader in part.leaders if play.now.at(leader) in places]
    amount = leadership_of(play.now, part) or 0
    original = sum(hit.dice)
    worst: tuple[str, ...] = ()
    if original == _WORST:
        worst = chosen_by_lot(play, fired, 1, "who suffers casualties", part.side)
    for name in fired:
        unit = play.position.units.get(name)
        if unit is None:
            continue
        total = original + (0 if play.now.is_leader(unit) else amount)
        rolled = original if name in worst or original != _WORST else original - 1
        fate = fate_of_check(play.now, unit, rolled, total)
        told = f"{play.now.named(unit)}: {total} against {play.now.morale(unit)}: {fate}"
        play.decide(Resolution("protective fire", fate.value, steps=(Step(told, "ASL-A8.31b"),)))
        if fate is not Fate.PASSED:
            beyond = beyond_elr(play.now, unit, total, fate)
            inflict(play, unit, fate, fired, dm=True, beyond=beyond)
    if original == heat.LUCKY:  # ASL-A15.1a: the roll is a check of theirs
        for name in chosen_by_lot(play, fired, 1, "whom the heat of battle takes", part.side):
            heat.kindle(play, name, broken=False)
