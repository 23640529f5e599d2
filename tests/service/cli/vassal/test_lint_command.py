"""`hexmarshal lint` as a user meets it: exit codes, JSON, mending, bad input, no secrets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.savegame import SavedGame
from tests.converters.vassal import saved_games as games
from tests.converters.vassal.small_modules import SOUND, changed, picture, slot


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    path = tmp_path / "sound.vmod"
    path.write_bytes(SOUND)
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    def change(module: Module) -> None:
        slot(module, "Blue").set("gpid", None)
        module.changes["images/nobody.svg"] = picture()

    path = tmp_path / "broken.vmod"
    path.write_bytes(changed(change).to_bytes())
    return path


def test_a_sound_module_exits_0(sound, capsys):
    assert run(["lint", str(sound)]) == ExitCode.OK
    assert capsys.readouterr().out == "error: 0, warning: 0, info: 0\n"


def test_findings_exit_1_with_id_place_and_hint(broken, capsys):
    assert run(["lint", str(broken)]) == ExitCode.FINDINGS
    out = capsys.readouterr().out
    assert "warning  missing-gpid:" in out
    assert "unit Blue: the slot has no gpid" in out
    assert "missing-gpid: mend it with --fix" in out


def test_a_threshold_and_ignored_checks_leave_findings_out(broken):
    assert run(["lint", str(broken), "--severity", "error"]) == ExitCode.OK
    ignored = ["--ignore", "missing-gpid", "--ignore", "unused-image"]
    assert run(["lint", str(broken), *ignored]) == ExitCode.OK


def test_json_is_one_document(broken, capsys):
    run(["lint", str(broken), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert {f["id"] for f in told["findings"]} == {"missing-gpid", "unused-image"}
    assert told["counts"] == {"error": 0, "warning": 2, "info": 0}
    assert {"severity", "message", "place", "path", "hint", "fixable"} <= set(told["findings"][0])


def test_fix_writes_another_file_and_leaves_the_input(broken, tmp_path, capsys):
    before, target = broken.read_bytes(), tmp_path / "mended.vmod"
    args = ["lint", str(broken), "--fix", "--remove-unused", "-o", str(target)]
    assert run(args) == ExitCode.OK
    assert "mended   missing-gpid: Blue: the slot has gpid" in capsys.readouterr().out
    assert broken.read_bytes() == before
    assert run(["lint", str(target)]) == ExitCode.OK


def test_fix_in_place_needs_force(broken):
    before = broken.read_bytes()
    assert run(["lint", str(broken), "--fix"]) == ExitCode.USAGE
    assert broken.read_bytes() == before
    assert run(["lint", str(broken), "--fix", "--force"]) == ExitCode.FINDINGS
    assert slot(Module.open(broken), "Blue").gpid


def test_fix_refuses_to_overwrite(broken, sound):
    before = sound.read_bytes()
    assert run(["lint", str(broken), "--fix", "-o", str(sound)]) == ExitCode.OUTPUT
    assert sound.read_bytes() == before


@pytest.mark.parametrize(
    "args",
    [
        ["--severity", "awful"],
        ["--ignore", "nonsense"],
        ["--remove-unused"],
        ["-o", "x"],
    ],
)
def test_what_makes_no_sense_is_a_usage_error(sound, args):
    assert run(["lint", str(sound), *args]) == ExitCode.USAGE


@pytest.mark.parametrize("data", [b"", b"no zip", SOUND[:-100], SOUND[: len(SOUND) // 2]])
def test_bad_input_exits_3(tmp_path, data, capsys):
    path = tmp_path / "bad.vmod"
    path.write_bytes(data)
    assert run(["lint", str(path)]) == ExitCode.BAD_INPUT
    assert capsys.readouterr().err.startswith("error: ")


def test_a_missing_file_exits_4(tmp_path):
    assert run(["lint", str(tmp_path / "gone.vmod")]) == ExitCode.NOT_FOUND


def test_no_user_id_is_printed_unless_asked(tmp_path, capsys):
    from hexmarshal.vassal.commands.tree import tree

    commands = [*games.COMPONENTS, games.stack("9", 1, 1, games.ANN, games.BOB)]
    root = tree(games.game.BeginSave(), [tree(command) for command in commands])
    path = tmp_path / "game.vsav"
    SavedGame.from_text(root.encode()).save(path)
    for form in ([], ["--json"]):
        assert run(["lint", str(path), *form]) == ExitCode.FINDINGS
        told = capsys.readouterr()
        assert "save-member" in told.out
        assert games.ANN not in told.out + told.err
    run(["lint", str(path), "--show-secrets"])
    assert games.ANN in capsys.readouterr().out


def test_advice_is_told_with_recipes_and_exits_0(tmp_path, capsys):
    from tests.converters.vassal.tools.test_advice import plain_module

    path = tmp_path / "plain.vmod"
    plain_module().save(path)
    assert run(["lint", str(path), "--advice"]) == ExitCode.OK
    assert "notes: no notes window" in capsys.readouterr().out
    folder = tmp_path / "advice"
    argv = ["lint", str(path), "--advice", "--recipes", str(folder), "--json"]
    assert run(argv) == ExitCode.OK
    told = json.loads(capsys.readouterr().out)
    assert {f"{each['id']}.yaml" for each in told["advice"]} == {f.name for f in folder.iterdir()}
    assert run(argv) == ExitCode.OUTPUT
    out = tmp_path / "new.vmod"
    assert run(["edit", str(path), str(folder / "notes.yaml"), "-o", str(out)]) == ExitCode.OK


def test_advice_goes_with_modules_alone(sound, tmp_path):
    save = tmp_path / "game.vsav"
    SavedGame.from_state(games.a_game()).save(save)
    assert run(["lint", str(save), "--advice"]) == ExitCode.USAGE
    assert run(["lint", str(sound), "--advice", "--fix"]) == ExitCode.USAGE
    assert run(["lint", str(sound), "--recipes", str(tmp_path)]) == ExitCode.USAGE
