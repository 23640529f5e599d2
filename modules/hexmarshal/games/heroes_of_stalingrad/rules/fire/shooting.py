"""HOS-2.70 to HOS-2.95, HOS-5.10, HOS-5.19, HOS-5.21, HOS-5.23: aimed fire at units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.cards.windows import throw
from hexmarshal.games.heroes_of_stalingrad.rules.fire.aiming import (
    aim,
    result_modifiers,
    sight_faults,
    target_faults,
    targets,
)
from hexmarshal.games.heroes_of_stalingrad.rules.fire.context import (
    begin_fire,
    firers,
    firing_faults,
    weapon_faults,
    weapon_of,
)
from hexmarshal.games.heroes_of_stalingrad.rules.fire.value import (
    ammo_choices,
    ammo_faults,
    modifiers_in,
    value_of,
)
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.rules.sight.measure import unit_range
from hexmarshal.games.heroes_of_stalingrad.state.army import spend
from hexmarshal.rules.dice import Roll
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Modifier, Resolution, Step, Strength, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.rules.fire.value import Value as FireValue
    from hexmarshal.games.heroes_of_stalingrad.state.counters import Weapon
    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record, Value

__all__ = [
    "burst",
    "burst_candidates",
    "candidates",
    "check",
    "check_burst",
    "fire",
    "frighten",
    "judged",
    "rolled",
    "shot",
    "split_of",
]

LINK = 2


def check(now: Situation, action: Action) -> Verdict:
    """All that is wrong with a shot at one unit."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    yield from firing_faults(now, action, unit)
    if not now.is_live(unit):
        return
    weapon = weapon_of(now, action, unit)
    yield from weapon_faults(now, unit, weapon, action.text("weapon"))
    if weapon is None:
        return
    if action.flag("suppression") and not weapon.has("suppression"):
        yield Violation("HOS-5.23", f"{unit.id} has no Suppression fire", units=(unit.id,))
    yield from _at(now, unit, weapon, now.unit(action.text("target")))
    yield from ammo_faults(now, action, unit)


