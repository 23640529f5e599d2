"""How terrain looks: a table from words in a terrain's name to colours and symbols."""

from __future__ import annotations

import colorsys
import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

    from hexmarshal.geometry.terrain.terrain_map import TerrainType

__all__ = ["SIDES", "Style", "ground", "side_colour", "style"]


@dataclass(frozen=True, slots=True)
class Style:
    """One terrain's look: a filled area with a symbol on it, and a line where it is a line."""

    fill: str
    symbol: str = ""
    line: str = "#6b6258"
    width: float = 0.1
    """Of a line, in sides of a hex."""
    casing: str | None = None
    dashes: tuple[float, ...] = ()
    ticks: bool = False


_STYLES: tuple[tuple[tuple[str, ...], Style], ...] = (
    (("bridge", "ford"), Style("#b9a88a", line="#8a7350", width=0.26, casing="#4d4033")),
    (("rail",), Style("#b9b6b0", line="#3c3c3c", width=0.07, ticks=True)),
    (("highway", "paved"), Style("#e7cf9b", line="#f3e2b0", width=0.13, casing="#8c6f45")),
    (("road", "street"), Style("#e3d4b0", line="#e9d9b2", width=0.1, casing="#8c6f45")),
    (("path", "track", "trail"), Style("#e3d4b0", line="#8c6f45", width=0.05, dashes=(0.16, 0.1))),
    (("stream", "brook", "creek", "gully"), Style("#a9cfe6", line="#6aa9d0", width=0.1)),
    (("river", "canal"), Style("#8fc1e3", "waves", line="#4f93c4", width=0.2)),
    (("sea", "lake", "water", "ocean", "pond"), Style("#a3cdea", "waves", line="#4f93c4")),
    (("marsh", "swamp", "bog"), Style("#cfdcc4", "reeds", line="#5e8a78")),
    (("jungle",), Style("#7fae76", "trees", line="#2f5d36")),
    (("wood", "forest", "tree"), Style("#a9c98f", "trees", line="#3f6b3c")),
    (("orchard", "grove", "olive"), Style("#cfe0ab", "orchard", line="#5b8a45")),
    (("vineyard", "grain", "wheat", "field", "crop"), Style("#efe0a0", "furrows", line="#b99d3d")),
    (("brush", "scrub", "bush"), Style("#d5dfb0", "tufts", line="#7c8f4a")),
    (("hedge", "bocage"), Style("#8fb573", line="#4f7d3d", width=0.15)),
    (("city", "town", "village", "building", "house", "stone", "factory"),
     Style("#d9c9bb", "houses", line="#7d4f42")),
    (("rubble", "ruin"), Style("#cbbfb4", "rocks", line="#6f625b")),
    (("cliff", "escarpment", "crag"),
     Style("#c9b494", "rocks", line="#6e4f2c", width=0.1, ticks=True)),
    (("mountain", "rough", "rock", "broken"), Style("#d6c6a2", "rocks", line="#7f6a45")),
    (("hill", "ridge", "slope", "crest"), Style("#d9bf8c", line="#94703b", ticks=True)),
    (("desert", "sand", "beach"), Style("#f1e3b8", "dots", line="#c9ac66")),
    (("fort", "trench", "bunker", "entrench", "wire"),
     Style("#d3cbb9", line="#5d5547", width=0.12, dashes=(0.12, 0.08))),
    (("wall", "fence"), Style("#b8b2a8", line="#57534d", width=0.13)),
    (("smoke", "fog"), Style("#dcdcdc", "dots", line="#8b8b8b")),
    (("clear", "open", "plain", "steppe"), Style("none")),
)  # fmt: skip

_LEVELS = ("#eff1df", "#e7d9ae", "#d8bd86", "#c49d63", "#ab7f4a", "#8f6538")
_DEPTHS = ("#dbe6d2", "#c5d6c4", "#aec5b8")

SIDES = {
    "red": "#c8503f",
    "blue": "#4d7fb8",
    "green": "#5f9a58",
    "yellow": "#dcb63f",
    "grey": "#8d8d8d",
    "brown": "#a27b4c",
    "white": "#f4f2ea",
    "black": "#3d3d3d",
}
"""Colours of counters by name; a side with another name gets one of its own."""


def _own_colour(name: str, lightness: float, saturation: float) -> str:
    """A colour that depends on the name alone, so that it is the same in every picture."""
    hue = int.from_bytes(hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:2]) / 65536
    red, green, blue = colorsys.hls_to_rgb(hue, lightness, saturation)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def style(kind: TerrainType) -> Style:
    """The look of a terrain: by the words in its name, with the colour that the map gives it."""
    name = kind.name.lower()
    for words, known in _STYLES:
        if any(word in name for word in words):
            found = known
            break
    else:
        found = Style(_own_colour(name, 0.8, 0.4), line=_own_colour(name, 0.45, 0.5))
    if kind.colour is None:
        return found
    return replace(found, fill=kind.colour, line=kind.colour)


def ground(level: Fraction) -> str:
    """The colour of bare ground: browner the higher, greener the lower."""
    whole = int(level) if level >= 0 else -int(-level)
    if whole >= 0:
        return _LEVELS[min(whole, len(_LEVELS) - 1)]
    return _DEPTHS[min(-whole, len(_DEPTHS)) - 1]


def side_colour(side: str) -> str:
    """The colour of a side's counters."""
    return SIDES.get(side.lower()) or _own_colour(side.lower(), 0.55, 0.45)
