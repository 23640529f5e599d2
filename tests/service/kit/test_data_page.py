"""docs/rules/your-own-data.md is true: its commands run, and its change is one."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from hexmarshal.cli.main import run
from hexmarshal.games.kharkov.state.source import DATA
from hexmarshal.kit.data.source import variable
from hexmarshal.kit.drawing.canvas import pixels
from hexmarshal.kit.module import pictures
from hexmarshal.rules.plugins import registry

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "rules" / "your-own-data.md").read_text("utf-8")
COMMANDS = re.findall(r"^\$ hexmarshal (.*)$", PAGE, re.MULTILINE)


def _empty(svg: str, *, zoom: float = 1) -> bytes:
    """A picture of the right size with nothing on it, which is soon drawn."""
    size = re.search(r'width="[0-9.]+" height="[0-9.]+"', svg)
    assert size is not None
    return pixels(f'<svg xmlns="http://www.w3.org/2000/svg" {size[0]}/>', zoom=zoom)


@pytest.fixture
def _clean(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(variable("kharkov"), "")
    yield
    registry.default.cache_clear()


@pytest.mark.usefixtures("_clean")
def test_the_commands_of_the_page_run_one_after_the_other(tmp_path, monkeypatch, capsys):
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pictures, "pixels", _empty)
    change = next(b for b in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
    for command in COMMANDS:
        if command.startswith("build"):
            pytest.importorskip("resvg_py")
        assert run(shlex.split(command)) == 0, command
        if "--template" in command:
            (tmp_path / "my-kharkov/rules/schedule.yaml").unlink()
            (tmp_path / "my-kharkov/rules/schedule.patch.yaml").write_text(change)
    assert len(COMMANDS) == 7
    assert "14 of 15 files are still ours" in capsys.readouterr().out
    read = DATA.source(tmp_path / "my-kharkov").read("rules/schedule.yaml")
    named = yaml.safe_load(change)
    assert (read["stacking"], read["rail"]["hexes"]) == (4, 25)
    assert named == {"stacking": 4, "rail": {"hexes": 25}}


def test_the_variables_of_the_page_are_those_of_the_games():
    named = set(re.findall(r"`(HEXMARSHAL_\w+_DATA)`", PAGE))
    assert named == {variable("kharkov"), variable("conflict_of_heroes")}
