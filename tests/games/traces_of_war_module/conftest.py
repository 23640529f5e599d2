"""The built module, once for all tests: pictures are rendered once, drawings are made anew."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from hexmarshal.games.traces_of_war.module import build_module
from hexmarshal.kit.module import pictures
from hexmarshal.vassal.module import Module

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hexmarshal.vassal.builder import ModuleBuilder


@pytest.fixture(scope="session")
def _rendered_once() -> Iterator[None]:
    pytest.importorskip("resvg_py")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "pixels", cache(pictures.pixels))
        yield


@pytest.fixture(scope="session")
def built(_rendered_once: None) -> ModuleBuilder:
    return build_module()


@pytest.fixture(scope="session")
def vmod(built: ModuleBuilder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built.save(tmp_path_factory.mktemp("traces_of_war") / "traces-of-war.vmod")


@pytest.fixture(scope="session")
def module(vmod: Path) -> Module:
    return Module.open(vmod)
