"""Logs of Kharkov: clean ones give no alarm; every rule that is broken on purpose is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from kharkov_table import MAKE, PLUGIN, binding, checked, game, module

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.check.findings import Certainty, CheckReport, Entry, Status
from hexmarshal.referee.samples.faulty_samples import plant
from hexmarshal.referee.samples.log_recorder import Recorder, record_log
from hexmarshal.rules import engine
from hexmarshal.rules.playing.record import GameRecord
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap, thaw
from hexmarshal.table.binding import PhaseShown
from hexmarshal.table.reading.turn_tracker import Tracker


@cache
def played(scenario: str, seed: str, actions: int = 5000) -> GameRecord:
    return play_game(
        PLUGIN,
        seed,
        scenario=scenario,
        max_actions=actions,
        check_replay=False,
        whole_paths=True,  # A log shows where a piece was dropped, and not how it came there.
    ).record


@pytest.mark.parametrize(
    ("scenario", "seed", "actions"),
    [("training", "clean 1", 5000), ("campaign", "clean 1", 90)],
)
def test_a_game_of_the_random_player_gives_no_alarm(scenario: str, seed: str, actions: int) -> None:
    report = checked(record_log(module(), binding(), PLUGIN, played(scenario, seed, actions)))
    assert {entry.status for entry in report.entries} == {Status.LEGAL}
    assert report.notes == ()
    # A phase with nothing to do in it may be ended by the next one.
    assert len(report.entries) > 0.9 * len(played(scenario, seed, actions).events)


def test_every_rule_broken_on_purpose_is_found_and_nothing_else() -> None:
    log, planted = plant(
        module(), binding(), PLUGIN, "a", scenario="training", wanted=16, most_actions=200
    )
    assert len(planted) >= 15
    assert len({rule for one in planted for rule in one.rules}) >= 15
    report = checked(log)
    found = {entry.first: entry for entry in report.violations}
    assert found.keys() == {one.step for one in planted}
    for one in planted:
        entry = found[one.step]
        # Nothing on a table proves that a decision was not asked for, or still is.
        states, before = PLUGIN.game.actions[entry.kind].states, entry.before
        asked = (states and "" not in states) or (before is not None and before.state)
        answers = asked and PLUGIN.game.turn_rule in one.rules
        assert entry.certainty is (Certainty.LIKELY if answers else Certainty.CERTAIN)
        assert {violation.rule for violation in entry.violations} == set(one.rules)
        assert all(violation.text and violation.section for violation in entry.violations)
        assert entry.right


# Wrong results: the players do on the table something else than what the rules say came of it.


def _track(name: str) -> Callable[[Position, Position], bool]:
    return lambda before, after: before.track(name) > after.track(name)


def _old_tracks(before: Position, after: Position) -> Position:
    return replace(after, tracks=before.tracks)


def _scores(before: Position, after: Position) -> bool:
    return after.track("vp-soviet") > before.track("vp-soviet")


def _one_point_more(before: Position, after: Position) -> Position:
    return after.with_track("vp-soviet", after.track("vp-soviet") + 1)


def _supplied_by_air(before: Position, after: Position) -> bool:
    return len(after.markers) > len(before.markers)


def _old_markers(before: Position, after: Position) -> Position:
    return replace(after, markers=before.markers)


def _worse(before: Position, after: Position) -> list[str]:
    both = (unit for unit in before.units if unit in after.units)
    return [u for u in both if after.units[u].steps < before.units[u].steps]


def _loses_steps(before: Position, after: Position) -> bool:
    # An advance right after it would be all that the log shows of both.
    return bool(_worse(before, after)) and after.state != "advance"


def _unhurt(before: Position, after: Position) -> Position:
    hurt = _worse(before, after)[0]
    return after.with_unit(replace(after.unit(hurt), steps=before.unit(hurt).steps))


def _dead(before: Position, after: Position) -> list[str]:
    return [
        unit.id
        for unit in after.units.values()
        if unit.box == "eliminated" and before.units[unit.id].cell
    ]


def _kills(before: Position, after: Position) -> bool:
    return bool(_dead(before, after))


def _raised(before: Position, after: Position) -> Position:
    return after.with_unit(before.unit(_dead(before, after)[0]))


def _disrupts(before: Position, after: Position) -> bool:
    return bool(_shaken(before, after))


def _shaken(before: Position, after: Position) -> list[str]:
    return [
        unit.id
        for unit in after.units.values()
        if unit.cell and unit.has("disrupted") and not before.units[unit.id].has("disrupted")
    ]


def _calm(before: Position, after: Position) -> Position:
    unit = after.unit(_shaken(before, after)[0])
    return after.with_unit(replace(unit, flags=unit.flags - {"disrupted"}))


SLIPS = {
    "air is not spent": (_track("air-soviet"), _old_tracks, "Soviet air points left"),
    "points are miscounted": (_scores, _one_point_more, "Soviet victory points noted"),
    "an air supply is not marked": (_supplied_by_air, _old_markers, "Air supply marker by"),
    "a lost step is forgotten": (_loses_steps, _unhurt, "steps"),
    "a dead unit stays": (_kills, _raised, "is eliminated by the rules"),
    "a disruption is forgotten": (_disrupts, _calm, "is disrupted by the rules"),
}


def slipped(
    condition: Callable[[Position, Position], bool],
    slip: Callable[[Position, Position], Position],
) -> tuple[CheckReport, int]:
    """A game in which the first result of a kind is shown wrongly, and two phases more of it."""
    for seed in range(1, 20):
        if found := slipped_game(played("training", f"clean {seed}"), condition, slip):
            return found
    raise AssertionError("no such result in twenty games")


def slipped_game(
    record: GameRecord,
    condition: Callable[[Position, Position], bool],
    slip: Callable[[Position, Position], Position],
) -> tuple[CheckReport, int] | None:
    """One of the random player's games with such a slip, if it comes to it."""
    start = engine.start(PLUGIN, "training", seed=record.opening.seed)
    log = game(start)
    at = phases = 0
    for event in record.events:
        before = log.position
        action = PLUGIN.game.actions.decode(thaw(event.action))
        try:
            after = engine.perform(PLUGIN, before, action).position
        except HexMarshalError:
            # After the slip not all is as it was in the game that was played.
            continue
        if not at and condition(before, after):
            at = log.steps + 1
            log.perform(action, slip=lambda right, before=before: slip(before, right))
        else:
            log.perform(action)
        phases += bool(at) and before.phase != log.position.phase
        if phases > 1:
            return checked(log), at
    return None


