"""The built module, once for all tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hexmarshal.games.kharkov.module import build_module
from hexmarshal.games.kharkov.state.source import DATA, Source
from hexmarshal.vassal.module import Module

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.vassal.builder import ModuleBuilder

pytest.importorskip("resvg_py")


@pytest.fixture(scope="session")
def source() -> Source:
    return DATA.source()


@pytest.fixture(scope="session")
def built(quickly_built) -> ModuleBuilder:
    return quickly_built(build_module)


@pytest.fixture(scope="session")
def vmod(built: ModuleBuilder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built.save(tmp_path_factory.mktemp("kharkov") / "kharkov.vmod")


@pytest.fixture(scope="session")
def module(vmod: Path) -> Module:
    return Module.open(vmod)
