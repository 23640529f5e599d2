"""Terrain changes of scenarios (VASL's SSR): no grain, hills levelled, bridges gone, jungle.

A change is a name that VASL keeps with a board. What each does to the pixels is in a table; where
a few need more than one terrain for another, the code is here.
"""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hexmarshal.vassal.vasl.catalogue import Category
from hexmarshal.vassal.vasl.grid import NONE
from hexmarshal.vassal.vasl.hexes import ABSENT, Pixels, facts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy.typing as npt

    from hexmarshal.vassal.vasl.board import Board
    from hexmarshal.vassal.vasl.catalogue import Catalogue

__all__ = ["TerrainStep", "known_changes", "repainted", "with_terrain_changes", "without_effect"]

_LOOK: Final = "look"
"""Changes of colours alone."""
_UNRULED: Final = "unruled"
"""Changes that ask for rules of their own: snow, mud, roads that are gone."""
_LAST: Final = "terrain_last"
_PATTERN: Final = "pattern"
_ORDER: Final = {_PATTERN: 0, "level_to_terrain": 0, _LAST: 2}
"""VASL lays patterns over the colours that the board itself has: "no grain" takes none away where
grain is shown as brush. What the Pacific makes of woods comes when all else is done."""
_WOODS: Final = "Woods"
_GULLY: Final = "Gully"
_ROUND: Final = 1 / 3
"""The part of a hex about its centre, by its height, that is a road through woods or a bridge."""


class TerrainStep(NamedTuple):
    """One step of a change: what kind, and from which terrain or level to which."""

    kind: str
    old: str
    new: str


@cache
def _table() -> Mapping[str, tuple[TerrainStep, ...]]:
    text = (files(__package__) / "terrain_changes.csv").read_text("utf-8")
    found: dict[str, tuple[TerrainStep, ...]] = {}
    for row in csv.DictReader(text.splitlines()):
        step = TerrainStep(row["kind"], row["old"], row["new"])
        found[row["rule"]] = (*found.get(row["rule"], ()), step)
    return found


@cache
def known_changes() -> frozenset[str]:
    """The names of changes that can be made."""
    return frozenset(
        name for name, steps in _table().items() if all(s.kind != _UNRULED for s in steps)
    )


def without_effect(name: str) -> bool:
    """Whether a change is one of colours alone."""
    return all(step.kind == _LOOK for step in _table().get(name, (TerrainStep("", "", ""),)))


def with_terrain_changes(board: Board, names: Sequence[str]) -> Board:
    """A whole upright board after these changes: patterns first, then one after the other.

    Names that are not known change nothing.
    """
    steps = [step for name in names for step in _table().get(name, ())]
    if all(step.kind in (_LOOK, _UNRULED) for step in steps):
        return board
    terrain, elevation = board.pixels.terrain.copy(), board.pixels.elevation.copy()
    stairway = board.facts.stairway
    for step in sorted(steps, key=lambda step: _ORDER.get(step.kind, 1)):
        if step.kind == "stairways":
            stairway = np.zeros_like(stairway)
        elif step.kind in _STEPS:
            _STEPS[step.kind](_Pixels(board, terrain, elevation), step)
    return repainted(board, terrain, elevation, stairway)


def repainted(
    board: Board,
    terrain: npt.NDArray[np.uint8],
    elevation: npt.NDArray[np.int8],
    stairway: npt.NDArray[np.bool_] | None = None,
) -> Board:
    """The board with other pixels: its hexes are read off them anew."""
    pixels = Pixels(terrain, elevation, board.pixels.owner)
    facts, before = facts_of(board.grid, pixels, board.catalogue), board.facts
    facts = facts.with_flags(
        stairway=before.stairway if stairway is None else stairway,
        slope=before.slope,
        embankment=before.embankment,
        partial_orchard=before.partial_orchard,
    )
    return replace(board, pixels=pixels, facts=facts, is_changed=True)


class _Pixels(NamedTuple):
    """What a step changes in place, and the board as it was."""

    board: Board
    terrain: npt.NDArray[np.uint8]
    elevation: npt.NDArray[np.int8]

    @property
    def catalogue(self) -> Catalogue:
        return self.board.catalogue

    def code(self, name: str) -> int:
        """The code of a terrain; one that no pixel has if the catalogue does not know it."""
        found = self.catalogue.by_name.get(name)
        return ABSENT if found is None else found.code

    def about(self, index: int) -> tuple[tuple[slice, slice], npt.NDArray[np.bool_]]:
        """The pixels around the centre of a hex."""
        grid = self.board.grid
        x, y = float(grid.x[index]) / grid.scale, float(grid.y[index]) / grid.scale
        reach = float(grid.hex_height) / grid.scale * _ROUND
        high, wide = self.terrain.shape
        top, bottom = max(0, int(y - reach)), min(high, int(y + reach) + 2)
        left, right = max(0, int(x - reach)), min(wide, int(x + reach) + 2)
        rows, columns = np.mgrid[top:bottom, left:right]
        near = np.hypot(columns + 0.5 - x, rows + 0.5 - y) <= reach
        return (slice(top, bottom), slice(left, right)), near


