"""The built module, once for all tests: what its pictures show is looked at elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hexmarshal.games.heroes_of_stalingrad.module import build_module
from hexmarshal.kit.module import pictures
from hexmarshal.vassal.module import Module

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hexmarshal.vassal.builder import ModuleBuilder


@pytest.fixture(scope="session")
def _boards_small() -> Iterator[None]:
    """Boards are the slow pictures; here they are rendered at a tenth of their size."""
    pytest.importorskip("resvg_py")
    render = pictures.pixels
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            pictures,
            "pixels",
            lambda svg, *, zoom=1.0: render(svg, zoom=zoom if len(svg) < 100_000 else 0.1),
        )
        yield


@pytest.fixture(scope="session")
def built(_boards_small: None) -> ModuleBuilder:
    return build_module()


@pytest.fixture(scope="session")
def vmod(built: ModuleBuilder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built.save(tmp_path_factory.mktemp("heroes") / "heroes-of-stalingrad.vmod")


@pytest.fixture(scope="session")
def module(vmod: Path) -> Module:
    return Module.open(vmod)
