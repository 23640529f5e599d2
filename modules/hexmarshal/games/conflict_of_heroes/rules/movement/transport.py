"""Carrying and towing: loading, unloading, what may ride on what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.movement import barriers, move_execution
from hexmarshal.games.conflict_of_heroes.rules.terrain import hiding
from hexmarshal.games.conflict_of_heroes.rules.turn import payment
from hexmarshal.games.conflict_of_heroes.rules.turn.turn_order import end_action
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Cost, CostPart, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["apply_load", "apply_unload", "check_load", "check_unload", "fits"]


def fits(cargo: Sequence[Unit]) -> bool:
    """COH-17.0a: one foot unit, or one gun or vehicle in tow; German rifles with their LMG."""
    if len(cargo) == 1:
        return True
    types = sorted(u.type for u in cargo)
    return types == ["german_lmg_34", "german_rifles_41"]


def _price(now: Situation, cargo: Sequence[Unit], rule: str) -> Cost:
    """The dearest passenger's move cost in the open."""
    price = max((now.counter(u).move for u in cargo), default=0)
    return Cost((CostPart(price, "move of who is carried", rule),), "AP")


def check_load(now: Situation, action: Action) -> Verdict:
    """COH-17.0b: in the same hex, as a group action."""
    cargo = [now.position.unit(u) for u in action.so_far("units")]
    cost = _price(now, cargo, "COH-17.0b")
    return payment.verdict(now, _loading_objections(now, action, cargo, cost), action, cost)


def _loading_objections(
    now: Situation, action: Action, cargo: Sequence[Unit], cost: Cost
) -> Iterator[Violation]:
    vehicle = now.position.unit(action.text("vehicle"))
    yield from _carrier_objections(now, vehicle)
    yield from payment.objections(now, action, [vehicle, *cargo], cost)
    action.texts("units")
    yield from _load_objections(now, vehicle, cargo)


def _carrier_objections(now: Situation, vehicle: Unit) -> Iterator[Violation]:
    if not now.counter(vehicle).vehicle or vehicle.carrier or not vehicle.cell:
        yield Violation("COH-17.0a", f"{vehicle.id} carries nobody", units=(vehicle.id,))
    hit = now.hit(vehicle)
    if hit is not None and hit.only_rally:
        yield Violation(hit.rule, f"{vehicle.id} can only rally", units=(vehicle.id,))


def _load_objections(now: Situation, vehicle: Unit, cargo: Sequence[Unit]) -> Iterator[Violation]:
    rule = "COH-17.0b"
    if not cargo or len({u.id for u in cargo}) != len(cargo):
        yield Violation(rule, "name who is loaded, each once", field="units")
        return
    if not fits([*now.passengers(vehicle), *cargo]):
        yield Violation("COH-17.0a", f"{vehicle.id} cannot carry all that", units=(vehicle.id,))
    for unit in cargo:
        me = (unit.id,)
        if unit.id == vehicle.id or unit.carrier or unit.cell != vehicle.cell:
            yield Violation(rule, f"{unit.id} does not stand beside {vehicle.id}", units=me)
        if now.hidden(unit) != now.hidden(vehicle):
            yield Violation(rule, f"{unit.id} and {vehicle.id} are not both in the open", units=me)
        if now.counter(unit).vehicle:
            yield from _tow_objections(now, vehicle, unit)
        else:
            yield from _pinned(now, unit)


def _pinned(now: Situation, unit: Unit) -> Iterator[Violation]:
    """COH-7.5M5: pinned men do not climb aboard or off."""
    hit = now.hit(unit)
    if hit is not None and (hit.no_move or hit.only_rally):
        text = f"{unit.id} is {hit.title.lower()}: it cannot load or unload"
        yield Violation(hit.rule, text, units=(unit.id,))


def _tow_objections(now: Situation, vehicle: Unit, unit: Unit) -> Iterator[Violation]:
    """COH-14.5c: an immobilised or stunned vehicle; one on tracks only by one on tracks."""
    hit = now.hit(unit)
    stunned = hit is not None and hit.only_rally
    if not now.immobile(unit) and not stunned:
        yield Violation("COH-17.0a", f"{unit.id} needs no tow", units=(unit.id,))
    tracked = now.counter(unit).move_class == "tracked"
    if tracked and now.counter(vehicle).move_class != "tracked":
        text = f"{vehicle.id} cannot tow a tracked vehicle"
        yield Violation("COH-14.5c", text, units=(vehicle.id, unit.id))