def _terrain(pixels: _Pixels, step: TerrainStep) -> None:
    old, new = pixels.code(step.old), pixels.code(step.new)
    if new != ABSENT:
        pixels.terrain[pixels.terrain == old] = new


def _level(pixels: _Pixels, step: TerrainStep) -> None:
    pixels.elevation[pixels.elevation == int(step.old)] = int(step.new)


def _terrain_to_level(pixels: _Pixels, step: TerrainStep) -> None:
    chosen = pixels.terrain == pixels.code(step.old)
    pixels.elevation[chosen] = int(step.new)
    pixels.terrain[chosen] = 0


def _terrain_at_level(pixels: _Pixels, step: TerrainStep) -> None:
    chosen = pixels.terrain == pixels.code(step.old)
    pixels.terrain[chosen & (pixels.elevation == int(step.new))] = 0


def _level_to_terrain(pixels: _Pixels, step: TerrainStep) -> None:
    """Hills of a level become flat terrain; what stands on them stays."""
    chosen = pixels.elevation == int(step.old)
    obstacle = np.zeros(256, np.bool_)
    obstacle[[code for code, one in pixels.catalogue.by_code.items() if one.obstacle]] = True
    new = pixels.code(step.new)
    pixels.elevation[chosen] = 0
    if new != ABSENT:
        pixels.terrain[chosen & ~obstacle[pixels.terrain]] = new


def _bridges(pixels: _Pixels, _step: TerrainStep) -> None:
    """No bridge: what it crosses goes on below it, and the road on it ends."""
    board, by_code = pixels.board, pixels.catalogue.by_code
    sunk = {code for code, one in by_code.items() if one.category in _CROSSED}
    gone = [code for code, one in by_code.items() if one.category in _CROSSING]
    for index in np.flatnonzero(board.facts.bridge != ABSENT).tolist():
        own = board.pixels.owner == index
        counts = np.bincount(pixels.terrain[own], minlength=256)
        crossed = max(sunk, key=lambda code: int(counts[code]), default=ABSENT)
        below = crossed if crossed != ABSENT and counts[crossed] else pixels.code(_GULLY)
        if below == ABSENT:
            continue
        levels = pixels.elevation[own & (pixels.terrain == below)]
        level = int(np.median(levels)) if levels.size else int(board.facts.base[index])
        window, near = pixels.about(index)
        drawn = np.isin(pixels.terrain[window], gone)
        pixels.elevation[window][near & drawn] = level
        pixels.terrain[window][near & drawn] = below
        rest = own & np.isin(pixels.terrain, _bridge_codes(pixels.catalogue))
        pixels.terrain[rest], pixels.elevation[rest] = below, level


_CROSSED: Final = frozenset({Category.DEPRESSION, Category.WATER, Category.STREAM})
_CROSSING: Final = frozenset({Category.BRIDGE, Category.ROAD})


def _bridge_codes(catalogue: Catalogue) -> list[int]:
    return [c for c, one in catalogue.by_code.items() if one.category is Category.BRIDGE]


def _woods_roads(pixels: _Pixels, _step: TerrainStep) -> None:
    """Roads through woods become paths: woods fill the middle of such hexes."""
    board, woods = pixels.board, pixels.code(_WOODS)
    by_code = pixels.catalogue.by_code
    for index in np.flatnonzero(np.any(board.facts.side_ground == woods, axis=1)).tolist():
        centre = by_code.get(int(board.facts.centre[index]))
        if centre is not None and centre.category is Category.ROAD:
            window, near = pixels.about(index)
            pixels.terrain[window][near] = woods


def _marsh_by_jungle(pixels: _Pixels, step: TerrainStep) -> None:
    """Marsh in hexes next to jungle is swamp (G7)."""
    board = pixels.board
    wet, new = pixels.code(step.old), pixels.code(step.new)
    dense = {pixels.code(name) for name in (_WOODS, "Light Jungle", "Dense Jungle")}
    centre = board.facts.centre
    for index in np.flatnonzero(centre == wet).tolist():
        beside = [n for n in board.grid.neighbours[index].tolist() if n != NONE]
        if new != ABSENT and any(int(centre[n]) in dense for n in beside):
            own = (board.pixels.owner == index) & (pixels.terrain == wet)
            pixels.terrain[own] = new


_STEPS: Final[Mapping[str, Callable[[_Pixels, TerrainStep], None]]] = {
    "terrain": _terrain,
    _PATTERN: _terrain,
    _LAST: _terrain,
    "level": _level,
    "terrain_to_level": _terrain_to_level,
    "terrain_at_level": _terrain_at_level,
    "level_to_terrain": _level_to_terrain,
    "bridges": _bridges,
    "woods_roads": _woods_roads,
    "marsh_by_jungle": _marsh_by_jungle,
}
