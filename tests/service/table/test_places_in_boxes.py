"""Units beside the map: in the box of their own side, side by side, in their order."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import coh_table
import kharkov_table
import pytest

from hexmarshal.rules import engine
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap
from hexmarshal.table.placing import Placer
from hexmarshal.table.reading import TableReader
from hexmarshal.vassal.state.locator import ModuleLocator
from hexmarshal.vassal.state.placed import PlacedPiece


def laid(own: ModuleType, position: Position) -> dict[str, PlacedPiece]:
    placer = Placer(own.module(), own.binding(), own.PLUGIN, position)
    state = placer.place(position)
    found = {unit: state.find(piece) for unit, piece in placer.unit_pieces.items()}
    again = TableReader(own.module(), own.binding(), own.PLUGIN, state).read(state, position)
    assert again.position.units == position.units
    return {unit: piece for unit, piece in found.items() if isinstance(piece, PlacedPiece)}


def places(own: ModuleType, position: Position) -> dict[str, str]:
    pieces = laid(own, position)
    state = Placer(own.module(), own.binding(), own.PLUGIN, position).place(position)
    locator = ModuleLocator.for_game(own.module(), state)
    return {u: locator.locate(str(p.map), p.x, p.y).name for u, p in pieces.items()}


def kharkov(*units: Unit) -> Position:
    start = engine.start(kharkov_table.PLUGIN, "training")
    return replace(start, units=FrozenMap({unit.id: unit for unit in units}))


@pytest.mark.parametrize(
    ("unit", "type", "side", "seat"),
    [("inf-79", "infantry", "axis", "Axis"), ("grd-1", "guards", "soviet", "Soviet")],
)
def test_a_unit_that_is_due_or_dead_lies_in_the_box_of_its_own_side(
    unit: str, type: str, side: str, seat: str
) -> None:
    steps = 4 if side == "axis" else 2
    due = Unit(unit, type, side, box="arrivals", steps=steps, values=FrozenMap({"turn": 3}))
    assert places(kharkov_table, kharkov(due)) == {unit: f"{seat} arrivals 3"}
    dead = Unit(unit, type, side, box="eliminated", steps=steps)
    assert places(kharkov_table, kharkov(dead)) == {unit: f"{seat} losses"}


def test_a_soviet_truck_waits_with_the_soviet_reinforcements() -> None:
    start = engine.start(coh_table.PLUGIN, "first_steps")
    values = FrozenMap({"arrives": 3, "entry": ("1-E01",)})
    truck = Unit("s9", "soviet_truck", "soviet", box="reinforcements", values=values)
    found = places(coh_table, start.with_unit(truck))
    assert (found["s9"], found["g6"]) == ("Soviet reinforcements", "German reinforcements")


def test_a_box_is_filled_row_by_row_and_stacks_only_what_has_no_room() -> None:
    rows = [f"reg-{n:02}" for n in range(1, 16)]
    few = kharkov(
        *(Unit(u, "regiment", "axis", box="regiments", rank=i) for i, u in enumerate(rows))
    )
    points = [(p.x, p.y) for p in laid(kharkov_table, few).values()]
    assert len(set(points)) == len(rows)
    assert points == sorted(points, key=lambda point: (point[1], point[0]))
    start = engine.start(kharkov_table.PLUGIN, "campaign")
    dead = {
        unit.id: replace(
            unit, cell="", box="eliminated", rank=i, values=unit.values.without("turn")
        )
        for i, unit in enumerate(sorted(start.units.values(), key=lambda unit: unit.id))
        if unit.side == "soviet"
    }
    ranks = {unit: i for i, unit in enumerate(dead)}
    many = kharkov(*(replace(unit, rank=ranks[unit.id]) for unit in dead.values()))
    assert len({(p.x, p.y) for p in laid(kharkov_table, many).values()}) < len(dead)