def apply_load(play: Play, action: Action) -> None:
    """Aboard, facing as the vehicle does."""
    now = play.now
    vehicle = play.unit(action.text("vehicle"))
    cargo = [play.unit(u) for u in action.texts("units")]
    cost = _price(now, cargo, "COH-17.0b")
    payment.settle(play, action, [vehicle.id, *(u.id for u in cargo)], cost)
    for unit in (vehicle, *cargo):
        hiding.reveal_actor(play, unit.id, None)
    for unit in cargo:
        play.unflag(unit.id, "hasty")
        play.do(
            ChangeUnit(unit.id, values=FrozenMap({"fort": None})),
            MoveUnit(unit.id, carrier=vehicle.id, facing=vehicle.facing),
        )
    move_execution.mine_attack(play, move_execution.Way(vehicle.id))
    end_action(play, action.side)


def check_unload(now: Situation, action: Action) -> Verdict:
    """COH-17.0c: the vehicle pays for its passengers."""
    cargo = [now.position.unit(u) for u in action.so_far("units")]
    cost = _price(now, cargo, "COH-17.0c")
    return payment.verdict(now, _unloading_objections(now, action, cargo, cost), action, cost)


def _unloading_objections(
    now: Situation, action: Action, cargo: Sequence[Unit], cost: Cost
) -> Iterator[Violation]:
    vehicle = now.position.unit(action.text("vehicle"))
    payers = _payers(action, vehicle, cargo)
    yield from payment.objections(now, action, payers, cost)
    action.texts("units")
    yield from _unload_objections(now, vehicle, cargo)
    yield from barriers.facing_objections(action)


def _payers(action: Action, vehicle: Unit, cargo: Sequence[Unit]) -> list[Unit]:
    """The group; a passenger who is spent already does not hold up the vehicle's own points."""
    if payment.way(action) == "ap":
        return [vehicle, *(u for u in cargo if not u.has("spent"))]
    return [vehicle, *cargo]


def _unload_objections(now: Situation, vehicle: Unit, cargo: Sequence[Unit]) -> Iterator[Violation]:
    rule = "COH-17.0c"
    if not cargo or len({u.id for u in cargo}) != len(cargo):
        yield Violation(rule, "name who is unloaded, each once", field="units")
    if not vehicle.cell:
        yield Violation(rule, f"{vehicle.id} is not on the map", units=(vehicle.id,))
    hit = now.hit(vehicle)
    if hit is not None and hit.only_rally:
        yield Violation(hit.rule, f"{vehicle.id} can only rally", units=(vehicle.id,))
    for unit in cargo:
        if unit.carrier != vehicle.id:
            yield Violation(rule, f"{unit.id} is not aboard {vehicle.id}", units=(unit.id,))
        if not now.counter(unit).vehicle:
            yield from _pinned(now, unit)


def apply_unload(play: Play, action: Action) -> None:
    """Down, under the vehicle, with any facing."""
    now = play.now
    vehicle = play.unit(action.text("vehicle"))
    cargo = [play.unit(u) for u in action.texts("units")]
    cost = _price(now, cargo, "COH-17.0c")
    payers = [u.id for u in _payers(action, vehicle, cargo)]
    payment.settle(play, action, payers, cost)
    hiding.reveal_actor(play, vehicle.id, None)
    facing = action.params.get("facing")
    for unit in cargo:
        looks = facing if isinstance(facing, int) else vehicle.facing
        play.do(MoveUnit(unit.id, vehicle.cell, facing=looks))
        if payment.way(action) == "ap" and not unit.has("spent"):
            play.flag(unit.id, "active")
        move_execution.mine_attack(play, move_execution.Way(unit.id))
    move_execution.mine_attack(play, move_execution.Way(vehicle.id))
    hiding.look_around(play)
    end_action(play, action.side)
