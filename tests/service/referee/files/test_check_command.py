"""`hexmarshal check` and `hexmarshal binding` as a user runs them: words, JSON and exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from crossroads_module import binding, builder, module
from tutorial import Crossroads

from hexmarshal.cli import main as cli
from hexmarshal.referee.batch.one_file import FileCheck
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.table.binding import Binding, schema
from hexmarshal.table.module_finder import Means
from hexmarshal.table.placing import write_save
from hexmarshal.vassal.commands.tree import CommandNode
from hexmarshal.vassal.privacy.secrets import find_user_ids
from hexmarshal.vassal.saves.savegame import SavedGame

PLUGIN = Crossroads()
MAKE = PLUGIN.game.actions.make
TUTORIAL = str(Path(__file__).parents[3] / "tutorial") + ":Crossroads"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: object, plugin: bool = True) -> tuple[int, str, str]:
        more = ("--plugin", TUTORIAL) if plugin else ()
        code = cli.run([*map(str, words), *more])
        told = capsys.readouterr()
        return code, told.out, told.err

    return call


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    start = engine.start(PLUGIN, "meeting")
    builder().save(tmp_path / "crossroads.vmod")
    clean = Recorder(module(), binding(), PLUGIN, start)
    clean.drag(["b1"], ["A1"])
    clean.perform(MAKE("end_phase", "blue"))
    (tmp_path / "clean.vlog").write_bytes(clean.finish().to_bytes())
    wrong = Recorder(module(), binding(), PLUGIN, start)
    wrong.drag(["b2"], ["B1", "C1", "D1", "E1"])
    wrong.roll(6, 4, side="blue")
    (tmp_path / "wrong.vlog").write_bytes(wrong.finish().to_bytes())
    saved, _ = write_save(module(), binding(), PLUGIN, start)
    (tmp_path / "setup.vsav").write_bytes(saved.to_bytes())
    return tmp_path


def test_a_clean_log_is_0(run: Run, folder: Path) -> None:
    code, out, _ = run("check", folder / "clean.vlog")
    assert code == 0
    assert "0 certain violations, 0 likely" in out


def test_a_log_of_another_module_is_3(run: Run, folder: Path) -> None:
    other = builder(name="Roundabout").save(folder / "other.vmod")
    code, out, err = run("check", folder / "wrong.vlog", "--module", other)
    assert (code, out) == (3, "")
    assert "a game of 'Crossroads', not of 'Roundabout'" in err
    assert "--any-module checks it all the same" in err
    code, out, _ = run("check", folder / "wrong.vlog", "--module", other, "--any-module")
    assert (code, "0 certain violations, 1 likely" in out) == (0, True)
    # Among many files it is one that could not be read.
    result = FileCheck(Means(module=other), (TUTORIAL,))(folder / "wrong.vlog").result
    assert "a game of 'Crossroads'" in result["error"]
    assert "--any-module" in result["hint"]


def test_a_password_that_somebody_typed_is_not_quoted(run: Run, folder: Path) -> None:
    saved = SavedGame.open(folder / "wrong.vlog")
    user = find_user_ids(saved.root)[0]
    said = [f"LOG\tCHAT&lt;Ann&gt; - [move] {user} A1", f"LOG\tCHAT* {user} rolls 1d6 = 3"]
    steps = (*saved.root.children, *map(CommandNode, said))
    saved.with_root(CommandNode(saved.root.text, steps)).save(folder / "typed.vlog")
    for flags in ([], ["--json"], ["--report", folder / "report.html"]):
        _, out, err = run("check", folder / "typed.vlog", "--all", *flags)
        assert "player-1" in out
        assert user not in out + err
    assert user not in (folder / "report.html").read_text("utf-8")


def test_the_first_line_says_what_of_a_cut_log_is_whole(run: Run, folder: Path) -> None:
    file = folder / "wrong.vlog"
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) * 9 // 10])
    code, out, _ = run("check", file)
    assert code in (0, 1)
    assert "cut short: the start and " in out.splitlines()[0]


@pytest.mark.parametrize("left", [100, 200, 400])
def test_a_log_without_a_whole_start_is_3(run: Run, folder: Path, left: int) -> None:
    file = folder / "wrong.vlog"
    file.write_bytes(file.read_bytes()[:left])
    code, out, err = run("check", file)
    assert (code, out) == (3, "")
    assert err


def test_a_violation_is_1_and_told_in_full(run: Run, folder: Path) -> None:
    code, out, _ = run("check", folder / "wrong.vlog")
    assert code == 1
    for words in (
        "violation  step 1-4, turn 1, Move phase, Blue player",
        "TUT-2",
        "right: b2 may go to",
        "certain",
        "chance if fair",
    ):
        assert words in out


def test_json_holds_all_of_it(run: Run, folder: Path) -> None:
    code, out, _ = run("check", folder / "wrong.vlog", "--json")
    told = json.loads(out)
    assert (code, told["certain"], told["rules"]) == (1, 1, {"TUT-2": 1})
    assert told["players"] == {"Blue player": {"violation": 1, "unknown": 1}}
    assert told["dice"][0]["count"] == 1
    assert told["entries"][0]["violations"][0]["rule"] == "TUT-2"


def test_all_lists_what_was_legal_too(run: Run, folder: Path) -> None:
    _, out, _ = run("check", folder / "clean.vlog")
    assert "legal      step" not in out
    _, out, _ = run("check", folder / "clean.vlog", "--all")
    assert "legal      step" in out


def test_a_save_is_checked(run: Run, folder: Path) -> None:
    code, out, _ = run("check", folder / "setup.vsav", "--scenario", "meeting")
    assert (code, "0 certain" in out) == (0, True)


def test_a_file_that_is_not_there_is_4_and_one_that_is_none_is_3(run: Run, folder: Path) -> None:
    assert run("check", folder / "gone.vlog")[0] == 4
    (folder / "letter.vlog").write_text("dear friend")
    code, _, err = run("check", folder / "letter.vlog")
    assert (code, "not a zip archive" in err) == (3, True)


def test_a_scenario_or_game_that_is_none_is_4(run: Run, folder: Path) -> None:
    assert run("check", folder / "clean.vlog", "--scenario", "armageddon")[0] == 4
    assert run("check", folder / "clean.vlog", "--game", "chess")[0] == 4


def test_a_folder_tells_which_files_to_look_at(run: Run, folder: Path, tmp_path: Path) -> None:
    (folder / "letter.vlog").write_text("dear friend")
    code, out, _ = run("check", folder, "-o", tmp_path / "results", "--jobs", "1")
    assert code == 1
    listed = out[out.index("outcome") :].splitlines()[2:]
    assert listed[0].split()[:3] == ["wrong.vlog", "violations", "1"]
    assert any(line.split()[:2] == ["letter.vlog", "failed"] for line in listed)
    assert not any("clean.vlog" in line for line in listed)
    assert str(folder / "letter.vlog") not in out


def test_a_folder_without_games_is_4(run: Run, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    code, _, err = run("check", empty)
    assert (code, "holds no .vlog and no .vsav" in err) == (4, True)
    assert list(empty.iterdir()) == []


def test_options_that_do_not_go_together_are_2(run: Run, folder: Path) -> None:
    assert run("check", folder / "clean.vlog", "-o", folder / "x")[0] == 2
    assert run("check", folder, "--shared")[0] == 2
    assert run("check", folder, "--watch", "--limit", 3)[0] == 2


def test_a_folder_is_summed_up(run: Run, folder: Path) -> None:
    code, out, _ = run("check", folder, "-o", folder / "results", "--jobs", "1", "--json")
    told = json.loads(out)
    assert code == 1
    assert (told["total"], told["clean"], told["violations"], told["failed"]) == (3, 2, 1, 0)
    (folder / "wrong.vlog").write_text("no log any more")
    code, out, _ = run("check", folder, "-o", folder / "results", "--jobs", "1")
    assert code == 3
    assert "wrong.vlog  " in out
    assert "results.jsonl" in out


def test_a_log_without_a_module_is_unbound_and_0(run: Run, folder: Path) -> None:
    (folder / "crossroads.vmod").unlink()
    code, out, _ = run("check", folder / "wrong.vlog")
    assert (code, "not bound to rules" in out) == (0, True)
    assert "--module" in out


def test_a_game_with_another_binding_is_refused(run: Run, folder: Path) -> None:
    code, _, err = run("check", folder / "clean.vlog", "--game", "kharkov")
    assert (code, "the binding is for the game 'tutorial'" in err) == (4, True)


# Bindings


def test_a_binding_is_drafted_checked_and_used(run: Run, folder: Path) -> None:
    vmod, mine = folder / "crossroads.vmod", folder / "mine.yaml"
    code, out, _ = run("binding", "new", vmod, "--game", "tutorial", "-o", mine)
    assert (code, out.startswith(f"written: {mine} (")) == (0, True)
    told = json.loads(run("binding", "new", vmod, "--game", "tutorial", "--json")[1])
    assert told["binding"] == mine.read_text("utf-8")
    assert f"({len(told['questions'])} questions" in out
    assert Binding.open(mine).game == "tutorial"
    assert run("binding", "new", vmod, "--game", "tutorial", "-o", mine)[0] == 5
    code, out, _ = run("binding", "check", vmod, "--binding", mine, "--json")
    assert (code, json.loads(out)["unknown"]) == (0, 0)
    code, _, _ = run("check", folder / "wrong.vlog", "--module", vmod, "--binding", mine)
    assert code == 1


def test_a_binding_that_leaves_counters_out_is_1(run: Run, folder: Path) -> None:
    mine = folder / "mine.yaml"
    text = "format: hexmarshal-binding/1\ngame: tutorial\nmap: {name: Crossroads}\n"
    mine.write_text(text + "units: [{match: {name: x}, id: x, type: tank, side: red}]\n")
    code, out, _ = run("binding", "check", folder / "crossroads.vmod", "--binding", mine)
    assert code == 1
    assert "is neither a unit nor a marker" in out


def test_the_schema_is_published(run: Run) -> None:
    code, out, _ = run("binding", "schema", plugin=False)
    assert (code, json.loads(out)) == (0, schema())


def test_dice_rolled_for_a_forbidden_attack_are_told_with_it(run: Run, folder: Path) -> None:
    log = Recorder(module(), binding(), PLUGIN, engine.start(PLUGIN, "meeting"))
    log.announce(MAKE("attack", "blue", attackers=["b1"], target="r1"))
    log.roll(6, 6, side="blue")
    (folder / "fight.vlog").write_bytes(log.finish().to_bytes())
    code, out, _ = run("check", folder / "fight.vlog")
    assert code == 1
    assert "Attack by b1 at r1 (dice 6)" in out
    assert "[blue: attack] b1 -> r1" in out
