"""The front door: every name is there, nothing is loaded before it is used, games are kept."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tutorial import Crossroads

from hexmarshal import api
from hexmarshal.errors import RulesError


def test_every_name_leads_to_what_the_table_says():
    for name in api.__all__:
        assert getattr(api, name) is not None
    assert sorted(api._WHERE) == sorted(api.__all__)
    with pytest.raises(AttributeError, match="has no 'Bored'"):
        _ = api.Bored


def test_a_script_that_plays_waits_for_no_server_and_no_picture():
    code = (
        "import sys; from hexmarshal import api; api.Action; "
        "print([m for m in ('grpc', 'lxml', 'shapely', 'typer') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_is_done_can_be_taken_back_and_is_in_the_record(tmp_path):
    game = api.play(Crossroads(), seed=3)
    start = game.position
    action = next(iter(game.legal))
    assert action in game.legal
    assert game.line(action) in game.legal
    game.do(action)
    assert game.position != start
    assert [event.digest for event in game.record.events] == [game.position.digest]
    game.undo()
    game.undo()
    assert game.position == start
    assert not game.record.events


def test_a_game_is_saved_and_replayed(tmp_path):
    game = api.play("kharkov", "training", seed=3)
    for _ in range(5):
        game.do(next(a for a in game.legal if a.kind != "resign"))
    game.save(tmp_path / "game.jsonl")
    again = api.Playthrough.load(tmp_path / "game.jsonl")
    assert again.position == game.position
    assert again.record == game.record
    broken = (tmp_path / "game.jsonl").read_text().replace('"dice"', '"dies"')
    (tmp_path / "broken.jsonl").write_text(broken.replace("training", "trainings"))
    with pytest.raises(api.HexMarshalError):
        api.Playthrough.load(tmp_path / "broken.jsonl")


def test_an_illegal_action_changes_nothing():
    game = api.play("kharkov", "training", seed=3)
    before = game.position
    with pytest.raises(api.IllegalActionError) as refused:
        game.do("axis: end_phase")
    assert refused.value.verdict.rules
    assert game.position is before
    assert api.Action("end_phase", "axis") not in game.legal
    assert list(game.legal_for("axis")) == []
    with pytest.raises(RulesError):
        _ = "axis: fly" in game.legal


def test_a_playthrough_shows_itself():
    game = api.play("kharkov", "training", seed=3)
    assert repr(game).startswith("<Playthrough of <Position kharkov training turn 1 ")
    assert "; ..." in repr(game.legal)
    assert "<svg" in game._repr_svg_()[:80]
