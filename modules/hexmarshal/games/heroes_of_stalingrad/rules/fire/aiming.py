"""HOS-2.71 to HOS-2.82, HOS-3.2, HOS-3.3, HOS-3.12: targets, lines and defence values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.sight.lines import Line, best, lines
from hexmarshal.games.heroes_of_stalingrad.rules.sight.measure import (
    apart,
    arc_holds,
    side_hit,
    unit_range,
)
from hexmarshal.games.heroes_of_stalingrad.state.kinds import other
from hexmarshal.rules.verdict import Modifier, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.counters import Weapon
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "Aim",
    "aim",
    "cover",
    "defence_value",
    "result_modifiers",
    "sight_faults",
    "target_faults",
    "targets",
]


@dataclass(frozen=True, slots=True)
class Aim:
    """How a shot goes: along which line, at which side, against which defence."""

    line: Line
    side: str
    defence: int
    bonus: int
    distance: int


def cover(now: Situation, unit: Unit, firer: Unit | None = None) -> tuple[int, str]:
    """HOS-3.2, HOS-3.3, HOS-3.12: the bonus of the terrain that a unit is wholly inside of.

    HOS-3.17: each cell has the effects of the part that it belongs to, whole or in ruins.
    """
    family = now.family(unit)
    found = []
    for cell in unit.cells:
        kinds = [kind for kind in now.kinds(cell) if kind.bonus.get(family)]
        if firer is not None:
            kinds = [k for k in kinds if not (k.building and _shares_house(now, firer, unit))]
        found.append({kind.key: int(kind.bonus[family]) for kind in kinds})
    if not found:
        return 0, ""
    shared = set(found[0]).intersection(*found[1:])
    if len(unit.cells) > 1:
        elements = {e.id if (e := now.element(c)) is not None else "" for c in unit.cells}
        shared = shared if len(elements) == 1 else set()
    if not shared:
        return 0, ""
    key = max(sorted(shared), key=lambda k: found[0][k])
    return found[0][key], key


def _shares_house(now: Situation, firer: Unit, unit: Unit) -> bool:
    """HOS-3.12: whether the firer is inside the building too, or in the same room by the switch."""
    if not now.house(unit) or now.house(firer) != now.house(unit):
        return False
    if now.option("building_cover") == "building":
        return True
    rooms = [{e.id for c in now.cells(u) if (e := now.element(c))} for u in (firer, unit)]
    return rooms[0] == rooms[1]


def defence_value(now: Situation, unit: Unit, side: str) -> int:
    """HOS-2.79: the printed defence on this side."""
    printed = now.face(unit).defence
    if side == "front" and now.option("panzer_front") == "label" and "label" in printed:
        return printed["label"]
    return printed.get(side, printed.get("front", 0))


def _weakest(now: Situation, unit: Unit, line: Line) -> tuple[str, int]:
    if not now.is_heavy(unit):
        return "front", defence_value(now, unit, "front")
    sides = side_hit(unit.facing, line.end.point, line.start.point)
    return min(((s, defence_value(now, unit, s)) for s in sides), key=lambda pair: pair[1])


def aim(now: Situation, firer: Unit, weapon: Weapon | None, target: Unit) -> Aim | None:
    """HOS-2.78, HOS-2.79: the line that the firer takes, the best for it; None without one."""
    over = weapon is not None and weapon.has("over_obstacles")
    bonus, _ = cover(now, target, firer)
    found = []
    for line in lines(now, firer, target):
        if not (line.visible or over):
            continue
        arc = 360 if weapon is None or firer.carrier else weapon.arc
        if not arc_holds(firer.facing, arc, line.start.point, line.end.point):
            continue
        clear = Line(line.start, line.end) if over else line
        side, defence = _weakest(now, target, line)
        found.append(Aim(clear, side, defence + bonus, bonus, unit_range(now, firer, target)))
    return min(found, key=lambda one: (one.defence + one.line.malus, one.side), default=None)


def targets(now: Situation, side: str) -> Iterator[str]:
    """Enemy units that can be aimed at, as far as they themselves go."""
    for unit in now.live(other(side)):
        if unit.cell and not now.ambushed(unit):
            yield unit.id


def target_faults(now: Situation, firer: Unit, target: Unit) -> Iterator[Violation]:
    """Whether a unit can be aimed at at all."""
    both = (firer.id, target.id)
    if target.side == firer.side or not now.is_live(target):
        yield Violation("HOS-2.70", f"{target.id} is no enemy unit on the board", units=both)
        return
    if target.carrier:
        rule = "HOS-5.5" if now.is_crew(target) else "HOS-5.93"
        yield Violation(rule, f"{target.id} is inside a vehicle", units=both)
    elif now.ambushed(target):
        yield Violation("HOS-5.2", f"{target.id} lies in ambush", units=both)
    window = now.position.frame("opportunity")
    asked = window is not None and now.position.state == "opportunity"
    if asked and window is not None and window.text("target") != target.id:
        text = f"the opportunity is to fire at {window.text('target')}"
        yield Violation("HOS-5.28", text, units=both)


def sight_faults(
    now: Situation, firer: Unit, weapon: Weapon | None, target: Unit
) -> Iterator[Violation]:
    """HOS-2.73, HOS-2.82, HOS-5.18: line of sight, arc and range."""
    both = (firer.id, target.id)
    if not target.cell or not now.cells(firer):
        return
    all_lines = lines(now, firer, target)
    over = weapon is not None and weapon.has("over_obstacles")
    seen = [line for line in all_lines if line.visible or over]
    if not seen:
        line = best(all_lines)
        told = line.blocks[0] if line is not None and line.blocks else None
        where = f" by {told.what} at {told.where}" if told else ""
        text = f"the line to {target.id} is blocked{where}"
        yield Violation("HOS-2.73", text, units=both)
        for rule in dict.fromkeys(o.rule for o in (line.blocks if line else ())):
            yield Violation(rule, text, units=both)
        if len(now.cells(firer)) > 1 or len(target.cells) > 1:
            # HOS-2.78: a vehicle's centres and all points between them were tried.
            yield Violation("HOS-2.78", text, units=both)
    elif (
        weapon is not None
        and not firer.carrier
        and not any(
            arc_holds(firer.facing, weapon.arc, line.start.point, line.end.point) for line in seen
        )
    ):
        text = f"{target.id} is outside the arc of {firer.id}"
        yield Violation("HOS-2.82", text, units=both)
    limit = weapon.number("limited_range") if weapon is not None else 0
    in_cells = weapon is None or weapon.abilities.get("range_unit", "cells") == "cells"
    if limit and in_cells and (far := apart(now, now.cells(firer), now.cells(target))) > limit:
        text = f"{target.id} is {far} cells away, and the range is {limit}"
        yield Violation("HOS-5.18", text, units=both)


def result_modifiers(
    now: Situation, firer: Unit | None, line: Line | None, distance: int
) -> Iterator[Modifier]:
    """HOS-2.88, HOS-2.89: what comes off the final result."""
    limits = now.tables.limits
    if firer is not None and (count := now.suppressed(firer)):
        amount = -int(limits["suppressed"]) * count
        yield Modifier("Suppressed", amount, "HOS-2.89", "result")
    long = limits["long_range"]
    if distance > int(long["beyond"]):
        yield Modifier("long range", -int(long["malus"]), "HOS-2.81", "result")
    for obstacle in line.reduces if line is not None else ():
        label = f"{obstacle.what} at {obstacle.where}"
        yield Modifier(label, -obstacle.value, "HOS-2.75", "result")
