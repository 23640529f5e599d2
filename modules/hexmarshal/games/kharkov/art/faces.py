"""The faces of the counters: full and reduced, revealed and unrevealed, active and inactive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.kharkov.art import colours
from hexmarshal.kit.drawing.canvas import Drawing
from hexmarshal.kit.drawing.counters import SIZE, SYMBOL, Face, card
from hexmarshal.kit.drawing.symbols import symbol

if TYPE_CHECKING:
    from hexmarshal.kit.drawing.canvas import Canvas

__all__ = ["ARMS", "SIZE", "face", "staff", "unrevealed"]

ARMS: Final = {
    "infantry": "infantry",
    "light": "light",
    "mountain": "mountain",
    "security": "security",
    "regiment": "infantry",
    "romanian": "infantry",
    "panzer": "armour",
    "panzergrenadier": "mechanised",
    "rifle": "infantry",
    "guards": "cross+G",
    "replacement": "infantry",
    "cavalry": "cavalry",
    "tank": "armour",
    "motorised": "motorised",
    "hq": "hq",
    "reserve": "RES",
}
"""The symbols of the types of units."""
_MIDDLE: Final = SIZE / 2


def face(
    kind: str,
    size: str,
    ground: str,
    *,
    ink: str = colours.INK,
    names: tuple[str, str] = ("", ""),
    strength: str = "",
    reduced: bool = False,
) -> str:
    """A counter: colour, symbol and names, with its strength or without."""
    made = Face(
        ground,
        symbol=ARMS[kind],
        echelon=size,
        left=names[0],
        right=names[1],
        strength=strength,
        reduced=reduced,
        ink=ink,
    )
    return made.svg()


def unrevealed(arm: str, size: str, move: int, ground: str = colours.SOVIET) -> str:
    """The side of a Soviet counter that nobody has turned yet."""
    canvas = Drawing(SIZE)
    card(canvas, ground)
    _symbol(canvas, arm, size)
    canvas.write("U", (_MIDDLE - 7, 50), 14, weight=1.6, colour=colours.GUARDS)
    canvas.write(f"{move}", (_MIDDLE + 9, 50), 12, weight=1.4, colour=colours.INK)
    return canvas.svg()


def staff(arm: str, name: str, lines: tuple[str, ...], ground: str, *, active: bool) -> str:
    """A headquarters or an army reserve: a flag with a name, active or not."""
    canvas = Drawing(SIZE)
    card(canvas, ground if active else colours.PAPER)
    if not active:
        canvas.rectangle(
            (2.5, 2.5), SIZE - 5, SIZE - 5, rx=5, fill="none", stroke=ground, stroke_width=3.4
        )
    _symbol(canvas, arm)
    canvas.write(name, (_MIDDLE, 9.8), 6.2, weight=1.35, colour=colours.INK)
    for i, line in enumerate(lines):
        last = i == len(lines) - 1
        size = 9.5 if last else min(5.0, 44 / len(line))
        x, y = (_MIDDLE, 52.0) if last else (_MIDDLE + 3.5, 39.4)
        canvas.write(line, (x, y), size, weight=1.3 if last else 1.15, colour=colours.INK)
    return canvas.svg()


def _symbol(canvas: Canvas, arm: str, size: str = "") -> None:
    symbol(canvas, ARMS[arm], SYMBOL, size=size, ink=colours.INK, paper=colours.SYMBOL)
