"""The answers to questions about sight in a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import NotFoundError, Place, RulesError
from hexmarshal.games.asl.sight.conditions import Conditions, Fog, Smoke
from hexmarshal.games.asl.sight.explain import explain
from hexmarshal.games.asl.sight.rules.night import Lights, Wheels
from hexmarshal.games.asl.sight.view import Spot
from hexmarshal.games.asl.state.options import DAY
from hexmarshal.games.asl.state.units.marks import UNSEEN
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Answer, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.sight.view import Sight
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record

__all__ = ["conditions_of", "sight_between", "spot_of", "visible_from"]

_MOST = 1000
"""No hindrance, no height and no range is greater."""


def sight_between(sight: Sight, position: Position, params: Record) -> Answer:
    """`sight`: whether one location sees another, with all that stops or hinders the line."""
    a = _end(sight, position, params, "unit", "from")
    b = _end(sight, position, params, "target", "to")
    story = explain(sight.under(conditions_of(position)), a, b)
    found = story.answer
    values: dict[str, Value] = {
        "visible": not found.blocked,
        "range": found.range,
        "hindrance": found.hindrance,
        "trace": tuple(_first(name) for name in story.way),
        "section": found.rule,
        "at": _first(found.at),
    }
    if found.blocked:
        values["blocked_by"] = FrozenMap[Value](
            {
                "rule": found.cause.entry,
                "section": found.rule,
                "cell": _first(found.at),
                "text": found.cause.sentence,
            }
        )
    steps = [Step(f"{item} ({item.cause.rule})", item.cause.entry) for item in story.items]
    at = f" at {_first(found.at)}" if found.at else ""
    verdict = "blocked" if found.blocked else "clear"
    if found.hindrance:
        verdict += f", hindrance +{found.hindrance}"
    reason = f": {found.cause.sentence}{at} ({found.rule})" if found.rule else ""
    steps.append(Step(f"{a} to {b}, range {found.range}: {verdict}{reason}", found.cause.entry))
    return Answer(FrozenMap(values), tuple(steps))


def visible_from(sight: Sight, position: Position, params: Record) -> Answer:
    """`visible`: the hexes that a location sees, and what hinders it."""
    spot = _end(sight, position, params, "unit", "from")
    level = params.get("level")
    found = sight.under(conditions_of(position)).field(
        spot, level if isinstance(level, int) else None
    )
    names = [_first(name) for name in sight.board.grid.names]
    seen = [name for name, blocked in zip(names, found.blocked, strict=True) if not blocked]
    hindered = {
        name: int(value) for name, value in zip(names, found.hindrance, strict=True) if value
    }
    return Answer(FrozenMap({"cells": tuple(sorted(seen)), "hindered": FrozenMap[Value](hindered)}))


def conditions_of(position: Position) -> Conditions:
    """What the position adds to the board; an error names the marker that cannot be."""
    units = [unit for unit in position.units.values() if unit.cell]
    # What the enemy does not know to be a vehicle hinders nobody's sight.
    vehicles = {unit.cell for unit in units if unit.type == "vehicle" and not unit.flags & UNSEEN}
    night, fog = _number(position, "night", DAY), _number(position, "fog", 0)
    return Conditions(
        _smoke(position),
        frozenset(vehicles | _marked(position, "wreck")),
        _number(position, "weather", 0),
        None if night == DAY else night,
        Lights(
            _marked(position, "lit"),
            _marked(position, "gunflash"),
            dict(_moving(units)),
        ),
        mist=_number(position, "mist", 0),
        fog=Fog(_number(position, "fog_level", 0), fog) if fog else None,
        shelling=_shelling(position),
        entrenched=frozenset(u.cell for u in units if u.values.get("entrenched") is True),
        crest=frozenset(u.cell for u in units if u.values.get("crest") is True),
        alpine=position.options.get("alpine") is True,
    )


def _marked(position: Position, kind: str) -> frozenset[str]:
    return frozenset(m.cell for m in position.markers.values() if m.kind == kind and m.cell)


def _moving(units: list[Unit]) -> Iterator[tuple[str, Wheels]]:
    known = {wheels.value: wheels for wheels in Wheels}
    for unit in units:
        kind = unit.values.get("moving")
        if kind is None:
            continue
        if kind not in known:
            raise RulesError(
                f"a vehicle moves on wheels or tracks, not on {kind}",
                place=Place(field=f"units.{unit.id}.values.moving", unit=unit.id, cell=unit.cell),
            )
        yield unit.cell, known[str(kind)]


def _shelling(position: Position) -> dict[str, int]:
    shells: dict[str, int] = {}
    for marker in position.markers.values():
        if marker.kind != "shelling" or not marker.cell:
            continue
        value = marker.values.get("hindrance", 1)
        if type(value) is not int or not 1 <= value <= _MOST:
            raise RulesError(
                f"artillery fire needs a hindrance from 1 to {_MOST}",
                place=Place(field=f"markers.{marker.id}.values", cell=marker.cell),
            )
        shells[marker.cell] = max(value, shells.get(marker.cell, 0))
    return shells


def _smoke(position: Position) -> dict[str, Smoke]:
    """The smoke of all markers; that of one hex adds up."""
    smoke: dict[str, Smoke] = {}
    for marker in position.markers.values():
        if marker.kind != "smoke" or not marker.cell:
            continue
        numbers = [
            marker.values.get(name, usual) for name, usual in (("hindrance", 3), ("rises", 2))
        ]
        whole = all(type(n) is int and 1 <= n <= _MOST for n in numbers)
        if not whole or abs(marker.level) > _MOST:
            raise RulesError(
                f"smoke needs a hindrance and levels from 1 to {_MOST}",
                place=Place(field=f"markers.{marker.id}.values", cell=marker.cell),
            )
        hindrance, rises = (int(str(n)) for n in numbers)
        known = smoke.get(marker.cell)
        if known is not None:
            hindrance, rises = known.hindrance + hindrance, max(known.rises, rises)
        level = marker.level if known is None else min(known.level, marker.level)
        smoke[marker.cell] = Smoke(hindrance, level, rises)
    return smoke


def spot_of(unit: Unit) -> Spot:
    """Where a unit is; at a vertex, if it is in bypass."""
    vertex = unit.values.get("vertex")
    return Spot(unit.cell, unit.level, vertex if isinstance(vertex, int) else None)


def _number(position: Position, option: str, usual: int) -> int:
    value = position.options.get(option, usual)
    if not isinstance(value, int):
        return usual
    if abs(value) > _MOST:
        raise RulesError(f"{value} is beyond {_MOST}", place=Place(field=f"options.{option}"))
    return value


def _end(sight: Sight, position: Position, params: Record, unit: str, cell: str) -> Spot:
    """One end of a line: a unit, or a hex with a level and perhaps a vertex."""
    named, place = params.get(unit), params.get(cell)
    if (named is None) == (place is None):
        raise RulesError(f"name either {unit} or {cell}", place=Place(field=cell))
    if isinstance(named, str):
        found = position.unit(named)
        if not found.cell:
            raise RulesError(f"{named} is not on the board", place=Place(field=unit, unit=named))
        return spot_of(found)
    level, vertex = params.get(f"{cell}_level"), params.get(f"{cell}_vertex")
    above = level if isinstance(level, int) else 0
    index = sight.board.hex(str(place))
    try:
        sight.board.level(index, above)
    except NotFoundError as error:
        field = Place(field=f"{cell}_level", cell=str(place))
        raise RulesError(error.message, place=field, hint=error.hint) from error
    return Spot(str(place), above, vertex if isinstance(vertex, int) else None)


def _first(name: str) -> str:
    """A hex where boards meet has a name on each of them: the first one."""
    return name.partition("/")[0]
