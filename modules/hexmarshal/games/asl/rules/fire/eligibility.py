"""Who may fire now, and how: by phase, by what it has done, by who possesses a weapon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.fire.shot import Mode, firepower_of
from hexmarshal.games.asl.rules.prisoners.guards import is_tied_down
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["capacity_faults", "firer_faults", "mode_of"]


def mode_of(now: Situation, unit: Unit) -> str:
    """How this unit or weapon would fire now; '' if it has fired all that it may."""
    phase = now.position.phase
    user = now.holder(unit) if now.is_weapon(unit) else unit
    if user is None:
        return ""
    if phase == "prep_fire":
        return Mode.PREP
    if phase == "advancing_fire":
        # ASL-OPP-2
        return Mode.OPPORTUNITY if user.has(marks.OPPORTUNITY) else Mode.ADVANCING
    if phase == "defensive_fire":
        if marked_first(now, unit, user):
            return Mode.FINAL_AGAIN
        return Mode.FINAL
    if unit.has(marks.FINAL_FIRE) or user.has(marks.FINAL_FIRE):
        return Mode.PROTECTIVE
    return Mode.SUBSEQUENT if marked_first(now, unit, user) else Mode.FIRST


def marked_first(now: Situation, unit: Unit, user: Unit) -> bool:
    """Whether it is under a First Fire counter; a weapon with its rate left is not."""
    del now
    if unit.id == user.id:
        return unit.has(marks.FIRST_FIRE)
    return unit.has(marks.FIRST_FIRE)


def firer_faults(now: Situation, name: str, side: str) -> tuple[Violation, ...]:
    """What keeps one unit or weapon from firing at all now; worked out once for a position."""
    known = now.remember("firers", dict[tuple[str, str], tuple[Violation, ...]])
    found = known.get((name, side))
    if found is None:
        found = known[name, side] = tuple(_firer_faults(now, name, side))
    return found


def _firer_faults(now: Situation, name: str, side: str) -> Iterator[Violation]:
    unit = now.unit(name)
    if unit.side != side or not (now.is_personnel(unit) or now.is_weapon(unit)):
        yield Violation("ASL-FIRE-1", f"{name} does not fire for {side}", units=(name,))
        return
    if now.is_weapon(unit):
        yield from _weapon_faults(now, unit)
        user = now.holder(unit)
        if user is None:
            return
    else:
        user = unit
        if not firepower_of(now, unit):
            yield Violation("ASL-UNIT-1", f"{name} has no firepower of its own", units=(name,))
    if not user.cell:
        yield Violation("ASL-FIRE-1", f"{user.id} is not on the map", units=(user.id,))
    if user.has(marks.BROKEN):
        yield Violation("ASL-BROK-1", f"{user.id} is broken", units=(user.id,))
    if user.has(marks.TI):
        yield Violation("ASL-TI-1", f"{user.id} is TI", units=(user.id,))
    if user.has(marks.MELEE):
        yield Violation("ASL-FIRE-1", f"{user.id} is in melee", units=(user.id,))
    if now.position.phase == "advancing_fire" and {marks.WAVE, marks.CLOSE} <= user.flags:
        text = f"{user.id} has charged into {now.at(user)} in a human wave"
        yield Violation("ASL-A25.23e", text, units=(user.id,))
    if user.has(marks.BERSERK) and now.position.phase == "prep_fire":
        yield Violation("ASL-A15.42a", f"{user.id} is berserk and will charge", units=(user.id,))
    if is_tied_down(now, user):
        text = f"{user.id} guards more prisoners than it counts itself"
        yield Violation("ASL-A20.5b", text, units=(user.id,))
    if not now.is_weapon(unit) and unit.has(marks.UNARMED):
        yield Violation("ASL-DEF-2", f"{name} is unarmed", units=(name,))
    yield from _spent(now, unit, user)


def _weapon_faults(now: Situation, weapon: Unit) -> Iterator[Violation]:
    holder = now.holder(weapon)
    if holder is None:
        text = f"{weapon.id} is possessed by nobody who could fire it"
        yield Violation("ASL-SW-4", text, units=(weapon.id,))
        return
    if weapon.has(marks.MALFUNCTION):
        yield Violation("ASL-SWENG-1", f"{weapon.id} is malfunctioned", units=(weapon.id,))
    counter = now.counter(weapon)
    if weapon.has(marks.DISMANTLED) and not counter.dm_fp:
        yield Violation("ASL-A9.8", f"{weapon.id} is dismantled", units=(weapon.id,))
    if (
        now.position.phase == "advancing_fire"
        and counter.kind in ("mmg", "hmg")
        and weapon.has(marks.CARRIED)
        and not weapon.has(marks.DISMANTLED)
    ):
        text = f"{weapon.id} was moved and may not fire in the advancing fire phase"
        yield Violation("ASL-SW-7", text, units=(weapon.id,))


def _spent(now: Situation, unit: Unit, user: Unit) -> Iterator[Violation]:
    """ASL-FIRE-1: firepower is used in one fire phase of a player turn alone, and once in it."""
    phase = now.position.phase
    mine = unit.id == user.id
    text = f"{unit.id} has fired"
    if phase == "prep_fire":
        if unit.has(marks.USED) if mine else unit.has(marks.PREP_FIRE):
            rule = "ASL-FIRE-3" if mine else "ASL-A9.2"
            yield Violation(rule, f"{text} in this phase", units=(unit.id,))
        if user.has(marks.OPPORTUNITY):
            yield Violation("ASL-OPP-1", f"{user.id} waits for opportunity fire", units=(user.id,))
    elif phase == "advancing_fire":
        if unit.has(marks.PREP_FIRE) or user.has(marks.PREP_FIRE):
            yield Violation("ASL-FIRE-1", f"{text} in the prep fire phase", units=(unit.id,))
        elif unit.has(marks.ADVANCING_FIRE):
            rule = "ASL-FIRE-3" if mine else "ASL-A9.2"
            yield Violation(rule, f"{text} in this phase", units=(unit.id,))
    elif phase == "defensive_fire" and unit.has(marks.FINAL_FIRE):
        yield Violation("ASL-A8.4", f"{unit.id} is marked Final Fire", units=(unit.id,))
    if mine and user.has(marks.NO_FIRE) and mode_of(now, unit) not in Mode.AGAIN:
        rule = "ASL-FIRE-6"
        yield Violation(rule, f"{unit.id} used its men for weapons", units=(unit.id,))


def capacity_faults(now: Situation, firers: Sequence[str]) -> Iterator[Violation]:
    """ASL-FIRE-6, ASL-MG-1: how many weapons a unit can use, and what that costs it."""
    by_user: dict[str, list[str]] = {}
    for name in firers:
        unit = now.unit(name)
        if now.is_weapon(unit):
            holder = now.holder(unit)
            if holder is not None:
                by_user.setdefault(holder.id, []).append(name)
    for user_id, weapons in by_user.items():
        user = now.unit(user_id)
        before = user.values.get("weapons_used", ())
        used = (
            {*weapons, *(str(n) for n in before if isinstance(before, tuple))}
            if isinstance(before, tuple)
            else set(weapons)
        )
        kind = now.counter(user).kind
        most = 2 if kind == "squad" else 1
        if len(used) > most:
            text = f"{user_id} uses {len(used)} weapons and may use {most}"
            yield Violation("ASL-FIRE-6", text, units=(user_id, *weapons))
        free = 1 if kind == "squad" else 0
        again = mode_of(now, user) in Mode.AGAIN
        if user_id in firers and len(used) > free and not again:
            text = f"{user_id} gives its own firepower up for {', '.join(sorted(used))}"
            yield Violation("ASL-FIRE-6", text, units=(user_id, *weapons))
        if user.has(marks.USED) and len(used) > free and not again:
            text = f"{user_id} has fired itself and has no men for {', '.join(weapons)}"
            yield Violation("ASL-FIRE-6", text, units=(user_id, *weapons))