def _at(now: Situation, unit: Unit, weapon: Weapon, target: Unit) -> Iterator[Violation]:
    barred = list(target_faults(now, unit, target))
    yield from barred
    if not now.is_live(target):
        return
    family = now.family(target)
    if weapon.value(family) is None and not now.ambushed(target):
        text = f"{unit.id} has an X against {family}"
        yield Violation("HOS-2.71", text, units=(unit.id, target.id))
    yield from sight_faults(now, unit, weapon, target)


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Firers, their weapons, targets, markers."""
    if slot == "unit":
        return tuple(firers(now, action.side))
    if slot in ("target", "targets"):
        held = action.so_far("targets")
        return [name for name in targets(now, action.side) if name not in held]
    unit = now.position.units.get(str(action.given("unit", "")))
    if unit is None:
        return None
    if slot == "weapon":
        names = [w.name for w in now.weapons(unit) if w.name]
        return names or (None,)
    if slot == "suppression":
        weapon = now.weapon(unit, str(action.given("weapon") or ""))
        return (None, True) if weapon is not None and weapon.has("suppression") else (None,)
    if slot == "ammo":
        return ammo_choices(now, unit)
    return None


def fire(play: Play, action: Action) -> None:
    """HOS-2.87: one weapon fires at one unit."""
    unit = play.unit(action.text("unit"))
    weapon = weapon_of(play.now, action, unit)
    assert weapon is not None
    target = play.unit(action.text("target"))
    ammo, doubled = action.number("ammo"), action.flag("suppression")
    combat = weapon.value(play.now.family(target)) or 0
    value = value_of(play.now, unit, weapon, combat, ammo=ammo, doubled=doubled)
    _loose(play, unit, weapon, ammo, [_shot(unit, weapon, target.id, value, doubled=doubled)])


def _shot(
    unit: Unit,
    weapon: Weapon,
    target: str,
    value: FireValue,
    *,
    doubled: bool,
    share: int | None = None,
) -> dict[str, object]:
    return {
        "kind": "shot",
        "unit": unit.id,
        "weapon": weapon.name,
        "target": target,
        "suppression": doubled or None,
        "burst": share is not None or None,
        **value.entry(share),
    }


def _loose(
    play: Play, unit: Unit, weapon: Weapon, ammo: int, shots: list[dict[str, object]]
) -> None:
    if ammo:
        spend(play, unit, "ammo", ammo)
    after = begin_fire(play, unit, weapon.name)
    play.first(*shots, after)
    go_on(play)


# Bursts


def split_of(action: Action, total: int, count: int) -> tuple[int, ...]:
    """HOS-5.19: how the value is split; without a word of the player as evenly as can be."""
    given = action.given("split")
    if isinstance(given, tuple) and given:
        return tuple(n for n in given if isinstance(n, int))
    each, over = divmod(total, count) if count else (0, 0)
    return tuple(each + (i < over) for i in range(count))


def check_burst(now: Situation, action: Action) -> Verdict:
    """HOS-5.19: all that is wrong with a burst."""
    return Verdict.of(_burst_faults(now, action))


def _burst_faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    yield from firing_faults(now, action, unit)
    if not now.is_live(unit):
        return
    weapon = weapon_of(now, action, unit)
    yield from weapon_faults(now, unit, weapon, action.text("weapon"))
    if weapon is None:
        return
    if not weapon.has("burst"):
        yield Violation("HOS-5.19", f"{unit.id} has no Burst", units=(unit.id,))
    if action.flag("suppression") and not weapon.has("suppression"):
        yield Violation("HOS-5.23", f"{unit.id} has no Suppression fire", units=(unit.id,))
    names = action.texts("targets")
    found = [now.unit(name) for name in names]
    if len(found) < 2:
        text = "a burst has two targets or more"
        yield Violation("HOS-5.19", text, field="targets", cured_by=("targets",))
    if now.position.state == "opportunity":
        yield Violation("HOS-5.28", "an opportunity is to fire at one unit", field="targets")
    for target in found:
        yield from _at(now, unit, weapon, target)
    yield from _linked(now, found)
    if not found or any(not now.is_live(target) for target in found):
        return
    combat = weapon.value(now.family(found[0]))
    if combat is None:
        return
    doubled, ammo = action.flag("suppression"), action.number("ammo")
    yield from ammo_faults(now, action, unit)
    total = value_of(now, unit, weapon, combat, ammo=ammo, doubled=doubled).total
    split = split_of(action, total, len(found))
    if len(split) != len(found) or sum(split) != total or min(split) < 1:
        text = f"a value of {total} cannot be split {list(split)} among {len(found)} targets"
        yield Violation("HOS-5.19", text, field="split")


def _linked(now: Situation, found: list[Unit]) -> Iterator[Violation]:
    if len({now.family(unit) for unit in found}) > 1:
        names = tuple(unit.id for unit in found)
        yield Violation("HOS-5.19", "the targets are not of one family", units=names)
    reached, waiting = found[:1], found[1:]
    while waiting:
        near = [u for u in waiting if any(unit_range(now, u, r) <= LINK for r in reached)]
        if not near:
            for unit in waiting:
                text = f"{unit.id} is more than {LINK} cells from the other targets"
                yield Violation("HOS-5.19", text, units=(unit.id,), cured_by=("targets",))
            return
        reached += near
        waiting = [u for u in waiting if u not in near]


def burst_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """As for a shot; the value is split in any way, or evenly if nothing is said."""
    if slot != "split":
        return candidates(now, action, slot)
    unit = now.position.units.get(str(action.given("unit", "")))
    names = action.so_far("targets")
    weapon = None if unit is None else weapon_of(now, action, unit)
    if unit is None or weapon is None or len(names) < 2:
        return (None,)
    combat = weapon.value(now.family(now.unit(names[0]))) or 0
    doubled, ammo = action.given("suppression") is True, action.given("ammo", 0)
    more = ammo if isinstance(ammo, int) else 0
    total = value_of(now, unit, weapon, combat, ammo=more, doubled=doubled).total
    return (None, *_splits(total, len(names)))


def _splits(total: int, count: int) -> Iterator[tuple[int, ...]]:
    """HOS-5.19: every way to split a value, at least one for each."""
    if count == 1 and total > 0:
        yield (total,)
    elif count > 1:
        for first in range(1, total - count + 2):
            yield from ((first, *rest) for rest in _splits(total - first, count - 1))


def burst_listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists: evenly."""
    del now, action
    return (None,) if slot == "split" else None


def burst(play: Play, action: Action) -> None:
    """HOS-5.19: one roll for each target."""
    unit = play.unit(action.text("unit"))
    weapon = weapon_of(play.now, action, unit)
    assert weapon is not None
    names = action.texts("targets")
    ammo, doubled = action.number("ammo"), action.flag("suppression")
    combat = weapon.value(play.now.family(play.unit(names[0]))) or 0
    value = value_of(play.now, unit, weapon, combat, ammo=ammo, doubled=doubled)
    split = split_of(action, value.total, len(names))
    shots = [
        _shot(unit, weapon, name, value, doubled=doubled, share=share)
        for name, share in zip(names, split, strict=True)
    ]
    _loose(play, unit, weapon, ammo, shots)


# Resolution


