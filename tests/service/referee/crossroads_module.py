"""The VASSAL module of the tutorial game, as a module maker would build it, with its binding."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import yaml
from tutorial.board import data, hexes

from hexmarshal.table.binding import ENTRY, Binding
from hexmarshal.vassal.builder import (
    Counter,
    ModuleBuilder,
    counts,
    hex_grid,
    layer,
    lists,
    markers,
    marks_moved,
)
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.components import HexGridNumbering
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.traits import Hideable
from hexmarshal.vassal.values import PieceAccess

MAP = "Crossroads"
GAP = 60

NUMBERING = {"hType": "A", "hOff": "0", "vOff": "1", "vLeading": "0"}
BINDING: dict[str, Any] = {
    "format": "hexmarshal-binding/1",
    "game": "tutorial",
    "module": "Crossroads",
    "map": {"name": MAP, "cells": "[A-Z][0-9]+"},
    "units": [
        {
            "match": {"property": {"UnitId": ".+"}},
            "id": "{UnitId}",
            "type": "{UnitType}",
            "side": "{UnitSide}",
        }
    ],
    "signs": [
        {"property": "Step_Level", "steps": "down"},
        {"property": "Fought_Level", "cases": {"2": {"flags": ["fought"]}}, "aid": True},
        {"property": "Moved", "cases": {"true": {"flags": ["moved"]}}, "aid": True},
        {
            "property": "Invisible",
            "cases": {"true": {"seen_by": "own"}},
        },
    ],
    "turn": {
        "tracker": "Turn",
        "turn": "Turn",
        "levels": ["Side", "Phase"],
        "phases": {
            f"{side.title()}, {phase.title()}": {"phase": phase, "active": [side]}
            for side in ("blue", "red")
            for phase in ("move", "combat")
        },
    },
    "sides": {"Blue": "blue", "Red": "red"},
    "dice": [{"button": "1d6", "sides": 6}],
}

# Every unit that a scenario or a test may want; the steps are those of its type.
UNITS = {
    f"{side[0]}{number}": (side, kind)
    for side in ("blue", "red")
    for number, kind in enumerate(("infantry", "infantry", "tank", "scout", "tank"), 1)
} | {"r3": ("red", "scout"), "r4": ("red", "tank")}


def builder(
    units: Mapping[str, tuple[str, str]] = UNITS,
    *,
    numbered: bool = True,
    name: str = "Crossroads",
    version: str = "1",
) -> ModuleBuilder:
    made = ModuleBuilder(name, version=version)
    made.sides("Blue", "Red")
    board_map = made.map(MAP, main=True, mark_moved=True)
    rows = data()["board"]
    grid = hex_grid(
        width=GAP,
        height=GAP,
        origin=(GAP // 2, GAP // 2),
        numbering=NUMBERING,
    )
    if not numbered:
        for own in list(grid.each(HexGridNumbering)):
            own.remove()
    size = (GAP * (len(rows[0]) + 1), GAP * (len(rows) + 1))
    board_map.board("Field", size=size, grid=grid)
    palette = made.palette("Counters").panel("Units")
    for unit, (side, kind) in units.items():
        steps = data()["types"][kind]["steps"]
        palette.counter(
            Counter(
                f"{kind} {unit}",
                traits=(
                    layer("Step", [""] * steps, next_command="Lose a step", key="L"),
                    layer("Fought", ["", ""], next_command="Fought", key="U"),
                    markers({"UnitId": unit, "UnitType": kind, "UnitSide": side}),
                    Equipped(Hideable(command="Hide", access=PieceAccess("side:"))),
                    marks_moved(""),
                ),
            )
        )
    made.turn_tracker(
        "Turn", counts("Turn"), lists("Side", "Blue", "Red"), lists("Phase", "Move", "Combat")
    )
    made.dice("1d6", count=1, sides=6)
    made.file(ENTRY, yaml.safe_dump(BINDING, sort_keys=False).encode())
    return made


@cache
def module() -> Module:
    return Module.from_archive(builder().archive())


@cache
def binding() -> Binding:
    found = Binding.inside(module())
    assert found is not None
    return found


def cells() -> list[str]:
    return list(hexes())
