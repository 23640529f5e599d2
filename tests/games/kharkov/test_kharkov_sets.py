"""Sets of hexes as bits agree with plain searches over names; odds agree with enumeration."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st
from kharkov_ground import game, position

from hexmarshal.games.kharkov.rules.combat.odds import Factors, base_column
from hexmarshal.games.kharkov.rules.command import supply
from hexmarshal.rules import engine
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap

BOARD = game().boards["ground"]
CELLS = st.sampled_from(sorted(BOARD.hexes))


@given(st.sets(CELLS, max_size=6))
def test_around_a_set_are_the_neighbours_of_its_hexes(cells: set[str]) -> None:
    around = set(BOARD.names(BOARD.around(BOARD.mask(cells))))
    assert around == {near for cell in cells for near in BOARD.near[cell]}


@given(CELLS, CELLS)
def test_a_disk_holds_what_is_so_near(one: str, two: str) -> None:
    far = BOARD.distance(one, two)
    assert BOARD.bit[two] & BOARD.disk(one, far)
    assert not far or not BOARD.bit[two] & BOARD.disk(one, far - 1)


def _by_name(at: Position, starts: set[str], length: int) -> set[str]:
    """KHA-11.31 and KHA-11.34 once more, hex by hex: who is within reach of a source."""
    now = game().situation(at)
    hostile = {near for u in at.of_side("soviet") for near in BOARD.near[u.cell]}
    hostile -= {u.cell for u in at.of_side("axis")}
    hostile -= set(BOARD.names(now.garrisons()))
    hostile |= {u.cell for u in at.of_side("soviet")}
    best = {(cell, False): 0 for cell in starts - hostile}
    queue = list(best)
    for here, over in queue:
        if over or best[here, over] == length:
            continue
        for to in BOARD.near[here]:
            side = BOARD.side(here, to)
            if to in hostile or side.barred:
                continue
            deep = max(BOARD.row(here), BOARD.row(to)) > BOARD.free_row
            ends = side.river == "donets" and not side.road and deep
            if (to, ends) not in best:
                best[to, ends] = best[here, over] + 1
                queue.append((to, ends))
    return {cell for cell, _ in best}


@given(st.lists(CELLS, max_size=7, unique=True), st.integers(0, 5))
def test_german_supply_agrees_with_a_plain_search(cells: list[str], axis: int) -> None:
    """KHA-11.1, KHA-11.31, KHA-11.32, KHA-11.33, KHA-11.34, KHA-11.35, KHA-11.36."""
    free = [c for c in cells if not BOARD.garrison(c)]
    units = {
        f"u{i}": f"infantry {c}" if i < axis else f"rifle {c} 1-1-6" for i, c in enumerate(free)
    }
    at = position("axis_movement", "axis", **units)
    now = game().situation(at)
    lengths = now.tables.schedule["supply"]
    cities = set(BOARD.names(supply.city_sources(now)))
    roads = set(BOARD.names(supply.road_net(now)))
    plain = _by_name(at, cities, lengths["city"]) | _by_name(at, roads, lengths["road"])
    assert set(BOARD.names(supply.german_net(now))) == plain


@given(st.integers(0, 60), st.integers(1, 60))
def test_odds_never_favour_the_attacker(attack: int, defence: int) -> None:
    """KHA-9.0-P: the column's ratio is at most the true one, unless it is the first."""
    columns = game().tables.columns
    index = base_column(columns, attack, defence)
    ratio = [Fraction(*map(int, name.split("-"))) for name in columns]
    assert index == 0 or ratio[index] * defence <= attack
    assert index == len(columns) - 1 or ratio[index + 1] * defence > attack


@given(st.integers(1, 40), st.integers(0, 2), st.integers(0, 3))
def test_halving_never_ends_below_one(value: int, doubled: int, halved: int) -> None:
    """KHA-9.35, KHA-11.43: increases first, and no unit falls below 1."""
    counted = Factors(("x",) * doubled, ("KHA-9.32",) * halved).counts(value)
    assert counted == max(1, value * 2**doubled // 2**halved)


@given(
    st.lists(st.sampled_from(["2-3-6", "3-4-6", "4-6-6", "1-1-6"]), min_size=2, max_size=5),
    st.integers(1, 2),
)
def test_odds_of_the_unrevealed_are_exact(pool: list[str], unknown: int) -> None:
    """KHA-12.0: the chances are those of every order in which the pool can be drawn."""
    units = {f"u{i}": "rifle 0305" for i in range(unknown)}
    plain = position(
        "axis_combat", "axis", i="infantry 0306", r="rifle 0305 1-2-6", hq="hq 0502", **units
    )
    document = plain.to_json() | {"piles": {"pool-rifle": {"cards": pool, "side": "soviet"}}}
    at = Position.from_json(document)
    query = FrozenMap({"attackers": ("i",), "targets": ("0305",)})
    answer = engine.ask(game(), at, "odds", query, "axis")
    columns = game().tables.columns
    drawn: Counter[str] = Counter()
    orders = list(permutations(pool, unknown))
    for order in orders:
        defence = 2 + sum(int(card.split("-")[1]) for card in order)
        column = base_column(columns, 9, defence)
        drawn.update(game().tables.result(column, die) for die in range(1, 7))
    assert answer.distribution is not None
    total = 6 * len(orders)
    assert dict(answer.distribution.items()) == {r: Fraction(n, total) for r, n in drawn.items()}


@given(
    st.lists(
        st.tuples(
            st.sampled_from("abcdef"),
            st.one_of(CELLS, st.just("")),
            st.sampled_from(["infantry", "regiment", "hq", "reserve"]),
            st.booleans(),
            st.booleans(),
        ),
        max_size=12,
    )
)
def test_sets_of_hexes_carried_over_changes_are_those_made_anew(
    changes: list[tuple[str, str, str, bool, bool]],
) -> None:
    here = Position("kharkov", board="ground", sides=("axis", "soviet"))
    for name, cell, kind, dug_in, asked in changes:
        side = "axis" if name < "d" else "soviet"
        flags = frozenset({"strongpoint"} if dug_in else ())
        here = here.with_unit(Unit(name, kind, side, cell=cell, flags=flags))
        if asked:  # what is carried is asked for after some of the changes alone
            _same_sets(here)
    _same_sets(here)


def _same_sets(here: Position) -> None:
    now, anew = game().situation(here), game().situation(Position.from_json(here.to_json()))
    for side in ("axis", "soviet"):
        assert now.occupied(side) == anew.occupied(side)
        assert now.held(side) == anew.held(side)
        assert now.zoc(side) == anew.zoc(side)
        assert now.barring(side) == anew.barring(side)
