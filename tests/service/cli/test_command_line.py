"""The command line as a user meets it: help, versions, errors in one line, exit codes."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from importlib.metadata import version

import pytest
import typer

from hexmarshal.cli import main as cli
from hexmarshal.cli.completion import words
from hexmarshal.cli.table import COMMANDS
from hexmarshal.errors import ExitCode, NotFoundError, Place


def test_version_is_the_distributions(capsys):
    assert cli.run(["--version"]) == ExitCode.OK
    assert capsys.readouterr().out.strip() == f"hexmarshal {version('hexmarshal')}"


def test_help_lists_every_command(capsys):
    assert cli.run(["--help"]) == ExitCode.OK
    out = capsys.readouterr().out
    assert all(f"  {name} " in out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_page(name, capsys):
    assert cli.run([name, "--help"]) == ExitCode.OK
    assert "Usage: hexmarshal " + name in capsys.readouterr().out


def test_an_unknown_command_is_one_line_a_hint_and_exit_2(capsys):
    assert cli.run(["nonsense"]) == ExitCode.USAGE
    err = capsys.readouterr().err.splitlines()
    assert err[0] == "error: no such command: 'nonsense'"
    assert len(err) == 2


def test_a_near_miss_is_named(capsys):
    assert cli.run(["docter"]) == ExitCode.USAGE
    assert "did you mean doctor?" in capsys.readouterr().err


def test_an_unknown_option_is_a_usage_error(capsys):
    assert cli.run(["doctor", "--nonsense"]) == ExitCode.USAGE
    assert "hint: try 'hexmarshal doctor --help'" in capsys.readouterr().err


def _failing(error):
    class Failing:
        def main(self, **_):
            raise error

    return lambda _name: Failing()


def test_an_error_names_its_place_and_hint(monkeypatch, capsys):
    place = Place(file="game.vmod", entry="buildFile.xml", line=3)
    error = NotFoundError("no map of that name", place=place, hint="maps: Main Map")
    monkeypatch.setattr(cli, "load", _failing(error))
    assert cli.run(["doctor"]) == ExitCode.NOT_FOUND
    assert capsys.readouterr().err.splitlines() == [
        "error: game.vmod, entry buildFile.xml, line 3: no map of that name",
        "hint: maps: Main Map",
    ]


def test_an_error_is_json_when_the_output_is(monkeypatch, capsys):
    error = NotFoundError("gone", place=Place(cell="1204"))
    monkeypatch.setattr(cli, "load", _failing(error))
    assert cli.run(["doctor", "--json"]) == ExitCode.NOT_FOUND
    told = json.loads(capsys.readouterr().err)["error"]
    assert told == {"code": "not-found", "message": "gone", "place": {"cell": "1204"}, "hint": ""}


def test_a_bug_shows_no_traceback_unless_asked(monkeypatch, capsys):
    monkeypatch.setattr(cli, "load", _failing(ZeroDivisionError("boom")))
    assert cli.run(["doctor"]) == ExitCode.BUG
    assert "Traceback" not in capsys.readouterr().err
    with pytest.raises(ZeroDivisionError):
        cli.run(["--debug", "doctor"])


def test_interrupting_ends_cleanly(monkeypatch, capsys):
    monkeypatch.setattr(cli, "load", _failing(KeyboardInterrupt()))
    assert cli.run(["doctor"]) == ExitCode.INTERRUPTED
    assert capsys.readouterr().err == "interrupted\n"


def test_interrupting_a_command_is_told_like_interrupting_the_start(monkeypatch, capsys):
    app = typer.Typer()

    @app.command()
    def work():
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "load", lambda _: typer.main.get_command(app))
    assert cli.run(["doctor"]) == ExitCode.INTERRUPTED
    assert capsys.readouterr().err.strip() == "interrupted"


def test_completion_knows_commands_and_options():
    table = words()
    assert set(COMMANDS) <= set(table)
    assert "--json" in table["doctor"]


def test_completion_scripts_are_accepted_by_the_shell(tmp_path):
    script = subprocess.run(
        [sys.executable, "-m", "hexmarshal", "completion", "bash"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    probe = (
        script + '\nCOMP_WORDS=(hexmarshal doc); COMP_CWORD=1; _hexmarshal; echo "${COMPREPLY[@]}"'
    )
    out = subprocess.run(["bash", "-c", probe], check=True, capture_output=True, text=True).stdout
    assert out.strip() == "doctor"


@pytest.mark.parametrize("command", [["edit", "--schema"], ["rules", "kharkov"], ["--help"]])
def test_a_reader_that_goes_away_is_no_failure(command):
    asked = [sys.executable, "-m", "hexmarshal", *command]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        started.stdout.close()
        complaint = started.stderr.read()
    assert (started.returncode, complaint) == (0, b"")


def test_help_imports_no_command_and_no_heavy_library():
    probe = (
        "import sys; from hexmarshal.cli.main import run; run(['--help']);"
        "heavy = {'typer', 'rich', 'lxml', 'grpc', 'shapely', 'numpy', 'yaml'} & set(sys.modules);"
        "sys.exit(f'imported: {heavy}' if heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_commands_that_games_bring_are_listed_and_found(tmp_path, monkeypatch, capsys):
    info = tmp_path / "war-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text(
        "[console_scripts]\nx = y:z\n\n[hexmarshal.commands]\nsiege = war_commands:app\n"
    )
    (tmp_path / "war_commands.py").write_text(
        "import typer\napp = typer.Typer(rich_markup_mode=None)\n"
        "@app.command()\ndef siege():\n    print('walls hold')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert cli.run(["--help"]) == ExitCode.OK
    assert "  siege " in capsys.readouterr().out
    assert cli.run(["siege"]) == ExitCode.OK
    assert capsys.readouterr().out == "walls hold\n"


def test_a_file_that_may_not_be_read_is_bad_input_and_not_bad_usage():
    from hexmarshal.cli.main import _command_line_error

    class Refused(Exception):
        def format_message(self) -> str:
            return "Invalid value for 'FILE': path 'turn 5.vsav' is not readable."

    error = _command_line_error(Refused())
    assert error is not None
    assert error.exit_code == ExitCode.BAD_INPUT
    assert "turn 5.vsav: cannot be read" in str(error)


def test_nothing_of_ours_is_imported_before_an_interrupt_is_looked_after():
    told = (
        "import sys; before = set(sys.modules); import hexmarshal.cli.main;"
        "print(sorted(m for m in set(sys.modules) - before if m.count('.') or m == 'typer'))"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert ast.literal_eval(done.stdout) == ["hexmarshal.cli", "hexmarshal.cli.main"]


def test_an_interrupt_while_the_program_loads_is_no_traceback():
    told = (
        "import runpy, sys\n"
        "class Press:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'hexmarshal.cli.main': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Press())\n"
        "runpy.run_module('hexmarshal', run_name='__main__')\n"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=False)
    assert done.returncode == ExitCode.INTERRUPTED
    assert done.stderr == ""
