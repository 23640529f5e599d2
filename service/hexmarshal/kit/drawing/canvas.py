"""A picture of a fixed size in the making, and its way into pixels."""

from __future__ import annotations

from hexmarshal.geometry.svg.canvas import Canvas, Point
from hexmarshal.geometry.svg.png import png

__all__ = ["Canvas", "Drawing", "Point", "pixels"]


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
