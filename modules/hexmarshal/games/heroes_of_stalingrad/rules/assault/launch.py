"""HOS-5.40 to HOS-5.46: who may assault whom, and what an announcement binds to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.movement import steps as walking
from hexmarshal.games.heroes_of_stalingrad.rules.sight.measure import unit_range
from hexmarshal.games.heroes_of_stalingrad.state.kinds import other
from hexmarshal.rules.copying import copied
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["assault_targets", "combat_value", "must_assault", "start_faults", "target_faults"]


def combat_value(now: Situation, unit: Unit, family: str) -> int | None:
    """HOS-5.47, HOS-5.49: the combat value in an assault; None is the X, or no weapon for it.

    A heavy vehicle with two weapons uses the secondary one; as an attacker too, as we read it.
    """
    weapons = now.weapons(unit)
    if now.is_heavy(unit) and len(now.face(unit).weapons) > 1:
        weapons = tuple(w for w in weapons if not w.main)
    values = [v for w in weapons if (v := w.value(family)) is not None]
    return max(values, default=None)


def target_faults(now: Situation, unit: Unit, target: str, steps: int) -> Iterator[Violation]:
    """Whether an assault on a target may be announced at all; somebody may be in the way yet."""
    enemy = now.unit(target)
    both = (unit.id, target)
    if now.position.phase == "reserve":
        yield Violation("HOS-2.101", "there is no assault in the Reserve Phase", units=both)
    showing = copied(unit, steps=steps)
    if enemy.side == unit.side or not now.is_live(enemy):
        yield Violation("HOS-5.40", f"{target} is no enemy on the board", units=both)
        return
    if enemy.cell and unit_range(now, unit, enemy) > _farthest(now, unit):
        text = f"{target} is farther away than {unit.id} can ever go"
        yield Violation("HOS-5.43", text, units=both)
    if enemy.carrier:
        yield Violation("HOS-5.93", f"{target} is inside a vehicle", units=both)
    if now.ambushed(showing):
        text = f"{unit.id} must leave its ambush first"
        yield Violation("HOS-5.2", text, units=both)
    elif not now.has(showing, "assault"):
        yield Violation("HOS-5.40", f"{unit.id} has no Assault", units=both)
    elif combat_value(now, showing, now.family(enemy)) is None:
        text = f"{unit.id} has an X against {now.family(enemy)}"
        yield Violation("HOS-5.40", text, units=both)


def start_faults(now: Situation, unit: Unit, cell: str) -> Iterator[Violation]:
    """HOS-5.42: an assault starts from a free cell, or from a friendly transport."""
    for one in now.occupants(cell):
        if one.id == unit.id or (one.side == unit.side and now.has(one, "transport")):
            continue
        text = f"{one.id} is in {cell}, from which the assault would start"
        yield Violation("HOS-5.42", text, cells=(cell,), units=(unit.id, one.id))


def assault_targets(now: Situation, unit: Unit) -> Iterator[str]:
    """Enemies that a unit could reach with an assault, roughly."""
    counter = now.counter(unit)
    if not any(now.has(copied(unit, steps=s), "assault") for s in range(1, len(counter.faces) + 1)):
        return
    for enemy in now.live(other(unit.side)):
        if enemy.cell and unit_range(now, unit, enemy) <= _farthest(now, unit):
            yield enemy.id


def _farthest(now: Situation, unit: Unit) -> int:
    """The cells that it goes at the most, with either face and with the bonus of a card."""
    return max((face.move or 0 for face in now.counter(unit).faces), default=0) + 1


def must_assault(
    now: Situation, unit: Unit, target: str, path: tuple[str, ...], left: int
) -> Iterator[Violation]:
    """HOS-5.41: an assault that was announced is carried out if it can be."""
    enemy = now.position.units.get(target)
    if enemy is None or not now.is_live(enemy) or not enemy.cell:
        return
    goals = set(enemy.cells)
    if path and path[-1] in goals:
        return
    starts = tuple(c for c in now.cells(unit) if now.ground.has(c))
    ways = {**dict.fromkeys(starts, ()), **walking.reach(now, unit, left, starts=starts)}
    for cell, way in ways.items():
        near = goals.intersection(now.ground.near[cell])
        if len(way) < left and any(
            not any(True for _ in walking.step_faults(now, unit, cell, goal, target=target))
            and not any(True for _ in start_faults(now, unit, cell))
            for goal in near
        ):
            text = f"the assault on {target} was announced, and {target} can be reached"
            yield Violation("HOS-5.41", text, units=(unit.id, target), cured_by=("path",))
            return
