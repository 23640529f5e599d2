"""A position goes to JSON and back without loss, and a change shares what it does not touch."""

from __future__ import annotations

import hashlib
import json
import pickle
from copy import deepcopy
from dataclasses import replace

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_strategies import json_values, positions, values

from hexmarshal.errors import NotFoundError, RulesError
from hexmarshal.rules import FrozenMap, Generator, Marker, Pile, Position, Unit
from hexmarshal.rules.state.position import POSITION
from hexmarshal.rules.values import FieldError, as_fraction, freeze, thaw

VALIDATOR = jsonschema.Draft202012Validator(POSITION.schema)


@given(positions())
def test_a_position_survives_json_text(position: Position) -> None:
    text = json.dumps(position.to_json())
    again = Position.from_json(json.loads(text))
    assert again == position
    assert again.digest == position.digest
    assert hash(again) == hash(position)


@given(positions())
def test_a_position_survives_pickling(position: Position) -> None:
    assert pickle.loads(pickle.dumps(position)) == position


@given(positions())
def test_what_is_written_fits_the_published_schema(position: Position) -> None:
    VALIDATOR.validate(position.to_json())


@given(positions(), positions())
def test_digests_differ_where_positions_do(one: Position, other: Position) -> None:
    assert (one.digest == other.digest) is (one == other)


