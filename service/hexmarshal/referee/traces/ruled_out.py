"""What a search need not try any more, by what came of its trials."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.referee.case.table_comparison import changed
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.rules.action import ParamType
from hexmarshal.table.reading.bookkeeping import Item

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from hexmarshal.referee.traces.table_traces import TableView, Traces
    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

__all__ = ["RuledOut", "unshown"]

# How something is done: that decides what it costs, and whom it marks.
_HOW: Final = (ParamType.CHOICE, ParamType.BOOL, ParamType.CARD, ParamType.TEXT)

# Whatever is done so.
_EVERY: Final = "*"


def unshown(view: TableView, traces: Traces, before: Position, after: Position) -> Iterator[str]:
    """The units and the tracks without traces that were changed, and that look otherwise."""
    for unit in changed(before, after):
        if unit not in traces.units and view.unit_apart(after, unit):
            yield unit
    for name in _moved(before, after):
        item = Item("track", name)
        if item not in traces.items and view.item_apart(after, item):
            yield name


def _is_whole(before: Unit, after: Unit | None) -> bool:
    """Whether a unit is where it was, and has lost nothing."""
    return after is not None and (after.cell, after.steps) == (before.cell, before.steps)


def _moved(before: Position, after: Position) -> Iterator[str]:
    if after.tracks is not before.tracks:
        yield from (n for n, value in after.tracks.items() if value != before.tracks.get(n))


class RuledOut:
    """Ways to do something that nobody can have chosen who left the table as it is.

    Whoever pays in one way moves the same track, whatever he does; and who acts in one way is
    marked, whatever comes of it.
    """

    def __init__(self, actions: Mapping[str, ActionType], position: Position) -> None:
        self._actions, self._position = actions, position
        self._ways: dict[object, set[str]] = {}

    def _way(self, action: Action) -> object:
        params = self._actions[action.kind].params
        how = tuple(action.params.get(param.name) for param in params if param.type in _HOW)
        return action.kind, action.side, how

    def learn(
        self, action: Action, after: Position, unshown: Collection[str], *, rolled: bool = False
    ) -> None:
        """What is unshown of what an action would have left.

        What was lost by dice that were `rolled`, others beside would not have lost.
        """
        here = self._position
        units = here.units
        own = {name for name in named(action) if name in units and units[name].side == action.side}
        told = {name for name in unshown if name in own}
        if rolled:
            told = {name for name in told if _is_whole(units[name], after.units.get(name))}
        paid = {name for name in _moved(here, after) if after.tracks[name] < here.track(name)}
        if paid and paid.issubset(unshown):
            told |= paid
        if told:
            self._ways.setdefault(self._way(action), set()).update(told)

    def learn_otherwise(
        self, action: Action, view: TableView, traces: Traces, after: Position
    ) -> None:
        """What is played of a hand, or paid too much, where the table shows that it was not.

        Who pays for something with dice pays the same at whomever it is aimed.
        """
        here = self._position
        if view.is_in_hand(here, after):
            self._ways.setdefault(self._way(action), set()).add(_EVERY)
        elif view.is_overpaid(here, after, traces.items):
            own = (name for name in named(action) if name in here.units)
            self._ways.setdefault(self._way(action), set()).update([next(own, "")])

    def has(self, action: Action) -> bool:
        """Whether an action need not be tried."""
        told = self._ways.get(self._way(action))
        if not told:
            return False
        if _EVERY in told:
            return True
        tracks = self._position.tracks
        return not told.isdisjoint(named(action)) or any(name in tracks for name in told)
