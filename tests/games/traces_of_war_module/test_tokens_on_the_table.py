"""Command tokens as people lay them: wrongly, too early, and drawn without a use."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexmarshal.games.traces_of_war import TracesOfWar
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.table.binding import Binding
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.saves.savegame import SavedGame

PLUGIN = TracesOfWar()
SOVIET = ("voronezh-1", "steppe-1", "south_west-1", "south-1", "steppe-2", "reinforcement")
AXIS = ("pza4", "a6", "a8")


@pytest.fixture
def opening(module):
    """A log in the Soviet opening of the exercise, which nobody uses."""
    start = engine.start(PLUGIN, "exercise", seed=1)
    recorder = Recorder(module, Binding.inside(module), PLUGIN, start)
    recorder.perform(PLUGIN.game.actions.make("deploy", "axis", unit="de-sec1", cell="2918"))
    for kind, named in (("activate_hq", {"unit": "hq-step"}), ("end_segment", {})):
        if recorder.position.phase == "opening":
            recorder.announce(PLUGIN.game.actions.make(kind, "soviet", **named))
    return recorder


def checked(module, recorder):
    again = SavedGame.from_archive(Archive.from_bytes(recorder.finish().to_bytes()))
    return check_file(again, module, Binding.inside(module), PLUGIN)


def lay(recorder, token, target):
    before = recorder.position
    source = next(name for name, pile in before.piles.items() if token in pile.cards)
    old, new = before.pile(source), before.pile(target)
    piles = before.piles.set(source, replace(old, cards=tuple(c for c in old.cards if c != token)))
    piles = piles.set(target, replace(new, cards=(*new.cards, token)))
    recorder.show(replace(before, piles=piles))


def go_on(recorder, phase, turn=1):
    known = recorder.position
    recorder.show(replace(known, turn=turn, phase=phase, state="", frames=(), active=()))


def choose(recorder, soviet=SOVIET, axis=AXIS):
    """Tokens into the cup, and on to the Action Phase."""
    go_on(recorder, "selection")
    for token in (*soviet, *axis, "supply"):
        lay(recorder, token, "cup")
    go_on(recorder, "action")


def told(report):
    return [
        (entry.first, violation.rule, violation.text)
        for entry in report.entries
        if entry.status is not Status.LEGAL
        for violation in (entry.violations or (None,))
    ]


def rules(report):
    return [rule for _, rule, _ in told(report)]


def test_a_choice_with_a_token_too_many_is_told_once(module, opening):
    """The right choice of the others stands, and what is drawn acts."""
    choose(opening, axis=("pza1", *AXIS))
    lay(opening, "a8", "drawn")
    opening.say("[choose_mode] move_combat", "axis")
    opening.drag(["de-3pz"], ["2633"])
    report = checked(module, opening)
    assert [(rule, text) for _, rule, text in told(report)] == [
        ("TOW-4.2.2a", "4 tokens, and 3 must be chosen")
    ]


def test_a_choice_without_a_front_is_told_once(module, opening):
    choose(opening, soviet=("voronezh-2", *(t for t in SOVIET if t != "south-1")))
    lay(opening, "steppe-1", "drawn")
    opening.drag(["su-18tk"], ["2738"])
    opening.drag(["su-5gtk"], ["2737"])
    assert rules(checked(module, opening)) == ["TOW-4.2.1b"]


def test_who_places_the_last_division_wrongly_has_placed_it(module):
    start = engine.start(PLUGIN, "exercise", seed=1)
    recorder = Recorder(module, Binding.inside(module), PLUGIN, start)
    recorder.drag(["de-sec1"], ["2329"])
    go_on(recorder, "luftwaffe")
    assert rules(checked(module, recorder)) == ["TOW-3.0d"]


def test_tokens_that_are_drawn_and_not_used_are_drawn(module, opening):
    """Who draws the next has done with the one before it; who arrives does so by the last."""
    choose(opening)
    for token in ("pza4", "voronezh-1", "reinforcement"):
        lay(opening, token, "drawn")
    opening.drag(["su-6gtk"], ["2438"])
    report = checked(module, opening)
    assert told(report) == []
    assert {*report.position.pile("cup").cards} == {"supply", "a6", "a8", *SOVIET[1:5]}


def test_tokens_go_from_where_they_were_drawn_into_the_cup_of_the_next_turn(module, opening):
    fronts = ("voronezh-2", *SOVIET[:-1])
    choose(opening, soviet=fronts)
    for token in (*AXIS, *fronts, "supply"):
        lay(opening, token, "drawn")
    for turn, phase in ((1, "end"), (2, "luftwaffe"), (2, "selection")):
        go_on(opening, phase, turn)
    for token in ("steppe-1", "voronezh-1", "south-1", "reinforcement", "south-2", "south_west-1"):
        lay(opening, token, "cup")
    lay(opening, "steppe-2", "soviet-pool")
    for token, pile in (("a8", "cup"), ("pza4", "cup"), ("okh-1", "axis-hand")):
        lay(opening, token, pile)
    for token in ("a6", "okh-2"):
        lay(opening, token, "axis-pool")
    lay(opening, "supply", "cup")
    go_on(opening, "action", 2)
    lay(opening, "south-1", "drawn")
    lay(opening, "south-1", "cup")
    lay(opening, "okh-1", "drawn")
    opening.drag(["de-3pz"], ["2633"])
    report = checked(module, opening)
    assert told(report) == []
    assert "interrupt" in [entry.kind for entry in report.entries]


def test_tokens_may_go_into_the_cup_before_the_tracker_is_moved(module, opening):
    for token in SOVIET:
        lay(opening, token, "cup")
    go_on(opening, "selection")
    for token in ("pza4", "a8"):
        lay(opening, token, "cup")
    lay(opening, "a6", "axis-hand")
    lay(opening, "supply", "cup")
    go_on(opening, "action")
    lay(opening, "a8", "drawn")
    opening.drag(["de-3pz"], ["2633"])
    assert told(checked(module, opening)) == []


def test_who_is_marked_for_nothing_is_told_by_the_rule_of_the_sign(module, opening):
    choose(opening)
    lay(opening, "supply", "drawn")
    unit = opening.position.units["su-25g"]
    opening.show(opening.position.with_unit(replace(unit, flags=frozenset({"out_of_supply"}))))
    lay(opening, "a8", "drawn")
    assert rules(checked(module, opening)) == ["TOW-8.1d"]
