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


LARGE = 100_000


@pytest.fixture(scope="package")
def _boards_blank() -> Iterator[None]:
    """Boards are the slow pictures; in this folder they have their size, and nothing on them."""
    pytest.importorskip("resvg_py")
    render = pictures.pixels

    def blank(svg: str, *, zoom: float = 1.0) -> bytes:
        head = svg[: svg.index(">", svg.index("<svg")) + 1]
        return render(svg if len(svg) < LARGE else f"{head}</svg>", zoom=zoom)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "pixels", blank)
        yield


@pytest.fixture(scope="package")
def built(_boards_blank: None) -> ModuleBuilder:
    return build_module()


@pytest.fixture(scope="package")
def vmod(built: ModuleBuilder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built.save(tmp_path_factory.mktemp("heroes") / "heroes-of-stalingrad.vmod")


@pytest.fixture(scope="package")
def module(vmod: Path) -> Module:
    return Module.open(vmod)
