"""The close combat value of infantry: when it attacks a vehicle, and when one attacks it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.close_combat.units import beside
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Modifier, Strength

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["combat_value", "defence_values", "value_of"]

_LEAST = 1


def combat_value(now: Situation, unit: Unit, halvings: int = 0) -> tuple[int, tuple[str, ...]]:
    """ASL-CCV-1, ASL-CCAFV-2: the value of one unit as it is, which may be below 1, and why."""
    table = now.tables.vehicle_combat
    counter = now.counter(unit)
    value = table.values.get(counter.kind, 0)
    told = [f"{unit.id} {value}"]
    for label, name, times in (
        ("engineers", "assault_engineers", int(counter.assault_engineer)),
        ("inexperienced", "inexperienced", int(now.is_inexperienced(unit))),
        ("halved", "halved", halvings),
    ):
        if times:
            amount = times * table.value_modifiers[name]
            value += amount
            told.append(f"{amount:+} {label}")
    return value, tuple(told)


def value_of(
    now: Situation, units: Sequence[Unit], halved_for: Sequence[str] = ()
) -> tuple[int, tuple[Strength, ...]]:
    """ASL-CCV-1: the best of those who attack together, one more for a single man with it."""
    table = now.tables.vehicle_combat
    found = []
    for unit in units:
        causes = [*halved_for, *_halved(now, unit)]
        value, told = combat_value(now, unit, len(causes))
        found.append((value, unit, ", ".join((*told, *causes))))
    best = max(found, key=lambda one: (one[0], now.is_mmc(one[1])))
    value = best[0]
    strengths = [
        Strength(best[2], value, value, ("ASL-CCV-1",), (best[1].id,), "attack"),
    ]
    for _, unit, _ in found:
        if unit is not best[1]:
            more = table.value_modifiers["with_smc"]
            value += more
            label = f"{unit.id} with it"
            strengths.append(Strength(label, more, more, ("ASL-CCV-1",), (unit.id,), "attack"))
    return value, tuple(strengths)


def _halved(now: Situation, unit: Unit) -> list[str]:
    causes = ["pinned"] if unit.has(marks.PINNED) else []
    return [*causes, "guards prisoners"] if now.prisoners(unit) else causes


# Against the attack of a vehicle


def defence_values(
    now: Situation, targets: Sequence[Unit]
) -> tuple[tuple[Strength, ...], tuple[Modifier, ...]]:
    """ASL-CCAFV-1, ASL-CCAFV-2: the values of the targets; what is below 1 is added to the roll."""
    more = now.tables.vehicle_combat.value_modifiers["with_smc"]
    names = {unit.id for unit in targets}
    found, missing = [], 0
    for unit in targets:
        mate = beside(now, unit)
        told: tuple[str, ...]
        if mate is not None and mate.id in names:
            value, told = more, (f"{unit.id} with {mate.id}",)
        else:
            causes = _halved(now, unit)
            value, told = combat_value(now, unit, len(causes))
            told = (*told, *causes)
        missing += max(0, _LEAST - value)
        value = max(_LEAST, value)
        label = ", ".join(told)
        found.append(Strength(label, value, value, ("ASL-CCAFV-1",), (unit.id,), "defence"))
    added = (Modifier("values below 1", -missing, "ASL-CCAFV-2"),) if missing else ()
    return tuple(found), added
