"""The rules agree with a naive second model on random positions.

Zones of control, supply with its paths, reach and retreats; see kharkov_naive.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kharkov_ground import game
from kharkov_naive import Table, ground

from hexmarshal.rules import engine
from hexmarshal.rules.state import validate
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap, Value

# One example is many comparisons: half as many of them.
HALF_AS_MANY = settings(max_examples=settings().max_examples // 2, deadline=None)

EACH = 4
SEEDS = st.integers(0, 10**9)
LADDERS = {
    "infantry": ["9-8", "4-8", "2-8", "1-8"],
    "panzer": ["6-12", "3-12"],
    "regiment": ["2-8"],
    "romanian": ["4-6"],
    "rifle": ["3-4-6"],
    "cavalry": ["2-2-9"],
    "tank": ["5-5-11"],
    "guards": ["5-6-6", "3-3-6"],
}
TYPES = {
    "axis": ["infantry", "infantry", "panzer", "regiment", "romanian"],
    "soviet": ["rifle", "rifle", "cavalry", "tank", "guards"],
}


def _unit(kind: str, side: str, cell: str, chance: Random) -> dict[str, Any]:
    flags = []
    if kind == "regiment" and chance.random() < 0.5:
        flags.append("strongpoint")
    if chance.random() < 0.2:
        flags.append("unsupplied")
    if kind == "hq":
        values: dict[str, Any] = {"radius": chance.randint(1, 6), "move": 10, "inactive_move": 4}
        return {"type": kind, "side": side, "cell": cell, "values": values}
    ladder = LADDERS[kind]
    return {
        "type": kind,
        "side": side,
        "cell": cell,
        "steps": len(ladder),
        "flags": flags,
        "values": {"ladder": ladder},
    }


def _units(chance: Random, table: Table) -> Iterator[tuple[str, str, str]]:
    """A crowd around one hex, both sides mixed, with headquarters."""
    names = sorted(table.ground.names)
    area = [chance.choice([chance.choice(names), chance.choice(sorted(table.ground.garrisons))])]
    while len(area) < 40:
        near = chance.choice(table.ground.near(chance.choice(area)))
        area.append(near)
    taken: dict[str, str] = {}
    for _ in range(chance.randint(2, 16)):
        side = chance.choice(["axis", "soviet"])
        cell = chance.choice(area)
        if taken.setdefault(cell, side) == side and not (side == "soviet" and table.garrison(cell)):
            kind = "hq" if chance.random() < 0.15 else chance.choice(TYPES[side])
            if kind == "hq" or sum(table.fights(u) for u in table.on(cell, side)) < 3:
                yield kind, side, cell


def _table(chance: Random) -> tuple[str, Table]:
    key = chance.choice(["ground", "kharkov"])
    table = Table(ground(key), {}, turn=chance.choice([1, 2, 5]))
    for city in table.ground.garrisons:
        if chance.random() < 0.4:
            holder = chance.choice(["axis", "soviet"])
            once = holder == "soviet" or chance.random() < 0.7
            table.cells[city] = {"garrison": 0, "holder": holder, "soviet": once}
    for i, (kind, side, cell) in enumerate(_units(chance, table)):
        table.units[f"u{i}"] = _unit(kind, side, cell, chance)
    return key, table


def _position(key: str, table: Table) -> Position:
    document = game().blank().to_json() | {
        "board": key,
        "turn": table.turn,
        "phase": "axis_combat",
        "active": ["axis"],
        "extras": {"south": 0},
        "cells": table.cells,
        "units": table.units,
    }
    return validate.admit(game(), Position.from_json(document))


def _pairs(seed: int) -> Iterator[tuple[Random, Table, Position]]:
    chance = Random(seed)
    for _ in range(EACH):
        key, table = _table(chance)
        yield chance, table, _position(key, table)


def _ask(at: Position, name: str, **params: Value) -> dict[str, Any]:
    return dict(engine.ask(game(), at, name, FrozenMap(params)).to_json())


@pytest.mark.parametrize("key", ["ground", "kharkov"])
def test_both_know_the_same_hexes(key: str) -> None:
    at = Position.from_json(game().blank().to_json() | {"board": key})
    every = {f"{row:02}{column:02}" for row in range(60) for column in range(60)}
    assert {c for c in every if game().has_cell(at, c)} == ground(key).names


@given(SEEDS)
def test_zones_of_control(seed: int) -> None:
    """KHA-8.0-G, KHA-8.21, KHA-10.15, KHA-15.24."""
    for _, table, at in _pairs(seed):
        for side in ("axis", "soviet"):
            assert set(_ask(at, "zoc", side=side).get("cells", ())) == table.zone(side)


@HALF_AS_MANY
@given(SEEDS)
def test_supply_and_its_paths(seed: int) -> None:
    """KHA-10.22, KHA-10.23, KHA-11.1 to KHA-11.36: who is supplied, along which hexes."""
    for _, table, at in _pairs(seed):
        for unit in table.units:
            told = _ask(at, "supply", unit=unit)
            assert told["supplied"] == table.supplied(unit), unit
            path = list(told.get("path", ()))
            assert bool(path) == told["supplied"]
            assert not path or table.lawful(unit, path), (unit, path)


@HALF_AS_MANY
@given(SEEDS)
def test_reach(seed: int) -> None:
    """KHA-6.11 to KHA-6.26, KHA-6.3, KHA-6.8, KHA-8.1: where units may end, alone or together."""
    for chance, table, at in _pairs(seed):
        if not table.units:
            continue
        first = chance.choice(sorted(table.units))
        it = table.units[first]
        stack = [u for u in table.on(it["cell"], it["side"]) if u != first]
        units = [first, *stack[: chance.randint(0, 2)]]
        told = _ask(at, "reach", units=tuple(units))
        assert set(told.get("cells", {})) == table.reach(units), units


@given(SEEDS, st.integers(1, 2))
def test_retreats(seed: int, hexes: int) -> None:
    """KHA-9.61, KHA-9.63, KHA-9.64: every way back, and when it leads off the map."""
    for _, table, at in _pairs(seed):
        for unit in table.units:
            told = _ask(at, "retreats", unit=unit, hexes=hexes)
            assert {tuple(p) for p in told.get("paths", ())} == table.retreats(unit, hexes), unit
            assert bool(told.get("off_map")) == table.off_map(unit, hexes), unit


@HALF_AS_MANY
@given(SEEDS)
def test_control_of_cities(seed: int) -> None:
    """KHA-17.11, KHA-17.12, KHA-17.13."""
    for _, table, at in _pairs(seed):
        told = _ask(at, "control")["cities"]
        for name, hexes in table.ground.cities.items():
            assert told.get(name) == table.controller(hexes), name
