"""A saved set-up beside its scenario: stacking, terrain, set-up areas and the order of battle."""

from __future__ import annotations

from dataclasses import replace

import kharkov_table as kharkov
from crossroads_module import binding, module
from tutorial import Crossroads

from hexmarshal.referee.check.findings import Certainty, CheckReport, Entry
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.rules import engine
from hexmarshal.rules.plugin import Offer
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.table.placing import write_save
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.saves.savegame import SavedGame

PLUGIN = Crossroads()
START = engine.start(PLUGIN, "meeting")
TRAINING = engine.start(kharkov.PLUGIN, "training")


def checked(position: Position, scenario: str = "meeting") -> CheckReport:
    saved, _ = write_save(module(), binding(), PLUGIN, position)
    return check_file(saved, module(), binding(), PLUGIN, scenario=scenario)


def checked_kharkov(position: Position, **options: object) -> CheckReport:
    saved, _ = write_save(kharkov.module(), kharkov.binding(), kharkov.PLUGIN, position)
    return check_file(
        saved,
        kharkov.module(),
        kharkov.binding(),
        kharkov.PLUGIN,
        scenario=position.scenario,
        options=options,
    )


def told(report: CheckReport) -> list[tuple[str, str]]:
    certain = (entry for entry in report.violations if entry.is_certain_violation)
    return [(v.rule, v.text) for entry in certain for v in entry.violations]


def only(report: CheckReport) -> Entry:
    (entry,) = report.violations
    return entry


def test_a_set_up_as_the_scenario_says_is_right() -> None:
    assert checked(START).entries == ()
    assert checked_kharkov(TRAINING).entries == ()


def test_the_module_s_own_set_ups_are_right() -> None:
    own = [entry for entry in kharkov.module().entries() if entry.endswith(".vsav")]
    assert own
    for entry in own:
        saved = SavedGame.from_archive(Archive.from_bytes(kharkov.module().read(entry)))
        report = check_file(saved, kharkov.module(), kharkov.binding(), kharkov.PLUGIN)
        assert report.entries == ()
        assert {note.note.code for note in report.notes} <= {"scenario"}


def test_units_of_both_sides_in_one_hex_are_found() -> None:
    red = START.unit("r1")
    report = checked(START.with_unit(replace(START.unit("b1"), cell=red.cell)))
    assert "TUT-2" in [rule for rule, _ in told(report)]


def test_too_many_units_in_a_hex_are_found() -> None:
    cell = TRAINING.unit("rif-01").cell
    crowd = (TRAINING.unit(f"rif-0{n}") for n in range(2, 6))
    report = checked_kharkov(TRAINING.with_unit(*(replace(u, cell=cell) for u in crowd)))
    assert ("KHA-8.1", f"more than 3 combat units in {cell}") in told(report)


def test_too_many_units_of_the_side_that_is_not_on_turn_are_found() -> None:
    axis = [unit for unit in TRAINING.of_side("axis") if unit.cell][:5]
    crowd = (replace(unit, cell=axis[0].cell) for unit in axis)
    rules = [rule for rule, _ in told(checked_kharkov(TRAINING.with_unit(*crowd)))]
    assert "KHA-8.1" in rules


def test_too_many_units_in_a_game_under_way_are_likely_wrong() -> None:
    cell = TRAINING.unit("rif-01").cell
    crowd = (TRAINING.unit(f"rif-0{n}") for n in range(2, 6))
    later = replace(TRAINING, turn=3).with_unit(*(replace(u, cell=cell) for u in crowd))
    entry = only(checked_kharkov(later))
    assert (entry.kind, entry.certainty) == ("position", Certainty.LIKELY)


def test_a_unit_where_the_rules_have_no_cell_is_found() -> None:
    report = checked(START.with_unit(replace(START.unit("b1"), cell="H1")))
    assert any(rule == "HM-position" and "H1" in text for rule, text in told(report))


