"""The faces of the counters: full and reduced, revealed and unrevealed, active and inactive."""

from __future__ import annotations

from dataclasses import dataclass

from hexmarshal.games.kharkov.art import colours
from hexmarshal.games.kharkov.art.arms import BOX, symbol
from hexmarshal.games.kharkov.art.ink import Canvas

__all__ = ["SIZE", "Face", "base", "staff", "strength", "unrevealed", "whole"]

SIZE = 56
_MIDDLE = SIZE / 2


@dataclass(frozen=True, slots=True)
class Face:
    """What a counter's face tells, whatever its strength."""

    arm: str
    size: str
    ground: str
    ink: str = colours.INK
    left: str = ""
    right: str = ""


def base(face: Face) -> str:
    """A counter without its strength: colour, symbol and the unit's names."""
    return _done(_base(face))


def strength(text: str, *, reduced: bool = False, ink: str = colours.INK) -> str:
    """The strip with the printed values, to lie over a base; a stripe tells a reduced unit."""
    canvas = Canvas(native_text=False)
    _strength(canvas, text, ink, reduced=reduced)
    return _done(canvas)


def whole(face: Face, text: str, *, reduced: bool = False) -> str:
    """A counter with its strength, all in one."""
    canvas = _base(face)
    _strength(canvas, text, face.ink, reduced=reduced)
    return _done(canvas)


def _base(face: Face) -> Canvas:
    canvas = _blank(face.ground)
    symbol(canvas, face.arm, face.size)
    left, top, right, bottom = BOX
    # Names stand at the sides of the box, read from bottom to top and from top to bottom.
    for text, x, turn in ((face.left, left - 5.4, -90), (face.right, right + 5.4, 90)):
        if text:
            y = (top + bottom) / 2
            with canvas.group(transform=f"rotate({turn} {x:g} {y:g})"):
                canvas.write(text, (x, y + 2.9), 5.8, weight=1.25, colour=face.ink)
    return canvas


def _strength(canvas: Canvas, text: str, ink: str, *, reduced: bool) -> None:
    if reduced:
        canvas.rectangle((3, 34), SIZE - 6, 18.5, rx=3, fill=colours.PAPER, fill_opacity=0.82)
        ink = colours.INK
    size = 13.0 if len(text) <= 4 else 11.6 if len(text) <= 5 else 10.4
    canvas.write(text, (_MIDDLE, 43.2 + size / 2), size, weight=1.45, colour=ink)


def unrevealed(arm: str, size: str, move: int, ground: str = colours.SOVIET) -> str:
    """The side of a Soviet counter that nobody has turned yet."""
    canvas = _blank(ground)
    symbol(canvas, arm, size)
    canvas.write("U", (_MIDDLE - 7, 50), 14, weight=1.6, colour=colours.GUARDS)
    canvas.write(f"{move}", (_MIDDLE + 9, 50), 12, weight=1.4, colour=colours.INK)
    return _done(canvas)


def staff(arm: str, name: str, lines: tuple[str, ...], ground: str, *, active: bool) -> str:
    """A headquarters or an army reserve: a flag with a name, active or not."""
    canvas = _blank(ground if active else colours.PAPER)
    if not active:
        canvas.rectangle(
            (2.5, 2.5), SIZE - 5, SIZE - 5, rx=5, fill="none", stroke=ground, stroke_width=3.4
        )
    symbol(canvas, arm)
    canvas.write(name, (_MIDDLE, 9.8), 6.2, weight=1.35, colour=colours.INK)
    for i, line in enumerate(lines):
        last = i == len(lines) - 1
        size = 9.5 if last else min(5.0, 44 / len(line))
        x, y = (_MIDDLE, 52.0) if last else (_MIDDLE + 3.5, 39.4)
        canvas.write(line, (x, y), size, weight=1.3 if last else 1.15, colour=colours.INK)
    return _done(canvas)


def _blank(ground: str) -> Canvas:
    canvas = Canvas(native_text=False)
    edge = canvas.define(
        "edge",
        '<linearGradient id="edge" x1="0" y1="0" x2="1" y2="1">'
        '<stop offset="0" stop-color="#fff" stop-opacity=".35"/>'
        '<stop offset=".5" stop-color="#fff" stop-opacity="0"/>'
        '<stop offset="1" stop-color="#000" stop-opacity=".18"/></linearGradient>',
    )
    for fill, line in ((ground, "#3a342c"), (edge, None)):
        canvas.rectangle(
            (0.75, 0.75), SIZE - 1.5, SIZE - 1.5, rx=6, fill=fill, stroke=line, stroke_width=1.5
        )
    return canvas


def _done(canvas: Canvas) -> str:
    return canvas.render((0, 0, SIZE, SIZE))
