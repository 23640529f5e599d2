"""Exact odds of an attack: what becomes of each unit, through the whole chain of checks.

Units are linked by their leaders alone. So the fates of leaders are worked out together, with a log
of what their loss makes others go through; every other unit then follows from that log by itself.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, TypeAlias, cast

from hexmarshal.games.asl.rules.fire.attack import aim, read
from hexmarshal.games.asl.rules.fire.cowering import cowers_by
from hexmarshal.games.asl.rules.fire.fates import ONE, ROLLS, Fates, State, then
from hexmarshal.games.asl.rules.morale.checks import (
    leader_helping,
)
from hexmarshal.games.asl.rules.morale.results import in_order, misses
from hexmarshal.games.asl.state.situation import Situation
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import is_commissar
from hexmarshal.rules.copying import copied
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.asl.rules.fire.shot import Shot
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["result_odds", "unit_odds"]

Odds: TypeAlias = "dict[str, Fraction]"


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that the loss of a leader makes others go through: it befalls, then they check."""

    number: int
    kind: str
    leader: Unit
    due: bool
    """False when the leader is lost, true when the others check for it."""


def result_odds(now: Situation, shot: Shot) -> Odds:
    """How likely each result of the fire table is, for the first class of targets."""
    aimed = aim(now, shot)
    cower = cowers_by(now, shot)
    found: Odds = defaultdict(Fraction)
    for dice in ROLLS:
        found[read(now.tables.fire, aimed, dice, cower).results[0][0]] += Fraction(1, 36)
    return dict(found)


def unit_odds(now: Situation, shot: Shot) -> dict[str, Odds]:
    """What becomes of each unit in the target."""
    aimed = aim(now, shot)
    cower = cowers_by(now, shot)
    weights: dict[tuple[tuple[str, tuple[str, ...]], ...], int] = defaultdict(int)
    for dice in ROLLS:
        weights[read(now.tables.fire, aimed, dice, cower).results] += 1
    total: dict[str, Odds] = {
        name: defaultdict(Fraction) for _, names in aimed.classes for name in names
    }
    known: dict[tuple[str, tuple[str, ...]], dict[str, Odds]] = {}
    chains: dict[tuple[str, ...], Chain] = {}
    for results, weight in weights.items():
        share = Fraction(weight, 36)
        for result, names in results:
            key = (result, names)
            if key not in known:
                chain = chains.setdefault(names, Chain(now, names))
                known[key] = chain.after(result)
            for name, fates in known[key].items():
                for fate, chance in fates.items():
                    total[name][fate] += share * chance
    return {name: dict(fates) for name, fates in total.items()}


def lots(names: Sequence[str], count: int) -> Iterator[tuple[frozenset[str], Fraction]]:
    """ASL-RANDSEL-1: who is chosen by the highest dice, all that tie for the last place too."""
    total = len(names)
    if total <= count:
        yield frozenset(names), ONE
        return
    for size in range(count, total + 1):
        ways = sum(
            comb(size, above) * (6 - value) ** above * (value - 1) ** (total - size)
            for value in range(1, 7)
            for above in range(count)
        )
        if ways:
            for group in combinations(names, size):
                yield frozenset(group), Fraction(ways, 6**total)


