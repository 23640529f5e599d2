"""A sheet that shows counters side by side, row by row under a title."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Final

from hexmarshal.kit.drawing.canvas import Drawing
from hexmarshal.kit.drawing.colours import INK, is_dark

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hexmarshal.kit.drawing.canvas import Canvas

    Draw = Callable[[Canvas], None]
    """Draws a counter with its upper left corner at the origin."""

__all__ = ["counter_sheet", "layered"]

_TITLE: Final = 18


def counter_sheet(
    rows: Mapping[str, Sequence[Draw]],
    size: float,
    *,
    gap: float = 10,
    columns: int = 0,
    ground: str = "#efe6cc",
) -> str:
    """The sheet as SVG; rows longer than `columns` go on below, and an empty title has no line."""
    most = columns or max(map(len, rows.values()))
    step = size + gap
    lines = [
        (title if first == 0 else "", counters[first : first + most])
        for title, counters in rows.items()
        for first in range(0, len(counters), most)
    ]
    wide = gap + 4 + step * most
    high = gap + sum(step + (_TITLE if title else 0) for title, _ in lines)
    canvas = Drawing(wide, high)
    canvas.rectangle((0, 0), wide, high, fill=ground)
    ink, y = "#f7f1de" if is_dark(ground) else INK, gap
    for title, counters in lines:
        if title:
            at = (gap + 2, y + 10)
            canvas.write(title, at, 8, anchor="start", weight=1.3, colour=ink)
            y += _TITLE
        for i, draw in enumerate(counters):
            with canvas.group(transform=f"translate({gap + 2 + i * step:g} {y:g})"):
                draw(canvas)
        y += step
    return canvas.svg("Counters")


def layered(size: float, *pictures: str | bytes) -> Draw:
    """A counter of pictures over each other, as SVG or as PNG."""

    def draw(canvas: Canvas) -> None:
        for picture in pictures:
            kind, data = (
                ("svg+xml", picture.encode()) if isinstance(picture, str) else ("png", picture)
            )
            href = f"data:image/{kind};base64,{b64encode(data).decode()}"
            canvas.element("image", x=0, y=0, width=size, height=size, href=href)

    return draw