def shot(play: Play, entry: Record) -> None:
    """HOS-2.88: the die of one shot; two with Twin weapons (HOS-5.10)."""
    unit, target = play.unit(str(entry["unit"])), play.unit(str(entry["target"]))
    if not play.now.is_live(target):
        return
    weapon = _weapon(play, entry)
    count = 2 if weapon is not None and weapon.has("twin") else 1
    then = {**dict(entry), "kind": "shot_rolled"}
    throw(play, "fire", count, unit, then, target=target.id)


def _weapon(play: Play, entry: Record) -> Weapon | None:
    unit = play.unit(str(entry["unit"]))
    name = str(entry.get("weapon", ""))
    return next((w for w in play.now.face(unit).weapons if w.name == name), None)


def dice_of(entry: Record) -> tuple[int, ...]:
    """The dice that were thrown for an entry."""
    dice = entry.get("dice", ())
    return tuple(d for d in dice if isinstance(d, int)) if isinstance(dice, tuple) else ()


def judged(total: int, defence: int, *, suppression: bool) -> tuple[str, int]:
    """HOS-2.87, HOS-2.95, HOS-5.23: what a result does, and how often."""
    times = max(0, total // defence) if defence > 0 else 0
    if suppression:
        return ("suppressed", times) if times else ("missed", 0)
    return ("double hit", 1) if times >= 2 else ("hit", 1) if times else ("missed", 0)


def rolled(play: Play, entry: Record) -> None:
    """HOS-2.87: die and value against the defence."""
    now = play.now
    unit, target = play.unit(str(entry["unit"])), play.unit(str(entry["target"]))
    weapon, dice = _weapon(play, entry), dice_of(entry)
    found = aim(now, unit, weapon, target)
    value = entry["value"]
    assert isinstance(value, int)
    line, distance = (found.line, found.distance) if found else (None, 0)
    defence = found.defence if found else now.face(target).defence["front"]
    taken = tuple(result_modifiers(now, unit, line, distance))
    total = max(dice) + value + sum(int(m.amount) for m in taken)
    suppression = entry.get("suppression") is True
    result, times = judged(total, defence, suppression=suppression)
    told = f"{times} Suppressed" if result == "suppressed" else result
    parts = (*modifiers_in(entry), *taken)
    bonus = (
        (Modifier("terrain", found.bonus, "HOS-3.3", "defence"),) if found and found.bonus else ()
    )
    steps = [
        Step(f"die {max(dice)} + value {value} - penalties = {total}", "HOS-2.88"),
        Step(f"against a defence of {defence}", "HOS-2.87"),
    ]
    if len(dice) > 1:
        steps.insert(0, Step(f"the best of {list(dice)}", "HOS-5.10"))
    play.decide(
        Resolution(
            "fire",
            told,
            strengths=(
                Strength(unit.id, value, value, ("HOS-2.88",), (unit.id,), "attack"),
                Strength(target.id, defence, defence, ("HOS-2.79",), (target.id,), "defence"),
            ),
            modifiers=(*parts, *bonus),
            dice=tuple(Roll(6, d, "fire", side=unit.side) for d in dice),
            steps=tuple(steps),
            values=FrozenMap(
                {
                    "target": target.id,
                    "attack": total,
                    "defence": defence,
                    "value": value,
                    "side": found.side if found else "",
                }
            ),
        )
    )
    play.first(*_consequences(entry, target, weapon, result, times))


def _consequences(
    entry: Record, target: Unit, weapon: Weapon | None, result: str, times: int
) -> Iterator[dict[str, object]]:
    by = str(entry["unit"])
    piercing = weapon is not None and weapon.has("piercing")
    about = {"unit": target.id, "by": by, "cause": "fire", "piercing": piercing or None}
    match result:
        case "double hit":
            yield {"kind": "destroy", **about, "double": True}
        case "hit":
            yield {"kind": "loss", **about}
        case "suppressed":
            yield {"kind": "suppress", "unit": target.id, "count": times}
        case _:
            fright = weapon is not None and weapon.has("frightening")
            if fright and entry.get("burst") is not True:
                yield {"kind": "frighten", "unit": target.id, "by": by}
    if weapon is not None and (dice := weapon.number("destruction")):
        # HOS-5.11: after the attack on a unit in a structure, the structure.
        cells = target.cells
        yield {"kind": "demolish", "cells": cells, "count": dice, "by": by}


def frighten(play: Play, entry: Record) -> None:
    """HOS-5.21: fire that failed still suppresses."""
    name = str(entry["unit"])
    if play.now.is_live(play.unit(name)):
        play.tell("frightening fire", name, ("the fire failed", "HOS-5.21"))
        play.first({"kind": "suppress", "unit": name, "count": 1})
