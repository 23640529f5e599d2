"""KHA-15.0-G: divisions in regiments, regiments in strongpoints."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.frames import HAND
from hexmarshal.games.kharkov.rules.movement.moving_group import in_hand
from hexmarshal.games.kharkov.state.situation import AXIS
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit, PopFrame
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "break_down",
    "check_break_down",
    "check_dig_in",
    "dig_in",
    "division_violations",
    "recombine",
    "regiments_violations",
]


# What a unit keeps when it breaks down or is formed again.
LASTING = frozenset({"unsupplied", "activated", "arrived", "disrupted", "southern", "stopped"})


def regiments_for(now: Situation, unit: Unit) -> tuple[str, ...]:
    """What the division breaks down into at its strength (KHA-15.11); nothing if not listed."""
    kind = unit.type
    if kind == "mountain" and now.option("mountain_breaks_down"):
        kind = "light"
    for row in now.tables.breakdown["rows"]:
        if row["type"] == kind and row["strength"] == now.strength(unit):
            return tuple(row["regiments"])
    return ()


def _unmoved(now: Situation, unit: Unit) -> bool:
    return not unit.has("moved") and unit.id not in in_hand(now).units


def check_break_down(now: Situation, unit: Unit) -> Verdict:
    """Everything wrong with breaking a division down; enemy zones are no bar (KHA-15.13)."""
    return Verdict(tuple(_break_down(now, unit)))


def _break_down(now: Situation, unit: Unit) -> Iterator[Violation]:
    mine = (unit.id,)
    if unit.side != AXIS or not unit.cell:
        yield Violation("KHA-15.1", f"{unit.id} is no Axis unit on the map", units=mine)
        return
    parts = regiments_for(now, unit)
    if not parts:
        text = f"{unit.id} ({now.strength(unit)}) does not break down"
        yield Violation("KHA-15.11", text, units=mine)
    if not _unmoved(now, unit):
        yield Violation("KHA-15.11", f"{unit.id} has moved", units=mine)
    if len(now.position.in_box("regiments")) < len(parts):
        # KHA-15.15: fifteen counters and no more
        yield Violation("KHA-15.15", "not enough regiments left", units=mine)
    others = len(now.fighters(unit.cell, AXIS)) - 1
    if others + len(parts) > now.tables.schedule["stacking"]:
        text = "more than three units would be in the hex"
        yield Violation("KHA-15.13", text, units=mine, cells=(unit.cell,))


def break_down(play: Play, unit: Unit) -> None:
    """Regiments take the division's place, at no cost; they may move at once (KHA-15.11).

    At set-up too (KHA-5.13).
    """
    now = play.now
    parts = regiments_for(now, unit)
    free = now.position.in_box("regiments")[: len(parts)]
    carried = {k: v for k in ("group", "began") if (v := unit.value(k)) is not None}
    marks = unit.flags & LASTING
    play.do(MoveUnit(unit.id, box="broken-down"), ChangeUnit(unit.id, unflags=unit.flags))
    for regiment, strength in zip(free, parts, strict=True):
        values: dict[str, Value] = {**carried, "ladder": (strength,)}
        play.do(
            MoveUnit(regiment.id, unit.cell),
            ChangeUnit(regiment.id, steps=1, flags=marks, values=FrozenMap(values)),
        )


def rows_for(now: Situation, division: Unit) -> Iterator[tuple[int, list[str]]]:
    """The step and the regiments, by strength, of each way to form this division again."""
    kind = division.type
    if kind == "mountain" and now.option("mountain_breaks_down"):
        kind = "light"
    ladder = now.ladder(division)
    for row in now.tables.breakdown["rows"]:
        if row["type"] == kind and row["strength"] in ladder:
            steps = len(ladder) - ladder.index(row["strength"])
            yield steps, sorted(row["regiments"])


def _steps(now: Situation, units: Sequence[Unit], division: Unit) -> int:
    have = sorted(now.strength(u) for u in units)
    return next((steps for steps, parts in rows_for(now, division) if parts == have), 0)


def regiments_violations(units: Sequence[Unit]) -> Iterator[Violation]:
    """What is wrong with these forming any division (KHA-15.12)."""
    ids = tuple(u.id for u in units)
    if not _regiments(units):
        yield Violation("KHA-15.12", "regiments on the map, each once", units=ids)
    elif len({u.cell for u in units}) != 1:
        yield Violation("KHA-15.12", "they must be in one hex", units=ids)


def _regiments(units: Sequence[Unit]) -> bool:
    once = len({u.id for u in units}) == len(units)
    return once and all(u.type == "regiment" and u.cell for u in units)


def division_violations(
    now: Situation, units: Sequence[Unit], division: Unit
) -> Iterator[Violation]:
    """What is wrong with these forming that one."""
    ids = tuple(u.id for u in units)
    if division.box != "broken-down":
        text = f"{division.id} is not among the divisions broken down"
        yield Violation("KHA-15.12", text, units=(division.id,))
    if _regiments(units) and not _steps(now, units, division):
        # KHA-15.11, read the other way round
        text = f"these do not make up {division.id}"
        yield Violation("KHA-15.11", text, units=ids, cured_by=("units",))


def recombine(play: Play, units: Sequence[Unit], division: Unit) -> None:
    """The division stands where they met; their movement is over (KHA-15.12)."""
    now = play.now
    steps = _steps(now, units, division)
    cell = units[0].cell
    marks = frozenset({"moved"})
    for flag in sorted(LASTING):
        if any(u.has(flag) for u in units):
            marks |= {flag}
    hand = in_hand(now)
    if set(hand.units) & {u.id for u in units}:
        left = tuple(u for u in hand.units if u not in {r.id for r in units})
        play.flag(left, "moved")
        play.do(PopFrame(HAND))
    group = units[0].value("group")
    for unit in units:
        blank = FrozenMap(dict.fromkeys(unit.values))
        play.do(
            MoveUnit(unit.id, box="regiments"),
            ChangeUnit(unit.id, unflags=unit.flags, values=blank),
        )
    play.do(MoveUnit(division.id, cell), ChangeUnit(division.id, steps=steps, flags=marks))
    if group is not None:
        play.do(ChangeUnit(division.id, values=FrozenMap({"group": group}), unflags=marks))


def recombinations(now: Situation) -> Iterator[tuple[tuple[Unit, ...], Unit]]:
    """Every way to form a division again."""
    boxed = now.position.in_box("broken-down")
    if not boxed:
        return
    formed = [(unit, [parts for _, parts in rows_for(now, unit)]) for unit in boxed]
    stacks: dict[str, list[Unit]] = {}
    for unit in now.position.of_type(AXIS, "regiment"):
        if unit.cell:
            stacks.setdefault(unit.cell, []).append(unit)
    for _, stack in sorted(stacks.items()):
        for size in (2, 3):
            for units in combinations(stack, size):
                have = sorted(now.strength(u) for u in units)
                for division, ways in formed:
                    if have in ways:
                        yield units, division


# Strongpoints


def check_dig_in(now: Situation, unit: Unit) -> Verdict:
    """KHA-15.21 and KHA-15.22; supply is not needed."""
    return Verdict(tuple(_dig_in(now, unit)))


def _dig_in(now: Situation, unit: Unit) -> Iterator[Violation]:
    mine = (unit.id,)
    if unit.type != "regiment" or not unit.cell:
        yield Violation("KHA-15.21", f"{unit.id} is no regiment on the map", units=mine)
        return
    if unit.has("strongpoint"):
        yield Violation("KHA-15.21", f"{unit.id} is a strongpoint already", units=mine)
    if not _unmoved(now, unit):
        yield Violation("KHA-15.21", f"{unit.id} has moved", units=mine)
    if len(now.at(unit.cell, AXIS)) > 1:
        yield Violation(
            "KHA-15.22", f"{unit.id} is not alone in {unit.cell}", units=mine, cells=(unit.cell,)
        )
    if unit.has("disrupted"):
        yield Violation("KHA-7.35", f"{unit.id} is disrupted", units=mine)


def dig_in(play: Play, unit: Unit) -> None:
    """From now on only De harms it; it does not move this phase."""
    play.flag((unit.id,), "strongpoint", "moved")
