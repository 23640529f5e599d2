"""docs/geometry/geometry.md is true: its examples run, its commands make its pictures."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from pathlib import Path

import pytest

from hexmarshal.cli import main as cli
from hexmarshal.geometry.terrain.terrain_file import loads

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "geometry" / "geometry.md"
PICTURES = ROOT / "docs" / "pictures"
COMMANDS = re.findall(r"^\$ hexmarshal (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)


def test_the_examples_of_the_geometry_guide_run(monkeypatch):
    monkeypatch.chdir(ROOT)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    outcome = doctest.testfile(str(PAGE), module_relative=False, optionflags=flags)
    assert outcome.attempted > 30
    assert outcome.failed == 0


def test_the_terrain_file_of_the_guide_is_valid():
    (text,) = re.findall(r"```yaml\n(.+?)```", PAGE.read_text("utf-8"), re.DOTALL)
    farm = loads(text)
    assert farm.describe(next(iter(farm.side_terrain))) == "0402/N"
    assert len(farm.side_terrain) == 2
    assert farm.shapes[0].name == "barn"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_guide_makes_its_picture(command, tmp_path, monkeypatch, capsys):
    for file in PICTURES.glob("*.yaml"):
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert cli.run(shlex.split(command)) == 0
    drawn = sorted(tmp_path.glob("*.svg"))
    assert len(drawn) == 1
    for svg in drawn:
        assert svg.read_bytes() == (PICTURES / svg.name).read_bytes()
        # A renderer's next version may smooth edges otherwise, so a PNG is compared by its size.
        made, kept = svg.with_suffix(".png").read_bytes(), PICTURES / f"{svg.stem}.png"
        assert made[16:24] == kept.read_bytes()[16:24]


def test_the_guide_shows_four_pictures():
    assert len(COMMANDS) == 4
    sources = [path.stem for path in PICTURES.glob("*.yaml")]
    for suffix in (".svg", ".png"):
        assert all((PICTURES / f"{name}{suffix}").exists() for name in sources)
