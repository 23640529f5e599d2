"""Sight holds to an oracle that walks the exact trace and applies the rules one by one."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import combinations

import pytest

from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.games.conflict_of_heroes.rules.terrain import sight
from hexmarshal.games.conflict_of_heroes.state.board import Board
from hexmarshal.geometry.lattice.hex_route import CellSpan, SideRun
from hexmarshal.geometry.lattice.hexes import DIRECTIONS, Hex
from hexmarshal.geometry.sight.trace import trace

COH = ConflictOfHeroes()


def oracle(map_: Board, smoke: Mapping[tuple[int, int], int], a: Hex, b: Hex) -> tuple[bool, int]:
    """Blocked or not, and the smoke: straight from the rules, without any short cut."""
    ground = {h: map_.levels[n] for n, h in map_.hexes.items()}
    solid = {h: map_.kinds[n].blocks for n, h in map_.hexes.items()}
    top = max(ground[a], ground[b])
    places: list[list[Hex]] = []
    for piece in trace(map_.map, a, b).pieces:
        if isinstance(piece, CellSpan) and piece.cell not in (a, b):
            places.append([piece.cell])  # type: ignore[list-item]
        elif isinstance(piece, SideRun):
            places.append(list(piece.cells))  # type: ignore[arg-type]

    def hides(h: Hex) -> bool:
        level = ground.get(h, 0)
        if solid.get(h, False):
            return level + 1 >= top
        return level > top or (level == top and ground[a] != ground[b])

    def cloud(h: Hex) -> int:
        points = smoke.get(h, 0)
        return points if points and ground.get(h, 0) + points >= top else 0

    haze = 0
    for place in places:
        if all(hides(h) for h in place):
            return True, 0
        haze += min(cloud(h) for h in place if not hides(h))
        if haze >= 2:
            return True, 0
    if ground[a] != ground[b] and places:
        high, low = (a, b) if ground[a] > ground[b] else (b, a)
        way = places if high == a else places[::-1]
        level, falls = ground[high], True
        for place in way:
            lower = [ground.get(h, 0) for h in place if ground.get(h, 0) <= level]
            if not lower:
                falls = False
                break
            level = max(lower)

        def blinds(h: Hex) -> bool:
            if solid.get(h, False):
                return ground.get(h, 0) + 1 > ground[low]
            return ground.get(h, 0) > ground[low] and not falls

        if all(blinds(h) for h in way[-1]):
            return True, 0
    return False, haze


@pytest.mark.parametrize("key", ["1", "9"])
def test_every_line_agrees_with_the_rules_and_runs_both_ways(key: str) -> None:
    map_ = COH.boards[key]
    chance = random.Random(key)
    cells = list(map_.hexes.values())
    smoke: dict[tuple[int, int], int] = {
        chance.choice(cells): chance.choice((1, 2)) for _ in range(14)
    }
    pairs = list(combinations(cells, 2))
    for a, b in chance.sample(pairs, min(len(pairs), 4000)):
        judged = sight.judge(map_, smoke, a, b)
        assert judged == sight.judge(map_, smoke, b, a), (map_.names[a], map_.names[b])
        blocked, haze = oracle(map_, smoke, a, b)
        assert judged.blocked is blocked, (map_.names[a], map_.names[b])
        if not blocked:
            assert judged.smoke == haze


def test_the_explained_line_says_the_same_as_the_quick_one() -> None:
    map_ = COH.boards["1"]
    chance = random.Random(2)
    names = list(map_.hexes)
    for _ in range(800):
        one, other = chance.sample(names, 2)
        line = sight.line(map_, {}, one, other)
        assert line.blocked is sight.judge(map_, {}, map_.hexes[one], map_.hexes[other]).blocked
        assert line.blocked is any(c.effect == "blocks" for c in line.crossings)


def test_a_field_of_view_is_all_lines_of_a_hex() -> None:
    map_ = COH.boards["9"]
    for name in ("9-E05", "9-H09", "9-A08"):
        seen = sight.field_of_view(map_, {}, name)
        for other in map_.hexes:
            line = sight.line(map_, {}, name, other)
            assert (other in seen) is line.visible


@pytest.mark.parametrize("facing", range(6))
def test_the_arc_is_the_fan_between_the_rows_through_the_outer_front_hexes(facing: int) -> None:
    """COH-6.1a: sums of steps into two neighbouring front hexes, and nothing else."""
    map_ = COH.boards["1"]
    here = map_.hexes["1-F09"]
    left, ahead, right = (DIRECTIONS[(facing + turn) % 6] for turn in (-1, 0, 1))
    fan = {
        Hex(here.q + i * one[0] + j * ahead[0], here.r + i * one[1] + j * ahead[1])
        for one in (left, right)
        for i in range(20)
        for j in range(20)
        if i or j
    }
    inside = {
        c for c in map_.hexes.values() if c != here and map_.in_arc("1-F09", facing, map_.names[c])
    }
    assert inside == fan & set(map_.names)
