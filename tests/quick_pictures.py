"""Pictures for modules that tests build: boards, the slow ones, have their size and no more."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from hexmarshal.kit.drawing.canvas import pixels
from hexmarshal.kit.module import pictures

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGE = 100_000


@cache
def quick_pixels(svg: str, *, zoom: float = 1.0) -> bytes:
    """As it is drawn, once; of a board the size alone, after a look whether it is a picture."""
    if len(svg) < LARGE:
        return pixels(svg, zoom=zoom)
    etree.fromstring(svg.encode(), etree.XMLParser(huge_tree=True))
    head = svg[: svg.index(">", svg.index("<svg")) + 1]
    return pixels(f"{head}</svg>", zoom=zoom)


@contextmanager
def quick_pictures() -> Iterator[None]:
    """While modules are built."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "pixels", quick_pixels)
        yield
