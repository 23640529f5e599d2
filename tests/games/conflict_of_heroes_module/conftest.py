"""The module, built once for all tests that look into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("resvg_py")

from hexmarshal.games.conflict_of_heroes.module import build_module
from hexmarshal.vassal.module import Module

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def vmod(quickly_built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return quickly_built(build_module).save(tmp_path_factory.mktemp("coh") / "coh.vmod")


@pytest.fixture(scope="session")
def module(vmod: Path) -> Module:
    return Module.open(vmod)
