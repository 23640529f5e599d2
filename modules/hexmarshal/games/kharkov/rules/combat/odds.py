"""Sections 9.3, 9.8 and 9.9: strengths, the column, its shifts, and the exact chances."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.combat import integration, unrevealed
from hexmarshal.games.kharkov.rules.command import supply
from hexmarshal.games.kharkov.state.situation import SOVIET, other
from hexmarshal.rules.copying import quick
from hexmarshal.rules.odds import Distribution
from hexmarshal.rules.verdict import Modifier, Resolution, Step, Strength

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["Battle", "Factors", "Plan", "base_column", "plan"]

LONE_HEADQUARTERS = 1


@quick
@dataclass(frozen=True, slots=True)
class Battle:
    """An attack or an overrun as it was declared."""

    kind: str
    side: str
    attackers: tuple[Unit, ...]
    targets: tuple[str, ...]
    air_attack: bool = False
    air_defence: bool = False

    @property
    def overrun(self) -> bool:
        """Movement, not combat: no air points, no morale (KHA-7.21)."""
        return self.kind == "overrun"


@quick
@dataclass(frozen=True, slots=True)
class Factors:
    """What is done to a unit's printed value: doublings first, then halvings (KHA-9.35)."""

    doubled: tuple[str, ...] = ()
    halved: tuple[str, ...] = ()
    minimum: str = "always"

    def counts(self, value: int) -> int:
        """The value as it counts; each halving drops its fraction, unit by unit (KHA-9.32)."""
        for _ in self.doubled:
            value *= 2  # KHA-9.34: effects are cumulative
        for rule in self.halved:
            half = value // 2
            if not half and value and (self.minimum == "always" or rule == "KHA-11.43"):
                half = 1  # KHA-11.43: no unit falls below 1
            value = half
        return value

    @property
    def rules(self) -> tuple[str, ...]:
        """All of them, in order."""
        return (*self.doubled, *self.halved)


def _attack_factors(now: Situation, unit: Unit, battle: Battle) -> Factors:
    doubled = [rule] if (rule := integration.doubling(now, unit, "attack")) else []
    halved = []
    sides = (now.board.side(unit.cell, target) for target in battle.targets)
    if any(side.major for side in sides):
        halved.append("KHA-9.32")
    if battle.overrun:
        halved.append("KHA-7.0-P")
    elif not supply.supplied(now, unit):
        halved.append("KHA-11.43")  # KHA-11.42: as it stands at this moment; always last
    return Factors(tuple(doubled), tuple(halved), str(now.option("minimum_one")))


def _defence_factors(now: Situation, unit: Unit) -> Factors:
    doubled = ["KHA-9.31"] if now.tables.defence(now.board.terrain.get(unit.cell, "")) > 1 else []
    if rule := integration.doubling(now, unit, "defence"):
        doubled.append(rule)
    halved = []
    if now.fights(unit) and not supply.supplied(now, unit):
        halved.append("KHA-11.43")  # KHA-7.22, KHA-10.25
    return Factors(tuple(doubled), tuple(halved), str(now.option("minimum_one")))


def defenders(now: Situation, battle: Battle) -> tuple[Unit, ...]:
    """Everybody in the hexes attacked: nobody is kept out (KHA-9.21)."""
    side = other(battle.side)
    return tuple(u for t in battle.targets for u in now.at(t, side) if u.type != "reserve")


def exempt(battle: Battle, unit: Unit) -> bool:
    """A unit that fell back onto others this phase adds nothing to them (KHA-9.65)."""
    return not battle.overrun and unit.has("fled")


@quick
@dataclass(frozen=True, slots=True)
class Plan:
    """A battle before its dice: what is known of strengths, and the chances of each column."""

    battle: Battle
    strengths: tuple[Strength, ...]
    modifiers: tuple[Modifier, ...]
    steps: tuple[Step, ...]
    base: Distribution[int]
    shift: int
    morale: tuple[int, ...]
    die: int
    names: tuple[str, ...]

    def column(self, base: int, morale: int = 0) -> int:
        """The column after all shifts: they are added up before the table's ends cut them off."""
        return max(0, min(base + self.shift + morale, len(self.names) - 1))

    def columns(self) -> Distribution[int]:
        """The chances of each column before morale."""
        return self.base.map(self.column)

    def resolution(self) -> Resolution:
        """The plan as an account; a column stands in it where there is but one."""
        columns = self.columns()
        base = self.names[next(iter(self.base))] if len(self.base) == 1 else ""
        column = self.names[next(iter(columns))] if len(columns) == 1 else ""
        return Resolution(
            self.battle.kind,
            strengths=self.strengths,
            base_column=base,
            column=column,
            modifiers=self.modifiers,
            steps=self.steps,
        )

    def results(self, result: Callable[[int, int], str]) -> Distribution[str]:
        """The exact chances of each result: draws, morale die and combat die."""
        shifts = Distribution.uniform(self.morale or (0,))
        columns = self.base.joined(shifts, self.column)
        return columns.joined(Distribution.die(6), lambda c, d: result(c, d + self.die))


