"""Small cards of text, as SVG: an action or a verdict in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.geometry.svg.canvas import Canvas
from hexmarshal.geometry.svg.lettering import width

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["NEUTRAL", "NO", "YES", "card"]

YES: Final = "#2f7d4f"
NO: Final = "#b3362a"
NEUTRAL: Final = "#3d5a80"
_INK: Final = "#26211a"
_PAPER: Final = "#fffdf6"
_SIZE, _LINE, _RIM = 9.0, 20.0, 12.0
# Longer lines and lists are cut: a card is looked at, not read through.
_LONGEST, _MOST = 110, 12


def card(lines: Sequence[str], colour: str) -> str:
    """The lines below each other, with a stripe of this colour at the left."""
    shown = [_cut(line) for line in lines[:_MOST]]
    if len(lines) > _MOST:
        shown.append(f"and {len(lines) - _MOST} more")
    wide = max((width(line, _SIZE) for line in shown), default=0.0) + 3 * _RIM
    high = _LINE * len(shown) + _RIM
    canvas = Canvas()
    canvas.rectangle((0.5, 0.5), wide - 1, high - 1, fill=_PAPER, stroke=colour)
    canvas.rectangle((0, 0), 5, high, fill=colour)
    for number, line in enumerate(shown):
        at = (1.5 * _RIM, _RIM / 2 + _LINE * number + (_LINE + _SIZE) / 2)
        canvas.write(line, at, _SIZE, colour=_INK, anchor="start")
    return canvas.render((0, 0, wide, high), shown[0] if shown else "")


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