class Chain(Fates):
    """The units of one class of targets, and what results do to them."""

    def __init__(self, now: Situation, names: Sequence[str]) -> None:
        super().__init__(now)
        self.order = in_order(now, names)
        self.units = {name: now.unit(name) for name in self.order}
        self.leaders = [name for name in self.order if now.is_leader(self.units[name])]
        self.rest = [name for name in self.order if name not in self.leaders]
        self.bystanders = [
            one
            for name in self.order[:1]
            for one in now.people(now.at(self.units[name]), self.units[name].side)
            if now.is_leader(one) and one.id not in self.units
        ]
        self._worlds: dict[tuple[State, ...], Situation] = {}
        self._leaders_matter = any(
            is_commissar(now, unit) or now.counter(unit).quality == "green"
            for unit in self.units.values()
        )

    def _as_after(self, leaders: dict[str, State]) -> None:
        """What leaders are like now counts for others: the morale of a commissar, green troops."""
        if not self._leaders_matter:
            return
        key = tuple(leaders.values())
        if key not in self._worlds:
            position = self.start.position
            units = dict(position.units.items())
            for name, state in leaders.items():
                if state is None:
                    units.pop(name, None)
                else:
                    units[name] = state
            after = copied(position, units=FrozenMap(units))
            self._worlds[key] = Situation(after, self.start.ground, self.start.tables)
        self.now = self._worlds[key]

    def after(self, result: str) -> dict[str, Odds]:
        """The odds for each unit after one result."""
        if result == "-":
            return {name: {self.told(unit, unit): ONE} for name, unit in self.units.items()}
        found: dict[str, Odds] = {name: defaultdict(Fraction) for name in self.order}
        for chosen, chance in self._chosen(result):
            for leaders, log, share, raging in self._leaders(result, chosen):
                self._as_after(leaders)
                for name in self.leaders:
                    found[name][self.told(self.units[name], leaders[name])] += chance * share
                for name in self.rest:
                    states = self._one(name, result, chosen, leaders, log)
                    for leader in raging:
                        states = then(states, partial(self.carried, leader=leader))
                    for state, part in states:
                        found[name][self.told(self.units[name], state)] += chance * share * part
        return {name: dict(fates) for name, fates in found.items()}

    def _chosen(self, result: str) -> Iterable[tuple[frozenset[str], Fraction]]:
        if result.endswith("KIA"):
            return lots(self.order, int(result.removesuffix("KIA")))
        if result.startswith("K/"):
            return lots(self.order, 1)
        return ((frozenset(), ONE),)

    def _helped(self, unit: Unit, leaders: dict[str, State]) -> int:
        among = [one for one in leaders.values() if one is not None] + self.bystanders
        leader = leader_helping(self.now, unit, among)
        return 0 if leader is None else self.now.leadership(leader, unit)

    # Leaders together

    def _leaders(
        self, result: str, chosen: frozenset[str]
    ) -> Iterator[tuple[dict[str, State], tuple[Entry, ...], Fraction, tuple[Unit, ...]]]:
        """Every way that the leaders can fare, with what the others go through for it."""
        todo: tuple[tuple[object, ...], ...]
        if result.endswith("KIA"):
            todo = (
                *(("kill", name) for name in self.leaders if name in chosen),
                *(("break", name) for name in self.leaders if name not in chosen),
                ("mourn",),
            )
        elif result.startswith("K/"):
            worse = int(result.removeprefix("K/"))
            todo = (
                *(("reduce", name) for name in self.leaders if name in chosen),
                *(("check", name, worse) for name in self.leaders),
            )
        elif result == "PTC":
            todo = tuple(("task", name) for name in self.leaders)
        else:
            worse = 0 if result == "NMC" else int(result.removesuffix("MC"))
            todo = tuple(("check", name, worse) for name in self.leaders)
        start: dict[str, State] = {name: self.units[name] for name in self.leaders}
        for states, log, share in self._walk(start, (), ONE, todo, ()):
            raging = [name for name in self.leaders if self._raves(name, states[name])]
            for after, part, ravers in self._spread(states, raging, ()):
                yield after, log, share * part, tuple(ravers)

    def _raves(self, name: str, state: State) -> bool:
        berserk = state is not None and state.has(marks.BERSERK)
        return berserk and not self.units[name].has(marks.BERSERK)

    def _spread(
        self, states: dict[str, State], queue: list[str], done: tuple[Unit, ...]
    ) -> Iterator[tuple[dict[str, State], Fraction, tuple[Unit, ...]]]:
        """ASL-A15.42b: berserk leaders carry other leaders away, one after the other."""
        if not queue:
            yield states, ONE, done
            return
        leader = states[queue[0]]
        assert leader is not None
        ways: list[tuple[dict[str, State], Fraction, list[str]]] = [(states, ONE, queue[1:])]
        for name in self.leaders:
            after: list[tuple[dict[str, State], Fraction, list[str]]] = []
            for world, share, rest in ways:
                unit = world[name]
                if unit is None:
                    after.append((world, share, rest))
                    continue
                for state, part in self.carried(unit, leader):
                    fresh = state is not None and state.has(marks.BERSERK) and state != unit
                    more = [*rest, name] if fresh else rest
                    after.append(({**world, name: state}, share * part, more))
            ways = after
        for world, share, rest in ways:
            for last, part, ravers in self._spread(world, rest, (*done, leader)):
                yield last, share * part, ravers

    def _walk(
        self,
        states: dict[str, State],
        log: tuple[Entry, ...],
        share: Fraction,
        todo: tuple[tuple[object, ...], ...],
        lost: tuple[Unit, ...],
    ) -> Iterator[tuple[dict[str, State], tuple[Entry, ...], Fraction]]:
        if not todo:
            yield states, log, share
            return
        (what, *args), rest = todo[0], todo[1:]
        if what == "log":
            entry = args[0]
            assert isinstance(entry, Entry)
            yield from self._walk(states, (*log, entry), share, rest, lost)
            return
        if what == "mourn":
            for leader in reversed(lost):
                rest = (*self._missed(states, leader, log, "llmc", len(rest)), *rest)
            yield from self._walk(states, log, share, rest, ())
            return
        name = str(args[0])
        unit = states[name]
        if unit is None:
            yield from self._walk(states, log, share, rest, lost)
            return
        for after, part in self._outcomes(what, unit, args, states):
            new = {**states, name: after}
            more, gone = rest, lost
            if what in ("kill", "break"):
                gone = (*lost, unit) if after is None else lost
            elif after is None:
                more = (*self._missed(new, unit, log, "llmc", len(rest)), *rest)
            elif after.has(marks.BROKEN) and not unit.has(marks.BROKEN):
                more = (*self._missed(new, unit, log, "lltc", len(rest)), *rest)
            yield from self._walk(new, log, share * part, more, gone)

    def _outcomes(
        self, what: object, unit: Unit, args: list[object], states: dict[str, State]
    ) -> list[tuple[State, Fraction]]:
        self._as_after(states)
        others = {name: state for name, state in states.items() if name != unit.id}
        if what == "kill":
            return [(None, ONE)]
        if what == "break":
            return self.broken(unit)
        if what == "reduce":
            return self.reduced(unit)
        if what == "task":
            return self.tasked(unit, self._helped(unit, others))
        if what == "check":
            worse = args[1]
            assert isinstance(worse, int)
            return self.checked(unit, worse + self._helped(unit, others))
        return self.shaken(unit, str(what), cast("Unit", args[1]))

    def _missed(
        self,
        states: dict[str, State],
        leader: Unit,
        log: tuple[Entry, ...],
        kind: str,
        depth: int,
    ) -> tuple[tuple[object, ...], ...]:
        """A leader is lost: other leaders of lower morale check for it, then all others do."""
        if kind == "lltc" and leader.has(marks.PINNED):
            return ()
        number = 1000 * len(log) + depth
        checks = [
            (kind, name, leader)
            for name in self.leaders
            if (one := states[name]) is not None and misses(self.now, leader, one)
        ]
        first, last = (Entry(number, kind, leader, due=due) for due in (False, True))
        return (("log", first), *checks, ("log", last))

    # The others, each by itself

    def _one(
        self,
        name: str,
        result: str,
        chosen: frozenset[str],
        leaders: dict[str, State],
        log: tuple[Entry, ...],
    ) -> list[tuple[State, Fraction]]:
        unit = self.units[name]
        if result.endswith("KIA"):
            if name in chosen:
                return [(None, ONE)]
            return self._through(self.broken(unit), log)
        states: list[tuple[State, Fraction]] = [(unit, ONE)]
        if result.startswith("K/"):
            # Leaders who are hit are missed before the lot falls on those behind them.
            early, late = self._split(log, chosen)
            states = self._through(states, early)
            if name in chosen:
                states = then(states, self.reduced)
            states = self._through(states, late)
            worse = int(result.removeprefix("K/"))
        else:
            states = self._through(states, log)
            if result == "PTC":
                return then(states, lambda one: self.tasked(one, self._helped(one, leaders)))
            worse = 0 if result == "NMC" else int(result.removesuffix("MC"))
        return then(states, lambda one: self.checked(one, worse + self._helped(one, leaders)))

    def _split(
        self, log: tuple[Entry, ...], chosen: frozenset[str]
    ) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        """What comes of leaders hit by the lot, and what of their checks afterwards."""
        hit = sum(name in chosen for name in self.leaders)
        checks = len(self.leaders)
        numbers = {entry.number % 1000 for entry in log}
        early = {n for n in numbers if n >= checks} if hit else set()
        return (
            tuple(entry for entry in log if entry.number % 1000 in early),
            tuple(entry for entry in log if entry.number % 1000 not in early),
        )

    def _through(
        self, states: list[tuple[State, Fraction]], log: tuple[Entry, ...]
    ) -> list[tuple[State, Fraction]]:
        """A unit goes through what the loss of leaders brings."""
        branches: dict[tuple[State, frozenset[int]], Fraction] = defaultdict(Fraction)
        for state, share in states:
            branches[state, frozenset()] += share
        for entry in log:
            after: dict[tuple[State, frozenset[int]], Fraction] = defaultdict(Fraction)
            for (state, bound), share in branches.items():
                if state is None:
                    after[state, bound] += share
                elif not entry.due:
                    lower = misses(self.now, entry.leader, state)
                    after[state, bound | {entry.number} if lower else bound] += share
                elif entry.number not in bound:
                    after[state, bound] += share
                else:
                    for new, part in self.shaken(state, entry.kind, entry.leader):
                        after[new, bound] += share * part
            branches = after
        merged: dict[State, Fraction] = defaultdict(Fraction)
        for (state, _), share in branches.items():
            merged[state] += share
        return list(merged.items())
