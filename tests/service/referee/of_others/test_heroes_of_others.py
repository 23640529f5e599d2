"""A stranger's module of Conflict of Heroes: other numbers, hits as layers, no tracker."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("resvg_py")

import stranger_heroes
from game_table import again
from stranger_heroes import BINDING, PLUGIN, binding, bound, checked, module

from hexmarshal.errors import RulesError
from hexmarshal.referee.check.findings import CheckReport, Status
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.samples.log_recorder import Recorder, record_log
from hexmarshal.rules import engine
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.table.binding import Binding
from hexmarshal.table.binding.coverage import coverage
from hexmarshal.table.placing import write_save
from hexmarshal.table.placing.piece_states import show
from hexmarshal.table.reading import TableReader
from hexmarshal.vassal.state.at_start import new_game
from hexmarshal.vassal.state.placed import PlacedPiece

START = engine.start(PLUGIN, "first_steps")
SAME = 'same: {"0101": 1-A01, "1501": 1-A15, "0108": 1-H01}'


def log() -> Recorder:
    return Recorder(module(), binding(), PLUGIN, START)


def read(text: str) -> TableReader:
    return TableReader(module(), bound(text), PLUGIN, new_game(module()))


def test_three_cells_tell_how_a_grid_is_numbered() -> None:
    table = read(BINDING)
    names = table.binding.map.table
    assert len(names) == len(set(names.values())) == len(PLUGIN.boards["1"].map.names)
    assert (names["1304"], names["0808"]) == ("1-D13", "1-H08")
    assert table.binding.map.location("1-D13") == "1304"
    assert table.binding.map.cell("Ablage") == ""


def test_units_lie_where_the_grid_has_their_cells_and_are_read_there() -> None:
    saved, _ = write_save(module(), binding(), PLUGIN, START)
    state = saved.state()
    table = TableReader(module(), binding(), PLUGIN, state)
    seen = table.units(state)
    assert seen["g1"].where.location == "1304"
    assert {unit: one.where.cell for unit, one in seen.items()} == {
        unit.id: unit.cell for unit in START.units.values()
    }


@pytest.mark.parametrize(
    ("same", "field", "text"),
    [
        ('{"0101": 1-A01, "0102": 1-B01, "0103": 1-C01}', "map.same", "in one line"),
        ('{"0101": 1-A01, "1501": 1-A15, "9908": 1-H01}', "map.same.9908", "no location '9908'"),
        ('{"0101": 1-A01, "1501": 1-A15, "0108": 1-Z01}', "map.same.0108", "1-Z01"),
        (
            '{"0101": 1-A01, "1501": 1-A15, "0108": 1-H01, "0804": 1-D12}',
            "map.same.",
            "does not lie where",
        ),
    ],
)
def test_cells_that_cannot_be_the_same_are_told(same: str, field: str, text: str) -> None:
    with pytest.raises(RulesError, match=text) as caught:
        read(BINDING.replace(SAME, f"same: {same}"))
    assert (caught.value.place.field or "").startswith(field)
    assert "three cells" in caught.value.hint


def test_the_binding_covers_the_module() -> None:
    found = coverage(module(), binding(), PLUGIN)
    assert (found.units, found.markers) == (len(stranger_heroes.NAMES), 1)
    assert (found.unknown, found.problems) == ((), ())


def test_without_a_tracker_the_action_that_ends_a_phase_must_be_named() -> None:
    without = coverage(module(), bound(BINDING.replace("advance: pass\n", "")), PLUGIN)
    assert ["advance: no tracker" in text for text in without.problems] == [True]
    wrong = coverage(module(), bound(BINDING.replace("advance: pass", "advance: rest")), PLUGIN)
    assert wrong.problems == ("advance: the game has no action 'rest'",)


def test_a_turn_is_prepared_in_silence_where_no_tracker_shows_it() -> None:
    played = log()
    played.drag(["g3"], ["1-F11"])
    played.drag(["s3"], ["1-E07"])
    played.drag(["g3"], ["1-F10"])
    report = checked(played.finish())
    assert not list(report.violations)
    said = [entry.what for entry in report.entries if entry.what.startswith("in silence")]
    assert said[:4] == [
        "in silence: [german: begin_turn]",
        "in silence: [soviet: bid] 0",
        "in silence: [german: bid] 0",
        "in silence: [german: activate] g3",
    ]


def test_the_other_side_passes_in_silence_and_a_drag_across_the_board_is_likely_wrong() -> None:
    played = log()
    played.drag(["g3"], ["1-F11"])
    played.say("and on", "german")
    played.drag(["g3"], ["1-F10"])
    played.say("off he goes", "german")
    played.drag(["g1"], ["1-H04"])
    played.drag(["g2"], ["1-E12"])
    report = checked(played.finish())
    wrong = [entry for entry in report.entries if entry.status is Status.VIOLATION]
    assert [(entry.units, entry.certainty) for entry in wrong] == [(("g1",), "likely")]
    assert {v.rule for v in wrong[0].violations} >= {"COH-5.0c"}


# Hits that the unit's own counter shows


def hit(played: Recorder, unit: str, level: int) -> None:
    """Turn the layer of hits on a unit's counter."""
    with played.log.step() as step:
        table = TableReader(module(), binding(), PLUGIN, step.state)
        piece = step.state.find(table.units(step.state)[unit].piece)
        assert isinstance(piece, PlacedPiece)
        shown = show(piece.piece, "Treffer_Level", str(level), lambda _: "")
        assert shown is not None
        step.change(piece.id, shown.state_text)


