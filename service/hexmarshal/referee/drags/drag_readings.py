"""What dragging pieces may have been meant for: the actions that it can be, the likeliest first.

A game's own reading comes first: it may offer a module `referee` beside its plugin with a function

    interpret(plugin, position: Position, deeds: Sequence[Deed]) -> Iterable[Sequence[Action]]

that yields what the deeds may have been, the likeliest first, each a sequence of actions, and with
`DRAGS`, the kinds of these actions. What it does not know, the general reading is asked: a drag of
units along cells is an action that takes units and a path or a cell, and belongs in the phase.
"""

from __future__ import annotations

import importlib
import importlib.util
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.interpret.deed import facing_of, shows_otherwise
from hexmarshal.referee.interpret.open_question import concerned_names
from hexmarshal.referee.interpret.rules_calls import answering
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.values import thaw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import ModuleType

    from hexmarshal.referee.drags.drag_actions import DragKind
    from hexmarshal.referee.drags.routes import Routes
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position

    _Interpret = Callable[[Position, Sequence[Deed]], Iterable[Sequence[Action]]]

__all__ = ["DragReadings", "Reading", "thawed"]

# So many ways between two cells are tried where a piece was dropped far from where it was.
_MOST_WAYS: Final = 24
_MOST_SPLITS: Final = 150

Reading = tuple["Action", ...]


class DragReadings:
    """Makes the actions that deeds may have been; whether they are right is another question."""

    def __init__(
        self,
        rules: Rules,
        routes: Routes,
        kinds: Mapping[str, DragKind],
        answers: Sequence[DragKind],
    ) -> None:
        """`kinds` can be done by dragging, and `answers` where they are asked for."""
        self._game, self._routes = rules.game, routes
        self._make = rules.game.actions.make
        self._kinds, self._answers = kinds, answers
        own = _own_module(rules.plugin)
        interpret = getattr(own, "interpret", None)
        self._own: _Interpret | None = interpret and partial(interpret, rules.plugin)
        self.own_kinds: frozenset[str] = frozenset(getattr(own, "DRAGS", ()))
        self.has_choices = any(kind.choices for kind in kinds.values())

    def readings(self, position: Position, deeds: Sequence[Deed]) -> Iterator[Reading]:
        """What the deeds may have been, the likeliest first."""
        if self._own is not None:
            with answering():
                own = [tuple(reading) for reading in self._own(position, deeds)]
            yield from own
        yield from self._drags(position, deeds)
        yield from self._turned(position, deeds)

    def is_beside(self, position: Position, units: Sequence[str], end: str) -> bool:
        """Whether a drag has nothing to do with what is asked, which is no movement.

        Who did not fight, and goes elsewhere than to where others did, neither retreats nor
        advances: he moves.
        """
        plainest = next(iter(self._kinds.values()), None)
        if not position.state or plainest is None or plainest.belongs(position):
            return False
        about = concerned_names(self._game, position)
        return any(name in position.units for name in about) and about.isdisjoint((*units, end))

    def _drags(self, position: Position, deeds: Sequence[Deed]) -> Iterator[Reading]:
        units = tuple(deed.unit for deed in deeds)
        cells = deeds[0].cells
        if not cells or any(unit not in position.units for unit in units):
            return
        start = position.units[units[0]].cell
        kinds = [kind for kind in self._answers if kind.is_about(units, position)]
        if not self.is_beside(position, units, cells[-1]):
            kinds += (kind for kind in self._kinds.values() if kind.belongs(position))
        facing = facing_of(deeds[0])
        for kind in kinds or self._kinds.values():
            there = kind.path.type is ParamType.CELL
            ways = (cells,) if there else self._routes.ways(start, cells)
            for way in islice(ways, _MOST_WAYS):
                if facing is not None and kind.facing is not None:
                    yield self.actions(position, kind, units, way, facing)
                yield self.actions(position, kind, units, way)
                if kind.choices and shows_otherwise(position, deeds):
                    yield from self.chosen(position, kind, units, way, facing)
        if len(cells) > 1 and self._routes.exact(start, cells):
            named = [kind for kind in kinds if not kind.asked]
            yield from islice(self._in_two(position, named, units, cells), _MOST_SPLITS)

    def _turned(self, position: Position, deeds: Sequence[Deed]) -> Iterator[Reading]:
        """A unit that stays where it is, and shows something else that may be chosen on a way."""
        if len(deeds) != 1 or deeds[0].cells or deeds[0].unit not in position.units:
            return
        unit, facing = position.units[deeds[0].unit], facing_of(deeds[0])
        otherwise = shows_otherwise(position, deeds)
        for kind in self._kinds.values() if self.has_choices else ():
            if kind.path.type is not ParamType.PATH or not kind.belongs(position):
                continue
            if otherwise:
                yield from self.chosen(position, kind, (unit.id,), (), None)
            elif kind.facing is not None and facing not in (None, unit.facing):
                yield self.actions(position, kind, (unit.id,), (), facing)

    def chosen(
        self,
        position: Position,
        kind: DragKind,
        units: tuple[str, ...],
        way: Sequence[str],
        facing: int | None,
    ) -> Iterator[Reading]:
        """With what may be chosen besides the way."""
        faced = kind.facing is not None and facing is not None
        for name, value in kind.choices:
            for towards in (facing, None) if faced else (None,):
                plain = self.actions(position, kind, units, way, towards)
                yield tuple(
                    self._make(action.kind, action.side, **{**thawed(action), name: value})
                    for action in plain
                )

    def _in_two(
        self,
        position: Position,
        kinds: Sequence[DragKind],
        units: tuple[str, ...],
        cells: tuple[str, ...],
    ) -> Iterator[Reading]:
        """One action for the first cells, another for the rest: nothing showed where it ended."""
        for at in range(1, len(cells)):
            for first in kinds:
                if first.path.type is ParamType.CELL and at > 1:
                    continue
                one = self.actions(position, first, units, cells[:at])
                for second in kinds:
                    if second.path.type is not ParamType.CELL or at == len(cells) - 1:
                        yield (*one, *self.actions(position, second, units, cells[at:]))

    def actions(
        self,
        position: Position,
        kind: DragKind,
        units: Sequence[str],
        way: Sequence[str],
        facing: int | None = None,
    ) -> Reading:
        """What units do that go a way, all at once or each by itself."""
        side = position.units[units[0]].side
        name = kind.type.name
        if kind.alone:
            params = (kind.params((unit,), way, facing) for unit in units)
            return tuple(self._make(name, side, **given) for given in params)
        return (self._make(name, side, **kind.params(units, way, facing)),)


def thawed(action: Action) -> dict[str, object]:
    """The parameters of an action, to make another of them."""
    return {name: thaw(value) for name, value in action.params.items()}


def _own_module(plugin: GamePlugin) -> ModuleType | None:
    """The module `referee` beside a plugin, if there is one."""
    package = type(plugin).__module__.rpartition(".")[0]
    name = f"{package}.referee" if package else "referee"
    if not package or importlib.util.find_spec(name) is None:
        return None
    return importlib.import_module(name)
