"""Which actions of a game dragging units can be, by what their parameters are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.rules.action import Action, ActionType, Param
    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value
    from hexmarshal.table.binding import Binding

__all__ = ["DragKind", "asked_drags", "drag_kinds", "group_of", "named"]

_UNITS: Final = (ParamType.UNIT, ParamType.UNITS)
_WAYS: Final = (ParamType.PATH, ParamType.CELL)


@dataclass(frozen=True, slots=True)
class DragKind:
    """An action that one unit, or several, do by going somewhere.

    `choices` are what may be chosen besides, such as to turn the counter over on the way. `asked`:
    the action does not name its unit, since the question that it answers is about that one.
    """

    type: ActionType
    units: Param
    path: Param
    facing: Param | None = None
    choices: tuple[tuple[str, str], ...] = ()
    asked: bool = False

    @property
    def alone(self) -> bool:
        """Whether each unit does it by itself."""
        return self.units.type is ParamType.UNIT

    def params(
        self, units: Sequence[str], path: Sequence[str], facing: int | None = None
    ) -> dict[str, object]:
        """The parameters for these units on this way, with the facing that they show then."""
        who: object = units[0] if self.alone else list(units)
        way: object = path[-1] if self.path.type is ParamType.CELL else list(path)
        faced = {self.facing.name: facing} if self.facing is not None and facing is not None else {}
        named_units = {} if self.asked else {self.units.name: who}
        return {**named_units, self.path.name: way, **faced}

    def belongs(self, position: Position) -> bool:
        """Whether it is done in the phase, and answers what is asked."""
        phases, states = self.type.phases, self.type.states
        return (not phases or position.phase in phases) and (not states or position.state in states)

    def is_about(self, units: Sequence[str], position: Position) -> bool:
        """Whether it is these units that the question is about that it answers."""
        frame = position.asked() if position.state in self.type.states else None
        return frame is not None and tuple(units) == (frame.text(self.units.name),)

    def held(self, units: tuple[str, ...], end: str) -> dict[str, Value]:
        """What the parameters hold for these units that come to this cell by whatever way."""
        place: dict[str, Value] = {self.path.name: end} if self.path.type is ParamType.CELL else {}
        return {self.units.name: units[0] if self.alone else units, **place}


def drag_kinds(game: Game, binding: Binding) -> dict[str, DragKind]:
    """The kinds that need units and a way and nothing else; the binding's order, or the game's."""
    names = binding.drags or tuple(game.actions)
    found: dict[str, DragKind] = {}
    for name in names:
        kind = game.actions.get(name)
        if kind is None:
            continue
        required = [param for param in kind.params if param.required]
        units = [param for param in required if param.type in _UNITS]
        ways = [param for param in required if param.type in _WAYS]
        if len(required) == 2 and len(units) == len(ways) == 1:
            found[name] = _kind(kind, units[0], ways[0], binding)
    return found


def asked_drags(game: Game, binding: Binding) -> tuple[DragKind, ...]:
    """The kinds that need a way alone, for the unit that somebody is asked about.

    The rest of a move that others have interrupted, or where a beaten unit goes.
    """
    found = []
    for kind in game.actions.values():
        required = [param for param in kind.params if param.required]
        if len(required) != 1 or required[0].type not in _WAYS or not kind.states:
            continue
        frames = [game.frames.get(state) for state in kind.states]
        about = [p for f in frames if f is not None for p in f.params if p.type is ParamType.UNIT]
        if len(about) == len(frames) and len({param.name for param in about}) == 1:
            found.append(_kind(kind, about[0], required[0], binding, asked=True))
    return tuple(found)


def _kind(
    kind: ActionType, units: Param, way: Param, binding: Binding, *, asked: bool = False
) -> DragKind:
    turns = (p for p in kind.params if p.type is ParamType.FACING and not p.required)
    choices = tuple(
        (param.name, value)
        for param in kind.params
        # Elsewhere what the whole table shows is searched for.
        if binding.laid and param.type is ParamType.CHOICE and not param.required
        for value in param.choices
    )
    return DragKind(kind, units, way, next(turns, None), choices, asked)


def group_of(action: Action, kind: DragKind) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The units of an action and the cells that they enter."""
    units: tuple[str, ...] = ()
    if not kind.asked:
        units = (action.text(kind.units.name),) if kind.alone else action.texts(kind.units.name)
    if kind.path.type is ParamType.CELL:
        return units, (action.text(kind.path.name),)
    return units, action.texts(kind.path.name)


def named(action: Action) -> Iterator[str]:
    """Every text in the parameters: units among them."""
    for value in action.params.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from (one for one in value if isinstance(one, str))
