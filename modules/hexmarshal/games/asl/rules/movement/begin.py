"""Beginning a move: who goes, and how: assault, double time, minimum move, dash."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.heat_of_battle import charge
from hexmarshal.games.asl.rules.movement.allowance import (
    WOUNDED_MAN,
    allowance,
    burden,
    capacity,
)
from hexmarshal.games.asl.rules.movement.costs import price
from hexmarshal.games.asl.rules.movement.stack import begin_faults, unit_faults
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import SetExtra
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["begin", "candidates", "check", "listed"]

_DASH = 2


def check(now: Situation, action: Action) -> Verdict:
    """ASL-MOVE-1 to ASL-MOVE-3, and what is declared before moving."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    if action.side != now.phasing:
        yield Violation("ASL-MOVE-1", f"{action.side} does not move in this player turn")
        return
    names = action.so_far("units")
    if not names:
        yield Violation("ASL-MOVE-1", "nobody moves", cured_by=("units",))
        return
    faults = [*begin_faults(now, names, action.side)]
    yield from faults
    if faults:
        return
    group = [now.unit(name) for name in names]
    yield from charge.begin_faults(now, group)
    if action.flag("assault"):
        for unit in group:
            if unit.flags & {marks.BERSERK, marks.HAZARDOUS}:
                text = f"{unit.id} may not use assault movement"
                yield Violation("ASL-AM-1", text, units=(unit.id,))
    if action.flag("double_time"):
        yield from double_time_faults(now, names)
        if action.flag("assault"):
            yield Violation("ASL-AM-3", "assault movement is not by double time", units=names)
    minimum = action.flag("minimum")
    if minimum and (action.flag("assault") or action.flag("double_time")):
        text = "a minimum move is neither assault movement nor double time"
        yield Violation("ASL-A4.134a", text, units=names)
    for unit in group:
        has = allowance(now, unit, group, double_time=2 if action.flag("double_time") else 0)
        if has <= 0:
            rule = "ASL-A4.134a" if minimum else "ASL-A4.72b"
            text = f"{unit.id} carries so much that it has no MF left"
            yield Violation(rule, text, units=(unit.id,), cured_by=("units",))
    if carried := action.text("carried"):
        yield from _carry_faults(now, carried, group)
    dash = action.so_far("dash")
    if dash:
        yield from _dash_faults(now, action, names, dash)


def _carry_faults(now: Situation, name: str, group: list[Unit]) -> Iterator[Violation]:
    """ASL-WOUND-2: a wounded single man of the stack, and an MMC that can still move with him."""
    man = now.unit(name)
    if man not in group or not now.is_smc(man) or not man.has(marks.WOUNDED):
        text = f"{name} is no wounded single man of the stack"
        yield Violation("ASL-WOUND-2", text, units=(name,), cured_by=("units",))
    elif bearer(now, group, name) is None:
        text = f"no MMC of the stack can carry {name} and move"
        yield Violation("ASL-WOUND-2", text, units=(name,), cured_by=("units",))


def bearer(now: Situation, group: list[Unit], name: str) -> Unit | None:
    """The MMC that carries a wounded man: the one with most factors left for it."""
    left = {
        unit.id: allowance(now, unit, group) - max(0, _over(now, unit, group))
        for unit in group
        if now.is_mmc(unit) and unit.id != name
    }
    best = max(left, key=lambda one: (left[one], one), default=None)
    return now.unit(best) if best is not None and left[best] > 0 else None


def _over(now: Situation, unit: Unit, group: list[Unit]) -> int:
    """What he weighs beyond what the unit carries freely."""
    free = capacity(now, unit, group) - burden(now, unit)
    return WOUNDED_MAN - max(0, free)


def double_time_faults(now: Situation, names: Iterable[str]) -> Iterator[Violation]:
    """ASL-CX-1, ASL-CX-4: who is exhausted, wounded or was relieved of his CX may not."""
    for name in names:
        unit = now.unit(name)
        if unit.has(marks.WOUNDED):
            yield Violation("ASL-CX-1", f"{name} is wounded", units=(name,))
        if unit.has(marks.BERSERK):
            yield Violation("ASL-A15.42a", f"{name} is berserk", units=(name,))
        if unit.flags & {marks.CX, marks.CX_REMOVED}:
            yield Violation("ASL-CX-4", f"{name} has just recovered from CX", units=(name,))


