"""The ground of a hand: where its cards or tokens lie, row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.kit.drawing.canvas import Drawing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.kit.drawing.canvas import Point

__all__ = ["hand_svg"]

_GROUND: Final = "#ebe8de"
_LINE: Final = "#b3ab95"
_TITLE: Final = 9.5


def hand_svg(
    size: tuple[int, int], rows: Iterable[tuple[str, Iterable[Point], tuple[float, float]]]
) -> str:
    """Rows of places: what each row is called, the middles of its places, and how large they are.

    The name stands above the first place of its row.
    """
    canvas = Drawing(*size)
    canvas.rectangle((0, 0), *size, fill=_GROUND)
    for title, middles, (wide, high) in rows:
        for number, (x, y) in enumerate(middles):
            corner = (x - wide / 2 - 2, y - high / 2 - 2)
            canvas.rectangle(corner, wide + 4, high + 4, rx=5, fill="none", stroke=_LINE)
            if not number:
                at = (corner[0] + 2, corner[1] - 4)
                canvas.write(title, at, _TITLE, anchor="start", weight=1.3, colour="#5b5342")
    return canvas.svg("A hand")
