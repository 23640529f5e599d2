"""Values, frames and actions invented by their declarations: well formed, and seldom sensible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.rules.params import ParamType

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

    from hexmarshal.rules.action import Signature
    from hexmarshal.rules.params import Param
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position

__all__ = ["Inventor"]

Document = dict[str, Any]
_LISTS = {
    ParamType.UNITS: ParamType.UNIT,
    ParamType.CELLS: ParamType.CELL,
    ParamType.PATH: ParamType.CELL,
    ParamType.CARDS: ParamType.CARD,
}


class Inventor:
    """Invents what a game declares, out of what a position holds."""

    def __init__(self, plugin: GamePlugin, chance: random.Random) -> None:
        self._game = plugin.game
        self._chance = chance

    def frame(self, position: Position, kind: str = "") -> Document:
        """A frame of this kind, or of any: typed as declared, whatever its names may mean."""
        declared = self._game.frames[kind or self._chance.choice(list(self._game.frames))]
        asked = list(declared.deciders or position.sides)
        sides = self._chance.sample(asked, k=min(len(asked), self._chance.choice((1, 1, 1, 2))))
        entries = [self._chance.choice(declared.agenda) for _ in declared.agenda[:2]]
        agenda = [{"kind": entry.name, **self.values(entry, position)} for entry in entries]
        return {
            "kind": declared.name,
            "deciders": [{"side": side} for side in sides] if declared.asks else [],
            "about": self.values(declared, position),
            "agenda": agenda,
        }

    def action(self, position: Position, kind: str = "") -> Document:
        """An action of this kind, or of any."""
        actions = self._game.actions
        declared = actions[kind or self._chance.choice(list(actions))]
        side = self._chance.choice(position.sides)
        return {"kind": declared.name, "side": side, **self.values(declared, position)}

    def values(self, declared: Signature, position: Position) -> Document:
        """Values for its parameters, those that may be left out now and then."""
        return {
            param.name: self.value(param, position)
            for param in declared.params
            if param.required or self._chance.random() < 0.6
        }

    def value(self, param: Param, position: Position) -> object:
        """One value of this parameter."""
        chance = self._chance
        if param.choices:
            return chance.choice(param.choices)
        match param.type:
            case ParamType.INT | ParamType.FACING:
                low = 0 if param.minimum is None else param.minimum
                high = low + 5 if param.maximum is None else param.maximum
                return chance.randint(low, max(low, min(high, low + 10)))
            case ParamType.NUMBER:
                return chance.choice((1, 2, "3/2"))
            case ParamType.BOOL:
                return chance.random() < 0.5
            case ParamType.RECORD:
                return {
                    field.name: self.value(field, position)
                    for field in param.fields
                    if field.required or chance.random() < 0.6
                }
            case ParamType.LIST if param.items is not None:
                return [self.value(param.items, position) for _ in self._several(param)]
            case ParamType.MAP if param.items is not None:
                names = [self._name(param.keys, position) for _ in self._several(param)]
                return {name: self.value(param.items, position) for name in names}
            case ParamType.ACTION:
                return self.action(position)
            case listed if listed in _LISTS:
                return [self._name(_LISTS[listed], position) for _ in self._several(param)]
            case named:
                return self._name(named, position)

    def _several(self, param: Param) -> Iterable[int]:
        least = param.minimum or 0
        most = least + 3 if param.maximum is None else min(param.maximum, least + 3)
        return range(self._chance.randint(least, max(least, most)))

    def _name(self, type: ParamType, position: Position) -> str:
        """The name of something that is there, if there is such a thing."""
        there: list[str]
        match type:
            case ParamType.UNIT:
                there = list(position.units)
            case ParamType.CELL:
                there = [unit.cell for unit in position.units.values() if unit.cell]
            case ParamType.MARKER:
                there = list(position.markers)
            case ParamType.CARD:
                there = [card for pile in position.piles.values() for card in pile.cards]
            case ParamType.SIDE:
                there = list(position.sides)
            case ParamType.BOX:
                there = [box.key for box in self._game.boxes]
            case _:
                there = ["x"]
        return self._chance.choice(there) if there else "x"
