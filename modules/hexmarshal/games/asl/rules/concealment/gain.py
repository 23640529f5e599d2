"""Gaining concealment when the close combat is over: free, or by a die."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.close_combat.units import open_places
from hexmarshal.games.asl.rules.concealment.cover import (
    NEAR,
    conceal,
    ground_units,
    in_concealment_terrain,
    is_lax,
    is_stealthy,
    observers,
)
from hexmarshal.games.asl.rules.fire.modifiers import terrain_inside
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.works import gun_served
from hexmarshal.rules.verdict import Modifier, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["candidates", "check", "gain", "gain_modifiers", "way_of"]

MOST: Final = 5
FREE, ROLL, NO = "free", "roll", "no"


def way_of(now: Situation, unit: Unit, seen: list[Unit]) -> str:
    """ASL-A12.122a, ASL-A12.122b: how a unit gains its "?", by who sees it."""
    place = now.at(unit)
    terrain = in_concealment_terrain(now, place)
    if seen:
        near = min(now.ground.distance(place.cell, enemy.cell) for enemy in seen)
        return ROLL if near > NEAR and terrain else NO
    if terrain:
        return FREE
    around = any(
        not enemy.has(marks.BROKEN)
        and not enemy.has(marks.HIDDEN)
        and not now.is_dummy(enemy)
        and now.ground.distance(place.cell, enemy.cell) <= NEAR
        for enemy in ground_units(now, other(unit.side))
    )
    return ROLL if around else FREE


def gain_modifiers(now: Situation, unit: Unit) -> tuple[Modifier, ...]:
    """ASL-A12.122c: size, leadership, temper, and what the hex itself gives."""
    place = now.at(unit)
    found = [Modifier("size", now.size(unit), "ASL-A12.122c")]
    leaders = [
        now.leadership(one)
        for one in now.people(place, unit.side)
        if now.is_leader(one) and now.good_order(one)
    ]
    best = min(leaders, default=0)
    if best:
        found.append(Modifier("leadership", best, "ASL-A12.122c"))
    if is_lax(now, unit):
        found.append(Modifier("lax", 1, "ASL-A12.122c"))
    inside = terrain_inside(now, place)
    if inside is not None:
        found.append(Modifier(inside.label, -inside.amount, "ASL-A12.122c"))
    if hindrance := hindrance_in(now, unit):
        found.append(Modifier("hindrance", -hindrance, "ASL-A12.122c"))
    if is_stealthy(now, unit):
        found.append(Modifier("stealthy", -1, "ASL-A12.122c"))
    if now.nation(unit) == "japanese":
        found.append(Modifier("Japanese", -2, "ASL-A12.122c"))
    return tuple(found)


def hindrance_in(now: Situation, unit: Unit) -> int:
    """The hindrance of a unit's own hex: what grows in it, and smoke."""
    place = now.at(unit)
    board = now.ground.board
    terrain = board.catalogue.by_code[int(board.facts.centre[now.ground.index(place.cell)])]
    smoke = [
        value
        for marker in now.position.markers_at(place.cell)
        if marker.kind == "smoke" and isinstance(value := marker.values.get("hindrance"), int)
    ]
    grows = terrain.hindrance and not terrain.obstacle and not place.level
    return int(grows) + max(smoke, default=0)


def check(now: Situation, action: Action) -> Verdict:
    """ASL-A12.12a, ASL-A12.122a: a unit in good order, when all close combat is over."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    name = unit.id
    if unit.side != action.side or action.side != now.phasing or not unit.cell:
        yield Violation("ASL-A12.12a", f"{name} is no unit of the ATTACKER", units=(name,))
        return
    if not now.is_personnel(unit) or now.is_dummy(unit):
        yield Violation("ASL-A12.12a", f"{name} cannot be concealed", units=(name,))
        return
    if open_places(now):
        text = "concealment is gained when all close combat is over"
        yield Violation("ASL-A12.12a", text, units=(name,))
    if now.is_hidden(unit):
        yield Violation("ASL-A12.12a", f"{name} is concealed already", units=(name,))
    if not now.good_order(unit) or unit.flags & {marks.BERSERK, marks.UNARMED}:
        yield Violation("ASL-A12.12a", f"{name} is not in good order", units=(name,))
    if unit.has(marks.TRIED_TO_HIDE):
        yield Violation("ASL-A12.122b", f"{name} has tried in this phase", units=(name,))
    known = [one for one in observers(now, unit, within=None, unbroken=True) if _known(one)]
    if way_of(now, unit, known) == NO:
        text = f"{name} is in sight of {known[0].id}"
        where = (unit.cell, known[0].cell)
        yield Violation("ASL-A12.122a", text, units=(name, known[0].id), cells=where, by_sight=True)


def _known(enemy: Unit) -> bool:
    return not enemy.has(marks.CONCEALED)


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Those without a "?"."""
    if slot != "unit":
        return None
    bar = {marks.BROKEN, marks.MELEE, marks.BERSERK, marks.CONCEALED, marks.TRIED_TO_HIDE}
    return tuple(u.id for u in now.on_map(action.side) if not u.flags & bar)


def gain(play: Play, action: Action) -> None:
    """ASL-A12.122b, ASL-CONL-5: free, by a die, or not at all if a real "?" looks on."""
    now = play.now
    name = action.text("unit")
    unit = now.unit(name)
    play.mark(name, marks.TRIED_TO_HIDE)
    seen = observers(now, unit, within=None, unbroken=True)
    way = way_of(now, unit, seen)
    if way == NO:
        unsure = seen[0].has(marks.CONCEALED)
        text = f"{seen[0].id} {'shows that it is no dummy and ' if unsure else ''}sees {name}"
        step = Step(text, "ASL-CONL-5" if unsure else "ASL-A12.122a")
        play.decide(Resolution("concealment", "none", steps=(step,)))
        return
    if way == FREE:
        step = Step(f"{name} is out of every enemy's sight", "ASL-A12.122a")
        play.decide(Resolution("concealment", "gained", steps=(step,)))
        _cover(play, name)
        return
    modifiers = gain_modifiers(now, unit)
    rolled, roll = play.roll_one("concealment", unit.side)
    total = rolled + sum(int(m.amount) for m in modifiers)
    gained = total <= MOST
    told = f"{name}: {rolled}" + "".join(f" {m.amount:+} {m.label}" for m in modifiers)
    told += f" = {total}, {MOST} or less needed"
    play.decide(
        Resolution(
            "concealment",
            "gained" if gained else "none",
            modifiers=modifiers,
            dice=(roll,),
            steps=(Step(told, "ASL-A12.122b"),),
        )
    )
    if gained:
        _cover(play, name)


def _cover(play: Play, name: str) -> None:
    """ASL-A12.122c: the gun that a unit mans is concealed with it."""
    conceal(play, name)
    gun = gun_served(play.now, play.position.unit(name))
    if gun is not None and not play.now.is_hidden(gun):
        conceal(play, gun.id)
