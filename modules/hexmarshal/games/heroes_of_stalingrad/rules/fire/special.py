"""HOS-5.11, HOS-5.20, HOS-5.22: snipers, disturbing fire, fire at structures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.cards.windows import throw
from hexmarshal.games.heroes_of_stalingrad.rules.fire.aiming import (
    aim,
    result_modifiers,
    sight_faults,
    target_faults,
)
from hexmarshal.games.heroes_of_stalingrad.rules.fire.context import (
    begin_fire,
    firers,
    firing_faults,
    weapon_faults,
    weapon_of,
)
from hexmarshal.games.heroes_of_stalingrad.rules.fire.shooting import candidates, dice_of
from hexmarshal.games.heroes_of_stalingrad.rules.fire.value import ammo_faults, bonus_of
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.rules.sight.lines import Line, Spot, best, spots, trace
from hexmarshal.games.heroes_of_stalingrad.rules.sight.measure import arc_holds
from hexmarshal.games.heroes_of_stalingrad.state.army import spend
from hexmarshal.games.heroes_of_stalingrad.state.kinds import INFANTRY
from hexmarshal.rules.dice import Roll
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Modifier, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.counters import Weapon
    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record, Value

__all__ = [
    "candidates",
    "check_demolish",
    "check_disturb",
    "check_snipe",
    "demolish",
    "demolish_candidates",
    "disturb",
    "disturbed",
    "snipe",
    "sniped",
    "sniper_result",
]

TOP = 6


def _begun(now: Situation, action: Action, ability: str, rule: str) -> Iterator[Violation]:
    """What all alternative fires of one weapon have in common, up to the target."""
    unit = now.unit(action.text("unit"))
    yield from firing_faults(now, action, unit)
    if not now.is_live(unit):
        return
    weapon = weapon_of(now, action, unit)
    yield from weapon_faults(now, unit, weapon, action.text("weapon"))
    if weapon is None or not _has(now, unit, weapon, ability):
        yield Violation(rule, f"{unit.id} has no {ability}", units=(unit.id,))


def _has(now: Situation, unit: Unit, weapon: Weapon, ability: str) -> bool:
    return weapon.has(ability) or now.has(unit, ability)


def _aimed(now: Situation, action: Action) -> Iterator[Violation]:
    unit, target = now.unit(action.text("unit")), now.unit(action.text("target"))
    yield from target_faults(now, unit, target)
    if now.is_live(target) and now.is_live(unit):
        yield from sight_faults(now, unit, weapon_of(now, action, unit), target)
    yield from ammo_faults(now, action, unit)


# Snipers


def check_snipe(now: Situation, action: Action) -> Verdict:
    """HOS-5.20: all that is wrong with a sniper's shot."""
    return Verdict.of(_snipe_faults(now, action))


def _snipe_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _begun(now, action, "sniper", "HOS-5.20")
    target = now.unit(action.text("target"))
    if now.family(target) != INFANTRY:
        yield Violation("HOS-5.20", f"{target.id} is no infantry", units=(target.id,))
    yield from _aimed(now, action)


def snipe(play: Play, action: Action) -> None:
    """A sniper fires."""
    _begin(play, action, "snipe_rolled", "sniper")


def _begin(play: Play, action: Action, then: str, purpose: str) -> None:
    unit, target = play.unit(action.text("unit")), action.text("target")
    weapon = weapon_of(play.now, action, unit)
    assert weapon is not None
    ammo = action.number("ammo")
    bonus = ammo + bonus_of(play.now, unit.side, "fire")
    if ammo:
        spend(play, unit, "ammo", ammo)
    after = begin_fire(play, unit, weapon.name)
    play.first(after)
    entry: dict[str, object] = {"kind": then, "unit": unit.id, "target": target}
    entry |= {"weapon": weapon.name, "bonus": bonus or None}
    throw(play, purpose, 1, unit, entry, target=target)
    go_on(play)


def _result(
    now: Situation, entry: Record, *, long: bool
) -> tuple[int, tuple[Modifier, ...], Unit, Unit]:
    unit, target = now.unit(str(entry["unit"])), now.unit(str(entry["target"]))
    weapon = now.weapon(unit, str(entry.get("weapon", "")))
    found = aim(now, unit, weapon, target)
    line, distance = (found.line, found.distance) if found else (None, 0)
    taken = list(result_modifiers(now, unit, line, distance if long else 0))
    bonus = entry.get("bonus", 0)
    if isinstance(bonus, int) and bonus:
        taken.append(Modifier("bonuses", bonus, "HOS-6.4", "result"))
    total = max(dice_of(entry)) + sum(int(m.amount) for m in taken)
    return total, tuple(taken), unit, target


def sniper_result(now: Situation, unit: Unit, total: int) -> str:
    """HOS-5.20: the row of the sniper table; a character's own one takes its place."""
    own = now.ability(unit, "sniper")
    table: Mapping[str, str] = own if hasattr(own, "items") else now.tables.limits["sniper"]
    return "none" if total < 1 else str(table[str(min(total, TOP))])