def test_a_hit_on_the_counter_itself_goes_onto_the_table_and_comes_back() -> None:
    pinned = Marker("hit-g3", "foot-pinned", "german", unit="g3")
    position = replace(START, markers=START.markers.set("hit-g3", pinned))
    saved, notes = write_save(module(), binding(), PLUGIN, position)
    assert not [note for note in notes if "marker" in note.text]
    state = saved.state()
    read = TableReader(module(), binding(), PLUGIN, state).read(state, START).position
    assert read.markers == position.markers


def test_a_hit_that_no_layer_shows_is_told() -> None:
    stunned = Marker("hit-g3", "vehicle-light", "german", unit="g3")
    position = replace(START, markers=START.markers.set("hit-g3", stunned))
    _, notes = write_save(module(), binding(), PLUGIN, position)
    assert "nothing on g3 shows the marker hit-g3" in [note.text for note in notes]


def fought() -> Recorder:
    played = log()
    played.drag(["g3"], ["1-F11"])
    played.say("[soviet: pass]", "soviet")
    played.drag(["g3"], ["1-F10"])
    played.say("[soviet: pass]", "soviet")
    played.say("[fire] g3 -> 1-E09", "german")
    played.roll(6, 6, 6, side="german")
    return played


def test_a_hit_turned_on_the_counter_is_the_result_of_the_shot() -> None:
    played = fought()
    hit(played, "s5", 2)
    played.say("[soviet: pass]", "soviet")
    played.drag(["g3"], ["1-F11"])
    report = checked(played.finish())
    assert not list(report.violations)


def test_a_hit_on_the_counter_that_nothing_asks_for_is_told() -> None:
    played = fought()
    hit(played, "s5", 2)
    hit(played, "s1", 3)
    played.say("[soviet: pass]", "soviet")
    played.drag(["g3"], ["1-F11"])
    report = checked(played.finish())
    (wrong,) = report.violations
    assert "s1 has no Pinned marker" in wrong.what + str(wrong.violations)


# Hits of which the binding knows some alone


def some(*levels: int) -> Binding:
    """The binding with these levels of the layer of hits, and no others."""
    found = [
        stranger_heroes.HIT.format(level=level, kind=kind)
        for level, kind in enumerate(stranger_heroes.HITS, 2)
        if level in levels
    ]
    return bound(stranger_heroes.TEMPLATE.replace("HITS\n", "".join(found)))


def shot_at(shown: int, *, then: str = "pass") -> Recorder:
    played = fought()
    if shown:
        hit(played, "s5", shown)
    if then == "pass":
        played.say("[soviet: pass]", "soviet")
        played.drag(["g3"], ["1-F11"])
    else:
        played.say("[soviet: activate] s5", "soviet")
        played.say("[fire] s5 -> 1-F10", "soviet")
        played.roll(6, 3, 2, side="soviet")
    return played


def judged(played: Recorder, by: Binding) -> CheckReport:
    return check_file(again(played.finish()), module(), by, PLUGIN, scenario="first_steps")


@pytest.mark.parametrize("shown", [0, 2, 3, 4, 9])
def test_a_hit_of_a_kind_that_nothing_shows_is_no_fault(shown: int) -> None:
    assert not list(judged(shot_at(shown), some(2, 3)).violations)


def test_where_all_kinds_are_shown_a_hit_that_is_not_there_is_told() -> None:
    (wrong,) = judged(shot_at(0), binding()).violations
    assert "COH-7.0b" in {violation.rule for violation in wrong.violations}


def test_what_nobody_saw_drawn_forbids_nothing_for_sure() -> None:
    report = judged(shot_at(4, then="fire"), some(2, 3))
    assert not list(report.violations)
    (shot,) = (e for e in report.entries if e.kind == "fire" and e.side == "soviet")
    assert (shot.status, shot.dice) == (Status.UNKNOWN, (3, 2))
    assert shot.hint == "nothing on the table shows what was drawn for s5"
    (wrong,) = judged(shot_at(4, then="fire"), binding()).violations
    assert "COH-7.5M4" in {violation.rule for violation in wrong.violations}


# Whole games, written for the module


@pytest.mark.parametrize("seed", ["a", "f"])
def test_a_game_is_written_with_its_hits_and_without_its_cards(seed: str) -> None:
    game = play_game(PLUGIN, seed, scenario="first_steps", max_actions=70, check_replay=False)
    kinds = {event.action["kind"] for event in game.record.events}
    assert "fire" in kinds
    saved = record_log(module(), binding(), PLUGIN, game.record)
    assert not list(checked(saved).violations)


def test_a_hit_goes_onto_the_counter_in_a_log_and_off_it_again() -> None:
    played = log()
    pinned = Marker("hit-g3", "foot-pinned", "german", unit="g3")

    def shown() -> list[str]:
        state = played.log.state
        return [
            one.kind
            for one in TableReader(module(), binding(), PLUGIN, state).units(state)["g3"].worn
        ]

    played.show(replace(START, markers=START.markers.set("hit-g3", pinned)))
    assert shown() == ["foot-pinned"]
    other = replace(pinned, kind="foot-stunned")
    played.show(replace(START, markers=START.markers.set("hit-g3", other)))
    assert shown() == ["foot-stunned"]
    played.show(START)
    assert shown() == []
