"""Chapter 3: combat."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.rules.state.effects import ChangeUnit, RemoveUnit
from hexmarshal.rules.verdict import Modifier, Resolution, Step, Strength, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.effects import Effect
    from hexmarshal.rules.state.pieces import Unit
    from mygame.state.situation import Play, Situation

__all__ = ["check", "fight", "planned"]

RULE = "MG-3"


def check(situation: Situation, action: Action) -> Verdict:
    """All that is wrong with an attack; the group may still grow."""
    return Verdict.of(_violations(situation, action))


def _violations(situation: Situation, action: Action) -> Iterator[Violation]:
    position = situation.position
    names = action.texts("attackers")
    attackers = [position.unit(name) for name in names]
    if not attackers:
        yield Violation(RULE, "somebody must attack", field="attackers")
    if len(set(names)) < len(names):
        yield Violation(RULE, "a unit attacks once", field="attackers")
    for unit in attackers:
        if unit.side != action.side:
            yield Violation(RULE, f"{unit.id} is not {action.side}'s", units=(unit.id,))
        if unit.has("fought"):
            yield Violation(RULE, f"{unit.id} has attacked in this phase", units=(unit.id,))
    target = position.unit(action.text("target"))
    if target.side == action.side:
        yield Violation(RULE, "a side does not attack its own", units=(target.id,))
    for unit in attackers:
        if target.cell not in situation.tables.cost[unit.cell]:
            text = f"{unit.id} is not adjacent to {target.id}"
            cells = (unit.cell, target.cell)
            yield Violation(RULE, text, units=(unit.id, target.id), cells=cells)


def strength(situation: Situation, unit: Unit, role: str) -> Strength:
    """What a unit counts; one that has lost a step half, exactly."""
    tables = situation.tables
    full = tables.printed(unit.type, "strength")
    reduced = unit.steps < tables.printed(unit.type, "steps")
    counted = Fraction(full, 2) if reduced else Fraction(full)
    return Strength(unit.id, full, counted, (RULE,), (unit.id,), role)


def planned(situation: Situation, action: Action) -> tuple[Resolution, tuple[str, ...]]:
    """An attack before the die: its column with all that led to it, and the row of results."""
    position, tables = situation.position, situation.tables
    columns = tables.numbers["columns"]
    target = position.unit(action.text("target"))
    attack = tuple(
        strength(situation, position.unit(name), "attack") for name in action.texts("attackers")
    )
    defence = strength(situation, target, "defence")
    total = sum((one.counted for one in attack), start=Fraction(0))
    ratio = total / Fraction(defence.counted)
    base = 0 if ratio < 1 else min(int(ratio), len(columns) - 1)
    shift = tables.shift(target.cell)
    column = max(0, base + shift)
    terrain = tables.terrain[target.cell]
    resolution = Resolution(
        "attack",
        strengths=(*attack, defence),
        base_column=columns[base],
        column=columns[column],
        modifiers=(Modifier(terrain, shift, RULE, to="column"),) if shift else (),
        steps=(Step(f"{total} against {defence.counted}: {columns[base]}", RULE),),
    )
    return resolution, tuple(tables.numbers["results"][columns[column]])


def fight(play: Play, action: Action) -> None:
    """Roll the die, and do what the table says."""
    position, dice = play.position, play.dice
    resolution, row = planned(play.now, action)
    result = row[dice.roll(6, "the attack") - 1]
    attackers = [position.unit(name) for name in action.texts("attackers")]
    fought = (ChangeUnit(unit.id, flags=frozenset({"fought"})) for unit in attackers)
    lost = _losses(result, attackers[0], position.unit(action.text("target")))
    play.decide(
        replace(resolution, result=result, dice=tuple(dice.rolls), effects=(*fought, *lost))
    )


def _losses(result: str, first: Unit, target: Unit) -> Iterator[Effect]:
    if result in {"A1", "D1"}:
        loser = first if result == "A1" else target
        left = loser.steps - 1
        yield ChangeUnit(loser.id, steps=left) if left else RemoveUnit(loser.id)
    elif result == "DX":
        yield RemoveUnit(target.id)
