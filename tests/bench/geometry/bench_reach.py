"""Reach over a 60 x 40 hex map with zones of control, beside networkx on the same graph."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction

import networkx as nx
from ratio import Ratio, compare

from hexmarshal.geometry.lattice.hexes import Hex, Hexside
from hexmarshal.geometry.movement.costs import Barred, MoveRule, Standing, Step
from hexmarshal.geometry.movement.reach import Movement
from hexmarshal.geometry.movement.zones import ZonesOfControl, controlled

WIDE, HIGH = 60, 40
CELLS = [Hex.from_offset(col, row) for col in range(WIDE) for row in range(HIGH)]
ON_MAP = frozenset(CELLS)


def exits(cell: Hex) -> list[tuple[Hex, Hexside]]:
    return [
        (to, cell.side(direction)) for direction, to in enumerate(cell.neighbours()) if to in ON_MAP
    ]


class Terrain(MoveRule[Hex, Hexside]):
    """Mixed country: 1 to 3 a hex, 1 more over a river, half of it on a road."""

    def __init__(self) -> None:
        dice = random.Random(4)
        self.hexes = {cell: dice.choice((1, 1, 1, 2, 2, 3)) for cell in CELLS}
        self.rivers = {side for cell in CELLS for side in cell.sides() if dice.random() < 0.08}
        self.roads = {side for cell in CELLS for side in cell.sides() if dice.random() < 0.1}

    def step(self, here: Standing[Hex], to: Hex, side: Hexside) -> Step | Barred:
        if side in self.roads:
            return Step.of(("road", Fraction(1, 2)))
        if side in self.rivers:
            return Step.of(("terrain", self.hexes[to]), ("river", 1))
        return Step.of(("terrain", self.hexes[to]))


def movement() -> tuple[Movement[Hex, Hexside], ZonesOfControl[Hex, Hexside], frozenset[Hex]]:
    enemies = frozenset(random.Random(5).sample(CELLS[1:], 60))
    zones = controlled(enemies, exits)
    # No stops and no barred steps, so that every step of the graph is worked through by both.
    rule = ZonesOfControl(Terrain(), zones, must_stop=False, entering=2, leaving=1)
    return Movement(exits, rule), rule, zones


def as_graph(rule: MoveRule[Hex, Hexside]) -> nx.DiGraph:
    """The same steps with the same weights; halves are doubled for networkx to add integers."""
    graph = nx.DiGraph()
    graph.add_nodes_from(CELLS)
    for cell in CELLS:
        for to, side in exits(cell):
            step = rule.step(Standing(cell, None), to, side)
            assert isinstance(step, Step)
            graph.add_edge(cell, to, weight=int(step.cost * 2))
    return graph


def measure() -> Iterable[Ratio]:
    ours, rule, zones = movement()
    graph = as_graph(rule)
    start = Hex.from_offset(WIDE // 2, HIGH // 2)
    lengths = nx.single_source_dijkstra_path_length(graph, start)
    assert {cell: int(cost * 2) for cell, cost in ours.reach(start).costs.items()} == lengths

    def bare() -> object:
        return nx.single_source_dijkstra_path_length(graph, start)

    yield compare(
        "reach over 60 x 40 hexes with zones / networkx dijkstra",
        lambda: ours.reach(start),
        bare,
        1,
        rounds=30,
    )
    # Half a dozen hexes change hands between two searches, as after a move.
    moved = sorted(zones)[:6]
    fewer = ZonesOfControl(
        rule.rule, zones - frozenset(moved), must_stop=False, entering=2, leaving=1
    )
    yield compare(
        "the same, zones changed in 6 hexes first / networkx dijkstra",
        lambda: ours.revised(fewer, moved).reach(start),
        bare,
        1,
        rounds=30,
    )
