"""Reach: exact costs against brute force, zones of control, bonuses, ties, bad costs."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.lattice.hexes import Hex, Hexside
from hexmarshal.geometry.movement.costs import Barred, Cost, MoveRule, Standing, Step
from hexmarshal.geometry.movement.reach import Movement
from hexmarshal.geometry.movement.zones import ZonesOfControl, controlled

BOARD = frozenset(Hex(0, 0).disk(3))
HEXES = sorted(BOARD)
SIDES = sorted({side for cell in HEXES for side in cell.sides()})

Move = Movement[Hex, Hexside]
Rule = MoveRule[Hex, Hexside]


def exits(cell: Hex) -> list[tuple[Hex, Hexside]]:
    return [(to, cell.side(d)) for d, to in enumerate(cell.neighbours()) if to in BOARD]


@dataclass(frozen=True)
class Country(Rule):
    """Open ground at 1, unless a table says otherwise; walls are barred; roads cost a half."""

    hexes: dict[Hex, Cost]
    rivers: frozenset[Hexside] = frozenset()
    walls: frozenset[Hexside] = frozenset()
    roads: frozenset[Hexside] = frozenset()

    def step(self, here: Standing[Hex], to: Hex, side: Hexside) -> Step | Barred:
        if side in self.walls:
            return Barred("a wall")
        if side in self.roads:
            return Step.of(("road", Fraction(1, 2)))
        river = [("river", 1)] if side in self.rivers else []
        return Step.of(("ground", self.hexes.get(to, 1)), *river)


@dataclass(frozen=True)
class RoadMarch(Country):
    """One more movement point if the whole way is by road: the memory is whether it was so far."""

    def begin(self, cell: Hex) -> Hashable:
        return True

    def step(self, here: Standing[Hex], to: Hex, side: Hexside) -> Step | Barred:
        step = super().step(here, to, side)
        if isinstance(step, Step):
            return step._replace(memory=bool(here.memory) and side in self.roads)
        return step

    def bonus(self, memory: Hashable) -> Cost:
        return 1 if memory else 0


@dataclass(frozen=True)
class Wheels(Rule):
    """A turn of more than 60 degrees costs one more: the memory is the direction come from."""

    def step(self, here: Standing[Hex], to: Hex, side: Hexside) -> Step | Barred:
        heading = here.cell.direction_to(to)
        turn = 0 if here.memory is None else (heading - here.memory) % 6  # type: ignore[operator]
        sharp = min(turn, 6 - turn) > 1
        return Step.of(("hex", 1), ("turn", int(sharp)), memory=heading)


def brute_force(rule: Rule, start: Hex, allowance: Cost | None) -> dict[Hex, Cost]:
    """Relax every known state until nothing changes, with no queue and no cleverness."""
    known: dict[tuple[Hex, Hashable, bool], Cost] = {(start, rule.begin(start), False): 0}
    changed = True
    while changed:
        changed = False
        for (cell, memory, ended), cost in list(known.items()):
            for to, side in [] if ended else exits(cell):
                step = rule.step(Standing(cell, memory), to, side)
                if isinstance(step, Barred):
                    continue
                total = cost + sum(amount for _, amount in step.charges)
                if allowance is not None and total > allowance + rule.bonus(step.memory):
                    continue
                state = (to, step.memory, step.ends)
                if state not in known or total < known[state]:
                    known[state] = total
                    changed = True
    best: dict[Hex, Cost] = {}
    for (cell, _, _), cost in known.items():
        best[cell] = min(cost, best.get(cell, cost))
    return best


amounts = st.one_of(
    st.integers(0, 4), st.fractions(0, 3, max_denominator=4), st.sampled_from([Fraction(1, 3)])
)
sides = st.frozensets(st.sampled_from(SIDES), max_size=25)
countries = st.builds(
    Country, st.dictionaries(st.sampled_from(HEXES), amounts, max_size=20), sides, sides, sides
)
marches = st.builds(
    RoadMarch, st.dictionaries(st.sampled_from(HEXES), amounts, max_size=20), sides, sides, sides
)
zoned = st.builds(
    ZonesOfControl,
    st.one_of(countries, marches, st.just(Wheels())),
    st.frozensets(st.sampled_from(HEXES), max_size=12),
    must_stop=st.booleans(),
    entering=amounts,
    leaving=amounts,
    between=st.one_of(st.none(), amounts),
    occupied=st.frozensets(st.sampled_from(HEXES[1:]), max_size=3),
)
rules = st.one_of(countries, marches, st.just(Wheels()), zoned)
allowances = st.one_of(st.none(), st.integers(0, 8), st.fractions(0, 6, max_denominator=3))


@given(rules, st.sampled_from(HEXES), allowances)
def test_costs_are_those_of_brute_force(rule, start, allowance):
    reach = Move(exits, rule).reach(start, allowance=allowance)
    assert dict(reach.costs) == brute_force(rule, start, allowance)


@given(rules, st.sampled_from(HEXES), allowances)
def test_a_path_is_a_legal_way_whose_parts_sum_to_the_cost(rule, start, allowance):
    reach = Move(exits, rule).reach(start, allowance=allowance)
    for cell, cost in reach.costs.items():
        path = reach.path(cell)
        assert (path.start, path.end, path.cost) == (start, cell, cost)
        assert sum(path.charges().values()) == cost
        assert sum(leg.cost for leg in path.legs) == cost
        memory = rule.begin(start)
        for leg in path.legs:
            step = rule.step(Standing(leg.start, memory), leg.end, leg.side)
            assert isinstance(step, Step)
            assert (step.charges, step.ends) == (leg.charges, leg.ends)
            memory = step.memory
        assert all(not leg.ends for leg in path.legs[:-1])
        assert all(a.end == b.start for a, b in pairwise(path.legs))


@given(rules, st.sampled_from(HEXES), allowances, st.lists(st.sampled_from(HEXES), max_size=4))
def test_earlier_searches_change_no_answer_and_no_path(rule, start, allowance, others):
    fresh = Move(exits, rule).reach(start, allowance=allowance)
    worn = Move(exits, rule)
    for other in others:
        worn.reach(other)
    again = worn.reach(start, allowance=allowance)
    assert list(again.costs.items()) == list(fresh.costs.items())
    assert [again.path(c).cells for c in again] == [fresh.path(c).cells for c in fresh]


@given(
    countries,
    st.frozensets(st.sampled_from(HEXES)),
    st.frozensets(st.sampled_from(HEXES), max_size=5),
)
def test_a_revised_movement_is_one_made_anew(country, before, changed):
    after = before ^ changed
    old = Move(exits, ZonesOfControl(country, before, entering=2))
    old.reach(Hex(0, 0))
    rule = ZonesOfControl(country, after, entering=2)
    revised = old.revised(rule, changed).reach(Hex(0, 0))
    anew = Move(exits, rule).reach(Hex(0, 0))
    assert list(revised.costs.items()) == list(anew.costs.items())


@given(countries, st.sampled_from(HEXES), allowances)
def test_every_neighbour_out_of_reach_has_a_reason(rule, start, allowance):
    reach = Move(exits, rule).reach(start, allowance=allowance)
    edge = {to for cell in reach for to, _ in exits(cell)} - set(reach)
    assert {step.to for step in reach.frontier()} == edge
    assert all(step.why for step in reach.frontier())


def test_equal_costs_take_fewer_steps_then_the_first_direction():
    free = Country(dict.fromkeys(HEXES, 0))
    path = Move(exits, free).reach(Hex(0, 0)).path(Hex(1, -2))
    assert path.cells == (Hex(0, 0), Hex(0, -1), Hex(1, -2))


def test_a_unit_stops_on_entering_a_zone_of_control():
    zones = controlled([Hex(2, 0)], exits)
    reach = Move(exits, ZonesOfControl(Country({}), zones)).reach(Hex(0, 0), allowance=5)
    assert reach.cost(Hex(1, 0)) == 1
    assert Hex(2, 0) not in reach  # no way there but through its own zone
    with pytest.raises(GeometryError, match="out of reach") as refused:
        reach.path(Hex(2, 0))
    assert "the move ends on entering" in refused.value.hint


def test_a_unit_that_starts_in_a_zone_may_leave_it():
    rule = ZonesOfControl(Country({}), frozenset([Hex(0, 0)]))
    assert len(Move(exits, rule).reach(Hex(0, 0), allowance=1)) == 7


def test_from_zone_to_zone_is_barred_where_the_rule_says_so():
    zones = frozenset([Hex(0, 0), Hex(1, 0)])
    rule = ZonesOfControl(Country({}), zones, must_stop=False, between=None)
    path = Move(exits, rule).reach(Hex(0, 0)).path(Hex(1, 0))
    assert path.cost == 2


def test_a_zone_does_not_extend_where_it_is_told_not_to():
    river = Hexside(Hex(0, 0), 0)
    zone = controlled([Hex(0, 0)], exits, lambda unit, cell, side: side != river)
    assert zone == set(Hex(0, 0).neighbours()) - {Hex(0, -1)}


def test_a_road_march_goes_farther_only_if_it_keeps_to_the_road():
    road = [Hex(-3, 0), Hex(-2, 0), Hex(-1, 0), Hex(0, 0), Hex(1, 0)]
    roads = frozenset(Hexside.between(a, b) for a, b in pairwise(road))
    reach = Move(exits, RoadMarch({}, roads=roads)).reach(road[0], allowance=1)
    assert reach.cost(road[4]) == 2
    assert Hex(0, -1) not in reach  # one step off the road: no bonus


def test_minimum_move_takes_one_dear_step_but_never_a_barred_one():
    swamp = dict.fromkeys(HEXES, 9)
    wall = Hexside(Hex(0, 0), 0)
    movement = Move(exits, Country(swamp, walls=frozenset([wall])))
    reach = movement.reach(Hex(0, 0), allowance=2, minimum_move=True)
    assert set(reach) == {Hex(0, 0), *Hex(0, 0).neighbours()} - {Hex(0, -1)}
    assert reach.forced == set(reach) - {Hex(0, 0)}
    assert reach.path(Hex(1, 0)).cost == 9
    assert len(movement.reach(Hex(0, 0), allowance=0, minimum_move=True)) == 1


def test_a_path_explains_itself():
    rule = ZonesOfControl(
        Country({Hex(1, 0): 2}, rivers=frozenset([Hexside(Hex(0, 0), 2)])),
        frozenset([Hex(1, 0)]),
        entering=Fraction(1, 2),
    )
    path = Move(exits, rule).reach(Hex(0, 0)).path(Hex(1, 0))
    (line,) = path.explain()
    assert line.startswith("(0,0) -> (1,0): ground 2 + river 1 + entering a zone of control 1/2 =")
    assert line.endswith("= 7/2 (7/2 so far, the move ends here)")


def test_a_unit_may_change_its_mode_of_movement_on_the_way():
    class Riders(Rule):
        """Mounted, hills are barred; dismounting costs one and leads from a cell to itself."""

        def begin(self, cell):
            return "mounted"

        def step(self, here, to, side):
            if side == "dismount":
                mounted = here.memory == "mounted"
                return Step.of(("dismount", 1), memory="foot") if mounted else Barred("on foot")
            if here.memory == "mounted" and to == Hex(0, -2):
                return Barred("too steep for horses")
            return Step.of((here.memory, Fraction(1, 2) if here.memory == "mounted" else 1),
                           memory=here.memory)  # fmt: skip

    def ways(cell):
        return [*exits(cell), (cell, "dismount")]

    path = Movement(ways, Riders()).reach(Hex(0, 0)).path(Hex(0, -2))
    assert path.charges() == {"mounted": Fraction(1, 2), "dismount": 1, "foot": 1}
    assert path.cells == (Hex(0, 0), Hex(0, -1), Hex(0, -1), Hex(0, -2))


def test_several_starts_share_one_reach():
    reach = Move(exits, Country({})).reach(Hex(-3, 0), Hex(3, 0))
    assert reach.cost(Hex(2, 0)) == 1
    assert reach.path(Hex(2, 0)).start == Hex(3, 0)


@pytest.mark.parametrize("amount", [1.5, math.nan, math.inf, -1, Fraction(-1, 2), True, "2", None])
def test_a_cost_that_is_not_exact_or_is_negative_is_an_error_with_the_cell(amount):
    with pytest.raises(GeometryError) as refused:
        Move(exits, Country({Hex(1, 0): amount})).reach(Hex(0, 0))
    assert refused.value.place.cell == "(1,0)"
    assert "'ground'" in refused.value.message


@pytest.mark.parametrize("allowance", [2.0, math.nan, -1])
def test_an_allowance_is_exact_too(allowance):
    with pytest.raises(GeometryError, match="allowance"):
        Move(exits, Country({})).reach(Hex(0, 0), allowance=allowance)


def test_a_memory_that_cannot_be_compared_is_an_error():
    class Diary(Country):
        def step(self, here, to, side):
            return Step.of(("hex", 1), memory=[to])

    with pytest.raises(GeometryError, match="cannot be compared"):
        Move(exits, Diary({})).reach(Hex(0, 0))


def test_a_rule_without_end_is_stopped(monkeypatch):
    class Counter(Country):
        def step(self, here, to, side):
            return Step.of(("hex", 1), memory=(here.memory or 0) + 1)

    monkeypatch.setattr("hexmarshal.geometry.movement.stategraph.MOST_STATES", 1000)
    with pytest.raises(GeometryError, match="more than 1000 states"):
        Move(exits, Counter({})).reach(Hex(0, 0))


def test_a_reach_from_nowhere_is_an_error():
    with pytest.raises(GeometryError, match="start"):
        Move(exits, Country({})).reach()
