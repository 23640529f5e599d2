"""The charge of berserk units: whom they make for, by which steps, and what they meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.heat_of_battle.berserk import known_enemies, return_to_normal
from hexmarshal.games.asl.rules.morale.casualties import drop
from hexmarshal.games.asl.rules.movement.allowance import portage
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "arrive", "begin_faults", "calm_after_charge", "calm_where_none_is_left", "goals", "is_charge",
    "lighten", "must_charge", "note_goal", "step_faults",
]  # fmt: skip

_LIGHT = 1
_HELD = frozenset(
    {marks.MOVED, marks.MELEE, marks.PINNED, marks.TI, marks.PREP_FIRE, marks.OPPORTUNITY}
)


def is_charge(group: Sequence[Unit]) -> bool:
    """Whether a group is berserk."""
    return bool(group) and all(unit.has(marks.BERSERK) for unit in group)


def must_charge(now: Situation, unit: Unit) -> bool:
    """ASL-A15.43a: berserk, free to move, with a way to somebody."""
    if not unit.has(marks.BERSERK) or unit.flags & _HELD or not unit.cell:
        return False
    if _enemies_at(now, now.at(unit), unit.side):
        return False
    return any(_way(now, now.at(unit), goal) is not None for goal in goals(now, unit))


def begin_faults(now: Situation, group: Sequence[Unit]) -> Iterator[Violation]:
    """ASL-A15.43a, ASL-A15.43d: the berserk go first, and with nobody who is not."""
    berserk = [unit for unit in group if unit.has(marks.BERSERK)]
    names = tuple(unit.id for unit in group)
    if berserk and len(berserk) < len(group):
        text = f"{berserk[0].id} is berserk and charges alone"
        yield Violation("ASL-A15.43d", text, units=names, cured_by=("units",))
    if berserk:
        if not any(must_charge(now, unit) for unit in berserk):
            text = f"{berserk[0].id} has nobody to charge"
            yield Violation("ASL-A15.43a", text, units=names)
        return
    waiting = [unit.id for unit in now.on_map(group[0].side) if must_charge(now, unit)]
    if waiting:
        text = f"{', '.join(waiting)} must charge before anybody else moves"
        yield Violation("ASL-A15.43a", text, units=tuple(waiting))


def _enemies_at(now: Situation, place: Location, side: str) -> list[Unit]:
    return [
        one
        for one in now.people(place, other(side))
        if not one.flags & {*marks.UNSEEN, marks.CAPTURED}
    ]


def goals(now: Situation, unit: Unit) -> tuple[str, ...]:
    """ASL-A15.43a, ASL-A15.43b: the hexes that a unit may charge now.

    The one that it charges already, as long as nobody in sight is nearer; else the nearest.
    """
    here = now.at(unit)
    far = {
        enemy.cell: now.ground.distance(here.cell, enemy.cell) for enemy in known_enemies(now, unit)
    }
    nearest = min(far.values(), default=None)
    before = unit.values.get("charging")
    if isinstance(before, str) and before != here.cell:
        away = now.ground.distance(here.cell, before)
        if nearest is None or away <= nearest:
            return (before,)
    if nearest is None:
        return ()
    found = tuple(cell for cell, distance in far.items() if distance == nearest)
    before_us = _charged_from(now, unit, here)
    return tuple(cell for cell in found if cell in before_us) or found


def _charged_from(now: Situation, unit: Unit, here: Location) -> set[str]:
    """ASL-A15.43d: whom others charge who were berserk in the same location."""
    return {
        str(one.values.get("charging"))
        for one in now.on_map(unit.side)
        if one.has(marks.BERSERK) and one.values.get("charge_from") == str(here)
    }


def _way(now: Situation, start: Location, goal: str) -> dict[str, int] | None:
    """How many hexes each hex is from the goal, as far as the start; None if there is no way."""

    def search() -> dict[str, int] | None:
        found, edge = {goal: 0}, [goal]
        while edge and start.cell not in found:
            after = []
            for cell in edge:
                for beside in now.ground.near[cell]:
                    if beside not in found and now.accessible(Location(beside), Location(cell)):
                        found[beside] = found[cell] + 1
                        after.append(beside)
            edge = after
        return found if start.cell in found else None

    return now.remember(f"charge {start.cell} {goal}", search)


def step_faults(now: Situation, group: Sequence[Unit], end: Location) -> Iterator[Violation]:
    """ASL-A15.43a: each step is along a shortest way, in hexes, to who is charged."""
    names = tuple(unit.id for unit in group)
    if not is_charge(group):
        if any(unit.has(marks.BERSERK) for unit in group):
            text = "who is berserk charges, and the others part from him"
            yield Violation("ASL-A15.43d", text, units=names)
        return
    start = now.at(group[0])
    wanted = goals(now, group[0])
    if not wanted:
        yield Violation("ASL-A15.43a", "nobody is left to be charged", units=names)
        return
    if end.cell == start.cell:
        if end.level == start.level or abs(end.level) < abs(start.level) or end.cell in wanted:
            return
        yield Violation("ASL-A15.43a", f"{end} is not on the way", cells=(end.cell,), units=names)
        return
    for goal in wanted:
        far = _way(now, start, goal)
        if far is not None and far.get(end.cell, far[start.cell]) < far[start.cell]:
            return
    text = f"{end.cell} is not on a shortest way to {' or '.join(wanted)}"
    yield Violation("ASL-A15.43a", text, cells=(end.cell, *wanted), units=names)


def lighten(play: Play, names: Sequence[str]) -> None:
    """ASL-A15.43a: what weighs more than one point is dropped at the start of a charge."""
    for name in names:
        unit = play.position.unit(name)
        if not unit.has(marks.BERSERK):
            continue
        heavy = [w for w in play.now.weapons(unit) if portage(play.now, w) > _LIGHT]
        drop(play, unit, *heavy)


def note_goal(play: Play, names: Sequence[str], end: Location) -> None:
    """ASL-A15.43b: remember who is charged: by this step, the goal that it comes nearer to."""
    for name in names:
        unit = play.position.unit(name)
        if not unit.has(marks.BERSERK):
            continue
        now = play.now
        wanted = goals(now, unit)
        start = now.at(unit)
        for goal in wanted:
            far = _way(now, start, goal)
            nearer = far is not None and far.get(end.cell, far[start.cell]) < far[start.cell]
            if (nearer or end.cell == goal) and unit.values.get("charging") != goal:
                before = unit.values.get("charge_from") or str(start)
                play.note(name, charging=goal, charge_from=before)
                break


def arrive(play: Play, names: Sequence[str], place: Location, side: str) -> bool:
    """ASL-A15.43e: whoever comes into the enemy's location goes no further; nobody is in melee."""
    there = _enemies_at(play.now, place, side)
    if not there:
        return False
    ids = tuple(one.id for one in there)
    for name in names:
        if name in play.position.units and play.now.at(play.position.unit(name)) == place:
            play.mark(name, marks.CLOSE, marks.MOVED)
            if play.position.unit(name).has(marks.BERSERK):
                play.note(name, charging=place.cell, charged=ids)
    for name in ids:
        play.mark(name, marks.CLOSE)
    return True


def calm_after_charge(play: Play) -> None:
    """ASL-A15.43c: at the end of a charge with no known enemy in sight."""
    for unit in tuple(play.now.on_map(play.now.phasing)):
        if unit.has(marks.BERSERK) and not known_enemies(play.now, unit):
            return_to_normal(play, unit.id, "no known enemy is in sight")


def calm_where_none_is_left(play: Play) -> None:
    """ASL-A15.43c: who has eliminated the known enemies that he charged, at least one of them."""
    for unit in tuple(play.position.units.values()):
        charged = unit.values.get("charged")
        if not unit.has(marks.BERSERK) or not isinstance(charged, tuple) or not unit.cell:
            continue
        if _enemies_at(play.now, play.now.at(unit), unit.side):
            continue
        if any(str(name) not in play.position.units for name in charged):
            return_to_normal(play, unit.id, f"nobody is left in {unit.cell}")
        else:
            play.note(unit.id, charged=None)
