"""Fire direction: which leaders may direct which fire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import leads
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.asl.rules.fire.shot import Member
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["direction_faults"]


def direction_faults(
    now: Situation, leaders: Sequence[str], members: Sequence[Member], side: str
) -> Iterator[Violation]:
    """ASL-FD-1 to ASL-FD-5: one leader a location, free to direct, and each location has one."""
    places: dict[str, str] = {}
    firing = {member.user.id for member in members}
    for name in leaders:
        leader = now.unit(name)
        if leader.side != side or not now.is_leader(leader):
            yield Violation("ASL-FD-1", f"{name} is no leader of {side}", units=(name,))
            continue
        if leader.flags & {marks.BROKEN, marks.MELEE, marks.BERSERK}:
            yield Violation("ASL-FD-1", f"{name} is not in good order", units=(name,))
        if leader.has(marks.PINNED):
            yield Violation("ASL-PIN-5", f"{name} is pinned and directs nobody", units=(name,))
        if leader.has(marks.TI):
            yield Violation("ASL-TI-1", f"{name} is TI", units=(name,))
        yield from _from_vehicle(now, leader)
        if name in firing or leader.values.get("weapons_used"):
            yield Violation("ASL-FD-1", f"{name} uses a weapon himself", units=(name,))
        here = str(now.at(leader))
        if not any(str(member.place) == here for member in members):
            text = f"{name} in {here} is not with those who fire"
            yield Violation("ASL-FD-1", text, units=(name,), cured_by=("firers",))
        mine = [member.user for member in members if str(member.place) == here]
        if not all(leads(now, leader, user) for user in mine):
            text = f"{name} does not lead those who fire from {here}"
            yield Violation("ASL-NAT-PAR", text, units=(name,))
        if here in places:
            yield Violation("ASL-FD-2", f"{places[here]} directs in {here} already", units=(name,))
        places[here] = name
        yield from _directs_again(now, leader, members)
    missing = {str(member.place) for member in members} - set(places)
    if leaders and missing:
        text = f"no leader directs in {', '.join(sorted(missing))}"
        yield Violation("ASL-FD-2", text, cells=tuple(sorted(missing)), cured_by=("leaders",))


def _from_vehicle(now: Situation, leader: Unit) -> Iterator[Violation]:
    """ASL-FD-5: not out of a vehicle that has just arrived or moves."""
    vehicle = now.position.units.get(leader.carrier)
    if vehicle is not None and (vehicle.has(marks.MOVED) or vehicle.values.get("moving")):
        text = f"{leader.id} is in {vehicle.id}, which has just arrived or moves"
        yield Violation("ASL-FD-5", text, units=(leader.id, vehicle.id))


def _share_crew(now: Situation, fresh: set[str], known: Value) -> bool:
    """ASL-FD-4: whether these are a gun and its squad, fired apart."""

    def crews(names: Iterable[str]) -> set[str]:
        units = [now.position.units[name] for name in names if name in now.position.units]
        holders = [now.holder(unit) if now.is_weapon(unit) else unit for unit in units]
        return {one.id for one in holders if one is not None}

    before = tuple(str(name) for name in known) if isinstance(known, tuple) else ()
    return bool(crews(fresh) & crews(before))


def _directs_again(now: Situation, leader: Unit, members: Sequence[Member]) -> Iterator[Violation]:
    """ASL-FD-1, ASL-FD-3, ASL-FD-4, ASL-DF-5: the same group again, or nobody."""
    if not leader.has(marks.DIRECTED):
        if leader.has(marks.PREP_FIRE) or leader.has(marks.ADVANCING_FIRE):
            yield Violation("ASL-FD-1", f"{leader.id} has fired", units=(leader.id,))
        return
    known = leader.values.get("directed_units", ())
    mine = {m.unit.id for m in members if m.place == now.at(leader)}
    fresh = mine - set(known if isinstance(known, tuple) else ())
    defends = now.position.phase in ("movement", "defensive_fire")
    if fresh:
        rule = "ASL-FD-3" if defends else "ASL-FD-1"
        if not defends and _share_crew(now, fresh, known):
            rule = "ASL-FD-4"
        text = f"{leader.id} has directed others, not {', '.join(sorted(fresh))}"
        yield Violation(rule, text, units=(leader.id, *sorted(fresh)))
    elif leader.has(marks.FINAL_FIRE):
        rule = "ASL-DF-5" if defends else "ASL-FD-1"
        text = f"{leader.id} has directed a second time already"
        yield Violation(rule, text, units=(leader.id,))
