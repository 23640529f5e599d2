"""Writing in a picture: strokes of our own, so that text shows on a machine without any font."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

from hexmarshal.geometry.svg.glyphs import ACCENTS, GLYPHS

__all__ = ["CAP", "Glyph", "glyph", "has_strokes", "width"]

CAP = 12
"""The height of a capital on the glyphs' grid."""

_GAP = 2.6
_UNKNOWN = (7.0, "M0 0H7V12H0Z")
_BELOW = frozenset("\u0327\u0328")


class Glyph(NamedTuple):
    """The strokes of one character and how far the pen moves on."""

    path: str
    advance: float
    accents: tuple[tuple[str, float, float], ...] = ()


@lru_cache(maxsize=1024)
def glyph(character: str) -> Glyph:
    """The strokes of a character; a hollow box where there are none."""
    plain = GLYPHS.get(character)
    if plain is not None:
        return Glyph(plain[1], plain[0] + _GAP)
    if not _drawable(character):
        return Glyph(_UNKNOWN[1], _UNKNOWN[0] + _GAP)
    base, *marks = tuple(unicodedata.normalize("NFD", character))
    # A dotted letter loses its dot under an accent above.
    letter = "ı" if base == "i" and not _BELOW.issuperset(marks) else base
    wide, path = GLYPHS[letter]
    top = 0.0 if base.isupper() else 4.0
    accents = tuple((ACCENTS[mark], wide / 2, 0.0 if mark in _BELOW else top) for mark in marks)
    return Glyph(path, wide + _GAP, accents)


def has_strokes(text: str) -> bool:
    """Whether every character of a text can be written in strokes."""
    return all(_drawable(character) for character in text)


def _drawable(character: str) -> bool:
    if character in GLYPHS:
        return True
    base, *marks = tuple(unicodedata.normalize("NFD", character))
    return base in GLYPHS and all(mark in ACCENTS for mark in marks)


def width(text: str, size: float) -> float:
    """How wide a text is when its capitals are `size` high."""
    if not text:
        return 0.0
    return (sum(glyph(character).advance for character in text) - _GAP) * size / CAP
