"""Fortifications from the inside: hasty defences, going into and out of trenches and bunkers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.fire import casualties
from hexmarshal.games.conflict_of_heroes.rules.movement import barriers, move_costs, move_execution
from hexmarshal.games.conflict_of_heroes.rules.terrain import hiding
from hexmarshal.games.conflict_of_heroes.rules.turn import payment
from hexmarshal.games.conflict_of_heroes.rules.turn.turn_order import end_action
from hexmarshal.rules.state.effects import ChangeUnit
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Cost, CostPart, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["apply_dig_in", "apply_shift", "check_dig_in", "check_shift"]


def _digging(now: Situation) -> Cost:
    price = now.tables.number("costs", "hasty_defence")
    return Cost((CostPart(price, "hasty defence", "COH-18.1.3a"),), "AP")


def check_dig_in(now: Situation, action: Action) -> Verdict:
    """COH-18.1.3a, COH-C11: who may build a hasty defence, and where."""
    return payment.verdict(now, _digging_objections(now, action), action, _digging(now))


def _digging_objections(now: Situation, action: Action) -> Iterator[Violation]:
    by_card = payment.way(action) == "card" and action.text("card") == "11"
    named = [now.position.unit(u) for u in action.so_far("units")]
    yield from payment.objections(now, action, named, _digging(now))
    units = [now.position.unit(u) for u in action.texts("units")]
    yield from _dig_objections(now, units, by_card=by_card)


def _dig_objections(now: Situation, units: Sequence[Unit], *, by_card: bool) -> Iterator[Violation]:
    rule = "COH-C11" if by_card else "COH-18.1.3a"
    if not units or len({u.id for u in units}) != len(units):
        yield Violation(rule, "name the units that dig in, each once", field="units")
        return
    # COH-9.1.4a: other group actions hold to the same.
    if not move_costs.connected(now, units):
        text = "the group does not hang together"
        yield Violation("COH-9.1a", text, field="units", cured_by=("units",))
    out = sum(u.has("hasty") for u in now.position.units.values())
    if out + len(units) > now.tables.supply("hasty_defence", "supply"):
        yield Violation("COH-18.1.3a", "no hasty defences are left in the box")
    for unit in units:
        me, cell = (unit.id,), now.cell(unit)
        if not cell or unit.carrier:
            yield Violation(rule, f"{unit.id} does not stand on the map", units=me)
            continue
        hit = now.hit(unit)
        if hit is not None and hit.only_rally and not by_card:
            yield Violation(hit.rule, f"{unit.id} can only rally", units=me)
        if not now.counter(unit).foot and not by_card:
            yield Violation(rule, f"{unit.id} is no foot unit", units=me)
        if now.kind(cell).key == "water":
            yield Violation("COH-18.1.3a", "not in water", units=me, cells=(cell,))
        if unit.has("hasty"):
            yield Violation("COH-18.1.3a", f"{unit.id} has one", units=me)
        if by_card and now.enemies_at(cell, unit.side):
            yield Violation("COH-C11", f"{unit.id} is in close combat", units=me)


def apply_dig_in(play: Play, action: Action) -> None:
    """The marker is the builder's own (COH-18.1.3b)."""
    units = action.texts("units")
    payment.settle(play, action, units, _digging(play.now))
    for unit in units:
        hiding.reveal_actor(play, unit, None)
        play.flag(unit, "hasty")
        move_execution.mine_attack(play, move_execution.Way(unit))
    end_action(play, action.side)


def _shifting(now: Situation, unit: Unit) -> Cost:
    """COH-18.2a: the normal cost of moving into the hex."""
    counter = now.counter(unit)
    cell = now.cell(unit)
    parts = [CostPart(counter.move, "move", "COH-18.2a", cell)]
    if cell and (extra := now.kind(cell).extra[counter.move_class]):
        parts.append(CostPart(extra, now.kind(cell).title, "COH-5.0a", cell))
    hit = now.hit(unit)
    if hit is not None and hit.move:
        parts.append(CostPart(hit.move, hit.title, hit.rule, cell))
    return Cost(tuple(parts), "AP")


def check_shift(now: Situation, action: Action) -> Verdict:
    """Into, or out of, the trench or bunker of one's own hex."""
    unit = now.position.unit(action.text("unit"))
    cost = _shifting(now, unit)
    return payment.verdict(now, _shift_objections(now, action, unit, cost), action, cost)


def _shift_objections(
    now: Situation, action: Action, unit: Unit, cost: Cost
) -> Iterator[Violation]:
    yield from barriers.able_to_move(now, unit)
    fort = str(action.given("fort", ""))
    if not now.cell(unit):
        yield Violation("COH-18.2a", f"{unit.id} is not on the map", units=(unit.id,))
    elif now.fort(unit) is None:
        yield from barriers.may_occupy(now, unit, now.cell(unit), fort)
    elif fort not in ("", unit.values.get("fort")):
        text = f"{unit.id} must first come out of where it is"
        yield Violation("COH-18.2a", text, units=(unit.id,), field="fort")
    yield from barriers.facing_objections(action)
    yield from payment.objections(now, action, [unit], cost)


def apply_shift(play: Play, action: Action) -> None:
    """In if it is out, out if it is in, with any facing."""
    unit = play.unit(action.text("unit"))
    payment.settle(play, action, [unit.id], _shifting(play.now, unit))
    named = action.params.get("facing")
    facing = named if isinstance(named, int) else None
    hiding.reveal_actor(play, unit.id, facing)
    casualties.show_for_move(play, action, unit.id)
    play.unflag(unit.id, "hasty")
    inside = play.now.fort(unit)
    outside: FrozenMap[Value] = FrozenMap({"fort": None})
    play.do(ChangeUnit(unit.id, facing=facing, values=outside))
    if inside is None:
        move_execution.arrive(
            play, move_execution.Way(unit.id, occupy=True, fort=action.text("fort"))
        )
    move_execution.mine_attack(play, move_execution.Way(unit.id))
    end_action(play, action.side)