@given(positions())
def test_the_digest_is_that_of_the_canonical_json(position: Position) -> None:
    text = json.dumps(position.to_json(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    assert position.digest == digest


@given(json_values)
def test_any_json_value_is_kept(value: object) -> None:
    assert thaw(freeze(value)) == value


@given(
    st.recursive(
        st.floats() | st.binary(),
        lambda i: st.lists(i, min_size=1) | st.dictionaries(st.text(), i, min_size=1),
    )
)
def test_what_is_not_exact_is_refused(value: object) -> None:
    with pytest.raises(FieldError):
        freeze(value)


@given(
    st.dictionaries(st.text(max_size=3), values), st.text(max_size=3), values, st.text(max_size=3)
)
def test_a_frozen_map_is_a_dict_in_order_that_changes_into_a_new_one(start, key, value, gone):
    frozen = FrozenMap(start)
    before = dict(frozen)
    changed = frozen.set(key, value)
    assert dict(changed) == {**start, key: value}
    assert list(changed) == sorted(changed)
    assert dict(changed.without(gone)) == {k: v for k, v in changed.items() if k != gone}
    assert frozen.merged({key: value}) == changed
    assert dict(frozen) == before


@pytest.mark.parametrize(
    "change",
    [
        lambda frozen: frozen.__setitem__("a", 2),
        lambda frozen: frozen.__delitem__("a"),
        lambda frozen: frozen.__ior__({"b": 1}),
        lambda frozen: frozen.update(b=1),
        lambda frozen: frozen.setdefault("b", 1),
        lambda frozen: frozen.pop("a"),
        lambda frozen: frozen.popitem(),
        lambda frozen: frozen.clear(),
    ],
)
def test_a_frozen_map_is_not_changed_as_a_dict_is(change) -> None:
    frozen = FrozenMap({"a": 1})
    with pytest.raises(TypeError, match="cannot be changed"):
        change(frozen)
    assert frozen == FrozenMap({"a": 1})
    assert hash(pickle.loads(pickle.dumps(frozen))) == hash(deepcopy(frozen)) == hash(frozen)


def test_a_change_shares_the_rest() -> None:
    units = FrozenMap({f"u{i}": Unit(f"u{i}", "inf", "red", cell="0101") for i in range(170)})
    position = Position("x", units=units)
    moved = position.with_unit(replace(position.unit("u7"), cell="0202"))
    assert moved.unit("u7").cell == "0202"
    assert position.unit("u7").cell == "0101"
    assert all(moved.units[k] is u for k, u in position.units.items() if k != "u7")
    assert moved.tracks is position.tracks
    assert len(position.at("0101")) == 170
    assert len(moved.at("0101")) == 169


cells = st.sampled_from(["", "A1", "A2", "B1"])
spots = st.tuples(
    st.sampled_from("abcd"), cells, st.integers(0, 3), st.sampled_from(["", "", "", "a", "d"])
)


@given(st.lists(spots, max_size=12))
def test_stacks_that_were_handed_on_are_those_made_anew(moves: list) -> None:
    position = Position("x")
    for name, cell, rank, carrier in moves:
        unit = Unit(name, "inf", "red", cell=cell, rank=rank, carrier="" if cell else carrier)
        position.at("A1")
        position = position.with_unit(unit)
        anew = replace(position)
        assert position.occupied == anew.occupied
        assert list(position.occupied) == list(anew.occupied)


def test_a_stack_is_ordered_from_the_bottom_and_holds_what_is_carried() -> None:
    position = Position("x").with_unit(
        Unit("truck", "truck", "red", cell="A1", rank=1),
        Unit("gun", "gun", "red", carrier="truck", rank=5),
        Unit("squad", "inf", "red", cell="A1", rank=0),
        Unit("house", "inf", "red", cell="B1", footprint=("A1",), rank=9),
        Unit("reserve", "inf", "red", box="turn 3"),
    )
    assert [u.id for u in position.at("A1")] == ["squad", "truck", "gun", "house"]
    assert [u.id for u in position.carried_by("truck")] == ["gun"]
    assert [u.id for u in position.in_box("turn 3")] == ["reserve"]
    assert position.cell_of(position.unit("gun")) == "A1"
    assert position.cell_of(position.unit("reserve")) == ""
    assert set(position.occupied) == {"A1", "B1"}


def test_units_that_carry_each_other_are_nowhere_and_do_not_hang() -> None:
    position = Position("x").with_unit(
        Unit("a", "t", "red", carrier="b"), Unit("b", "t", "red", carrier="a")
    )
    assert position.cell_of(position.unit("a")) == ""


def test_markers_lie_on_cells_and_units() -> None:
    smoke = Marker("m1", "smoke", cell="A1")
    hit = Marker("m2", "hit", unit="u1")
    position = Position("x").with_marker(smoke, hit)
    assert position.markers_at("A1") == (smoke,)
    assert position.markers_on("u1") == (hit,)


def test_what_is_not_there_has_a_plain_answer() -> None:
    position = Position("x", piles=FrozenMap({"deck": Pile("deck", ("a",))}))
    assert position.pile("deck").cards == ("a",)
    assert position.pile("hand") == Pile("hand")
    assert position.track("vp") == 0
    with pytest.raises(NotFoundError, match="no unit 'u9'"):
        position.unit("u9")


@pytest.mark.parametrize(
    ("document", "field", "says"),
    [
        ([], None, "must be an object"),
        ({}, "game", "is missing"),
        ({"game": "x", "turns": 1}, "turns", "no such field"),
        ({"game": "x", "turn": "1"}, "turn", "must be a whole number, not text"),
        ({"game": "x", "turn": True}, "turn", "not true or false"),
        ({"game": "x", "turn": 2**63}, "turn", "64 bits"),
        ({"game": "x", "units": {"u": {"type": "i"}}}, "units.u.side", "is missing"),
        ({"game": "x", "units": {"u": {"type": "i", "side": 1}}}, "units.u.side", "must be text"),
        (
            {"game": "x", "units": {"u": {"type": "i", "side": "r", "flags": ["a", 2]}}},
            "units.u.flags[1]",
            "must be text",
        ),
        ({"game": "x", "extras": {"a": [{"b": 0.5}]}}, "extras.a[0].b", "not exact"),
        ({"game": "x", "tracks": {"vp": None}}, "tracks.vp", "not nothing"),
        ({"game": "x", "units": {"": {}}}, "units", "a name must be text"),
        ({"game": "x", "generator": {"seed": "1", "count": -1}}, "generator.count", "negative"),
    ],
)
def test_an_error_names_the_field(document: object, field: str | None, says: str) -> None:
    with pytest.raises(RulesError, match=says) as caught:
        Position.from_json(document)
    assert caught.value.place.field == field


def test_endless_nesting_is_an_error_not_a_crash() -> None:
    deep: object = 1
    for _ in range(10_000):
        deep = [deep]
    with pytest.raises(RulesError, match="nested deeper"):
        Position.from_json({"game": "x", "extras": {"deep": deep}})


def test_fractions_are_text() -> None:
    assert as_fraction("3/2") * 2 == 3
    assert as_fraction(2) == 2
    for bad in ("x", "1/0", True, None, ()):
        with pytest.raises(FieldError):
            as_fraction(bad)


def test_the_generator_is_part_of_the_position() -> None:
    one = Position("x", generator=Generator("7", 3))
    assert one.to_json()["generator"] == {"seed": "7", "count": 3}
    assert one.digest != Position("x", generator=Generator("7", 4)).digest
