"""Leaders who go with those who rout, and the disrupted who do not rout at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.morale.casualties import eliminate
from hexmarshal.games.asl.rules.quality.disruption import captors_of
from hexmarshal.games.asl.state.options import DAY
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import faces_no_quarter, leads
from hexmarshal.rules.state.effects import MoveUnit
from hexmarshal.rules.verdict import Resolution, Step, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["companion_faults", "disruption_faults", "follow", "share_fate"]


def companion_faults(now: Situation, leader: Unit, unit: Unit) -> Iterator[Violation]:
    """ASL-LDR-3: an unbroken, unpinned leader in the location of those who rout."""
    name = leader.id
    if leader.side != unit.side or not now.is_leader(leader) or not leads(now, leader, unit):
        yield Violation("ASL-LDR-3", f"{name} does not lead {unit.id}", units=(name,))
        return
    if now.at(leader) != now.at(unit):
        yield Violation("ASL-LDR-3", f"{name} is not with {unit.id}", units=(name, unit.id))
    if leader.flags & {marks.BROKEN, marks.MELEE, marks.BERSERK, marks.ROUTED, marks.TI}:
        yield Violation("ASL-LDR-3", f"{name} cannot go with those who rout", units=(name,))
    if leader.has(marks.PINNED):
        yield Violation("ASL-PIN-5", f"{name} is pinned", units=(name,))


def follow(play: Play, leader: str, unit: Unit) -> None:
    """He is where they are."""
    if leader and leader in play.position.units:
        play.do(MoveUnit(leader, unit.cell, unit.level))


def share_fate(play: Play, leader: str, unit: str) -> None:
    """ASL-LDR-3: if they are eliminated on the way, he is."""
    if not leader or unit in play.position.units or leader not in play.position.units:
        return
    step = Step(f"{leader} is lost with {unit}", "ASL-LDR-3")
    play.decide(Resolution("rout", "lost with them", steps=(step,)))
    eliminate(play, leader)


def disruption_faults(now: Situation, unit: Unit, *, crawl: bool) -> Iterator[Violation]:
    """ASL-A19.12: out of the open or the water, or from none but who does not take prisoners."""
    if not unit.has(marks.DISRUPTED):
        return
    if crawl and now.option("night") == DAY:
        text = f"{unit.id} is disrupted and does not crawl by day"
        yield Violation("ASL-A19.12", text, units=(unit.id,))
    if not faces_no_quarter(now, unit) and captors_of(now, unit):
        text = f"{unit.id} is disrupted beside the enemy and surrenders"
        yield Violation("ASL-A19.12", text, units=(unit.id,))
        return
    place = now.at(unit)
    terrain = now.ground.terrain(place.cell)
    if (terrain.open and not place.level) or terrain.water or terrain.ford:
        return
    beside = [
        enemy
        for enemy in now.on_map(other(unit.side))
        if now.ground.distance(place.cell, enemy.cell) <= 1
        and (now.at(enemy) == place or now.adjacent(place, now.at(enemy)))
    ]
    harmless = {marks.MELEE, marks.BERSERK}
    if beside and all(enemy.flags & harmless or enemy.carrier for enemy in beside):
        return
    yield Violation("ASL-A19.12", f"{unit.id} is disrupted and stays", units=(unit.id,))
