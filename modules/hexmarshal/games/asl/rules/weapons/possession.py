"""Possession of support weapons: recovery, transfer, and what their users do to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.morale.casualties import lose_weapon
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Modifier, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "candidates", "check_dismantle", "check_repair", "check_scuttle", "check_transfer", "dismantle",
    "give",
    "nothing_listed", "recover_faults", "repair", "scuttle", "transfer", "try_to_recover",
]  # fmt: skip

_NOT = 6


def give(play: Play, weapon: str, to: str) -> None:
    """ASL-SW-4: a weapon is possessed by this unit from now on, and goes with it."""
    play.do(
        ChangeUnit(weapon, bonds=FrozenMap({marks.POSSESSES: (to,)})),
        MoveUnit(weapon),
    )


def recover_faults(now: Situation, unit: Unit, weapon: Unit, side: str) -> Iterator[Violation]:
    """ASL-SWR-2, ASL-SWR-3: in its location, unpinned, not in bypass, with no armed enemy there."""
    if now.is_dummy(unit):
        yield Violation("ASL-A12.12d", f"{unit.id} is a dummy and takes nothing", units=(unit.id,))
        return
    if not now.is_weapon(weapon):
        yield Violation("ASL-SWR-1", f"{weapon.id} is no support weapon", units=(weapon.id,))
        return
    if unit.side != side or not now.is_personnel(unit):
        yield Violation("ASL-SWR-2", f"{unit.id} recovers nothing for {side}", units=(unit.id,))
        return
    holder = now.holder(weapon)
    if holder is not None:
        friend = holder.side == side and holder.has(marks.BROKEN)
        if not (friend and now.is_smc(unit)):
            text = f"{weapon.id} is possessed by {holder.id}"
            yield Violation("ASL-SWR-3", text, units=(weapon.id, holder.id))
    if now.at(unit) != now.at(weapon):
        text = f"{unit.id} is in {now.at(unit)}, {weapon.id} in {now.at(weapon)}"
        yield Violation("ASL-SWR-2", text, units=(unit.id, weapon.id))
    if not now.good_order(unit):
        yield Violation("ASL-SWR-2", f"{unit.id} is not in good order", units=(unit.id,))
    if unit.has(marks.PINNED) or unit.place:
        state = "pinned" if unit.has(marks.PINNED) else "in bypass"
        yield Violation("ASL-SWR-2", f"{unit.id} is {state}", units=(unit.id,))
    if any(now.is_armed(enemy) for enemy in now.people(now.at(unit), other(side))):
        yield Violation("ASL-SWR-2", f"an armed enemy is in {now.at(unit)}", units=(unit.id,))
    if weapon.has(marks.RALLIED) and now.position.phase == "rally":
        yield Violation("ASL-SWR-1", f"{weapon.id} was tried for in this phase", units=(weapon.id,))
    if weapon.values.get("recovery_tried") is True:
        yield Violation("ASL-SWR-1", f"{weapon.id} was tried for in this phase", units=(weapon.id,))


def try_to_recover(play: Play, unit: Unit, weapon: Unit) -> None:
    """ASL-SWR-1: a die below 6, one worse for the exhausted and by night."""
    now = play.now
    modifiers = []
    if unit.has(marks.CX):
        modifiers.append(Modifier("CX", 1, "ASL-SWR-1"))
    night = now.option("night")
    if isinstance(night, int) and night >= 0:
        modifiers.append(Modifier("night", 1, "ASL-SWR-1"))
    rolled, roll = play.roll_one("recovery", unit.side)
    total = rolled + sum(int(m.amount) for m in modifiers)
    got = total < _NOT
    told = f"{unit.id}: {total} for {weapon.id}: " + ("recovered" if got else "not recovered")
    play.decide(
        Resolution(
            "recovery",
            "recovered" if got else "none",
            modifiers=tuple(modifiers),
            dice=(roll,),
            steps=(Step(told, "ASL-SWR-1"),),
            known_to=now.readers(unit),
        )
    )
    play.note(weapon.id, recovery_tried=True)
    if got:
        if weapon.side != unit.side:  # it is captured, or retaken
            retaken = weapon.has(marks.CAPTURED)
            mark = frozenset({marks.CAPTURED})
            play.do(
                ChangeUnit(
                    weapon.id,
                    side=unit.side,
                    flags=frozenset() if retaken else mark,
                    unflags=mark if retaken else frozenset(),
                )
            )
        give(play, weapon.id, unit.id)
        play.mark(weapon.id, marks.RECOVERED)


def check_transfer(now: Situation, action: Action) -> Verdict:
    """ASL-SWT-1: between units in good order in one location."""
    return Verdict.of(_transfer_faults(now, action))


def _transfer_faults(now: Situation, action: Action) -> Iterator[Violation]:
    weapon = now.unit(action.text("weapon"))
    holder = now.holder(weapon)
    if not now.is_weapon(weapon) or holder is None or holder.side != action.side:
        yield Violation(
            "ASL-SWT-1", f"{weapon.id} is no weapon that you possess", units=(weapon.id,)
        )
        return
    if weapon.has(marks.RECOVERED):
        text = f"{weapon.id} was recovered in this phase"
        yield Violation("ASL-SWR-3", text, units=(weapon.id,))
    if now.position.phase == "advance" and any(
        unit.has(marks.ADVANCED) for unit in now.on_map(action.side)
    ):
        yield Violation("ASL-SWT-1", "weapons change hands before anybody advances")
    taker = now.unit(action.text("to"))
    able = now.is_personnel(taker) and not now.is_dummy(taker)  # ASL-A12.12d
    if taker.id == holder.id or taker.side != action.side or not able:
        yield Violation(
            "ASL-SWT-1", f"{taker.id} takes no weapon from {holder.id}", units=(taker.id,)
        )
        return
    if now.at(taker) != now.at(holder):
        text = f"{taker.id} and {holder.id} are not in one location"
        yield Violation("ASL-SWT-1", text, units=(taker.id, holder.id))
    for unit in (holder, taker):
        if not now.good_order(unit):
            yield Violation("ASL-SWT-1", f"{unit.id} is not in good order", units=(unit.id,))
    if weapon.has(marks.CARRIED) and now.position.phase == "movement":
        yield Violation("ASL-SW-3", f"{weapon.id} has moved in this phase", units=(weapon.id,))


def transfer(play: Play, action: Action) -> None:
    """ASL-SWT-1."""
    give(play, action.text("weapon"), action.text("to"))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The weapons of one's own units, and who is with them."""
    if slot == "weapon":
        return tuple(weapon.id for unit in now.on_map(action.side) for weapon in now.weapons(unit))
    if slot == "to":
        weapon = now.position.units.get(str(action.given("weapon")))
        holder = None if weapon is None else now.holder(weapon)
        if holder is None:
            return ()
        return tuple(u.id for u in now.people(now.at(holder), action.side) if u.id != holder.id)
    return None


