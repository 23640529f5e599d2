"""HOS-5.1, HOS-5.84, HOS-8.1: counters are placed, scouts go ahead, the first turn begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.movement.states import turn_over
from hexmarshal.games.heroes_of_stalingrad.rules.movement.steps import (
    barred,
    end_faults,
    step_faults,
)
from hexmarshal.games.heroes_of_stalingrad.rules.movement.transport import room_faults
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.state.kinds import ABSENT, WAITING
from hexmarshal.geometry.lattice.footprints import Footprint
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "candidates",
    "check_aboard",
    "check_deploy",
    "check_scout",
    "deploy",
    "deploy_aboard",
    "end_deployment",
    "end_scouting",
    "scout",
    "scout_candidates",
    "start",
]


def start(play: Play) -> None:
    """Deployment, then scouting, then the first turn; who has nothing to do is not asked."""
    for side in play.now.in_order():
        if any(unit.side == side for unit in play.position.in_box(WAITING)):
            play.ask("deploy", side)
            return
    scouting(play, list(play.now.in_order()))


def _zone(now: Situation, side: str) -> tuple[str, ...]:
    cells = now.kept("zones").get(side, ())
    return tuple(map(str, cells)) if isinstance(cells, tuple) else ()


def _facing(action: Action, unit: Unit) -> int:
    """As the action says; else as the counter pointed while it waited."""
    return action.number("facing", unit.facing or 0)


def _cells(now: Situation, unit: Unit, cell: str, facing: int) -> tuple[str, ...]:
    if now.counter(unit).cells < 2:
        return (cell,)
    rear = Footprint(now.ground.square(cell), facing % 8).rear
    return cell, now.ground.name(rear)


def check_deploy(now: Situation, action: Action) -> Verdict:
    """Where a counter may be placed."""
    return Verdict.of(_deploy_faults(now, action))


def _waits(unit: Unit, side: str) -> Iterator[Violation]:
    if unit.side != side or unit.box != WAITING:
        yield Violation("HOS-8.1", f"{unit.id} does not wait to be placed", units=(unit.id,))


def _deploy_faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    yield from _waits(unit, action.side)
    if action.flag("flip") and not now.counter(unit).changes_state:
        yield Violation("HOS-5.1", f"{unit.id} has no other state", units=(unit.id,))
    cell = action.text("cell")
    facing = _facing(action, unit)
    for one in _cells(now, unit, cell, facing):
        if not one or one not in _zone(now, action.side):
            text = f"{one or 'a cell off the board'} is not in the {action.side.title()} zone"
            yield Violation("HOS-8.1", text, cells=(cell,), units=(unit.id,))
            continue
        if now.ground.is_offset(one) and now.is_vehicle(unit):
            yield Violation("HOS-2.38", f"{one} lies off the grid", cells=(one,), units=(unit.id,))
        yield from barred(now, unit, one)
        for other_ in now.occupants(one):
            text = f"{other_.id} is in {one}"
            yield Violation("HOS-2.32", text, cells=(one,), units=(unit.id, other_.id))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Counters that wait, cells of the zone, vehicles."""
    if slot == "unit":
        return [u.id for u in now.position.in_box(WAITING) if u.side == action.side]
    if slot == "cell":
        return _zone(now, action.side)
    if slot == "vehicle":
        return [u.id for u in now.live(action.side) if u.cell and now.has(u, "transport")]
    unit = now.position.units.get(str(action.given("unit", "")))
    if slot == "flip" and unit is not None:
        return (None, True) if now.counter(unit).changes_state else (None,)
    if slot == "facing" and unit is not None:
        turns = now.counter(unit).cells > 1 or now.face(unit).arc < 360
        return range(8) if turns else (None,)
    return None


def deploy(play: Play, action: Action) -> None:
    """HOS-5.1: a counter is placed, on the face of its owner's choice."""
    name = action.text("unit")
    unit = play.unit(name)
    facing = _facing(action, unit)
    cell, *rear = _cells(play.now, unit, action.text("cell"), facing)
    play.do(MoveUnit(name, cell, footprint=tuple(rear), facing=facing))
    _face(play, name, flip=action.flag("flip"))
    _go_on(play, action.side)


def _face(play: Play, name: str, *, flip: bool) -> None:
    if flip:
        turn_over(play, name)
    unit = play.unit(name)
    if play.now.ambushed(unit) and unit.known_to is None:
        play.do(ChangeUnit(name, known_to=(unit.side,)))


def check_aboard(now: Situation, action: Action) -> Verdict:
    """HOS-5.90: whether a counter may begin inside a vehicle."""
    return Verdict.of(_aboard_faults(now, action))


def _aboard_faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    yield from _waits(unit, action.side)
    vehicle = now.unit(action.text("vehicle"))
    if vehicle.side != unit.side or not vehicle.cell or not now.is_live(vehicle):
        text = f"{vehicle.id} is no vehicle of yours on the board"
        yield Violation("HOS-5.90", text, units=(unit.id, vehicle.id))
        return
    yield from room_faults(now, unit, vehicle)


