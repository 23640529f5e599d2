"""TUT-3: odds, the column, the die, the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from hexmarshal.rules.effects import ChangeUnit, Effect, RemoveUnit
from hexmarshal.rules.odds import Distribution
from hexmarshal.rules.verdict import (
    Answer,
    Modifier,
    Resolution,
    Step,
    Strength,
    Verdict,
    Violation,
)
from tutorial.board import data, neighbours, printed, terrain

if TYPE_CHECKING:
    from hexmarshal.rules.dice import Dice
    from hexmarshal.rules.pieces import Unit
    from hexmarshal.rules.position import Position

RULE = "TUT-3"


def check(position: Position, attackers: Sequence[Unit], target: Unit, side: str) -> Verdict:
    return Verdict(tuple(_violations(attackers, target, side)))


def _violations(attackers: Sequence[Unit], target: Unit, side: str) -> Iterator[Violation]:
    if not attackers:
        yield Violation(RULE, "somebody must attack", field="attackers")
    if len({u.id for u in attackers}) < len(attackers):
        yield Violation(RULE, "a unit attacks once", field="attackers")
    if target.side == side:
        yield Violation(RULE, "a side does not attack its own", units=(target.id,))
    for unit in attackers:
        if unit.side != side:
            yield Violation(RULE, f"{unit.id} is not {side}'s", units=(unit.id,))
        if unit.has("fought"):
            yield Violation(RULE, f"{unit.id} has attacked in this phase", units=(unit.id,))
        if target.cell not in neighbours(unit.cell):
            pair = (unit.cell, target.cell)
            text = f"{unit.id} is not adjacent to {target.id}"
            yield Violation(RULE, text, units=(unit.id, target.id), cells=pair)


@dataclass(frozen=True, slots=True)
class Planned:
    """An attack before the die: its resolution so far, and the row of results."""

    resolution: Resolution
    row: tuple[str, ...]


def strength(unit: Unit, role: str) -> Strength:
    """A unit with one of its two steps left counts half: exactly half."""
    full = printed(unit.type, "strength")
    reduced = unit.steps < printed(unit.type, "steps")
    counted = Fraction(full, 2) if reduced else Fraction(full)
    return Strength(unit.id, full, counted, (RULE,), (unit.id,), role)


def plan(position: Position, attackers: Sequence[Unit], target: Unit) -> Planned:
    columns = data()["columns"]
    attack = tuple(strength(u, "attack") for u in attackers)
    defence = strength(target, "defence")
    total = sum((s.counted for s in attack), start=Fraction(0))
    ratio = total / Fraction(defence.counted)
    base = 0 if ratio < 1 else min(int(ratio), len(columns) - 1)
    shift = data()["terrain"][terrain(target.cell)]["shift"]
    if position.option("deep_woods"):
        shift *= 2
    column = max(0, base + shift)
    modifiers = (Modifier(terrain(target.cell), shift, RULE, to="column"),) if shift else ()
    steps = (Step(f"{total} against {defence.counted}: {columns[base]}", RULE),)
    return Planned(
        Resolution(
            "attack",
            strengths=(*attack, defence),
            base_column=columns[base],
            column=columns[column],
            modifiers=modifiers,
            steps=steps,
        ),
        tuple(data()["results"][columns[column]]),
    )


def odds(position: Position, attackers: Sequence[Unit], target: Unit) -> Answer:
    planned = plan(position, attackers, target)
    results = Distribution.die(6).map(lambda die: planned.row[die - 1])
    return Answer(resolution=planned.resolution, distribution=results)


def resolve(position: Position, attackers: Sequence[Unit], target: Unit, dice: Dice) -> Resolution:
    planned = plan(position, attackers, target)
    result = planned.row[dice.roll(6, "the attack") - 1]
    fought = [ChangeUnit(u.id, flags=frozenset({"fought"})) for u in attackers]
    return replace(
        planned.resolution,
        result=result,
        dice=tuple(dice.rolls),
        effects=(*fought, *_effects(result, attackers[0], target)),
    )


def _effects(result: str, first: Unit, target: Unit) -> Iterator[Effect]:
    if result in {"A1", "D1"}:
        loser = first if result == "A1" else target
        left = loser.steps - 1
        yield ChangeUnit(loser.id, steps=left) if left else RemoveUnit(loser.id)
    elif result == "DX":
        yield RemoveUnit(target.id)


def pairs(position: Position, side: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every group of units that may attack together, with its target."""
    for target in position.units.values():
        if target.side == side:
            continue
        near = [
            u.id
            for u in position.of_side(side)
            if not u.has("fought") and target.cell in neighbours(u.cell)
        ]
        for size in range(1, len(near) + 1):
            for group in combinations(near, size):
                yield group, target.id
