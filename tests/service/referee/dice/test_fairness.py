"""The test of the dice: exact for small numbers, close for large ones, and never fooled by few."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from random import Random

import pytest

from hexmarshal.referee.check.dice_fairness import _spreads, _tail, fairness, statistics


def enumerated(faces: tuple[int, ...]) -> Fraction:
    """By going through every way in which the dice can fall."""
    sides, count = len(faces), sum(faces)
    reached = sum(n * n for n in faces)
    ways = list(product(range(sides), repeat=count))
    strays = sum(sum(way.count(f) ** 2 for f in range(sides)) >= reached for way in ways)
    return Fraction(strays, len(ways))


@pytest.mark.parametrize(
    "faces",
    [
        (4, 0),
        (3, 1),
        (2, 2),
        (0, 0, 3),
        (1, 1, 1, 1),
        (2, 0, 1, 0),
        (0, 0, 0, 0, 0, 4),
        (1, 0, 3, 0, 0, 1),
    ],
)
def test_small_numbers_are_counted_exactly(faces: tuple[int, ...]) -> None:
    p, exact = fairness(faces)
    assert exact
    assert p == pytest.approx(float(enumerated(faces)), abs=1e-12)


@pytest.mark.parametrize("sides", [2, 6, 10, 20])
def test_without_a_roll_or_with_one_nothing_can_be_said(sides: int) -> None:
    assert fairness((0,) * sides) == (1.0, True)
    assert fairness((1, *(0,) * (sides - 1))) == (1.0, True)


def test_the_order_of_the_faces_does_not_matter() -> None:
    assert fairness((7, 1, 2, 0, 3, 5)) == fairness((0, 1, 2, 3, 5, 7))


def test_the_further_the_dice_stray_the_less_likely_they_are_fair() -> None:
    chances = [fairness((n, *(4,) * 5))[0] for n in range(4, 16)]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] > 0.999
    assert chances[-1] < 0.02


def test_large_numbers_are_close_to_the_exact_ones() -> None:
    # One that is counted, beside the law that stands in for larger ones.
    faces = (8, 2, 3, 6, 1, 3)
    count, sides = sum(faces), len(faces)
    reached = sum(n * n for n in faces)
    exact, told = fairness(faces)
    assert told
    chi = sides * reached / count - count
    assert _tail(chi, sides - 1) == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize(
    ("chi", "freedom", "p"),
    # Values of the chi-square tables that every textbook prints.
    [(11.07, 5, 0.05), (15.09, 5, 0.01), (3.841, 1, 0.05), (16.92, 9, 0.05), (18.31, 10, 0.05)],
)
def test_the_law_for_large_numbers_is_that_of_the_tables(
    chi: float, freedom: int, p: float
) -> None:
    assert _tail(chi, freedom) == pytest.approx(p, abs=0.0005)


def test_fair_dice_are_not_suspected_more_often_than_they_may_be() -> None:
    chance = Random(7)
    suspected = 0
    for _ in range(400):
        rolls = [("p", 6, chance.randint(1, 6)) for _ in range(20)]
        (found,) = statistics(rolls)
        suspected += found.p < 0.05
    assert suspected <= 0.075 * 400


def test_loaded_dice_are_suspected() -> None:
    chance = Random(7)
    rolls = [("p", 6, chance.choice((1, 2, 3, 4, 5, 6, 6, 6))) for _ in range(150)]
    (found,) = statistics(rolls)
    assert found.p < 0.01


def test_each_player_and_each_kind_of_dice_has_its_own_statistics() -> None:
    rolls = [("ann", 6, 1), ("bob", 6, 6), ("ann", 10, 10), ("ann", 6, 2), ("bob", 6, 9)]
    found = statistics(rolls)
    assert [(s.player, s.sides, s.count) for s in found] == [
        ("ann", 6, 2),
        ("ann", 10, 1),
        ("bob", 6, 1),
    ]
    ann = found[0]
    assert (ann.faces, ann.mean) == ((1, 1, 0, 0, 0, 0), Fraction(3, 2))
    assert ann.to_json() == {
        "player": "ann",
        "sides": 6,
        "count": 2,
        "faces": [1, 1, 0, 0, 0, 0],
        "mean": 1.5,
        "p": 1.0,
        "exact": True,
    }


def test_the_ways_are_all_counted() -> None:
    assert sum(ways for _, ways in _spreads(9, 6)) == prod([6] * 9)
