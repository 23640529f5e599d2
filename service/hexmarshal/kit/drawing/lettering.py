"""Texts that fit where they stand: centred, as small as need be, broken into lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.geometry.svg.lettering import width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.kit.drawing.canvas import Canvas, Point

__all__ = ["fitted", "lines_of", "width", "written"]


def written(
    canvas: Canvas, text: str, at: Point, size: float, colour: str, *, weight: float = 1.5
) -> None:
    """A text centred on a point in both directions."""
    canvas.write(text, (at[0], at[1] + size / 2), size, colour=colour, weight=weight)


def fitted(text: str, size: float, wide: float) -> float:
    """The size at which a text is no wider than that, at most the size wished for."""
    natural = width(text, size)
    return size if natural <= wide else size * wide / natural


def lines_of(text: str, size: float, wide: float) -> Sequence[str]:
    """A text broken at its blanks into lines no wider than that."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size) <= wide:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
