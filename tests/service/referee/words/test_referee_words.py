"""What the referee's reports call things, and which reports it takes for rolls."""

from __future__ import annotations

import pytest

from hexmarshal.games.kharkov.plugin import Kharkov
from hexmarshal.referee.dice.dice_words import looks_like_dice
from hexmarshal.referee.interpret.words import a_phase, side_title, spoken, the_phase
from hexmarshal.vassal.commands.piece import RemovePiece
from hexmarshal.vassal.saves.log import Step

GAME = Kharkov().game


def test_sides_phases_and_actions_have_the_names_of_the_game() -> None:
    assert side_title(GAME, "axis") == "Axis"
    assert side_title(GAME, "nobody of them") == "nobody of them"
    assert the_phase(GAME, "soviet_combat") == "the Soviet Combat Phase"
    assert the_phase(GAME, "no_such") == "the no such phase"
    assert a_phase(GAME, "soviet_combat") == "a combat phase"
    action = GAME.actions.make("attack", "soviet", attackers=["rif-04"], targets=["0315"])
    assert spoken(GAME, action).startswith("[soviet: attack] rif-04 -> 0315")


@pytest.mark.parametrize(
    ("text", "moved", "roll"),
    [
        ("* Rifles moves 1-D09 -> 1-D10 *", True, False),
        ("* Rifles moves D9 -> D10 *", True, False),
        ("* 1-D10 is reached, 2 left *", False, False),
        ("* 2d6: 7 *", False, True),
        ("* Rifles rolls 7 *", True, True),
        ("* Rifles rolls *", False, False),
        ("* Soldier 7 goes on *", False, False),
    ],
)
def test_a_cell_called_like_a_die_is_no_roll(text: str, moved: bool, roll: bool) -> None:
    commands = (RemovePiece("1"),) if moved else ()
    assert looks_like_dice(Step(1, "", commands), text) is roll
