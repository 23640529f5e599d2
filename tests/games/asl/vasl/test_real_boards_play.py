"""Random games on boards that VASL uses, joined, turned over and cropped."""

from __future__ import annotations

import pytest

from hexmarshal.errors import RulesError
from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.games.asl.sight.view import Spot
from hexmarshal.rules import engine
from hexmarshal.rules.playing.selfplay import play_game

CARD = """
title: On boards of others
doc: Two platoons, two turns.
boards: {boards}
turns: 2
victory: {{text: Whoever holds the hex., side: attacker, control: 1, hexes: ['{goal}']}}
sides:
  attacker:
    nation: german
    groups:
      - title: near the joint
        units:
          g1: {{counter: german_4-6-7, hex: '{west}'}}
          g2: {{counter: german_4-6-7, hex: '{west}'}}
          gl: {{counter: leader_8-1, hex: '{west}'}}
          gm: {{counter: german_mmg, of: g1}}
  defender:
    nation: russian
    groups:
      - title: beyond it
        units:
          r1: {{counter: russian_4-4-7, hex: '{east}'}}
          r2: {{counter: russian_4-4-7, hex: '{goal}'}}
          rl: {{counter: leader_8-0, hex: '{goal}'}}
"""
MAPS = [
    ("bd01@A-P+bd02@flip", "bd01:N5", "bd02:CC5", "bd02:BB6"),
    ("bd04@1-6+bd08", "bd04:EE3", "bd08:C4", "bd08:D5"),
    ("bd12/bd46@flip", "bd12:F9", "bd46:BB8", "bd46:AA8"),
]


@pytest.mark.parametrize(("boards", "west", "east", "goal"), MAPS)
def test_a_random_game_on_boards_of_vasl(
    boards, west, east, goal, corpus, tmp_path, monkeypatch
):  # ASL-MOVE-4 ASL-DF-1
    (tmp_path / "scenarios").mkdir()
    card = CARD.format(boards=f"'{boards}'", west=west, east=east, goal=goal)
    (tmp_path / "scenarios" / "joined.yaml").write_text(card, "utf-8")
    monkeypatch.setenv("HEXMARSHAL_ASL_DATA", str(tmp_path))
    asl = AdvancedSquadLeader(corpus / "vasl-boards")
    played = play_game(asl, "3", scenario="joined")
    assert played.findings == []
    assert played.actions > 40
    begun = engine.start(asl, "joined", None, "3")
    there = {unit.cell.split(":")[0] for unit in begun.units.values() if unit.cell}
    assert there == {west.split(":")[0], east.split(":")[0]}


def test_gullies_that_do_not_join_give_no_point_blank_fire(corpus):
    """ASL-PBF-1: the book's example, on board 12."""
    asl = AdvancedSquadLeader(corpus / "vasl-boards")
    line = asl.atlas.sight("bd12").answer(Spot("AA5"), Spot("BB4"))
    assert (line.range, line.blocked) == (1, True)


def test_a_board_that_is_missing_tells_its_file(tmp_path):
    with pytest.raises(RulesError) as told:
        engine.start(AdvancedSquadLeader(tmp_path), "table", {"map": "bd77"})
    assert told.value.message == "there is no board bd77"
    assert "a file named bd77" in told.value.hint
    assert str(tmp_path) not in f"{told.value.message} {told.value.hint}"
