"""Queries: reach, odds, supply, retreats, control, score."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.combat import combat, retreat
from hexmarshal.games.kharkov.rules.command import supply
from hexmarshal.games.kharkov.rules.movement import movement, overrun, reachable_hexes
from hexmarshal.games.kharkov.rules.movement.moving_group import in_hand
from hexmarshal.games.kharkov.rules.turn import reinforcements, victory
from hexmarshal.games.kharkov.state.situation import SOVIET
from hexmarshal.rules.values import FrozenMap, Value, freeze
from hexmarshal.rules.verdict import Answer, IllegalActionError, Step, Verdict, amount_to_json

if TYPE_CHECKING:
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record

__all__ = ["answer"]


def _units(now: Situation, params: Record, name: str) -> tuple[Unit, ...]:
    named = params.get(name, ())
    assert isinstance(named, tuple)
    return tuple(now.position.unit(str(u)) for u in named)


def answer(now: Situation, name: str, params: Record) -> Answer:
    """The answer to any query."""
    match name:
        case "reach" | "path":
            return _reach(now, name, params)
        case "odds":
            return _odds(now, params)
        case "overrun_odds":
            units = _units(now, params, "units")
            side = units[0].side if units else SOVIET
            target = str(params["target"])
            verdict = overrun.check(now, units, target, str(params.get("hq", "")), side)
            _refuse(verdict)
            return combat.answer(now, overrun.battle(units, target, side))
        case "zoc":
            zone = tuple(now.board.names(now.zoc(str(params["side"]))))
            return Answer(FrozenMap({"cells": zone}))
        case "control":
            cities = {c.name: victory.controller(now, c) or None for c in now.board.cities.values()}
            held = {
                h: victory.holder(now, h) for c in now.board.cities.values() for h in c.garrisons
            }
            values: dict[str, Value] = {"cities": freeze(cities), "cells": freeze(held)}
            return Answer(FrozenMap(values))
        case "score":
            scores = freeze(victory.totals(now))
            return Answer(FrozenMap({"scores": scores}), victory.account(now))
        case _:
            return _unit(now, name, params)


def _unit(now: Situation, name: str, params: Record) -> Answer:
    unit = now.position.unit(str(params["unit"]))
    match name:
        case "supply":
            rule, text = supply.reason(now, unit)
            found: dict[str, Value] = {
                "supplied": supply.supplied(now, unit),
                "path": supply.line(now, unit),
                "rule": rule,
            }
            return Answer(FrozenMap(found), (Step(text, rule),))
        case "retreats":
            hexes = params["hexes"]
            assert isinstance(hexes, int)
            ways = retreat.paths(now, unit, hexes) if unit.cell else ()
            off = bool(unit.cell) and retreat.leaves_map(now, unit, hexes)
            return Answer(FrozenMap({"paths": ways, "off_map": off}))
        case _:
            attack, defence, moves = now.printed(unit)
            values: dict[str, Value] = {"strength": now.strength(unit), "move": moves}
            if now.revealed(unit):
                values |= {"attack": attack, "defence": defence}
            values |= {"revealed": now.revealed(unit), "allowance": now.allowance(unit)}
            values["left"] = amount_to_json(_left(now, unit))
            values |= {"size": now.kind(unit).size, "steps": unit.steps}
            return Answer(FrozenMap(values))


def _left(now: Situation, unit: Unit) -> Fraction:
    """The movement points that a unit still has in this phase."""
    hand = in_hand(now)
    if unit.id in hand.units:
        return Fraction(now.allowance(unit)) - Fraction(hand.spent.get(unit.id, 0), 2)
    return Fraction(0 if unit.has("moved") else now.allowance(unit))


def _reach(now: Situation, name: str, params: Record) -> Answer:
    units = _units(now, params, "units")
    side = units[0].side if units else SOVIET
    found = {}
    together = units and units[0].cell and len({u.cell for u in units}) == 1
    if together and not any(movement.group_violations(now, units, side)):
        found = reachable_hexes.reach(now, units, side)
    enters = bool(units) and all(u.box == "arrivals" for u in units)
    if enters:
        found = reinforcements.reach(now, units, side)

    def price(path: tuple[str, ...]) -> Value:
        bill = (
            reinforcements.bill(now, units, path, train=False)
            if enters
            else movement.bill(now, units, path)
        )
        return amount_to_json(Fraction(bill.total))

    if name == "path":
        path = found.get(str(params["cell"]), ())
        return Answer(FrozenMap({"path": path, "cost": price(path) if path else None}))
    costs: dict[str, Value] = {cell: price(path) for cell, path in found.items()}
    return Answer(FrozenMap({"cells": FrozenMap(costs)}))


def _odds(now: Situation, params: Record) -> Answer:
    attackers = _units(now, params, "attackers")
    targets = params["targets"]
    assert isinstance(targets, tuple)
    side = attackers[0].side if attackers else SOVIET
    cells = tuple(str(t) for t in targets)
    air = params.get("air") is True
    _refuse(combat.check(now, attackers, cells, side, use_air=air), planned=True)
    defended = params.get("defender_air") is True
    fought = combat.battle(attackers, cells, side, attack=air, defence=defended)
    return combat.answer(now, fought)


def _refuse(verdict: Verdict, *, planned: bool = False) -> None:
    """Odds of what the rules forbid: the verdict instead. One may plan ahead of the phase."""
    broken = tuple(
        v for v in verdict.violations if not (planned and v.rule == "KHA-9.11" and not v.units)
    )
    if broken:
        raise IllegalActionError(Verdict(broken))
