"""The move actions: one unit or a group moves or pivots; obstacles ask for a die first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import Place, RulesError
from hexmarshal.games.conflict_of_heroes.rules.fire import casualties
from hexmarshal.games.conflict_of_heroes.rules.movement import barriers, move_costs, move_execution
from hexmarshal.games.conflict_of_heroes.rules.terrain import hiding
from hexmarshal.games.conflict_of_heroes.rules.turn import payment, solitaire
from hexmarshal.games.conflict_of_heroes.rules.turn.rolling import (
    Roller,
    roll_objections,
    total_cap,
)
from hexmarshal.games.conflict_of_heroes.rules.turn.turn_order import advance, end_action
from hexmarshal.games.conflict_of_heroes.state.execution import listed, mapped
from hexmarshal.rules.action import Action
from hexmarshal.rules.state.effects import MoveUnit
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Cost, CostPart, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.rules.movement.move_costs import Leg
    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record

__all__ = [
    "apply_move",
    "apply_obstacle",
    "apply_leave",
    "check_leave",
    "check_move",
    "legs_of",
    "verdict_of",
]


def legs_of(now: Situation, action: Action) -> list[Leg]:
    """The ways of all units that a move, a pivot or a group move names."""
    rapid = payment.way(action) == "card" and action.text("card") == "05"
    if action.kind == "group_move":
        return [_leg(now, entry, i, rapid=rapid) for i, entry in enumerate(_entries(action))]
    unit = now.position.unit(action.text("unit"))
    path = action.texts("path")
    facing = _facing(now, unit, path, action.given("facing"))
    fort = action.given("fort")
    return [
        move_costs.plan(
            now,
            unit,
            path,
            facing,
            action.text("mode", "normal"),
            occupy=action.given("occupy") is True or bool(fort),
            fort=str(fort or ""),
            rapid=rapid,
        )
    ]


def _entries(action: Action) -> tuple[Record, ...]:
    moves = action.params.get("moves")
    if not isinstance(moves, tuple) or not all(isinstance(m, FrozenMap) for m in moves):
        raise RulesError(
            "the action: must be a list of {unit, path, facing}", place=Place(field="moves")
        )
    return tuple(m for m in moves if isinstance(m, FrozenMap))


def _leg(now: Situation, entry: Record, index: int, *, rapid: bool) -> Leg:
    name, path = entry.get("unit"), listed(entry.get("path", ()))
    at = f"moves[{index}]"
    if not isinstance(name, str) or name not in now.position.units:
        raise RulesError(f"no unit {name!r}", place=Place(field=f"{at}.unit"))
    for k, cell in enumerate(path):
        if cell not in now.board.hexes:
            raise RulesError(f"no cell {cell!r}", place=Place(field=f"{at}.path[{k}]"))
    unit = now.position.units[name]
    mode, fort = entry.get("mode"), entry.get("fort")
    return move_costs.plan(
        now,
        unit,
        path,
        _facing(now, unit, path, entry.get("facing")),
        mode if isinstance(mode, str) and mode in move_costs.MODES else "normal",
        occupy=entry.get("occupy") is True or fort is not None,
        fort=str(fort or ""),
        rapid=rapid,
    )


def _facing(now: Situation, unit: Unit, path: tuple[str, ...], given: Value) -> int | None:
    """The facing after it: as given, else the way it went, else as it was."""
    if isinstance(given, int) and not isinstance(given, bool):
        return given
    ways = [now.cell(unit), *path]
    if len(ways) > 1 and ways[-2]:
        direction = now.board.direction(ways[-2], ways[-1])
        return unit.facing if direction is None else direction
    return unit.facing if unit.facing is not None or not path else 0


def check_move(now: Situation, action: Action) -> Verdict:
    """Every objection to a move, a pivot or a group move, as far as it is chosen."""
    way = {"pivot": "facing", "group_move": "moves"}.get(action.kind, "path")
    if action.open(way) and action.given(way) is None:
        return Verdict.of(_setting_out(now, action))
    return verdict_of(now, action, legs_of(now, action))


def _setting_out(now: Situation, action: Action) -> Iterator[Violation]:
    """What is wrong wherever the way leads."""
    movers: list[Unit] = []
    if action.kind != "group_move":
        movers = [now.position.unit(action.text("unit"))]
    for unit in movers:
        yield from barriers.able_to_move(now, unit, action.kind)
    yield from payment.objections(now, action, movers, _at_least(now, action, movers))
    if action.kind == "move":
        for unit in movers:
            mode = action.text("mode", "normal")
            yield from barriers.of_mode(move_costs.Route(now, unit, (), mode, rapid=False))


def _at_least(now: Situation, action: Action, movers: Sequence[Unit]) -> Cost:
    """What any way costs: the first hex, or a pivot."""
    if action.kind == "group_move":
        return Cost()
    prices = [now.counter(unit).move for unit in movers]
    price = now.tables.number("movement", "pivot") if action.kind == "pivot" else max(prices)
    return Cost((CostPart(price, action.kind),))


def verdict_of(now: Situation, action: Action, legs: Sequence[Leg]) -> Verdict:
    """The verdict on legs that are planned already."""
    if not legs:
        return Verdict((Violation("COH-9.1.1b", "nobody moves", field="moves"),))
    cost = move_costs.group_cost(legs)
    units = [leg.unit for leg in legs]
    found = [v for leg in legs for v in leg.violations]
    found += _group_objections(now, action, legs)
    rolls = rolls_of(legs)
    found += roll_objections(now, action, rolls)
    found += payment.objections(now, action, units, cost, total_cap(action, rolls))
    return Verdict(tuple(found), payment.bill(now, action, cost))


def rolls_of(legs: Sequence[Leg]) -> list[str]:
    """The units that roll for an obstacle or for terrain that may hold them."""
    return [leg.unit.id for leg in legs if leg.obstacles or leg.risks]


def _group_objections(now: Situation, action: Action, legs: Sequence[Leg]) -> Iterator[Violation]:
    units = [leg.unit for leg in legs]
    if len({u.id for u in units}) != len(units):
        yield Violation("COH-9.1a", "a unit is named twice", field="moves")
    if len(units) > 1 and not _together(now, legs):
        ids = tuple(u.id for u in units)
        text = "the group does not hang together"
        yield Violation("COH-9.1.1c", text, units=ids, cured_by=("moves",))
    if not any(leg.path or leg.facing != leg.unit.facing for leg in legs):
        yield Violation("COH-9.1.1b", "nobody moves or pivots", cured_by=("moves", "facing"))
    if payment.way(action) == "card" and action.text("card") != "05":
        for leg in legs:
            if leg.mode == "hidden":
                text = f"the card is played on {leg.unit.id}, which gives it away"
                yield Violation("COH-10.0b", text, units=(leg.unit.id,), field="card")
    if payment.way(action) == "card" and action.text("card") == "05":
        for leg in legs:
            hit = now.hit(leg.unit)
            if now.immobile(leg.unit) or (hit is not None and hit.only_rally):
                text = f"{leg.unit.id} cannot move: no rapid deployment for it"
                yield Violation("COH-C05", text, units=(leg.unit.id,))
            elif not leg.path:
                yield Violation("COH-C05", f"{leg.unit.id} goes nowhere", units=(leg.unit.id,))


def _together(now: Situation, legs: Sequence[Leg]) -> bool:
    """COH-9.1.1c; COH-5.5b: reinforcements that come together come in side by side."""
    waiting = [leg for leg in legs if not now.on_map(leg.unit) and leg.path]
    if len(waiting) == len(legs):
        return move_costs.chained(now.board, {leg.path[0] for leg in legs})
    return move_costs.connected(now, [leg.unit for leg in legs])


def apply_move(play: Play, action: Action) -> None:
    """Move; where an obstacle asks for a die, roll it and let the player decide (COH-18.3.1a)."""
    if not solitaire.may_storm(play, action):
        return
    legs = legs_of(play.now, action)
    dear = payment.way(action) in ("ap", "command")
    if dear and any(leg.obstacles for leg in legs):
        _roll_obstacles(play, action, legs)
        return
    cost = move_costs.group_cost(legs)
    _carry_out(play, action, legs, cost, total_cap(action, rolls_of(legs)))


def _carry_out(play: Play, action: Action, legs: Sequence[Leg], cost: Cost, rolls: int) -> None:
    payment.settle(play, action, [leg.unit.id for leg in legs], cost, rolls)
    _share(play, action, legs)
    roller = Roller(play, action.side, action)
    rapid = payment.way(action) == "card" and action.text("card") == "05"
    shelter = {leg.path[-1] for leg in legs if leg.path and play.now.counter(leg.unit).vehicle}
    for leg in legs:
        unit = leg.unit.id
        # COH-10.0b: only a hidden move keeps a unit hidden; COH-C05 is one.
        stays = leg.mode == "hidden" or (rapid and play.now.hidden(leg.unit))
        if not stays:
            hiding.reveal_actor(play, unit, leg.facing)
            if leg.path:
                casualties.show_for_move(play, action, unit)
        if not leg.path:
            if leg.facing != leg.unit.facing:
                move_execution.turn(play, unit, leg.facing)
            continue
        way = move_execution.Way(
            unit, "", leg.path, leg.facing, occupy=leg.occupy, fort=leg.fort, hidden=stays
        )
        move_execution.march(play, way, roller)
        _expose(play, leg, shelter)
    # COH-9.1b, COH-14.1c: the other side reacts when all have come to the end of their ways.
    end_action(play, action.side)


def _share(play: Play, action: Action, legs: Sequence[Leg]) -> None:
    """COH-17.0d: who is carried moves as one group with the vehicle, and shares its status."""
    status = {"ap": "active", "opportunity": "spent"}.get(payment.way(action))
    for leg in legs:
        for passenger in play.position.carried_by(leg.unit.id):
            if status and leg.path and play.now.fresh(passenger):
                play.flag(passenger.id, status)


def _expose(play: Play, leg: Leg, shelter: set[str]) -> None:
    """COH-5.0.3a: who moved without caution into the open is easier to hit in the next action."""
    now = play.now
    unit = play.unit(leg.unit.id)
    if not now.option("cautious_movement") or leg.mode != "normal":
        return
    if not now.counter(unit).foot or not unit.cell or now.kind(unit.cell).cover:
        return
    backwards = any(p.rule in ("COH-5.2a", "COH-14.4a") for p in leg.parts)
    # COH-5.0.3b: backwards is cautious; COH-15.6b: so is moving beside a vehicle of the group.
    if not backwards and unit.cell not in shelter:
        play.exposed.append(unit.id)


def _roll_obstacles(play: Play, action: Action, legs: Sequence[Leg]) -> None:
    """COH-18.3.1a, COH-18.3.2a: announce, roll, add; then pay or give up."""
    play.spend_cap(action.side, total_cap(action, rolls_of(legs)))
    for leg in legs:
        if leg.mode != "hidden":
            hiding.reveal_actor(play, leg.unit.id, leg.facing)  # COH-10.0b: the try is an action.
    roller = Roller(play, action.side, action)
    dice: dict[str, int] = {}
    dearest = 0
    for leg in legs:
        price = leg.cost
        for cell in leg.obstacles:
            rolled = roller.low(f"obstacle in {cell}", leg.unit.id)
            die = rolled.total
            dice[leg.unit.id] = dice.get(leg.unit.id, 0) + die
            rule = "COH-18.3.1a" if play.now.counter(leg.unit).foot else "COH-18.3.2a"
            step = Step(f"{leg.unit.id} needs {die} more for the obstacle in {cell}", rule)
            play.decide(
                Resolution(
                    "obstacle",
                    str(die),
                    modifiers=rolled.modifiers,
                    dice=rolled.dice,
                    steps=(step,),
                )
            )
            price += die
        if leg.path:
            dearest = max(dearest, price)
    if any(leg.mode == "hidden" for leg in legs):
        # Where the hidden ones of the group want to go is nobody's business.
        secret = {"action": action.to_json()}
        about = {"dice": dice, "cost": dearest}
        play.queue("obstacle", action.side, about, secret=secret, only=action.side)
    else:
        about = {"action": action.to_json(), "dice": dice, "cost": dearest}
        play.queue("obstacle", action.side, about)
    advance(play)


def pending(now: Situation) -> tuple[Action, int]:
    """The move that waits at an obstacle, and what it costs now."""
    frame = now.position.frame("obstacle")
    stored = dict(mapped(frame.value("action"))) if frame is not None else {}
    kind, side = str(stored.pop("kind", "")), str(stored.pop("side", ""))
    stored.pop("cap", None)
    stored.pop("luck", None)
    cost = frame.value("cost") if frame is not None else 0
    return Action(kind, side, FrozenMap(stored)), cost if isinstance(cost, int) else 0


def check_obstacle(now: Situation, action: Action) -> Verdict:
    """Whether the player can pay for the obstacle; giving up is always possible."""
    move, cost = pending(now)
    bill = Cost((CostPart(cost, "move and obstacle", "COH-18.3.1a"),), "AP")
    if not action.flag("pay"):
        return Verdict()
    units = [leg.unit for leg in legs_of(now, move)]
    more = action.given("top_up")
    topped = move.params if more is None else move.params.set("top_up", more)
    paying = Action(move.kind, move.side, topped)
    return Verdict(
        tuple(payment.objections(now, paying, units, bill)), payment.bill(now, move, bill)
    )


def apply_obstacle(play: Play, action: Action) -> None:
    """Pay and enter, or stay: then what is left of the activation is lost (COH-18.3.1b)."""
    move, cost = pending(play.now)
    play.settled()
    if action.flag("pay"):
        params = move.params.without("top_up")
        if "top_up" in action.params:
            params = params.set("top_up", action.params["top_up"])
        move = Action(move.kind, move.side, params)
        bill = Cost((CostPart(cost, "move and obstacle", "COH-18.3.1a"),), "AP")
        _carry_out(play, move, legs_of(play.now, move), bill, 0)
        return
    play.tell("obstacle", "stays where it is", "COH-18.3.1b")
    legs = legs_of(play.now, move)
    if payment.way(move) == "ap":
        for leg in legs:
            play.flag(leg.unit.id, "active")
        payment.spend_activation(play, action.side)
    else:
        # The try was an action: were it free, it could put off the end of the turn for ever.
        play.spend_cap(action.side, payment.due(move_costs.group_cost(legs)))
    end_action(play, action.side)


def check_leave(now: Situation, action: Action) -> Verdict:
    """COH-5.6a: off the map only where the firefight allows it."""
    unit = now.position.unit(action.text("unit"))
    counter = now.counter(unit)
    rule = "COH-5.0a" if counter.foot else "COH-14.0a"
    cost = Cost((CostPart(counter.move, "leave the map", rule),), "AP")
    return payment.verdict(now, _leave_objections(now, action, unit, cost), action, cost)


def _leave_objections(
    now: Situation, action: Action, unit: Unit, cost: Cost
) -> Iterator[Violation]:
    yield from barriers.able_to_move(now, unit)
    allowed = listed(mapped(now.position.extras.get("exits")).get(unit.side, ()))
    if now.cell(unit) not in allowed:
        text = f"{unit.id} may not leave the map here"
        yield Violation("COH-5.6a", text, units=(unit.id,))
    yield from payment.objections(now, action, [unit], cost)


def apply_leave(play: Play, action: Action) -> None:
    """The unit is off, with all that it carries."""
    verdict = check_leave(play.now, action)
    unit = action.text("unit")
    cost = verdict.cost if payment.way(action) in ("ap", "command") else Cost()
    payment.settle(play, action, [unit], cost)
    hiding.reveal_actor(play, unit, 0)  # COH-10.0b
    play.unflag(unit, "hasty")
    play.do(MoveUnit(unit, box="exited"))
    end_action(play, action.side)
