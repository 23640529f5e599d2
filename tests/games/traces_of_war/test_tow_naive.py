"""The rules against a second, naive model: supply, what movement costs, where units retreat."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tow_ground import game, moving, position, situation, unit
from tow_naive import Ground, beside, far

from hexmarshal.games.traces_of_war.rules.combat.routes import best, routes
from hexmarshal.games.traces_of_war.rules.ground.supply import can_trace
from hexmarshal.games.traces_of_war.rules.movement.march import reach
from hexmarshal.rules import engine

# One example is many comparisons: half as many of them.
HALF_AS_MANY = settings(max_examples=settings().max_examples // 2, deadline=None)

CELLS = [f"{line}{place}" for line in range(10, 15) for place in range(10, 15)]
EDGE = {n for c in CELLS for n in beside(c)} - set(CELLS)
PAIRS = sorted({tuple(sorted((a, b))) for a in CELLS for b in beside(a) if b in CELLS})
WORDS = [
    ["minor"],
    ["major"],
    ["major", "road"],
    ["major", "rail"],
    ["road"],
    ["rail"],
    ["blocked"],
]
START = "1212"
FREE = [cell for cell in CELLS if cell != START]

terrains = st.dictionaries(st.sampled_from(FREE), st.sampled_from(["rough", "marsh", "woods"]))
hexsides = st.dictionaries(st.sampled_from(PAIRS), st.sampled_from(WORDS), max_size=14)
places = st.lists(st.sampled_from(FREE), max_size=4, unique=True)
cities = st.sets(st.sampled_from(FREE), max_size=2)


def ground(terrain, sides, enemies, own):
    return Ground(
        set(CELLS),
        dict(terrain),
        {frozenset(pair): set(words) for pair, words in sides.items()},
        list(enemies),
        [START, *own],
    )


def cells_of(terrain, sides, **facts):
    found = {cell: {"off": True} for cell in EDGE}
    for cell, kind in terrain.items():
        found.setdefault(cell, {})["terrain"] = [kind]
    for (one, other), words in sides.items():
        found.setdefault(one, {}).setdefault("sides", {})[other] = words
    for cell, fact in facts.items():
        found.setdefault(cell.lstrip("_"), {}).update(fact)
    return found


def units_of(enemies, own):
    found = {f"e{i}": unit("soviet", "infantry", cell, "5-4") for i, cell in enumerate(enemies)}
    found |= {f"o{i}": unit("axis", "infantry", cell, "4-5") for i, cell in enumerate(own)}
    return found | {"x": unit("axis", "infantry", START, "4-5", "2-5")}


def parted(enemies, own):
    """The two sides never share a hex."""
    return enemies, [cell for cell in own if cell not in enemies]


@given(hexsides, places, places, cities, st.sampled_from(FREE))
@settings(max_examples=80, deadline=None)
def test_supply_is_traced_as_the_naive_model_does(sides, enemies, own, towns, source) -> None:
    enemies, own = parted(enemies, own)
    towns -= {*enemies, *own, START}
    model = ground({}, sides, enemies, own)
    model.enemy_cities = towns
    facts = {f"_{c}": {"terrain": ["city"], "control": "soviet"} for c in towns}
    cells = cells_of({}, sides, **facts)
    cells.setdefault(source, {})["source"] = "axis"
    now = situation(position(units_of(enemies, own), cells))
    assert can_trace(now, now.unit("x")) == model.supplied(START, {source})


@HALF_AS_MANY
@given(terrains, hexsides, places, places)
def test_moves_reach_and_cost_what_the_naive_model_says(terrain, sides, enemies, own) -> None:
    enemies, own = parted(enemies, own)
    own = own + own[:1]
    model = ground(terrain, sides, enemies, own)
    of = moving(units_of(enemies, own), cells_of(terrain, sides), "axis", "x")
    now = situation(of)
    found = {cell: cost for cell, (cost, _) in reach(now, now.unit("x")).items()}
    wanted = model.reach(START, 5)
    wanted.pop(START, None)
    assert found == wanted
    for _, path in reach(now, now.unit("x")).values():
        action = game().game.actions.make("move", "axis", unit="x", path=list(path))
        assert engine.check(game(), of, action).legal


@given(hexsides, places, places, st.integers(1, 2), st.sampled_from(FREE))
@settings(max_examples=80, deadline=None)
def test_retreats_follow_the_same_precedence(sides, enemies, own, hexes, source) -> None:
    enemies, own = parted(enemies, own)
    own = own + own[:2]
    model = ground({}, sides, enemies, own)
    cells = cells_of({}, sides)
    cells.setdefault(source, {})["source"] = "axis"
    now = situation(position(units_of(enemies, own), cells))
    found = {route.path for route in best(routes(now, now.unit("x"), hexes))}
    assert found == model.retreats(START, hexes, source)


@given(st.sampled_from(CELLS), st.sampled_from(CELLS))
def test_distances_and_neighbours_are_those_of_doubled_coordinates(one, two) -> None:
    board = game().boards["plain"]
    assert board.distance(one, two) == far(one, two)
    assert {*board.near[one]} == {*beside(one)}
