"""Boards, their grids, numberings, regions and zones."""

from __future__ import annotations

import math

from hexmarshal.vassal.components.attributes import (
    Choice,
    Colour,
    Decimal,
    Flag,
    Format,
    Image,
    Integer,
    OptionalInteger,
    Polygon,
    Text,
)
from hexmarshal.vassal.components.base import Component

_PICKER = "VASSAL.build.module.map.boardPicker"
_GRID = f"{_PICKER}.board"
_NUMBERING = f"{_GRID}.mapgrid"

_HEX_HEIGHT = 64.0


class Board(
    Component,
    tag=f"{_PICKER}.Board",
    naming="name",
    contains=("HexGrid", "SquareGrid", "RegionGrid", "ZonedGrid"),
):
    """A board: an image, or a plain colour of a given size, with at most one grid."""

    __slots__ = ()
    image = Image("image")
    reversible = Flag("reversible")
    width = OptionalInteger("width")
    height = OptionalInteger("height")
    color = Colour("color")

    @property
    def grid(self) -> Grid | None:
        """The board's grid."""
        return self.child(Grid)


class Grid(Component):
    """How a board or zone is divided."""

    __slots__ = ()


class LatticeGrid(Grid):
    """A grid of equal cells."""

    __slots__ = ()
    snap_to = Flag("snapTo", True)
    edges_legal = Flag("edgesLegal")
    corners_legal = Flag("cornersLegal")
    visible = Flag("visible")
    dots_visible = Flag("dotsVisible")
    color = Colour("color", "0,0,0")

    @property
    def numbering(self) -> RegularGridNumbering | None:
        """How its cells are named."""
        return self.child(RegularGridNumbering)


class HexGrid(
    LatticeGrid,
    tag=f"{_GRID}.HexGrid",
    contains=("HexGridNumbering", "ObliqueHexGridNumbering"),
):
    """Hexes in columns, the odd ones half a hex lower; `sideways` swaps the axes."""

    __slots__ = ()
    dx = Decimal("dx", math.sqrt(3) / 2 * _HEX_HEIGHT)
    dy = Decimal("dy", _HEX_HEIGHT)
    x0 = Integer("x0", 0)
    y0 = Integer("y0", 32)
    sideways = Flag("sideways")
    snap_scale = Integer("snapscale", 0)


class SquareGrid(LatticeGrid, tag=f"{_GRID}.SquareGrid", contains=("SquareGridNumbering",)):
    """Rectangles in rows and columns."""

    __slots__ = ()
    dx = Decimal("dx", 48.0)
    dy = Decimal("dy", 48.0)
    x0 = Integer("x0", 24)
    y0 = Integer("y0", 24)
    range = Choice("range", "Metric", "Manhattan")


class RegularGridNumbering(Component):
    """Names made of a column and a row."""

    __slots__ = ()
    first = Choice("first", "H", "V")
    separator = Text("sep")
    h_type = Choice("hType", "N", "A")
    h_leading = Integer("hLeading", 1)
    h_offset = Integer("hOff", 1)
    h_descend = Flag("hDescend")
    v_type = Choice("vType", "N", "A")
    v_leading = Integer("vLeading", 1)
    v_offset = Integer("vOff", 1)
    v_descend = Flag("vDescend")
    location_format = Format("locationFormat", "$gridLocation$")
    visible = Flag("visible")
    font_size = Integer("fontSize", 9)
    color = Colour("color", "0,0,0")
    rotate_text = Integer("rotateText", 0)
    h_draw_offset = Integer("hDrawOff", 0)
    v_draw_offset = Integer("vDrawOff", 0)


class HexGridNumbering(RegularGridNumbering, tag=f"{_NUMBERING}.HexGridNumbering"):
    """Names of hexes; staggered, odd columns count one row further."""

    __slots__ = ()
    stagger = Flag("stagger", True)


class ObliqueHexGridNumbering(HexGridNumbering, tag=f"{_NUMBERING}.ObliqueHexGridNumbering"):
    """Names of hexes along an oblique axis, since 3.8."""

    __slots__ = ()


class SquareGridNumbering(RegularGridNumbering, tag=f"{_NUMBERING}.SquareGridNumbering"):
    """Names of squares."""

    __slots__ = ()


class RegionGrid(Grid, tag=f"{_GRID}.RegionGrid", contains=("Region",)):
    """Named points; a place belongs to the nearest."""

    __slots__ = ()
    snap_to = Flag("snapto", True)
    visible = Flag("visible")
    font_size = Integer("fontsize", 9)


class Region(Component, tag=f"{_GRID}.Region", naming="name"):
    """A named point."""

    __slots__ = ()
    x = Integer("originx", 0)
    y = Integer("originy", 0)


class ZonedGrid(
    Grid,
    tag=f"{_GRID}.ZonedGrid",
    contains=("Zone", "HexGrid", "SquareGrid", "RegionGrid"),
):
    """Zones, each with its own grid, over a background grid."""

    __slots__ = ()

    @property
    def background(self) -> Grid | None:
        """The grid outside all zones."""
        return self.child(Grid)

    @property
    def zones(self) -> list[Zone]:
        """The zones; the first that holds a point wins."""
        return list(self.each(Zone, deep=False))


class Zone(
    Component,
    tag=f"{_NUMBERING}.Zone",
    naming="name",
    contains=("HexGrid", "SquareGrid", "RegionGrid", "ZoneProperty"),
):
    """A polygon of a board with a name, maybe a grid, maybe properties."""

    __slots__ = ()
    location_format = Format("locationFormat", "$name$")
    path = Polygon("path")
    use_parent_grid = Flag("useParentGrid")
    use_highlight = Flag("useHighlight")
    highlight_property = Text("highlightProperty")

    @property
    def grid(self) -> Grid | None:
        """The zone's own grid."""
        return self.child(Grid)


class ZonedGridHighlighter(
    Component, tag=f"{_NUMBERING}.ZonedGridHighlighter", contains=("ZoneHighlight",)
):
    """The ways to highlight a zone."""

    __slots__ = ()


class ZoneHighlight(Component, tag=f"{_NUMBERING}.ZoneHighlight", naming="name"):
    """A way to highlight a zone."""

    __slots__ = ()
    color = Colour("color")
    coverage = Choice("coverage", "Entire Zone", "Zone Border")
    width = Integer("width", 1)
    style = Choice("style", "Plain", "Striped", "Crosshatched", "Tiled Image")
    image = Image("image")
    opacity = Integer("opacity", 100)
