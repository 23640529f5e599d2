"""Small arms against vehicles: nothing against armour, the vehicle line against the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.cover import reveal
from hexmarshal.games.asl.rules.vehicles.wrecks import harm
from hexmarshal.games.asl.state.situation import other
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.rules.fire.attack import Aimed, Hit
    from hexmarshal.games.asl.rules.fire.shot import Shot
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["star_line", "unarmored_in"]

_UNLIKELY = {1: "burning", 2: "eliminated", 3: "immobilized"}
_ORDER = ("no effect", "immobilized", "eliminated", "burning")


def unarmored_in(now: Situation, shot: Shot) -> list[Unit]:
    """ASL-ARM-1: the enemy's unarmoured vehicles in the target; armour feels nothing."""
    return [
        unit
        for unit in now.position.at(shot.target.cell)
        if unit.type == "vehicle"
        and unit.side == other(shot.side)
        and unit.values.get("armored") is False
        and (shot.moving is None or unit.id in shot.moving)
    ]


def _column(aimed: Aimed, hit: Hit, vehicle: Unit) -> int:
    """ASL-A12.12b: that of its class; a "?" beside known men is fired at as Area Fire."""
    for (_, names), column in zip(aimed.classes, hit.columns, strict=True):
        if vehicle.id in names:
            return column
    return hit.column


def star_line(play: Play, shot: Shot, aimed: Aimed, hit: Hit) -> None:
    """ASL-STAR-1, ASL-A7.309, ASL-TRK-02: the same roll on the vehicle line."""
    if hit.column < 0:
        return
    table = play.tables.fire
    total = sum(hit.dice) + sum(int(m.amount) for m in aimed.common)
    for vehicle in unarmored_in(play.now, shot):
        column = _column(aimed, hit, vehicle)
        if column < 0:
            continue
        number = table.vehicle_line[table.columns[column]]
        if 2 * total <= number:
            result = "burning"
        elif total < number:
            result = "eliminated"
        elif total == number and vehicle.values.get("hull_down") is not True:
            result = "immobilized"
        else:
            result = "no effect"
        steps = [Step(f"{vehicle.id}: {total} against {number}: {result}", "ASL-STAR-1")]
        hidden = play.now.is_hidden(vehicle)
        if hidden and result == "no effect":
            continue  # a third die, or a word, would tell that a vehicle is under the "?"
        if sum(hit.dice) == 2:
            rolled, _ = play.roll_one("unlikely kill", shot.side)
            unlikely = _UNLIKELY.get(rolled, "no effect")
            if unlikely == "immobilized" and vehicle.values.get("hull_down") is True:
                unlikely = "no effect"
            result = max(result, unlikely, key=_ORDER.index)
            steps.append(Step(f"unlikely kill: {rolled}: {unlikely}", "ASL-A7.309"))
        if hidden:
            reveal(play, vehicle.id, "it is hit", "ASL-CONV-1")
        play.decide(Resolution("vehicle", result, steps=tuple(steps)))
        harm(play, vehicle.id, result)
