"""The whole story of one line: everything on it that stops or hinders it, and where."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.games.asl.sight.condition_effects import given, inside_building
from hexmarshal.games.asl.sight.decide import SightFinding, findings, judge, meet
from hexmarshal.games.asl.sight.ground.walk import pixels
from hexmarshal.games.asl.sight.lines import AT_CENTRE, EndTable, Lines
from hexmarshal.games.asl.sight.rules.citations import Cause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.sight.conditions import Conditions
    from hexmarshal.games.asl.sight.view import Answer, Sight, Spot

__all__ = ["Explanation", "Item", "explain"]

Point = tuple[float, float]

_NAMES = {
    Cause.SMOKE: "SMOKE",
    Cause.VEHICLE: "vehicle or wreck",
    Cause.WEATHER: "low visibility",
    Cause.FOG: "fog",
    Cause.SHELLING: "artillery fire",
}


@dataclass(frozen=True, slots=True)
class Item:
    """One thing on the line that counts."""

    cause: Cause
    hindrance: int
    """0 for what stops the line."""
    hex: str
    """Empty for what lies on the line as a whole."""
    terrain: str
    level: float
    """The elevation of the ground there."""
    point: Point
    """Where the line meets it, in pixels."""

    def __str__(self) -> str:
        what = f"+{self.hindrance}" if self.hindrance else "stops"
        where = f"{self.hex} {self.terrain}, level {self.level:g}" if self.hex else self.terrain
        return f"{what} {where}: {self.cause.sentence}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """An answer with all its reasons, from the first location to the second."""

    start: Point
    end: Point
    answer: Answer
    items: tuple[Item, ...]
    way: tuple[str, ...]
    """The hexes that the line passes, in order."""
    eyes: tuple[float, float]
    """The elevations of its ends as it is judged: roofs and slopes count half a level."""


def explain(sight: Sight, a: Spot, b: Spot) -> Explanation:
    """Tell all about the line between two locations."""
    answer = sight.answer(a, b)
    board, ground = sight.board, sight.ground
    spots = [
        (
            np.array([board.hex(spot.hex)]),
            np.array([spot.level]),
            np.array([AT_CENTRE if spot.vertex is None else spot.vertex]),
        )
        for spot in (a, b)
    ]
    lines = Lines.between(EndTable(ground, sight.conditions.crest), spots[0], spots[1])
    scale, one, two = board.grid.scale, lines.a, lines.b
    ends = [(float(e.x[0]) / scale, float(e.y[0]) / scale) for e in (one, two)]
    eyes = [float(e.level[0]) / 2 for e in (one, two)]
    items: list[Item] = []
    way = [int(one.hex[0]), int(two.hex[0])]
    if ends[0] != ends[1] and (way[0] != way[1] or None not in {a.vertex, b.vertex}):
        items = _items(lines, sight.conditions)
        met, _ = meet(lines, whole=True)
        way[1:1] = [index for index in met.hex.tolist() if index >= 0]
    if lines.swapped[0]:
        ends.reverse()
        eyes.reverse()
        items.reverse()
        way.reverse()
    if sight.conditions and len(way) > 1:
        middle = ((ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2)
        inside = inside_building(meet(lines, whole=True)[0])
        items += [
            Item(cause, int(value[0]), "", _NAMES[cause], 0, middle)
            for value, cause in sight.conditions.of_lines(lines, inside)
            if value[0]
        ]
    names = tuple(board.grid.names[index] for index in dict.fromkeys(way))
    return Explanation(ends[0], ends[1], answer, tuple(items), names, (eyes[0], eyes[1]))


def _items(lines: Lines, conditions: Conditions) -> list[Item]:
    """The first pixel speaks for all of one hex that count for one reason."""
    grid = lines.ground.board.grid
    points = _Points(lines)
    items: dict[tuple[int, ...], Item] = {}
    for found in sorted([*findings(lines), *_given(lines, conditions)], key=_place):
        key: tuple[int, ...] = (int(found.cause), found.hex, found.code)
        if found.value:
            # As the total counts them: two hexes beside one hexside of the line are one.
            hexes = np.array([found.hex])
            ranges = (grid.range(hexes, end.hex) for end in (lines.a, lines.b))
            key = (int(found.cause), *(int(each[0]) for each in ranges))
        if found.cause is Cause.SHELLING:
            key = (int(found.cause),)
        known = items.get(key)
        if known is None or known.hindrance < found.value:
            items[key] = points.item(found)
    return list(items.values())


def _place(found: SightFinding) -> tuple[int, int]:
    return found.order, found.value


def _given(lines: Lines, conditions: Conditions) -> Iterator[SightFinding]:
    """What the scenario adds on the line."""
    if not conditions:
        return
    way, _ = meet(lines, whole=True)
    for stopped, cause in conditions.stops(way, lines.ground.board):
        for i in np.flatnonzero(stopped).tolist():
            code = int(lines.ground.cell_code[way.cell[i]])
            yield SightFinding(cause, 0, int(way.hex[i]), code, int(way.order[i]))
    for parts, cause in given(way, conditions, judge):
        for m, values in parts:
            for i in np.flatnonzero(values).tolist():
                order = int(m.order[i]) if m is way else -1
                yield SightFinding(cause, int(values[i]), int(m.hex[i]), 0, order)


class _Points:
    """Where a line meets what it meets."""

    def __init__(self, lines: Lines) -> None:
        ground, pad = lines.ground, lines.ground.pad
        a, b = ((int(end.x[0]) + pad, int(end.y[0]) + pad) for end in (lines.a, lines.b))
        touched = pixels(ground.board.grid.scale, a, b)
        cells = [int(ground.raster.values[row * ground.stride + x]) for x, row in touched]
        pairs = zip(touched, cells, strict=True)
        runs = [next(run) for _, run in groupby(pairs, key=lambda pair: pair[1])]
        self.ground, self._runs = ground, runs

    def item(self, found: SightFinding) -> Item:
        """What was found, for a person."""
        ground, board = self.ground, self.ground.board
        grid, pad = board.grid, ground.pad
        if found.order < 0:
            point = (float(grid.x[found.hex]) / grid.scale, float(grid.y[found.hex]) / grid.scale)
            level = float(board.facts.base[found.hex])
        else:
            (column, row), cell = self._runs[found.order]
            point = (column - pad / grid.scale + 0.5, row - pad / grid.scale + 0.5)
            level = float(ground.cell_ground[cell]) / 2
        name = _NAMES.get(found.cause) or board.catalogue.by_code[found.code].name
        return Item(found.cause, found.value, grid.names[found.hex], name, level, point)
