"""Effects are data: they apply, and they go to JSON and back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexmarshal.errors import NotFoundError, RulesError
from hexmarshal.rules import Dice, FrozenMap, Marker, Pile, Position, Unit
from hexmarshal.rules.state.effect_shapes import effect_from_json, effect_to_json
from hexmarshal.rules.state.effects import (
    AddMarker,
    AddUnit,
    ChangeUnit,
    Effect,
    MoveCards,
    MoveUnit,
    Proceed,
    RemoveMarker,
    RemoveUnit,
    SetCell,
    SetExtra,
    SetKnowledge,
    SetPile,
    SetTrack,
    apply_effects,
    change_units,
)
from hexmarshal.rules.state.ledger import Ledger
from hexmarshal.rules.verdict import Resolution

START = Position(
    "x",
    sides=("red", "blue"),
    units=FrozenMap(
        {
            "a": Unit("a", "inf", "red", cell="A1", facing=2, steps=2),
            "b": Unit("b", "inf", "red", cell="B1", rank=4),
        }
    ),
    markers=FrozenMap({"m": Marker("m", "smoke", cell="A1")}),
    piles=FrozenMap({"deck": Pile("deck", ("x", "y", "x"), known_to=frozenset())}),
)

EFFECTS: list[Effect] = [
    MoveUnit("a", "B1", level=1, facing=3),
    MoveUnit("a", box="dead"),
    MoveUnit("a", carrier="b"),
    MoveUnit("a", "C1", footprint=("C2",)),
    ChangeUnit("a", steps=1, flags=frozenset({"moved"}), values=FrozenMap({"cap": 3})),
    ChangeUnit("a", type="tank", side="blue", seen_by=("blue",), known_to=("*",)),
    MoveUnit("a", "B1", place="bypass:3"),
    ChangeUnit("a", place="entrenched", bonds=FrozenMap({"tows": ("b",)})),
    AddUnit("c", Unit("c", "inf", "blue", cell="D1")),
    RemoveUnit("a"),
    AddMarker("n", Marker("n", "order", unit="a", known_to=frozenset({"red"}))),
    RemoveMarker("m"),
    SetTrack("vp", 3),
    SetPile("hand", Pile("hand", ("q",), "red", frozenset({"red"}))),
    MoveCards("deck", "hand", ("y",)),
    SetCell("A1", FrozenMap({"control": "red"})),
    SetExtra("pending", ("retreat", 2)),
    SetKnowledge("red", FrozenMap({"plot": "C3"})),
    Proceed(turn=2, phase="combat", active=("blue",)),
]


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda e: e.effect)
def test_an_effect_survives_json_and_does_the_same(effect: Effect) -> None:
    again = effect_from_json(effect_to_json(effect))
    after = apply_effects(START, [effect])
    assert after != START
    assert apply_effects(START, [again]) == after


def test_a_unit_that_moves_comes_to_lie_on_top() -> None:
    after = MoveUnit("a", "B1").on(START)
    assert [u.id for u in after.at("B1")] == ["b", "a"]
    assert after.unit("a").facing == 2


def test_null_removes_a_value() -> None:
    marked = SetCell("A1", FrozenMap({"control": "red", "rubble": True})).on(START)
    cleared = SetCell("A1", FrozenMap({"control": None})).on(marked)
    assert cleared.cells["A1"] == FrozenMap({"rubble": True})
    assert "A1" not in SetCell("A1", FrozenMap({"rubble": None})).on(cleared).cells
    assert SetExtra("a", None).on(SetExtra("a", 1).on(START)).extras == START.extras


def test_cards_go_on_top_or_under_and_twins_are_counted() -> None:
    top = MoveCards("deck", "hand", ("x", "x")).on(START)
    assert (top.pile("hand").cards, top.pile("deck").cards) == (("x", "x"), ("y",))
    under = MoveCards("deck", "deck", ("x",), place="bottom").on(START)
    assert under.pile("deck").cards == ("y", "x", "x")
    with pytest.raises(NotFoundError, match="no card 'z'"):
        MoveCards("deck", "hand", ("z",)).on(START)


@pytest.mark.parametrize("effect", [MoveUnit("z", "A1"), RemoveUnit("z"), RemoveMarker("z")])
def test_an_effect_on_nothing_is_an_error(effect: Effect) -> None:
    with pytest.raises(NotFoundError):
        effect.on(START)


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ("move", None),
        ({"effect": "explode"}, "effect"),
        ({"effect": ["x"]}, "effect"),
        ({"effect": "move_unit"}, "unit"),
        ({"effect": "set_track", "track": "vp", "value": "3"}, "value"),
        ({"effect": "add_unit", "id": "q", "unit": {"type": 1}}, "unit.type"),
    ],
)
def test_a_bad_effect_names_its_field(document: object, field: str | None) -> None:
    with pytest.raises(RulesError) as caught:
        effect_from_json(document)
    assert caught.value.place.field == field


def test_a_ledger_keeps_the_account_in_order() -> None:
    ledger = Ledger(START, Dice(given=[4]))
    ledger.do(SetTrack("vp", 1))
    value = ledger.dice.roll()
    ledger.decide(Resolution("combat", "D1", effects=(ChangeUnit("a", steps=1),)))
    applied = ledger.close()
    assert value == 4
    assert [e.effect for e in applied.effects] == ["set_track", "change_unit"]
    assert apply_effects(START, applied.effects) == applied.position
    assert applied.position == replace(
        START.with_track("vp", 1).with_unit(replace(START.unit("a"), steps=1))
    )


def test_units_that_change_in_one_stroke_are_as_after_each_change() -> None:
    changes = (
        ChangeUnit("a", flags=frozenset({"moved"}), values=FrozenMap({"ammo": 2})),
        ChangeUnit("b", steps=0, facing=3, rank=1, place="dug in", type="tank", side="blue"),
        ChangeUnit("a", unflags=frozenset({"moved"}), values=FrozenMap({"ammo": None})),
        ChangeUnit("a", level=1, seen_by=("red",), bonds=FrozenMap({"tows": ("b",)})),
        ChangeUnit("a", known_to=("*",), bonds=FrozenMap({"tows": ()})),
    )
    together = change_units(START, changes)
    assert together == apply_effects(START, changes)
    assert together.at("A1") == (together.unit("a"),)
    with pytest.raises(NotFoundError):
        change_units(START, (ChangeUnit("nobody"),))


@pytest.mark.parametrize(
    ("there", "seen_by", "rank"),
    [
        ((), None, 0),
        ((0,), None, 1),
        ((0, 4, 2), None, 5),
        ((0, 4), ("red",), 1),  # what only red sees lifts nobody whom blue sees
    ],
)
def test_who_comes_last_lies_on_top(
    there: tuple[int, ...], seen_by: tuple[str, ...] | None, rank: int
) -> None:
    hidden = None if seen_by is None else frozenset(seen_by)
    units = [
        Unit(f"u{n}", "inf", "red", cell="C1", rank=n, seen_by=hidden if n else None) for n in there
    ]
    moved = MoveUnit("a", "C1").on(START.with_unit(*units))
    assert moved.unit("a").rank == rank
    assert MoveUnit("a", "C1").on(moved).unit("a").rank == rank  # not above itself
