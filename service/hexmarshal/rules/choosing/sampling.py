"""A legal action by chance: slot by slot, each value drawn among those that may be chosen.

Where the game says what a list of actions shows of a slot, it is drawn among those values.
Only what is drawn is put to the check. Where a draw leads nowhere, because the check could not know
it yet, another is drawn; where that takes too long, another kind of action.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from hexmarshal.rules import engine
from hexmarshal.rules.choosing.slots import Grouped
from hexmarshal.rules.dice import Stream
from hexmarshal.rules.params import ParamType
from hexmarshal.rules.values import EMPTY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.choosing.chooser import Chooser
    from hexmarshal.rules.dice import Generator
    from hexmarshal.rules.params import Param
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value
    from hexmarshal.rules.verdict import Verdict

__all__ = ["Sampler"]

T = TypeVar("T")

# So many checks are spent on one kind of action before another is tried.
PATIENCE = 300
# How much more often than others a kind of action is drawn that asks for choices.
CHOSEN = 5
# A list that may end ends in one of so many cases.
ENDS = 3
# Nobody draws longer lists.
LONGEST = 30


class _GaveUpError(Exception):
    """A kind of action took too many checks."""


class Sampler:
    """Draws legal actions for the sides that may act, all chance from one generator.

    A path is drawn cell by cell, or, with `whole_paths`, among those that the game lists: then
    units go where they go by the shortest way, as people move them.
    """

    def __init__(
        self, plugin: GamePlugin, choices: Generator, *, whole_paths: bool = False
    ) -> None:
        self._plugin = plugin
        self._choices = Stream(choices)
        self._whole_paths = whole_paths
        self._limit = 0
        self.checks = 0  # how often a check was asked, all in all

    def choose(self, position: Position) -> Action | None:
        """A legal action of one of the sides that may act; None if there is none.

        A kind is drawn first, else the many ways to move would leave nothing to others. One that
        needs no choice, such as the end of a phase, weighs less. Of what one side sees, only its
        own actions are drawn.
        """
        if engine.outcome(self._plugin, position) is not None:
            return None
        walks = [engine.walk(self._plugin, position, side) for side in _acting(position)]
        pool = [(walk.chooser, kind) for walk in walks for kind in walk.kinds]
        weights = [CHOSEN if kind.params else 1 for _, kind in pool]
        while any(weights):
            at = self._weighed(weights)
            weights[at] = 0
            chooser, kind = pool[at]
            before = chooser.checks
            self._limit = before + PATIENCE
            try:
                action = self._begun(chooser, kind)
            except _GaveUpError:
                action = None
            self.checks += chooser.checks - before
            if action is not None:
                return action
        return self._listed(position)

    def _listed(self, position: Position) -> Action | None:
        """The first legal action there is, where drawing found none."""
        for side in _acting(position):
            for offer in engine.offers(self._plugin, position, side):
                return offer.action
        return None

    # Slot by slot

    def _begun(self, chooser: Chooser, kind: ActionType) -> Action | None:
        if kind.params and kind.likely is None:
            begun = chooser.action(kind, EMPTY, frozenset(kind.by_name))
            if not self._judged(chooser, begun):
                return None
        return self._slot(chooser, kind, EMPTY, 0)

    def _slot(self, chooser: Chooser, kind: ActionType, given: Record, at: int) -> Action | None:
        """An action with what is given, and the slots from this one on drawn; None: no way."""
        if at == len(kind.params):
            action = chooser.action(kind, given, frozenset())
            return action if self._judged(chooser, action) else None
        param = kind.params[at]
        shown = self._shown(chooser, kind, param, given, at)
        if param.many:
            if shown is None:
                return self._list(chooser, kind, param, given, at, ())
            return self._path(chooser, kind, param, given, at, shown)
        values = chooser.values(kind, param, given, kind.after[at]) if shown is None else shown
        drawn: list[Value] = [] if values is None else list(values)
        if values is None and not param.required:
            drawn.append(None)
        later = kind.after[at]
        trial = None
        while drawn:
            value = self._drawn(drawn)
            if trial is None and value is not None:
                trial = chooser.tried(kind, param, given, later)
            if value is None or trial is None:
                found = self._slot(chooser, kind, given, at + 1)
            elif not self._counted(chooser) or not trial(value).legal:
                continue
            elif not later:
                return chooser.action(kind, given.set(param.name, value), later)
            else:
                found = self._slot(chooser, kind, given.set(param.name, value), at + 1)
            if found is not None:
                return found
        return None

    def _shown(
        self, chooser: Chooser, kind: ActionType, param: Param, given: Record, at: int
    ) -> Iterable[Value] | None:
        """What a list of actions would show of this slot: that is worth drawing from."""
        if kind.listed is None:
            return None
        if param.many and not (self._whole_paths and param.type is ParamType.PATH):
            return None
        begun = chooser.action(kind, given, kind.after[at] | {param.name})
        return kind.listed(chooser.situation, begun, param.name)

    def _path(
        self,
        chooser: Chooser,
        kind: ActionType,
        param: Param,
        given: Record,
        at: int,
        shown: Iterable[Value],
    ) -> Action | None:
        """One of the whole paths that the game lists."""
        drawn = list(shown)
        while drawn:
            path = self._drawn(drawn)
            if isinstance(path, tuple):
                found = self._ended(chooser, kind, param, given, at, path)
                if found is not None:
                    return found
        return None

    def _list(
        self,
        chooser: Chooser,
        kind: ActionType,
        param: Param,
        given: Record,
        at: int,
        members: tuple[Value, ...],
    ) -> Action | None:
        """The same for a list, which ends here or grows by one entry that is drawn."""
        late = self._choices.below(ENDS) > 0
        if not late:
            found = self._ended(chooser, kind, param, given, at, members)
            if found is not None:
                return found
        if len(members) < LONGEST:
            here = given.set(param.name, members) if members else given
            later = kind.after[at]
            once = param.type is not ParamType.PATH and not param.ordered
            entries = chooser.likely(kind, param, here, later)
            # A name that a game has looked at is as a rule legal: enough if the whole list is.
            looked_at = entries is not None and not param.grows
            if entries is None:
                entries = chooser.values(kind, param, here, later, unlikely=True) or ()
            trial = None if looked_at else chooser.tried(kind, param, here, later | {param.name})
            for entry in self._draws(entries, members if once else ()):
                if trial is not None and not self._tried(chooser, trial, entry):
                    continue
                found = self._list(chooser, kind, param, given, at, (*members, entry))
                if found is not None:
                    return found
                if trial is not None:
                    break
                afterwards = chooser.tried(kind, param, here, later | {param.name})
                if self._tried(chooser, afterwards, entry):
                    break
        return self._ended(chooser, kind, param, given, at, members) if late else None

    def _ended(
        self,
        chooser: Chooser,
        kind: ActionType,
        param: Param,
        given: Record,
        at: int,
        members: tuple[Value, ...],
    ) -> Action | None:
        if len(members) < param.fewest:
            return None
        left_out = not members and not param.required
        settled = given if left_out else given.set(param.name, members)
        later = kind.after[at]
        action = chooser.action(kind, settled, later)
        if not self._judged(chooser, action):
            return None
        return action if not later else self._slot(chooser, kind, settled, at + 1)

    # Chance and patience

    def _judged(self, chooser: Chooser, action: Action) -> bool:
        return self._counted(chooser) and chooser.judge(action).legal

    def _tried(self, chooser: Chooser, trial: Callable[[Value], Verdict], value: Value) -> bool:
        return self._counted(chooser) and trial(value).legal

    def _counted(self, chooser: Chooser) -> bool:
        if chooser.checks >= self._limit:
            raise _GaveUpError
        return True

    def _draws(self, values: Iterable[Value], but: tuple[Value, ...]) -> Iterator[Value]:
        """All of them but some, in an order of chance, as long as they are asked for."""
        if isinstance(values, Grouped):
            keys = list(values.keys)
            while keys:
                yield from self._draws(values.of(self._drawn(keys)), but)
            return
        drawn = [value for value in values if value is not None and value not in but]
        while drawn:
            yield self._drawn(drawn)

    def _drawn(self, values: list[T]) -> T:
        """One of them, which is none of them afterwards."""
        index = self._choices.below(len(values))
        values[index], values[-1] = values[-1], values[index]
        return values.pop()

    def _weighed(self, weights: list[int]) -> int:
        spot = self._choices.below(sum(weights))
        for at, weight in enumerate(weights):
            spot -= weight
            if spot < 0:
                return at
        raise AssertionError("a spot below the sum lies in one of the weights")


def _acting(position: Position) -> tuple[str, ...]:
    """The sides that may act, as far as this position tells what they may do."""
    viewer = position.viewer
    return tuple(side for side in position.active if viewer in {"", side})
