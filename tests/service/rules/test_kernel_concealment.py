"""What a side sees of stacks that it may not know, and that nothing else shows them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import RulesError
from hexmarshal.rules.action import Action
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.secrecy.concealment import CONCEALS, conceal, reveal
from hexmarshal.rules.state.disclosure import changes, shown
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit, apply_effects
from hexmarshal.rules.state.ledger import Ledger
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.state.view import common_view, view
from hexmarshal.rules.values import FrozenMap

SIDES = ("blue", "red")


def position(*units: Unit) -> Position:
    return Position(game="g", sides=SIDES, units=FrozenMap({unit.id: unit for unit in units}))


def ledger(*units: Unit) -> Ledger:
    return Ledger(position(*units), Dice())


SQUAD = Unit("s1", "squad", "red", cell="A1", flags=frozenset({"moved", "wounded"}))
GUN = Unit("mg", "machine gun", "red", bonds=FrozenMap({"possesses": ("s1",)}))
COVER = Unit("?1", "?", "red", cell="A1")


def test_a_covered_stack_shows_neither_how_many_nor_what():
    seen = set()
    for under in ((), ("s1",), ("s1", "s2")):
        made = ledger(SQUAD, GUN, replace(SQUAD, id="s2")) if under else ledger()
        conceal(made, COVER, *under)
        # What is not under it here is elsewhere in the other cases.
        left = [u for u in ("s2",) if len(under) == 1]
        there = made.position.without_unit(*left)
        seen.add(view(there, "blue").digest)
        assert {u.id for u in view(there, "red").units.values()} == {
            "?1",
            *under,
            *(("mg",) if under else ()),
        }
    assert len(seen) == 1


def test_what_lies_under_a_counter_goes_where_it_goes_and_comes_out_there():
    made = ledger(SQUAD, GUN)
    conceal(made, COVER, "s1")
    made.do(MoveUnit("?1", "B2"))
    assert made.position.cell_of(made.position.unit("mg")) == "B2"
    assert reveal(made, "?1") == ("s1",)
    after = view(made.position, "blue")
    assert set(after.units) == {"s1", "mg"}
    assert after.units["s1"].cell == "B2"
    assert len(after.at("B2")) == 2


def test_one_may_come_out_and_the_others_stay():
    made = ledger(SQUAD, replace(SQUAD, id="s2"))
    conceal(made, COVER, "s1", "s2")
    reveal(made, "?1", "s1")
    assert set(view(made.position, "blue").units) == {"?1", "s1"}
    with pytest.raises(RulesError, match="does not lie under"):
        reveal(made, "?1", "s1")  # a reveal twice
    assert reveal(made, "?1") == ("s2",)
    assert "?1" not in made.position.units


def test_knowledge_is_lost_when_units_go_under_a_counter_of_a_new_name():
    made = ledger(SQUAD)
    before = view(made.position, "blue")
    conceal(made, replace(COVER, id="?7"), "s1")
    after = view(made.position, "blue")
    assert set(before.units) == {"s1"}
    assert set(after.units) == {"?7"}
    applied = made.close()
    told = shown(Action("hide", "red"), applied.effects, (), (), before, after)
    assert apply_effects(before, told.effects) == after
    assert "s1" not in str([e for e in told.effects if e.effect != "remove_unit"])


def test_a_dummy_that_is_turned_over_is_gone():
    made = ledger()
    conceal(made, COVER)
    assert reveal(made, "?1") == ()
    assert not made.position.units


def test_only_units_of_its_side_lie_under_a_counter():
    with pytest.raises(RulesError, match="not of the side"):
        conceal(ledger(replace(SQUAD, side="blue")), COVER, "s1")


def test_a_mask_covers_what_is_carried():
    truck = Unit("t", "truck", "red", cell="A1", known_to=frozenset({"red"}), face="?")
    load = Unit("l", "gun", "red", carrier="t")
    with_load, empty = position(truck, load), position(truck)
    assert view(with_load, "blue") == view(empty, "blue")
    assert view(with_load, "red").units["l"].type == "gun"
    # It is seen again when the truck is known.
    known = apply_effects(with_load, [ChangeUnit("t", known_to=("*",))])
    assert set(view(known, "blue").units) == {"t", "l"}


def test_a_mask_covers_the_weapon_that_a_squad_has():
    squad = replace(SQUAD, known_to=frozenset({"red"}), face="?")
    assert view(position(squad, GUN), "blue") == view(position(squad), "blue")


def test_single_flags_may_be_public_on_a_masked_unit():
    masked = replace(
        SQUAD,
        known_to=frozenset({"red"}),
        face="?",
        values=FrozenMap({"fired": 1, "morale": 7}),
        facing=2,
    )
    seen = view(position(masked), "blue", frozenset({"moved", "fired"})).units["s1"]
    assert (seen.type, seen.flags, seen.values) == (
        "?",
        frozenset({"moved"}),
        FrozenMap({"fired": 1}),
    )
    assert seen.facing is None
    assert view(position(masked), "blue", frozenset({"facing"})).units["s1"].facing == 2
    assert view(position(masked), "blue").units["s1"].flags == frozenset()


def test_dummies_look_like_units():
    masked = {"known_to": frozenset({"red"}), "face": "?"}
    real = Unit("u1", "tank", "red", cell="A1", steps=2, **masked)
    dummy = Unit("u1", "dummy", "red", cell="A1", **masked)
    assert view(position(real), "blue") == view(position(dummy), "blue")


@given(st.lists(st.sampled_from(["A1", "B2"]), max_size=6), st.integers(0, 3))
def test_the_order_of_a_stack_betrays_nobody_hidden(ways, hiding):
    """Units come and go on cells where others hide, or do not."""
    hidden = [
        Unit(f"h{i}", "foot", "red", cell="A1", rank=i, seen_by=frozenset({"red"}))
        for i in range(hiding)
    ]
    walker = Unit("w", "foot", "blue", cell="C3")
    looks = []
    for others in (hidden, ()):
        now = position(walker, replace(walker, id="x", cell="A1"), *others)
        for cell in ways:
            now = apply_effects(now, [MoveUnit("w", cell)])
        looks.append(view(now, "blue"))
    assert looks[0] == looks[1]


def test_what_all_know_is_in_no_sides_secrets():
    hidden = Unit("h", "foot", "red", cell="A1", seen_by=frozenset({"red"}))
    known = replace(position(SQUAD, hidden), knowledge=FrozenMap({"red": FrozenMap({"plan": 1})}))
    common = common_view(known)
    assert set(common.units) == {"s1"}
    assert not common.knowledge
    assert list(changes(common, view(known, "blue"))) == []


def test_the_bond_of_concealment_is_one_that_a_game_declares():
    assert CONCEALS.key == "conceals"
    assert not CONCEALS.many
