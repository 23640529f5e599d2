"""Rout: a broken unit makes for shelter, by low crawl or under interdiction."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.fire.encirclement import share_ring
from hexmarshal.games.asl.rules.heat_of_battle import heat
from hexmarshal.games.asl.rules.morale.casualties import break_unit, drop, eliminate, reduce
from hexmarshal.games.asl.rules.morale.checks import Fate, Test, fate_of_check, modifiers_of
from hexmarshal.games.asl.rules.morale.results import chosen_by_lot
from hexmarshal.games.asl.rules.movement.allowance import burden, capacity, portage
from hexmarshal.games.asl.rules.movement.costs import price
from hexmarshal.games.asl.rules.rout.companions import (
    companion_faults,
    disruption_faults,
    follow,
    share_fate,
)
from hexmarshal.games.asl.rules.rout.interdiction import interdictors
from hexmarshal.games.asl.rules.rout.routes import (
    factors_of,
    known_enemies,
    near_enemy,
    routes_of,
    step_fault,
    steps_from,
)
from hexmarshal.games.asl.state import marks
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.state.effects import MoveUnit
from hexmarshal.rules.verdict import Cost, CostPart, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "break_voluntarily", "candidates", "check", "check_break", "listed", "must_leave",
    "nothing_listed", "places_of", "rout", "ways",
]  # fmt: skip


def places_of(now: Situation, unit: Unit, path: tuple[str, ...], level: int) -> list[Location]:
    """The locations of a path: storeys within the first hex, then hexes at ground level."""
    at = now.at(unit)
    found: list[Location] = []
    for i, cell in enumerate(path):
        last = i == len(path) - 1
        if cell == at.cell and (not found or found[-1].cell == cell):
            before = found[-1].level if found else at.level
            step = 1 if level > before else -1
            found.append(Location(cell, before + step))
        else:
            before = found[-1].level if found else at.level
            keep = before if before in now.ground.levels(cell) else 0
            found.append(
                Location(
                    cell,
                    level if last and level in now.ground.levels(cell) and keep == level else keep,
                )
            )
    return found


def check(now: Situation, action: Action) -> Verdict:
    """ASL-ROUT-2 to ASL-ROUT-5, ASL-CRAWL-1."""
    parts: list[CostPart] = []
    verdict = Verdict.of(_faults(now, action, parts))
    return Verdict(verdict.violations, Cost(tuple(parts), "MF"))


def _faults(now: Situation, action: Action, parts: list[CostPart]) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    name = unit.id
    if unit.side != action.side or not now.is_personnel(unit) or not unit.cell:
        yield Violation("ASL-ROUT-2", f"{name} is no unit of yours on the map", units=(name,))
        return
    if not unit.has(marks.BROKEN):
        yield Violation("ASL-ROUT-2", f"{name} is not broken", units=(name,))
        return
    if unit.has(marks.MELEE):
        yield Violation("ASL-ROUT-2", f"{name} is in melee", units=(name,))
    if unit.has(marks.ROUTED):
        yield Violation("ASL-ROUT-2", f"{name} has routed", units=(name,))
    if not unit.has(marks.DM):
        yield Violation("ASL-ROUT-2", f"{name} is not DM and does not rout", units=(name,))
    crawl = action.flag("low_crawl")
    yield from disruption_faults(now, unit, crawl=crawl)
    if leader := action.text("leader"):
        yield from companion_faults(now, now.unit(leader), unit)
    yield from _surrender_faults(now, unit, crawl=crawl)
    path = action.so_far("path")
    if not path:
        yield Violation("ASL-ROUT-2", f"{name} goes nowhere", cured_by=("path",))
        return
    places = places_of(now, unit, path, action.number("level"))
    yield from _path_faults(now, unit, places, parts, crawl=crawl)
    if crawl:
        yield from _crawl_faults(now, unit, places)
    else:
        yield from _destination_faults(now, unit, places, parts)


def _surrender_faults(now: Situation, unit: Unit, *, crawl: bool) -> Iterator[Violation]:
    """ASL-A20.21a: who would be taken gives up, rather than crawl away."""
    from hexmarshal.games.asl.rules.prisoners import surrender
    from hexmarshal.games.asl.state.traits import never_surrenders

    if unit.has(marks.ROUTED) or not surrender.captors(now, unit):
        return
    if never_surrenders(now, unit):
        return
    if surrender.must_surrender(unit):
        text = f"{unit.id} is disrupted or encircled beside the enemy and surrenders"
        yield Violation("ASL-A20.21a", text, units=(unit.id,))
    elif crawl and surrender.surrenders(now, unit):
        text = f"{unit.id} has no way out but to crawl: it surrenders"
        yield Violation("ASL-A20.21a", text, units=(unit.id,))


def _path_faults(
    now: Situation, unit: Unit, places: list[Location], parts: list[CostPart], *, crawl: bool
) -> Iterator[Violation]:
    here = now.at(unit)
    seen = {enemy.id for enemy in known_enemies(now, here, unit.side)}
    spent = Fraction(0)
    limit = Fraction(factors_of(unit))
    pressed = _pressed(now, unit)
    for place in places:
        if place.level not in now.ground.levels(place.cell):
            yield Violation(
                "ASL-ROUT-2", f"{place.cell} has no level {place.level}", cells=(place.cell,)
            )
            return
        cost = price(now, here, place, (unit,), crowd=False)
        if cost.barred or cost.minimum:
            why = cost.barred or "only a minimum move crosses the hexside"
            yield Violation("ASL-ROUT-2", f"{place} cannot be entered: {why}", cells=(place.cell,))
            return
        parts.extend(cost.parts)
        spent = limit if cost.all_mf else spent + cost.total
        if spent > limit and not crawl:
            text = f"{place} would take {spent} MF, and {unit.id} has {limit}"
            yield Violation("ASL-ROUT-2", text, cells=(place.cell,), units=(unit.id,))
        why = step_fault(now, here, place, seen, unit.side)
        if why:
            yield Violation("ASL-ROUT-3", why, cells=(place.cell,), units=(unit.id,))
        if not crawl and pressed and (by := interdictors(now, place, unit.side)):
            text = f"{unit.id} is ADJACENT to the enemy, and {by[0].id} interdicts {place}"
            yield Violation("ASL-ROUT-5", text, cells=(place.cell,), units=(unit.id, by[0].id))
        seen |= {enemy.id for enemy in known_enemies(now, place, unit.side)}
        here = place


def _pressed(now: Situation, unit: Unit) -> bool:
    """ASL-ROUT-5: ADJACENT to a known armed enemy in good order."""
    at = now.at(unit)
    return any(
        now.good_order(enemy) and (now.at(enemy) == at or now.adjacent(at, now.at(enemy)))
        for enemy in known_enemies(now, at, unit.side)
    )


def _destination_faults(
    now: Situation, unit: Unit, places: list[Location], parts: list[CostPart]
) -> Iterator[Violation]:
    """ASL-ROUT-4, ASL-ROUT-4b: the nearest shelter by the cheapest way; else anywhere."""
    end = places[-1]
    if near_enemy(now, end, unit.side):
        text = f"{unit.id} would end adjacent to a known enemy in {end}"
        yield Violation("ASL-ROUT-1", text, cells=(end.cell,), units=(unit.id,), cured_by=("path",))
    routes = routes_of(now, unit)
    if routes.nearest is None:
        return
    if places[0].cell == now.at(unit).cell and len(places) == 1:
        return  # ASL-ROUT-3: within a building, to another storey
    first = next((i for i, place in enumerate(places) if place in routes.shelters), None)
    names = ", ".join(str(place) for place in routes.shelters)
    if first is None:
        yield Violation(
            "ASL-ROUT-4",
            f"{unit.id} must make for the nearest woods or building: {names}",
            cells=tuple(place.cell for place in routes.shelters),
            units=(unit.id,),
            cured_by=("path",),
        )
        return
    cost = _cost_until(now, unit, places, first)
    if cost > routes.nearest:
        text = f"{places[first]} can be reached with {routes.nearest} MF, not only {cost}"
        yield Violation("ASL-ROUT-4", text, cells=(places[first].cell,), units=(unit.id,))
    for place in places[first + 1 :]:
        if not now.ground.terrain(place.cell).shelter:
            text = f"in {places[first]} the rout ends: {place} is no shelter"
            yield Violation("ASL-ROUT-4", text, cells=(place.cell,), units=(unit.id,))
    del parts


def _cost_until(now: Situation, unit: Unit, places: list[Location], last: int) -> Fraction:
    here, total = now.at(unit), Fraction(0)
    for place in places[: last + 1]:
        cost = price(now, here, place, (unit,), crowd=False)
        total = Fraction(factors_of(unit)) if cost.all_mf else total + cost.total
        here = place
    return total


def _crawl_faults(now: Situation, unit: Unit, places: list[Location]) -> Iterator[Violation]:
    """ASL-CRAWL-1: one hex towards shelter, not to end beside the enemy."""
    name = unit.id
    if len(places) != 1:
        yield Violation("ASL-CRAWL-1", "a low crawl is one hex", units=(name,))
    place = places[0]
    row = now.ground.beneath(place.cell)
    if row.marsh or row.water or row.stream or row.ford:
        text = f"nobody crawls into the {row.key.replace('_', ' ')} of {place.cell}"
        yield Violation("ASL-CRAWL-1", text, cells=(place.cell,))
    start = now.at(unit)
    if now.people(start, other(unit.side)):
        yield Violation("ASL-CRAWL-1", f"{name} shares {start} with the enemy", units=(name,))
    if near_enemy(now, place, unit.side):
        text = f"{place} is adjacent to a known enemy"
        yield Violation("ASL-CRAWL-1", text, cells=(place.cell,), units=(name,))
    routes = routes_of(now, unit)
    if routes.shelters and place not in routes.shelters:
        near = min(now.ground.distance(place.cell, s.cell) for s in routes.shelters)
        before = min(now.ground.distance(start.cell, s.cell) for s in routes.shelters)
        if near >= before:
            names = ", ".join(str(s) for s in routes.shelters)
            text = f"{place} is not on the way to {names}"
            yield Violation("ASL-CRAWL-1", text, cells=(place.cell,), units=(name,))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Who must rout, and step by step where to."""
    if slot == "unit":
        return tuple(
            u.id for u in now.on_map(action.side)
            if u.has(marks.BROKEN) and u.has(marks.DM) and not u.has(marks.ROUTED)
        )  # fmt: skip
    if slot == "level":
        return (None,)
    if slot == "leader":
        unit = now.position.units.get(str(action.given("unit")))
        if unit is None or not unit.cell:
            return (None,)
        mine = now.people(now.at(unit), unit.side)
        free = [one.id for one in mine if not any(True for _ in companion_faults(now, one, unit))]
        return (None, *free)
    if slot == "path":
        unit = now.position.units.get(str(action.given("unit")))
        if unit is None:
            return ()
        path = action.so_far("path")
        if path and action.given("low_crawl") is True:
            return ()
        places = places_of(now, unit, path, 0)
        here = places[-1] if places else now.at(unit)
        return tuple(dict.fromkeys(place.cell for place in steps_from(now, here)))
    return None


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """For lists of actions: one cheapest way to each nearest shelter, or the hexes around."""
    if slot == "leader":
        return (None,)
    if slot != "path":
        return None
    unit = now.position.units.get(str(action.given("unit")))
    if unit is None:
        return ()
    if action.given("low_crawl") is True:
        return tuple((cell,) for cell in now.ground.near[unit.cell])
    return tuple(ways(now, unit))