@pytest.mark.parametrize("name", SLIPS)
def test_a_result_that_is_shown_wrongly_is_found(name: str) -> None:
    condition, slip, words = SLIPS[name]
    report, step = slipped(condition, slip)
    (entry,) = report.violations
    assert entry.first == step
    assert words in entry.violations[0].text
    assert entry.violations[0].section
    assert entry.right


# What players do with pieces


def pair(log: Recorder) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Two units that may go somewhere together, and their way of at least two cells."""
    offers = engine.offers(PLUGIN, log.position, "soviet")
    moves = (offer.action for offer in offers if offer.action.kind == "move")
    found = next(m for m in moves if len(m.texts("units")) == 2 and len(m.texts("path")) >= 2)
    return found.texts("units"), found.texts("path")


def legal(report: CheckReport) -> list[Entry]:
    assert {entry.status for entry in report.entries} <= {Status.LEGAL, Status.TAKEN_BACK}
    return [entry for entry in report.entries if entry.status is Status.LEGAL]


def test_a_stack_dragged_together_is_one_action() -> None:
    log = game()
    units, path = pair(log)
    log.drag(units, path)
    (entry,) = legal(checked(log))
    assert (set(entry.units), entry.path, entry.kind) == (set(units), path, "move")


def test_a_stack_that_is_undone_has_not_moved() -> None:
    log = game()
    start = log.position
    units, path = pair(log)
    log.drag(units, path[:1])
    log.undo()
    log.position = start
    log.drag(units, path)
    report = checked(log)
    (entry,) = legal(report)
    assert (entry.path, report.undone) == (path, 1)


def test_a_stack_put_back_has_not_moved() -> None:
    log = game()
    units, path = pair(log)
    home = log.position.unit(units[0]).cell
    log.drag(units, [*path[:1], home])
    log.drag(units, path)
    (entry,) = legal(checked(log))
    assert entry.path == path


def test_a_marker_placed_for_nothing_is_likely_wrong() -> None:
    log = game()
    log.show(log.position.with_track("vp-axis", 3))
    log.perform(MAKE("end_phase", "soviet"))
    (entry,) = checked(log).violations
    assert (entry.kind, entry.certainty) == ("change", Certainty.LIKELY)
    assert entry.what == "Axis victory points noted: 0 by the rules, and shows 3"


def test_a_marker_placed_and_taken_away_again_is_nothing() -> None:
    log = game()
    start = log.position
    log.show(start.with_track("vp-axis", 3))
    log.show(start)
    log.perform(MAKE("end_phase", "soviet"))
    assert len(legal(checked(log))) == 1


def test_a_game_on_a_board_that_the_module_lacks_gives_no_certain_finding() -> None:
    start = engine.start(PLUGIN, "exercise", seed="referee")
    assert start.board != engine.start(PLUGIN, "training").board
    log = game(start)
    log.perform(
        next(
            offer.action
            for offer in engine.offers(PLUGIN, start, "soviet")
            if offer.action.kind == "move" and len(offer.action.texts("path")) > 4
        )
    )
    report = checked(log)
    assert "board" in [note.note.code for note in report.notes]
    assert report.certain == 0


def test_a_retreat_against_the_rules_drags_nothing_along() -> None:
    log = game(engine.start(PLUGIN, "training", seed="x"))
    log.perform(MAKE("end_phase", "soviet"))
    log.announce(MAKE("attack", "soviet", attackers=["tnk-01", "grd-1"], targets=["0615"]))
    log.roll(6, 6, 3, side="soviet")
    log.drag(["inf-297"], ["0515"])
    log.announce(MAKE("attack", "soviet", attackers=["tnk-02"], targets=["0914"]))
    log.drag(["rif-05"], ["0417"])
    told = {e.units[0]: [v.text for v in e.violations] for e in checked(log).violations if e.units}
    assert told["inf-297"] == ["it must end 2 hexes from the combat"]
    assert told["tnk-02"] == ["tnk-02 is not adjacent to 0914"]
    assert told["rif-05"] == ["no movement in a combat phase"]


def test_a_result_carried_out_wrongly_is_asked_no_more() -> None:
    log = game(engine.start(PLUGIN, "training", seed="x"))
    log.perform(MAKE("end_phase", "soviet"))
    log.announce(MAKE("attack", "soviet", attackers=["tnk-01", "grd-1"], targets=["0615"]))
    log.roll(6, 6, 3, side="soviet")
    log.show(log.position.with_unit(replace(log.position.units["inf-297"], steps=1)))
    log.announce(MAKE("attack", "soviet", attackers=["tnk-02"], targets=["0914"]))
    told = [v.text for e in checked(log).violations if e.kind == "attack" for v in e.violations]
    assert told == ["tnk-02 is not adjacent to 0914"]


def test_what_comes_of_an_attack_against_the_rules_is_not_judged_as_well() -> None:
    here = replace(engine.start(PLUGIN, "training"), phase="axis_combat", active=("axis",))
    panzer = ("pz-126-23", "pz-128-23", "pz-201-23")
    there = dict.fromkeys(panzer, "0616") | {"grd-1": "0615", "inf-297": "0317"}
    for name, cell in there.items():
        here = here.with_unit(replace(here.units[name], cell=cell))
    log = game(here)
    log.announce(MAKE("attack", "axis", attackers=panzer, targets=["0615", "0617"]))
    log.roll(6, 2, side="axis")
    log.show(here.without_unit("grd-1"))
    # Without the loss that such an attack would cost.
    log.drag(["pz-201-23"], ["0615"])
    on_tracker(log, "B3 Axis mechanised movement")
    report = checked(log)
    assert [e.kind for e in report.violations] == ["attack"]
    # The step was to be lost before the advance; that it was not comes of the attack.
    kinds = [entry.kind for entry in report.entries]
    assert kinds[2:4] == ["take_losses", "advance"]


def on_tracker(log: Recorder, text: str) -> None:
    """Move the tracker to what it calls this, be it a phase to the rules or none."""
    rule = binding().turn
    assert rule is not None
    named = replace(rule, phases={text: PhaseShown("here")})
    turn = Tracker(named, module(), PLUGIN.game).write(replace(log.position, phase="here"))
    assert turn is not None
    with log.log.step() as step:
        step.set_turn(turn.tracker, turn.turn)


def test_a_stop_of_the_tracker_between_phases_drops_what_is_still_asked() -> None:
    log = game(engine.start(PLUGIN, "training", seed="x"))
    log.perform(MAKE("end_phase", "soviet"))
    log.announce(MAKE("attack", "soviet", attackers=["tnk-01", "grd-1"], targets=["0615"]))
    log.roll(6, 6, 3, side="soviet")
    log.drag(["inf-297"], ["0515"])
    for text in ("A4 Soviet disruption", "B1 Axis initial movement"):
        on_tracker(log, text)
    log.drag(["inf-79"], ["0415"])
    report = checked(log)
    last = report.entries[-1]
    assert (last.units, last.phase, last.status) == (("inf-79",), "axis_movement", Status.LEGAL)


def test_a_crowded_hex_is_told_once_and_not_again_when_the_phase_ends() -> None:
    log = game()
    here = log.position
    log.drag(["rif-02"], ["0513", "0613", "0714"])
    crowd = here.with_unit(replace(here.units["rif-02"], cell="0714"))
    assert len(crowd.at("0714")) > 3
    log.position = crowd
    log.announce(MAKE("end_phase", "soviet"))
    log.show(replace(crowd, phase="soviet_combat"))
    report = checked(log)
    (told,) = report.violations
    assert "KHA-8.1" in {violation.rule for violation in told.violations}
    again = [e for e in report.entries if e.kind == "end_phase"]
    assert again
    assert all(e.result == "what was told of step 1 stands in its way" for e in again)


def test_what_may_come_of_dice_that_are_a_puzzle_is_not_certain() -> None:
    log = game(engine.start(PLUGIN, "training", seed="x"))
    log.roll(6, 5, 2, side="soviet")
    log.drag(["sec-454"], ["0716", "0717"])
    (found,) = checked(log).violations
    assert found.units == ("sec-454",)
    assert found.certainty is Certainty.LIKELY


def turned_up(log: Recorder, unit: str) -> None:
    """A counter is turned up on the table, before anything is said of a fight."""
    shown = replace(log.position.units[unit], values=FrozenMap({"ladder": ("3-3-11",)}))
    log.show(log.position.with_unit(shown))


def test_counters_may_be_turned_up_before_the_dice() -> None:
    log = game(engine.start(PLUGIN, "training", seed="x"))
    log.perform(MAKE("end_phase", "soviet"))
    turned_up(log, "tnk-01")
    log.perform(MAKE("attack", "soviet", attackers=["tnk-01"], targets=["0715"]))
    assert [e.what for e in checked(log).violations] == []


def test_but_not_where_no_fight_follows() -> None:
    log = game(engine.start(PLUGIN, "training", seed="x"))
    turned_up(log, "tnk-01")
    for _ in range(3):
        log.perform(MAKE("end_phase", log.position.active[0]))
    (told,) = checked(log).violations
    assert (told.kind, told.first, told.units) == ("change", 1, ("tnk-01",))


def test_what_goes_without_saying_is_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody names the one headquarters that can command an overrun."""
    log = game("training")
    overrun = {"units": ["tnk-01", "tnk-02", "tnk-03"], "target": "0715"}
    say, short = log.announce, MAKE("overrun", "soviet", **overrun)
    monkeypatch.setattr(log, "announce", lambda _: say(short))
    log.perform(MAKE("overrun", "soviet", hq="hq-28", **overrun))
    report = checked(log)
    assert [entry.kind for entry in report.violations] == []
    assert report.entries[0].what.endswith("hq=hq-28")


