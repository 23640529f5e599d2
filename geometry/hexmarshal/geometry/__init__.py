"""Cells, grids, terrain, lines of sight and movement on a map, in exact arithmetic.

The parts are imported from their modules (`hexmarshal.geometry.hexes`, `.grids`, ...): this package
loads only the hex arithmetic, so that a caller who needs no shapes does not wait for Shapely.
"""

from __future__ import annotations

from hexmarshal.geometry.hexes import Hex, Hexside, Orientation, Vertex

__all__ = ["Hex", "Hexside", "Orientation", "Vertex"]
