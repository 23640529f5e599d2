"""Grids with the arithmetic of VASSAL's: hex, square, region and zoned, with all numberings."""

from __future__ import annotations

from hexmarshal.geometry.grids.grid import Grid, Pixel, Size
from hexmarshal.geometry.grids.hexgrid import HexGrid
from hexmarshal.geometry.grids.numbering import Numbering
from hexmarshal.geometry.grids.regiongrid import Region, RegionGrid
from hexmarshal.geometry.grids.spec import grid_from_spec
from hexmarshal.geometry.grids.squaregrid import SquareGrid
from hexmarshal.geometry.grids.zone import Zone
from hexmarshal.geometry.grids.zonedgrid import ZoneCell, ZonedGrid

__all__ = [
    "Grid",
    "HexGrid",
    "Numbering",
    "Pixel",
    "Region",
    "RegionGrid",
    "Size",
    "SquareGrid",
    "Zone",
    "ZoneCell",
    "ZonedGrid",
    "grid_from_spec",
]
