"""Markers: signs that lie on units, and pieces that lie on hexes and tracks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.art import colours
from hexmarshal.kit.drawing.markers import (
    badge,
    band,
    moved,
    picture,
    ramparts,
    tile,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MARKERS", "SIGNS"]

_PARACHUTE = "M12 24A16 16 0 0 1 44 24Q40 21 36 24Q32 21 28 24Q24 21 20 24Q16 21 12 24Z"


def _air_supply() -> str:
    canvas = tile("#d8e6ee", ("AIR SUPPLY", 51, 5.4), ink=colours.INK)
    with canvas.group(fill="none", stroke=colours.INK, stroke_width=1.4):
        canvas.element("path", d=_PARACHUTE, fill="#f7f1de")
        for x in (12, 20, 28, 36, 44):
            canvas.polyline(((x, 24), (28, 36)))
        canvas.rectangle((24, 35), 8, 8, fill="#8a6a3c")
    return canvas.svg()


def _garrison_destroyed() -> str:
    canvas = tile("#5e5752", ("GARRISON", 11.5, 5.8), ("DESTROYED", 51, 5.4))
    with canvas.group(fill="none", stroke="#f0a030", stroke_width=3, stroke_linecap="round"):
        canvas.polyline(((18, 18), (38, 42)))
        canvas.polyline(((38, 18), (18, 42)))
    return canvas.svg()


def _points(fill: str, whose: str, times: str) -> Callable[[], str]:
    return lambda: tile(fill, (whose, 14, 7.0), ("VP", 33, 13), (times, 49, 10)).svg()


_AXIS, _SOVIET = "#4f5d50", "#a8312c"

# Signs that lie over a unit, as layers of its counter.
SIGNS: dict[str, Callable[[], str]] = {
    "moved": moved,
    "disrupted": lambda: band("DISRUPTED", "#b5341f"),
    "displaced": lambda: band("DISPLACED", "#2c4a6e"),
    "unsupplied": lambda: badge("S", "#8c2f6b"),
    "strongpoint": ramparts,
}
# Pieces of their own.
MARKERS: dict[str, Callable[[], str]] = {
    "game-turn": lambda: words("#2c4a6e", "GAME", "TURN"),
    "air-axis": lambda: picture(_AXIS, "plane"),
    "air-soviet": lambda: picture(_SOVIET, "plane"),
    "air-supply": _air_supply,
    "vp-axis-1": _points(_AXIS, "AXIS", "x1"),
    "vp-axis-10": _points(_AXIS, "AXIS", "x10"),
    "vp-soviet-1": _points(_SOVIET, "SOVIET", "x1"),
    "vp-soviet-10": _points(_SOVIET, "SOVIET", "x10"),
    "garrison-destroyed": _garrison_destroyed,
    "held-axis": lambda: words(_AXIS, "AXIS", "HELD"),
    "held-soviet": lambda: words(_SOVIET, "SOVIET", "HELD"),
    "south-active": lambda: words("#2f7a3a", "SOUTH", "ACTIVE"),
}
