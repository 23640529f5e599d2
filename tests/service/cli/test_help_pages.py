"""The help pages: alike everywhere, with examples, in words that are not cut off."""

from __future__ import annotations

import re
import sys

import pytest

from hexmarshal.cli import main as cli
from hexmarshal.cli.completion import bash, fish, words
from hexmarshal.cli.table import COMMANDS

PAGES = [
    path
    for name in COMMANDS
    for path in ([name], *([name, sub] for sub in getattr(cli.load(name), "commands", {})))
]


@pytest.fixture(params=PAGES, ids=" ".join)
def page(request, capsys) -> str:
    assert cli.run([*request.param, "--help"]) == 0
    return capsys.readouterr().out


def test_every_page_has_examples(page):
    assert "\n  Examples:\n    " in page


def test_what_an_option_takes_is_named_in_capitals(page):
    options = page.partition("\nOptions:")[2]
    taken = re.findall(r"^  (?:-\w, )?--[\w-]+ (\S+)", options, re.MULTILINE)
    assert [one for one in taken if one.startswith("<") and "|" not in one] == []


def test_arguments_are_named_in_capitals_and_once(page):
    usage = page.partition("\n\n")[0]
    assert not re.search(r"\[\[|\.\.\.[\]}]|[\[{][a-z]", usage)


def test_no_summary_is_cut_off(page):
    listed = page.partition("\nCommands:\n")[2].partition("\n\n")[0]
    assert not [line for line in listed.splitlines() if line.endswith("...")]


@pytest.mark.parametrize(
    "asked", [["inspect", "-h"], ["help", "inspect"], ["scenario", "check", "-h"], ["help"]]
)
def test_help_comes_however_it_is_asked_for(asked, capsys):
    assert cli.run(asked) == 0
    assert capsys.readouterr().out.startswith("Usage: hexmarshal ")


@pytest.fixture(scope="module")
def known() -> dict[str, list[str]]:
    return words()


def test_the_examples_are_commands_with_options_that_there_are(page, known):
    for line in re.findall(r"^    hexmarshal (.+)$", page, re.MULTILINE):
        command = line.split("#")[0].split(";")[0].split("|")[0].split(">")[0].split()
        path = " ".join(command[:2]) if " ".join(command[:2]) in known else (command or [""])[0]
        assert path in known or not command
        for option in (word for word in command if word.startswith("--")):
            assert option.partition("=")[0] in known[path]


def test_completion_knows_the_commands_of_games_and_leaves_out_a_broken_one(tmp_path, monkeypatch):
    info = tmp_path / "war-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text(
        "[hexmarshal.commands]\nsiege = siege_commands:app\nsack = no_such_module:app\n"
    )
    (tmp_path / "siege_commands.py").write_text(
        "import typer\napp = typer.Typer(rich_markup_mode=None)\n"
        "@app.command()\ndef siege(walls: int = 1):\n    pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    table = words()
    assert "--walls" in table["siege"]
    assert "sack" not in table
    assert " siege " in bash(table)
    assert "siege" in fish(table).splitlines()[0]


def test_a_command_of_a_game_that_cannot_be_loaded_is_told(tmp_path, monkeypatch, capsys):
    info = tmp_path / "war-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text("[hexmarshal.commands]\nsack = no_such_module:app\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert cli.run(["sack"]) == 3
    assert "the command 'sack' of a game cannot be loaded" in capsys.readouterr().err


def test_patterns_are_the_files_that_they_match_where_the_shell_leaves_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("b 2.vsav", "a ü.vsav", "c.vlog"):
        (tmp_path / name).touch()
    asked = ["roundtrip", "*.vsav", "*.nix", "c.vlog", "--json"]
    assert cli.expanded(asked) == ["roundtrip", "a ü.vsav", "b 2.vsav", "*.nix", "c.vlog", "--json"]


def test_only_windows_leaves_them(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "doctor").touch()
    seen = []
    monkeypatch.setattr(cli, "run", lambda argv: seen.append(list(argv)) or 0)
    monkeypatch.setattr(sys, "argv", ["hexmarshal", "d*r"])
    for platform, expected in (("linux", ["d*r"]), ("win32", ["doctor"])):
        monkeypatch.setattr(sys, "platform", platform)
        with pytest.raises(SystemExit):
            cli.main()
        assert seen.pop() == expected
