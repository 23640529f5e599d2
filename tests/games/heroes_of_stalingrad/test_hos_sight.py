"""Sight over squares: the same both ways, wherever the board lies, and however it is turned."""

from __future__ import annotations

from typing import Any

from hos_ground import game, position
from hypothesis import given, settings
from hypothesis import strategies as st

from hexmarshal.rules import engine
from hexmarshal.rules.values import FrozenMap

KINDS = ("grove", "hedge", "block", "rubble")
cells = st.tuples(st.integers(0, 5), st.integers(0, 5))
grounds = st.dictionaries(cells, st.sampled_from(KINDS), max_size=14)


def name(cell: tuple[int, int]) -> str:
    return f"{cell[0] + 1:02}{cell[1] + 1:02}"


def sight(
    ground: dict[tuple[int, int], str],
    one: tuple[int, int],
    two: tuple[int, int],
    **fields: Any,
) -> tuple[str, int]:
    facts = {name(cell): {"terrain": kind} for cell, kind in ground.items()}
    at = position({}, cells=facts, **fields)
    query = FrozenMap({"from": name(one), "to": name(two)})
    answer: Any = engine.ask(game(), at, "sight", query).to_json()
    return answer["sight"], answer["malus"] if answer["sight"] != "blocked" else 0


@settings(max_examples=20, deadline=None)
@given(grounds, cells, cells, st.sampled_from(["less", "more"]))
def test_who_sees_is_seen(ground: Any, one: Any, two: Any, corners: str) -> None:
    """HOS-2.77, and the rule for corners looks at no direction."""
    options = {"corners": corners}
    assert sight(ground, one, two, options=options) == sight(ground, two, one, options=options)


@settings(max_examples=20, deadline=None)
@given(grounds, cells, cells, st.integers(0, 9), st.integers(0, 5))
def test_it_does_not_matter_where_the_board_lies(
    ground: Any, one: Any, two: Any, right: int, down: int
) -> None:
    def moved(cell: tuple[int, int]) -> tuple[int, int]:
        return cell[0] + right, cell[1] + down

    there = {moved(cell): kind for cell, kind in ground.items()}
    assert sight(ground, one, two) == sight(there, moved(one), moved(two))


@settings(max_examples=20, deadline=None)
@given(grounds, cells, cells)
def test_it_does_not_matter_how_the_board_is_turned(ground: Any, one: Any, two: Any) -> None:
    def turned(cell: tuple[int, int]) -> tuple[int, int]:
        return 5 - cell[1], cell[0]

    there = {turned(cell): kind for cell, kind in ground.items()}
    assert sight(ground, one, two) == sight(there, turned(one), turned(two))


@settings(max_examples=20, deadline=None)
@given(grounds, cells, cells)
def test_more_blocking_corners_never_show_more(ground: Any, one: Any, two: Any) -> None:
    order = ["clear", "reduced", "blocked"]
    less, more = (sight(ground, one, two, options={"corners": which}) for which in ("less", "more"))
    assert order.index(less[0]) <= order.index(more[0])
    if less[0] == more[0]:
        assert less[1] <= more[1]


@settings(max_examples=15, deadline=None)
@given(cells, cells, st.integers(0, 3), st.booleans())
def test_a_house_looks_the_same_from_all_sides(one: Any, two: Any, turn: int, ruined: bool) -> None:
    """HOS-3.11 to HOS-3.15: walls, openings and ruins are as mutual as open ground."""
    values: dict[str, Any] = {"tile": "row_house", **({"ruins": ["west"]} if ruined else {})}
    markers = {"h": {"kind": "tile", "cell": "0202", "facing": turn, "values": values}}
    assert sight({}, one, two, markers=markers) == sight({}, two, one, markers=markers)
