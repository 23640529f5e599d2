"""The built module, once for all tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hexmarshal.games.traces_of_war.module import build_module
from hexmarshal.vassal.module import Module

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.vassal.builder import ModuleBuilder


@pytest.fixture(scope="session")
def built(quickly_built) -> ModuleBuilder:
    return quickly_built(build_module)


@pytest.fixture(scope="session")
def vmod(built: ModuleBuilder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built.save(tmp_path_factory.mktemp("traces_of_war") / "traces-of-war.vmod")


@pytest.fixture(scope="session")
def module(vmod: Path) -> Module:
    return Module.open(vmod)
