"""What the referee says about deeds of players, right and wrong, in the tutorial game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from crossroads_module import binding, module
from tutorial import Crossroads

from hexmarshal.referee.check.findings import Certainty, CheckReport, Entry, Status
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.samples.log_recorder import Recorder, record_log
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.saves.savegame import SavedGame

PLUGIN = Crossroads()
MAKE = PLUGIN.game.actions.make


def unit(id: str, cell: str, kind: str = "infantry", steps: int = 2) -> Unit:
    return Unit(id, kind, "blue" if id.startswith("b") else "red", cell, steps=steps)


def position(*units: Unit, phase: str = "move", side: str = "blue", turn: int = 1) -> Position:
    return replace(
        PLUGIN.blank(),
        scenario="meeting",
        options=FrozenMap({"deep_woods": False}),
        units=FrozenMap({u.id: u for u in units}),
        phase=phase,
        active=(side,),
        turn=turn,
    )


FIELD = (unit("b1", "B2"), unit("b2", "A5"), unit("r1", "D2"), unit("r2", "G5"))


def game(start: Position) -> Recorder:
    return Recorder(module(), binding(), PLUGIN, start)


def checked(log: Recorder) -> CheckReport:
    saved = SavedGame.from_archive(Archive.from_bytes(log.finish().to_bytes()))
    return check_file(saved, module(), binding(), PLUGIN)


def verdicts(report: CheckReport) -> list[tuple[str, str]]:
    return [(entry.kind, entry.status.value) for entry in report.entries]


def only(report: CheckReport) -> Entry:
    found = [entry for entry in report.entries if entry.status is not Status.LEGAL]
    assert len(found) == 1, verdicts(report)
    return found[0]


def gone(start: Position, *units: str) -> Position:
    return start.without_unit(*units)


@pytest.mark.parametrize("seed", range(8))
def test_a_game_played_by_the_rules_gives_no_alarm(seed: int) -> None:
    played = play_game(PLUGIN, f"clean {seed}", check_replay=False)
    report = check_file(
        record_log(module(), binding(), PLUGIN, played.record), module(), binding(), PLUGIN
    )
    assert {entry.status for entry in report.entries} == {Status.LEGAL}
    assert len(report.entries) == played.actions
    assert report.notes == ()
    assert report.position is not None
    assert report.position.turn > 1


# One violation each: what is done, the words that tell it.


def far(log: Recorder) -> None:
    log.drag(["b2"], ["A4", "A3", "A2", "A1"])


def into_others(log: Recorder) -> None:
    log.drag(["b1"], ["A2", "A3"])
    log.drag(["b2"], ["A4", "A3"])


def twice(log: Recorder) -> None:
    log.drag(["b2"], ["A4"])
    log.drag(["b1"], ["A2"])
    log.drag(["b2"], ["B3"])


def past_an_enemy(log: Recorder) -> None:
    log.drag(["b1"], ["C2", "C3"])


def by_a_jump(log: Recorder) -> None:
    log.drag(["b2"], ["G2"])


def not_his_turn(log: Recorder) -> None:
    log.drag(["r2"], ["G4"])


def attack_too_early(log: Recorder) -> None:
    log.announce(MAKE("attack", "blue", attackers=["b1"], target="r1"))


def skips_the_enemy(log: Recorder) -> None:
    log.show(replace(log.position, turn=2))


MOVES = [
    (far, "TUT-2", "the path costs 4"),
    (into_others, "TUT-2", "A3 is occupied"),
    (twice, "TUT-2", "it has moved"),
    (past_an_enemy, "TUT-2", "it must stop in C2"),
    (by_a_jump, "TUT-2", "the path costs"),
    (not_his_turn, "TUT-1", "not your turn: Blue may act"),
    (attack_too_early, "TUT-1", "belongs in Combat"),
    (skips_the_enemy, "TUT-1", "comes before that"),
]


@pytest.mark.parametrize(("deed", "rule", "words"), MOVES, ids=lambda v: getattr(v, "__name__", ""))
def test_a_wrong_deed_in_the_move_phase_is_found(
    deed: Callable[[Recorder], None], rule: str, words: str
) -> None:
    log = game(position(*FIELD))
    deed(log)
    found = only(checked(log))
    assert found.certainty is Certainty.CERTAIN
    assert rule in [violation.rule for violation in found.violations]
    assert any(words in violation.text for violation in found.violations)


def turns_back(*, after_a_deed: bool) -> CheckReport:
    log = game(position(*FIELD))
    before = log.position
    log.perform(MAKE("end_phase", "blue"))
    if after_a_deed:
        log.announce(MAKE("attack", "blue", attackers=["b2"], target="r1"))
    log.show(before)
    log.drag(["b2"], ["A4"])
    return checked(log)


def test_a_tracker_that_is_put_back_before_anything_was_done_went_on_by_mistake() -> None:
    report = turns_back(after_a_deed=False)
    assert not list(report.violations)
    assert [e.kind for e in report.entries if e.status is Status.LEGAL] == ["move"]


def test_a_tracker_that_is_put_back_after_a_deed_is_likely_wrong() -> None:
    report = turns_back(after_a_deed=True)
    told = [
        e for e in report.violations if any("comes before that" in v.text for v in e.violations)
    ]
    assert [e.certainty for e in told] == [Certainty.LIKELY]


def test_what_follows_a_refused_announcement_is_judged_by_the_table_before_it() -> None:
    log = game(position(*FIELD))
    attack_too_early(log)
    log.drag(["b2"], ["A4"])
    report = checked(log)
    assert [e.units for e in report.entries if e.status is Status.LEGAL] == [("b2",)]


def test_where_a_unit_may_go_is_told_only_to_those_whose_turn_it_is() -> None:
    log = game(position(*FIELD))
    far(log)
    cells = "A2, A3, A4, B3, C3 and more"
    assert only(checked(log)).right == f"b2 may go to {cells}; on this way as far as A2"
    log = game(position(*FIELD))
    not_his_turn(log)
    assert only(checked(log)).right == "r2 may not move now"


CLOSE = (unit("b1", "C2"), unit("b2", "D1"), unit("b3", "A1", "tank"), unit("r1", "D2"))


def attack(log: Recorder, die: int | None, *attackers: str, target: str = "r1") -> Position:
    """Announce and roll; what the rules make of it is not done on the table."""
    action = MAKE("attack", "blue", attackers=list(attackers or ("b1",)), target=target)
    log.announce(action)
    if die is None:
        return log.position
    log.roll(6, die, side="blue")
    if not engine.check(PLUGIN, log.position, action).legal:
        return log.position
    return engine.perform(PLUGIN, log.position, action, Dice(given=[die])).position


def from_afar(log: Recorder) -> None:
    attack(log, 3, "b3")


def with_one_from_afar(log: Recorder) -> None:
    attack(log, 3, "b1", "b3")


def on_his_own(log: Recorder) -> None:
    attack(log, 3, "b1", target="b2")


def listed_twice(log: Recorder) -> None:
    attack(log, 3, "b1", "b1")


def fights_again(log: Recorder) -> None:
    log.show(attack(log, 3))
    attack(log, 3)


def moves_now(log: Recorder) -> None:
    log.drag(["b3"], ["A2"])


def loss_forgotten(log: Recorder) -> None:
    attack(log, 6)
    attack(log, 3, "b2")


def own_loss_forgotten(log: Recorder) -> None:
    attack(log, 1)
    attack(log, 3, "b2")


def removed_instead(log: Recorder) -> None:
    log.show(gone(attack(log, 6), "r1"))


def wrong_unit_suffers(log: Recorder) -> None:
    after = attack(log, 6)
    hurt = replace(after.unit("b2"), steps=1)
    log.show(after.with_unit(hurt, replace(after.unit("r1"), steps=2)))


COMBATS = [
    (from_afar, "TUT-3", "b3 is not adjacent"),
    (on_his_own, "TUT-3", "does not attack its own"),
    (listed_twice, "TUT-3", "a unit attacks once"),
    (fights_again, "TUT-3", "b1 has attacked"),
    (moves_now, "TUT-1", "no movement in a combat phase"),
    (loss_forgotten, "TUT-3", "r1 has 1 step by the rules, and shows 2 steps"),
    (own_loss_forgotten, "TUT-3", "b1 has 1 step by the rules, and shows 2 steps"),
    (removed_instead, "TUT-3", "r1 is on D2 by the rules, and is gone"),
]


@pytest.mark.parametrize(
    ("deed", "rule", "words"), COMBATS, ids=lambda v: getattr(v, "__name__", "")
)
def test_a_wrong_deed_in_the_combat_phase_is_found(
    deed: Callable[[Recorder], None], rule: str, words: str
) -> None:
    log = game(position(*CLOSE, phase="combat"))
    deed(log)
    found = only(checked(log))
    assert found.certainty is Certainty.CERTAIN
    assert found.violations[0].rule == rule
    assert words in found.violations[0].text


@pytest.mark.parametrize(
    ("deed", "right"),
    [
        (on_his_own, "Attack by b1 at r1"),
        (from_afar, "no attack by b3; b1 or b2 may do it"),
        (with_one_from_afar, "Attack by b1 at r1"),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_what_could_have_been_announced_is_told(
    deed: Callable[[Recorder], None], right: str
) -> None:
    log = game(position(*CLOSE, phase="combat"))
    deed(log)
    assert only(checked(log)).right == right


def test_what_is_done_now_is_told_for_what_is_not() -> None:
    log = game(position(*CLOSE, phase="movement"))
    attack(log, 6)
    assert only(checked(log)).right == "the Move phase: movement, end of phase"


def test_what_a_log_ends_with_nobody_had_the_time_to_carry_out() -> None:
    log = game(position(*CLOSE, phase="combat"))
    attack(log, 6)
    assert not list(checked(log).violations)


def test_what_nobody_has_begun_to_carry_out_as_a_log_ends_is_likely() -> None:
    log = game(position(*CLOSE, phase="combat"))
    attack(log, 6)
    log.say("that was all", "blue")
    assert only(checked(log)).certainty is Certainty.LIKELY


@pytest.mark.parametrize("dragged", [False, True])
def test_a_move_that_a_log_ends_with_is_certain_once_it_is_made(dragged: bool) -> None:
    log = game(position(*FIELD))
    log.announce(MAKE("move", "blue", unit="b2", path=["B1", "C1", "D1", "E1"]))
    if dragged:
        log.drag(["b2"], ["B1", "C1", "D1", "E1"])
    assert (only(checked(log)).certainty is Certainty.CERTAIN) is dragged


def test_a_wrong_result_says_what_was_right() -> None:
    log = game(position(*CLOSE, phase="combat"))
    loss_forgotten(log)
    found = only(checked(log))
    assert (found.right, found.dice, found.result) == ("D1; r1 has 1 step", (6,), "D1")


def test_a_loss_of_the_wrong_unit_is_two_findings() -> None:
    log = game(position(*CLOSE, phase="combat"))
    wrong_unit_suffers(log)
    report = checked(log)
    assert [(e.kind, e.certainty.value) for e in report.violations] == [
        ("attack", "certain"),
        ("change", "likely"),
    ]


def test_a_change_that_nothing_asks_for_is_likely_wrong() -> None:
    log = game(position(*FIELD))
    log.show(gone(log.position, "r1"))
    found = only(checked(log))
    assert found.certainty is Certainty.LIKELY
    assert found.violations[0].rule == "HM-table"
    assert found.what == "r1 is on D2 by the rules, and is gone"


def test_two_units_in_a_hex_at_the_start_are_found() -> None:
    log = game(position(*FIELD, unit("b3", "A5", "tank")))
    log.say("good luck", "blue")
    found = only(checked(log))
    assert (found.first, found.violations[0].rule) == (0, "TUT-2")


def test_the_game_goes_on_from_what_was_really_done() -> None:
    log = game(position(*FIELD))
    log.drag(["b2"], ["A4", "A3", "A2", "A1"])
    log.drag(["b1"], ["C2"])
    log.show(replace(log.position, phase="combat"))
    report = checked(log)
    assert [e.status.value for e in report.entries] == ["violation", "legal", "legal"]
    assert report.position is not None
    assert report.position.unit("b2").cell == "A1"
    assert report.position.phase == "combat"


def test_a_legal_way_is_found_for_a_piece_dropped_far_away() -> None:
    log = game(position(*FIELD))
    log.drag(["b2"], ["A2"])
    (entry,) = checked(log).entries
    assert entry.status is Status.LEGAL


def test_a_hidden_unit_that_stops_a_march_gives_no_alarm() -> None:
    scout = replace(unit("r3", "C4", "scout", 1), seen_by=frozenset({"red"}))
    log = game(position(unit("b2", "A4"), scout))
    log.perform(MAKE("move", "blue", unit="b2", path=["B3", "B2"]))
    report = checked(log)
    assert verdicts(report) == [("move", "legal")]
    assert report.position is not None
    assert report.position.unit("b2").cell == "B3"
    assert report.position.unit("r3").seen_by is None


# Take-backs


def test_an_undone_deed_does_not_count() -> None:
    log = game(position(*FIELD))
    log.drag(["b2"], ["A4", "A3", "A2", "A1"])
    for _ in range(4):
        log.undo()
    log.drag(["b2"], ["A4"])
    report = checked(log)
    assert verdicts(report) == [("move", "legal")]
    assert report.undone == 4


def test_an_undone_attack_stays_in_the_list_as_taken_back() -> None:
    log = game(position(*CLOSE, phase="combat"))
    log.announce(MAKE("attack", "blue", attackers=["b3"], target="r1"))
    log.undo()
    attack(log, 3)
    assert verdicts(checked(log)) == [("attack", "taken back"), ("attack", "legal")]


def test_a_piece_put_back_has_not_moved() -> None:
    log = game(position(*FIELD))
    log.drag(["b2"], ["A4", "A5"])
    log.drag(["b2"], ["A4", "A3"])
    report = checked(log)
    assert verdicts(report) == [("move", "legal")]
    assert report.entries[0].path == ("A4", "A3")


def test_a_piece_put_back_later_takes_its_move_back() -> None:
    log = game(position(*FIELD))
    log.drag(["b2"], ["A4"])
    log.say("[attack] b1 -> r1", "blue")
    log.undo()
    log.drag(["b2"], ["A5"])
    log.drag(["b2"], ["B4"])
    assert verdicts(checked(log)) == [("attack", "taken back"), ("move", "legal")]


def test_a_step_back_along_the_way_is_a_correction() -> None:
    log = game(position(*FIELD))
    log.drag(["b2"], ["A4", "A3", "A4", "B3"])
    (entry,) = checked(log).entries
    assert entry.path == ("A4", "B3")


# What cannot be told


def test_an_attack_without_dice_cannot_be_judged() -> None:
    log = game(position(*CLOSE, phase="combat"))
    attack(log, None)
    log.show(log.position.with_unit(unit("r1", "D2", steps=1)))
    found = only(checked(log))
    assert (found.status, found.certainty) == (Status.UNKNOWN, Certainty.CANNOT_TELL)
    assert "no dice" in found.result


def test_a_roll_that_no_action_asks_for_is_told() -> None:
    log = game(position(*CLOSE, phase="combat"))
    log.show(attack(log, 3))
    log.roll(6, 6, side="blue")
    found = only(checked(log))
    assert (found.kind, found.dice, found.status) == ("roll", (6,), Status.UNKNOWN)


def test_an_announcement_that_cannot_be_read_is_told_with_a_hint() -> None:
    log = game(position(*CLOSE, phase="combat"))
    log.say("[attack] b1 b2", "blue")
    log.say("[attack] b9 -> r1", "blue")
    log.say("good luck [all]", "blue")
    report = checked(log)
    assert [(e.status.value, e.result) for e in report.entries] == [
        ("unknown", "not how attack is announced: behind [attack] goes attackers -> target"),
        ("unknown", "no unit 'b9'"),
    ]
    assert report.entries[0].hint


def test_dice_in_another_language_are_told_with_the_step() -> None:
    log = game(position(*CLOSE, phase="combat"))
    attack(log, None)
    with log.log.step() as step:
        step.report("** Würfelwurf: 4 ***")
    report = checked(log)
    (note,) = report.notes
    assert (note.step, note.note.code) == (2, "dice")
    assert "dice in the binding" in note.note.hint
    assert report.entries[0].status is Status.UNKNOWN


def test_a_summary_counts_by_player_and_by_rule() -> None:
    log = game(position(*FIELD))
    far(log)
    report = checked(log)
    assert report.by_rule() == {"TUT-2": 1}
    assert report.by_player() == {"Blue player": {"violation": 1}}
    assert report.certain == 1


def test_a_move_that_was_judged_is_taken_back_by_putting_the_piece_back() -> None:
    log = game(position(*FIELD))
    log.drag(["b2"], ["A4"])
    log.drag(["b1"], ["A2", "B2"])
    log.drag(["b2"], ["A5"])
    log.drag(["b2"], ["B4"])
    assert verdicts(checked(log)) == [("move", "taken back"), ("move", "legal")]
