"""From deeds to actions: which of what a player may have meant by moving pieces is right."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.check.findings import TABLE_RULE
from hexmarshal.referee.drags.drag_actions import (
    asked_drags,
    drag_kinds,
    group_of,
)
from hexmarshal.referee.drags.drag_readings import DragReadings, thawed
from hexmarshal.referee.interpret.deed import shows_otherwise
from hexmarshal.referee.interpret.game_queries import GameQueries
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.referee.interpret.rules_calls import RulesFailedError
from hexmarshal.referee.interpret.words import a_phase, side_title
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.dice import NeedsDiceError
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from hexmarshal.referee.drags.drag_actions import DragKind
    from hexmarshal.referee.drags.drag_readings import Reading
    from hexmarshal.referee.drags.routes import Routes
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugin import Offer
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value
    from hexmarshal.table.binding import Binding

__all__ = ["Interpreter", "Judged"]

# So many ways between two cells are tried with what a piece does not show.
_TURNED_WAYS: Final = 4
_MOST_OFFERS: Final = 20_000


class Judged(NamedTuple):
    """What deeds are taken for; `sure` where nothing else that they could be is legal."""

    reading: Reading
    verdict: Verdict
    sure: bool = True


class Interpreter:
    """Knows the game's own reading and the general one."""

    def __init__(self, rules: Rules, binding: Binding, routes: Routes) -> None:
        self._rules = rules
        self._make = rules.game.actions.make
        self._kinds = drag_kinds(rules.game, binding)
        self._routes = routes
        self._queries = GameQueries(rules)
        self.read = DragReadings(rules, routes, self._kinds, asked_drags(rules.game, binding))

    @property
    def drags(self) -> Collection[str]:
        """The kinds of action that dragging can be."""
        return self._kinds.keys()

    def drag_kind(self, name: str) -> DragKind | None:
        """A kind of action as dragging does it, if it can be done so."""
        return self._kinds.get(name)

    @property
    def shown(self) -> Collection[str]:
        """The same, and those that only the game itself sees in a drag."""
        return self._kinds.keys() | self.read.own_kinds

    def placing(self, position: Position) -> frozenset[str]:
        """The kinds of drag that put a unit down in this phase as its owner chooses."""
        return frozenset(
            name
            for name, kind in self._kinds.items()
            if kind.path.type is ParamType.CELL and position.phase in kind.type.phases
            if any(p.type is ParamType.BOOL and not p.required for p in kind.type.params)
        )

    def way_of(self, action: Action) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The units of an action that dragging can be, and the cells that they enter."""
        return group_of(action, self._kinds[action.kind])

    def judged(
        self, position: Position, deeds: Sequence[Deed], tray: Sequence[Throw] = ()
    ) -> Judged | None:
        """The first reading that is legal, else the one with the least wrong; None if none is.

        Where none is legal and the rules failed on one, that is raised: it might have been.
        """
        best: Judged | None = None
        failed: RulesFailedError | None = None
        turned = self.read.has_choices and shows_otherwise(position, deeds)
        for reading in self.read.readings(position, deeds):
            try:
                verdict = self.verdict(position, reading, tray)
            except RulesFailedError as error:
                failed = failed or error
                continue
            if verdict.legal:
                return Judged(reading, verdict)
            if best is None or self._is_nearer(position, reading, verdict, best, turned=turned):
                best = Judged(reading, verdict)
        if failed is not None:
            raise failed
        if best is None:
            return None
        offered, complete = self.offered(position, deeds)
        if offered is not None and self.verdict(position, offered, tray).legal:
            return Judged(offered, Verdict())
        begun = self._begun(position, best.reading, tray)
        if begun is not None:
            return Judged(begun, Verdict(), sure=False)
        sure = complete and not self._is_right_turned(position, deeds, tray)
        return self._worded(position, best)._replace(sure=sure)

    def _is_right_turned(
        self, position: Position, deeds: Sequence[Deed], tray: Sequence[Throw]
    ) -> bool:
        """Whether it would be right with something besides the way that the piece does not show."""
        units, cells = tuple(deed.unit for deed in deeds), deeds[0].cells
        start = position.units[units[0]].cell if cells and units[0] in position.units else ""
        return any(
            self.verdict(position, reading, tray).legal
            for kind in self._kinds.values()
            if kind.choices and start and kind.belongs(position)
            for way in islice(self._routes.ways(start, cells), _TURNED_WAYS)
            for reading in self.read.chosen(position, kind, units, way, None)
        )

    def _begun(self, position: Position, reading: Reading, tray: Sequence[Throw]) -> Reading | None:
        """A legal move of which this is as far as it came before others were asked about it."""
        kind = self._kinds.get(reading[0].kind)
        if kind is None or len(reading) != 1 or kind.path.type is not ParamType.PATH:
            return None
        units, path = group_of(reading[0], kind)
        for cell in self._routes.near(path[-1]) if path else ():
            given = {**thawed(reading[0]), kind.path.name: [*path, cell]}
            longer = (self._make(reading[0].kind, reading[0].side, **given),)
            if not self.verdict(position, longer, tray).legal:
                continue
            try:
                after = self._rules.apply(position, longer[0], LogDice(tray)).position
            except HexMarshalError:
                continue
            there = all(u in after.units and after.units[u].cell == path[-1] for u in units)
            if there and after.state and reading[0].side not in after.active:
                return longer
        return None

    def _worded(self, position: Position, judged: Judged) -> Judged:
        """Out of turn or phase, that is all there is to say, and what keeps the unit from it."""
        rule = self._rules.game.turn_rule
        side = judged.reading[0].side
        why: tuple[Violation, ...] = ()
        if side not in position.active:
            own = next((v for v in judged.verdict.violations if v.rule != rule), None)
            # Wherever it moves: it is not activated, has moved, bears a marker.
            is_plain = not self._plainness(judged.reading)
            why = (own,) if is_plain and own and own.units and not own.cells else ()
            game = self._rules.game
            acting = " and ".join(side_title(game, one) for one in position.active) or "nobody"
            text = f"not your turn: {acting} may act, and this is {side_title(game, side)}'s"
        elif (
            not self.moves_in(position)
            and (not position.state or self._is_beside(position, judged.reading[0]))
            and not self._enters_wrongly(position, judged.reading[0], judged.verdict)
        ):
            text = f"no movement in {a_phase(self._rules.game, position.phase)}"
        else:
            return judged
        section = self._rules.plugin.rulebook.section(rule)
        return judged._replace(verdict=Verdict((*why, Violation(rule, text, section))))

    def _is_beside(self, position: Position, action: Action) -> bool:
        """Whether it has nothing to do with what is asked."""
        kind = self._kinds.get(action.kind)
        units, way = group_of(action, kind) if kind is not None else ((), ())
        return bool(way) and self.read.is_beside(position, units, way[-1])

    def _enters(self, position: Position, action: Action) -> bool:
        """Whether units beside the map are put onto it, which is no movement."""
        kind = self._kinds.get(action.kind)
        if kind is None or not kind.belongs(position):
            return False
        units, _ = group_of(action, kind)
        return all(unit in position.units and not position.units[unit].cell for unit in units)

    def _enters_wrongly(self, position: Position, action: Action, broken: Verdict) -> bool:
        """Whether units are put onto the map against a rule of just that."""
        if not self._enters(position, action):
            return False
        own = self._kinds[action.kind].type.rules
        return any(violation.rule in own for violation in broken.violations)

    def moves_in(self, position: Position) -> bool:
        """Whether the plainest of the actions that drags can be belongs in this phase."""
        plainest = next(iter(self._kinds.values()), None)
        phases = plainest.type.phases if plainest is not None else ()
        return not phases or position.phase in phases

    def _is_nearer(
        self, position: Position, reading: Reading, verdict: Verdict, best: Judged, *, turned: bool
    ) -> bool:
        """Whether this was more likely meant: fewer actions, a plainer kind, less that is wrong.

        Of what puts units onto the map, that of which a rule of its own is broken; of what was
        `turned` over, that by which it was; of ways that are wrong alike, all else being the same,
        the cheapest.
        """

        def rank(actions: Reading, broken: Verdict) -> tuple[int, bool, int, bool, int]:
            other = bool(actions) and self._enters(position, actions[0])
            other = other and not self._enters_wrongly(position, actions[0], broken)
            plain = turned and not any(self._is_chosen(action) for action in actions)
            return len(actions), other, self._plainness(actions), plain, len(broken.violations)

        new, old = rank(reading, verdict), rank(best.reading, best.verdict)
        if new != old or [*map(self._chosen, reading)] != [*map(self._chosen, best.reading)]:
            return new < old
        return Fraction(verdict.cost.total) < Fraction(best.verdict.cost.total)

    def _chosen(self, action: Action) -> dict[str, Value]:
        """What besides the way was chosen."""
        kind = self._kinds.get(action.kind)
        names = [name for name, _ in kind.choices] if kind is not None else []
        return {name: action.params[name] for name in names if name in action.params}

    def _is_chosen(self, action: Action) -> bool:
        """Whether something besides the way was chosen."""
        return bool(self._chosen(action))

    def _plainness(self, reading: Reading) -> int:
        kinds = list(self._kinds)
        return kinds.index(reading[0].kind) if reading and reading[0].kind in kinds else -1

    def legal(
        self, position: Position, deeds: Sequence[Deed], tray: Sequence[Throw] = ()
    ) -> Reading | None:
        """The first reading that is legal, of several rather one that leaves the units so."""
        first: Reading | None = None
        for reading in self.read.readings(position, deeds):
            try:
                if not self.verdict(position, reading, tray).legal:
                    continue
            except RulesFailedError:
                continue
            chosen = self.read.has_choices and shows_otherwise(position, deeds)
            if not chosen or self._leaves_so(position, reading, deeds):
                return reading
            first = first or reading
        return first or self._entering(position, deeds)

    def _leaves_so(self, position: Position, reading: Reading, deeds: Sequence[Deed]) -> bool:
        """Whether the units look afterwards as they do on the table."""
        try:
            for action in reading:
                position = self._rules.apply(position, action, LogDice(())).position
        except HexMarshalError:
            return False
        return not shows_otherwise(position, deeds)

    def verdict(
        self, position: Position, reading: Sequence[Action], tray: Sequence[Throw] = ()
    ) -> Verdict:
        """All that is wrong with a sequence of actions, each after the one before."""
        found: list[Violation] = []
        for number, action in enumerate(reading, 1):
            try:
                verdict = self._rules.check(position, action)
            except RulesFailedError:
                raise
            except HexMarshalError as error:
                return Verdict((*found, Violation(TABLE_RULE, error.message)))
            found += verdict.violations
            if len(reading) == 1:
                return verdict
            if number < len(reading) and verdict.legal:
                try:
                    position = self._rules.apply(position, action, LogDice(tray)).position
                except NeedsDiceError:
                    break
        return Verdict(tuple(found))

    def offered(self, position: Position, deeds: Sequence[Deed]) -> tuple[Reading | None, bool]:
        """A legal action that takes these units to where they went, by any way at all.

        And whether every one was looked at: where the way is known there is no other.
        """
        units = tuple(deed.unit for deed in deeds)
        cells = deeds[0].cells
        unit = position.units.get(units[0])
        # Whoever comes onto the map may have entered elsewhere, and gone on from there.
        known = unit is not None and bool(unit.cell) and self._routes.exact(unit.cell, cells)
        if not cells or unit is None or known:
            return None, True
        asked = self._asked(position, units, cells[-1]) or self._entering(position, deeds)
        if asked is not None:
            return asked, True
        seen = 0
        try:
            for offer in islice(self._going(position, units, cells[-1]), _MOST_OFFERS):
                seen += 1
                _, way = self.way_of(offer.action)
                if way and way[-1] == cells[-1]:
                    return (offer.action,), True
        except HexMarshalError:
            return None, False
        return None, seen < _MOST_OFFERS

    def _going(self, position: Position, units: tuple[str, ...], end: str) -> Iterator[Offer]:
        """Every legal action by which just these units go somewhere."""
        side = position.units[units[0]].side
        for name, kind in self._kinds.items():
            if len(units) == 1 or not kind.alone:
                yield from self._rules.offers(position, side, (name,), kind.held(units, end))

    def may_enter(self, position: Position, unit: str) -> bool:
        """Whether a unit beside the map may come onto it somewhere, and go on from there."""
        if not self.moves_in(position):
            return False
        side = position.units[unit].side
        for name, kind in self._kinds.items():
            held: dict[str, Value] = {kind.units.name: unit if kind.alone else (unit,)}
            try:
                if next(self._rules.offers(position, side, (name,), held), None) is not None:
                    return True
            except HexMarshalError:
                continue
        return False

    def _asked(self, position: Position, units: tuple[str, ...], end: str) -> Reading | None:
        """The way that the game's own query for a path finds."""
        way = self._queries.path(position, units, end)
        if not way or way[-1] != end:
            return None
        kinds = (k for k in self._kinds.values() if k.path.type is ParamType.PATH)
        found = [self.read.actions(position, k, units, way) for k in kinds if k.belongs(position)]
        right = (reading for reading in found if self.verdict(position, reading).legal)
        return next(right, found[0] if found else None)

    def _entering(self, position: Position, deeds: Sequence[Deed]) -> Reading | None:
        """How units beside the map come to where they were dropped, one after the other."""
        cells = deeds[0].cells
        done: Reading = ()
        for deed in deeds:
            unit = position.units.get(deed.unit)
            if not cells or unit is None or unit.cell:
                return None
            found = self._asked(position, (unit.id,), cells[-1])
            if found is None or not self.verdict(position, found).legal:
                return None
            try:
                for action in found:
                    position = self._rules.apply(position, action, LogDice(())).position
            except HexMarshalError:
                return None
            done = (*done, *found)
        return done or None

    def asked_way(self, position: Position, deeds: Sequence[Deed]) -> Reading | None:
        """The way that the game finds to where units were dropped, if it is right."""
        cells, units = deeds[0].cells, tuple(deed.unit for deed in deeds)
        if any(unit not in position.units for unit in units):
            return None
        found = self._asked(position, units, cells[-1]) if len(cells) == 1 else None
        return found if found is not None and self.verdict(position, found).legal else None

    def nearest(self, place: str, cells: Iterable[str]) -> Iterator[str]:
        """Cells, the nearest to a place first."""
        return self._routes.nearest(place, cells)

    def beside(self, cell: str) -> tuple[str, ...]:
        """The neighbours of a cell."""
        return self._routes.near(cell)

    def reach_towards(self, position: Position, unit: str, place: str) -> tuple[str, ...]:
        """Where a unit may go by the rules, if the game says so, the nearest to a place first."""
        return tuple(self._routes.nearest(place, self._queries.reach(position, unit)))
