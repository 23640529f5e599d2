"""Where a broken unit may rout to: ways, destinations, low crawl, surrender."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.movement.costs import price
from hexmarshal.games.asl.rules.rout.companions import (
    companion_faults,
    disruption_faults,
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
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Cost, CostPart, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["candidates", "check", "listed", "places_of", "ways"]


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
    from hexmarshal.games.asl.state.units.traits import never_surrenders

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
        unit, path = now.position.units.get(str(action.given("unit"))), action.so_far("path")
        cell = path[-1] if path else "" if unit is None else unit.cell
        return (None, *(n for n in now.ground.levels(cell) if n)) if cell else (None,)
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
    if slot in ("leader", "level"):
        return (None,)
    if slot != "path":
        return None
    unit = now.position.units.get(str(action.given("unit")))
    if unit is None:
        return ()
    if action.given("low_crawl") is True:
        return tuple((cell,) for cell in now.ground.near[unit.cell])
    return tuple(ways(now, unit))


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
