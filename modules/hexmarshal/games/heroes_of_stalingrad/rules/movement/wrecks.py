"""HOS-2.46 to HOS-2.50: wrecks are crushed and pushed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.state.kinds import DESTROYED, HEAVY, INFANTRY, LIGHT
from hexmarshal.rules.state.effects import MoveUnit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["crushed", "may_push", "push", "push_faults", "pushable"]

CRUSHING = 2


def may_push(now: Situation, unit: Unit, wreck: Unit) -> Iterator[Violation]:
    """HOS-2.47: heavy vehicles push any wreck, light ones of two cells those of one cell."""
    both = (unit.id, wreck.id)
    if not now.is_wreck(wreck) or not wreck.cell:
        yield Violation("HOS-2.47", f"{wreck.id} is no wreck", units=both)
    elif now.is_heavy(unit):
        return
    elif now.family(unit) != LIGHT or now.counter(unit).cells < 2:
        yield Violation("HOS-2.47", f"{unit.id} pushes no wrecks", units=both)
    elif len(wreck.cells) > 1:
        text = f"{unit.id} pushes only wrecks of vehicles of one cell"
        yield Violation("HOS-2.47", text, units=both)


def _shifted(now: Situation, wreck: Unit, direction: int) -> tuple[str, ...]:
    ground = now.ground
    return tuple(ground.name(ground.square(c).neighbour(direction)) for c in wreck.cells)


def push_faults(
    now: Situation, unit: Unit, wreck: Unit, freed: str, direction: int
) -> Iterator[Violation]:
    """HOS-2.48, HOS-2.50: where a wreck may be pushed to, and whether the pusher may follow."""
    both = (unit.id, wreck.id)
    element = now.element(freed)
    if element is not None and element.kind.bars(now.family(unit)):
        text = f"{freed}, which the wreck leaves, is forbidden to {unit.id}"
        yield Violation("HOS-2.48", text, cells=(freed,), units=both)
    for cell in _shifted(now, wreck, direction):
        if not cell:
            text = f"{wreck.id} would leave the board"
            yield Violation("HOS-2.50", text, cells=wreck.cells, units=both)
            return
        kinds = [k for k in now.kinds(cell) if k.key != now.face(wreck).terrain]
        if any(not k.water and (k.bars(LIGHT) or k.bars(HEAVY)) for k in kinds):
            text = f"{cell} is forbidden to vehicles"
            yield Violation("HOS-2.50", text, cells=(cell,), units=both)
        others = [w for w in now.wrecks(cell) if w.id != wreck.id]
        others += [u for u in now.occupants(cell) if now.is_vehicle(u) and u.id != unit.id]
        if others:
            text = f"{others[0].id} stands in {cell}"
            yield Violation("HOS-2.50", text, cells=(cell,), units=(*both, others[0].id))


def pushable(now: Situation, unit: Unit) -> Iterator[str]:
    """The wrecks that a vehicle might push."""
    for one in now.position.units.values():
        if one.cell and now.is_wreck(one) and not any(True for _ in may_push(now, unit, one)):
            yield one.id


def push(play: Play, unit: Unit, wreck: Unit, direction: int) -> list[dict[str, object]]:
    """HOS-2.48 to HOS-2.50: the wreck goes one cell; infantry there is driven away."""
    now = play.now
    front, *rear = _shifted(now, wreck, direction)
    play.do(MoveUnit(wreck.id, front, footprint=tuple(rear)))
    play.tell("push", f"{wreck.id} is pushed to {front}", (f"by {unit.id}", "HOS-2.47"))
    now = play.now
    cells = (front, *rear)
    if all(any(kind.water for kind in now.kinds(cell)) for cell in cells):
        play.do(MoveUnit(wreck.id, box=DESTROYED))
        play.tell("push", f"{wreck.id} sinks", ("all of it is in water", "HOS-2.50"))
    return [
        {"kind": "displace", "unit": one.id, "by": unit.id, "cause": "push"}
        for cell in cells
        for one in now.occupants(cell)
        if now.family(one) == INFANTRY
    ]


def crushed(play: Play, unit: Unit, cell: str) -> list[dict[str, object]]:
    """HOS-2.46: one destruction point for entering a wreck, two for crossing several cells."""
    now, frame = play.now, play.now.moving
    if frame is None or not (now.is_heavy(unit) or now.option("crush_by_light")):
        return []
    kept = frame.value("crushed")
    counts = kept if isinstance(kept, FrozenMap) else FrozenMap()
    entries: list[dict[str, object]] = []
    for wreck in now.wrecks(cell):
        count = counts.get(wreck.id, 0)
        if isinstance(count, int) and count < CRUSHING:
            counts = counts.set(wreck.id, count + 1)
            entries.append({"kind": "points", "target": wreck.id, "count": 1, "rule": "HOS-2.46"})
    if entries:
        play.change("moving", crushed=dict(counts.items()))
    return entries
