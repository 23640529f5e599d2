"""Which fields of traits and components are pixels, as data: of a counter, or of the map."""

from __future__ import annotations

from typing import Final

from hexmarshal.vassal import components as c
from hexmarshal.vassal import traits as t

__all__ = ["COUNTER_COMPONENTS", "COUNTER_FIELDS", "MAP_COMPONENTS", "MAP_FIELDS"]

COUNTER_FIELDS: Final[dict[type[t.Trait], tuple[str, ...]]] = {
    t.Layer: ("x_offset", "y_offset"),
    t.LegacyLayer: ("x_offset", "y_offset"),
    t.Labeler: ("font_size", "vertical_offset", "horizontal_offset"),
    t.MovementMarkable: ("x_offset", "y_offset"),
    t.Pivot: ("x", "y"),
    t.ActionButton: ("x", "y", "width", "height", "points"),
    t.BorderOutline: ("thickness",),
    t.Footprint: ("radius", "line_width"),
    t.NonRectangular: ("shape",),
    t.NonRectangularOld: ("shape",),
    t.PlaceMarker: ("x_offset", "y_offset"),
    t.Replace: ("x_offset", "y_offset"),
}
"""Lengths on the counter itself."""

MAP_FIELDS: Final[dict[type[t.Trait], tuple[tuple[str, bool], ...]]] = {
    t.Translate: (("dx", True), ("dy", False), ("x_offset", True), ("y_offset", False)),
    t.SendToLocation: (("x_offset", True), ("y_offset", False)),
    t.Footprint: (("edge_point_buffer", True), ("edge_display_buffer", True)),
}
"""Distances on whatever map the piece is on, and whether each is one across."""

COUNTER_COMPONENTS: Final[dict[type[c.Component], tuple[str, ...]]] = {
    c.StackMetrics: ("expanded_x", "expanded_y", "unexpanded_x", "unexpanded_y"),
}
MAP_COMPONENTS: Final[dict[type[c.Component], tuple[str, ...]]] = {
    c.Flare: ("circle_size",),
    c.LosThread: ("range_scale",),
    c.RegularGridNumbering: ("font_size", "h_draw_offset", "v_draw_offset"),
    c.RegionGrid: ("font_size",),
}
