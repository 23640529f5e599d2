"""Berserk: who becomes so, whom a berserk leader carries away, and when it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import is_commissar
from hexmarshal.rules.state.effects import ChangeUnit
from hexmarshal.rules.verdict import Modifier, Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["ENDED", "carry_away", "go_berserk", "has_enemy", "known_enemies", "return_to_normal"]

ENDED = frozenset(
    {
        marks.BROKEN, marks.DM, marks.PINNED, marks.CX, marks.TI, marks.CONCEALED, marks.DISRUPTED,
        marks.OPPORTUNITY,
    }
)  # fmt: skip
"""What ends when a unit goes berserk (ASL-A15.42a)."""


def known_enemies(now: Situation, unit: Unit) -> list[Unit]:
    """The known enemies in sight of a unit: not concealed, nobody's prisoners."""
    return [one for one in now.enemies_in_sight(unit) if not one.has(marks.CAPTURED)]


def has_enemy(now: Situation, unit: Unit) -> bool:
    """ASL-A15.1b: whether a known enemy is in its sight at all."""
    place = now.at(unit)
    return now.remember(f"enemy seen {place} {unit.side}", lambda: bool(known_enemies(now, unit)))


def go_berserk(play: Play, name: str) -> None:
    """ASL-A15.42a: rallied, and rid of all that held it back; a leader will carry others away."""
    play.unmark(name, *marks.UNSEEN)  # ASL-CONL-1
    unit = play.position.unit(name)
    play.do(ChangeUnit(name, flags=frozenset({marks.BERSERK}), unflags=ENDED & unit.flags))
    if play.now.is_leader(unit):
        play.raging.append(name)


def carry_away(play: Play) -> None:
    """ASL-A15.42b, ASL-NAT-COM: when the fire is done, all who are with a berserk leader check."""
    from hexmarshal.games.asl.rules.heat_of_battle.heat import is_exempt

    while play.raging:
        name = play.raging.pop(0)
        leader = play.position.units.get(name)
        if leader is None:
            continue
        for unit in play.now.people(play.now.at(leader), leader.side):
            if unit.id == name or is_exempt(play.now, unit):
                continue
            if is_commissar(play.now, leader):
                step = Step(f"{name} carries {unit.id} away", "ASL-NAT-COM")
                play.decide(Resolution("berserk", "berserk", steps=(step,)))
                go_berserk(play, unit.id)
            else:
                _try(play, leader, unit)


def _try(play: Play, leader: Unit, unit: Unit) -> None:
    now = play.now
    amount = now.leadership(leader, unit)
    dice, rolls = play.roll_two(f"NTC of {unit.id}", unit.side, calls=True)
    total = sum(dice) + amount
    carried = total <= now.morale(unit)
    result = "berserk" if carried else "unmoved"
    told = (
        f"{now.named(unit)}: {dice[0]} + {dice[1]} {amount:+} = {total}"
        f" against {now.morale(unit)}: {result}"
    )
    found = (Modifier(f"leadership of {leader.id}", amount, "ASL-A15.42b"),) if amount else ()
    step = Step(told, "ASL-A15.42b")
    play.decide(Resolution("berserk", result, modifiers=found, dice=rolls, steps=(step,)))
    if carried:
        go_berserk(play, unit.id)


def return_to_normal(play: Play, name: str, why: str) -> None:
    """ASL-A15.43c: a charge has come to its end."""
    play.unmark(name, marks.BERSERK)
    values = play.position.unit(name).values
    for key in ("charging", "charged", "charge_from"):
        if values.get(key) is not None:
            play.note(name, **{key: None})
    step = Step(f"{name} is berserk no more: {why}", "ASL-A15.43c")
    play.decide(Resolution("berserk", "normal", steps=(step,)))
