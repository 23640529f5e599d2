"""Places within a cell and bonds between units: where everything is, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tutorial import Crossroads

from hexmarshal.errors import RulesError
from hexmarshal.rules import BondRole, FrozenMap, Param, ParamType, PlaceKind, Position, Unit
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit, RemoveUnit, apply_effects
from hexmarshal.rules.state.validate import POSITION_RULE, admit, problems
from hexmarshal.rules.state.view import view


class Trenches(Crossroads):
    """The tutorial's game with trenches, hexsides and weapons."""

    @property
    def game(self):
        return replace(
            super().game,
            places=(
                PlaceKind("entrenched", "In the trench"),
                PlaceKind(
                    "level", "Upstairs", param=Param("n", ParamType.INT, "the level", minimum=1)
                ),
                PlaceKind(
                    "bypass",
                    "Along a hexside",
                    param=Param("side", ParamType.FACING, "the hexside", minimum=0, maximum=5),
                ),
                PlaceKind(
                    "pillbox", "In a pillbox", param=Param("which", ParamType.TEXT, "its id")
                ),
            ),
            bonds=(
                BondRole("possesses", "Possesses"),
                BondRole("tows", "Tows"),
                BondRole("rides", "Rides", many=True),
                BondRole("guards", "Guards"),
            ),
        )


PLUGIN = Trenches()


def bonds(**roles: str) -> FrozenMap:
    return FrozenMap({role: tuple(units.split()) for role, units in roles.items()})


def names(units) -> list[str]:
    return [unit.id for unit in units]


TABLE = Position("x").with_unit(
    Unit("truck", "truck", "red", cell="A1", place="bypass:3", rank=0),
    Unit("gun", "gun", "red", bonds=bonds(tows="truck"), rank=2),
    Unit("crew", "inf", "red", carrier="truck", rank=1),
    Unit("mg", "mg", "red", bonds=bonds(possesses="crew"), rank=3),
    Unit("squad", "inf", "red", cell="A1", place="entrenched"),
    Unit("prisoners", "inf", "blue", cell="A1", bonds=bonds(guards="squad")),
    Unit("reserve", "inf", "red", box="turn 3"),
)


def test_a_unit_is_at_a_place_within_its_cell() -> None:
    assert names(TABLE.at("A1")) == ["prisoners", "squad", "truck", "crew", "gun", "mg"]
    assert names(TABLE.at("A1", "entrenched")) == ["squad"]
    assert names(TABLE.at("A1", "")) == ["prisoners"]
    assert names(TABLE.at("A1", "bypass:3")) == ["truck", "crew", "gun", "mg"]
    assert TABLE.at("B1", "entrenched") == ()


def test_what_has_no_cell_of_its_own_goes_along() -> None:
    assert TABLE.cell_of(TABLE.unit("mg")) == "A1"
    assert TABLE.place_of(TABLE.unit("mg")) == "bypass:3"
    assert TABLE.cell_of(TABLE.unit("reserve")) == ""
    moved = apply_effects(TABLE, [MoveUnit("truck", "B2")])
    assert names(moved.at("B2", "")) == ["truck", "crew", "gun", "mg"]
    assert names(moved.at("A1")) == ["prisoners", "squad"]
    unhitched = apply_effects(
        moved, [ChangeUnit("gun", bonds=bonds(tows="")), MoveUnit("gun", "B2", place="entrenched")]
    )
    assert unhitched.bonded("truck", "tows") == ()
    assert names(unhitched.at("B2", "entrenched")) == ["gun"]


def test_bonds_are_asked_from_both_ends() -> None:
    assert names(TABLE.bonded("truck", "tows")) == ["gun"]
    assert names(TABLE.carried_by("truck")) == names(TABLE.bonded("truck", "carries")) == ["crew"]
    assert TABLE.unit("gun").by("tows") == ("truck",)
    assert TABLE.unit("crew").by("carries") == ("truck",)
    assert TABLE.bonded("squad", "tows") == ()


roles = st.sampled_from(["tows", "possesses", "guards"])
ids = st.sampled_from("abcdef")
changes = st.tuples(
    ids,
    st.sampled_from(["", "", "A1", "A2"]),
    st.sampled_from(["", "", "", "box"]),
    st.sampled_from(["", "", "trench"]),
    st.integers(0, 2),
    st.sampled_from(["", "", "a", "b", "f"]),
    st.dictionaries(roles, st.lists(ids, max_size=2, unique=True).map(tuple), max_size=2),
    st.sampled_from([(), (), ("B1",), ("A1", "B2")]),
    st.sampled_from([True, True, True, False]),
)


@given(st.lists(changes, max_size=14), st.integers(0, 14))
def test_stacks_that_are_handed_on_are_those_made_anew(steps: list, asked: int) -> None:
    """Whatever is carried, towed or in a circle, whenever the stacks were first asked for."""
    position = Position("x")
    for i, (name, cell, box, place, rank, carrier, tied, covers, stays) in enumerate(steps):
        if i >= asked:
            position.at("A1")
            position.at("A1", "trench")
            _ = position.stacks.sides, position.stacks.boxes, position.of_type("red", "inf")
        unit = Unit(
            name,
            "gun" if place else "inf",
            "red" if rank else "blue",
            cell=cell,
            box="" if cell else box,
            place=place,
            rank=rank,
            carrier="" if cell or box else carrier,
            bonds=FrozenMap(tied),
            footprint=covers if cell else (),
        )
        if stays or name not in position.units:
            position = position.with_unit(unit)
        else:
            position = position.without_unit(name)
        anew = replace(position)
        assert position.occupied == anew.occupied
        assert dict(position.stacks.places) == dict(anew.stacks.places)
        assert dict(position.stacks.sides) == dict(anew.stacks.sides)
        assert dict(position.stacks.boxes) == dict(anew.stacks.boxes)
        for side in ("red", "blue"):
            for kind in ("inf", "gun"):
                every = position.units.values()
                named = tuple(u for u in every if (u.side, u.type) == (side, kind))
                assert position.of_type(side, kind) == named
        for holder in "abcdef":
            for role in ("carries", "tows", "possesses", "guards"):
                assert position.bonded(holder, role) == anew.bonded(holder, role)


