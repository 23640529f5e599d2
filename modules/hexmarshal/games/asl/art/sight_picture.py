"""Pictures of lines, fields of view and polygons over a board's own picture, or its terrain."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import numpy as np
import shapely

from hexmarshal.games.asl.art.cross_section import section
from hexmarshal.games.asl.art.given_marks import given_marks
from hexmarshal.games.asl.art.landscape import (
    drawn_terrain,
    hexes,
    own_pictures,
    path_of,
    text,
    text_width,
)
from hexmarshal.games.asl.sight.decide import LIMIT
from hexmarshal.games.asl.sight.rules.citations import Cause

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from hexmarshal.games.asl.art.landscape import Box
    from hexmarshal.games.asl.sight.conditions import Conditions
    from hexmarshal.games.asl.sight.explain import Explanation, Item
    from hexmarshal.games.asl.sight.view import Answers, Spot
    from hexmarshal.vassal.vasl.board import Board
    from hexmarshal.vassal.vasl.outlines.polygons import Regions

__all__ = ["document", "draw_field", "draw_line", "draw_terrain"]

Point = tuple[float, float]

_CLEAR, _HINDERED, _STOPPED, _VIEWER = "#128a35", "#e07b00", "#d01414", "#1a3fb0"
_DARK, _ABOVE = "#000", "#5b3fb0"
_GIVEN = frozenset({Cause.SMOKE, Cause.VEHICLE, Cause.SHELLING, Cause.WEATHER, Cause.FOG})
"""What the player gave is told of every line, so that nobody thinks it forgotten."""
_MARGIN = 95.0
_LEAST = 420.0
"""No picture of a line is narrower: its words must have room."""
_APART = 40.0
"""Marks that are nearer cover each other."""
_SECTION, _ROW, _LABEL = 120.0, 17.0, 11.5


def draw_line(
    board: Board,
    story: Explanation,
    spots: tuple[Spot, Spot],
    regions: Regions | None = None,
    conditions: Conditions | None = None,
) -> str:
    """One line with all that stops or hinders it, the ground seen from the side, and the answer."""
    (x1, y1), (x2, y2) = story.start, story.end
    left, right = min(x1, x2) - _MARGIN, max(x1, x2) + _MARGIN
    spare = max(0.0, _LEAST - (right - left)) / 2
    box = _within(
        board, (left - spare, min(y1, y2) - _MARGIN, right + spare, max(y1, y2) + _MARGIN)
    )
    parts = [] if conditions is None else list(given_marks(board, conditions))
    stops = _stops(story)
    soft = [item for item in story.items if not item.cause.blocks]
    before = _HINDERED if soft and not stops else _CLEAR
    after = _STOPPED if story.answer.blocked else before
    cut = 1.0
    if story.answer.blocked:
        cut = _part(story, stops[0].point if stops else _sixth(soft, story.start))
        soft = [
            item
            for item in soft
            if not stops or item.cause in _GIVEN or _part(story, item.point) < cut
        ]
    middle = (x1 + cut * (x2 - x1), y1 + cut * (y2 - y1))
    parts.append(_stroke((x1, y1), middle, before))
    if cut < 1:
        parts.append(_stroke(middle, (x2, y2), after, dashed=True))
    parts += [_mark(item) for item in (*soft, *stops) if item.hex]
    for here, there, spot in zip(
        (story.start, story.end), (story.end, story.start), spots, strict=True
    ):
        up = story.eyes[0] if here is story.start else story.eyes[1]
        parts += [_eye(*here), _label(spot, up, here, there, box)]
    words = _words(story, spots, max(40, int((box[2] - box[0]) / 7)))
    top = box[3] + 8
    strip = (box[0] + 4, top, box[2] - 12, top + _SECTION)
    if story.start != story.end:
        line = (before, after, cut)
        view = section(board, story.start, story.end, story.eyes, strip, line)
        parts.append(
            f'<rect x="{box[0]:g}" y="{box[3]:g}" width="{box[2] - box[0]:g}"'
            f' height="{_SECTION + 8:g}" fill="#fff"/>'
        )
        parts.append(view)
        top += _SECTION
    named = {board.hex(spot.hex) for spot in spots}
    return document(board, parts, regions, words, box, top, named)


def draw_field(
    board: Board,
    spot: Spot,
    answers: Answers,
    title: str,
    regions: Regions | None = None,
    conditions: Conditions | None = None,
    upper: Mapping[int, Mapping[int, int]] | None = None,
) -> str:
    """All that one location sees: green seen, orange hindered, the rest in the dark.

    Levels off the ground that it sees, as `Sight.other_levels` tells them, are numbers.
    """
    grid = board.grid
    viewer = board.hex(spot.hex)
    upper = upper or {}
    parts: list[str] = []
    for index in range(len(grid.names)):
        if index == viewer:
            fill, opacity = _VIEWER, 0.75
        elif answers.blocked[index] and index in upper:
            fill, opacity = _ABOVE, 0.45
        elif answers.blocked[index]:
            fill, opacity = _DARK, 0.55
        elif answers.hindrance[index]:
            fill, opacity = _HINDERED, 0.45
        else:
            fill, opacity = _CLEAR, 0.28
        shape = path_of(grid.outline(index))
        parts.append(f'<path d="{shape}" fill="{fill}" fill-opacity="{opacity}"/>')
        if not answers.blocked[index] and answers.hindrance[index]:
            x, y = grid.x[index] / grid.scale, grid.y[index] / grid.scale
            parts.append(text(x, y + 7, f"+{answers.hindrance[index]}", "#5a2c00", 17))
        if index in upper and index != viewer:
            x, y = grid.x[index] / grid.scale, grid.y[index] / grid.scale
            words = " ".join(
                f"{level}+{value}" if value else str(level) for level, value in upper[index].items()
            )
            parts.append(text(x, y + 24, words, "#1f1146", 11))
    if conditions is not None:
        parts += given_marks(board, conditions)
    across, down = (0, 0) if spot.vertex is None else grid.spokes[spot.vertex]
    x, y = (grid.x[viewer] + across) / grid.scale, (grid.y[viewer] + down) / grid.scale
    parts.append(_eye(x, y))
    box = (0.0, 0.0, float(grid.width), float(grid.height))
    key = ["green: seen; orange: seen through hindrances, with their sum; dark: not seen"]
    if upper:
        key.append("small numbers: other levels that are seen; violet: these alone, not the ground")
    return document(board, parts, regions, [title, *key], box, box[3])


def draw_terrain(board: Board, regions: Regions, title: str = "") -> str:
    """The polygons of terrain and elevation over the board's picture."""
    shapes = [
        "".join(
            path_of(np.asarray(shapely.get_coordinates(ring)[:-1]).tolist())
            for ring in shapely.get_rings(shape)
        )
        for shape in regions.polygons
    ]
    parts = [
        f'<path d="{shape}" fill="none" stroke="#e0007a" stroke-width="0.7"/>' for shape in shapes
    ]
    box = (0.0, 0.0, float(board.grid.width), float(board.grid.height))
    return document(board, parts, regions, [title] if title else [], box, box[3])


