"""Attacks that nobody announced: who took part in one is seldom plain, and binds nobody then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexmarshal.games.traces_of_war import TracesOfWar
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.table.binding import Binding
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.saves.savegame import SavedGame

PLUGIN = TracesOfWar()
SECURITY = (("de-sec1", "2918"), ("de-sec2", "0218"), ("de-sec3", "2305"))


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


@pytest.fixture
def opening(module, binding):
    """A log up to the Soviet opening, in which hq-step and its units may attack."""
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "campaign", seed=1))
    for unit, cell in SECURITY:
        recorder.perform(action("deploy", "axis", unit=unit, cell=cell))
    return recorder


def action(kind, side, **params):
    return PLUGIN.game.actions.make(kind, side, **params)


def checked(module, binding, recorder):
    again = SavedGame.from_archive(Archive.from_bytes(recorder.finish().to_bytes()))
    return check_file(again, module, binding, PLUGIN)


def hurt(recorder, unit):
    known = recorder.position.units[unit]
    recorder.show(recorder.position.with_unit(replace(known, steps=known.steps - 1)))


def lay(recorder, token, source, target):
    before = recorder.position
    old, new = before.pile(source), before.pile(target)
    piles = before.piles.set(source, replace(old, cards=tuple(c for c in old.cards if c != token)))
    piles = piles.set(target, replace(new, cards=(*new.cards, token)))
    recorder.show(replace(before, piles=piles))


def draw_voronezh(recorder):
    """On to the first token of the Action Phase, with some left in the hand of the Axis."""
    while recorder.position.state != "draw":
        side = recorder.position.active[0]
        offers = [offer.action for offer in engine.offers(PLUGIN, recorder.position, side)]
        likely = [one for one in offers if one.kind in ("end_segment", "choose_tokens")]
        held = [one for one in likely if one.params.get("hand")]
        recorder.perform((held or likely or offers)[0])
    cup = recorder.position.pile("cup").cards
    picked = Dice(None, given=[], picks=[cup.index("voronezh-1") + 1])
    draw = action("draw", "axis")
    recorder.show(engine.perform(PLUGIN, recorder.position, draw, picked).position)


def wrong(report):
    return [(e.first, e.what) for e in report.entries if e.status is not Status.LEGAL]


def test_dice_without_a_trace_leave_everybody_free_to_attack(module, binding, opening):
    """Three dice left nothing; whoever loses a step by the fourth attacked only then."""
    for value in (4, 4, 4, 2):
        opening.roll(6, value, side="soviet")
    hurt(opening, "su-10tk")
    report = checked(module, binding, opening)
    assert wrong(report) == []
    attacks = [e for e in report.entries if e.kind == "attack"]
    assert len(attacks) == 4
    assert "su-10tk" in attacks[-1].units


def test_who_made_others_retreat_may_have_been_another(module, binding, opening):
    """Who is thought to have attacked first loses a step in the next attack."""
    opening.roll(6, 5, side="soviet")
    opening.drag(["de-167"], ["2934"])
    opening.roll(6, 1, side="soviet")
    hurt(opening, "su-5gtk")
    report = checked(module, binding, opening)
    assert wrong(report) == []
    assert [e.kind for e in report.entries].count("attack") == 2


def test_air_support_that_is_laid_after_the_die_belongs_to_it(module, binding, opening):
    drawn = next(c for c in opening.position.pile("luftwaffe-drawn").cards if "defensive" in c)
    opening.roll(6, 4, side="axis")
    lay(opening, drawn, "luftwaffe-drawn", "luftwaffe")
    opening.roll(6, 4, side="axis")
    opening.show(replace(opening.position, phase="selection", state="", frames=()))
    report = checked(module, binding, opening)
    assert wrong(report) == []
    support = [e.what for e in report.entries if e.kind == "air_support"]
    assert len(support) == 2
    assert drawn in support[0]


def test_a_token_thrown_in_while_others_fight_ends_no_activation(module, binding, opening):
    """The Axis lays a token into the cup between two attacks; then the attacker's units move."""
    draw_voronezh(opening)
    opening.roll(6, 4, side="soviet")
    token = opening.position.pile("axis-hand").cards[0]
    lay(opening, token, "axis-hand", "cup")
    opening.roll(6, 4, side="soviet")
    opening.drag(["hq-vrnz"], ["3335"])
    report = checked(module, binding, opening)
    assert wrong(report) == []
    assert [e.kind for e in report.entries][-1] == "move"