def nothing_listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """What is always possible and hardly ever meant is not listed."""
    del now, action
    return () if slot in ("weapon", "unit") else None


def check_repair(now: Situation, action: Action) -> Verdict:
    """ASL-SWENG-2: by its possessor in good order, in the rally phase, once."""
    return Verdict.of(_repair_faults(now, action))


def _repair_faults(now: Situation, action: Action) -> Iterator[Violation]:
    weapon = now.unit(action.text("weapon"))
    holder = now.holder(weapon)
    if not now.is_weapon(weapon) or holder is None or holder.side != action.side:
        yield Violation(
            "ASL-SWENG-2", f"{weapon.id} is no weapon that you possess", units=(weapon.id,)
        )
        return
    if not weapon.has(marks.MALFUNCTION):
        yield Violation("ASL-SWENG-2", f"{weapon.id} is in order", units=(weapon.id,))
    if weapon.has("captured"):
        yield Violation("ASL-SWENG-2", f"{weapon.id} is captured", units=(weapon.id,))
    if not now.good_order(holder):
        yield Violation("ASL-SWENG-2", f"{holder.id} is not in good order", units=(holder.id,))
    if weapon.has(marks.RALLIED):
        yield Violation("ASL-SWENG-2", f"{weapon.id} was tried in this phase", units=(weapon.id,))
    if holder.has(marks.RALLIED):
        yield Violation("ASL-DEP-3", f"{holder.id} has done something else", units=(holder.id,))