def nothing_listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """To break of one's own will is always possible and hardly ever meant: it is not listed."""
    del now, action
    return () if slot == "unit" else None


def ways(now: Situation, unit: Unit) -> Iterator[tuple[str, ...]]:
    """Cheapest ways to the nearest shelters; where there are none, to whatever is in reach."""
    routes = routes_of(now, unit)
    goals = set(routes.shelters) or {
        place for place in routes.costs if not near_enemy(now, place, unit.side)
    }
    start = now.at(unit)
    seen0 = frozenset(e.id for e in known_enemies(now, start, unit.side))
    limit = Fraction(factors_of(unit))
    stack: list[tuple[Location, tuple[Location, ...], Fraction, frozenset[str]]] = [
        (start, (), Fraction(0), seen0)
    ]
    done: set[Location] = set()
    best: dict[Location, Fraction] = {}
    while stack and len(done) < min(len(goals), 24):
        stack.sort(key=lambda entry: (-entry[2], -len(entry[1])))
        place, path, spent, seen = stack.pop()
        if path and place in goals and place not in done:
            done.add(place)
            if start.level == 0 and all(p.level == 0 for p in path):
                yield tuple(p.cell for p in path)
        for after in steps_from(now, place):
            if after == start or after in path or after.level:
                continue
            cost = price(now, place, after, (unit,), crowd=False)
            if cost.barred or cost.minimum or (cost.all_mf and spent):
                continue
            total = limit if cost.all_mf else spent + cost.total
            if total > limit or step_fault(now, place, after, seen, unit.side):
                continue
            if best.get(after, limit + 1) <= total:
                continue
            best[after] = total
            met = seen | {e.id for e in known_enemies(now, after, unit.side)}
            stack.append((after, (*path, after), total, met))


