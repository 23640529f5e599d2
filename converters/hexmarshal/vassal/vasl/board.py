"""A VASL board, or a map made of boards: its pixels, its hexes, and what stands on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.errors import NotFoundError, Place, VassalFormatError
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.vasl import losdata, metadata
from hexmarshal.vassal.vasl.catalogue import (
    SHARED_METADATA,
    Catalogue,
    Category,
    catalogue_from,
    known_terrain,
)
from hexmarshal.vassal.vasl.grid import HexGrid, grid_of, owners
from hexmarshal.vassal.vasl.hexes import ABSENT, HexFacts, Pixels, facts_of

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Board", "Level", "read_board"]

_GROUND_ONLY = frozenset({"Stone Building", "Wooden Building", "Huts", "MultipleWooden"})
_NO_ROOFTOP = frozenset({"Stone Building", "Wooden Building"})


@dataclass(frozen=True, slots=True)
class Level:
    """One location of a hex: how many levels above the hex's ground, and what it is."""

    above: int
    kind: str
    """`ground`, `level`, `rooftop`, `bridge` or `cellar`."""


@dataclass(frozen=True, eq=False)
class Board:
    """A board ready to be looked at; flipped, cropped and joined boards are boards too."""

    name: str
    grid: HexGrid
    pixels: Pixels
    facts: HexFacts
    catalogue: Catalogue
    place: Place
    cropped: frozenset[str] = frozenset()
    """The names of hexes that were cut away."""
    image: str = ""
    """The entry that holds the picture."""
    turned: bool = False
    """Whether the board lies upside down."""
    origin: tuple[int, int] = (0, 0)
    """The pixel of the whole board that is now the first one."""
    is_changed: bool = False
    """Whether its terrain is another than the board's own: its picture does not show it."""
    parts: tuple[tuple[Board, int, int], ...] = ()
    """The boards of a map with their places in pixels; empty for a single board."""

    def hex(self, name: str) -> int:
        """The index of a hex by its name."""
        found = self.grid.by_name.get(name.strip().upper())
        if found is not None:
            return found
        if name.strip().upper() in self.cropped:
            message = f"hex {name} was cropped away from {self.name}"
        else:
            message = f"there is no hex {name} on {self.name}"
        plain = bool(self.parts) and ":" not in name
        hint = f"name its board, too: {self.parts[0][0].name}:{name}" if plain else ""
        raise NotFoundError(message, place=self.place.within(Place(cell=name)), hint=hint)

    @cached_property
    def levels(self) -> tuple[tuple[Level, ...], ...]:
        """The locations of every hex, ground first, then upwards, the cellar last."""
        return tuple(self._levels(index) for index in range(len(self.grid.names)))

    def level(self, index: int, above: int) -> Level:
        """The location of a hex at that level above its ground."""
        for level in self.levels[index]:
            if level.above == above:
                return level
        name = self.grid.names[index]
        known = ", ".join(str(level.above) for level in self.levels[index])
        raise NotFoundError(
            f"hex {name} of {self.name} has no level {above}",
            place=self.place.within(Place(cell=name)),
            hint=f"its levels: {known}",
        )

    def _levels(self, index: int) -> tuple[Level, ...]:
        facts, by_code = self.facts, self.catalogue.by_code
        levels = [Level(0, "ground")]
        building = int(facts.building[index])
        if building != ABSENT:
            terrain = by_code[building]
            factory = terrain.category is Category.FACTORY
            storeys = terrain.height
            if terrain.name in _GROUND_ONLY or (factory and not facts.stairway[index]):
                storeys = 0
            levels += [Level(n, "level") for n in range(1, storeys + 1)]
            if facts.multi[index]:
                if terrain.name not in _NO_ROOFTOP and not terrain.is_roofless:
                    top = terrain.height if factory else storeys
                    levels.append(Level(top + 1, "rooftop"))
                if terrain.name not in _NO_ROOFTOP and not factory:
                    levels.append(Level(-1, "cellar"))
        bridge = int(facts.bridge[index])
        if bridge != ABSENT and int(facts.centre[index]) != bridge:
            rise = int(facts.bridge_level[index]) - int(facts.base[index])
            centre = by_code[int(facts.centre[index])].category
            if centre is Category.DEPRESSION and rise > 0:
                levels.append(Level(rise, "bridge"))
            elif centre is Category.WATER:
                levels.append(
                    Level(1 if facts.base[index] == 0 else int(facts.base[index]) + 2, "bridge")
                )
        return tuple(levels)

    def flipped(self) -> Board:
        """The board turned by 180 degrees, as scenarios place boards upside down."""
        grid, pixels = self.grid, self.pixels
        turned = replace(
            grid,
            column=-grid.column,
            half_row=-grid.half_row,
            x=grid.width * grid.scale - grid.x,
            y=grid.height * grid.scale - grid.y,
        )
        back = Pixels(
            np.ascontiguousarray(pixels.terrain[::-1, ::-1]),
            np.ascontiguousarray(pixels.elevation[::-1, ::-1]),
            np.ascontiguousarray(pixels.owner[::-1, ::-1]),
        )
        order = np.arange(len(grid.names))
        return replace(
            self,
            grid=turned,
            pixels=back,
            facts=self.facts.take(order, turn=3),
            turned=not self.turned,
        )


