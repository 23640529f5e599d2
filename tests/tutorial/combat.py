"""TUT-3 and TUT-7: odds, the column, the die, the result, the advance into an empty hex."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.rules.action import Action
from hexmarshal.rules.odds import Distribution
from hexmarshal.rules.state.effects import ChangeUnit, Effect, MoveUnit, RemoveUnit
from hexmarshal.rules.verdict import (
    LEGAL,
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
    from hexmarshal.rules.state.ledger import Ledger
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record

RULE = "TUT-3"


def check(position: Position, action: Action) -> Verdict:
    return Verdict.of(_violations(position, action))


def _violations(position: Position, action: Action) -> Iterator[Violation]:
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


def plan_of(position: Position, attack: Action) -> Planned:
    columns = data()["columns"]
    attackers = [position.unit(u) for u in attack.texts("attackers")]
    target = position.unit(attack.text("target"))
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


def planned(position: Position, params: Record) -> Action:
    """The attack that a question is about: of whoever's the first attacker is."""
    attack = Action("attack", "", params)
    first = next((position.unit(u) for u in attack.texts("attackers")), None)
    return attack if first is None else replace(attack, side=first.side)


def odds(position: Position, attack: Action) -> Answer:
    plan = plan_of(position, attack)
    results = Distribution.die(6).map(lambda die: plan.row[die - 1])
    return Answer(resolution=plan.resolution, distribution=results)


def fight(ledger: Ledger, action: Action) -> None:
    position, dice = ledger.position, ledger.dice
    plan = plan_of(position, action)
    result = plan.row[dice.roll(6, "the attack") - 1]
    attackers = [position.unit(u) for u in action.texts("attackers")]
    fought = [ChangeUnit(u.id, flags=frozenset({"fought"})) for u in attackers]
    target = position.unit(action.text("target"))
    lost = _effects(result, attackers[0], target)
    resolution = replace(
        plan.resolution, result=result, dice=tuple(dice.rolls), effects=(*fought, *lost)
    )
    ledger.decide(resolution)
    _ask_for_advance(ledger, attackers, target)


def _effects(result: str, first: Unit, target: Unit) -> Iterator[Effect]:
    if result in {"A1", "D1"}:
        loser = first if result == "A1" else target
        left = loser.steps - 1
        yield ChangeUnit(loser.id, steps=left) if left else RemoveUnit(loser.id)
    elif result == "DX":
        yield RemoveUnit(target.id)


# TUT-7: what is asked for is a frame of the position, which goes when it is answered.


def _ask_for_advance(ledger: Ledger, attackers: list[Unit], target: Unit) -> None:
    position = ledger.position
    left = [u.id for u in attackers if u.id in position.units]
    if position.option("advance") and left and target.id not in position.units:
        about = {"attackers": left, "cell": target.cell}
        ledger.ask("advance", attackers[0].side, about=about)


def check_advance(position: Position, action: Action) -> Verdict:
    asked = position.frame("advance")
    unit = action.text("unit")
    if asked is None or (unit and unit not in asked.texts("attackers")):
        return Verdict((Violation("TUT-7", f"{unit} did not clear the hex", units=(unit,)),))
    return LEGAL


def advance(ledger: Ledger, action: Action) -> None:
    frame, unit = ledger.answered("advance"), action.text("unit")
    if unit:
        ledger.do(MoveUnit(unit, frame.text("cell")))
    ledger.decide(Resolution("advance", unit or "nobody", steps=(Step("an advance", "TUT-7"),)))
