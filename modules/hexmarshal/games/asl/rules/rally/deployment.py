"""Deployment of a squad into half-squads, and their recombination."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.loss import expose
from hexmarshal.games.asl.rules.weapons.possession import give, recover_faults, try_to_recover
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import at_home, leads, may_deploy, nation_of
from hexmarshal.rules.state.effects import AddUnit, ChangeUnit, RemoveUnit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "candidates", "check_deploy", "check_recombine", "check_recover", "deploy", "recombine",
    "into_halves", "recover", "recover_candidates",
]  # fmt: skip


def deploys_alone(now: Situation, unit: Unit) -> bool:
    """ASL-NAT-FIN: who needs no leader to deploy and recombine."""
    return nation_of(now, unit).deploys == "alone" and at_home(now)


def _leader_faults(
    now: Situation, leader: Unit | None, units: tuple[Unit, ...], rule: str
) -> Iterator[Violation]:
    names = tuple(unit.id for unit in units)
    if leader is None:
        if not all(deploys_alone(now, unit) for unit in units):
            yield Violation(rule, f"{' and '.join(names)}: no leader is with them", units=names)
        return
    if not now.is_leader(leader) or leader.side != units[0].side:
        yield Violation(rule, f"{leader.id} is no leader of yours", units=(leader.id,))
        return
    if not all(leads(now, leader, unit) for unit in units):
        yield Violation("ASL-NAT-PAR", f"{leader.id} does not lead {names[0]}", units=(leader.id,))
    if now.at(leader) != now.at(units[0]):
        yield Violation(rule, f"{leader.id} is not with {names[0]}", units=(leader.id, *names))
    if not now.good_order(leader):
        yield Violation(rule, f"{leader.id} is not in good order", units=(leader.id,))
    if leader.has(marks.PINNED):
        yield Violation("ASL-PIN-5", f"{leader.id} is pinned", units=(leader.id,))
    if leader.has(marks.RALLIED):
        text = f"{leader.id} has done something else in this phase"
        yield Violation("ASL-DEP-3", text, units=(leader.id,))


def check_deploy(now: Situation, action: Action) -> Verdict:
    """ASL-DEP-1, ASL-DEP-3."""
    return Verdict.of(_deploy_faults(now, action))


def _deploy_faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    if unit.side != action.side or not now.is_mmc(unit) or now.counter(unit).kind != "squad":
        yield Violation("ASL-DEP-1", f"{unit.id} is no squad of yours", units=(unit.id,))
        return
    if unit.box:
        yield from _entering_faults(now, unit)
        return
    if not now.good_order(unit) or not unit.cell:
        yield Violation("ASL-DEP-1", f"{unit.id} is not in good order", units=(unit.id,))
    if not may_deploy(now, unit):
        text = f"{now.nation(unit)} squads like {unit.id} do not deploy"
        yield Violation("ASL-DEP-1", text, units=(unit.id,))
    if unit.has(marks.RALLIED):
        text = f"{unit.id} has tried, or done something else in this phase"
        yield Violation("ASL-DEP-3", text, units=(unit.id,))
    name = action.text("leader")
    yield from _leader_faults(now, now.unit(name) if name else None, (unit,), "ASL-DEP-1")
    mine = {weapon.id for weapon in now.weapons(unit)}
    for weapon in action.so_far("weapons"):
        if weapon not in mine:
            yield Violation("ASL-DEP-4", f"{weapon} is not possessed by {unit.id}", units=(weapon,))


def _entering_faults(now: Situation, unit: Unit) -> Iterator[Violation]:
    """ASL-DEP-5: a tenth of those who enter together, rounded up, deploy freely."""
    if not may_deploy(now, unit):
        text = f"{now.nation(unit)} squads like {unit.id} do not deploy"
        yield Violation("ASL-DEP-1", text, units=(unit.id,))
    due = unit.values.get("turn")
    group = [
        one
        for one in now.position.in_box(unit.box)
        if one.side == unit.side and one.values.get("turn") == due and now.is_mmc(one)
    ]
    halves = sum(now.counter(one).kind == "half_squad" for one in group)
    squads = sum(now.counter(one).kind == "squad" for one in group) + (halves + 1) // 2
    if (halves + 1) // 2 >= -(-squads // 10):
        text = f"a tenth of {squads} squads is deployed already"
        yield Violation("ASL-DEP-5", text, units=(unit.id,))


def deploy(play: Play, action: Action) -> None:
    """ASL-DEP-2, ASL-DEP-4: a task check; then two half-squads share the weapons as named."""
    now = play.now
    unit = now.unit(action.text("unit"))
    name = action.text("leader")
    if unit.box:
        into_halves(play, unit, action.texts("weapons"))
        return
    expose(play, (unit.id, *((name,) if name else ())), "deploys", "ASL-CONL-3")
    amount = now.leadership(now.unit(name), unit) if name else 1
    dice, rolls = play.roll_two(f"NTC of {unit.id}", unit.side)
    total = sum(dice) + amount
    passed = total <= now.morale(unit)
    told = (
        f"{now.named(unit)}: {dice[0]} + {dice[1]} {amount:+} = {total} against {now.morale(unit)}"
    )
    play.decide(
        Resolution(
            "deployment",
            "deployed" if passed else "failed",
            dice=rolls,
            steps=(Step(told, "ASL-DEP-2"),),
            known_to=play.now.readers(play.position.unit(unit.id)),
        )
    )
    if name:
        play.mark(name, marks.RALLIED)
        play.note(name, deployed=True)
    play.mark(unit.id, marks.RALLIED)
    if not passed:
        return
    into_halves(play, unit, action.texts("weapons"))


def into_halves(play: Play, unit: Unit, weapons: Sequence[str]) -> None:
    """ASL-DEP-4: two half-squads, the second one with these weapons."""
    play.do(ChangeUnit(unit.id, type=play.now.counter(unit).half))
    second = _free_name(play, unit.id)
    twin = replace(play.position.unit(unit.id), id=second)
    play.do(AddUnit(second, twin))
    for weapon in weapons:
        give(play, weapon, second)


def _free_name(play: Play, name: str) -> str:
    number = 2
    while f"{name}.{number}" in play.position.units:
        number += 1
    return f"{name}.{number}"


def check_recombine(now: Situation, action: Action) -> Verdict:
    """ASL-DEP-6: two half-squads of the same firepower in one hex, with a leader."""
    return Verdict.of(_recombine_faults(now, action))


def _recombine_faults(now: Situation, action: Action) -> Iterator[Violation]:
    names = action.so_far("units")
    pair = []
    for name in names:
        unit = now.unit(name)
        if (
            unit.side != action.side
            or not now.is_mmc(unit)
            or now.counter(unit).kind != "half_squad"
        ):
            yield Violation("ASL-DEP-6", f"{name} is no half-squad of yours", units=(name,))
            continue
        pair.append(unit)
        if not now.good_order(unit):
            yield Violation("ASL-DEP-6", f"{name} is not in good order", units=(name,))
        if unit.has(marks.RALLIED):
            yield Violation("ASL-DEP-6", f"{name} has done something else", units=(name,))
    if len(names) != 2:
        yield Violation("ASL-DEP-6", "two half-squads recombine", units=names, cured_by=("units",))
        if len(names) > 2:
            yield Violation("ASL-DEP-6", "no more than two half-squads recombine", units=names)
        return
    if len(pair) != 2:
        return
    one, two = pair
    if now.at(one) != now.at(two):
        yield Violation("ASL-DEP-6", f"{one.id} and {two.id} are not together", units=names)
    if one.type != two.type or one.type not in now.tables.squads_of:
        text = f"{now.named(one)} and {now.named(two)} make no squad"
        yield Violation("ASL-DEP-6", text, units=names)
    name = action.text("leader")
    yield from _leader_faults(now, now.unit(name) if name else None, (one, two), "ASL-DEP-6")


def recombine(play: Play, action: Action) -> None:
    """ASL-DEP-6, ASL-DEP-7: one squad with all that both had; fanatic only if both were."""
    led = (action.text("leader"),) if action.text("leader") else ()
    expose(play, (*action.texts("units"), *led), "recombines", "ASL-CONL-3")
    first, second = (play.position.unit(name) for name in action.texts("units"))
    for weapon in play.now.weapons(second):
        give(play, weapon.id, first.id)
    for prisoner in play.now.prisoners(second):
        play.do(ChangeUnit(prisoner.id, bonds=FrozenMap({marks.GUARDS: (first.id,)})))
    gone = frozenset({marks.FANATIC}) if not second.has(marks.FANATIC) else frozenset()
    squad = play.tables.squads_of[first.type]
    keep = frozenset({marks.CX}) & second.flags
    play.do(
        ChangeUnit(first.id, type=squad, flags=keep, unflags=gone & first.flags),
        RemoveUnit(second.id),
    )
    play.mark(first.id, marks.RALLIED)
    if leader := action.text("leader"):
        play.mark(leader, marks.RALLIED)
        play.note(leader, deployed=True)


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Squads, half-squads, the leaders with them, their weapons."""
    side = action.side
    if slot == "unit":
        return tuple(  # ASL-DEP-5: also of those who wait to enter
            u.id for u in now.position.of_side(side)
            if (u.cell or u.box) and now.is_mmc(u) and now.counter(u).kind == "squad"
            and not u.has(marks.RALLIED)
        )  # fmt: skip
    if slot == "units":
        chosen = action.so_far("units")
        return tuple(
            u.id for u in now.on_map(side)
            if now.is_mmc(u) and now.counter(u).kind == "half_squad" and u.id not in chosen
            and (not chosen or now.at(u) == now.at(now.unit(chosen[0])))
        )  # fmt: skip
    if slot == "leader":
        named = action.given("unit") or (action.so_far("units") or ("",))[0]
        unit = now.position.units.get(str(named))
        if unit is None:
            return ()
        found = tuple(u.id for u in now.people(now.at(unit), side) if now.is_leader(u))
        return (None, *found) if deploys_alone(now, unit) else found
    if slot == "weapons":
        unit = now.position.units.get(str(action.given("unit")))
        chosen = action.so_far("weapons")
        if unit is None:
            return ()
        return tuple(w.id for w in now.weapons(unit) if w.id not in chosen)
    return None


