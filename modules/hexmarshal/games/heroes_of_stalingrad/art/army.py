"""Recruitment tiles and options, and what cards that are in force look like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.games.heroes_of_stalingrad.art import colours
from hexmarshal.kit.drawing.canvas import Drawing, fitted, written
from hexmarshal.kit.drawing.colours import INK, PAPER, tone
from hexmarshal.kit.drawing.counters import SIZE
from hexmarshal.kit.drawing.markers import PICTURES, words

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["in_force", "recruited", "taken", "windows"]

_MIDDLE: Final = SIZE / 2
_PICTURES: Final = {"ammo": "ammo", "grenades": "bolt", "veteran": "skull", "artillery": "gun"}
_BANDS: Final = {
    "": "#5a4a2a",
    "support": "#3d5a40",
    "equipment": "#6d5a2c",
    "trait": "#5b3a63",
    "ordinance": "#7a3327",
}


def recruited(side: str, row: Mapping[str, Any]) -> str:
    """A recruitment tile or an option: its sort, its name, its break point and its points."""
    canvas, shades = Drawing(SIZE), tone(colours.SIDES[side])
    edge = (1, 1), SIZE - 2, SIZE - 2
    canvas.rectangle(*edge, rx=4, fill=shades.lit, stroke=INK, stroke_width=1.4)
    sort = str(row.get("type", ""))
    canvas.rectangle((1.6, 1.6), SIZE - 3.2, 10, rx=3, fill=_BANDS.get(sort, INK))
    written(canvas, (sort or "tile").upper(), (_MIDDLE, 6.8), 5, PAPER, weight=1.2)
    title = str(row["title"]).split()
    cut = (len(title) + 1) // 2
    for n, line in enumerate(filter(None, (" ".join(title[:cut]), " ".join(title[cut:])))):
        written(canvas, line, (_MIDDLE, 18 + 8 * n), fitted(line, 7, SIZE - 8), INK, weight=1.3)
    for n, name in enumerate(list(row.get("markers") or {})[:3]):
        path = PICTURES[_PICTURES.get(name, "ammo")]
        at = f"translate({20 - 12 * n if n else 20} 31) scale(0.3)"
        canvas.element("path", d=path, fill=INK, fill_rule="evenodd", transform=at)
    if row.get("break"):
        text = f"break {row['break']}, {row.get('points', 0)} VP"
        written(canvas, text, (_MIDDLE, 50.5), fitted(text, 5.4, SIZE - 6), INK)
    return canvas.svg(str(row["title"]))


def taken(side: str) -> str:
    """The order tokens that a side took when the turn began."""
    return words(tone(colours.SIDES[side]).plain, "ORDER", "TOKENS", ink=INK)


def in_force(side: str, what: str, much: str) -> str:
    """What a card gives to a side for a while."""
    return words(tone(colours.SIDES[side]).plain, what, much, ink=INK)


def windows(count: int) -> str:
    """A unit may pass so many windows as if they were doors."""
    return words("#2f5d6e", "WINDOW", str(count) if count > 1 else "")
