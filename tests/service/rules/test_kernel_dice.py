"""The same seed gives the same dice for ever; odds are exact."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tutorial import Crossroads

from hexmarshal.errors import RulesError
from hexmarshal.rules import Action, Dice, Distribution, FrozenMap, Generator, Roll, engine
from hexmarshal.rules.dice import Given, NeedsDiceError, RollRequest, Stream

# Pinned for ever: a saved game must replay on every later version.
PINNED_NUMBERS = [3026059508897840952, 509479587053547214, 286111300350578443, 5472546342702666994]
PINNED_DICE = (2, 3, 4, 3, 3, 4, 1, 3, 5, 1, 4, 6, 2, 3, 2, 4, 1, 5, 3, 4)
PINNED_SHUFFLE = "BEDHGCAJIF"


def test_the_numbers_of_a_seed_never_change() -> None:
    generator = Generator("hexmarshal")
    numbers = []
    for _ in range(4):
        number, generator = generator.number()
        numbers.append(number)
    assert numbers == PINNED_NUMBERS
    dice = Dice(Generator("7"))
    assert dice.roll_many(20) == PINNED_DICE
    assert Dice(Generator("7")).shuffled("ABCDEFGHIJ") == tuple(PINNED_SHUFFLE)


@given(st.text(max_size=10), st.integers(0, 10**9))
def test_the_numbers_are_those_of_the_written_description(seed: str, count: int) -> None:
    text = b"hexmarshal dice 1\0" + seed.encode("utf-8", "surrogatepass") + b"\0%d" % count
    expected = int.from_bytes(hashlib.sha256(text).digest()[:8], "big")
    assert Generator(seed, count).number() == (expected, Generator(seed, count + 1))


@given(st.text(), st.integers(0, 10**6), st.lists(st.integers(1, 2**63 + 1), max_size=20))
def test_a_stream_gives_the_numbers_of_its_generator(
    seed: str, count: int, bounds: list[int]
) -> None:
    generator = Generator(seed, count)
    stream = Stream(generator)
    for bound in bounds:
        number, generator = generator.below(bound)
        assert stream.below(bound) == number


def test_a_die_is_fair() -> None:
    dice = Dice(Generator("fair"))
    counts = Counter(dice.roll_many(6000))
    assert set(counts) == {1, 2, 3, 4, 5, 6}
    assert all(850 < count < 1150 for count in counts.values())


@given(st.lists(st.integers(), max_size=12))
def test_a_shuffle_keeps_every_thing(things: list[int]) -> None:
    assert sorted(Dice(Generator("s")).shuffled(things)) == sorted(things)


def test_a_shuffle_reaches_every_order() -> None:
    seen = {Dice(Generator(str(i))).shuffled("ABC") for i in range(100)}
    assert seen == set(permutations("ABC"))


def test_given_dice_are_used_in_order_and_remembered() -> None:
    dice = Dice(given=[3, 5], picks=[2])
    assert (dice.roll(6, "attack"), dice.pick(4), dice.roll()) == (3, 1, 5)
    assert dice.rolls[0] == Roll(6, 3, "attack")
    assert dice.rolls[1] == Roll(4, 2, "", pick=True)
    dice.finish()


def test_given_dice_leave_the_generator_alone_and_picks_may_still_be_drawn() -> None:
    dice = Dice(Generator("7"), given=[3])
    dice.roll()
    assert dice.generator == Generator("7")
    dice.pick(10)
    assert dice.generator == Generator("7", 1)


@pytest.mark.parametrize(
    ("dice", "field", "says"),
    [
        (Dice(given=[]), "dice[0]", "another value from 1 to 6 is needed for the attack"),
        (Dice(given=[0]), "dice[0]", "0 is not from 1 to 6"),
        (Dice(given=[7]), "dice[0]", "7 is not from 1 to 6"),
        *(
            (Dice(given=[value]), "dice[0]", "a whole number from 1 to 6 is wanted")  # type: ignore[list-item]
            for value in (1.5, True, None, "3", [3], float("nan"))
        ),
        (Dice(), "dice", "no generator"),
    ],
)
def test_bad_dice_are_refused(dice: Dice, field: str, says: str) -> None:
    with pytest.raises(RulesError, match=says) as caught:
        dice.roll(6, "the attack")
    assert caught.value.place.field == field


def test_dice_left_over_are_refused() -> None:
    dice = Dice(given=[1, 2])
    dice.roll()
    with pytest.raises(RulesError, match="1 of the dice given were not used"):
        dice.finish()


@given(st.integers(1, 4), st.integers(2, 6))
def test_sums_of_dice_agree_with_enumeration(count: int, sides: int) -> None:
    sums = Counter(sum(roll) for roll in product(range(1, sides + 1), repeat=count))
    found = Distribution.dice(count, sides)
    assert dict(found.items()) == {n: Fraction(c, sides**count) for n, c in sums.items()}


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=6), st.data())
def test_draws_without_replacement_agree_with_enumeration(pile: list[str], data) -> None:
    count = data.draw(st.integers(0, min(3, len(pile))))
    hands = Counter(permutations(pile, count))
    total = sum(hands.values())
    found = Distribution.draws(pile, count)
    assert dict(found.items()) == {h: Fraction(n, total) for h, n in hands.items()}


@given(st.lists(st.integers(1, 5), min_size=1, max_size=5))
def test_a_second_chance_that_depends_on_the_first_is_exact(sides: list[int]) -> None:
    first = Distribution.uniform(sides)
    found = first.flat_map(Distribution.die)
    expected: dict[int, Fraction] = {}
    for s in sides:
        for n in range(1, s + 1):
            expected[n] = expected.get(n, Fraction(0)) + Fraction(1, len(sides) * s)
    assert dict(found.items()) == expected
    assert sum(p for _, p in found.items()) == 1


def test_a_distribution_answers_questions() -> None:
    two = Distribution.dice(2, 6)
    assert two.probability(lambda n: n >= 9) == Fraction(5, 18)
    assert two.expected(lambda n: n) == 7
    assert two.given(lambda n: n > 10)[12] == Fraction(1, 3)
    assert two[13] == 0
    assert two.table()[0] == (7, Fraction(1, 6))
    assert Distribution.weighted({"a": Fraction(1, 3), "b": Fraction(2, 3)})["b"] == Fraction(2, 3)
    assert Distribution.certain("x") == Distribution({"x": 5})
    with pytest.raises(ValueError, match="weights"):
        Distribution({"a": 0})


# Dice when they are needed


def test_a_roll_is_asked_for_by_name() -> None:
    """ASL: two dice told apart by colour, thrown by a side."""
    dice = Dice(given=[3])
    with pytest.raises(NeedsDiceError) as caught:
        dice.throw("fire", 6, 6, side="german", colours=("coloured", "white"))
    asked = caught.value
    assert asked.request == RollRequest("fire", (6, 6), ("coloured", "white"), "german", known=(3,))
    assert (asked.code, asked.place.field) == ("needs-dice", "dice[1]")
    assert asked.request.to_json() == {
        "dice": [6, 6],
        "kind": "fire",
        "colours": ["coloured", "white"],
        "side": "german",
        "known": [3],
    }


def test_the_rolls_tell_whose_they_were() -> None:
    dice = Dice(given=[3, 4])
    assert dice.throw("fire", 6, 6, side="german", colours=("coloured", "white")) == (3, 4)
    assert dice.rolls[0] == Roll(6, 3, "fire", side="german", colour="coloured")
    assert dice.rolls[1].colour == "white"


def test_a_draw_is_asked_for_too() -> None:
    with pytest.raises(NeedsDiceError) as caught:
        Dice(picks=[]).pick(40, "a card", side="red")
    assert caught.value.request == RollRequest("a card", (40,), side="red", pick=True)
    assert caught.value.place.field == "picks[0]"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (Given(3, kind="morale"), "roll 'fire', not 'morale'"),
        (Given(3, side="russian"), "side 'german', not 'russian'"),
        (Given(3, colour="white"), "colour 'coloured', not 'white'"),
        (Given(3, sides=10), "a die with 6 faces is asked for for fire, not one with 10"),
        (Given(7, "fire", 6, "german", "coloured"), "7 is not from 1 to 6"),
    ],
)
def test_dice_of_another_kind_are_refused(given: Given, says: str) -> None:
    with pytest.raises(RulesError, match=says) as caught:
        Dice(given=[given]).throw("fire", 6, side="german", colours=("coloured",))
    assert caught.value.place.field == "dice[0]"
    assert not isinstance(caught.value, NeedsDiceError)


def test_dice_that_say_what_is_asked_are_taken() -> None:
    fitting = Given(5, "fire", 6, "german", "coloured")
    assert Dice(given=[fitting]).throw("fire", 6, side="german", colours=("coloured",)) == (5,)
    assert Dice(given=[Given(5)]).roll(6, "fire") == 5


def test_an_action_at_the_table_asks_roll_by_roll() -> None:
    """The same action with one value more each time, and the same end as with all dice at once."""
    start = replace(engine.start(Crossroads(), seed=3), generator=None, phase="combat")
    near = start.with_unit(
        replace(start.unit("b1"), cell="D2"), replace(start.unit("r1"), cell="E3")
    )
    attack = Action("attack", "blue", FrozenMap({"attackers": ("b1",), "target": "r1"}))
    asked: list[RollRequest] = []

    def table(request: RollRequest) -> list[int]:
        asked.append(request)
        return [5]

    applied = engine.perform_at_table(Crossroads(), near, attack, table)
    assert [request.kind for request in asked] == ["the attack"]
    assert applied == engine.perform(Crossroads(), near, attack, Dice(given=[5], picks=[]))
    with pytest.raises(NeedsDiceError):
        engine.perform_at_table(Crossroads(), near, attack, lambda _: [])
    with pytest.raises(RulesError, match="not used"):
        engine.perform_at_table(Crossroads(), near, attack, lambda _: [5, 5])
