"""Firefights as saves of the module: laid out, read off the table, and nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexmarshal.cli.main import run
from hexmarshal.rules import engine
from hexmarshal.rules.plugins import registry


@pytest.mark.parametrize("firefight", ["first_steps", "the_crossing"])
def test_a_firefight_comes_back_from_a_save(
    firefight: str, vmod: Path, tmp_path: Path, capsys
) -> None:
    save, text, position = (tmp_path / f"f.{end}" for end in ("vsav", "yaml", "position.json"))
    with_module = ["--module", str(vmod)]
    made = ["scenario", "convert", f"conflict_of_heroes:{firefight}", str(save)]
    assert run([*made, *with_module, "--strict"]) == 0
    assert run(["scenario", "convert", str(save), str(text), *with_module, "--strict"]) == 0
    assert run(["scenario", "convert", str(text), str(position), "--strict"]) == 0
    plugin = registry.default().get("conflict_of_heroes")
    assert json.loads(position.read_text()) == engine.start(plugin, firefight).to_json()
    assert run(["scenario", "check", str(save), *with_module]) == 0
    assert "nothing wrong" in capsys.readouterr().out
