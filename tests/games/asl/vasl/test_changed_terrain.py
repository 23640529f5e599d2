"""Scenarios' terrain in the names of boards, in saves of VASL, and in saves of ours."""

from __future__ import annotations

import pytest
from vasl_saves import Table, board, squad

from hexmarshal.errors import UsageError
from hexmarshal.games.asl.maps.changed_terrain import overlay_word
from hexmarshal.games.asl.maps.layout import map_in
from hexmarshal.games.asl.sight import Spot
from hexmarshal.games.asl.vasl.boards.board_command import board_command, read_board_command
from hexmarshal.games.asl.vasl.save_writer import board_choices
from hexmarshal.games.asl.vasl.table_reader import read_table
from hexmarshal.vassal.vasl.painting import Painting


@pytest.fixture
def folder(tmp_path):
    board(tmp_path / "boards")
    Painting(9, 6, "bdTwo").fill("Grain", "D3", "E4").write(tmp_path / "boards")
    return tmp_path / "boards"


def test_the_name_of_a_board_changes_its_terrain(folder):
    ends = Spot("B3"), Spot("G5")
    plain = map_in(folder, "bdTwo").sight.answer(*ends)
    assert plain.hindrance == 2
    for name in ("bdTwo@NoGrain", "bdTwo@nograin", "bdTwo@flip@NoGrain@A-I", "bdTwo@NoGrain@flip"):
        assert map_in(folder, name).sight.answer(*ends).hindrance == 0, name
    woods = map_in(folder, "bdTwo@GrainToWoods").sight.answer(*ends)
    assert woods.blocked


def test_on_a_map_one_board_may_be_changed_and_the_other_not(folder):
    sight = map_in(folder, "bdTwo@NoGrain+bdOne").sight
    assert sight.answer(Spot("bdTwo:B3"), Spot("bdTwo:G5")).hindrance == 0
    assert sight.answer(Spot("bdOne:C2"), Spot("bdOne:C4")).blocked


@pytest.mark.parametrize("word", ["Nonsense", "Winter", "ovr-wd1-A1", "SSO_1"])
def test_what_changes_no_board_is_refused(folder, word):
    with pytest.raises(UsageError, match=f"{word}' in no way"):
        map_in(folder, f"bdTwo@{word}")


def test_a_save_tells_what_it_applies_and_what_not(folder):
    overlays = "\tOVR\twd1\tD4\tD4"
    rules = "SSR\tNoGrain\tWinter\tNoHillNums\tSSO_9\t<img src=x>"
    table = Table(f"0\t0\tTwo\tVER\t1.0{overlays}\t{rules}")
    table.stack(500, 500, squad())
    read = read_table(table.state, folder)
    assert read.map.name == "bdTwo@NoGrain"
    told = "\n".join(read.notes)
    assert "Winter" in told
    assert "wd1 D4 D4 (the overlay file ovrWD is missing)" in told
    assert "SSO_9" in told
    assert "NoHillNums" not in told
    assert "NoGrain" not in told
    placed = read.map.placed[0]
    assert [what for what, _ in placed.terrain.left] == [
        "wd1 D4 D4",
        "Winter",
        "SSO_9",
        "<img src=x>",
    ]


def test_changes_of_a_map_are_written_for_vasl(folder):
    (choice,) = board_choices("bdTwo@A-H@flip@NoGrain@ovr-wd1-D4-D5@ovr-b2-C3-C3-flat", folder)
    assert choice.rules == ("NoGrain",)
    assert choice.overlays == (("wd1", "D4", "D5"), ("b2", "C3", "C3", "true"))
    assert choice.reversed
    assert read_board_command(board_command((choice,))) == (choice,)
    assert overlay_word(choice.overlays[1]) == "ovr-b2-C3-C3-flat"
    assert overlay_word(("wd1", "D4")) == ""
    assert overlay_word(("w@d", "D4", "D4")) == ""