def _words(story: Explanation, spots: Sequence[Spot], width: int) -> list[str]:
    """The answer, its rule, and one line for each thing that counts."""
    answer = story.answer
    verdict = "BLOCKED" if answer.blocked else "clear"
    if answer.hindrance:
        verdict += f", hindrance +{answer.hindrance}"
    words = [f"{spots[0]} to {spots[1]}, range {answer.range}: {verdict}"]
    if answer.rule:
        at = f" at {answer.at}" if answer.at else ""
        words.append(f"{answer.rule}{at}: {answer.cause.sentence}")
    stops = _stops(story)
    words += [f"{i.cause.rule} at {i.hex}: {i.cause.sentence}" for i in stops[:-1]]
    soft = [item for item in story.items if not item.cause.blocks]
    for item in (item for item in soft if not stops or item.cause in _GIVEN):
        what = f"{item.hex} {item.terrain}".strip()
        words.append(f"+{item.hindrance} {what} ({item.cause.rule})")
    return [line for long in words for line in textwrap.wrap(long, width)]


def document(
    board: Board,
    parts: Iterable[str],
    regions: Regions | None,
    words: Sequence[str],
    box: Box,
    foot: float,
    named: Collection[int] = (),
) -> str:
    """The whole picture: the board within a box, what is drawn on it, and words below."""
    left, top, right, _ = box
    bottom = foot + (_ROW * len(words) + 10 if words else 0)
    background = own_pictures(board, box)
    grid = "" if background else hexes(board, box, named)
    if not background and regions is not None:
        background = drawn_terrain(board, regions, box)
    size = f'width="{right - left:g}" height="{bottom - top:g}"'
    view = f'viewBox="{left:g} {top:g} {right - left:g} {bottom - top:g}"'
    window = f"{left:g} {top:g} {right - left:g} {box[3] - top:g}"
    place = 'x="{}" y="{}" width="{}" height="{}"'.format(*window.split())
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view}>',
        f"<title>{escape(words[0] if words else board.name)}</title>",
        f'<rect x="{left:g}" y="{top:g}" {size} fill="#fff"/>',
        f'<svg {place} viewBox="{window}">',
        background,
        grid,
        "</svg>",
        *parts,
    ]
    if words:
        lines.append(
            f'<rect x="{left:g}" y="{foot:g}" width="{right - left:g}" height="'
            f'{bottom - foot:g}" fill="#fff"/>'
        )
    for number, line in enumerate(words):
        weight = 1.0 if number else 1.5
        at = (left + 8, foot + _ROW * (number + 1))
        lines.append(text(*at, line, "#000", 13, "start", weight=weight, rim=False))
    return "\n".join([*lines, "</svg>", ""])


