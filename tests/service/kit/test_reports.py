"""Whatever a menu does to a piece, the chat tells what it is then."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from crossroads_plan import Crowded, plan
from told_changes import pieces, told, untold

from hexmarshal.kit.module import build
from hexmarshal.kit.module.pieces.reports import heading, title_of
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.values import ctrl


@pytest.fixture(scope="module")
def module(tmp_path_factory) -> Module:
    built = build(Crowded(), plan())
    return Module.open(built.save(tmp_path_factory.mktemp("reports") / "crossroads.vmod"))


@pytest.fixture(scope="module")
def found(module):
    return {piece.name: piece for piece in pieces(module)}


def test_every_key_is_told(module):
    assert untold(module) == set()


def test_a_sign_is_told_as_it_is_put_on_and_taken_off(found):
    scout = found["Blue scout"]
    (on,) = told(scout, ctrl("A"), Attacked_Level="2")
    (off,) = told(scout, ctrl("A"), Attacked_Level="1")
    assert on == "$location$: $oldPieceName$: Attacked *"
    assert off == "$location$: $oldPieceName$: Attacked no more *"


def test_sides_facings_and_numbers_are_told_as_they_are_now(found):
    tank = found["Red tank"]
    (turned,) = told(tank, ctrl("]"), Facing_Facing="3")
    assert turned == "$location$: $newPieceName$ turns to south-east *"
    assert told(tank, ctrl("["), Facing_Facing="1")[0].endswith(" turns to north *")
    assert told(tank, ctrl("Z"), Ammo="3")[0].endswith(": Ammo 3 *")
    assert told(found["Red infantry"], ctrl("G"), Stance_Level="2")[0].endswith("Stance (2) *")


def test_who_hides_is_told_by_a_name_that_others_knew(found):
    """The engine has none for what nobody else sees."""
    scout = found["Blue scout"]
    for seen, line in (("true", "goes out of sight"), ("false", "comes into sight")):
        told_line = told(scout, ctrl("I"), InvisibleToOthers=seen, BasicName="Blue scout")
        assert told_line == [f"$location$: Blue scout {line} *"]


def test_directions_are_named_for_grids_of_four_six_and_eight():
    assert [heading(n, 4) for n in range(4)] == ["north", "east", "south", "west"]
    assert [heading(n, 6) for n in range(6)] == [
        "north", "north-east", "south-east", "south", "south-west", "north-west",
    ]  # fmt: skip
    assert heading(5, 8) == "south-west"
    assert heading(1, 12) == "30 degrees"


def test_names_of_properties_become_words():
    assert title_of("GrenadesLeft") == "Grenades left"
    assert title_of("Slot") == "Slot"
