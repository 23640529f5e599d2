"""Every legal action, slot by slot: a walk over the choices that can be left and taken up again.

A place in the walk is the kind and what was chosen for each slot after it. To go on from a place
means to find the way there again, and costs what the choices on that way cost, not all that was
listed before. Paths are listed by where they end, each with one cheapest way; a set of units once.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from hexmarshal.errors import Place, RulesError
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.plugin import Offer
from hexmarshal.rules.values import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.rules.action import Action, ActionType, Param
    from hexmarshal.rules.choosing.chooser import Chooser
    from hexmarshal.rules.values import Record, Value
    from hexmarshal.rules.verdict import Amount, Verdict

__all__ = ["Spot", "Stop", "Walk", "astray", "holds"]

# A list that grows longer than this in a walk is cut, and the walk says so.
LONGEST = 100
# The kind, then a value for each slot; None for one that is left out.
Spot: TypeAlias = "tuple[Value, ...]"
# The entries of a list that may be just so, and the verdict on that.
Found: TypeAlias = "tuple[tuple[Value, ...], Verdict]"


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the walk has come to, and the legal action there; None at the end of a dead end."""

    spot: Spot
    offer: Offer | None


@dataclass(slots=True)
class Walk:
    """The walk of one side; `cut` tells what it leaves out because it cannot be listed.

    With slots `held`, it leads to the actions alone that hold these values there.
    """

    chooser: Chooser
    kinds: Iterable[ActionType]
    held: Record = EMPTY
    cut: dict[str, str] = field(default_factory=dict)

    @property
    def checks(self) -> int:
        """How often the check was asked so far."""
        return self.chooser.checks

    def stops(self, after: Spot = ()) -> Iterator[Stop]:
        """All stops in order, or those after a spot that this walk came by."""
        begun = not after
        for kind in self.kinds:
            if not begun:
                if kind.name != after[0]:
                    continue
                begun = True
                if kind.offers is not None:
                    yield from self._made(kind, after[1:])
                elif len(after) > 1:
                    yield from self._slot(kind, EMPTY, (kind.name,), None, after[1:])
                continue
            if kind.offers is not None:
                yield from self._made(kind, ())
                continue
            verdict = self.chooser.judge(self.chooser.action(kind, EMPTY, frozenset(kind.by_name)))
            if verdict.legal:
                yield from self._slot(
                    kind, EMPTY, (kind.name,), None if kind.params else verdict, ()
                )
        if not begun:
            raise astray()

    def _made(self, kind: ActionType, after: Spot) -> Iterator[Stop]:
        """The list that the game makes of a kind by itself; a place in it is a number."""
        assert kind.offers is not None
        done = after[0] if after else -1
        if not isinstance(done, int):
            raise astray()
        for number, offer in enumerate(kind.offers(self.chooser)):
            if number > done and holds(offer.action, self.held):
                yield Stop((kind.name, number), offer)

    def _slot(
        self, kind: ActionType, given: Record, spot: Spot, verdict: Verdict | None, after: Spot
    ) -> Iterator[Stop]:
        """All that follows from what is given; `verdict` is what the check said of just that."""
        at = len(spot) - 1
        if at == len(kind.params):
            action = self.chooser.action(kind, given, frozenset())
            verdict = self.chooser.judge(action) if verdict is None else verdict
            yield Stop(spot, Offer(action, verdict) if verdict.legal else None)
            return
        fruitless = True
        resumed = not after
        for value, chosen, judged in self._alternatives(kind, given, at, after):
            place = (*spot, value)
            if not resumed:
                if value != after[0]:
                    continue
                resumed = True
                if len(after) > 1:
                    yield from self._slot(kind, chosen, place, judged, after[1:])
                continue
            for stop in self._slot(kind, chosen, place, judged, ()):
                fruitless = False
                yield stop
        if not resumed:
            raise astray()
        if fruitless:
            yield Stop(spot, None)

    def _alternatives(
        self, kind: ActionType, given: Record, at: int, after: Spot
    ) -> Iterator[tuple[Value, Record, Verdict | None]]:
        """Each value of a slot that nothing forbids, what is given with it, and its verdict."""
        param = kind.params[at]
        later = kind.after[at]
        if param.name in self.held:
            settled = given.set(param.name, self.held[param.name])
            verdict = self.chooser.judge(self.chooser.action(kind, settled, later))
            if verdict.legal:
                yield settled[param.name], settled, None if later else verdict
            return
        if param.many:
            for members, verdict in self._lists(kind, param, given, later, after):
                whole = None if later else verdict
                if not members and not param.required:
                    yield None, given, whole
                else:
                    yield members, given.set(param.name, members), whole
            return
        values = self._listed(kind, param, given, later)
        if values is None:
            values = self.chooser.values(kind, param, given, later)
        if values is None:
            self._skip(kind, param, "any value")
            return
        trial = self.chooser.tried(kind, param, given, later)
        for value in values:
            if value is None:
                yield None, given, None
                continue
            judged = trial(value)
            if judged.legal:
                whole = judged if not later else None
                yield value, given.set(param.name, value), whole

    def _lists(
        self, kind: ActionType, param: Param, given: Record, later: frozenset[str], after: Spot
    ) -> Iterator[Found]:
        """The lists that a slot may hold."""
        whole = self._listed(kind, param, given, later)
        if whole is not None:
            for members in whole:
                if isinstance(members, tuple):
                    yield from self._closed(kind, param, given, members, later)
            return
        if param.type is ParamType.PATH:
            yield from self._paths(kind, param, given, later)
            return
        target = after[0] if after else None
        aim = target if isinstance(target, tuple) else () if after else None
        yield from self._grown(kind, param, given, later, (), frozenset(), aim)

    def _listed(
        self, kind: ActionType, param: Param, given: Record, later: frozenset[str]
    ) -> Iterable[Value] | None:
        """What the game itself wants to be shown for a slot; None: it leaves that to the walk."""
        if kind.listed is None:
            return None
        begun = self.chooser.action(kind, given, later | {param.name})
        return kind.listed(self.chooser.situation, begun, param.name)

    def _closed(
        self,
        kind: ActionType,
        param: Param,
        given: Record,
        members: tuple[Value, ...],
        later: frozenset[str],
    ) -> Iterator[Found]:
        """The list with just these, if nothing is against that."""
        if len(members) < param.fewest:
            return
        left_out = not members and not param.required
        settled = given if left_out else given.set(param.name, members)
        verdict = self.chooser.judge(self.chooser.action(kind, settled, later))
        if verdict.legal:
            yield members, verdict

    def _grown(
        self,
        kind: ActionType,
        param: Param,
        given: Record,
        later: frozenset[str],
        members: tuple[Value, ...],
        barred: frozenset[Value],
        aim: tuple[Value, ...] | None,
    ) -> Iterator[Found]:
        """A list and all that grow from it; `aim` is the one to begin with, all before it is done.

        Sets are found once each: what was added in a branch is barred in those beside it.
        """
        if aim is None or len(aim) == len(members):
            aim = None
            yield from self._closed(kind, param, given, members, later)
        if len(members) >= LONGEST:
            self._skip(kind, param, f"more than {LONGEST} entries")
            return
        here = given.set(param.name, members) if members else given
        growing = later | {param.name}
        entries = self.chooser.values(kind, param, here, later)
        if entries is None:
            self._skip(kind, param, "any value")
            return
        trial = self.chooser.tried(kind, param, here, growing)
        for entry in entries:
            if entry is None or entry in barred:
                continue
            if aim is not None and entry != aim[len(members)]:
                barred = barred if param.ordered else barred | {entry}
                continue
            if trial(entry).legal:
                longer = (*members, entry)
                yield from self._grown(kind, param, given, later, longer, barred, aim)
            aim = None
            barred = barred if param.ordered else barred | {entry}

    def _paths(
        self, kind: ActionType, param: Param, given: Record, later: frozenset[str]
    ) -> Iterator[Found]:
        """One cheapest path to each place, the cheapest first."""
        growing = later | {param.name}
        frontier: list[tuple[Amount, tuple[str, ...]]] = [(0, ())]
        reached: set[str] = set()
        while frontier:
            _, path = heapq.heappop(frontier)
            if path:
                if path[-1] in reached:
                    continue
                reached.add(path[-1])
            yield from self._closed(kind, param, given, path, later)
            here = given.set(param.name, path) if path else given
            steps = self.chooser.values(kind, param, here, later)
            if steps is None:
                self._skip(kind, param, "any value")
                return
            trial = self.chooser.tried(kind, param, here, growing)
            for step in steps:
                if isinstance(step, str) and step not in reached:
                    judged = trial(step)
                    if judged.legal:
                        heapq.heappush(frontier, (judged.cost.total, (*path, step)))

    def _skip(self, kind: ActionType, param: Param, why: str) -> None:
        self.cut[f"{kind.name}.{param.name}"] = why


def holds(action: Action, held: Record) -> bool:
    """Whether the slots of an action hold these values; units and cells in any order."""
    return all(_same(action.params.get(name), value) for name, value in held.items())


def _same(value: Value | None, wanted: Value) -> bool:
    if isinstance(value, tuple) and isinstance(wanted, tuple):
        return len(value) == len(wanted) and all(each in wanted for each in value)
    return value == wanted


def astray() -> RulesError:
    """What is said of a place that is not in the list."""
    return RulesError(
        "no such place in the list of actions: the position may have changed since",
        place=Place(field="page_token"),
    )