def test_a_unit_that_stands_elsewhere_is_found_with_its_place() -> None:
    entry = only(checked(START.with_unit(replace(START.unit("b1"), cell="D1"))))
    assert (entry.violations[0].rule, entry.violations[0].text) == (
        "HM-setup",
        f"b1 starts in {START.unit('b1').cell}, and is in D1",
    )
    assert entry.right == f"b1 in {START.unit('b1').cell}"


def test_a_unit_that_is_missing_is_found() -> None:
    entry = only(checked(START.without_unit("r2")))
    assert entry.violations[0].text == "Red lacks 1 of 2 Infantry: r2"
    assert entry.right == f"r2 in {START.unit('r2').cell}"


def test_a_unit_too_many_is_found() -> None:
    entry = only(checked(START.with_unit(Unit("b5", "tank", "blue", "D1", steps=2))))
    assert entry.violations[0].text == "Blue has 1 more of Tanks than the 1 of the scenario: b5"


def test_a_counter_laid_out_twice_is_found() -> None:
    saved, _ = write_save(module(), binding(), PLUGIN, START)
    state = saved.state()
    piece = next(p for p in state.pieces.values() if p.name == "infantry b1")
    state.table.add(replace(piece, id=state.table.new_id()))
    again = SavedGame.from_state(state)
    report = check_file(again, module(), binding(), PLUGIN, scenario="meeting")
    assert ("HM-setup", "two pieces are b1; the first counts") in told(report)


def free(position: Position) -> Offer:
    return next(
        offer
        for offer in engine.offers(kharkov.PLUGIN, position, "axis")
        if offer.action.kind == "deploy"
    )


def deployed(count: int) -> Position:
    """The first units set up as the rules let the players do it."""
    position = engine.start(kharkov.PLUGIN, "training", {"free_setup": True})
    for _ in range(count):
        position = engine.perform(kharkov.PLUGIN, position, free(position).action).position
    return position


def test_units_in_their_set_up_area_are_right() -> None:
    report = checked_kharkov(deployed(3), free_setup=True)
    assert [entry for entry in report.violations if "KHA-5" in str(entry.violations)] == []


def test_a_unit_outside_its_set_up_area_is_found() -> None:
    position = deployed(1)
    (unit,) = (unit for unit in position.of_side("axis") if unit.cell)
    report = checked_kharkov(position.with_unit(replace(unit, cell="0101")), free_setup=True)
    (found,) = (entry for entry in report.violations if unit.id in entry.units)
    assert found.kind == "set-up"
    assert found.violations[0].rule.startswith("KHA-5")


def test_a_save_whose_scenario_cannot_be_told_is_checked_as_far_as_it_goes() -> None:
    stranger = START.with_unit(Unit("b5", "tank", "blue", START.unit("b1").cell, steps=2))
    saved, _ = write_save(module(), binding(), PLUGIN, stranger)
    bare = SavedGame.from_state(saved.state())
    report = check_file(bare, module(), binding(), PLUGIN)
    assert any(v.rule == "TUT-2" for entry in report.violations for v in entry.violations)


def test_where_a_game_has_rules_about_set_ups_another_place_is_only_likely_wrong() -> None:
    entry = only(checked_kharkov(TRAINING.with_unit(replace(TRAINING.unit("rif-01"), cell="0311"))))
    assert entry.certainty is Certainty.LIKELY
    assert entry.violations[0].text == "rif-01 starts in 0313, and is in 0311"


def test_a_table_with_losses_is_a_game_under_way_whatever_its_tracker_shows() -> None:
    hurt = replace(TRAINING.unit("inf-297"), steps=2)
    dead = replace(TRAINING.unit("inf-79"), cell="", box="eliminated")
    assert told(checked_kharkov(TRAINING.with_unit(hurt)))
    report = checked_kharkov(TRAINING.with_unit(hurt, dead))
    assert not list(report.violations)
    (note,) = (one.note.text for one in report.notes if one.note.code == "start")
    there, _, taken = note.partition(": ")
    assert there == "inf-79 lies in Eliminated units"
    assert taken == "taken for a game under way, and not for a set-up"
