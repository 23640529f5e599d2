"""Builds a module from nothing: maps, grids, counters, palettes, trackers, charts, set-ups."""

from hexmarshal.vassal.builder.counters import (
    Counter,
    can_delete,
    card_back,
    does_not_stack,
    facings,
    label,
    layer,
    markers,
    marks_moved,
    mask,
    number,
    outlined,
    prototype,
    two_sided,
)
from hexmarshal.vassal.builder.grids import hex_grid, regions, square_grid, zoned
from hexmarshal.vassal.builder.maps import MapBuilder
from hexmarshal.vassal.builder.module import ModuleBuilder
from hexmarshal.vassal.builder.setups import SetupBuilder
from hexmarshal.vassal.builder.turns import counts, lists
from hexmarshal.vassal.builder.windows import Charts, Palette

__all__ = [
    "Charts",
    "Counter",
    "MapBuilder",
    "ModuleBuilder",
    "Palette",
    "SetupBuilder",
    "can_delete",
    "card_back",
    "counts",
    "does_not_stack",
    "facings",
    "hex_grid",
    "label",
    "layer",
    "lists",
    "markers",
    "marks_moved",
    "mask",
    "number",
    "outlined",
    "prototype",
    "regions",
    "square_grid",
    "two_sided",
    "zoned",
]
