"""Every command line of `docs/vassal/vassal-files.md` does what it says, in its folder."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from hexmarshal.cli.main import run
from hexmarshal.cli.table import SECTIONS
from hexmarshal.errors import ExitCode
from hexmarshal.vassal.saves.logwriter import LogWriter
from tests.conftest import ROOT
from tests.converters.vassal.imports.test_imports import SCENARIO, zuntzu
from tests.converters.vassal.small_modules import extension, picture
from tests.converters.vassal.squad_game import game_of, squad_game

PAGE = (ROOT / "docs" / "vassal" / "vassal-files.md").read_text("utf-8")
LINES = re.findall(r"`(hexmarshal [^`]*)`", PAGE)
RECIPE = (
    "recipe: 1\nsteps:\n  - pieces: {name: Squad}\n    do:\n      - set_markers: {Strength: 5}\n"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder that the page speaks of; its lines build on one another."""
    made = tmp_path_factory.mktemp("page")
    squad_game().save(made / "game.vmod")
    squad_game(version="2.0").save(made / "new.vmod")
    (made / "extra.vmdx").write_bytes(
        extension().to_bytes({"buildFile.xml": _of_squads(extension().read("buildFile.xml"))})
    )
    (made / "steps.yaml").write_text(RECIPE)
    (made / "scan.svg").write_bytes(picture(900))
    (made / "box.ztb").write_bytes(zuntzu(scenario=SCENARIO.replace('<counter id="99"/>', "")))
    game = game_of(squad_game())
    game.save(made / "turn4.vsav")
    log = LogWriter(game)
    with log.step() as step:
        step.move(next(iter(log.state.pieces)), "Main Map", 282, 320)
    log.finish().save(made / "turn5.vlog")
    type(game).from_state(log.state).save(made / "turn5.vsav")
    return made


def _of_squads(build_file: bytes) -> bytes:
    return build_file.replace(b'module="Small"', b'module="Squads"')


def test_the_lines_of_the_page_run_one_after_another(folder: Path, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    findings = {"lint", "diff", "move"}
    for line in LINES:
        _, *argv = shlex.split(line)
        told = argv[0] in findings and "--advice" not in argv
        assert run(argv) == (ExitCode.FINDINGS if told else ExitCode.OK), line
        out, err = capsys.readouterr()
        assert out, line
        assert not err, line


def test_the_page_shows_every_command_for_vassal_files():
    (section,) = (s for s in SECTIONS if s.title == "VASSAL files")
    shown = {line.split()[1] for line in LINES}
    # One needs a game, one has notes for standard error, one goes on until it is stopped.
    assert {c.name for c in section.commands} - shown <= {"build", "setup", "view"}
