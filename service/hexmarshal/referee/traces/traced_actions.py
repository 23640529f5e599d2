"""Legal actions that may have left the traces on a table, built slot by slot from those traces."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.interpret.rules_calls import answering
from hexmarshal.referee.traces.traced_units import LISTS, LOOKED, VALUES, TracedUnits
from hexmarshal.rules import engine
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.values import EMPTY, FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hexmarshal.referee.traces.table_traces import Traces
    from hexmarshal.rules.action import Action, ActionType, Param
    from hexmarshal.rules.values import Record, Value

__all__ = ["TracedActions"]

# How many numbers are tried for a slot that no trace tells, and how many ways between two cells.
_NUMBERS: Final = 4
_WAYS: Final = 4
_LEFT_OUT: Final[list[Value]] = [None]
_NOTHING: Final[frozenset[str]] = frozenset()


class TracedActions(TracedUnits):
    """The actions of one kind of one side on one position that the traces may come of."""

    def kinds(self, traces: Traces) -> list[ActionType]:
        """Those that belong here; where nobody moved, those that need no way first."""
        known = self._chooser.known
        found = [
            kind
            for kind in self._rules.game.actions.values()
            if next(engine.misplaced(self._rules.plugin, known, kind), None) is None
            and (kind.anytime or self._side in known.active)
        ]
        if not traces.ends:
            found.sort(key=lambda kind: any(_is_way(param) for param in kind.params))
        return found

    def with_points(self, action: Action, traces: Traces, wanted: int) -> list[Action]:
        """The same with as many points added as are wanted; any number, if those are none."""
        kind = self._rules.game.actions[action.kind]
        if not any(map(_is_points, kind.params)):
            return []
        self._like = action
        found = [more for more in islice(self.of(kind, traces), LISTS) if more != action]
        self._like = None
        return [one for one in found if not wanted or _points(one, kind) == wanted]

    def of(self, kind: ActionType, traces: Traces) -> Iterator[Action]:
        """Legal actions of a kind, those that name what shows traces first.

        With as few points added as may be.
        """
        try:
            with answering():
                if self._chooser.legal(kind, EMPTY, frozenset(kind.by_name)):
                    for given in self._filled(kind, traces, EMPTY, 0):
                        yield self._chooser.action(kind, given, _NOTHING)
        except HexMarshalError:
            # Of a kind on which the rules fail nothing can be told.
            return

    def concerns(self, action: Action, traces: Traces) -> bool:
        """Whether an action is about something with traces, or about something beside it."""
        if not traces.cells:
            return True
        near = self._routes.around(traces.cells, 1)
        units = self._position.units
        names = [name for name in _texts(action.params) if name in units or name in near]
        places = any(name in near or units[name].cell in near for name in names)
        return places or not names or any(name in traces.units for name in names)

    def _filled(self, kind: ActionType, traces: Traces, given: Record, at: int) -> Iterator[Record]:
        while at < len(kind.params):
            param, later = kind.params[at], kind.after[at]
            values = self._values(kind, param, traces, given, later)
            if values != _LEFT_OUT:
                break
            at += 1
        else:
            # What was left out in the last slot nobody has looked at yet.
            if self._chooser.legal(kind, given, _NOTHING):
                yield given
            return
        tried: set[Value] = set()
        found = False
        for value in values:
            if value in tried or (found and self._like is None and _is_points(param)):
                continue
            tried.add(value)
            chosen = given
            if value is not None and (value != () or param.required):
                chosen = given.set(param.name, value)
                if later and not self._chooser.legal(kind, chosen, later):
                    continue
            for filled in self._filled(kind, traces, chosen, at + 1):
                found = True
                yield filled

    def _values(
        self, kind: ActionType, param: Param, traces: Traces, given: Record, later: frozenset[str]
    ) -> Iterable[Value]:
        if self._like is not None and not _is_points(param):
            return (self._like.params.get(param.name),)
        match param.type:
            case ParamType.UNIT:
                return self._units(kind, param, traces, given, later)
            case ParamType.UNITS:
                return self._groups(kind, param, traces, given, later)
            case ParamType.PATH:
                return self._paths(kind, param, traces, given, later)
            case ParamType.FACING:
                return self._facings(kind, param, traces, given, later)
            case ParamType.CELL:
                return islice(self._cells(kind, param, traces, given, later), VALUES)
            case ParamType.CELLS:
                return self._places(kind, param, traces, given, later)
            case ParamType.CARD | ParamType.TEXT:
                return self._cards(kind, param, traces, given, later)
            case ParamType.LIST:
                return self._legs(kind, param, traces, given, later)
            case ParamType.BOOL if any(item.of == "track" for item in traces.items):
                # Who moves a track has paid: rather for what may be had besides.
                found = self._offered(kind, param, given, later)
                return sorted(found, key=lambda value: value is not True)
            case _:
                most = _NUMBERS if self._like is None else LISTS
                return self._offered(kind, param, given, later)[:most]

    # Where

    def _leader(self, given: Record) -> str:
        """The first unit that was named."""
        return next((name for name in _texts(given) if name in self._position.units), "")

    def _paths(
        self, kind: ActionType, param: Param, traces: Traces, given: Record, later: frozenset[str]
    ) -> Iterable[Value]:
        unit = self._leader(given)
        end = traces.ends.get(unit, "")
        if not end:
            return ((),)
        start = self._position.units[unit].cell
        if unit in traces.ways:
            return self._gone_through(start, traces.ways[unit])
        if start:
            return islice(self._routes.ways(start, (end,)), _WAYS)
        listed = self._listed(kind, param, given, later) or ()
        known = [way for way in listed if isinstance(way, tuple) and way and way[-1] == end]
        return [*known, *self._ways_in(kind, param, end, given, later)]

    def _gone_through(
        self, start: str, ways: Sequence[tuple[str, ...]]
    ) -> Iterator[tuple[str, ...]]:
        """Ways that units were dragged, cell by cell; who was dropped further off went between."""
        for way in ways:
            if not start or not way or self._routes.exact(start, way):
                yield way
            else:
                yield from islice(self._routes.ways(start, way), _WAYS)

    def _ways_in(
        self, kind: ActionType, param: Param, end: str, given: Record, later: frozenset[str]
    ) -> list[Value]:
        """From where units may enter to where they are now, the shortest first."""
        found: list[Value] = []
        for cell in islice(self._chooser.values(kind, param, given, later) or (), LOOKED):
            if isinstance(cell, str):
                way = () if cell == end else next(self._routes.ways(cell, (end,)), None)
                found += [] if way is None else [(cell, *way)]
        return sorted(found, key=len)[:_WAYS]  # type: ignore[arg-type]

    def _cells(
        self, kind: ActionType, param: Param, traces: Traces, given: Record, later: frozenset[str]
    ) -> Iterator[Value]:
        """Cells with traces first, then those that the game would list, then all others."""
        found = self._offered(kind, param, given, later)
        # Whoever aims at a cell without traces aims at somebody there.
        others = {u.cell for u in self._position.units.values() if u.side != self._side}
        hurt = [] if self._wide else [cell for cell in found if cell in self._hurt(traces)]
        if hurt:
            # Who shows traces was meant.
            yield from hurt
            return
        yield from sorted(found, key=lambda cell: (cell not in traces.cells, cell not in others))
        if self._wide and kind.listed is not None:
            yield from self._chooser.values(kind, param, given, later) or ()

    def _places(
        self, kind: ActionType, param: Param, traces: Traces, given: Record, later: frozenset[str]
    ) -> Iterable[Value]:
        """Lists of cells: one for each unit that was named, or such as the game makes."""
        if param.ordered:
            seen = [self._view.shows(u) for u in _texts(given) if u in self._position.units]
            return [tuple(one.where.cell for one in seen if one is not None)]
        found = self._offered(kind, param, given, later)
        lists = [one if isinstance(one, tuple) else (one,) for one in found if one is not None]
        lists.sort(key=lambda one: not traces.cells.intersection(one))
        hurt = self._hurt(traces)
        # Who shows traces was meant, and not others as well; unless nothing else explains it.
        just = [] if self._wide else [one for one in lists if hurt.issuperset(one)]
        return (just or lists)[:LISTS]

    def _facings(
        self, kind: ActionType, param: Param, traces: Traces, given: Record, later: frozenset[str]
    ) -> Iterable[Value]:
        leader = self._leader(given)
        if not leader:
            # Whoever is asked to turn: as somebody shows it, else any way.
            turned = [self._shown_facing(unit) for unit in self._own(traces)]
            return [*turned, *self._offered(kind, param, given, later)]
        shown = self._shown_facing(leader)
        if param.required:
            return () if shown is None else (shown,)
        return (None,) if shown is None else (shown, None)

    def _shown_facing(self, unit: str) -> int | None:
        seen = self._view.shows(unit)
        facts = seen.facts if seen is not None else ()
        found = next((fact.value for fact in facts if fact.of == "facing"), None)
        return found if isinstance(found, int) else None

    # With what

    def _cards(
        self, kind: ActionType, param: Param, traces: Traces, given: Record, later: frozenset[str]
    ) -> Iterable[Value]:
        """The cards that have gone from where they were."""
        found = self._offered(kind, param, given, later)
        gone = [value for value in found if value is None or value in traces.cards]
        return gone or (found[:_NUMBERS] if param.required and not traces.cards else ())

    def _legs(
        self, kind: ActionType, param: Param, traces: Traces, given: Record, later: frozenset[str]
    ) -> Iterator[Value]:
        """A way for each unit that moved or turned, where an action has a list of such."""
        record = param.items
        if record is None or record.type is not ParamType.RECORD:
            return
        names = {field.type: field.name for field in reversed(record.fields)}
        own = self._own(traces)
        if ParamType.UNIT not in names or ParamType.PATH not in names or len(own) < param.fewest:
            return
        growing = later | {param.name}
        ends: list[tuple[Value, ...]] = [()]
        for unit in own:
            longer = [(*legs, leg) for legs in ends for leg in self._ways_of(traces, unit, names)]
            ends = []
            for legs in longer:
                if self._chooser.legal(kind, given.set(param.name, legs), growing):
                    ends.append(legs)
                if len(ends) >= LISTS:
                    break
        yield from ends

    def _ways_of(
        self, traces: Traces, unit: str, names: Mapping[ParamType, str]
    ) -> Iterator[Record]:
        """What one unit of a group may have done."""
        end = traces.ends.get(unit, "")
        ways: Iterable[tuple[str, ...]] = ((),)
        if unit in traces.ways:
            ways = self._gone_through(self._position.units[unit].cell, traces.ways[unit])
        elif end:
            ways = islice(self._routes.ways(self._position.units[unit].cell, (end,)), _WAYS)
        shown = self._shown_facing(unit) if ParamType.FACING in names else None
        for way in ways:
            leg: dict[str, Value] = {names[ParamType.UNIT]: unit, names[ParamType.PATH]: way}
            if shown is not None:
                yield FrozenMap({**leg, names[ParamType.FACING]: shown})
            yield FrozenMap(leg)


def _is_points(param: Param) -> bool:
    """Whether it is a number that may be added."""
    return not param.required and param.type in (ParamType.INT, ParamType.VALUE)


def _points(action: Action, kind: ActionType) -> int:
    """How many are added, all in all."""
    values = [action.params.get(param.name) for param in kind.params if _is_points(param)]
    each = [one for v in values for one in (v.values() if isinstance(v, FrozenMap) else (v,))]
    return sum(abs(one) for one in each if isinstance(one, int))


def _is_way(param: Param) -> bool:
    return param.required and param.type is ParamType.PATH


def _texts(given: Record) -> Sequence[str]:
    return [
        one
        for value in given.values()
        for one in (value if isinstance(value, tuple) else (value,))
        if isinstance(one, str)
    ]
