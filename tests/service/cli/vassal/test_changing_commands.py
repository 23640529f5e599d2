"""`unpack`, `pack`, `edit` and `refresh` as a user meets them: words, JSON, exit codes, secrets."""

import json

import pytest

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.traits import Comment
from tests.converters.vassal.squad_game import PASSWORD, SQUAD, game_of, squad_game

RECIPE = """\
recipe: 1
steps:
  - pieces: {name: Squad}
    do:
      - set_markers: {Strength: 5}
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    """An old module, a newer one, a saved game and a recipe, in the working folder."""
    monkeypatch.chdir(tmp_path)
    squad_game().save("old.vmod")
    squad_game(squad=(*SQUAD, Comment(text="new")), version="2.0").save("new.vmod")
    game_of(squad_game()).save("game.vsav")
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    return tmp_path


@pytest.fixture
def tell(capsys):
    """Run a command line: its exit code, what it printed, and never a player's id."""

    def told(*argv):
        code = run([str(arg) for arg in argv])
        out = capsys.readouterr()
        assert "s3cret" not in out.out + out.err
        return code, out.out, out.err

    return told


def test_unpack_and_pack_give_the_same_file(files, tell):
    code, out, _ = tell("unpack", "old.vmod", "text")
    assert code == ExitCode.OK
    assert "1 player's id is in" in out
    code, out, _ = tell("pack", "text", "again.vmod")
    assert code == ExitCode.OK
    assert "identical to what was unpacked" in out
    assert (files / "again.vmod").read_bytes() == (files / "old.vmod").read_bytes()


def test_unpack_and_pack_speak_json(files, tell):
    _, out, _ = tell("unpack", "old.vmod", "text", "--json")
    assert json.loads(out)["players"] == 1
    (files / "text" / "images" / "worn.svg").write_bytes(b"<svg/>")
    _, out, _ = tell("pack", "text", "again.vmod", "--json")
    told = json.loads(out)
    assert (told["identical"], told["changed"]) == (False, ["images/worn.svg"])


@pytest.mark.parametrize("name", ["game.vsav", "old.vmod"])
def test_what_exists_is_not_overwritten_unasked(files, tell, name):
    tell("unpack", name, "text")
    assert tell("unpack", name, "text")[0] == ExitCode.OUTPUT
    assert tell("unpack", name, "text", "--force")[0] == ExitCode.OK
    assert tell("pack", "text", name)[0] == ExitCode.OUTPUT
    assert tell("pack", "text", name, "--force")[0] == ExitCode.OK


def test_packing_without_the_secrets_is_exit_4_and_scrub_does_without(files, tell):
    tell("unpack", "game.vsav", "text")
    (files / "text" / "secrets.json").unlink()
    code, _, err = tell("pack", "text", "again.vsav")
    assert code == ExitCode.NOT_FOUND
    assert "--scrub" in err
    assert tell("pack", "text", "again.vsav", "--scrub")[0] == ExitCode.OK
    assert PASSWORD not in SavedGame.open("again.vsav").text


def test_a_bad_edit_is_exit_3_with_file_and_line(files, tell):
    tell("unpack", "old.vmod", "text")
    build = files / "text" / "buildFile.xml"
    build.write_text(build.read_text().replace("</VASSAL.build.GameModule>", ""))
    code, _, err = tell("pack", "text", "again.vmod")
    assert code == ExitCode.BAD_INPUT
    assert "buildFile.xml, line" in err
    assert not (files / "again.vmod").exists()


def test_bad_input_of_unpack_is_exit_3_or_4(files, tell):
    (files / "junk").write_bytes(b"junk")
    assert tell("unpack", "junk", "text")[0] == ExitCode.BAD_INPUT
    assert tell("unpack", "none", "text")[0] == ExitCode.NOT_FOUND
    assert tell("pack", "none", "x.vmod")[0] == ExitCode.NOT_FOUND
    assert tell("pack", ".", "x.vmod")[0] == ExitCode.NOT_FOUND
    assert not (files / "text").exists()


def test_edit_tells_what_it_would_do_and_writes_nothing(files, tell):
    code, out, _ = tell("edit", "old.vmod", "recipe.yaml", "--dry-run")
    assert code == ExitCode.OK
    assert "Counters / Units / Squad: marker Strength from '4' to '5'" in out
    assert "nothing was written" in out
    assert not (files / "out.vmod").exists()


def test_edit_writes_a_module_and_the_input_stays(files, tell):
    before = (files / "old.vmod").read_bytes()
    assert tell("edit", "old.vmod", "recipe.yaml", "-o", "out.vmod")[0] == ExitCode.OK
    assert (files / "old.vmod").read_bytes() == before
    assert any("Red,5" in slot.text for slot in Module.open("out.vmod").slots())
    assert tell("edit", "old.vmod", "recipe.yaml", "-o", "out.vmod")[0] == ExitCode.OUTPUT


