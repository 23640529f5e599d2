"""Modifiers that exclude each other, and random selection with its exact odds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import RulesError
from hexmarshal.rules.dice import Dice, NeedsDiceError
from hexmarshal.rules.rolling import select, selection_odds, tally
from hexmarshal.rules.verdict import Modifier


def _mod(name: str, amount: int, *excludes: str, to: str = "die") -> Modifier:
    return Modifier(name, amount, f"R-{name}", to, excludes)


def test_all_count_where_none_excludes_another() -> None:
    found = tally([_mod("wall", 2), _mod("smoke", 1), _mod("odds", 1, to="column")])
    assert found.counted == found.modifiers
    assert (found.total(), found.total("column"), found.total("strength")) == (3, 1, 0)


def test_one_that_is_excluded_says_by_which_rule() -> None:
    """In open ground or moving hastily, not both: the label or the rule names the other."""
    for other in ("open", "R-open"):
        found = tally([_mod("open", -1), _mod("hasty", -2, other), _mod("wall", 2)])
        assert [one.excluded_by for one in found.modifiers] == ["R-hasty", "", ""]
        assert found.total() == 0
        assert found.modifiers[0].to_json()["excluded_by"] == "R-hasty"


def test_one_that_does_not_count_excludes_nobody() -> None:
    found = tally([_mod("a", 1, "b"), _mod("b", 2, "c"), _mod("c", 4)])
    assert [one.label for one in found.counted] == ["a", "c"]


def test_of_two_that_exclude_each_other_the_first_counts() -> None:
    one, other = _mod("a", 1, "b"), _mod("b", 2, "a")
    assert [m.label for m in tally([one, other]).counted] == ["a"]
    assert [m.label for m in tally([other, one]).counted] == ["b"]


def test_in_a_ring_the_first_counts() -> None:
    ring = [_mod("a", 1, "b"), _mod("b", 2, "c"), _mod("c", 4, "a")]
    assert [m.label for m in tally(ring).counted] == ["a"]
    beside = [_mod("x", 8), _mod("b", 2, "x", "c"), _mod("c", 4, "b")]
    assert [m.label for m in tally(beside).counted] == ["b"]


@given(
    st.lists(
        st.tuples(st.sampled_from("abcde"), st.lists(st.sampled_from("abcde"), max_size=3)),
        max_size=6,
        unique_by=lambda pair: pair[0],
    )
)
def test_what_counts_is_excluded_by_nothing_that_counts(drawn: list[tuple[str, list[str]]]) -> None:
    found = tally([_mod(name, 1, *excludes) for name, excludes in drawn])
    counted = {one.rule for one in found.counted}
    assert counted or not drawn
    for one in found.modifiers:
        by = {o.rule for o in found.counted if one.label in o.excludes and o.label != one.label}
        if one.rule in counted:
            assert not by
        else:
            assert one.excluded_by in counted


def test_the_highest_die_chooses_and_ties_are_all_chosen() -> None:
    dice = Dice(given=[3, 5, 5])
    found = select(dice, ["a", "b", "c"], label="sniper", side="red")
    assert found.chosen == ("b", "c")
    assert str(found) == "b and c (a 3, b 5, c 5)"
    assert [(roll.label, roll.side) for roll in dice.rolls] == [("sniper", "red")] * 3


def test_or_those_that_tie_roll_again() -> None:
    found = select(Dice(given=[3, 5, 5, 1, 2]), ["a", "b", "c"], label="loss", ties="again")
    assert found.chosen == ("c",)
    assert found.rounds == ((("a", 3), ("b", 5), ("c", 5)), (("b", 1), ("c", 2)))


def test_one_alone_needs_no_die_and_missing_dice_are_asked_for() -> None:
    assert select(Dice(given=[]), ["a"], label="x").chosen == ("a",)
    with pytest.raises(NeedsDiceError) as caught:
        select(Dice(given=[]), ["a", "b", "c"], label="x")
    assert caught.value.request.dice == (6, 6, 6)
    for none in (lambda: select(Dice(), [], label="x"), lambda: selection_odds([])):
        with pytest.raises(RulesError):
            none()


@pytest.mark.parametrize("sides", [2, 6])
@pytest.mark.parametrize("names", ["a", "ab", "abc", "abcd"])
def test_the_odds_are_those_of_enumeration(names: str, sides: int) -> None:
    rolls = list(product(range(1, sides + 1), repeat=len(names)))
    seen = Counter(select(Dice(given=roll), names, label="", sides=sides).chosen for roll in rolls)
    if len(names) == 1:
        seen = Counter({("a",): 1})
    odds = selection_odds(names, sides=sides)
    total = sum(seen.values())
    assert dict(odds.items()) == {group: Fraction(n, total) for group, n in seen.items()}


def test_rolled_again_each_is_as_likely() -> None:
    odds = selection_odds("abc", ties="again")
    assert odds[("b",)] == Fraction(1, 3)
    with pytest.raises(RulesError, match="at most"):
        selection_odds([str(n) for n in range(30)])
