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
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from hexmarshal.games.asl.rules.fire.attack import aim, read
from hexmarshal.games.asl.rules.fire.cowering import cowers_by
from hexmarshal.games.asl.rules.heat_of_battle import heat
from hexmarshal.games.asl.rules.morale.checks import (
    Fate,
    can_break,
    exposed_to_pin,
    fate_of_check,
    fate_of_task,
    leader_helping,
)
from hexmarshal.games.asl.rules.morale.results import in_order, loss_of, misses
from hexmarshal.games.asl.rules.quality.elr import beyond_elr, replaced, replacement
from hexmarshal.games.asl.state import marks
from hexmarshal.games.asl.state.situation import Situation
from hexmarshal.games.asl.state.traits import is_commissar
from hexmarshal.rules.copying import copied
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hexmarshal.games.asl.rules.fire.shot import Shot
    from hexmarshal.games.asl.state.tables import Counter
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["result_odds", "unit_odds"]

_ROLLS: Final = tuple((a, b) for a in range(1, 7) for b in range(1, 7))
_SUMS: Final = tuple((n, Fraction(6 - abs(7 - n), 36)) for n in range(2, 13))
_ONE: Final = Fraction(1)
_GONE: Final = "eliminated"
_TOLD: Final = (
    marks.BROKEN, marks.PINNED, marks.DISRUPTED, marks.CAPTURED, marks.BERSERK, marks.HEROIC,
    marks.FANATIC,
)  # fmt: skip

Odds: TypeAlias = "dict[str, Fraction]"
State: TypeAlias = "Unit | None"


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
    for dice in _ROLLS:
        found[read(now.tables.fire, aimed, dice, cower).results[0][0]] += Fraction(1, 36)
    return dict(found)


def unit_odds(now: Situation, shot: Shot) -> dict[str, Odds]:
    """What becomes of each unit in the target."""
    aimed = aim(now, shot)
    cower = cowers_by(now, shot)
    weights: dict[tuple[tuple[str, tuple[str, ...]], ...], int] = defaultdict(int)
    for dice in _ROLLS:
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
        yield frozenset(names), _ONE
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


