"""Building modules of the games: pictures are rendered once, drawings are made anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from quick_pictures import quick_pictures

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.vassal.builder import ModuleBuilder


@pytest.fixture(scope="session")
def quickly_built() -> Callable[[Callable[[], ModuleBuilder]], ModuleBuilder]:
    """What a game's `build_module` makes, with boards that have nothing on them."""
    pytest.importorskip("resvg_py")

    def built(build_module: Callable[[], ModuleBuilder]) -> ModuleBuilder:
        with quick_pictures():
            return build_module()

    return built
