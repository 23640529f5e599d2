"""Fire: every objection to a shot, found once for all the ways to pay for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.fire import attack
from hexmarshal.games.conflict_of_heroes.rules.fire.aiming import (
    aim,
    fire_cost,
    fire_of,
    rolls_of,
    targets_at,
    works_at,
)
from hexmarshal.games.conflict_of_heroes.rules.fire.fire_groups import (
    colours_at,
    group_objections,
    may_throw,
    support_place_objections,
)
from hexmarshal.games.conflict_of_heroes.rules.fire.fire_lines import place_objections
from hexmarshal.games.conflict_of_heroes.rules.fire.firers import (
    absent,
    firer_objections,
    weapon_objections,
)
from hexmarshal.games.conflict_of_heroes.rules.turn import payment
from hexmarshal.games.conflict_of_heroes.rules.turn.rolling import roll_objections, total_cap
from hexmarshal.rules.verdict import Cost, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.conflict_of_heroes.rules.fire.aiming import Fire
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action

__all__ = ["check_fire"]


def check_fire(now: Situation, action: Action) -> Verdict:
    """Every objection to a shot; how often a target was shot at is none (COH-7.0c)."""
    if action.open("cell"):
        return Verdict.of(_readying(now, action))
    fire = fire_of(now, action)
    if action.open("observer") and fire.mode in ("indirect", "smoke"):
        return Verdict(tuple(firer_objections(now, fire, fire.unit)))
    shot = _shot(now, fire, action)
    found = [
        *shot.objections,
        *(() if shot.objections or action.open("thrown") else shot.of_target(now, action.side)),
        *roll_objections(now, action, shot.rolls),
        *payment.objections(now, action, fire.all, shot.cost, total_cap(action, shot.rolls)),
    ]
    return Verdict(tuple(found), payment.bill(now, action, shot.cost))


@dataclass(slots=True)
class _Shot:
    """What there is to say of a shot however it is paid for; of its target last of all."""

    fire: Fire
    objections: tuple[Violation, ...]
    rolls: list[str]
    cost: Cost
    target: tuple[Violation, ...] | None = None

    def of_target(self, now: Situation, side: str) -> tuple[Violation, ...]:
        """What is wrong with the target, once all who fire are known."""
        if self.target is None:
            self.target = tuple(_target_objections(now, self.fire, side))
        return self.target


def _shot(now: Situation, fire: Fire, action: Action) -> _Shot:
    """The last one is kept: one shot after the other is tried with every way to pay for it."""
    last: dict[object, _Shot] = now.position.remember("last shot", dict)
    supporters = tuple(unit.id for unit in fire.supporters)
    armed = (fire.weapon is not None, action.given("weapon") is True)
    who = (action.side, fire.unit.id, supporters, fire.thrown)
    key = (who, armed, fire.cell, fire.mode, fire.observer, fire.aimed, fire.facing)
    shot = last.get(key)
    if shot is None:
        shot = _looked_at(now, fire, action)
        last.clear()
        last[key] = shot
    return shot


def _looked_at(now: Situation, fire: Fire, action: Action) -> _Shot:
    cost = fire_cost(now, fire)
    found = list(firer_objections(now, fire, fire.unit))
    found += place_objections(now, fire)
    found += weapon_objections(now, fire, action)
    if fire.supporters or fire.thrown:
        about = group_objections(now, fire, colours_at(now, fire))
        found += may_throw(now, about)
        found += may_throw(now, support_place_objections(now, fire))
    found += _facing_objections(now, fire)
    return _Shot(fire, tuple(found), rolls_of(now, fire, action.side), cost)


def _readying(now: Situation, action: Action) -> Iterator[Violation]:
    """What is wrong wherever the shot goes: the firer, the price, the arms."""
    unit = now.position.unit(action.text("unit"))
    yield from absent(now, unit)
    poor = tuple(payment.objections(now, action, [unit], Cost()))
    yield from poor
    fire = fire_of(now, action)
    if fire.mode != "smoke":
        if not any(absent(now, unit)):
            yield from firer_objections(now, fire, unit)
        if not poor:  # Towards no hex in particular no turret turns: it is never cheaper.
            yield from payment.objections(now, action, [unit], fire_cost(now, fire))
    yield from weapon_objections(now, fire, action)


def _facing_objections(now: Situation, fire: Fire) -> Iterator[Violation]:
    """COH-10.0a: only who comes to light with the shot chooses where he looks."""
    if fire.facing is None:
        return
    if not now.hidden(fire.unit):
        text = f"{fire.unit.id} does not turn with a shot: a pivot is an action"
        yield Violation("COH-5.3a", text, units=(fire.unit.id,), field="facing")
    elif not 0 <= fire.facing <= 5:
        yield Violation("COH-5.1a", f"no hexside {fire.facing}", field="facing")


def _target_objections(now: Situation, fire: Fire, side: str) -> Iterator[Violation]:
    if fire.mode == "smoke":
        return
    targets = targets_at(now, fire.cell, side)
    assault = aim(now, fire)
    if targets and not any(now.hostile(side, u) for u in targets):
        if not works_at(now, assault):
            text = f"there are only friends in {fire.cell}"
            yield Violation("COH-7.0a", text, cells=(fire.cell,))
        return
    lost = [rule for rule in (attack.barred(now, assault, u) for u in targets) if rule]
    if targets and len(lost) == len(targets) and not works_at(now, assault):
        text = f"{fire.unit.id} cannot harm anything there: its gun is damaged"
        yield Violation(lost[0], text, units=(fire.unit.id,))
