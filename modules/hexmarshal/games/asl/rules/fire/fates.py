"""What a result does to one unit: every state that it can end in, with its chance."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from hexmarshal.games.asl.rules.heat_of_battle import heat
from hexmarshal.games.asl.rules.morale.checks import (
    Fate,
    can_break,
    exposed_to_pin,
    fate_of_check,
    fate_of_task,
)
from hexmarshal.games.asl.rules.morale.results import loss_of
from hexmarshal.games.asl.rules.quality.elr import beyond_elr, replaced, replacement
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import is_commissar
from hexmarshal.rules.copying import copied

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.games.asl.state.tables import Counter
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["ONE", "ROLLS", "Fates", "State", "then"]

ROLLS: Final = tuple((a, b) for a in range(1, 7) for b in range(1, 7))
_SUMS: Final = tuple((n, Fraction(6 - abs(7 - n), 36)) for n in range(2, 13))
ONE: Final = Fraction(1)
_GONE: Final = "eliminated"
_TOLD: Final = (
    marks.BROKEN, marks.PINNED, marks.DISRUPTED, marks.CAPTURED, marks.BERSERK, marks.HEROIC,
    marks.FANATIC,
)  # fmt: skip

State: TypeAlias = "Unit | None"


class Fates:
    """What befalls single units in a situation; `now` may change, `start` is where it began."""

    def __init__(self, now: Situation) -> None:
        self.start = self.now = now
        self._checks: dict[tuple[int, Unit, int, bool], list[tuple[State, Fraction]]] = {}

    def told(self, before: Unit, state: State) -> str:
        """What a state is called, beside the one that the unit began in."""
        if state is None:
            return _GONE
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

    def reduced(self, unit: Unit) -> list[tuple[State, Fraction]]:
        """ASL-IFT-3, ASL-WOUND-1: casualties."""
        counter = self.now.counter(unit)
        if counter.is_smc:
            light = Fraction(3 if unit.has(marks.WOUNDED) else 4, 6)
            return [(_with(unit, marks.WOUNDED), light), (None, 1 - light)]
        if counter.kind == "squad":
            return [(copied(unit, type=counter.after_casualties), ONE)]
        return [(None, ONE)]

    def broken(self, unit: Unit) -> list[tuple[State, Fraction]]:
        """ASL-BROK-1: broken, or reduced if it cannot be."""
        if not can_break(self.now, unit):
            return self.reduced(unit)
        return [(_with(unit, marks.BROKEN, without=marks.PINNED), ONE)]

    def suffered(self, unit: Unit, fate: Fate, *, beyond: bool) -> list[tuple[State, Fraction]]:
        """What the fate of a check makes of a unit; `beyond` its ELR."""
        if beyond:
            return self.replaced(unit, fate)
        match fate:
            case Fate.PINNED:
                return [(_with(unit, marks.PINNED), ONE)]
            case Fate.BROKEN:
                return self.broken(unit)
            case Fate.REDUCED:
                return self.reduced(unit)
            case Fate.REDUCED_AND_BROKEN:
                return [
                    (after, share * part)
                    for state, share in self.reduced(unit)
                    for after, part in ([(None, ONE)] if state is None else self.broken(state))
                ]
            case Fate.ELIMINATED:
                return [(None, ONE)]
        return [(unit, ONE)]

    def replaced(self, unit: Unit, fate: Fate) -> list[tuple[State, Fraction]]:
        """ASL-A19.13a, ASL-A19.13d: a lesser unit, broken, and reduced before that by a 12."""
        less = replaced(self.now, unit)
        states: list[tuple[State, Fraction]] = [(less, ONE)]
        if fate is Fate.REDUCED_AND_BROKEN and not replacement(self.now, unit).twice:
            states = self.reduced(less)
        return then(states, self.broken)

    def heated(self, unit: Unit, *, broken: bool) -> list[tuple[State, Fraction]]:
        """ASL-A15.1b: what an original 2 brings besides."""
        if heat.is_exempt(self.now, unit):
            return [(unit, ONE)]
        amount = sum(int(m.amount) for m in heat.modifiers_of(self.now, unit, broken=broken))
        found: dict[State, Fraction] = defaultdict(Fraction)
        for roll, chance in _SUMS:
            result = heat.heat_of(self.now, unit, roll + amount)
            found[heat.after(self.now, unit, result)] += chance
        return list(found.items())

    def carried(self, unit: Unit, leader: Unit) -> list[tuple[State, Fraction]]:
        """ASL-A15.42b, ASL-NAT-COM: whether a berserk leader carries a unit away."""
        if unit.id == leader.id or heat.is_exempt(self.now, unit) or unit.has(marks.CAPTURED):
            return [(unit, ONE)]
        raving = heat.after(self.now, unit, heat.Heat(berserk=True))
        if is_commissar(self.now, leader):
            return [(raving, ONE)]
        least = self.now.morale(unit) - self.now.leadership(leader, unit)
        share = Fraction(sum(a + b <= least for a, b in ROLLS), 36)
        return [(raving, share), (unit, 1 - share)]

    def checked(self, unit: Unit, worse: int, *, pins: bool = True) -> list[tuple[State, Fraction]]:
        """ASL-IFT-4, ASL-A15.1a: a morale check, with the heat of battle that a 2 brings."""
        key = (id(self.now), unit, worse, pins)
        if key not in self._checks:
            found: dict[State, Fraction] = defaultdict(Fraction)
            for roll, chance in _SUMS:
                fate = fate_of_check(self.now, unit, roll, roll + worse, pins=pins)
                beyond = beyond_elr(self.now, unit, roll + worse, fate)
                states = self.suffered(unit, fate, beyond=beyond)
                if roll == heat.LUCKY:
                    broken = unit.has(marks.BROKEN)
                    states = then(states, partial(self.heated, broken=broken))
                for state, share in states:
                    found[state] += share * chance
            self._checks[key] = list(found.items())
        return self._checks[key]

    def tasked(self, unit: Unit, worse: int) -> list[tuple[State, Fraction]]:
        """ASL-IFT-5: a task check that pins."""
        if not exposed_to_pin(self.now, unit):
            return [(unit, ONE)]
        failed = sum(fate_of_task(self.now, unit, a + b + worse) is Fate.PINNED for a, b in ROLLS)
        share = Fraction(failed, 36)
        return [(_with(unit, marks.PINNED), share), (unit, 1 - share)]

    def shaken(self, unit: Unit, kind: str, leader: Unit) -> list[tuple[State, Fraction]]:
        """ASL-LLMC-1, ASL-LLTC-1: what the loss of a leader does to one who misses him."""
        worse = loss_of(self.now, leader, unit)
        if kind == "llmc":
            return self.checked(unit, worse, pins=False)
        return self.tasked(unit, worse)


def _worth(counter: Counter) -> int:
    return counter.fp + counter.range + 4 * counter.morale - counter.leadership


def _worth_of_half(fates: Fates, counter: Counter) -> int:
    return _worth(fates.start.tables.counters[counter.half]) if counter.half else 0


def _with(unit: Unit, flag: str, without: str = "") -> Unit:
    return copied(unit, flags=(unit.flags | {flag}) - {without})


def then(
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