def fought() -> Recorder:
    """Three panzer regiments attack grd-1, of two steps, and roll 3: D2."""
    here = replace(engine.start(PLUGIN, "training"), phase="axis_combat", active=("axis",))
    panzers = ("pz-126-23", "pz-128-23", "pz-201-23")
    for name, cell in {
        **dict.fromkeys(panzers, "0616"),
        "grd-1": "0615",
        "inf-297": "0317",
    }.items():
        here = here.with_unit(replace(here.units[name], cell=cell))
    log = game(here)
    log.announce(MAKE("attack", "axis", attackers=panzers, targets=["0615"], air=False))
    log.roll(6, 3, side="axis")
    log.show(here.with_unit(replace(here.units["grd-1"], steps=1)))
    return log


def test_a_result_done_in_part_is_told_by_the_rule_that_asks_for_it() -> None:
    log = fought()
    log.show(replace(log.position, phase="mechanised_movement"))
    log.drag(["pz-6-3"], ["0915"])
    (found,) = checked(log).violations
    assert [violation.rule for violation in found.violations] == ["KHA-9.56"]
    assert "grd-1 is eliminated by the rules" in found.violations[0].text
    assert (found.right, found.certainty) == ("D2; grd-1 is eliminated", Certainty.LIKELY)


def test_steps_may_be_taken_off_one_after_the_other() -> None:
    log = fought()
    log.show(log.position.without_unit("grd-1"))
    log.show(replace(log.position, phase="mechanised_movement"))
    report = checked(log)
    assert [entry.what for entry in report.violations] == []
    assert "take_losses" in [entry.kind for entry in report.entries]


