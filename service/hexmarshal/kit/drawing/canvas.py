"""A picture of a fixed size in the making: texts that fit into it, and its way into pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.geometry.svg.canvas import Canvas, Point
from hexmarshal.geometry.svg.lettering import width
from hexmarshal.geometry.svg.png import png

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "Canvas", "Drawing", "Point", "fitted", "frame_path", "lines_of", "pixels", "width", "written",
]  # fmt: skip


class Drawing(Canvas):
    """A canvas that begins at the origin; texts are strokes, so no font is needed."""

    def __init__(self, wide: float, high: float | None = None) -> None:
        super().__init__(native_text=False)
        self.size = wide, wide if high is None else high

    def svg(self, title: str = "") -> str:
        """The picture."""
        return self.render((0, 0, *self.size), title)


def pixels(svg: str, *, zoom: float = 1.0) -> bytes:
    """A picture as PNG, `zoom` pixels for each unit; what it leaves empty is see-through."""
    return png(svg, zoom=zoom, paper=None)


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


def frame_path(low: float, high: float, corner: float, gap: float) -> str:
    """A square frame with round corners, open below by twice the `gap`: names stand there."""
    middle = (low + high) / 2
    parts = (
        f"M{middle + gap} {high}H{high - corner}Q{high} {high} {high} {high - corner}",
        f"V{low + corner}Q{high} {low} {high - corner} {low}",
        f"H{low + corner}Q{low} {low} {low} {low + corner}",
        f"V{high - corner}Q{low} {high} {low + corner} {high}H{middle - gap}",
    )
    return "".join(parts)
