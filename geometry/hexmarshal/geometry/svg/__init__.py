"""Pictures of maps and of answers about them, as SVG and PNG that need no font."""

from __future__ import annotations

from hexmarshal.geometry.svg.movement_layers import PathLayer, ReachLayer, ZoneLayer
from hexmarshal.geometry.svg.picture import Picture
from hexmarshal.geometry.svg.sight_layers import FireLayer, SightLayer, TraceLayer
from hexmarshal.geometry.svg.units import Unit

__all__ = [
    "FireLayer",
    "PathLayer",
    "Picture",
    "ReachLayer",
    "SightLayer",
    "TraceLayer",
    "Unit",
    "ZoneLayer",
]
