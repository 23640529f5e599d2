"""Sections 2.3 and 9.4: headquarters that relocate, because they must or because they may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.ground.control import enter, sweep
from hexmarshal.games.traces_of_war.rules.ground.stacking import crowded, overfull
from hexmarshal.games.traces_of_war.rules.ground.supply import net
from hexmarshal.games.traces_of_war.rules.movement.march import COMING, mark_moved, may_move
from hexmarshal.games.traces_of_war.rules.sequence.agenda import go_on
from hexmarshal.games.traces_of_war.state.kinds import HQ, MINOR_NATIONS
from hexmarshal.games.traces_of_war.state.situation import ISOLATED, OUT_OF_SUPPLY, Situation
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit, SetTrack
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "DESTROYED",
    "DISPLACED",
    "candidates",
    "check",
    "destinations",
    "displace",
    "relocate",
    "waiting",
]

DISPLACED = "displaced"
AT_LEAST = 5
DESTROYED = "TOW-2.3c"


def check(now: Situation, action: Action) -> Verdict:
    """A relocation that the rules ask for, or one instead of a move (TOW-2.3g, TOW-9.4)."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    mine = (unit.id,)
    asked = now.position.asked(action.side)
    if asked is not None and asked.kind == "relocation":
        if unit.id != asked.text("unit"):
            text = f"{asked.text('unit')} must relocate first"
            yield Violation("TOW-2.3e", text, units=mine)
            return
        start = asked.text("cell")
    else:
        if unit.box in COMING:
            yield from may_move(now, unit, action.side)
            return
        if unit.type != HQ:
            yield Violation("TOW-9.4", "only headquarters relocate", units=mine)
            return
        # TOW-2.3g: instead of moving, so as a move it is once and for activated ones alone.
        broken = list(may_move(now, unit, action.side))
        yield from broken
        if broken:
            text = "a headquarters relocates instead of the move that it could make"
            yield Violation("TOW-2.3g", text, units=mine)
        if broken:
            return
        start = unit.cell
    cell = action.text("cell")
    yield from _destination(_without(now, unit), unit, start, cell)


def _without(now: Situation, unit: Unit) -> Situation:
    """The situation once the headquarters has left: it holds no zone open any more."""
    if not unit.cell:
        return now

    def left() -> Situation:
        return Situation(now.position.without_unit(unit.id), now.board, now.tables)

    return now.remember(f"without {unit.id}", left)


def _destination(now: Situation, unit: Unit, start: str, cell: str) -> Iterator[Violation]:
    """TOW-2.3e: far enough, out of enemy zones, with a supply line."""
    mine, there = (unit.id,), (cell,)
    if cell not in now.board.hexes:
        yield Violation("TOW-2.3e", f"{cell} is off the map", cells=there, units=mine)
        return
    if start and start in now.board.hexes:
        far = now.board.distance(start, cell)
        if now.option("relocation") == "at_least":
            if far < AT_LEAST:
                text = f"{cell} is {far} hexes from {start}, and at least {AT_LEAST} are needed"
                yield Violation("TOW-2.3e", text, cells=(start, cell), units=mine)
        elif far > AT_LEAST:
            text = f"{cell} is {far} hexes from {start}, and at most {AT_LEAST} are allowed"
            yield Violation("TOW-2.3e", text, cells=(start, cell), units=mine)
    if now.enemies(cell, unit.side):
        yield Violation("TOW-5.0d", f"enemies are in {cell}", cells=there, units=mine)
        return
    if now.in_enemy_zone(cell, unit.side):
        text = f"{cell} is in an enemy zone of control"
        yield Violation("TOW-2.3e", text, cells=there, units=mine)
    elif cell not in net(now, unit.side):
        yield Violation("TOW-2.3e", f"no supply line leads to {cell}", cells=there, units=mine)
    if rule := crowded(now, unit, cell):
        yield from overfull(now, unit, cell, rule)


def destinations(now: Situation, unit: Unit, start: str) -> list[str]:
    """Every hex to which a headquarters may relocate."""
    left = _without(now, unit)
    supplied = net(left, unit.side)
    return [c for c in supplied if next(_destination(left, unit, start, c), None) is None]


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The headquarters in question, and the hexes with a supply line."""
    asked = now.position.asked(action.side)
    forced = asked.text("unit") if asked is not None and asked.kind == "relocation" else ""
    if slot == "unit":
        if forced:
            return (forced,)
        active = now.activation
        named = () if active is None else active.texts("units")
        return tuple(n for n in named if now.unit(n).type == HQ)
    unit = now.unit(action.text("unit"))
    return sorted(net(_without(now, unit), unit.side))


def relocate(play: Play, action: Action) -> None:
    """Put the headquarters down at its new place."""
    unit, cell = play.now.unit(action.text("unit")), action.text("cell")
    if play.position.state == "relocation":
        play.answered("relocation")
        rule = "TOW-2.3e"
    else:
        mark_moved(play, unit)
        _count(play, unit)
        rule = "TOW-9.4"
    put_down(play, unit, cell, rule)
    go_on(play)


def put_down(play: Play, unit: Unit, cell: str, rule: str) -> None:
    """The headquarters stands at its new place, with the steps that it has."""
    play.do(MoveUnit(unit.id, cell), ChangeUnit(unit.id, values=FrozenMap({"from": None})))
    steps = [Step(f"{play.now.name(unit)} relocates to {cell}", rule)]
    steps += enter(play, unit, (cell,))
    steps += sweep(play)
    play.decide(Resolution("relocation", cell, steps=tuple(steps)))


def _count(play: Play, unit: Unit) -> None:
    """TOW-2.3f: each relocation is noted; the campaign scores it."""
    if unit.values.get("nation") not in MINOR_NATIONS:
        track = f"relocations-{unit.side}"
        play.do(SetTrack(track, play.position.track(track) + 1))


def displace(play: Play, unit: Unit, rule: str) -> None:
    """TOW-2.3c, TOW-2.3d, TOW-2.3h: a headquarters leaves its hex and must relocate.

    Where no hex is legal, which the book does not foresee, it waits beside the map and is asked
    about again at the start of every turn. One that was destroyed comes back at full strength.
    """
    start = unit.cell or str(unit.values.get("from") or "")
    ladder = unit.values.get("ladder")
    printed = len(ladder) if isinstance(ladder, tuple) else unit.steps
    steps = printed if rule == DESTROYED else unit.steps
    gone = frozenset({OUT_OF_SUPPLY, ISOLATED})
    play.do(
        MoveUnit(unit.id, box=DISPLACED),
        ChangeUnit(unit.id, steps=steps, unflags=gone, values=FrozenMap({"from": start})),
    )
    _count(play, unit)
    text = f"{play.now.name(unit)} leaves {start} and must relocate"
    play.decide(Resolution("displacement", unit.id, steps=(Step(text, rule),)))
    ask(play, play.now.unit(unit.id))


def ask(play: Play, unit: Unit) -> None:
    """Ask the owner for a hex, if there is one."""
    start = str(unit.values.get("from") or "")
    if destinations(play.now, unit, start):
        play.ask("relocation", unit.side, about={"unit": unit.id, "cell": start})


def waiting(now: Situation) -> list[Unit]:
    """The headquarters that wait beside the map."""
    return [unit for unit in now.position.in_box(DISPLACED) if unit.type == HQ]