def _within(board: Board, box: Box) -> Box:
    """What of the box lies on the board, shifted rather than cut where there is room."""
    width, height = float(board.grid.width), float(board.grid.height)
    left, top, right, bottom = box
    left, right = _shifted(left, right, width)
    top, bottom = _shifted(top, bottom, height)
    return left, top, right, bottom


def _shifted(low: float, high: float, size: float) -> tuple[float, float]:
    shift = max(0.0, -low) - max(0.0, high - size)
    return max(0.0, low + shift), min(size, high + shift)


def _part(story: Explanation, point: Point) -> float:
    """How much of the line lies before a point."""
    (x1, y1), (x2, y2) = story.start, story.end
    square = (x2 - x1) ** 2 + (y2 - y1) ** 2
    along = (point[0] - x1) * (x2 - x1) + (point[1] - y1) * (y2 - y1)
    return min(1.0, max(0.0, along / square)) if square else 0.0


def _stops(story: Explanation) -> list[Item]:
    """What stops the line: the thing that the answer names, last, and one well before it."""
    stops = [item for item in story.items if item.cause.blocks]
    if not stops:
        return []
    answer = story.answer
    named = min(stops, key=lambda i: (i.hex != answer.at, i.cause is not answer.cause))
    first = min(stops, key=lambda item: _part(story, item.point))
    away = math.dist(first.point, named.point)
    return [named] if away < _APART else [first, named]


def _sixth(soft: Sequence[Item], start: Point) -> Point:
    """Where the hindrances of a line have become too many."""
    total = 0
    for item in soft:
        total += item.hindrance
        if total >= LIMIT:
            return item.point
    return start


def _mark(item: Item) -> str:
    x, y = item.point
    if item.cause.blocks:
        cross = f"M{x - 6:g} {y - 6:g}l12 12M{x - 6:g} {y + 6:g}l12 -12"
        return (
            f'<circle cx="{x:g}" cy="{y:g}" r="11" fill="#fff" stroke="{_STOPPED}"'
            f' stroke-width="2.5"/><path d="{cross}" stroke="{_STOPPED}" stroke-width="3.5"/>'
        )
    return f'<circle cx="{x:g}" cy="{y:g}" r="10" fill="{_HINDERED}" stroke="#fff"/>' + text(
        x, y + 4.5, f"+{item.hindrance}", "#fff", 12, weight=1.4, rim=False
    )


def _stroke(a: Point, b: Point, colour: str, *, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="9 6"' if dashed else ""
    ends = f'x1="{a[0]:g}" y1="{a[1]:g}" x2="{b[0]:g}" y2="{b[1]:g}"'
    return (
        f'<line {ends} stroke="#fff" stroke-width="6" stroke-opacity="0.7"/>'
        f'<line {ends} stroke="{colour}" stroke-width="3.2"{dash}/>'
    )


def _eye(x: float, y: float) -> str:
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="6.5" fill="{_VIEWER}" stroke="#fff" stroke-width="2"/>'
    )


def _label(spot: Spot, up: float, at: Point, other: Point, box: Box) -> str:
    """The hex and how high the eye is, on the side where the line does not run."""
    name = spot.hex.rpartition(":")[2]
    vertex = "" if spot.vertex is None else f"^{spot.vertex}"
    words = f"{name}{vertex}, elevation {up:g}"
    room = text_width(words, _LABEL) / 2 + 5
    x = min(max(at[0], box[0] + room), box[2] - room)
    above, below = at[1] - 13, at[1] + 22
    fits_above, fits_below = above - _LABEL > box[1], below + 3 < box[3]
    y = below if fits_below and (other[1] <= at[1] or not fits_above) else above
    return text(x, y, words, _VIEWER, _LABEL, weight=1.2)