def deploy_aboard(play: Play, action: Action) -> None:
    """A counter begins inside a vehicle."""
    play.do(MoveUnit(action.text("unit"), carrier=action.text("vehicle")))
    _go_on(play, action.side)


def _go_on(play: Play, side: str) -> None:
    if any(unit.side == side for unit in play.position.in_box(WAITING)):
        return
    play.answered("deploy")
    start(play)
    go_on(play)


def end_deployment(play: Play, action: Action) -> None:
    """Counters that are not placed stay out of the game."""
    play.answered("deploy")
    for unit in play.position.in_box(WAITING):
        if unit.side == action.side:
            play.do(MoveUnit(unit.id, box=ABSENT))
    start(play)
    go_on(play)


# Scouts


def _scouts(now: Situation, side: str) -> Iterator[Unit]:
    for unit in now.live(side):
        if unit.cell and not unit.has("scouted") and now.has(unit, "scout"):
            yield unit


def scouting(play: Play, sides: list[str]) -> None:
    """HOS-5.84: scouts move ahead, those of the side with the initiative first."""
    from hexmarshal.games.heroes_of_stalingrad.rules.sequence import turn

    for i, side in enumerate(sides):
        if any(True for _ in _scouts(play.now, side)):
            play.ask("scout", side, about={"then": sides[i + 1 :]})
            return
    turn.begin(play, play.position.turn)


def check_scout(now: Situation, action: Action) -> Verdict:
    """HOS-5.84: where a scout may go."""
    return Verdict.of(_scout_faults(now, action))


def _scout_faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    mine = (unit.id,)
    if unit.id not in [u.id for u in _scouts(now, action.side)]:
        yield Violation("HOS-5.84", f"{unit.id} does not scout", units=mine)
        return
    reach = now.ability(unit, "scout")
    for one in now.passengers(unit):
        if not now.has(one, "scout"):
            text = f"{one.id} is aboard and is no scout"
            yield Violation("HOS-5.84", text, units=(unit.id, one.id))
    path = action.texts("path")
    if len(path) > int(reach):
        yield Violation("HOS-5.84", f"{unit.id} scouts {reach} cells", units=mine, field="path")
    here = unit.cell
    if now.counter(unit).cells > 1:
        yield from _scout_drive(now, unit, path)
        return
    for cell in path:
        if not now.ground.has(cell):
            yield Violation("HOS-2.30", f"{cell} is no cell", cells=(), units=mine)
            return
        yield from step_faults(now, unit, here, cell)
        here = cell
    yield from end_faults(now, unit, here)
    yield from _objective_faults(now, unit, (here,))


def _scout_drive(now: Situation, unit: Unit, path: tuple[str, ...]) -> Iterator[Violation]:
    """A vehicle of two cells scouts straight on, its front along the path."""
    front, rear = unit.cell, unit.footprint[0] if unit.footprint else unit.cell
    for cell in path:
        ahead = Footprint(now.ground.square(front), (unit.facing or 0) % 8).driven(1).front
        if now.ground.name(ahead) != cell:
            text = f"{unit.id} scouts straight ahead"
            yield Violation("HOS-5.84", text, cells=(cell,), units=(unit.id,))
            return
        yield from step_faults(now, unit, front, cell)
        front, rear = cell, front
    for cell in (front, rear):
        yield from end_faults(now, unit, cell)
    yield from _objective_faults(now, unit, (front, rear))


def _objective_faults(now: Situation, unit: Unit, cells: tuple[str, ...]) -> Iterator[Violation]:
    for name, objective in now.kept("objectives").items():
        area = objective.get("cells", ()) if isinstance(objective, FrozenMap) else ()
        held = set(map(str, area)) if isinstance(area, tuple) else set()
        near = held.union(*(now.ground.near.get(c, ()) for c in held))
        if not near.isdisjoint(cells):
            text = f"it would end in or beside the objective {name}"
            yield Violation("HOS-5.84", text, cells=cells, units=(unit.id,), cured_by=("path",))


def scout_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Scouts that have not moved yet."""
    return [u.id for u in _scouts(now, action.side)] if slot == "unit" else None


def scout(play: Play, action: Action) -> None:
    """HOS-5.84: a scout's free move; an ambush is not given away."""
    name = action.text("unit")
    unit = play.unit(name)
    for cell in action.texts("path"):
        here = play.unit(name).cell
        rear = (here,) if unit.footprint else ()
        play.do(MoveUnit(name, cell, footprint=rear))
    play.mark(name, "scouted")
    if not any(True for _ in _scouts(play.now, action.side)):
        end_scouting(play, action)


def end_scouting(play: Play, action: Action) -> None:
    """No more scouts of this side move."""
    del action
    frame = play.answered("scout")
    scouting(play, list(frame.texts("then")))
    go_on(play)
