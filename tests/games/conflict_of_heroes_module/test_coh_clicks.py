"""Plain clicks: on a unit's name they mark it, on an enemy's counter those that are marked fire."""

from __future__ import annotations

import re

import pytest
from pressed_keys import named
from told_changes import pieces

from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.traits import ActionButton, Hideable, TriggerAction
from hexmarshal.vassal.values.evaluation import evaluate

_COUNT = re.compile(r'CountMap\("\{(.*?)\}"\)')


@pytest.fixture(scope="module")
def squad(module):
    """A Soviet unit, as a set-up has it."""
    state = SavedGame.from_archive(module.archive.nested("First-steps.vsav")).state()
    return next(p.piece for p in state.pieces.values() if "Soviet Rifles 41" in p.piece.name)


def clicked(piece, where, seat, marked=()):
    """What a click presses; the marked Germans by whether they are active."""

    def count(asked):
        if "SideName ==" in asked[1] and seat != "German":
            return "0"
        level = re.search(r"Active_Level == (\d)", asked[1])
        return str(sum(level is None or active == (level[1] == "2") for active in marked))

    facts = {"SideName": "Soviet", "PlayerSide": seat}
    return [
        named(at.trait.performed_keys.keys[0])
        for at in piece.each(TriggerAction)
        if named(at.trait.key) == where
        and evaluate(_COUNT.sub(count, at.trait.expression.text), facts.get) == "true"
    ]


def test_a_click_on_the_plate_marks_a_unit_of_ones_own(squad):
    (mark,) = clicked(squad, "clickedPlate", "Soviet")
    assert mark == clicked(squad, "clickedPlate", "Solitaire")[0]
    assert not clicked(squad, "clickedPlate", "German")
    assert not clicked(squad, "clickedPlate", "<observer>")
    assert not clicked(squad, "clickedPlate", "Solitaire", [True]), "he aims at it instead"


@pytest.mark.parametrize("seat", ["German", "Solitaire"])
def test_a_click_on_an_enemy_fires_at_it_with_those_that_are_marked(squad, seat):
    assert clicked(squad, "clickedCounter", seat, [True]) == ["aim-fire"]
    assert clicked(squad, "clickedCounter", seat, [False]) == ["aim-fire-opportunity"]
    assert not clicked(squad, "clickedCounter", seat), "nobody is marked"


@pytest.mark.parametrize("seat", ["Soviet", "German 2", "<observer>", ""])
def test_nobody_is_made_to_fire_by_a_look_of_somebody_else(squad, seat):
    assert not clicked(squad, "clickedCounter", seat, [True, False])


def test_the_counter_takes_the_click_as_a_whole_and_the_plate_before_it(squad):
    buttons = [at.trait for at in squad.each(ActionButton)]
    assert {named(b.key): b.whole_shape for b in buttons} == {
        "clickedPlate": False,
        "clickedCounter": True,
    }


def test_who_plays_all_sides_turns_up_what_is_hidden(module):
    """The engine asks for the seat: only who is named sees a hidden unit, mines and barrages."""
    state = SavedGame.from_archive(module.archive.nested("First-steps.vsav")).state()
    seen = {
        at.trait.access.sides
        for placed in state.pieces.values()
        for at in placed.piece.each(Hideable)
    }
    assert seen == {("German", "German 2", "Solitaire"), ("Soviet", "Soviet 2", "Solitaire")}
    own = [at.trait.access.sides for piece in pieces(module) for at in piece.each(Hideable)]
    assert set(own) == seen