def sniped(play: Play, entry: Record) -> None:
    """HOS-5.20: what a sniper's die does."""
    long = bool(play.now.option("sniper_range"))
    total, taken, unit, target = _result(play.now, entry, long=long)
    result = sniper_result(play.now, unit, total)
    _tell(play, "sniper", result, entry, (total, taken), unit, target, "HOS-5.20")
    if result == "suppressed":
        play.first({"kind": "suppress", "unit": target.id, "count": 1})
    elif result in ("loss", "loss_and_suppressed"):
        about = {"kind": "loss", "unit": target.id, "by": unit.id, "cause": "fire"}
        after = {"kind": "suppress", "unit": target.id, "count": 1}
        play.first(about, *((after,) if result == "loss_and_suppressed" else ()))


def _tell(
    play: Play,
    kind: str,
    result: str,
    entry: Record,
    figures: tuple[int, tuple[Modifier, ...]],
    unit: Unit,
    target: Unit,
    rule: str,
) -> None:
    total, taken = figures
    dice = dice_of(entry)
    play.decide(
        Resolution(
            kind,
            result,
            modifiers=taken,
            dice=tuple(Roll(6, d, kind, side=unit.side) for d in dice),
            steps=(Step(f"die {max(dice)}, with all modifiers {total}", rule),),
            values=FrozenMap({"target": target.id, "attack": total}),
        )
    )


# Disturbing fire


def check_disturb(now: Situation, action: Action) -> Verdict:
    """HOS-5.22: all that is wrong with disturbing fire."""
    return Verdict.of(_disturb_faults(now, action))


def _disturb_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _begun(now, action, "disturbing", "HOS-5.22")
    yield from _aimed(now, action)


def disturb(play: Play, action: Action) -> None:
    """A unit fires to disturb."""
    _begin(play, action, "disturb_rolled", "disturbing fire")


def disturbed(play: Play, entry: Record) -> None:
    """HOS-5.22: with the number printed or more the target is Suppressed."""
    now = play.now
    total, taken, unit, target = _result(now, entry, long=True)
    weapon = now.weapon(unit, str(entry.get("weapon", "")))
    printed = (weapon.number("disturbing") if weapon else 0) or int(now.ability(unit, "disturbing"))
    wanted = printed if now.option("disturbing") == "equal" else printed + 1
    result = "suppressed" if total >= wanted else "missed"
    _tell(play, "disturbing fire", result, entry, (total, taken), unit, target, "HOS-5.22")
    if result == "suppressed":
        play.first({"kind": "suppress", "unit": target.id, "count": 1})


# Fire at structures


def check_demolish(now: Situation, action: Action) -> Verdict:
    """HOS-5.11: fire at a structure itself."""
    return Verdict.of(_demolish_faults(now, action))


def structures_at(now: Situation, cell: str) -> bool:
    """HOS-3.9: whether there is a structure in a cell: a building, a wreck."""
    return any(kind.structure for kind in now.kinds(cell))


def _demolish_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _begun(now, action, "destruction", "HOS-5.11")
    unit, cell = now.unit(action.text("unit")), action.text("cell")
    if now.position.state == "opportunity":
        yield Violation("HOS-5.28", "an opportunity is to fire at a unit", cells=(cell,))
    if not structures_at(now, cell):
        yield Violation("HOS-5.11", f"there is no structure at {cell}", cells=(cell,))
        return
    if not now.is_live(unit):
        return
    weapon = weapon_of(now, action, unit)
    aims = _lines_to(now, unit, cell)
    line = best(aims)
    if line is None or not line.visible:
        yield Violation("HOS-2.73", f"the line to {cell} is blocked", cells=(cell,))
    elif weapon is not None and not any(
        arc_holds(unit.facing, weapon.arc, one.start.point, one.end.point) for one in aims
    ):
        yield Violation("HOS-2.82", f"{cell} is outside the arc", cells=(cell,))


def _lines_to(now: Situation, unit: Unit, cell: str) -> list[Line]:
    element = now.element(cell)
    inside = tuple(element.cells) if element is not None and element.house else (cell,)
    end = Spot(now.ground.square(cell).middle, inside)
    ignoring = frozenset((unit.id, unit.carrier))
    return [trace(now, start, end, ignoring=ignoring, facade=True) for start in spots(now, unit)]


def demolish_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Cells with structures."""
    if slot == "cell":
        return [cell for cell in now.ground.cells if structures_at(now, cell)]
    if slot == "unit":
        return tuple(firers(now, action.side))
    return candidates(now, action, slot)


def demolish(play: Play, action: Action) -> None:
    """HOS-5.11: the dice of Destruction, against the structure alone."""
    unit = play.unit(action.text("unit"))
    weapon = weapon_of(play.now, action, unit)
    assert weapon is not None
    count = weapon.number("destruction") or int(play.now.ability(unit, "destruction"))
    after = begin_fire(play, unit, weapon.name)
    cells = (action.text("cell"),)
    play.first({"kind": "demolish", "cells": cells, "count": count, "by": unit.id}, after)
    go_on(play)
