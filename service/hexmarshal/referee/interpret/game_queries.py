"""What a game answers about ways: how units get somewhere, and where they may go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.rules.state.position import Position

__all__ = ["GameQueries"]


class GameQueries:
    """Asks the queries `path` and `reach`, where a game has them."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def path(self, position: Position, units: tuple[str, ...], end: str) -> tuple[str, ...]:
        """The cells by which units get somewhere; none if the game does not say."""
        query = self._rules.game.queries.get("path")
        if query is None:
            return ()
        given: dict[str, object] = {}
        for param in query.params:
            if param.type is ParamType.UNIT:
                given[param.name] = units[0]
            elif param.type is ParamType.UNITS:
                given[param.name] = list(units)
            elif param.type is ParamType.CELL:
                given[param.name] = end
        side = position.units[units[0]].side
        try:
            name, params = self._rules.game.queries.decode({"name": "path", **given})
            way = self._rules.ask(position, name, params, side).values.get("path")
        except HexMarshalError:
            return ()
        return tuple(map(str, way)) if isinstance(way, tuple) else ()

    def reach(self, position: Position, unit: str) -> tuple[str, ...]:
        """Where a unit may go by the rules; nowhere if the game does not say."""
        query = self._rules.game.queries.get("reach")
        if query is None or unit not in position.units:
            return ()
        (param, *more) = query.params
        if any(p.required for p in more):
            return ()
        value = [unit] if param.type is ParamType.UNITS else unit
        side = position.units[unit].side
        try:
            _, params = self._rules.game.queries.decode({"name": "reach", param.name: value})
            cells = self._rules.ask(position, "reach", params, side).values.get("cells")
        except HexMarshalError:
            return ()
        return tuple(map(str, cells)) if isinstance(cells, FrozenMap | tuple) else ()