def test_edit_changes_a_saved_game_and_tells_no_id(files, tell):
    code, out, _ = tell("edit", "game.vsav", "recipe.yaml", "-o", "out.vsav", "--json")
    assert code == ExitCode.OK
    assert json.loads(out)["changes"][0]["what"] == "marker Strength from '4' to '5'"
    assert "Red,5" in SavedGame.open("out.vsav").text


def test_edit_prints_its_schema(tell):
    code, out, _ = tell("edit", "--schema")
    assert code == ExitCode.OK
    assert "add_Layer" in json.loads(out)["$defs"]


def test_edit_refuses_what_makes_no_sense(files, tell):
    assert tell("edit")[0] == ExitCode.USAGE
    assert tell("edit", "old.vmod", "recipe.yaml")[0] == ExitCode.USAGE
    assert tell("edit", "old.vmod", "none.yaml", "--dry-run")[0] == ExitCode.NOT_FOUND
    (files / "bad.yaml").write_text("recipe: 1\nsteps:\n  - pieces: {nme: x}\n    do: []\n")
    code, _, err = tell("edit", "old.vmod", "bad.yaml", "-o", "out.vmod")
    assert code == ExitCode.BAD_INPUT
    assert "bad.yaml, line" in err
    assert not (files / "out.vmod").exists()
    (files / "latin.yaml").write_bytes(b"recipe: 1\nabout: caf\xe9\n")
    assert tell("edit", "old.vmod", "latin.yaml", "--dry-run")[0] == ExitCode.BAD_INPUT


def test_refresh_reports_first_and_writes_when_told(files, tell):
    code, out, _ = tell("refresh", "game.vsav", "--module", "new.vmod", "--dry-run")
    assert code == ExitCode.OK
    assert "new: Comment: 1" in out
    assert "Squad (" not in out
    line = ("refresh", "game.vsav", "--module", "new.vmod", "--dry-run", "--details")
    assert "refreshed by gpid: Squad (" in tell(*line)[1]
    assert not (files / "done").exists()
    assert tell("refresh", "game.vsav", "--module", "new.vmod", "-o", "done")[0] == ExitCode.OK
    fresh = SavedGame.open("done/game.vsav")
    assert "cmt;new" in fresh.text
    assert PASSWORD in fresh.text
    again = tell("refresh", "done/game.vsav", "--module", "new.vmod", "--dry-run")[1]
    assert "refreshed" not in again


def test_refresh_refuses_a_game_of_another_module(files, tell):
    other = Module.open("new.vmod")
    other.root.name = "Other"
    other.save("other.vmod")
    line = ("refresh", "game.vsav", "--module", "other.vmod", "-o", "done")
    code, _, err = tell(*line)
    assert code == ExitCode.BAD_INPUT
    assert "a game of 'Squads', not of 'Other'" in err
    assert not (files / "done").exists()
    assert tell(*line, "--any-module")[0] == ExitCode.OK


def test_refresh_takes_the_set_ups_of_a_module(files, tell):
    module = Module.open("old.vmod")
    definition = module.prototypes()["Unit"]
    definition.text = definition.text.replace("Turn left", "Left turn")
    module.save("changed.vmod")
    code, out, _ = tell("refresh", "changed.vmod", "--setups", "-o", "out.vmod", "--json")
    assert code == ExitCode.OK
    assert json.loads(out)["files"][0]["counts"]["refreshed by gpid"] == 3
    saved = SavedGame.from_archive(Module.open("out.vmod").archive.nested("Start.vsav"))
    assert "Left turn" in saved.text


def test_refresh_exits_1_when_something_cannot_be_matched(files, tell):
    squad_game(name="Section", setup=False).save("other.vmod")
    module = Module.open("other.vmod")
    for slot in module.slots():
        slot.set("gpid", "")
        slot.text = slot.text.replace("null;0;0;", "null;0;0;90")
    module.save("other.vmod")
    code, out, _ = tell("refresh", "game.vsav", "--module", "other.vmod", "--dry-run", "--json")
    assert code == ExitCode.FINDINGS
    assert any("kept" in piece for piece in json.loads(out)["files"][0]["pieces"])


