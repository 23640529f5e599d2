"""The sheet beside the map: turn track, reserves, arrivals, losses, pools and points."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.art import colours
from hexmarshal.games.kharkov.art.faces import SIZE
from hexmarshal.kit.drawing.boxes import RIM, Box, Sheet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.kit.drawing.canvas import Canvas

__all__ = ["AIR_MARKER", "BOXES", "POOLS", "SHEET", "TURNS", "air_box", "box_sheet"]

SHEET = (1500, 1150)
"""With some room below: VASSAL opens a window as high as its sheet, and a toolbar takes of it."""
TURNS = 10
AIR_MARKER = 34
"""The size of the markers of air points: the number of a box stays readable."""
_FIRST_DAY = date(1942, 5, 12)
_GAP = 10
_AXIS, _SOVIET, _NEUTRAL = "#d3dacb", "#ecd0b8", "#e9e2cb"


def _row(
    titles: Sequence[tuple[str, str, str]],
    y: int,
    high: int,
    left: int = _GAP,
    right: int = SHEET[0],
) -> Iterator[Box]:
    wide = (right - left - _GAP * len(titles)) // len(titles)
    for i, (name, title, ground) in enumerate(titles):
        yield Box(name, _GAP + i * (wide + _GAP), y, wide, high, title, ground)


def _boxes() -> Iterator[Box]:
    turns = range(1, TURNS + 1)
    yield from _row([(f"Axis arrivals {t}", f"Axis arrive {t}", _AXIS) for t in turns], 46, 152)
    yield from _row([(f"Turn {t}", "", _NEUTRAL) for t in turns], 206, 112)
    yield from _row(
        [(f"Soviet arrivals {t}", f"Soviets arrive {t}", _SOVIET) for t in turns], 326, 152
    )
    armies = ("28", "6", "57", "9")
    yield from _row([(f"Reserve {a}", f"Reserve of {a} Army", _SOVIET) for a in armies], 488, 150)
    yield from _row(
        (
            ("Regiments", "Regiments", _AXIS),
            ("Broken down", "Divisions broken down", _AXIS),
            ("Axis losses", "Axis units eliminated", _AXIS),
            ("Soviet losses", "Soviet units eliminated", _SOVIET),
        ),
        646,
        214,
    )
    yield from _row([(f"Points {n}", str(n), _NEUTRAL) for n in range(10)], 868, 84, right=1000)
    for side, ground, y in (("axis", _AXIS, 962), ("soviet", _SOVIET, 1022)):
        whose = f"0 {side.capitalize()} air"
        titles = [(air_box(side, n), str(n) if n else whose, ground) for n in range(10)]
        yield from _row(titles, y, 52, right=1000)


def air_box(side: str, points: int | str) -> str:
    """The box that the marker of a side lies in while it has so many air points."""
    return f"{side.capitalize()} air {points}"


BOXES = {box.name: box for box in _boxes()}
# The middle of each pile of values and of Replacements.
POOLS = {
    pool: (1066 + 118 * i, 960)
    for i, pool in enumerate(("rifle", "cavalry", "tank", "replacements"))
}


def box_sheet(title: str, air: Mapping[str, Sequence[int]], events: Mapping[int, str]) -> str:
    """The sheet as SVG, with the air points of each turn and what happens on it."""

    def more(canvas: Canvas) -> None:
        for turn in range(1, TURNS + 1):
            _turn(canvas, turn, air, events.get(turn, ""))
        _pools(canvas)

    sheet = Sheet(title, SHEET, boxes=tuple(BOXES.values()), ink=colours.FRONT)
    return sheet.svg(more, rim=RIM)


def _turn(canvas: Canvas, turn: int, air: Mapping[str, Sequence[int]], event: str) -> None:
    box = BOXES[f"Turn {turn}"]
    canvas.write(
        str(turn), (box.left + 10, box.top + 30), 20, anchor="start", weight=1.8, colour=colours.INK
    )
    day = _FIRST_DAY + timedelta(days=turn - 1)
    canvas.write(
        f"{day.day} May",
        (box.left + box.wide - 8, box.top + 22),
        8,
        anchor="end",
        colour=colours.INK,
    )
    points = [air[side][turn - 1] if turn <= len(air[side]) else 0 for side in ("axis", "soviet")]
    for i, (name, count) in enumerate(zip(("Axis", "Soviet"), points, strict=True)):
        text = f"{name} air {count}"
        canvas.write(text, (box.left + 10, box.top + 52 + 15 * i), 7.2, anchor="start", weight=1.2)
    for i, line in enumerate(event.split("\n") if event else ()):
        canvas.write(
            line, (box.left + 10, box.top + 84 + 12 * i), 6.0, anchor="start", colour=colours.GUARDS
        )


def _pools(canvas: Canvas) -> None:
    canvas.rectangle((1006, 868), 484, 182, rx=7, fill=_SOVIET, stroke="#6d6350", stroke_width=1.6)
    canvas.write(
        "What unrevealed units turn out to be", (1016, 886), 8.2, anchor="start", weight=1.3
    )
    for pool, (x, y) in POOLS.items():
        half = SIZE / 2 + 3
        canvas.rectangle(
            (x - half, y - half), 2 * half, 2 * half, rx=6, fill="none", stroke="#6d6350",
            stroke_width=1.4, stroke_dasharray="5 4",
        )  # fmt: skip
        canvas.write(pool.capitalize(), (x, y + 50), 7.6, weight=1.2, colour=colours.INK)