def test_a_change_of_something_else_keeps_the_stacks() -> None:
    TABLE.at("A1")
    after = TABLE.with_track("turn", 3)
    assert after.stacks is TABLE.stacks
    assert after.with_unit(TABLE.unit("gun")).stacks is not TABLE.stacks


def units(**said: dict) -> dict:
    return {
        "units": {name: {"type": "infantry", "side": "red", **row} for name, row in said.items()}
    }


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (units(u={"cell": "A1", "place": "cellar"}), "units.u.place"),
        (units(u={"cell": "A1", "place": "entrenched:2"}), "units.u.place"),
        (units(u={"cell": "A1", "place": "bypass"}), "units.u.place"),
        (units(u={"cell": "A1", "place": "bypass:6"}), "units.u.place"),
        (units(u={"cell": "A1", "place": "bypass:03"}), "units.u.place"),
        (units(u={"cell": "A1", "place": "bypass:٣"}), "units.u.place"),
        (units(u={"cell": "A1", "place": "bypass:-"}), "units.u.place"),
        (units(u={"cell": "A1", "place": "level:0"}), "units.u.place"),
        (units(u={"bonds": {"adores": ["u"]}}), "units.u.bonds.adores"),
        (units(u={"bonds": {"carries": ["u"]}}), "units.u.bonds.carries"),
        (units(u={"bonds": {"tows": ["v"]}}), "units.u.bonds.tows[0]"),
        (units(u={"bonds": {"tows": []}}), "units.u.bonds.tows"),
        (units(u={"bonds": {"tows": ["u"]}}), "units.u.bonds.tows"),
        (units(u={"bonds": {"rides": ["v", "v"]}}, v={}), "units.u.bonds.rides"),
        (units(u={"bonds": {"tows": ["v", "w"]}}, v={}, w={}), "units.u.bonds.tows"),
        (units(u={"bonds": {"tows": ["v"]}}, v={"bonds": {"tows": ["u"]}}), "units.u.bonds.tows"),
    ],
)
def test_places_and_bonds_that_cannot_be_name_the_field(change: dict, field: str) -> None:
    position = Position.from_json({**PLUGIN.blank().to_json(), **change})
    with pytest.raises(RulesError) as caught:
        admit(PLUGIN, position)
    assert caught.value.place.field == field


@pytest.mark.parametrize(
    "change",
    [
        units(u={"cell": "A1", "place": "entrenched"}),
        units(u={"cell": "A1", "place": "bypass:5"}),
        units(u={"cell": "A1", "place": "pillbox:p:1"}),
        units(u={"bonds": {"rides": ["v", "w"]}}, v={}, w={}),
        # The crew is carried by the vehicle that it crews: a circle of two roles is none.
        units(u={"carrier": "v"}, v={"cell": "A1", "bonds": {"guards": ["u"]}}),
    ],
)
def test_places_and_bonds_that_the_game_declares_are_admitted(change: dict) -> None:
    position = Position.from_json({**PLUGIN.blank().to_json(), **change})
    assert [p for p in problems(PLUGIN, position) if p.rule == POSITION_RULE] == []


def test_a_game_without_places_and_bonds_admits_none() -> None:
    blank = Crossroads().blank().to_json()
    for change, field in (
        (units(u={"cell": "A1", "place": "entrenched"}), "units.u.place"),
        (units(u={"bonds": {"tows": ["v"]}}, v={}), "units.u.bonds.tows"),
    ):
        with pytest.raises(RulesError) as caught:
            admit(Crossroads(), Position.from_json({**blank, **change}))
        assert caught.value.place.field == field


def test_a_chain_of_ten_thousand_is_refused_at_once() -> None:
    chain = {f"u{i}": {"carrier": f"u{i + 1}"} for i in range(10_000)}
    document = units(**chain, u10000={"cell": "A1"})
    position = Position.from_json({**PLUGIN.blank().to_json(), **document})
    with pytest.raises(RulesError, match="over more than 32 units"):
        admit(PLUGIN, position)
    assert position.cell_of(position.unit("u0")) == "A1"


def test_what_goes_along_with_the_unseen_is_not_seen_and_bonds_do_not_betray_them() -> None:
    red = frozenset({"red"})
    table = replace(TABLE, sides=("red", "blue")).with_unit(
        replace(TABLE.unit("truck"), seen_by=red), replace(TABLE.unit("squad"), seen_by=red)
    )
    seen = view(table, "blue")
    assert set(seen.units) == {"prisoners", "reserve"}
    assert seen.unit("prisoners").bonds == FrozenMap()
    assert view(table, "red").units == table.units
    unknown = replace(
        TABLE.unit("prisoners"), known_to=frozenset({"blue"}), side="blue", face="infantry"
    )
    assert (
        view(replace(TABLE, sides=("red", "blue")).with_unit(unknown), "red")
        .unit("prisoners")
        .bonds
        == FrozenMap()
    )


def test_a_bond_outlives_a_removed_unit_until_the_game_ends_it() -> None:
    gone = apply_effects(TABLE, [RemoveUnit("crew")])
    assert gone.cell_of(gone.unit("mg")) == ""
    assert names(gone.bonded("crew", "possesses")) == ["mg"]
