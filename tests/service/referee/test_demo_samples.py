"""The demonstration's samples: the referee finds what is planted in each game, and nothing else."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from importlib.metadata import entry_points
from pathlib import Path

from kharkov_table import blank

from hexmarshal.cli.demo_referee import compare, write_sample_log
from hexmarshal.cli.vassal.make.offers import GROUP, offer
from hexmarshal.kit.module import pictures


@pytest.mark.parametrize("game", sorted(entry.name for entry in entry_points(group=GROUP)))
def test_what_the_demonstration_plants_is_found_and_nothing_else(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "pixels", blank)
    module, log = tmp_path / "game.vmod", tmp_path / "game.vlog"
    offer(game)(None).save(module)
    planted = write_sample_log(game, module, log)
    assert len(planted) >= 2
    compare(game, module, log, planted)