def repair(play: Play, action: Action) -> None:
    """ASL-SWENG-2: a die not above the repair number; a 6 is the end of it."""
    weapon = play.position.unit(action.text("weapon"))
    number = play.now.counter(weapon).repair
    rolled, roll = play.roll_one("repair", action.side)
    result = "repaired" if rolled <= number else "eliminated" if rolled == _NOT else "none"
    step = Step(f"{weapon.id}: {rolled} against {number}: {result}", "ASL-SWENG-2")
    holder = play.now.holder(weapon)
    known = None if holder is None else play.now.readers(holder)
    play.decide(Resolution("repair", result, dice=(roll,), steps=(step,), known_to=known))
    if result == "eliminated":
        lose_weapon(play, weapon.id)
        return
    if result == "repaired":
        play.unmark(weapon.id, marks.MALFUNCTION)
    play.mark(weapon.id, marks.RALLIED)


def check_scuttle(now: Situation, action: Action) -> Verdict:
    """ASL-SWENG-3: in a fire phase of one's own, by who could fire the weapon."""
    return Verdict.of(_use_faults(now, action, "ASL-SWENG-3"))


def _use_faults(now: Situation, action: Action, rule: str) -> Iterator[Violation]:
    weapon = now.unit(action.text("weapon"))
    holder = now.holder(weapon)
    if not now.is_weapon(weapon) or holder is None or holder.side != action.side:
        yield Violation(rule, f"{weapon.id} is no weapon that you possess", units=(weapon.id,))
        return
    if _acting(now) != action.side:
        yield Violation(rule, f"{action.side} does not fire in this phase")
    if not now.good_order(holder):
        yield Violation(rule, f"{holder.id} is not in good order", units=(holder.id,))
    if weapon.flags & {marks.PREP_FIRE, marks.FIRST_FIRE, marks.FINAL_FIRE}:
        yield Violation(rule, f"{weapon.id} has fired", units=(weapon.id,))
    used = holder.values.get("weapons_used", ())
    names = set(used if isinstance(used, tuple) else ()) | {weapon.id}
    most = 2 if now.counter(holder).kind == "squad" else 1
    if len(names) > most:
        yield Violation(rule, f"{holder.id} has used {most} weapons", units=(holder.id,))


def _acting(now: Situation) -> str:
    return now.opposing if now.position.phase == "defensive_fire" else now.phasing


def scuttle(play: Play, action: Action) -> None:
    """ASL-SWENG-3: broken, or destroyed; it counts as using the weapon."""
    name = action.text("weapon")
    _use(play, name)
    if action.text("how") == "destroy":
        lose_weapon(play, name)
    else:
        play.mark(name, marks.MALFUNCTION)


def _use(play: Play, name: str) -> None:
    holder = play.now.holder(play.position.unit(name))
    assert holder is not None
    mark = marks.PREP_FIRE if play.position.phase == "prep_fire" else marks.FINAL_FIRE
    play.mark(name, mark)
    used = holder.values.get("weapons_used", ())
    names = (*(used if isinstance(used, tuple) else ()), name)
    play.note(holder.id, weapons_used=tuple(dict.fromkeys(names)))
    if play.position.phase == "prep_fire":
        play.mark(holder.id, marks.PREP_FIRE)
    if len(names) > (1 if play.now.counter(holder).kind == "squad" else 0):
        play.mark(holder.id, marks.NO_FIRE)


def check_dismantle(now: Situation, action: Action) -> Verdict:
    """ASL-A9.8: medium and heavy machine guns that have a dismantled side."""
    return Verdict.of(_dismantle_faults(now, action))


def _dismantle_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _use_faults(now, action, "ASL-A9.8")
    weapon = now.unit(action.text("weapon"))
    if now.is_weapon(weapon) and now.counter(weapon).dm_pp is None:
        yield Violation("ASL-A9.8", f"{weapon.id} cannot be dismantled", units=(weapon.id,))


def dismantle(play: Play, action: Action) -> None:
    """ASL-A9.8: dismantled, or put together again; it counts as using the weapon."""
    name = action.text("weapon")
    _use(play, name)
    if play.position.unit(name).has(marks.DISMANTLED):
        play.unmark(name, marks.DISMANTLED)
    else:
        play.mark(name, marks.DISMANTLED)
