"""Scenarios, set-ups, bad input and pictures of the firefight."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

from hexmarshal.errors import RulesError
from hexmarshal.games.asl.commands.app import app
from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.rules import engine
from hexmarshal.rules.showing.map_picture import map_picture
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit, apply_effects
from hexmarshal.rules.state.validate import problems
from hexmarshal.rules.values import FrozenMap


@pytest.fixture(scope="module")
def asl() -> AdvancedSquadLeader:
    return AdvancedSquadLeader()


@pytest.mark.parametrize("key", ["meeting", "hill"])
def test_a_card_is_set_up_as_it_says(asl, key):
    """ASL-DEF-5, ASL-STACK-1."""
    position = engine.start(asl, key, None, "1")
    assert list(asl.setup_violations(position)) == []
    assert not problems(asl, position)
    card = json.loads(json.dumps(asl.cards[key].data))
    squads = {
        side: sum(
            asl.tables.counters[row["counter"]].kind == "squad"
            for group in card["sides"][side]["groups"]
            for row in group["units"].values()
        )
        for side in ("attacker", "defender")
    }
    assert all(6 <= count <= 10 for count in squads.values())
    assert card["turns"] == 6


def test_a_unit_outside_its_area_and_a_stack_too_high_are_told(asl):
    """ASL-STACK-1, ASL-LIMIT-1, ASL-DEF-5."""
    position = engine.start(asl, "meeting", None, "1")
    moved = [MoveUnit(name, "H4") for name in ("g1", "g2", "g3", "g4")]
    found = list(asl.setup_violations(apply_effects(position, moved)))
    # The sniper of the other side is where it was, and no longer near enough to all of them.
    assert {fault.rule for fault in found} == {"ASL-STACK-1", "ASL-DEF-5", "ASL-SAN-1"}
    assert {fault.field for fault in found if fault.rule == "ASL-DEF-5"} == {
        f"units.{name}.cell" for name in ("g1", "g2", "g3", "g4")
    }


def test_a_counter_that_no_table_has_is_refused_by_its_line(tmp_path, monkeypatch):
    card = (AdvancedSquadLeader().data.data.folder / "scenarios/meeting.yaml").read_text("utf-8")
    (tmp_path / "scenarios").mkdir()
    wrong = card.replace("counter: german_mmg", "counter: german_mng")
    (tmp_path / "scenarios" / "meeting.yaml").write_text(wrong, "utf-8")
    monkeypatch.setenv("HEXMARSHAL_ASL_DATA", str(tmp_path))
    with pytest.raises(RulesError, match="no table has the counter 'german_mng'") as told:
        engine.start(AdvancedSquadLeader(), "meeting", None, "1")
    assert told.value.place.line
    assert "german_mmg" in told.value.hint


def test_a_board_that_is_missing_is_named(asl, monkeypatch):
    monkeypatch.delenv("HEXMARSHAL_ASL_BOARDS", raising=False)
    with pytest.raises(RulesError, match="no boards here"):
        engine.start(AdvancedSquadLeader(), "table", {"map": "bd01"})


def test_a_weapon_held_by_the_enemy_is_refused_by_its_field(asl):
    position = engine.start(asl, "meeting", None, "1")
    stolen = ChangeUnit("gm1", bonds=FrozenMap({"possesses": ("r1",)}))
    found = problems(asl, apply_effects(position, [stolen]))
    assert [fault.field for fault in found] == ["units.gm1.bonds.possesses"]


def test_boards_of_ours_are_joined_like_others(asl):
    position = engine.start(asl, "table", {"map": "village+hill@flip"})
    assert asl.has_cell(position, "village:C5")
    assert asl.has_cell(position, "hill:J4")


def test_lists_are_bounded_and_choices_go_step_by_step(asl):
    """A list shows groups of one location, `next` one member at a time."""
    position = engine.start(asl, "hill", None, "1")
    for _ in range(2):
        side = position.active[0]
        action = asl.game.actions.make("end_phase", side)
        position = engine.perform(asl, position, action).position
    assert position.phase == "prep_fire"
    assert sum(1 for _ in engine.offers(asl, position, position.active[0])) < 2000


RUN = CliRunner()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["meeting"], "meeting, turn 1"),
        (["hill", "--at", "H9", "--firers", "gm1,g1", "--leaders", "gl1"], "leadership -1"),
    ],
)
def test_pictures_are_drawn(tmp_path, words, told):
    out = tmp_path / "picture.svg"
    done = RUN.invoke(app, ["draw", *words, "-o", str(out)])
    assert done.exit_code == 0, done.output
    picture = out.read_text("utf-8")
    ET.fromstring(picture)
    assert told in picture


def test_the_ways_of_a_rout_are_drawn_with_their_reasons(asl, tmp_path):
    position = engine.start(asl, "hill", None, "1")
    broken = ChangeUnit("r5", flags=frozenset({"broken", "dm"}))
    (tmp_path / "position.json").write_text(
        json.dumps(apply_effects(position, [broken]).to_json()), "utf-8"
    )
    out = tmp_path / "rout.svg"
    done = RUN.invoke(
        app, ["draw", str(tmp_path / "position.json"), "-o", str(out), "--rout", "r5"]
    )
    assert done.exit_code == 0, done.output
    assert "the nearest shelter" in out.read_text("utf-8")


@pytest.mark.parametrize("board", ["hill", "village+proving@flip"])
def test_the_map_of_every_picture_has_the_hexes_of_the_board(asl, board):
    position = engine.start(asl, "table", {"map": board})
    terrain = asl.terrain_map(position)
    for name in asl.cells(position):
        near = {terrain.name(cell) for cell in terrain.neighbours(terrain.cell(name))}
        assert near == set(asl.neighbours(position, name))


def test_a_scenario_is_shown_as_a_picture(asl):
    picture = map_picture(asl, engine.start(asl, "hill", None, "1")).svg()
    for word in ("woods", "wooden building", "gm1", "H9 r3, r4"):
        assert word in picture
