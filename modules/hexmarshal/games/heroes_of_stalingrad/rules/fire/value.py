"""HOS-2.88, HOS-6.4, HOS-8.6, HOS-8.7: the combat value of a shot, before the die."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.fire.context import moving_malus
from hexmarshal.games.heroes_of_stalingrad.state.army import barring_rule, carriers
from hexmarshal.games.heroes_of_stalingrad.state.kinds import INFANTRY
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Modifier, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.counters import Weapon
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record

__all__ = ["Value", "ammo_choices", "ammo_faults", "bonus_of", "modifiers_in", "value_of"]


@dataclass(frozen=True, slots=True)
class Value:
    """A modified combat value and how it came about."""

    total: int
    parts: tuple[Modifier, ...]

    def entry(self, share: int | None = None) -> dict[str, object]:
        """For the agenda: the value, and its parts as plain data."""
        parts = [{"label": p.label, "amount": p.amount, "rule": p.rule} for p in self.parts]
        return {"value": self.total if share is None else share, "parts": parts}


def modifiers_in(entry: Record) -> Iterator[Modifier]:
    """The parts of a value, read back from the agenda."""
    parts = entry.get("parts", ())
    for part in parts if isinstance(parts, tuple) else ():
        if isinstance(part, FrozenMap) and isinstance(amount := part.get("amount"), int):
            yield Modifier(str(part.get("label")), amount, str(part.get("rule")), "value")


def bonus_of(now: Situation, side: str, sort: str) -> int:
    """HOS-6.4: the alternative bonus that a side has played for this action."""
    return 1 if now.kept("bonus").get(side) in (sort, "any") else 0


def _ammo_left(now: Situation, unit: Unit) -> int:
    if now.family(unit) != INFANTRY:
        return 0
    return sum(entry.left("ammo") for entry in carriers(now, unit, "ammo"))


def ammo_choices(now: Situation, unit: Unit) -> tuple[int | None, ...]:
    """How many Ammo markers a unit could use."""
    most = min(_ammo_left(now, unit), int(now.tables.limits["markers_per_action"]))
    return (None, *range(1, most + 1))


def ammo_faults(now: Situation, action: Action, unit: Unit) -> Iterator[Violation]:
    """HOS-8.6, HOS-8.7: up to three Ammo markers an action, by infantry that may use them."""
    count = action.number("ammo")
    if not count:
        return
    mine = (unit.id,)
    if now.family(unit) != INFANTRY:
        yield Violation("HOS-8.7", f"{unit.id} is no infantry", units=mine)
        return
    most = int(now.tables.limits["markers_per_action"])
    if count > most:
        yield Violation("HOS-8.6", f"at most {most} markers an action", units=mine, field="ammo")
    has = _ammo_left(now, unit)
    if count > has:
        text = f"{unit.id} may use {has} Ammo markers, not {count}"
        yield Violation(
            barring_rule(now, unit, "ammo") if not has else "HOS-8.6",
            text,
            units=mine,
            field="ammo",
        )


def value_of(
    now: Situation,
    unit: Unit,
    weapon: Weapon,
    combat: int,
    *,
    ammo: int = 0,
    doubled: bool = False,
    flame: bool = False,
) -> Value:
    """HOS-2.88, HOS-9.2: combat value, Moving fire, bonuses, doubling, in this order."""
    parts = [Modifier("combat value", combat, "HOS-2.71", "value")]
    red_aboard = bool(unit.carrier) and now.counter(unit).border == "red"
    malus = 0 if red_aboard else moving_malus(now, unit, weapon, flame)
    if malus:
        parts.append(Modifier("Moving fire", -malus, "HOS-5.25", "value"))
    if ammo:
        parts.append(Modifier("Ammo", ammo, "HOS-8.7", "value"))
    if bonus := bonus_of(now, unit.side, "fire"):
        parts.append(Modifier("Action card", bonus, "HOS-6.4", "value"))
    total = sum(int(part.amount) for part in parts)
    if doubled:
        parts.append(Modifier("Suppression fire doubles it", total, "HOS-5.23", "value"))
        total *= 2
    return Value(total, tuple(parts))