class Chain:
    """The units of one class of targets, and what results do to them."""

    def __init__(self, now: Situation, names: Sequence[str]) -> None:
        self.start = self.now = now
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
        self._checks: dict[tuple[int, Unit, int, bool], list[tuple[State, Fraction]]] = {}
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
            return {name: {self.told(name, unit): _ONE} for name, unit in self.units.items()}
        found: dict[str, Odds] = {name: defaultdict(Fraction) for name in self.order}
        for chosen, chance in self._chosen(result):
            for leaders, log, share, raging in self._leaders(result, chosen):
                self._as_after(leaders)
                for name in self.leaders:
                    found[name][self.told(name, leaders[name])] += chance * share
                for name in self.rest:
                    states = self._one(name, result, chosen, leaders, log)
                    for leader in raging:
                        states = _then(states, partial(self._carried, leader=leader))
                    for state, part in states:
                        found[name][self.told(name, state)] += chance * share * part
        return {name: dict(fates) for name, fates in found.items()}

    def _chosen(self, result: str) -> Iterable[tuple[frozenset[str], Fraction]]:
        if result.endswith("KIA"):
            return lots(self.order, int(result.removesuffix("KIA")))
        if result.startswith("K/"):
            return lots(self.order, 1)
        return ((frozenset(), _ONE),)

    def told(self, name: str, state: State) -> str:
        """What a state is called, beside the one that the unit began in."""
        if state is None:
            return _GONE
        before = self.units[name]
        words = self._told_of_type(before, state)
        if state.has(marks.WOUNDED) and not before.has(marks.WOUNDED):
            words.append("wounded")
        words += [flag for flag in _TOLD if state.has(flag) and not before.has(flag)]
        if state.values.get("hero") is True and before.values.get("hero") is not True:
            words.append("with a hero")
        if before.has(marks.BROKEN) and not state.has(marks.BROKEN):
            words.append("rallied")
        return " and ".join(words) or "unchanged"

    def _told_of_type(self, before: Unit, state: Unit) -> list[str]:
        """Whether it is reduced, replaced or hardened, by what it began as."""
        if state.type == before.type:
            return []
        one, two = self.start.counter(before), self.start.counter(state)
        if one.kind != two.kind or one.after_casualties == two.key:
            words = ["reduced"]
            if two.key not in (one.half, one.reduced):
                words.append("hardened" if _worth(two) > _worth_of_half(self, one) else "replaced")
            return words
        return ["hardened" if _worth(two) > _worth(one) else "replaced"]

    # Fates of single units

    def _reduced(self, unit: Unit) -> list[tuple[State, Fraction]]:
        counter = self.now.counter(unit)
        if counter.is_smc:
            light = Fraction(3 if unit.has(marks.WOUNDED) else 4, 6)
            return [(_with(unit, marks.WOUNDED), light), (None, 1 - light)]
        if counter.kind == "squad":
            return [(copied(unit, type=counter.after_casualties), _ONE)]
        return [(None, _ONE)]

    def _broken(self, unit: Unit) -> list[tuple[State, Fraction]]:
        if not can_break(self.now, unit):
            return self._reduced(unit)
        return [(_with(unit, marks.BROKEN, without=marks.PINNED), _ONE)]

    def _suffered(self, unit: Unit, fate: Fate, *, beyond: bool) -> list[tuple[State, Fraction]]:
        if beyond:
            return self._replaced(unit, fate)
        match fate:
            case Fate.PINNED:
                return [(_with(unit, marks.PINNED), _ONE)]
            case Fate.BROKEN:
                return self._broken(unit)
            case Fate.REDUCED:
                return self._reduced(unit)
            case Fate.REDUCED_AND_BROKEN:
                return [
                    (after, share * part)
                    for state, share in self._reduced(unit)
                    for after, part in ([(None, _ONE)] if state is None else self._broken(state))
                ]
            case Fate.ELIMINATED:
                return [(None, _ONE)]
        return [(unit, _ONE)]

    def _replaced(self, unit: Unit, fate: Fate) -> list[tuple[State, Fraction]]:
        """ASL-A19.13a, ASL-A19.13d: a lesser unit, broken, and reduced before that by a 12."""
        less = replaced(self.now, unit)
        states: list[tuple[State, Fraction]] = [(less, _ONE)]
        if fate is Fate.REDUCED_AND_BROKEN and not replacement(self.now, unit).twice:
            states = self._reduced(less)
        return _then(states, self._broken)

    def _heated(self, unit: Unit, *, broken: bool) -> list[tuple[State, Fraction]]:
        """ASL-A15.1b: what an original 2 brings besides."""
        if heat.is_exempt(self.now, unit):
            return [(unit, _ONE)]
        amount = sum(int(m.amount) for m in heat.modifiers_of(self.now, unit, broken=broken))
        found: dict[State, Fraction] = defaultdict(Fraction)
        for roll, chance in _SUMS:
            result = heat.heat_of(self.now, unit, roll + amount)
            found[heat.after(self.now, unit, result)] += chance
        return list(found.items())

    def _carried(self, unit: Unit, leader: Unit) -> list[tuple[State, Fraction]]:
        """ASL-A15.42b, ASL-NAT-COM: whether a berserk leader carries a unit away."""
        if unit.id == leader.id or heat.is_exempt(self.now, unit) or unit.has(marks.CAPTURED):
            return [(unit, _ONE)]
        raving = heat.after(self.now, unit, heat.Heat(berserk=True))
        if is_commissar(self.now, leader):
            return [(raving, _ONE)]
        least = self.now.morale(unit) - self.now.leadership(leader, unit)
        share = Fraction(sum(a + b <= least for a, b in _ROLLS), 36)
        return [(raving, share), (unit, 1 - share)]

    def _checked(
        self, unit: Unit, worse: int, *, pins: bool = True
    ) -> list[tuple[State, Fraction]]:
        key = (id(self.now), unit, worse, pins)
        if key not in self._checks:
            found: dict[State, Fraction] = defaultdict(Fraction)
            for roll, chance in _SUMS:
                fate = fate_of_check(self.now, unit, roll, roll + worse, pins=pins)
                beyond = beyond_elr(self.now, unit, roll + worse, fate)
                states = self._suffered(unit, fate, beyond=beyond)
                if roll == heat.LUCKY:
                    broken = unit.has(marks.BROKEN)
                    states = _then(states, partial(self._heated, broken=broken))
                for state, share in states:
                    found[state] += share * chance
            self._checks[key] = list(found.items())
        return self._checks[key]

    def _tasked(self, unit: Unit, worse: int) -> list[tuple[State, Fraction]]:
        if not exposed_to_pin(self.now, unit):
            return [(unit, _ONE)]
        failed = sum(fate_of_task(self.now, unit, a + b + worse) is Fate.PINNED for a, b in _ROLLS)
        share = Fraction(failed, 36)
        return [(_with(unit, marks.PINNED), share), (unit, 1 - share)]

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
        for states, log, share in self._walk(start, (), _ONE, todo, ()):
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
            yield states, _ONE, done
            return
        leader = states[queue[0]]
        assert leader is not None
        ways: list[tuple[dict[str, State], Fraction, list[str]]] = [(states, _ONE, queue[1:])]
        for name in self.leaders:
            after: list[tuple[dict[str, State], Fraction, list[str]]] = []
            for world, share, rest in ways:
                unit = world[name]
                if unit is None:
                    after.append((world, share, rest))
                    continue
                for state, part in self._carried(unit, leader):
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
            return [(None, _ONE)]
        if what == "break":
            return self._broken(unit)
        if what == "reduce":
            return self._reduced(unit)
        if what == "task":
            return self._tasked(unit, self._helped(unit, others))
        if what == "check":
            worse = args[1]
            assert isinstance(worse, int)
            return self._checked(unit, worse + self._helped(unit, others))
        return self._shaken(unit, str(what), cast("Unit", args[1]))

    def _shaken(self, unit: Unit, kind: str, leader: Unit) -> list[tuple[State, Fraction]]:
        """ASL-LLMC-1, ASL-LLTC-1: what the loss of a leader does to one who misses him."""
        worse = loss_of(self.now, leader, unit)
        if kind == "llmc":
            return self._checked(unit, worse, pins=False)
        return self._tasked(unit, worse)

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
                return [(None, _ONE)]
            return self._through(self._broken(unit), log)
        states: list[tuple[State, Fraction]] = [(unit, _ONE)]
        if result.startswith("K/"):
            # Leaders who are hit are missed before the lot falls on those behind them.
            early, late = self._split(log, chosen)
            states = self._through(states, early)
            if name in chosen:
                states = _then(states, self._reduced)
            states = self._through(states, late)
            worse = int(result.removeprefix("K/"))
        else:
            states = self._through(states, log)
            if result == "PTC":
                return _then(states, lambda one: self._tasked(one, self._helped(one, leaders)))
            worse = 0 if result == "NMC" else int(result.removesuffix("MC"))
        return _then(states, lambda one: self._checked(one, worse + self._helped(one, leaders)))

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
                    for new, part in self._shaken(state, entry.kind, entry.leader):
                        after[new, bound] += share * part
            branches = after
        merged: dict[State, Fraction] = defaultdict(Fraction)
        for (state, _), share in branches.items():
            merged[state] += share
        return list(merged.items())


def _worth(counter: Counter) -> int:
    return counter.fp + counter.range + 4 * counter.morale - counter.leadership


def _worth_of_half(chain: Chain, counter: Counter) -> int:
    return _worth(chain.start.tables.counters[counter.half]) if counter.half else 0


def _with(unit: Unit, flag: str, without: str = "") -> Unit:
    return copied(unit, flags=(unit.flags | {flag}) - {without})


def _then(
    states: list[tuple[State, Fraction]], step: Callable[[Unit], list[tuple[State, Fraction]]]
) -> list[tuple[State, Fraction]]:
    """Each state that is left goes on by a step of its own."""
    found: dict[State, Fraction] = defaultdict(Fraction)
    for state, share in states:
        if state is None:
            found[None] += share
            continue
        for after, part in step(state):
            found[after] += share * part
    return list(found.items())