def test_refresh_refuses_what_makes_no_sense(files, tell):
    for argv in (
        ("game.vsav", "--dry-run"),
        ("game.vsav", "--module", "new.vmod"),
        ("old.vmod", "--setups", "--module", "new.vmod", "--dry-run"),
        ("game.vsav", "game.vsav", "--module", "new.vmod", "--dry-run"),
    ):
        assert tell("refresh", *argv)[0] == ExitCode.USAGE, argv
    argv = ("refresh", "old.vmod", "--module", "new.vmod", "--dry-run")
    assert tell(*argv)[0] == ExitCode.BAD_INPUT
    assert tell("refresh", "none", "--module", "new.vmod", "--dry-run")[0] == ExitCode.NOT_FOUND
    (files / "done").mkdir()
    (files / "done" / "game.vsav").write_text("mine")
    code = tell("refresh", "game.vsav", "--module", "new.vmod", "-o", "done")[0]
    assert code == ExitCode.OUTPUT
    assert (files / "done" / "game.vsav").read_text() == "mine"


def test_convert_writes_the_form_of_another_vassal_and_inspect_tells_it(files, tell):
    assert tell("convert", "game.vsav", "--format", "3.8", "-o", "new.vsav")[0] == ExitCode.OK
    assert "VASSAL 3.8 (XZ)" in tell("inspect", "new.vsav")[1]
    code, _, err = tell("convert", "new.vsav", "--format", "3.7", "-o", "new.vsav")
    assert code == ExitCode.OUTPUT
    assert "--force" in err
    assert tell("convert", "new.vsav", "--format", "3.7", "-o", "old.vsav")[0] == ExitCode.OK
    assert "VASSAL 3.7 and before" in tell("inspect", "old.vsav")[1]
    assert tell("convert", "new.vsav", "--format", "2.0", "-o", "x.vsav")[0] == ExitCode.USAGE


def test_scrub_edit_and_refresh_take_the_form_too(files, tell):
    assert tell("scrub", "game.vsav", "-o", "a.vsav", "--format", "3.8")[0] == ExitCode.OK
    assert "VASSAL 3.8 (XZ)" in tell("inspect", "a.vsav")[1]
    done = tell("edit", "game.vsav", "recipe.yaml", "-o", "b.vsav", "--format", "3.8")
    assert done[0] == ExitCode.OK
    assert "VASSAL 3.8 (XZ)" in tell("inspect", "b.vsav")[1]
    line = ("refresh", "game.vsav", "--module", "new.vmod", "-o", "out", "--format", "3.8")
    assert tell(*line)[0] == ExitCode.OK
    assert "VASSAL 3.8 (XZ)" in tell("inspect", "out/game.vsav")[1]
    for line in (
        ("edit", "old.vmod", "recipe.yaml", "-o", "c.vmod", "--format", "3.8"),
        ("refresh", "new.vmod", "--setups", "-o", "d.vmod", "--format", "3.8"),
    ):
        code, _, err = tell(*line)
        assert code == ExitCode.USAGE
        assert "hexmarshal convert" in err


def test_convert_reaches_the_set_ups_of_a_module(files, tell):
    code, out, _ = tell("convert", "old.vmod", "--format", "3.8", "-o", "new38.vmod", "--json")
    assert code == ExitCode.OK
    assert json.loads(out)["converted"] == 1
    assert tell("lint", "new38.vmod")[0] == tell("lint", "old.vmod")[0]


def test_a_file_is_not_written_over_itself_unasked(files, tell):
    lines = (
        ("scrub", "game.vsav", "-o", "game.vsav"),
        ("edit", "old.vmod", "recipe.yaml", "-o", "old.vmod"),
        ("edit", "game.vsav", "recipe.yaml", "-o", "game.vsav"),
        ("refresh", "old.vmod", "--setups", "-o", "old.vmod"),
        ("convert", "old.vmod", "--format", "3.8", "-o", "old.vmod"),
    )
    before = {path.name: path.read_bytes() for path in files.iterdir() if path.is_file()}
    for line in lines:
        code, _, err = tell(*line)
        assert code == ExitCode.OUTPUT, line
        assert "--force" in err
    assert before == {path.name: path.read_bytes() for path in files.iterdir() if path.is_file()}
    for line in lines:
        assert tell(*line, "--force")[0] == ExitCode.OK, line


def test_a_name_to_be_changed_that_stands_nowhere_is_a_finding(files, tell):
    (files / "names.yaml").write_text(
        "recipe: 1\nsteps:\n  - rename:\n      prototypes: {Nobody: Somebody}\n"
    )
    code, out, _ = tell("edit", "old.vmod", "names.yaml", "--dry-run")
    assert code == ExitCode.FINDINGS
    assert "there is no 'Nobody' among the prototypes" in out
    _, out, _ = tell("edit", "old.vmod", "names.yaml", "--dry-run", "--json")
    assert json.loads(out)["missing"]
