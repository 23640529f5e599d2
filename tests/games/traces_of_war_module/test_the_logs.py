"""Logs of the module: a recorded game is found clean, and what is wrong in one is found."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import islice

import pytest

from hexmarshal.games.traces_of_war import TracesOfWar
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.samples.log_recorder import Recorder, record_log
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.table.binding import Binding
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.saves.savegame import SavedGame

PLUGIN = TracesOfWar()


@cache
def played(seed, actions):
    game = play_game(PLUGIN, seed, scenario="race", max_actions=actions, check_replay=False)
    return game.record


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


def action(kind, side, **params):
    return PLUGIN.game.actions.make(kind, side, **params)


def checked(module, binding, log):
    again = SavedGame.from_archive(Archive.from_bytes(log.to_bytes()))
    return check_file(again, module, binding, PLUGIN)


@pytest.mark.parametrize(("seed", "among"), [("clean", {"move"}), ("d", {"activate_hq"})])
def test_a_game_by_the_rules_is_found_clean(module, binding, seed, among):
    """Secret choices, draws from the cup, moves and combats: all of it is read back."""
    record = played(seed, 60)
    kinds = {event.action["kind"] for event in record.events}
    assert {"deploy", "choose_tokens", "draw"} | among <= kinds
    report = checked(module, binding, record_log(module, binding, PLUGIN, record))
    assert len(report.entries) >= len(record.events)
    assert {entry.status for entry in report.entries} == {Status.LEGAL}


def test_a_security_division_outside_a_major_city_is_found(module, binding):
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "race"))
    recorder.drag(["de-sec1"], ["1926"])
    report = checked(module, binding, recorder.finish())
    (found,) = report.violations
    assert found.certainty is Certainty.CERTAIN
    assert "TOW-3.0d" in {one.rule for one in found.violations}


def test_a_piece_that_was_dropped_far_away_is_judged_at_once(module, binding):
    """Between hexes thirty apart there are more shortest ways than can be tried."""
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "race"))
    recorder.drag(["hq-a6"], ["2205"])
    (found,) = checked(module, binding, recorder.finish()).violations
    assert found.units == ("hq-a6",)


def test_the_tracker_ends_a_phase_that_no_action_ends(module, binding):
    """Who moves the tracker on after an attack has said that there are no more."""
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "campaign", seed=1))
    for unit, cell in (("de-sec1", "2918"), ("de-sec2", "0218"), ("de-sec3", "2305")):
        recorder.perform(action("deploy", "axis", unit=unit, cell=cell))
    recorder.perform(action("activate_hq", "soviet", unit="hq-vrnz"))
    attackers = ("su-10tk", "su-52", "su-23g", "su-5gtk")
    recorder.perform(action("attack", "soviet", target="3133", attackers=attackers))
    recorder.perform(action("air_support", "axis", markers=()), Dice(None, given=[5]))
    recorder.perform(action("retreat", "axis", unit="de-255", path=("3033", "2932")))
    recorder.perform(action("advance", "soviet", unit="su-10tk", path=("3133",)))
    after = recorder.position
    for kind in ("end_advance", "end_segment"):
        after = engine.perform(PLUGIN, after, action(kind, "soviet"), Dice(None)).position
    assert (recorder.position.phase, after.phase) == ("opening", "selection")
    recorder.show(after)
    report = checked(module, binding, recorder.finish())
    assert {entry.status for entry in report.entries} == {Status.LEGAL}


def test_nor_does_it_end_one_with_tokens_in_the_cup(module, binding):
    position = engine.start(PLUGIN, "race", seed=2)
    recorder = Recorder(module, binding, PLUGIN, position)
    while recorder.position.phase != "action":
        side = recorder.position.active[0]
        recorder.perform(next(iter(engine.offers(PLUGIN, recorder.position, side))).action)
    recorder.show(replace(recorder.position, turn=2, phase="selection", state="", active=()))
    (found,) = checked(module, binding, recorder.finish()).violations
    assert {one.rule for one in found.violations} == {"TOW-4.0"}


def test_tokens_that_go_from_pile_to_pile_without_a_word_are_understood(module, binding):
    """Chosen in secret, put into the cup, drawn and thrown in: the piles tell all of it."""
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "race", seed=2))
    told = []
    for _ in range(40):
        side = recorder.position.active[0]
        offers = engine.offers(PLUGIN, recorder.position, side)
        one = _first(offers, "choose_tokens", "draw")
        if one.kind in ("choose_tokens", "draw"):
            told.append(one.kind)
            recorder.show(engine.perform(PLUGIN, recorder.position, one).position)
        else:
            recorder.perform(one)
        held = recorder.position.pile("axis-hand").cards
        if told.count("draw") == 1 and recorder.position.state == "draw" and "a6" in held:
            thrown = engine.perform(
                PLUGIN, recorder.position, action("throw_in", "axis", token="a6")
            )
            told.append("throw_in")
            recorder.show(thrown.position)
        if told.count("draw") == 3:
            break
    assert set(told) == {"choose_tokens", "draw", "throw_in"}
    report = checked(module, binding, recorder.finish())
    assert {entry.status for entry in report.entries} == {Status.LEGAL}
    found = [e.kind for e in report.entries if e.what.startswith("in silence: ")]
    assert (found.count("draw"), found.count("throw_in")) == (3, 1)


def _first(offers, *kinds):
    found = [offer.action for offer in islice(offers, 60)]
    return next((one for one in found if one.kind in kinds), found[0])


def _choosing(module, binding):
    """A log up to the choice of tokens."""
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "race", seed=2))
    while recorder.position.phase != "selection":
        side = recorder.position.active[0]
        recorder.perform(next(iter(engine.offers(PLUGIN, recorder.position, side))).action)
    return recorder


def _put_into_the_cup(recorder, **numbers):
    for side, number in numbers.items():
        before = recorder.position
        name = f"{side}-pool"
        cards = before.pile(name).cards
        piles = before.piles.set(name, replace(before.pile(name), cards=cards[number:]))
        cup = before.pile("cup")
        piles = piles.set("cup", replace(cup, cards=(*cup.cards, *cards[:number])))
        recorder.show(replace(before, piles=piles))


def test_a_wrong_number_of_tokens_is_told_of_each_side(module, binding):
    """Not of the tracker, which goes on as if all were chosen."""
    recorder = _choosing(module, binding)
    _put_into_the_cup(recorder, soviet=3, axis=4)
    recorder.show(replace(recorder.position, phase="action", state="", frames=()))
    report = checked(module, binding, recorder.finish())
    found = [(e.side, e.kind, e.certainty) for e in report.violations]
    assert found == [
        ("soviet", "choose_tokens", Certainty.LIKELY),
        ("axis", "choose_tokens", Certainty.LIKELY),
    ]
    soviet, axis = ({one.rule for one in e.violations} for e in report.violations)
    assert "TOW-4.2.1a" in soviet
    assert axis == {"TOW-4.2.2a"}
    assert report.position.phase == "action"


def test_tokens_that_only_one_side_has_chosen_are_no_choice_of_the_other(module, binding):
    recorder = _choosing(module, binding)
    _put_into_the_cup(recorder, soviet=3)
    recorder.show(replace(recorder.position, phase="action", state="", frames=()))
    report = checked(module, binding, recorder.finish())
    assert not any(e.kind == "choose_tokens" for e in report.violations)


def test_a_token_that_is_drawn_after_a_move_does_not_make_it_right(module, binding):
    """The move is judged by what lay there then; the token is drawn all the same."""
    recorder = _choosing(module, binding)
    while recorder.position.state != "draw":
        side = recorder.position.active[0]
        recorder.perform(next(iter(engine.offers(PLUGIN, recorder.position, side))).action)
    cup = recorder.position.pile("cup").cards
    drawn = Dice(None, given=[], picks=[cup.index("voronezh-1") + 1])
    after = engine.perform(PLUGIN, recorder.position, action("draw", "axis"), drawn).position
    assert "voronezh-1" not in after.pile("cup").cards
    mode = action("choose_mode", "soviet", mode="move_combat")
    ready = engine.perform(PLUGIN, after, mode, Dice(None)).position
    moves = (offer.action for offer in engine.offers(PLUGIN, ready, "soviet", ("move",)))
    move = next(one for one in moves if len(one.texts("path")) == 1)
    there = replace(after.units[move.text("unit")], cell=move.texts("path")[0])
    recorder.drag([there.id], [there.cell])
    recorder.show(after.with_unit(there))
    recorder.announce(mode)
    report = checked(module, binding, recorder.finish())
    (found,) = report.violations
    assert found.units == (there.id,)
    assert [(e.kind, e.status) for e in report.entries[-2:]] == [
        ("draw", Status.LEGAL),
        ("choose_mode", Status.LEGAL),
    ]


def test_an_attack_without_a_word_is_found_by_the_retreat_from_it(module, binding):
    """A die, a retreat and an advance: a headquarters was activated, and its units attacked."""
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "campaign", seed=1))
    for unit, cell in (("de-sec1", "2918"), ("de-sec2", "0218"), ("de-sec3", "2305")):
        recorder.perform(action("deploy", "axis", unit=unit, cell=cell))
    recorder.roll(6, 5, side="soviet")
    recorder.drag(["de-255"], ["3033", "2932"])
    recorder.drag(["su-10tk"], ["3133"])
    recorder.show(replace(recorder.position, phase="selection", state="", frames=()))
    report = checked(module, binding, recorder.finish())
    assert [e.what for e in report.entries if e.status is not Status.LEGAL] == []
    assert {"activate_hq", "attack", "retreat", "advance"} <= {e.kind for e in report.entries}


@pytest.mark.parametrize(("unit", "explained"), [("su-48", True), ("de-7pz", False)])
def test_an_attack_that_costs_only_the_attacker_is_found(module, binding, unit, explained):
    """Nobody retreats, so nothing else tells where the attack went; far behind there was none."""
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "campaign", seed=1))
    for security, cell in (("de-sec1", "2918"), ("de-sec2", "0218"), ("de-sec3", "2305")):
        recorder.perform(action("deploy", "axis", unit=security, cell=cell))
    recorder.roll(6, 2, side="soviet")
    hurt = recorder.position.units[unit]
    recorder.show(recorder.position.with_unit(replace(hurt, steps=hurt.steps - 1)))
    report = checked(module, binding, recorder.finish())
    losses = [e.units for e in report.entries if e.kind == "take_losses"]
    assert losses == ([("su-48",)] if explained else [])
    told = [{one.rule for one in e.violations} for e in report.violations]
    assert told == ([] if explained else [{"HM-table"}])


def test_which_headquarters_was_activated_the_next_attack_tells(module, binding):
    """Two command those who attack first, one of them those who attack then."""
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "race", seed=1))
    for unit, cell in (("de-sec1", "2918"), ("de-sec2", "0218"), ("de-sec3", "2305")):
        recorder.perform(action("deploy", "axis", unit=unit, cell=cell))
    recorder.roll(6, 6, side="soviet")
    recorder.drag(["de-335"], ["1740", "1640"])
    hurt = recorder.position.units["de-335"]
    recorder.show(recorder.position.with_unit(replace(hurt, steps=1)))
    recorder.drag(["su-5gcv"], ["1741"])
    recorder.roll(6, 6, side="soviet")
    recorder.drag(["de-257"], ["1936", "1836"])
    recorder.drag(["su-1gm"], ["2037"])
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.what) for e in report.violations] == []
    (chosen,) = (e for e in report.entries if e.kind == "activate_hq")
    assert chosen.units == ("hq-sw",)
    attacks = [e.what.partition("] ")[2][:4] for e in report.entries if e.kind == "attack"]
    assert attacks == ["1741", "2037"]


def test_a_retreat_that_was_left_undone_is_told(module, binding):
    """Two have to go back, one does, and the attacker goes on: that is told once, by its rule."""
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "campaign", seed=1))
    for unit, cell in (("de-sec1", "2918"), ("de-sec2", "0218"), ("de-sec3", "2305")):
        recorder.perform(action("deploy", "axis", unit=unit, cell=cell))
    recorder.perform(action("activate_hq", "soviet", unit="hq-vrnz"))
    attackers = ("su-10tk", "su-52", "su-23g", "su-5gtk")
    recorder.perform(action("attack", "soviet", target="3133", attackers=attackers))
    recorder.perform(action("air_support", "axis", markers=()), Dice(None, given=[5]))
    recorder.announce(action("end_segment", "soviet"))
    recorder.show(replace(recorder.position, phase="selection", state="", frames=()))
    (found,) = checked(module, binding, recorder.finish()).violations
    assert [one.rule for one in found.violations] == ["TOW-10.4a"]
    assert (found.kind, found.certainty) == ("air_support", Certainty.LIKELY)


def test_what_dice_without_a_trace_were_taken_for_binds_nobody(module, binding):
    """A die that left nothing may be of any attack: the next one tells which headquarters."""
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "race", seed=1))
    for unit, cell in (("de-sec1", "2918"), ("de-sec2", "0218"), ("de-sec3", "2305")):
        recorder.perform(action("deploy", "axis", unit=unit, cell=cell))
    recorder.roll(6, 3, side="soviet")
    recorder.roll(6, 6, side="soviet")
    recorder.drag(["de-257"], ["1936", "1836"])
    recorder.drag(["su-1gm"], ["2037"])
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.what) for e in report.violations] == []
    (chosen,) = (e for e in report.entries if e.kind == "activate_hq")
    assert chosen.units == ("hq-sw",)
