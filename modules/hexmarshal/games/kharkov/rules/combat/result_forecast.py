"""What a result of combat would do, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.combat import retreat
from hexmarshal.games.kharkov.state.situation import other
from hexmarshal.rules.values import FrozenMap, Value

if TYPE_CHECKING:
    from hexmarshal.games.kharkov.rules.combat.odds import Battle
    from hexmarshal.games.kharkov.state.situation import Situation

__all__ = ["consequences"]


def consequences(now: Situation, battle: Battle, result: str) -> Value:
    """For each side: what it must do, and what may follow."""
    found: dict[str, Value] = {}
    if result == "Eng":
        found["defender"] = found["attacker"] = "loses a step and stays"
        found["advance"] = "none"
        return FrozenMap(found)
    for part in result.split("/"):
        who = "attacker" if part[0] == "A" else "defender"
        if part[1] == "e":
            found[who] = "eliminated"
        else:
            number = int(part[1])
            steps = "a step" if number == 1 else f"{number} steps"
            hexes = "a hex" if number == 1 else f"{number} hexes"
            found[who] = f"loses {steps}, or all retreat {hexes}"
    if battle.overrun:
        stops = "A" in result
        found["advance"] = "they stop" if stops else "they enter the hex if it is empty"
    elif result[0] == "A":
        found["advance"] = "the defender into hexes left empty"
    else:
        found["advance"] = "the attacker into hexes left empty"
    side = other(battle.side)
    there = [u for t in battle.targets for u in now.fighters(t, side)]
    if result[0] == "D" and result[1].isdigit() and there and all(now.revealed(u) for u in there):
        steps_left = sum(u.steps for u in there)
        found["defender_steps"] = steps_left
        found["defender_can_retreat"] = retreat.possible(now, there, int(result[1]))
    return FrozenMap(found)
