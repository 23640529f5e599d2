"""Hit markers: what a hit changes, corner by corner as on a unit's counter, and their backs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art.colours import BLUE, INK, PAPER, RED
from hexmarshal.kit.drawing.canvas import Drawing, fitted, written
from hexmarshal.kit.drawing.signs import burst, star

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.state.tables import Hit
    from hexmarshal.geometry.svg.canvas import Canvas, Point

__all__ = ["HIT", "hit_back_svg", "hit_svg"]

HIT: Final = 60
_RIMS: Final = {"foot": "#b4552d", "vehicle": "#3f5f7c"}


def pool_of(hit: Hit) -> str:
    """The pool that a marker belongs to."""
    return hit.key.partition("-")[0]


def hit_svg(hit: Hit) -> str:
    """The face of a hit marker."""
    canvas = Drawing(HIT)
    rim = _RIMS[pool_of(hit)]
    canvas.rectangle(
        (0.8, 0.8), 58.4, 58.4, rx=5, fill="#f3ead3", stroke="#2a2018", stroke_width=1.6
    )
    canvas.element(
        "path", d="M1.6 6a4.4 4.4 0 0 1 4.4-4.4h48a4.4 4.4 0 0 1 4.4 4.4v7H1.6z", fill=rim
    )
    name = hit.title
    written(canvas, name, (30, 7.4), fitted(name, 6.0, 52), "#fff8e8", weight=1.4)
    if hit.eliminated:
        _struck(canvas)
    else:
        _corners(canvas, hit)
        _rally(canvas, hit)
    return canvas.svg(hit.title)


def _struck(canvas: Canvas) -> None:
    burst(canvas, (30, 36), 19)
    canvas.element(
        "path",
        d="M22 28L38 44M38 28L22 44",
        stroke="#7c120c",
        stroke_width=5,
        stroke_linecap="round",
    )


def _signed(value: int) -> str:
    return f"+{value}" if value > 0 else str(value)


def _corners(canvas: Canvas, hit: Hit) -> None:
    """Fire cost, move cost, firepower and defence where a unit has them."""
    everything = hit.only_rally
    if everything or hit.no_fire == {"red", "blue"}:
        _barred(canvas, (11, 22), INK)
    elif hit.fire:
        written(canvas, _signed(hit.fire), (11, 22), 8, INK, weight=1.6)
    if everything or hit.no_move:
        _barred(canvas, (49, 22), INK)
    elif hit.move:
        written(canvas, _signed(hit.move), (49, 22), 8, RED, weight=1.6)
    for colour, ink, y in (("red", RED, 41.0), ("blue", BLUE, 52.0)):
        if hit.no_fire == {colour}:
            _barred(canvas, (11, y), ink)
        elif hit.power(colour):
            written(canvas, _signed(hit.power(colour)), (11, y), 8, ink, weight=1.6)
    for value, y in ((hit.flank, 41.0), (hit.front, 52.0)):
        if value:
            written(canvas, _signed(value), (49, y), 8, INK, weight=1.6)
    if hit.flank or hit.front:
        canvas.rectangle((40.5, 35), 17, 23, rx=3, fill="none", stroke=INK, stroke_width=0.7)
        canvas.element("path", d="M40.5 46.5H57.5", stroke=INK, stroke_width=0.5)
    if hit.range is not None:
        written(canvas, f"range {hit.range}", (29, 52.5), 4.0, INK, weight=1.2)


def _barred(canvas: Canvas, at: Point, colour: str) -> None:
    """What the unit can no longer do."""
    canvas.circle(at, 4.8, fill="none", stroke=colour, stroke_width=2)
    x, y = at
    canvas.polyline([(x - 3.4, y + 3.4), (x + 3.4, y - 3.4)], stroke=colour, stroke_width=2)


def _rally(canvas: Canvas, hit: Hit) -> None:
    canvas.circle((30, 30), 9.8, fill="#fffdf4", stroke="#2f6b33", stroke_width=1.8)
    if hit.rally is None:
        written(canvas, "no", (30, 27.8), 5, "#7c120c", weight=1.4)
        written(canvas, "rally", (30, 34), 4.2, "#7c120c", weight=1.3)
    else:
        written(canvas, f"{hit.rally}+", (30, 30), 8.6, "#2f6b33", weight=1.8)
    if hit.only_rally:
        written(canvas, "rally only", (30, 49), 5, INK, weight=1.3)


def hit_back_svg(pool: str) -> str:
    """The back of a pool's markers, the same for all of them."""
    canvas = Drawing(HIT)
    rim = _RIMS[pool]
    canvas.rectangle((0.8, 0.8), 58.4, 58.4, rx=5, fill=rim, stroke="#2a2018", stroke_width=1.6)
    canvas.rectangle((4, 4), 52, 52, rx=3, fill="none", stroke=PAPER, stroke_opacity=0.6)
    canvas.polygon(star((30, 27), 19, points=9, depth=0.62), fill="#f2a51f", stroke="#3a1a08")
    canvas.polygon(star((30, 27), 9, points=9, depth=0.62), fill="#fff1c4")
    written(canvas, pool.upper(), (30, 51), 5.2, PAPER, weight=1.4)
    return canvas.svg()
