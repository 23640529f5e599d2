"""Colours of counters and sheets: one colour tells how its lit and its shaded edge look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["INK", "LINE", "PAPER", "Tone", "is_dark", "mixed", "tone"]

INK: Final = "#221f1b"
PAPER: Final = "#f7f1de"
LINE: Final = "#2a2820"


@dataclass(frozen=True, slots=True)
class Tone:
    """The card of a side: lit, plain and shaded, and the ink that reads best on it."""

    lit: str
    plain: str
    shaded: str
    ink: str = INK


def tone(colour: str) -> Tone:
    """A colour with its light and its shade."""
    ink = PAPER if is_dark(colour) else INK
    return Tone(mixed(colour, "#ffffff", 0.22), colour, mixed(colour, "#000000", 0.3), ink)


def mixed(one: str, other: str, share: float) -> str:
    """A colour `share` of the way to another."""
    pairs = zip(_parts(one), _parts(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def is_dark(colour: str) -> bool:
    """Whether light ink reads better on it."""
    red, green, blue = _parts(colour)
    return red * 3 + green * 6 + blue < 1240


def _parts(colour: str) -> tuple[int, int, int]:
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(2 * d for d in digits)
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