def _dash_faults(
    now: Situation, action: Action, names: tuple[str, ...], dash: tuple[str, ...]
) -> Iterator[Violation]:
    """ASL-DASH-1: across one road hex, from cover to cover, and no further."""
    start = now.at(now.unit(names[0]))
    ground = now.ground
    if action.flag("assault") or action.flag("minimum"):
        yield Violation("ASL-DASH-1", "a dash is no assault or minimum move", units=names)
    if len(dash) != _DASH or not start.cell or start.level:
        text = "a dash crosses one road hex into the next hex"
        yield Violation("ASL-DASH-1", text, cells=dash, cured_by=("dash",))
        return
    road, end = dash
    if not ground.beneath(road).way:
        yield Violation("ASL-DASH-1", f"there is no road in {road}", cells=(road,))
    if ground.side_to(start.cell, road) is None or ground.side_to(road, end) is None:
        text = f"{start.cell}, {road} and {end} are not one after the other"
        yield Violation("ASL-DASH-1", text, cells=dash)
        return
    if end == start.cell or ground.side_to(start.cell, end) is not None:
        yield Violation("ASL-DASH-1", f"{end} is not on the far side of the road", cells=(end,))
    for cell in (start.cell, end):
        row = ground.terrain(cell)
        if row.open and _seen(now, cell, action.side):
            yield Violation(
                "ASL-DASH-1", f"{cell} is Open Ground in the enemy's sight", cells=(cell,)
            )
    group = [now.unit(name) for name in names]
    total = sum(
        price(now, Location(a), Location(b), group).total
        for a, b in ((start.cell, road), (road, end))
    )
    for unit in group:
        has = allowance(now, unit, group, double_time=2 if action.flag("double_time") else 0)
        if total > has:
            text = f"the dash costs {total} MF, and {unit.id} has {has}"
            yield Violation("ASL-DASH-1", text, units=(unit.id,))


def _seen(now: Situation, cell: str, side: str) -> bool:
    """ASL-DASH-1: locations out of the enemy's sight count as no Open Ground."""
    from hexmarshal.games.asl.state.situation import other

    return any(
        now.good_order(unit) and now.sees(now.at(unit), Location(cell))
        for unit in now.on_map(other(side))
    )


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Who can begin a move: first anybody, then those of the same stack."""
    if slot == "units":
        chosen = action.so_far("units")
        if chosen:
            first = now.unit(chosen[0])
            if not first.cell:
                others = [u for u in now.position.in_box(first.box) if u.side == action.side]
            else:
                others = now.people(now.at(first), action.side)
        else:
            others = [u for u in now.position.of_side(action.side) if (u.cell or u.box)]
        return tuple(
            u.id
            for u in others
            if now.is_personnel(u)
            and u.id not in chosen
            and not any(True for _ in unit_faults(now, u.id, action.side))
        )
    if slot == "dash":
        return _dashes(now, action)
    if slot == "carried":
        stack = [now.unit(name) for name in action.so_far("units")]
        hurt = [u.id for u in stack if now.is_smc(u) and u.has(marks.WOUNDED)]
        return (None, *hurt)
    return None


def _dashes(now: Situation, action: Action) -> Iterable[str]:
    """ASL-DASH-1: a road hex next to the stack, then a hex next to that."""
    dash, names = action.so_far("dash"), action.so_far("units")
    if dash:
        return now.ground.near[dash[0]] if len(dash) < _DASH else ()
    start = now.at(now.unit(names[0])).cell if names else ""
    return tuple(c for c in now.ground.near.get(start, ()) if now.ground.beneath(c).way)


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists: each unit alone, and each whole stack."""
    if slot == "units":
        by_place: dict[str, list[str]] = {}
        for name in candidates(now, action, slot) or ():
            unit = now.unit(str(name))
            by_place.setdefault(f"{now.at(unit)} {unit.box}", []).append(unit.id)
        alone = [(name,) for group in by_place.values() for name in group]
        return (*alone, *(tuple(group) for group in by_place.values() if len(group) > 1))
    if slot == "dash":
        return ((),)
    if slot == "carried":
        return (None,)
    return None


def begin(play: Play, action: Action) -> None:
    """The stack is on the move; the mover decides on one expenditure after the other."""
    names = action.texts("units")
    double_time = action.flag("double_time")
    close_former(play)
    play.do(SetExtra("attacks"))
    charge.lighten(play, names)
    if carried := action.text("carried"):
        by = bearer(play.now, [play.position.unit(name) for name in names], carried)
        assert by is not None
        play.note(carried, carried_by=by.id)
    if double_time:
        for name in names:
            play.mark(name, marks.CX)
    play.ask(
        "moving",
        action.side,
        about={
            "units": names,
            "spent": 0,
            "here": 0,
            "steps": 0,
            "assault": action.flag("assault"),
            "double_time": 2 if double_time else 0,
            "minimum": action.flag("minimum"),
            "roads": True,
            **({"dash": action.texts("dash")} if action.texts("dash") else {}),
        },
    )


def close_former(play: Play) -> None:
    """ASL-MOVE-2: whoever moved before has ended its move for good."""
    for unit in play.position.of_side(play.now.phasing):
        if unit.values.get("residual_met") is not None:
            play.note(unit.id, residual_met=None)
