"""Section 10.0: who may attack what."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.combat.strength import plan_of
from hexmarshal.games.traces_of_war.rules.sequence.agenda import go_on
from hexmarshal.games.traces_of_war.state.situation import NOT_IN_BOOK
from hexmarshal.rules.state.effects import ChangeFrame
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["assault", "candidates", "check", "declare", "listed"]


def check(now: Situation, action: Action) -> Verdict:
    """An attack within an activation."""
    return Verdict.of(_faults(now, action))


def assault(now: Situation, attackers: list[Unit], target: str, side: str) -> Iterator[Violation]:
    """What holds of an attack whoever is activated: where the units stand, and the ratio."""
    for unit in attackers:
        pair, mine = (unit.cell, target), (unit.id,)
        if not unit.cell or not now.board.adjacent(unit.cell, target):
            text = f"{unit.id} is not adjacent to {target}"
            yield Violation("TOW-10.0a", text, cells=pair, units=mine)
            if len({one.cell for one in attackers}) > 1:
                text = f"hexes combine against {target} that are all beside it: {unit.cell} is not"
                yield Violation("TOW-10.0e", text, cells=pair, units=mine)
        elif now.board.side(unit.cell, target).blocked:
            text = f"{unit.id} cannot attack across a blocked hexside"
            yield Violation("TOW-10.0g", text, cells=pair, units=mine)
    if not attackers or not now.enemies(target, side):
        return
    plan = plan_of(now, attackers, target, side)
    kinds = () if plan.helpless else now.board.kinds(target)
    if unknown := [kind for kind in kinds if now.barred_by_book(now.tables.shift(kind))]:
        text = f"{NOT_IN_BOOK}: what {' and '.join(unknown)} shifts"
        yield Violation("TOW-10.2e", text, cells=(target,))
    elif plan.column is None:
        text = f"{plan.attack} against {plan.defense} is below 1-1 after the terrain"
        if plan.shifts and plan.base >= 0:
            text += f" ({now.tables.columns[plan.base]} before it)"
        yield Violation("TOW-10.2f", text, cells=(target,), cured_by=("attackers",))
    elif _unprinted(now, plan.column):
        text = f"{NOT_IN_BOOK}: column {now.tables.columns[plan.column]}"
        yield Violation("TOW-10.3a", text, cells=(target,), cured_by=("attackers",))


def _unprinted(now: Situation, column: int) -> bool:
    return any(now.barred_by_book(now.tables.result(column, die)) for die in range(1, 7))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    active = now.activation
    target = action.text("target")
    here = (target,)
    if target not in now.board.hexes:
        yield Violation("TOW-10.0a", f"{target} is off the map", cells=here)
        return
    if not now.enemies(target, action.side):
        yield Violation("TOW-10.0a", f"no enemy is in {target}", cells=here)
        return
    if active is not None and now.position.state == "movement":
        yield Violation("TOW-4.3d", "this is the time to move in the mode chosen")
    if active is not None and target in active.texts("targets"):
        text = f"{target} was attacked in this activation"
        yield Violation("TOW-10.0c", text, cells=here)
        fought = {now.unit(name).cell for name in active.texts("fought")}
        if any(now.unit(name).cell in fought for name in action.texts("attackers")):
            text = f"parts of a stack attack different hexes, not {target} one after the other"
            yield Violation("TOW-10.0d", text, cells=here)
    names = action.texts("attackers")
    if not names:
        text = "somebody must attack"
        yield Violation("TOW-10.0a", text, field="attackers", cured_by=("attackers",))
    if len(set(names)) < len(names):
        yield Violation("TOW-10.0b", "a unit attacks once", field="attackers")
    # TOW-10.0d, TOW-10.0e: parts of a stack, and units of several hexes, as the attacker likes.
    attackers = [now.unit(name) for name in dict.fromkeys(names)]
    for unit in attackers:
        mine = (unit.id,)
        if unit.side != action.side:
            yield Violation("TOW-10.0a", f"{unit.id} is not {action.side}'s", units=mine)
        elif active is None or unit.id not in active.texts("units"):
            yield Violation("TOW-10.0a", f"{unit.id} is not activated", units=mine)
        elif unit.id in active.texts("fought"):
            text = f"{unit.id} has fought in this activation"
            yield Violation("TOW-10.0b", text, units=mine)
    yield from assault(now, attackers, target, action.side)
    named = action.texts("defenders")
    if named and {*named} != {unit.id for unit in now.enemies(target, action.side)}:
        text = f"all units in {target} are attacked together"
        yield Violation("TOW-10.0f", text, cells=here, units=named)


def _eligible(now: Situation, target: str) -> list[Unit]:
    active = now.activation
    if active is None:
        return []
    fought = set(active.texts("fought"))
    units = (now.position.units.get(name) for name in active.texts("units"))
    return [
        unit
        for unit in units
        if unit is not None
        and unit.id not in fought
        and unit.cell
        and now.board.adjacent(unit.cell, target)
        and not now.board.side(unit.cell, target).blocked
    ]


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Enemy hexes beside activated units; the units that can reach the one chosen."""
    active = now.activation
    if slot == "defenders" or active is None:
        return (None,) if slot == "defenders" else ()
    if slot == "attackers":
        taken = action.so_far("attackers")
        return [u.id for u in _eligible(now, action.text("target")) if u.id not in taken]
    fought = set(active.texts("fought"))
    cells = {
        near
        for name in active.texts("units")
        if name not in fought and (unit := now.position.units.get(name)) is not None
        for near in now.board.near.get(unit.cell, ())
    }
    return sorted(cell for cell in cells if now.enemies(cell, action.side))


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """All who can attack together, hexes alone and in pairs, single units: not every choice."""
    if slot == "defenders":
        return ((),)
    if slot != "attackers":
        return None
    able = _eligible(now, action.text("target"))
    by_hex: dict[str, list[str]] = {}
    for unit in able:
        by_hex.setdefault(unit.cell, []).append(unit.id)
    found = [tuple(unit.id for unit in able)]
    found += [tuple(one) for one in by_hex.values()]
    found += [(*one, *two) for one, two in combinations(by_hex.values(), 2)]
    found += [(unit.id,) for unit in able]
    return list(dict.fromkeys(found))


def declare(play: Play, action: Action) -> None:
    """TOW-10.1: declare the hex and the attackers; combats come one at a time."""
    names, target = action.texts("attackers"), action.text("target")
    active = play.now.activation
    if active is not None:
        changes = {
            "fought": (*active.texts("fought"), *names),
            "targets": (*active.texts("targets"), target),
        }
        play.do(ChangeFrame("activation", about=FrozenMap(changes)))
    now = play.now
    origins = {name: now.unit(name).cell for name in names}
    # TOW-10.5c: headquarters stacked with attackers may go along with them.
    for cell in dict.fromkeys(origins.values()):
        origins |= {hq.id: cell for hq in now.headquarters(cell, action.side)}
    about = {
        "side": action.side,
        "cell": target,
        "attackers": list(names),
        "origins": origins,
        "stage": "declared",
        "opening": active is not None and active.text("mode") == "combat_only",
    }
    play.ask("battle", about=about)
    go_on(play)
