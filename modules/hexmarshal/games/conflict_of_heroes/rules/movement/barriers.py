"""Why a unit may not go where it wants: hits, terrain, distance, the enemy, the edge of the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.state.execution import listed, mapped
from hexmarshal.games.conflict_of_heroes.state.situation import camp
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.conflict_of_heroes.rules.movement.move_costs import Route
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Marker, Unit

__all__ = [
    "able_to_move",
    "facing_objections",
    "fort_for",
    "may_occupy",
    "objections",
    "of_mode",
]

# Works that wheels cannot pass.
AGAINST_WHEELS = {
    "trench": "COH-18.1.1a",
    "wire": "COH-18.3.1c",
    "roadblock": "COH-18.3.2a",
}


def able_to_move(now: Situation, unit: Unit, doing: str = "move") -> Iterator[Violation]:
    """Why a unit cannot move or pivot by itself, wherever it wants to go."""
    me = (unit.id,)
    hit = now.hit(unit)
    if hit is not None and hit.only_rally:
        yield Violation(hit.rule, f"{unit.id} is {hit.title.lower()}: it can only rally", units=me)
    elif hit is not None and hit.no_move:
        yield Violation(hit.rule, f"{unit.id} is {hit.title.lower()}: it cannot {doing}", units=me)
    if unit.has("stuck"):
        yield Violation("COH-14.5b", f"{unit.id} is stuck and cannot {doing}", units=me)
    if unit.has("bogged"):
        yield Violation("COH-C20", f"{unit.id} is bogged down this turn", units=me)
    if unit.carrier:
        text = f"{unit.id} is aboard {unit.carrier} and moves with it"
        yield Violation("COH-17.0d", text, units=me)


def facing_objections(action: Action) -> Iterator[Violation]:
    """COH-5.1a: a facing that an action names is one of the six hexsides."""
    facing = action.given("facing", 0)
    if not isinstance(facing, int) or not 0 <= facing <= 5:
        yield Violation("COH-5.1a", f"no hexside {facing}: 0 to 5", field="facing")


def objections(
    route: Route, facing: int | None, *, occupy: bool, fort: str = ""
) -> Iterator[Violation]:
    """All that is wrong with a way."""
    now, unit, path = route.now, route.unit, route.path
    yield from able_to_move(now, unit, "move" if path else "pivot")
    if facing is not None and not 0 <= facing <= 5:
        text = f"no hexside {facing}: 0 to 5"
        yield Violation("COH-5.1a", text, units=(unit.id,), field="facing")
    yield from of_mode(route)
    yield from _of_length(route)
    if not path:
        yield from _of_pivot(route, facing)
    for here, cell in route.steps():
        yield from _of_step(route, here, cell)
    if route.start and path:
        yield from _of_escape(route)
    elif path:
        yield from _of_entry(route)
    if occupy:
        yield from may_occupy(now, unit, path[-1] if path else route.start, fort)


def of_mode(route: Route) -> Iterator[Violation]:
    """Whether a unit may move in this way at all."""
    unit, now, me = route.unit, route.now, (route.unit.id,)
    if route.mode == "hidden":
        if not now.hidden(unit):
            yield Violation("COH-10.1a", f"{unit.id} is not hidden", units=me)
        if not route.counter.light:
            text = f"{unit.id} is no light foot unit: it cannot move hidden"
            yield Violation("COH-10.1a", text, units=me)
        if len(route.path) > 1 and not route.rapid:
            yield Violation("COH-5.0c", "one hex an action", units=me, cells=route.path)
    elif route.mode == "cautious" and not now.option("cautious_movement"):
        text = "cautious movement is an optional rule that is not in play"
        yield Violation("COH-5.0.3b", text, units=me, field="mode")
    elif route.mode == "cautious" and not route.counter.foot:
        yield Violation("COH-5.0.3b", "only foot units move with caution", units=me)


def _of_length(route: Route) -> Iterator[Violation]:
    unit, now, counter, path = route.unit, route.now, route.counter, route.path
    me = (unit.id,)
    if len(path) < 2 or (route.mode == "hidden" and not route.rapid):
        return
    if route.rapid:
        if len(path) > 2:
            text = f"Rapid deployment is 2 hexes, not {len(path)}"
            yield Violation("COH-C05", text, units=me, cells=path)
        return
    if counter.foot:
        text = "each hex entered is an action of its own"
        yield Violation("COH-5.0c", text, units=me, cells=path)
        return
    if len(path) - 1 > counter.bonus:
        text = f"{unit.id} has {counter.bonus} free hexes, not {len(path) - 1}"
        yield Violation("COH-14.1a", text, units=me, cells=path)
    if route.backwards:
        yield Violation("COH-14.4a", "no free hexes when moving backwards", units=me)
    if any(now.counter(u).vehicle for u in now.passengers(unit)):
        yield Violation("COH-14.5c", "no free hexes when towing a vehicle", units=me)
    for here, cell in route.steps():
        if route.touching(here, cell) and not route.bonus_hex(here, cell):
            rule, text = _no_bonus(route, here, cell)
            yield Violation(rule, text, units=me, cells=(cell,))


def _no_bonus(route: Route, here: str, cell: str) -> tuple[str, str]:
    now = route.now
    kind = now.kind(cell)
    if now.smoke(cell) >= 2:
        return "COH-13.0b", f"the smoke in {cell} ends free hexes"
    if now.work(cell, "trench"):
        return "COH-18.1.1a", f"the trench in {cell} ends free hexes"
    if now.work(cell, "wire"):
        return "COH-18.3.1c", f"the wire in {cell} ends free hexes"
    if route.by_road(here, cell):
        return "COH-14.2b", f"other vehicles are in the way in {cell}"
    if cell in now.board.road_hexes and route.counter.move_class not in kind.bonus:
        return "COH-14.2a", f"{cell} is not entered along its road"
    return "COH-14.1a", f"{kind.title} in {cell} gives no free hex"


def _of_pivot(route: Route, facing: int | None) -> Iterator[Violation]:
    unit, now, me = route.unit, route.now, (route.unit.id,)
    if not route.start:
        yield Violation("COH-5.5a", f"{unit.id} is not on the map", units=me)
    if facing == unit.facing:
        return  # COH-9.1.1b: it stays as it is while others of its group move.
    fort = now.fort(unit)
    if fort is not None and fort.kind == "bunker":
        # COH-5.1c: the arrow of a bunker is red.
        yield Violation("COH-5.1c", "a bunker, and who is in it, cannot pivot", units=me)
    if now.hidden(unit):
        text = "a hidden unit has no facing before it is revealed"
        yield Violation("COH-10.0a", text, units=me)


def _of_step(route: Route, here: str, cell: str) -> Iterator[Violation]:
    # Who else is in the hex never matters: COH-5.0d, COH-5.4a, COH-14.3a.
    now, counter, unit = route.now, route.counter, route.unit
    me = (unit.id,)
    if not route.touching(here, cell):
        rule = "COH-5.1b" if counter.foot else "COH-14.0a"
        yield Violation(rule, f"{cell} is not adjacent to {here}", cells=(here, cell), units=me)
        return
    kind = now.kind(cell)
    road = route.by_road(here, cell)
    if kind.extra[counter.move_class] is None and not road:
        rule = {"field": "COH-4.0e", "water": "COH-4.0d"}.get(kind.key, "COH-14.0a")
        text = f"{unit.id} may not enter {kind.title.lower()}"
        yield Violation(rule, text, cells=(cell,), units=me)
    elif kind.key == "water" and not counter.light and not road:
        text = f"only light foot units enter water, not {unit.id}"
        yield Violation("COH-4.0d", text, cells=(cell,), units=me)
    if here and now.board.wall(here, cell) and counter.move_class == "wheeled":
        yield Violation("COH-5.0.2c", "wheels cannot cross a wall", cells=(here, cell), units=me)
    if counter.vehicle and abs(route.climb(here, cell)) >= 2:
        text = "vehicles cannot cross steep terrain"
        yield Violation("COH-11.1a", text, cells=(here, cell), units=me)
    if counter.move_class == "wheeled":
        for work, rule in AGAINST_WHEELS.items():
            if now.work(cell, work):
                text = f"wheels cannot enter a hex with a {work}"
                yield Violation(rule, text, cells=(cell,), units=me)


def _of_escape(route: Route) -> Iterator[Violation]:
    """COH-7.7.3h: not the way the enemy came, in the very next action."""
    last = mapped(route.now.position.extras.get("last"))
    if camp(str(last.get("by", ""))) == camp(route.unit.side):
        return  # Card 10 lets the side that came act once more.
    came = listed(mapped(last.get("rushed")).get(route.start, ()))
    board, first = route.now.board, route.path[0]
    for origin in (cell for cell in came if cell in board.hexes):
        banned = {origin, *board.neighbours[origin]} & set(board.neighbours[route.start])
        if first in banned:
            text = f"the enemy has just come from {origin}: {first} is closed"
            yield Violation("COH-7.7.3h", text, cells=(first,), units=(route.unit.id,))


def _of_entry(route: Route) -> Iterator[Violation]:
    """COH-5.5a, COH-5.5b, COH-5.5c: reinforcements enter by a move like any other."""
    unit, now, me = route.unit, route.now, (route.unit.id,)
    if unit.box != "reinforcements":
        yield Violation("COH-5.5a", f"{unit.id} is no reinforcement", units=me)
        return
    if now.position.turn < unit.number("arrives"):
        text = f"{unit.id} may enter from turn {unit.number('arrives')}"
        yield Violation("COH-5.5a", text, units=me)
    stated = listed(unit.values.get("entry", ()))
    first = route.path[0]
    if first in stated:
        return
    blocked = [c for c in stated if c in now.board.hexes and now.enemies_at(c, unit.side)]
    shift = now.tables.number("movement", "entry_shift")
    if not any(now.board.distance(c, first) <= shift for c in blocked):
        text = f"{unit.id} enters by {', '.join(stated)}"
        yield Violation("COH-5.5a", text, units=me, cells=(first,))
    elif not now.board.edge(first):
        text = f"{first} is not at the edge of the map"
        yield Violation("COH-5.5c", text, units=me, cells=(first,))


def fort_for(now: Situation, unit: Unit, cell: str, named: str = "") -> Marker | None:
    """COH-18.0a: of a trench and a bunker in one hex the one named, else the first for the unit."""
    return next(
        (m for m in _forts(now, cell, named) if not any(_kept_out(now, unit, cell, m))), None
    )


def may_occupy(now: Situation, unit: Unit, cell: str, named: str = "") -> Iterator[Violation]:
    """Why a unit may not go into the trench or bunker of a hex (COH-18.1.1a, COH-18.1.2a)."""
    forts = _forts(now, cell, named)
    if not forts:
        yield Violation("COH-18.2a", f"there is no such trench or bunker in {cell}", cells=(cell,))
    elif fort_for(now, unit, cell, named) is None:
        for fort in forts:
            yield from _kept_out(now, unit, cell, fort)


def _forts(now: Situation, cell: str, named: str) -> list[Marker]:
    found = [m for m, work in now.works(cell) if work.fortification]
    return [m for m in found if m.id == named] if named else found


def _kept_out(now: Situation, unit: Unit, cell: str, fort: Marker) -> Iterator[Violation]:
    me = (unit.id,)
    if any(now.hostile(unit.side, u) and u.values.get("fort") == fort.id for u in now.at(cell)):
        text = f"the enemy holds the {fort.kind} in {cell}"
        yield Violation("COH-18.2a", text, cells=(cell,), units=me)
    counter = now.counter(unit)
    if counter.light:
        return
    heavy = counter.at_gun or counter.howitzer
    if fort.kind == "bunker" and heavy and now.position.extras.get("guns_in_bunkers") is True:
        return
    rule = "COH-18.1.1a" if fort.kind == "trench" else "COH-18.1.2a"
    text = f"{unit.id} cannot go into a {fort.kind}"
    yield Violation(rule, text, cells=(cell,), units=me)
