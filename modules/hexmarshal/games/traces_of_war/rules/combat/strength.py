"""Section 10.2: strengths, the ratio and its column, before anybody rolls."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.state.situation import ISOLATED, OUT_OF_SUPPLY
from hexmarshal.rules.verdict import Modifier, Step, Strength

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["BELOW", "CUT", "Plan", "column_of", "halved", "plan_of", "portion"]

CUT = 2  # what lack of supply takes off a strength (TOW-8.2a, TOW-8.2b)
BELOW = -1  # the column of a ratio below 1-1


def portion(strength: int, by: int) -> int:
    """TOW-1.3a: a half or a quarter, rounded down."""
    return strength // by


def halved(strength: int) -> int:
    """TOW-1.3a: half, rounded down."""
    return portion(strength, 2)


def column_of(ratios: Sequence[Fraction], attack: int, defense: int) -> int:
    """TOW-10.2c: rounded down to the nearest column; above the last one the last (TOW-10.2d)."""
    ratio = Fraction(attack, defense)
    return sum(1 for lowest in ratios if lowest <= ratio) - 1


@dataclass(frozen=True, slots=True)
class Plan:
    """An attack before air support: strengths, the column of the ratio, the column on the ground.

    `column` is None where the attack is not possible (TOW-10.2f).
    """

    strengths: tuple[Strength, ...]
    attack: int
    defense: int
    base: int
    shifts: tuple[Modifier, ...]
    column: int | None
    steps: tuple[Step, ...]

    @property
    def helpless(self) -> bool:
        """TOW-10.2g: no defense at all: the last column, whatever the ground."""
        return self.defense == 0


def plan_of(now: Situation, attackers: Iterable[Unit], target: str, side: str) -> Plan:
    """Everything about an attack that is known before air support is declared (TOW-10.1)."""
    groups = tuple(_groups(now, attackers, target))
    defenders = now.enemies(target, side)
    # TOW-10.0f: all units in the hex defend, their strengths added.
    guards = tuple(_defence(now, unit) for unit in defenders)
    attack = int(sum(group.counted for group in groups))
    defense = int(sum(guard.counted for guard in guards))
    columns, last = now.tables.columns, len(now.tables.columns) - 1
    steps = [*_printed_by_us(now, (*attackers, *defenders))]
    if defense == 0:
        text = f"{attack} against 0: {columns[last]}, whatever the terrain"
        steps.insert(0, Step(text, "TOW-10.2g"))
        return Plan((*groups, *guards), attack, 0, last, (), last, tuple(steps))
    base = column_of(now.tables.ratios, attack, defense)
    shown = columns[base] if base != BELOW else "below 1-1"
    steps.insert(0, Step(f"{attack} against {defense}: {shown}", "TOW-10.2c"))
    shifts = tuple(_shifts(now, target))
    if ours := [kind for kind in now.board.kinds(target) if now.tables.shift(kind).ours]:
        told = f"what {' and '.join(ours)} shifts is ours, not the rulebook's"
        steps.append(Step(told, "TOW-10.2e"))
    column = base + int(sum(shift.amount for shift in shifts))
    # TOW-10.2f: judged after the terrain and before offensive air support.
    possible = base != BELOW and column >= 0
    strengths = (*groups, *guards)
    settled = column if possible else None
    return Plan(strengths, attack, defense, base, shifts, settled, tuple(steps))


def _groups(now: Situation, attackers: Iterable[Unit], target: str) -> Iterator[Strength]:
    """TOW-1.3b: units of one hex are added, then halved together and rounded down once."""
    by_hex: dict[str, list[Unit]] = {}
    for unit in attackers:
        by_hex.setdefault(unit.cell, []).append(unit)
    for cell, units in by_hex.items():
        # TOW-10.2a: any river, bridged or not; only those who attack across it.
        river = bool(now.board.side(cell, target).river)
        counted, rules = _attack(now, units, river=river)
        names = ", ".join(now.name(unit) for unit in units)
        printed = sum(now.printed(unit).attack for unit in units)
        ids = tuple(unit.id for unit in units)
        yield Strength(f"{cell}: {names}", printed, counted, tuple(rules), ids, "attack")


def _attack(now: Situation, units: list[Unit], *, river: bool) -> tuple[int, list[str]]:
    full = [now.printed(unit).attack for unit in units]
    # TOW-8.2a, TOW-8.2b, TOW-10.2b: 2 off each unit without supply, never below 0.
    short = [unit.has(OUT_OF_SUPPLY) or unit.has(ISOLATED) for unit in units]
    rules = ["TOW-10.2b"] if any(short) else []
    cut = [max(0, f - CUT) if s else f for f, s in zip(full, short, strict=True)]
    if not river:
        return sum(cut), rules
    rules.append("TOW-10.2a")
    if now.option("supply_before_river") == "yes":
        return halved(sum(cut)), rules
    return max(0, halved(sum(full)) - CUT * sum(short)), rules


def _defence(now: Situation, unit: Unit) -> Strength:
    printed = now.printed(unit).defense
    # TOW-8.2a: out of supply does not weaken a defense. TOW-8.2b: isolation does.
    weak = unit.has(ISOLATED)
    counted = max(0, printed - CUT) if weak else printed
    rules = ("TOW-10.2b",) if weak else ()
    return Strength(now.name(unit), printed, counted, rules, (unit.id,), "defense")


def _shifts(now: Situation, target: str) -> Iterator[Modifier]:
    """TOW-10.2e: what the defender's ground gives, added up."""
    for kind in now.board.kinds(target):
        shift = int(now.tables.shift(kind).number)
        if shift:
            yield Modifier(kind, -shift, "TOW-10.2e", to="column")


def _printed_by_us(now: Situation, units: Iterable[Unit]) -> Iterator[Step]:
    """That values of counters are ours, where they are."""
    ours = [u for u in units if "ladder" in _ours(u)]
    if ours:
        names = ", ".join(now.name(unit) for unit in ours)
        yield Step(f"the strengths of {names} are ours, not the rulebook's")


def _ours(unit: Unit) -> tuple[object, ...]:
    found = unit.values.get("ours")
    return found if isinstance(found, tuple) else ()
