"""The sheet beside the map: turn track, tokens, reinforcements, losses, points."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.games.traces_of_war.art import colours
from hexmarshal.kit.drawing.boxes import Box, Sheet, Track
from hexmarshal.kit.drawing.canvas import fitted

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.games.traces_of_war.state.tables import Tables
    from hexmarshal.kit.drawing.canvas import Canvas

__all__ = ["MONTHS", "SHEET", "TITLE", "printed"]

TITLE: Final = "Command and tracks"
MONTHS: Final = (
    "August 1943", "September 1943", "October 1943", "November 1943",
    "December 1943", "January 1944", "February 1944", "March 1944",
)  # fmt: skip
_AXIS, _SOVIET = colours.SIDES["axis"], colours.SIDES["soviet"]
_GAP: Final = 12
_SIZE: Final = (1500, 1252)


def _row(top: int, high: int, *boxes: Box, left: int = _GAP, right: int = _SIZE[0]) -> list[Box]:
    """Boxes side by side, those without a width sharing what is left."""
    taken = sum(box.wide for box in boxes) + _GAP * len(boxes)
    share = (right - left - taken) // max(1, sum(1 for box in boxes if not box.wide))
    placed, x = [], left
    for box in boxes:
        wide = box.wide or share
        placed.append(replace(box, left=x, top=top, wide=wide, high=high))
        x += wide + _GAP
    return placed


_PILES: Final = _row(
    212,
    104,
    Box("Cup", title="The cup", wide=136, dashed=True),
    Box("Played tokens", title="Played tokens", wide=136, dashed=True),
    Box("Luftwaffe box", title="Luftwaffe box", ground=_AXIS, wide=136, dashed=True),
)
_BOXES: Final = (
    *_row(
        212,
        104,
        Box("Security divisions", title="Security divisions to place", ground=_AXIS, wide=208),
        Box("Paratroops", title="With the bridgehead", ground=_SOVIET),
        Box("Displaced", title="Headquarters without a place"),
        Box("Replaced", title="Replaced Soviet units", ground=_SOVIET),
        left=456,
    ),
    *_row(
        432,
        214,
        Box("Panzer reserve", title="Panzer reinforcements (PR): 2 points", ground=_AXIS),
        Box("Infantry reserve", title="Infantry reinforcements (IR): 1 point", ground=_AXIS),
        Box("Minor reserve", title="Axis minors (AR): half a point", ground=_AXIS),
    ),
    *_row(
        658,
        150,
        *(Box(f"Arrivals {n}", title=f"Soviet draw {n}", ground=_SOVIET) for n in range(1, 10)),
    ),
    *_row(
        820,
        168,
        Box("Axis losses", title="Axis units eliminated", ground=_AXIS),
        Box("Soviet losses", title="Soviet units eliminated", ground=_SOVIET),
    ),
)
_COMING: Final = "Tokens to come: OKH on turn 2, Airborne on 3, STAVKA on 5"
_TRACKS: Final = (
    Track("Turn", 1, 8, _GAP, 70, (184, 130), 8, "Turns"),
    Track("Drawn", 1, 4, _GAP, 342, (88, 76), 4, "Token drawn: carried out, Ctrl+R puts it away"),
    Track("To come", 1, 4, 456, 342, (88, 76), 4, _COMING),
    Track("Drawn", 5, 11, 844, 342, (88, 76), 7, "More tokens drawn"),
    Track("Draws", 0, 9, _GAP, 1014, (60, 56), 10, "Soviet reinforcement draws so far"),
    Track("Bridgehead", 0, 1, 648, 1014, (60, 56), 2, "Bridgehead placed"),
    Track("Crossings", 0, 7, 804, 1014, (60, 56), 8, "Crossing points under Soviet control"),
    Track("Tens", 0, 9, _GAP, 1098, (60, 56), 10, "Victory points: tens"),
    Track("Points", 0, 9, 648, 1098, (60, 56), 10, "Victory points: ones"),
    Track("Axis relocations", 0, 14, _GAP, 1182, (48, 56), 15, "German headquarters relocated"),
    Track("Soviet relocations", 0, 14, 756, 1182, (48, 56), 15, "Soviet headquarters relocated"),
)
SHEET: Final = Sheet(TITLE, _SIZE, _TRACKS, tuple(_BOXES), tuple(_PILES), ink=colours.SOVIET_RED)


def printed(tables: Tables) -> Callable[[Canvas], None]:
    """What is printed in the boxes of the turn track: months, tokens, and what happens."""

    def draw(canvas: Canvas) -> None:
        track = next(one for one in SHEET.tracks if one.name == "Turn")
        for turn, box in track.boxes():
            left = box.left + 8
            month = MONTHS[turn - 1]
            size = fitted(month, 9.5, box.wide - 16)
            canvas.write(month, (left, box.top + 17), size, anchor="start", weight=1.4)
            cell = tables.axis_tokens(turn)
            lines = [f"Axis tokens: {cell.value}" + (" (ours)" if cell.ours else "")]
            lines += _events(tables, turn)
            for i, line in enumerate(lines):
                at = (left, box.top + box.high - 8 - 12 * (len(lines) - 1 - i))
                size = fitted(line, 6.8, box.wide - 16)
                canvas.write(line, at, size, anchor="start", weight=1.1, colour="#5b3a20")

    return draw


def _events(tables: Tables, turn: int) -> list[str]:
    found = []
    if turn == 1:
        found.append("Soviet opening: one HQ attacks")
    due = {t.title for t in tables.tokens.values() if t.from_turn == turn > 1}
    found += [f"{title} available" for title in sorted(due) if title != "STAVKA"]
    limit = tables.stavka(turn)
    if limit is not None:
        found.append(f"STAVKA up to {limit.value} CP" + (" (ours)" if limit.ours else ""))
    if turn >= 7:
        found.append("every free CP is Soviet")
    return found