def rout(play: Play, action: Action) -> None:
    """The unit goes, hex by hex; whoever can interdict does."""
    unit = play.position.unit(action.text("unit"))
    leader = action.text("leader")
    if leader:
        play.mark(leader, marks.ROUTED)
    _go(play, unit, action)
    if unit.id in play.position.units:
        follow(play, leader, play.position.unit(unit.id))
    share_fate(play, leader, unit.id)


def _go(play: Play, unit: Unit, action: Action) -> None:
    now = play.now
    _lighten(play, unit)
    crawl = action.flag("low_crawl")
    play.mark(unit.id, marks.ROUTED, *((marks.CRAWLED,) if crawl else ()))
    for place in places_of(now, unit, action.texts("path"), action.number("level")):
        if _thrown_back(play, unit, place):
            return
        play.do(MoveUnit(unit.id, place.cell, place.level))
        share_ring(play, unit.id)
        if crawl:
            continue
        by = interdictors(play.now, place, unit.side)
        if by and not _interdicted(play, unit.id, place, by[0]):
            return


def _thrown_back(play: Play, unit: Unit, place: Location) -> bool:
    """ASL-ROUT-6: a concealed enemy in the way shows himself, and the router goes no further."""
    from hexmarshal.games.asl.rules.concealment.cover import place_hidden, remove_dummy, reveal

    side = other(unit.side)
    for one in play.now.people(place, side):
        place_hidden(play, one.id, "an enemy routs into it", "ASL-A12.15a")
    covered = [u for u in play.now.people(place, side) if u.has(marks.CONCEALED)]
    hidden = [u.id for u in covered if not play.now.is_dummy(u)]
    if not hidden:
        for one in covered:  # ASL-A12.15c
            remove_dummy(play, one.id, "an enemy routs into it", "ASL-A12.15c")
        return False
    for name in chosen_by_lot(play, hidden, 1, "who is revealed", side):
        reveal(play, name, f"{unit.id} tries to enter {place}", "ASL-ROUT-6")
        step = Step(f"{name} in {place} throws {unit.id} back", "ASL-ROUT-6")
        play.decide(Resolution("rout", "thrown back", steps=(step,)))
    return True


