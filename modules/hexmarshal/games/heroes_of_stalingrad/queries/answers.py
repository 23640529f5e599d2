"""Answers to queries: each one call into the rules, with the work shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.queries.odds import assault_odds, fire_odds
from hexmarshal.games.heroes_of_stalingrad.rules.army.command import star_list, tokens_of
from hexmarshal.games.heroes_of_stalingrad.rules.army.victory import holders
from hexmarshal.games.heroes_of_stalingrad.rules.assault.launch import assault_targets
from hexmarshal.games.heroes_of_stalingrad.rules.fire import blast
from hexmarshal.games.heroes_of_stalingrad.rules.fire.aiming import aim, targets
from hexmarshal.games.heroes_of_stalingrad.rules.fire.templates import flamed, off_board
from hexmarshal.games.heroes_of_stalingrad.rules.movement import driving
from hexmarshal.games.heroes_of_stalingrad.rules.movement.steps import allowance, reach
from hexmarshal.games.heroes_of_stalingrad.rules.movement.transport import load
from hexmarshal.games.heroes_of_stalingrad.rules.movement.zones import zone
from hexmarshal.games.heroes_of_stalingrad.rules.sight.lines import (
    Line,
    best,
    spot_of,
    spots,
    trace,
)
from hexmarshal.games.heroes_of_stalingrad.rules.sight.measure import arc_holds, unit_range
from hexmarshal.games.heroes_of_stalingrad.state.kinds import SIDES
from hexmarshal.rules.values import FrozenMap, Value, freeze
from hexmarshal.rules.verdict import Answer, IllegalActionError, Step, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record

__all__ = ["answer"]


def answer(now: Situation, name: str, params: Record) -> Answer:
    """The answer to one of the declared queries."""
    return _ANSWERS[name](now, params)


def _unit(now: Situation, params: Record, name: str = "unit") -> Unit:
    return now.unit(str(params[name]))


def _told(line: Line) -> dict[str, object]:
    state = "blocked" if line.blocks else "reduced" if line.reduces else "clear"
    return {
        "sight": state,
        "malus": line.malus,
        "obstacles": [
            {"where": o.where, "what": o.what, "rule": o.rule, "value": o.value}
            for o in (*line.blocks, *line.reduces)
        ],
    }


def _values(found: Mapping[str, object]) -> Record:
    frozen = freeze(dict(found))
    assert isinstance(frozen, FrozenMap)
    return frozen


def _sight(now: Situation, params: Record) -> Answer:
    start, end = spot_of(now, str(params["from"])), spot_of(now, str(params["to"]))
    ends = frozenset(u.id for c in (*start.cells, *end.cells) for u in now.occupants(c))
    both = params.get("infantry") is True
    line = trace(now, start, end, infantry_blocks=both, ignoring=ends)
    steps = tuple(
        Step(f"{o.what} at {o.where} {'takes ' + str(o.value) if o.value else 'blocks'}", o.rule)
        for o in (*line.blocks, *line.reduces)
    )
    return Answer(_values(_told(line)), steps)


def _field(now: Situation, params: Record) -> Answer:
    unit = _unit(now, params)
    ignoring = frozenset((unit.id, unit.carrier))
    clear, reduced = [], {}
    for cell in now.ground.cells:
        if cell in now.cells(unit):
            continue
        there = frozenset(u.id for u in now.occupants(cell))
        lines = [
            trace(now, s, spot_of(now, cell), ignoring=ignoring | there) for s in spots(now, unit)
        ]
        line = best(lines)
        if line is None or not line.visible:
            continue
        if line.clear:
            clear.append(cell)
        else:
            reduced[cell] = line.malus
    return Answer(_values({"clear": clear, "reduced": reduced, "seen": len(clear) + len(reduced)}))


def _arc(now: Situation, params: Record) -> Answer:
    unit = _unit(now, params)
    weapon = now.weapon(unit, str(params.get("weapon", "")))
    degrees = 360 if weapon is None else weapon.arc
    cells = [
        cell
        for cell in now.ground.cells
        if any(
            arc_holds(unit.facing, degrees, s.point, now.ground.square(cell).middle)
            for s in spots(now, unit)
        )
    ]
    return Answer(_values({"degrees": degrees, "facing": unit.facing or 0, "cells": cells}))


def _range(now: Situation, params: Record) -> Answer:
    far = unit_range(now, _unit(now, params), _unit(now, params, "target"))
    beyond = int(now.tables.limits["long_range"]["beyond"])
    return Answer(_values({"range": far, "long": far > beyond}))


def _reach(now: Situation, params: Record) -> Answer:
    unit = _unit(now, params)
    points = allowance(now, unit)
    if not now.is_live(unit) or not points:
        return Answer(_values({"allowance": "X" if points is None else points, "cells": {}}))
    if now.counter(unit).cells > 1:
        ways = driving.reach(now, unit, points)
        found = {f"{cell}/{facing}": list(way) for (cell, facing), way in ways.items()}
    else:
        starts = tuple(c for c in now.cells(unit) if now.ground.has(c))
        found = {c: list(way) for c, way in reach(now, unit, points, starts=starts).items()}
    return Answer(_values({"allowance": points, "cells": found}))


def _zone(now: Situation, params: Record) -> Answer:
    unit = _unit(now, params)
    heeded = not now.is_vehicle(unit) and not now.suppressed(unit)
    return Answer(_values({"cells": sorted(zone(now, unit)), "heeded": heeded}))


def _template(now: Situation, params: Record) -> Answer:
    corner = now.ground.corner(str(params["corner"]))
    if corner is None:
        raise IllegalActionError(Verdict(tuple(off_board(now, str(params["corner"])))))
    grenade = params.get("grenade") is True
    units = [u.id for u in blast.under_blast(now, corner, grenade=grenade)]
    cells = blast.touched_cells(now, corner, grenade=grenade)
    return Answer(_values({"cells": cells, "units": units}))


def _flame(now: Situation, params: Record) -> Answer:
    unit, direction = _unit(now, params), params["direction"]
    assert isinstance(direction, int)
    start = spots(now, unit)
    if not start:
        return Answer(_values({"cells": [], "units": []}))
    cells = blast.flame_cells(now, unit, start[0], direction)
    return Answer(_values({"cells": cells, "units": [u.id for u in flamed(now, unit, direction)]}))


def _orders(now: Situation, params: Record) -> Answer:
    side = str(params["of"])
    found = tokens_of(now, side)
    steps = tuple(Step(f"{who}: {count}", "HOS-2.5") for who, count in star_list(now, side))
    numbers = list(range(1, found["numbered"] + 1))
    return Answer(
        _values({"tokens": numbers, "special": found["special"], "bluff": found["bluff"]}), steps
    )


def _options(now: Situation, params: Record) -> Answer:
    unit = _unit(now, params)
    fire: dict[str, list[str]] = {}
    for weapon in now.weapons(unit) if now.is_live(unit) else ():
        fire[weapon.name or "weapon"] = [
            name
            for name in targets(now, unit.side)
            if weapon.value(now.family(now.unit(name))) is not None
            and (found := aim(now, unit, weapon, now.unit(name))) is not None
            and found.distance <= (weapon.number("limited_range") or found.distance)
        ]
    moves = _reach(now, params).values["cells"]
    cells = list(moves) if isinstance(moves, FrozenMap) else []
    near = list(assault_targets(now, unit)) if now.is_live(unit) else []
    return Answer(_values({"move": cells, "fire": fire, "assault": near}))


def _score(now: Situation, params: Record) -> Answer:
    del params
    found: dict[str, object] = {side: now.position.track(f"score-{side}") for side in SIDES}
    found["objectives"] = {name: side for name, side, _ in holders(now)}
    return Answer(_values(found))


def _transport(now: Situation, params: Record) -> Answer:
    unit = _unit(now, params)
    aboard: dict[str, Value] = {one.id: load(now, one) for one in now.passengers(unit)}
    capacity = now.ability(unit, "transport")
    total = sum(n for n in aboard.values() if isinstance(n, int))
    room = capacity - total if isinstance(capacity, int) else 0
    return Answer(_values({"capacity": capacity or 0, "aboard": aboard, "room": room}))


_ANSWERS: Mapping[str, Callable[[Situation, Record], Answer]] = {
    "sight": _sight,
    "field_of_view": _field,
    "arc": _arc,
    "range": _range,
    "odds": fire_odds,
    "assault_odds": assault_odds,
    "reach": _reach,
    "zone": _zone,
    "template": _template,
    "flame": _flame,
    "orders": _orders,
    "order_options": _options,
    "score": _score,
    "transport": _transport,
}
