"""docs/scenario.md is true: its scenario is sound and can be played, its commands run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hexmarshal.cli.main import run
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Generator
from hexmarshal.rules.plugins import registry
from hexmarshal.scenario import read_scenario, schema, to_yaml
from hexmarshal.table.scenarios import position_of

ROOT = Path(__file__).resolve().parents[4]
PAGE = (ROOT / "docs" / "scenario.md").read_text("utf-8")


@pytest.fixture
def mill(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (text,) = re.findall(r"```yaml\n(.+?)```", PAGE, re.DOTALL)
    file = tmp_path / "mill.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_example_is_sound_and_written_as_we_write(mill: Path, capsys) -> None:
    assert run(["scenario", "check", str(mill)]) == 0
    scenario = read_scenario(mill.read_bytes())
    assert read_scenario(to_yaml(scenario).encode()) == scenario


def test_the_example_can_be_played(mill: Path) -> None:
    from dataclasses import replace

    plugin = registry.default().get("conflict_of_heroes")
    position = position_of(plugin, read_scenario(mill.read_bytes()))
    position = replace(position, generator=Generator("mill"))
    for _ in range(12):
        side = position.active[0]
        offer = next(iter(engine.offers(plugin, position, side)))
        position = engine.perform(plugin, position, offer.action).position
    assert position.turn >= 1


def test_the_commands_of_the_page_run(mill: Path, capsys) -> None:
    for line in re.findall(
        r"^(?:\$ )?hexmarshal (scenario (?:convert|template) .+)$", PAGE, re.MULTILINE
    ):
        if "IN OUT" not in line and "GAME" not in line:
            assert run(line.split()) == 0, line
    assert "not held: objectives[0].text" in capsys.readouterr().err


def test_the_picture_of_the_page_is_that_of_the_example(mill: Path, capsys) -> None:
    pytest.importorskip("resvg_py")
    drawn = mill.with_suffix(".png")
    assert run(["scenario", "show", str(mill), "-o", str(drawn), "--zoom", "0.9"]) == 0
    assert drawn.read_bytes() == (ROOT / "docs" / "pictures" / "scenario.png").read_bytes()


def test_the_page_names_every_column_and_the_schema_every_part() -> None:
    from hexmarshal.scenario.sheets.columns import COLUMNS

    for column in COLUMNS:
        assert column.title in PAGE
    for part in ("reinforcements", "objectives", "special_rules", "areas", "setup", "licence"):
        assert part in schema()["properties"]
        assert part in PAGE
