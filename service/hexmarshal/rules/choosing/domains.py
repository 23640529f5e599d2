"""What a slot may hold by its type alone, as far as a side can know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.action import ParamType
from hexmarshal.rules.state.view import knows, sees

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hexmarshal.rules.action import ActionType, Param
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value

__all__ = ["domain"]

FACINGS = range(6)
# A whole number with bounds further apart than this is typed, not picked from a list.
WIDEST = 1000


def domain(
    plugin: GamePlugin, known: Position, side: str, kind: ActionType, param: Param, given: Record
) -> Iterable[Value] | None:
    """The values of a slot, or the entries that may follow in a list; None: they cannot be listed.

    `given` is what was chosen so far; a list holds every thing once, a path goes from cell to cell.
    """
    if param.choices:
        return param.choices
    if param.type is ParamType.PATH:
        return _steps(plugin, known, kind, param, given)
    find = _DOMAINS.get(param.type)
    values = None if find is None else find(plugin, known, side, param)
    held = given.get(param.name)
    if values is None or not isinstance(held, tuple) or param.ordered:
        return values
    return [value for value in values if value not in held]


def _steps(
    plugin: GamePlugin, known: Position, kind: ActionType, param: Param, given: Record
) -> Iterable[Value] | None:
    """Where a path may go on: the neighbours of its last cell, at first of whoever moves."""
    so_far = given.get(param.name)
    here = so_far[-1] if isinstance(so_far, tuple) and so_far else _start(known, kind, given)
    if not isinstance(here, str) or not here:
        return plugin.cells(known)
    return plugin.neighbours(known, here)


def _start(known: Position, kind: ActionType, given: Record) -> str:
    for param in kind.params:
        if param.type in (ParamType.UNIT, ParamType.UNITS):
            named = given.get(param.name)
            first = named[0] if isinstance(named, tuple) and named else named
            unit = known.units.get(first) if isinstance(first, str) else None
            if unit is not None:
                return known.cell_of(unit)
    return ""


def _units(_: GamePlugin, known: Position, side: str, __: Param) -> Iterable[Value]:
    return [unit.id for unit in known.units.values() if sees(side, unit)]


def _cells(plugin: GamePlugin, known: Position, _: str, __: Param) -> Iterable[Value] | None:
    return plugin.cells(known)


def _markers(_: GamePlugin, known: Position, side: str, __: Param) -> Iterable[Value]:
    return [marker.id for marker in known.markers.values() if sees(side, marker)]


def _cards(_: GamePlugin, known: Position, side: str, __: Param) -> Iterable[Value]:
    own = (p for p in known.piles.values() if p.side in ("", side) and knows(side, p))
    return list(dict.fromkeys(card for pile in own for card in pile.cards))


def _boxes(plugin: GamePlugin, _: Position, __: str, ___: Param) -> Iterable[Value]:
    return [box.key for box in plugin.game.boxes]


def _sides(_: GamePlugin, known: Position, __: str, ___: Param) -> Iterable[Value]:
    return known.sides


def _facings(_: GamePlugin, __: Position, ___: str, param: Param) -> Iterable[Value]:
    low = FACINGS[0] if param.minimum is None else param.minimum
    high = FACINGS[-1] if param.maximum is None else param.maximum
    return range(low, high + 1)


def _numbers(_: GamePlugin, __: Position, ___: str, param: Param) -> Iterable[Value] | None:
    low, high = param.minimum, param.maximum
    if low is None or high is None or high - low > WIDEST:
        return None
    return range(low, high + 1)


def _flags(_: GamePlugin, __: Position, ___: str, ____: Param) -> Iterable[Value]:
    return (False, True)


_DOMAINS: Mapping[
    ParamType, Callable[[GamePlugin, Position, str, Param], Iterable[Value] | None]
] = {
    ParamType.UNIT: _units,
    ParamType.UNITS: _units,
    ParamType.CELL: _cells,
    ParamType.CELLS: _cells,
    ParamType.MARKER: _markers,
    ParamType.CARD: _cards,
    ParamType.CARDS: _cards,
    ParamType.BOX: _boxes,
    ParamType.SIDE: _sides,
    ParamType.FACING: _facings,
    ParamType.INT: _numbers,
    ParamType.BOOL: _flags,
}
