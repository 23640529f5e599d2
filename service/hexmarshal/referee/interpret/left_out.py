"""What players leave out of an announcement, because it goes without saying."""

from __future__ import annotations

from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.values import thaw

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.rules.action import Action, Param
    from hexmarshal.rules.game import Game
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value

__all__ = ["LeftOut", "choices_left_open"]

# A flag that is not given is a no.
_LEFT_OUT: Final = (ParamType.UNIT, ParamType.UNITS, ParamType.CELL, ParamType.CHOICE)
_MOST_CHOICES: Final = 12


class LeftOut:
    """Fills in what nobody names: the only headquarters that can command an attack."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def filled_in(self, here: Position, action: Action) -> Action:
        """An action with what was left out, if less is wrong with it then."""
        game = self._rules.game
        best, faults = action, self.faults(here, action)
        for param in game.actions[action.kind].params if faults else ():
            if param.required or param.name in action.params or param.type not in _LEFT_OUT:
                continue
            for value in self._choices(here, action, param):
                given = {name: thaw(one) for name, one in action.params.items()}
                some = (
                    (value,) if param.type is ParamType.UNITS and isinstance(value, str) else value
                )
                made = {**given, param.name: thaw(some)}
                other = game.actions.make(action.kind, action.side, **made)
                found = self.faults(here, other)
                if found != 1 and param.type is ParamType.CHOICE:
                    # What a choice is that nobody names, the game says. With another it may be
                    # plain what is wrong, but none makes it right.
                    continue
                if found < faults:
                    best, faults = other, found
                if not faults:
                    return best
        return best

    def faults(self, here: Position, action: Action) -> float:
        """How much is wrong with it."""
        try:
            return len(self._rules.check(here, action).violations)
        except HexMarshalError:
            return inf

    def _choices(self, here: Position, action: Action, param: Param) -> Iterable[Value]:
        try:
            found = self._rules.others(here, action, param.name)
        except HexMarshalError:
            found = ()
        if found or param.type is not ParamType.UNIT:
            return found[:_MOST_CHOICES]
        own = (unit.id for unit in here.units.values() if unit.side == action.side and unit.cell)
        return tuple(islice(own, _MOST_CHOICES))


def choices_left_open(game: Game, action: Action) -> Iterator[Action]:
    """An action with each value of a choice that nobody named."""
    given = {name: thaw(one) for name, one in action.params.items()}
    for param in game.actions[action.kind].params:
        if param.required or param.type is not ParamType.CHOICE or param.name in action.params:
            continue
        for value in param.choices:
            yield game.actions.make(action.kind, action.side, **given, **{param.name: value})
