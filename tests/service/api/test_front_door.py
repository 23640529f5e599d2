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


def test_values_show_themselves_in_a_line_and_as_a_picture():
    game = api.play("kharkov", "training", seed=3)
    action = game.action("move units=rif-01 path=0213,0112")
    verdict, refused = game.check(action), game.check("axis: end_phase")
    assert repr(action) == "<Action soviet: move path=0213,0112 units=rif-01>"
    assert repr(verdict) == "<Verdict legal, cost 3 MP>"
    assert repr(refused).startswith("<Verdict illegal: KHA-4.1: it is not Axis's turn")
    assert 'aria-label="KHA-4.1: it is not Axis' in refused._repr_svg_()
    assert "illegal" not in verdict._repr_svg_()
    assert str(action) in action._repr_svg_()
    shown = game.position._repr_svg_()
    assert "rif-01" in shown
    assert "rif-01" not in game.view("axis")._repr_svg_() or "rif-01" in game.view("axis").units
    assert len(repr(game.do(action))) < 300
    assert "<svg" in api.play("asl").position._repr_svg_()


def test_a_card_of_many_or_long_lines_is_cut():
    violations = tuple(api.Violation(f"R-{i}", "x" * 500) for i in range(40))
    picture = api.Verdict(violations)._repr_svg_()
    assert "and 29 more" in picture
    assert "x" * 120 not in picture


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        (lambda g: g.ask("odds"), "attackers"),
        (lambda g: g.ask("odds", attackers=5, targets=["1511"]), "attackers"),
        (lambda g: g.ask("reach", zz=1), "zz"),
        (lambda g: g.ask("nothing"), "name"),
        (lambda g: g.do("move units=rif-01 units=rif-02 path=0213"), "units"),
        (lambda g: g.do("move units=nobody path=0213"), "units[0]"),
        (lambda g: g.choose(kind="move", zz=1), "zz"),
        (lambda g: g.do("surrender"), "kind"),
        (lambda g: g.do(api.Action("move", "soviet", {"units": 5})), "units"),
        (lambda g: g.do("end_phase", dice=5), "dice"),
        (lambda g: g.do("end_phase", dice="66"), "dice"),
        (lambda g: g.do("end_phase", dice=[6]), "dice"),
        (lambda _: api.play(5), "game"),
    ],
)
def test_what_makes_no_sense_is_refused_by_its_field(wrong, field):
    game = api.play("kharkov", "training", seed=3)
    with pytest.raises(RulesError) as refused:
        wrong(game)
    assert refused.value.place.field == field


def test_what_was_meant_is_told():
    game = api.play("kharkov", "training", seed=3)
    for wrong, hint in (
        ("mov3 units=rif-01 path=0213", "did you mean move?"),
        ("move units=RIF-01 path=0213", "did you mean rif-01?"),
        ("move units=rif-01 path=nowhere", "as the map prints them"),
    ):
        with pytest.raises(RulesError) as refused:
            game.check(wrong)
        assert hint in refused.value.hint


def test_an_action_made_by_hand_is_read_as_one_from_its_line():
    game = api.play("kharkov", "training", seed=3)
    made = api.Action("move", "soviet", {"units": ["rif-01"], "path": ["0213", "0112"]})
    assert made in game.legal
    assert game.check(made) == game.check("move units=rif-01 path=0213,0112")


def test_no_action_and_no_file_are_told(tmp_path):
    game = api.play("kharkov", "training", seed=3)
    with pytest.raises(RulesError, match="an action or its line is wanted, not 5"):
        game.do(5)
    (tmp_path / "binary").write_bytes(b"\xff\x00\x81")
    (tmp_path / "words").write_text("nonsense")
    for name in ("nothing", "binary", "words", ""):
        for read in (api.Playthrough.load, api.read_scenario, api.load_map):
            with pytest.raises(api.HexMarshalError) as refused:
                read(str(tmp_path / name))
            assert refused.value.place.file == str(tmp_path / name)
    with pytest.raises(api.HexMarshalError):
        game.save(tmp_path / "no folder" / "game.jsonl")


def test_a_scenario_is_read_from_its_file(tmp_path):
    file = tmp_path / "meeting.yaml"
    file.write_text("format: hexmarshal-scenario/1\ngame: kharkov\ntitle: A try\n")
    assert api.read_scenario(file).title == "A try"