def check_reveal(now: Situation, action: Action) -> Verdict:
    """ASL-ROUT-6: a concealed unit may show itself to interdict."""
    return Verdict.of(_reveal_faults(now, action))


def _reveal_faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    if unit.side != action.side or not now.is_hidden(unit):
        text = f"{unit.id} is no concealed unit of yours"
        yield Violation("ASL-ROUT-6", text, units=(unit.id,))


def reveal(play: Play, action: Action) -> None:
    """ASL-ROUT-6, ASL-HIP-1a: it shows itself; a hidden unit is put under a "?" first."""
    from hexmarshal.games.asl.rules.concealment.cover import place_hidden
    from hexmarshal.games.asl.rules.concealment.cover import reveal as show

    name = action.text("unit")
    if play.position.unit(name).has(marks.HIDDEN):
        place_hidden(play, name, "of its own will")
    else:
        show(play, name, "of its own will", "ASL-ROUT-6")


def _lighten(play: Play, unit: Unit) -> None:
    """ASL-BROK-1, ASL-SW-2: what is too heavy stays behind."""
    now = play.now
    weapons = sorted(now.weapons(unit), key=lambda weapon: (-portage(now, weapon), weapon.id))
    while weapons and burden(play.now, play.position.unit(unit.id)) > capacity(play.now, unit):
        drop(play, unit, weapons.pop(0))