def check_recover(now: Situation, action: Action) -> Verdict:
    """ASL-SWR-1, ASL-SWR-2: the only activity of a unit in the rally phase."""
    return Verdict.of(_recover_faults(now, action))


def _recover_faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    yield from recover_faults(now, unit, now.unit(action.text("weapon")), action.side)
    if unit.has(marks.RALLIED):
        text = f"{unit.id} has done something else in this phase"
        yield Violation("ASL-SWR-2", text, units=(unit.id,))


def recover_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Units with weapons on the ground beside them."""
    if slot == "unit":
        return tuple(
            u.id for u in now.on_map(action.side)
            if not u.has(marks.RALLIED) and any(_lying(now, u))
        )  # fmt: skip
    unit = now.position.units.get(str(action.given("unit")))
    return () if unit is None else tuple(w.id for w in _lying(now, unit))


def _lying(now: Situation, unit: Unit) -> list[Unit]:
    place = now.at(unit)
    return [
        one
        for one in now.position.at(place.cell)
        if now.is_weapon(one) and now.at(one) == place and one.by(marks.POSSESSES) != (unit.id,)
    ]


def recover(play: Play, action: Action) -> None:
    """ASL-SWR-1."""
    now = play.now
    unit, weapon = now.unit(action.text("unit")), now.unit(action.text("weapon"))
    try_to_recover(play, unit, weapon)
    play.mark(unit.id, marks.RALLIED)
    play.mark(weapon.id, marks.RALLIED)
