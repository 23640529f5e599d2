"""The face of a unit's counter, fresh and spent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art.colours import BLUE, CLASSES, INK, PAPER, RED, SIDES
from hexmarshal.kit.drawing.canvas import Drawing, fitted, lines_of, written
from hexmarshal.kit.drawing.counters import blank
from hexmarshal.kit.drawing.signs import burst, cross, flame, plate, puff, shield, star
from hexmarshal.kit.drawing.silhouettes import draw_silhouette

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.state.tables import Counter
    from hexmarshal.geometry.svg.canvas import Canvas

__all__ = ["ARROW", "SIZE", "counter_svg", "draw_counter"]

SIZE: Final = 72
"""The side of a counter."""
ARROW: Final = 116
"""The side of the picture of an arrow, which turns under the counter."""

_COLOURS: Final = {"red": RED, "blue": BLUE}
_ASIDE: Final = re.compile(r"\s*\(.*?\)")


def counter_svg(unit: Counter, *, spent: bool = False) -> str:
    """A counter: costs above, firepower at the left, defence at the right, range below."""
    canvas = Drawing(SIZE)
    draw_counter(canvas, unit, spent=spent)
    return canvas.svg(unit.title)


def draw_counter(canvas: Canvas, unit: Counter, *, spent: bool = False) -> None:
    """Draw a counter with its upper left corner at the origin."""
    blank(canvas, SIZE, SIDES[unit.side])
    if spent:
        _spent_bar(canvas)
    draw_silhouette(canvas, unit.kind, 18.6, 20.5, 0.87)
    _title(canvas, unit)
    _costs(canvas, unit)
    _firepower(canvas, unit)
    _defence(canvas, unit)
    _range(canvas, unit)
    if spent:
        dim = SIZE - 1.6
        canvas.rectangle((0.8, 0.8), dim, dim, rx=6, fill="#3a2a2a", fill_opacity=0.16)


def _spent_bar(canvas: Canvas) -> None:
    canvas.rectangle((1.6, 19), SIZE - 3.2, 25.5, fill="#e58ca0")
    hatch = "".join(f"M{x} 44.5l12 -25.5" for x in range(-8, SIZE, 7))
    clip = '<clipPath id="bar"><rect x="1.6" y="19" width="68.8" height="25.5"/></clipPath>'
    with canvas.group(clip_path=canvas.define("bar", clip)):
        canvas.element("path", d=hatch, stroke="#cf6a82", stroke_width=2)
    canvas.element("path", d="M1.6 19H70.4M1.6 44.5H70.4", stroke="#8d3248", stroke_width=1)


def _title(canvas: Canvas, unit: Counter) -> None:
    name = _ASIDE.sub("", unit.title)
    size = 4.7
    while len(lines := lines_of(name, size, 30)) > 2 and size > 3.4:
        size -= 0.15
    top = 9.6 if len(lines) == 1 else 7.0
    for i, line in enumerate(lines[:2]):
        canvas.write(
            line,
            (SIZE / 2, top + size / 2 + i * (size + 2.1)),
            fitted(line, size, 30),
            colour=INK,
            weight=1.15,
        )


def _costs(canvas: Canvas, unit: Counter) -> None:
    """Action points: to fire at the left, to move at the right in the colour of its class."""
    if unit.fire is not None:
        if unit.turret:
            canvas.circle((11.5, 11.5), 8.3, fill="#fdfcf6", stroke=INK, stroke_width=1)
        written(canvas, str(unit.fire), (11.5, 11.5), 10, INK, weight=1.8)
    if unit.indirect is not None:
        written(canvas, f"({unit.indirect})", (10.8, 24.5), 6.6, INK, weight=1.4)
    colour = CLASSES[unit.move_class]
    canvas.rectangle((53, 4.2), 15, 14.6, rx=3, fill=PAPER, stroke=colour, stroke_width=1)
    written(canvas, str(unit.move), (60.5, 11.5), 9.6, colour, weight=1.8)
    for i in range(unit.bonus):
        x = 64.6 - i * 6.4
        if unit.move_class == "tracked":
            canvas.rectangle((x - 2.7, 21), 5.4, 3.6, rx=1.8, fill=PAPER, stroke=colour)
        else:
            canvas.circle((x, 22.8), 2.3, fill=PAPER, stroke=colour, stroke_width=1.3)


def _firepower(canvas: Canvas, unit: Counter) -> None:
    """Red above blue; a white plate is worse in close combat."""
    if unit.fire is None:
        return
    for colour, y in (("red", 50.0), ("blue", 63.6)):
        ink = _COLOURS[colour]
        white = colour in unit.white
        plate(
            canvas,
            str(unit.power(colour)),
            (11.6, y),
            fill="#ffffff" if white else ink,
            colour=ink if white else "#ffffff",
            border=ink if white else "#2a0d0a" if colour == "red" else "#0c1a33",
        )
    signs = 22.6
    if unit.he:
        burst(canvas, (signs, 49.6), 4.4)
    if unit.flame:
        flame(canvas, (signs, 49.6), 8.4)
    if unit.smoke:
        puff(canvas, (9.6, 36.5), 4.4)


def _defence(canvas: Canvas, unit: Counter) -> None:
    """Flank above, front below on a shield; red is soft, blue armoured."""
    ink = _COLOURS[unit.armour]
    dark = "#2a0d0a" if unit.armour == "red" else "#0c1a33"
    plate(
        canvas,
        str(unit.flank),
        (60.4, 48.2),
        fill="#ffffff" if unit.open_top else ink,
        colour=ink if unit.open_top else "#ffffff",
        border=RED if unit.open_top else dark,
        high=11.4,
        size=7.4,
    )
    shield(canvas, str(unit.front), (60.4, 62.2), fill=ink, colour="#ffffff", border=dark)
    if unit.shield:
        shield(
            canvas, f"+{unit.shield}", (60.4, 34.6), fill=RED, colour="#ffffff", border="#2a0d0a",
            wide=14,
        )  # fmt: skip


def _range(canvas: Canvas, unit: Counter) -> None:
    """The range inside the sign of the side."""
    at = (36.0, 58.6)
    if unit.side == "soviet":
        canvas.polygon(star(at, 12.6, depth=0.52), fill=RED, stroke="#f3d774", stroke_width=1.1)
        centre = (at[0], at[1] + 0.6)
    else:
        canvas.polygon(cross(at, 11.4, 11.4), fill="#fbfaf4", stroke="#fbfaf4", stroke_width=2.2)
        canvas.polygon(cross(at, 11.0, 9.8), fill="#1b1b1b")
        centre = at
    if unit.fire is not None:
        text = f"{unit.min_range}-{unit.range}" if unit.min_range else str(unit.range)
        written(canvas, text, centre, fitted(text, 7.0, 12.4), "#ffffff", weight=1.6)