def test_a_mode_that_was_guessed_wrong_is_guessed_again(module, binding, opening):
    """A slip before the first attack looks like movement before combat; the moves after it tell."""
    draw_voronezh(opening)
    opening.drag(["hq-vrnz"], ["3335"])
    opening.roll(6, 6, side="soviet")
    opening.drag(["de-255"], ["3033", "2932"])
    opening.drag(["su-10tk"], ["3133"])
    opening.drag(["su-18tk"], ["3038"])
    opening.drag(["su-32g"], ["3137"])
    report = checked(module, binding, opening)
    assert [e.units for e in report.violations] == [("hq-vrnz",)]
    (mode,) = (e for e in report.entries if e.kind == "choose_mode")
    assert mode.what.endswith("combat_move")


def test_a_token_that_is_thrown_in_and_drawn_at_once_begins_another_activation(
    module, binding, opening
):
    draw_voronezh(opening)
    opening.drag(["hq-vrnz"], ["3335"])
    lay(opening, "a6", "axis-hand", "cup")
    lay(opening, "a6", "cup", "played")
    opening.drag(["hq-a6"], ["1239"])
    report = checked(module, binding, opening)
    assert wrong(report) == []
    assert [e.kind for e in report.entries][-4:] == ["throw_in", "draw", "choose_mode", "move"]


@pytest.fixture
def race(module, binding):
    """A log up to the Soviet opening of the other scenario."""
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "race", seed=1))
    while recorder.position.state != "opening":
        offers = engine.offers(PLUGIN, recorder.position, recorder.position.active[0])
        recorder.perform(next(iter(offers)).action)
    return recorder


@pytest.mark.parametrize("order", [1, -1])
def test_the_winner_may_be_dragged_before_the_loser_has_left(module, binding, race, order):
    race.roll(6, 5, side="soviet")
    for unit, cell in (("de-257", "2036"), ("su-1gm", "2037"))[::order]:
        race.drag([unit], [cell])
    report = checked(module, binding, race)
    assert wrong(report) == []
    assert {"attack", "retreat", "advance"} <= {e.kind for e in report.entries}


@pytest.mark.parametrize(("way", "rules"), [("1936 2036", []), ("2036 2035", ["TOW-10.4a"])])
def test_from_one_right_hex_to_another_is_a_correction(module, binding, race, way, rules):
    race.say("[soviet: activate_hq] hq-sw", "soviet")
    race.say("[soviet: attack] 2037 -> su-1gm su-6g su-28g su-29g", "soviet")
    race.roll(6, 5, side="soviet")
    for cell in way.split():
        race.drag(["de-257"], [cell])
    report = checked(module, binding, race)
    assert [v.rule for entry in report.violations for v in entry.violations] == rules


def test_the_front_of_the_opening_is_the_one_that_all_its_attacks_fit(module, binding, race):
    """Two headquarters command the first attack, and only one of them the next."""
    race.say("[soviet: attack] 1741 -> su-54 su-5gcv su-3 su-32", "soviet")
    race.roll(6, 3, side="soviet")
    race.drag(["de-335"], ["1740"])
    hurt(race, "de-335")
    race.say("[soviet: end_advance]", "soviet")
    race.say("[soviet: attack] 2037 -> su-1gm su-6g su-28g su-29g", "soviet")
    report = checked(module, binding, race)
    assert wrong(report) == []


