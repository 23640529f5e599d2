"""Tokens laid wrongly, early or for nothing: what lies in the piles tells how it goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexmarshal.games.traces_of_war import TracesOfWar
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.table.binding import Binding
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.saves.savegame import SavedGame

PLUGIN = TracesOfWar()
SOVIET = ("voronezh-1", "steppe-1", "south_west-1", "south-1", "south-2", "reinforcement")
AXIS = ("pza1", "a6", "a8")


@pytest.fixture
def opening(module):
    """A log up to the Soviet opening of turn 1."""
    start = engine.start(PLUGIN, "campaign", seed=1)
    recorder = Recorder(module, Binding.inside(module), PLUGIN, start)
    for unit, cell in (("de-sec1", "2918"), ("de-sec2", "0218"), ("de-sec3", "2305")):
        recorder.perform(PLUGIN.game.actions.make("deploy", "axis", unit=unit, cell=cell))
    return recorder


def lay(recorder, source, target, *tokens):
    for token in tokens:
        before = recorder.position
        left = tuple(card for card in before.pile(source).cards if card != token)
        old, new = before.pile(source), before.pile(target)
        piles = before.piles.set(source, replace(old, cards=left))
        piles = piles.set(target, replace(new, cards=(*new.cards, token)))
        recorder.show(replace(before, piles=piles))


def go_on(recorder, phase):
    recorder.show(replace(recorder.position, phase=phase, state="", frames=(), active=()))


def choose(recorder, soviet=SOVIET, axis=AXIS):
    """Both put their tokens into the cup, and the tracker goes on."""
    lay(recorder, "soviet-pool", "cup", *soviet)
    lay(recorder, "axis-pool", "cup", *axis)
    lay(recorder, "played", "cup", "supply")
    go_on(recorder, "action")


def told(module, recorder, *, by_one=False):
    text = recorder.finish().text
    for seat in ("Soviet", "Axis") if by_one else ():
        text = text.replace(f"{seat} player", "Max")
    saved = SavedGame.from_text(text)
    again = SavedGame.from_archive(Archive.from_bytes(saved.to_bytes()))
    report = check_file(again, module, Binding.inside(module), PLUGIN)
    return report, [(e.kind, e.side, e.violations[0].rule) for e in report.violations]


def test_nobody_has_to_use_the_opening(module, opening):
    go_on(opening, "selection")
    choose(opening)
    assert told(module, opening)[1] == []


def test_after_a_wrong_choice_the_piles_tell_who_is_activated(module, opening):
    """Four tokens of the Axis, and one of them is drawn: told once, and its units may move."""
    go_on(opening, "selection")
    choose(opening, axis=(*AXIS, "pza4"))
    lay(opening, "cup", "drawn", "a8")
    opening.say("[axis: choose_mode] move_combat", "axis")
    opening.drag(["hq-a8"], ["2532"])
    report, wrong = told(module, opening)
    assert wrong == [("choose_tokens", "axis", "TOW-4.2.2a")]
    assert [e.kind for e in report.entries][-3:] == ["draw", "choose_mode", "move"]


def test_whose_mode_it_is_the_drawn_token_tells(module, opening):
    """One person on one seat, after a choice against the rules."""
    go_on(opening, "selection")
    choose(opening, soviet=("voronezh-1", "voronezh-2", "steppe-1", "steppe-2", *SOVIET[2::3]))
    lay(opening, "cup", "drawn", "voronezh-1")
    opening.say("[choose_mode] move_combat", "axis")
    opening.drag(["hq-vrnz"], ["3335"])
    report, wrong = told(module, opening, by_one=True)
    assert [(kind, side) for kind, side, _ in wrong] == [("choose_tokens", "soviet")]
    assert [(e.kind, e.side) for e in report.entries][-2:] == [
        ("choose_mode", "soviet"),
        ("move", "soviet"),
    ]


def test_tokens_laid_before_the_tracker_are_chosen_all_the_same(module, opening):
    lay(opening, "soviet-pool", "cup", *SOVIET)
    go_on(opening, "selection")
    lay(opening, "axis-pool", "cup", *AXIS)
    lay(opening, "played", "cup", "supply")
    go_on(opening, "action")
    lay(opening, "cup", "drawn", "a8")
    opening.drag(["hq-a8"], ["2532"])
    assert told(module, opening)[1] == []


def test_a_token_with_which_nothing_was_done_is_left_for_the_next(module, opening):
    """Voronezh is drawn, and then the reinforcements that are laid down."""
    go_on(opening, "selection")
    choose(opening)
    lay(opening, "cup", "drawn", "voronezh-1", "reinforcement")
    opening.drag(["su-7gtk"], ["2739"])
    report, wrong = told(module, opening)
    assert wrong == []
    assert report.entries[-1].kind == "place"