def _interdicted(play: Play, name: str, place: Location, enemy: Unit) -> bool:
    """ASL-A10.53a: a morale check; men are lost or the unit stops. True if it goes on."""
    now = play.now
    unit = now.unit(name)
    test = Test("interdiction", rule="ASL-A10.53a")
    found = tally(modifiers_of(now, unit, test))
    dice, rolls = play.roll_two(f"interdiction of {name}", unit.side)
    total = sum(dice) + int(found.total())
    fate = fate_of_check(now, unit, sum(dice), total)
    pinned = fate is Fate.PASSED and total == now.morale(unit)
    told = f"{name} in {place}, in sight of {enemy.id}: {total} against {now.morale(unit)}: " + (
        "pinned" if pinned else fate
    )
    play.decide(
        Resolution(
            "interdiction",
            "pinned" if pinned else fate.value,
            modifiers=found.modifiers,
            dice=rolls,
            steps=(Step(told, "ASL-A10.53a"),),
        )
    )
    if fate is Fate.ELIMINATED:
        eliminate(play, name)
    elif fate is Fate.REDUCED:
        reduce(play, name)
    if sum(dice) == heat.LUCKY:
        heat.kindle(play, name, broken=True)
    after = play.position.units.get(name)
    return after is not None and after.has(marks.BROKEN) and not pinned


def must_leave(now: Situation, unit: Unit) -> str:
    """ASL-ROUT-1: why a broken unit may not end the phase where it is; '' if it may."""
    place = now.at(unit)
    if unit.has(marks.MELEE):
        return ""
    if any(now.good_order(enemy) for enemy in now.people(place, other(unit.side))):
        return f"it is in {place} with the enemy"
    if near_enemy(now, place, unit.side):
        return f"it is adjacent to a known enemy in {place}"
    if unit.has(marks.CRAWLED):
        return ""
    by = interdictors(now, place, unit.side)
    return f"it is in the open in {place}, in sight of {by[0].id}" if by else ""


def check_break(now: Situation, action: Action) -> Verdict:
    """ASL-VB-1: in sight and range of a known unbroken armed enemy, or ADJACENT to one."""
    return Verdict.of(_break_faults(now, action))


def _break_faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    name = unit.id
    if unit.side != action.side or not now.is_personnel(unit) or not unit.cell:
        yield Violation("ASL-VB-1", f"{name} is no unit of yours on the map", units=(name,))
        return
    if unit.flags & {marks.BROKEN, marks.BERSERK, marks.MELEE} or now.is_hero(unit):
        yield Violation("ASL-VB-1", f"{name} cannot break of its own will", units=(name,))
    if any(one.has(marks.ROUTED) for one in now.on_map(unit.side)):
        yield Violation("ASL-VB-1", "units break at the start of the phase alone", units=(name,))
    at = now.at(unit)
    for enemy in known_enemies(now, at, unit.side):
        there = now.at(enemy)
        if there == at or now.adjacent(at, there):
            return
        reach = max((now.counter(enemy).range, *(now.counter(w).range for w in now.weapons(enemy))))
        if not enemy.has(marks.BROKEN) and now.ground.distance(at.cell, there.cell) <= reach:
            return
    text = f"no known enemy is ADJACENT to {name}, or sees it within his range"
    yield Violation("ASL-VB-1", text, units=(name,))


def break_voluntarily(play: Play, action: Action) -> None:
    """ASL-VB-1: it may rout then, and loses nobody by it."""
    break_unit(play, action.text("unit"), dm=True)