def read_board(path: Path | str, catalogue: Catalogue | None = None) -> Board:
    """Read a board archive; the catalogue beside it counts, or else the one of this package."""
    path = Path(path)
    archive = Archive.open(path)
    place = Place(file=str(path))
    if not archive.has(losdata.ENTRY):
        raise VassalFormatError(
            "the board has no sight data (no LOSData entry)",
            place=place,
            hint="boards of VASL 6 have them; older archives hold the picture only",
        )
    if not archive.has(metadata.ENTRY):
        raise VassalFormatError("the board has no BoardMetadata.xml", place=place)
    meta = metadata.read_metadata(archive.read(metadata.ENTRY), place)
    los = losdata.read_los_data(archive.read(losdata.ENTRY), place)
    if catalogue is None:
        shared = path.parent / SHARED_METADATA
        catalogue = catalogue_from(shared) if shared.exists() else known_terrain()
    return make_board(path.name, meta, los, catalogue, place)


def make_board(
    name: str,
    meta: metadata.BoardMetadata,
    los: losdata.LosData,
    catalogue: Catalogue,
    place: Place,
) -> Board:
    """A board of its parts."""
    height, width = los.terrain.shape
    grid = grid_of(meta, los.columns, los.rows, width, height)
    _check_fit(grid, place)
    pixels = Pixels(los.terrain, los.elevation, owners(grid))
    _check_codes(pixels, grid, catalogue, place)
    facts = facts_of(grid, pixels, catalogue)
    n = len(grid.names)
    stairway = np.zeros(n, np.bool_)
    stairway[: min(n, los.stairways.size)] = los.stairways[:n]
    facts = facts.with_flags(
        stairway=stairway,
        slope=_flags(grid, meta.slopes),
        embankment=_flags(grid, meta.embankments),
        partial_orchard=_flags(grid, meta.partial_orchards),
    )
    return Board(name, grid, pixels, facts, catalogue, place, image=meta.image)


def _check_fit(grid: HexGrid, place: Place) -> None:
    """Boards may end short of the centres of their last hexes, but not by more than a hex."""
    for centres, size, hexes in (
        (grid.x, grid.width, grid.hex_width),
        (grid.y, grid.height, grid.hex_height),
    ):
        if centres.max() > size * grid.scale + hexes:
            raise VassalFormatError(
                f"hexes up to pixel {centres.max() / grid.scale:g} do not fit {size} pixels",
                place=place.within(Place(entry=metadata.ENTRY)),
            )


def _check_codes(pixels: Pixels, grid: HexGrid, catalogue: Catalogue, place: Place) -> None:
    present = np.flatnonzero(np.bincount(pixels.terrain.ravel(), minlength=256))
    for code in present.tolist():
        if code not in catalogue.by_code:
            row, column = np.argwhere(pixels.terrain == code)[0]
            owner = int(pixels.owner[row, column])
            name = grid.names[owner] if owner >= 0 else None
            raise VassalFormatError(
                f"terrain code {code} at pixel {column}, {row} is not in the terrain catalogue",
                place=place.within(Place(cell=name)),
                hint="give the catalogue that belongs to this board",
            )


def _flags(
    grid: HexGrid, sides: Mapping[str, frozenset[int]]
) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    flags = np.zeros((len(grid.names), 6), np.bool_)
    for name, numbers in sides.items():
        index = grid.by_name.get(name.upper())
        if index is not None:
            flags[index, sorted(numbers)] = True
    return flags