def plan(now: Situation, battle: Battle) -> Plan:
    """The arithmetic of a battle, step by step, as the book orders it."""
    strengths: list[Strength] = []
    unknown: dict[str, list[tuple[Unit, Callable[[int], int]]]] = {"attack": [], "defence": []}
    for unit in battle.attackers:
        factors = _attack_factors(now, unit, battle)
        _add(now, unit, factors, "attack", strengths, unknown)
    for unit in defenders(now, battle):
        if exempt(battle, unit):
            value = now.printed(unit)[1]
            strengths.append(Strength(unit.id, value, 0, ("KHA-9.65",), (unit.id,), "defence"))
            continue
        if unit.type == "hq":
            strengths += _headquarters(now, unit)
            continue
        _add(now, unit, _defence_factors(now, unit), "defence", strengths, unknown)
    strengths += _garrisons(now, battle)
    attack = sum(int(s.counted) for s in strengths if s.role == "attack")
    defence = sum(int(s.counted) for s in strengths if s.role == "defence")
    columns = now.tables.columns
    if unknown["attack"] or unknown["defence"]:
        more_attack = unrevealed.totals(now, unknown["attack"], "attack")
        more_defence = unrevealed.totals(now, unknown["defence"], "defence")
        base = more_attack.joined(
            more_defence, lambda a, d: base_column(columns, attack + a, defence + d)
        )
    else:
        base = Distribution.certain(base_column(columns, attack, defence))
    modifiers = tuple(_shifts(now, battle))
    shift = sum(int(m.amount) for m in modifiers if m.to == "column")
    steps = []
    if not unknown["attack"] and not unknown["defence"]:
        name = columns[next(iter(base))]
        steps.append(Step(f"{attack} against {defence}: {name}", "KHA-9.0-P"))
    else:
        steps.append(Step(f"{attack} against {defence}, and units not revealed", "KHA-12.0"))
    morale = _morale(now, battle)
    die = sum(int(m.amount) for m in modifiers if m.to == "die")
    return Plan(
        battle, tuple(strengths), modifiers, tuple(steps), base, shift, morale, die, columns
    )


def _add(
    now: Situation,
    unit: Unit,
    factors: Factors,
    role: str,
    strengths: list[Strength],
    unknown: dict[str, list[tuple[Unit, Callable[[int], int]]]],
) -> None:
    if not now.revealed(unit):
        unknown[role].append((unit, factors.counts))
        return
    value = now.printed(unit)[0 if role == "attack" else 1]
    counted = factors.counts(value)
    strengths.append(Strength(unit.id, value, counted, factors.rules, (unit.id,), role))


def _headquarters(now: Situation, hq: Unit) -> Iterator[Strength]:
    """KHA-10.13: with others it adds nothing; KHA-10.14: alone it defends with 1."""
    if not now.fighters(hq.cell, hq.side):
        factors = _defence_factors(now, hq)
        counted = factors.counts(LONE_HEADQUARTERS)
        rules = ("KHA-10.14", *factors.rules)
        yield Strength(hq.id, LONE_HEADQUARTERS, counted, rules, (hq.id,), "defence")


def _garrisons(now: Situation, battle: Battle) -> Iterator[Strength]:
    """KHA-15.33: a garrison adds its value; KHA-15.32: no city doubles it."""
    if battle.side != SOVIET:
        return
    for cell in battle.targets:
        if value := now.garrison(cell):
            label = f"garrison of {cell}"
            yield Strength(label, value, value, ("KHA-15.32", "KHA-15.33"), (), "defence")


@lru_cache(maxsize=8)
def _ratios(columns: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    pairs = (name.split("-") for name in columns)
    return tuple((int(a), int(d)) for a, d in pairs)


def base_column(columns: tuple[str, ...], attack: int, defence: int) -> int:
    """The column of the odds, in the defender's favour and within the table.

    KHA-9.0-P for the rounding, KHA-9.83 for the ends.
    """
    if defence <= 0:
        return len(columns) - 1
    best = 0
    for i, (a, d) in enumerate(_ratios(columns)):
        if attack * d >= a * defence:
            best = i
    return best


def _shifts(now: Situation, battle: Battle) -> Iterator[Modifier]:
    armour = _armour(now, battle)
    if armour:
        yield Modifier("armour superiority", armour, "KHA-9.9", to="column")
    if battle.air_attack:
        yield Modifier("attacker's air point", 1, "KHA-13.14", to="column")
    if battle.air_defence:
        yield Modifier("defender's air point", -1, "KHA-13.14", to="column")
    if rivers := _river_die(now, battle):
        yield Modifier("all attack across rivers", rivers, "KHA-9.33", to="die")


def _armour(now: Situation, battle: Battle) -> int:
    """KHA-9.9: one column for the side that alone has armour."""
    attacking = any(now.kind(u).armour for u in battle.attackers)
    defending = any(now.kind(u).armour for u in defenders(now, battle) if not exempt(battle, u))
    return int(attacking) - int(defending)


def _river_die(now: Situation, battle: Battle) -> int:
    """KHA-9.33: everybody crosses a river, and not everybody a major one.

    Of several hexes attacked one across a river is enough, or by the switch all must lie so.
    """
    minor = False
    every = now.option("river_die") == "every"
    for unit in battle.attackers:
        rivers = {now.board.side(unit.cell, target).river for target in battle.targets}
        if rivers <= {""} or (every and "" in rivers):
            return 0
        minor = minor or "river" in rivers
    return int(now.tables.terrain["sides"]["river"].get("die", 0)) if minor else 0


def _morale(now: Situation, battle: Battle) -> tuple[int, ...]:
    """KHA-9.81: Soviet attacks of the first turns; never in defence or in an overrun."""
    if battle.side != SOVIET or battle.overrun:
        return ()
    return now.tables.morale(now.turn)