def test_who_went_on_from_where_an_action_put_him_has_moved() -> None:
    start = replace(engine.start(PLUGIN, "training"), phase="axis_movement", active=("axis",))
    log = game(start)
    elsewhere = {"reg-02": "0316", "reg-03": "0216"}
    log.perform(
        MAKE("break_down", "axis", unit="inf-79"),
        slip=lambda at: at.with_unit(
            *(replace(at.units[unit], cell=cell) for unit, cell in elsewhere.items())
        ),
    )
    log.show(replace(log.position, phase="axis_combat"))
    report = checked(log)
    assert [entry.what for entry in report.violations] == []
    assert [entry.kind for entry in report.entries] == ["break_down", "move", "move", "end_phase"]


@pytest.mark.parametrize(
    ("side", "is_over", "told"),
    [("soviet", True, True), ("axis", True, False), ("soviet", False, False)],
)
def test_a_city_taken_is_marked_when_the_phase_is_over_and_ones_own_is_not(
    side: str, is_over: bool, told: bool
) -> None:
    here = engine.start(PLUGIN, "training")
    here = replace(here, cells=here.cells.set("0818", FrozenMap({"garrison": 0})))
    away = dict.fromkeys(("pz-126-23", "pz-128-23", "pz-201-23"), "0420")
    for name, cell in {**away, "cav-01" if side == "soviet" else "pz-6-3": "0817"}.items():
        here = here.with_unit(replace(here.units[name], cell=cell))
    log = game(replace(here, phase=f"{side}_movement", active=(side,)))
    log.drag(["cav-01" if side == "soviet" else "pz-6-3"], ["0818"])
    if is_over:
        log.show(replace(log.position, phase=f"{side}_combat"))
        log.show(replace(log.position, phase=f"{side}_combat", turn=2))
    else:
        log.drag(["hq-28"], ["0612"])
    texts = [v.text for entry in checked(log).violations for v in entry.violations]
    assert any("the cell 0818" in text for text in texts) is told


def test_who_was_dragged_right_across_the_map_is_told_where_he_may_stop() -> None:
    """Where he comes nearest to it he may only pass."""
    start = replace(engine.start(PLUGIN, "training"), phase="axis_movement", active=("axis",))
    log = game(start)
    log.drag(["pz-6-3"], ["2728"])
    (entry,) = checked(log).violations
    assert entry.right.startswith("pz-6-3 may go to ")
    assert entry.right.count(",") < 5
