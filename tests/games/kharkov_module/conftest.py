"""The built module, once for all tests: pictures are rendered once, drawings are made anew."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from hexmarshal.games.kharkov.module import build_module
from hexmarshal.games.kharkov.state.source import DATA, Source
from hexmarshal.kit.module import pictures
from hexmarshal.vassal.module import Module

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hexmarshal.vassal.builder import ModuleBuilder

pytest.importorskip("resvg_py")


@pytest.fixture(scope="session")
def source() -> Source:
    return DATA.source()


@pytest.fixture(scope="session")
def _rendered_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "pixels", cache(pictures.pixels))
        yield


@pytest.fixture(scope="session")
def built(_rendered_once: None) -> ModuleBuilder:
    return build_module()


@pytest.fixture(scope="session")
def vmod(built: ModuleBuilder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built.save(tmp_path_factory.mktemp("kharkov") / "kharkov.vmod")


@pytest.fixture(scope="session")
def module(vmod: Path) -> Module:
    return Module.open(vmod)
