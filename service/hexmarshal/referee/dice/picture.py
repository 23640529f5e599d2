"""A picture of dice: for each player and die a row of bars, beside what fair dice would give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors.counts import counted
from hexmarshal.kit.drawing.canvas import Drawing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.dice.tallies import Tally

__all__ = ["dice_svg"]

_WIDE: Final = 720
_HIGH: Final = 168
_LEFT: Final = 232
_BASE: Final = 126
_BAR: Final = 84
_PAPER: Final = "#fbfaf6"
_INK: Final = "#22303c"
_SOFT: Final = "#6b7884"
_LINE: Final = "#b5382a"
_FILLS: Final = ("#3c6ea3", "#7a9a3f", "#c07c2c", "#7d5ba6", "#2f8f83", "#a34a5f")


def dice_svg(found: Sequence[Tally]) -> str:
    """The bars of every tally, one row each, the players in colours of their own."""
    canvas = Drawing(_WIDE, max(1, len(found)) * _HIGH + 46)
    canvas.rectangle((0, 0), _WIDE, canvas.size[1], fill=_PAPER)
    canvas.write("Dice", (16, 30), 13, colour=_INK, weight=2, anchor="start")
    canvas.element("path", d=f"M{_WIDE - 210} 24h26", stroke=_LINE, stroke_width=2, fill="none")
    canvas.write("equal numbers", (_WIDE - 176, 28), 8, colour=_SOFT, anchor="start")
    players = list(dict.fromkeys(one.player for one in found))
    for row, one in enumerate(found):
        _row(canvas, one, 46 + row * _HIGH, _FILLS[players.index(one.player) % len(_FILLS)])
    return canvas.svg("Dice by player")


def _row(canvas: Drawing, one: Tally, top: float, fill: str) -> None:
    name = one.player or "nobody"
    canvas.write(name, (16, top + 28), 12, colour=_INK, weight=1.8, anchor="start")
    said = [
        f"{one.die.name}{f', {one.purpose}' if one.purpose else ''}",
        f"{counted(one.rolls, 'roll')}, {counted(one.dice, 'die', 'dice')}",
    ]
    if one.mean is not None:
        said.append(f"mean {float(one.mean):.2f}")
    if one.p_faces is not None:
        said.append(f"faces: chance {'' if one.exact_faces else 'about '}{one.p_faces:.3f}")
    if one.p_mean is not None:
        said.append(f"mean: chance {'' if one.exact_mean else 'about '}{one.p_mean:.3f}")
    for i, text in enumerate(said):
        canvas.write(text, (16, top + 50 + 19 * i), 8.5, colour=_SOFT, anchor="start")
    most = max((count for _, count in one.counts), default=0) or 1
    step = (_WIDE - _LEFT - 24) / max(1, len(one.counts))
    wide = min(54.0, step * 0.72)
    if one.p_faces is not None and one.counts:
        y = top + _BASE - _BAR * one.dice / len(one.counts) / most
        canvas.element(
            "path", d=f"M{_LEFT} {y:.1f}H{_WIDE - 24}", stroke=_LINE, stroke_width=1.4, fill="none",
            stroke_dasharray="5 4",
        )  # fmt: skip
    for i, (face, count) in enumerate(one.counts):
        x, high = _LEFT + step * (i + 0.5), _BAR * count / most
        canvas.rectangle((x - wide / 2, top + _BASE - high), wide, max(high, 0.8), rx=2, fill=fill)
        canvas.write(face[:10], (x, top + _BASE + 16), 9, colour=_INK)
        canvas.write(str(count), (x, top + _BASE - high - 5), 8, colour=_INK, halo=_PAPER)
