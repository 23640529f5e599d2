"""Curves, chance without chance, and the way from a drawing to a PNG that may be see-through."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hexmarshal.errors import MissingExtraError
from hexmarshal.geometry.svg.canvas import Canvas, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.geometry.svg.canvas import Point

__all__ = ["Canvas", "bend", "jitter", "png"]


def bend(through: Sequence[Point]) -> str:
    """A path through the middles of the legs, round at the corners, to both ends."""

    def text(point: Point) -> str:
        return f"{number(point[0])} {number(point[1])}"

    parts = [f"M{text(through[0])}"]
    for here, there in pairwise(through[1:]):
        middle = ((here[0] + there[0]) / 2, (here[1] + there[1]) / 2)
        parts.append(f"Q{text(here)} {text(middle)}")
    parts.append(f"L{text(through[-1])}")
    return "".join(parts)


def jitter(*seed: int) -> float:
    """A number from 0 to 1 that depends on the seed alone: a picture must not change by itself."""
    state = 2166136261
    for value in seed:
        state = (state ^ (value & 0xFFFFFFFF)) * 16777619 & 0xFFFFFFFF
        state ^= state >> 13
        state = state * 0x5BD1E995 & 0xFFFFFFFF
        state ^= state >> 15
    return state / 0xFFFFFFFF


def png(svg: str) -> bytes:
    """The drawing in pixels; what it leaves empty is see-through."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise MissingExtraError(
            "the module's pictures need resvg-py", hint="pip install 'hexmarshal[render]'"
        ) from None
    return bytes(svg_to_bytes(svg_string=svg, skip_system_fonts=True))