def test_a_refused_attack_stands_in_the_way_of_no_token(module, binding, opening):
    """The next token is drawn, and a unit of its headquarters moves."""
    draw_voronezh(opening)
    opening.drag(["hq-vrnz"], ["3335"])
    opening.say("[soviet: attack] 3133 -> su-18tk", "soviet")
    lay(opening, "a6", "axis-hand", "cup")
    lay(opening, "a6", "cup", "played")
    opening.drag(["hq-a6"], ["1239"])
    report = checked(module, binding, opening)
    assert [e.kind for e in report.violations] == ["attack"]
    assert [e.kind for e in report.entries][-4:] == ["throw_in", "draw", "choose_mode", "move"]


def test_who_goes_elsewhere_than_where_was_fought_does_not_advance(module, binding, opening):
    draw_voronezh(opening)
    opening.roll(6, 6, side="soviet")
    opening.drag(["de-255"], ["3033", "2932"])
    opening.drag(["su-18tk"], ["3044"])
    report = checked(module, binding, opening)
    (found,) = report.violations
    assert (found.kind, found.violations[0].rule) == ("move", "TOW-9.1a")


def test_a_slip_in_the_middle_of_an_advance_ends_nothing(module, binding, opening):
    """What follows it is an advance or a move; the attack that comes then tells which."""
    draw_voronezh(opening)
    opening.say("[soviet: choose_mode] combat_move", "soviet")
    opening.say("[soviet: attack] 3133 -> su-10tk su-52 su-23g su-5gtk", "soviet")
    opening.roll(6, 4, side="soviet")
    opening.drag(["de-255"], ["3033", "2932"])
    opening.drag(["su-18tk"], ["3044"])
    opening.drag(["su-10tk"], ["3133"])
    opening.say("[soviet: attack] 3035 -> su-22g su-6tk", "soviet")
    report = checked(module, binding, opening)
    assert [e.units for e in report.violations] == [("su-18tk",)]
    told = [e.kind for e in report.entries if e.units == ("su-10tk",)]
    assert told == ["advance"]


def test_the_winner_may_be_dragged_before_two_losers_have_left(module, binding):
    start = engine.start(PLUGIN, "exercise", seed=1)
    recorder = Recorder(module, binding, PLUGIN, start)
    recorder.perform(action("deploy", "axis", unit="de-sec1", cell="2634"))
    recorder.roll(6, 6, side="soviet")
    for unit, cell in (("su-1m", "2735"), ("de-168", "2734"), ("de-106", "2734")):
        recorder.drag([unit], [cell])
    report = checked(module, binding, recorder)
    assert wrong(report) == []
    assert [e.kind for e in report.entries][-3:] == ["advance", "retreat", "retreat"]


def test_steps_may_be_taken_off_before_the_retreat_that_costs_them(module, binding):
    """Every hex to retreat to is in a zone; what was guessed for the die is guessed again then."""
    start = engine.start(PLUGIN, "campaign", seed=1)
    fought = {"de-167": "2933", "su-6tk": "2934", "de-255": "3032", "su-10tk": "3133"}
    for unit, cell in fought.items():
        start = start.with_unit(replace(start.units[unit], cell=cell))
    recorder = Recorder(module, binding, PLUGIN, start)
    for unit, cell in SECURITY:
        recorder.perform(action("deploy", "axis", unit=unit, cell=cell))
    draw_voronezh(recorder)
    recorder.roll(6, 2, side="soviet")
    for unit in ("de-332", "de-19pz"):
        hurt(recorder, unit)
    for unit, cell in (("de-19pz", "2933"), ("de-332", "3033")):
        recorder.drag([unit], [cell])
    report = checked(module, binding, recorder)
    assert wrong(report) == []
    assert [e.kind for e in report.entries][-2:] == ["retreat", "retreat"]
