"""The units that may have left the traces on a table: who acts, and who with him."""

from __future__ import annotations

from itertools import combinations, islice
from typing import TYPE_CHECKING, Final

from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from hexmarshal.referee.drags.routes import Routes
    from hexmarshal.referee.traces.table_traces import TableView, Traces
    from hexmarshal.referee.traces.trials import Trials
    from hexmarshal.rules.action import Action, ActionType, Param
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value

__all__ = ["LISTS", "LOOKED", "VALUES", "TracedUnits"]

# How many values are tried for a slot that no trace tells, and how many are looked at.
VALUES: Final = 12
LISTS: Final = 24
LOOKED: Final = 400
# Whoever is nearer than this to a trace is tried before the others.
_NEAR: Final = 3
# So many who show no traces may have led those who do.
_LEADERS: Final = 3
# So many stacks, and pairs of stacks, beside others who show traces.
_AROUND: Final = 4


class TracedUnits:
    """Fills the slots for units, of one side on one position, by the traces."""

    def __init__(
        self,
        trials: Trials,
        routes: Routes,
        view: TableView,
        position: Position,
        side: str,
        *,
        wide: bool = False,
        ready: Collection[str] = (),
        spoken: Sequence[str] = (),
        doer: str = "",
    ) -> None:
        """With `wide`, cells that a list of actions leaves out are tried too.

        Who is `ready`, having been activated last, is tried first; and of groups those with all
        who were `spoken` of. With a `doer`, it is his action.
        """
        self._doer = doer
        self._wide, self._ready, self._spoken = wide, ready, spoken
        self._like: Action | None = None
        self._rules, self._routes, self._view = trials.rules, routes, view
        self._position, self._side = position, side
        self._chooser = trials.chooser(position, side)

    def _offered(
        self, kind: ActionType, param: Param, given: Record, later: frozenset[str]
    ) -> Sequence[Value]:
        """What the game would have a player choose from."""
        key = (kind.name, param.name, given)
        offered = self._chooser.offered.get(key)
        if offered is None:
            offered = self._listed(kind, param, given, later)
            if offered is None:
                found = self._chooser.values(kind, param, given, later)
                left_out: list[Value] = [] if param.required else [None]
                offered = left_out if found is None else list(islice(found, LOOKED))
            self._chooser.offered[key] = offered
        return offered

    def _listed(
        self, kind: ActionType, param: Param, given: Record, later: frozenset[str]
    ) -> list[Value] | None:
        if kind.listed is None:
            return None
        begun = self._chooser.action(kind, given, later | {param.name})
        found = kind.listed(self._chooser.situation, begun, param.name)
        return None if found is None else list(islice(found, LOOKED))

    # Who

    def _named(self, given: Record) -> set[str]:
        return {
            one
            for value in given.values()
            for one in (value if isinstance(value, tuple) else (value,))
            if isinstance(one, str)
        }

    def _own(self, traces: Traces) -> list[str]:
        units = self._position.units
        return [u for u in traces.units if u in units and units[u].side == self._side]

    def _units(
        self, kind: ActionType, param: Param, traces: Traces, given: Record, later: frozenset[str]
    ) -> Iterable[Value]:
        named = self._named(given)
        found = [v for v in self._offered(kind, param, given, later) if v not in named]
        if self._doer and named.isdisjoint(self._position.units):
            return [value for value in found if value == self._doer]
        traced = [value for value in found if value in traces.units]
        if not traced:
            far = self._distance(traces)
            # Who was named first leads the others.
            told: dict[Value, int] = {name: at for at, name in enumerate(self._spoken)}
            found.sort(key=lambda one: (told.get(one, len(told)), one not in self._ready, far(one)))
            return found[:VALUES]
        if not param.required:
            return [*traced, None]
        if not any(one.type is ParamType.UNITS for one in kind.params):
            return traced
        # Who leads others may show less of it than they do.
        far = self._distance(traces)
        others = sorted((v for v in found if v not in traced), key=far)
        return [*traced, *others[:_LEADERS]]

    def _groups(
        self, kind: ActionType, param: Param, traces: Traces, given: Record, later: frozenset[str]
    ) -> Iterable[Value]:
        """Lists of units: those that show traces, then such lists as the game makes."""
        named = self._named(given)
        if self._doer and named.isdisjoint(self._position.units):
            return ((self._doer,),)
        own = [unit for unit in self._own(traces) if unit not in named]
        listed = self._listed(kind, param, given, later)
        found: list[Value] = []
        entries: dict[Value, None] = {}
        hurt = self._hurt(traces) if param.required else ()
        if listed is None or own or hurt:
            values = self._chooser.values(kind, param, given, later)
            entries = dict.fromkeys(islice(values or (), LOOKED))
        group = tuple(unit for unit in own if unit in entries)
        far = self._distance(traces)
        if group:
            found.append(group)
            found += ((unit,) for unit in group if len(group) > 1)
        if listed is not None and not group and hurt:
            # Who stands together hardly attacks in part.
            found += self._around(entries, hurt)
        if listed is not None:
            lists = [one for one in listed if isinstance(one, tuple)]
            lists.sort(key=lambda one: (len({*own} - {*one}), max(map(far, one)), len(one)))
            found += lists[:LISTS]
        if not param.required:
            found.insert(1 if group else 0, ())
            found += self._joining(kind, param, given, later, group)
            told = tuple(u for u in self._spoken if u in entries and u not in {*named, *group})
            if told and self._chooser.legal(kind, given.set(param.name, (*group, *told)), later):
                # Who was named beside the dice joined in.
                found.insert(0, (*group, *told))
        elif listed is None and not group:
            ones = sorted((one for one in entries if one is not None), key=far)
            lists = [(one,) for one in ones[:VALUES]]
            lists += self._stacks(entries)
            lists.sort(key=lambda one: max(map(far, one)))
            found += lists[:LISTS]
            found += self._around(entries, hurt)
        if param.required:
            found += _but_one([group] if group else self._beside(entries, hurt))
        if self._spoken and param.required:
            spoken = {*self._spoken}
            found = [tuple(self._spoken), *found]
            found.sort(
                key=lambda one: len(spoken.difference(one if isinstance(one, tuple) else ()))
            )
        return found

    def _around(
        self, entries: Collection[Value], cells: Collection[str]
    ) -> Iterator[tuple[str, ...]]:
        """Those beside others who show traces: each stack, two of them, and all of them."""
        stacks = self._beside(entries, cells)
        for number in (*range(1, min(3, len(stacks))), len(stacks)):
            for some in islice(combinations(stacks, number), _AROUND):
                yield tuple(unit for stack in some for unit in stack)

    def _beside(
        self, entries: Collection[Value], cells: Collection[str]
    ) -> Sequence[tuple[str, ...]]:
        """The stacks beside cells."""
        near = self._routes.around(cells, 1) if cells else {}
        stacks: dict[str, tuple[str, ...]] = {}
        for unit in self._position.units.values():
            if unit.id in entries and unit.cell in near:
                stacks[unit.cell] = (*stacks.get(unit.cell, ()), unit.id)
        return (*stacks.values(),)

    def _joining(
        self,
        kind: ActionType,
        param: Param,
        given: Record,
        later: frozenset[str],
        group: tuple[str, ...],
    ) -> Iterator[Value]:
        """Groups with some who show nothing of it: one of each size, as it hardly matters who."""
        entries = self._chooser.values(kind, param, given, later) or ()
        for one in islice(entries, VALUES):
            if one in group or not isinstance(one, str):
                continue
            longer = (*group, one)
            if self._chooser.legal(kind, given.set(param.name, longer), later):
                group = longer
                yield group

    def _stacks(self, entries: Collection[Value]) -> Iterator[tuple[str, ...]]:
        """Those who stand together."""
        cells: dict[str, list[str]] = {}
        for unit in self._position.units.values():
            if unit.id in entries and unit.cell:
                cells.setdefault(unit.cell, []).append(unit.id)
        return (tuple(stack) for stack in cells.values() if len(stack) > 1)

    def _hurt(self, traces: Traces) -> set[str]:
        """Where others stand who show traces."""
        units = self._position.units
        return {units[u].cell for u in traces.units if u in units and units[u].side != self._side}

    def _distance(self, traces: Traces) -> Callable[[Value], int]:
        """How far a unit is from the nearest trace, as far as it matters who is near."""
        near = self._routes.around(traces.cells, _NEAR)
        units = self._position.units

        def far(value: Value) -> int:
            unit = units.get(value) if isinstance(value, str) else None
            return near.get(unit.cell, _NEAR + 1) if unit is not None else _NEAR + 1

        return far


def _but_one(groups: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """All of a group but one: he did something else."""
    for group in groups:
        if len(group) > 2:
            yield from islice(combinations(group, len(group) - 1), _AROUND)
