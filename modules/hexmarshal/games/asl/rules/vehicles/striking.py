"""An attack on a vehicle is rolled for: what it does to the vehicle, and to who attacks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.concealment.cover import reveal
from hexmarshal.games.asl.rules.morale.casualties import reduce
from hexmarshal.games.asl.rules.morale.results import chosen_by_lot
from hexmarshal.games.asl.rules.quality.promotion import LUCKY, base_of, promote
from hexmarshal.games.asl.rules.vehicles.assault import CAPTURED, NONE, aim
from hexmarshal.games.asl.rules.vehicles.seizing import take
from hexmarshal.games.asl.rules.vehicles.wrecks import harm
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import nation_of
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.rules.vehicles.assault import Assault, Ready
    from hexmarshal.games.asl.state.execution import Play

__all__ = ["strike_vehicle"]

WORST: Final = 12


def strike_vehicle(play: Play, assault: Assault) -> int:
    """ASL-CCV-1, ASL-CCV-3: roll, and let it happen at once; the original roll."""
    ready = aim(play.now, assault)
    dice, rolls = play.roll_two("close combat", assault.side)
    original = sum(dice)
    if original == LUCKY:
        assault, ready = _led(play, assault, ready)
    final = original + int(ready.added.total())
    result = ready.result(final, capture=assault.capture)
    name = assault.vehicle.name
    rule = "ASL-CAPT-3a" if assault.capture else "ASL-CCV-1"
    told = f"{original}" + "".join(f" {m.amount:+} {m.label}" for m in ready.added.counted)
    steps = [Step(f"{name}: {told} = {final} against {ready.value}: {result}", rule)]
    if original == LUCKY and result == NONE and not assault.capture:
        result, step = _unlikely(play, assault)
        steps.append(step)
    play.decide(
        Resolution(
            "close combat",
            result,
            strengths=ready.strengths,
            modifiers=ready.added.modifiers,
            dice=rolls,
            steps=tuple(steps),
            values=FrozenMap({"total": final, "value": ready.value, "vehicle": name}),
        )
    )
    _shows_itself(play, assault, result)
    if result == CAPTURED:
        take(play, name, _takers(play, assault), "ASL-CAPT-3a")
    else:
        harm(play, name, result)
    if original == WORST and not assault.vehicle.abandoned:
        _casualties(play, assault)
    return original


def _led(play: Play, assault: Assault, ready: Ready) -> tuple[Assault, Ready]:
    """ASL-A18.2: an original 2 may bring forth a leader, who takes part in this attack."""
    now = play.now
    able = [unit for unit in assault.attackers if nation_of(now, unit).promotion is not None]
    men = [unit.id for unit in able if now.is_mmc(unit)]
    name = promote(play, base_of(now, men), vehicle=assault.vehicle.armored) if men else ""
    if not name:
        return assault, ready
    assault = replace(assault, attackers=(*assault.attackers, play.position.unit(name)))
    return assault, aim(play.now, assault)


def _unlikely(play: Play, assault: Assault) -> tuple[str, Step]:
    """ASL-CCV-3: a third die, where the roll itself has done nothing."""
    table = play.tables.vehicle_combat.unlikely_kill
    rolled, _ = play.roll_one("unlikely kill", assault.side)
    result = table[rolled - 1] if rolled <= len(table) else NONE
    return result, Step(f"unlikely kill: {rolled}: {result}", "ASL-CCV-3")


def _shows_itself(play: Play, assault: Assault, result: str) -> None:
    """ASL-CC-8, ASL-AMB-1: who attacks is concealed no longer, but for an ambush that kills."""
    if assault.ambush == assault.side and result not in (NONE, "immobilized"):
        return
    for unit in assault.attackers:
        if unit.has(marks.CONCEALED):
            reveal(play, unit.id, "it attacks in close combat", "ASL-CC-8")


def _takers(play: Play, assault: Assault) -> list[str]:
    """Who mans what was captured: the MMC, or the single men who attacked."""
    now = play.now
    men = [unit.id for unit in assault.attackers if now.is_mmc(unit)]
    return men[:1] or [unit.id for unit in assault.attackers]


def _casualties(play: Play, assault: Assault) -> None:
    """ASL-CCV-1: an original 12 against a manned vehicle costs an attacker men."""
    names = [unit.id for unit in assault.attackers if unit.id in play.position.units]
    for name in chosen_by_lot(play, names, 1, "who is hit", assault.side):
        step = Step(f"{name}: a 12 costs it men", "ASL-CCV-1")
        play.decide(Resolution("close combat", "reduced", steps=(step,)))
        reduce(play, name)
