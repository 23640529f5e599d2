"""Grids with numberings for new boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.components import (
    HexGrid,
    HexGridNumbering,
    Region,
    RegionGrid,
    SquareGrid,
    SquareGridNumbering,
    Zone,
    ZonedGrid,
    ZonedGridHighlighter,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hexmarshal.vassal.components import Grid

__all__ = ["hex_grid", "numbered", "regions", "square_grid", "zoned"]

_DRAWN: Final = {"color": "0,0,0", "dotsVisible": "false", "visible": "false"}
_NUMBERING: Final = {
    "color": "0,0,0",
    "first": "H",
    "fontSize": "9",
    "hDescend": "false",
    "hDrawOff": "0",
    "hLeading": "1",
    "hOff": "1",
    "hType": "N",
    "locationFormat": "$gridLocation$",
    "rotateText": "0",
    "sep": "",
    "vDescend": "false",
    "vDrawOff": "0",
    "vLeading": "1",
    "vOff": "1",
    "vType": "N",
    "visible": "false",
}


def hex_grid(
    *,
    width: float,
    height: float,
    origin: tuple[int, int],
    sideways: bool = False,
    edges: bool = False,
    corners: bool = False,
    numbering: Mapping[str, str] | None = None,
) -> HexGrid:
    """Hexes with columns `width` apart and `height` from side to side; `origin` is hex (0, 0).

    `numbering` overrides single settings of the numbering, by VASSAL's own names (`hOff`,
    `vDescend`, `sep`, `stagger` ...); without it hexes are named 0101, 0102 and so on.
    A sideways grid (points up) takes width, height and origin as if it were turned.
    """
    grid = HexGrid.new(
        {
            **_DRAWN,
            "dx": repr(float(width)),
            "dy": repr(float(height)),
            "x0": str(origin[0]),
            "y0": str(origin[1]),
            "sideways": _flag(sideways),
            "snapTo": "true",
            "edgesLegal": _flag(edges),
            "cornersLegal": _flag(corners),
        }
    )
    numbered(grid, numbering or {})
    return grid


def square_grid(
    *,
    width: float,
    height: float,
    origin: tuple[int, int],
    numbering: Mapping[str, str] | None = None,
) -> SquareGrid:
    """Rectangles of one size; `origin` is the centre of the first."""
    grid = SquareGrid.new(
        {
            **_DRAWN,
            "dx": repr(float(width)),
            "dy": repr(float(height)),
            "x0": str(origin[0]),
            "y0": str(origin[1]),
            "range": "Metric",
            "snapTo": "true",
            "edgesLegal": "false",
            "cornersLegal": "false",
        }
    )
    numbered(grid, numbering or {})
    return grid


def numbered(
    grid: HexGrid | SquareGrid, settings: Mapping[str, str]
) -> HexGridNumbering | SquareGridNumbering:
    """Give a grid names for its cells; `settings` override single ones, by VASSAL's own names."""
    if isinstance(grid, HexGrid):
        return grid.add(HexGridNumbering, {**_NUMBERING, "stagger": "false", **settings})
    return grid.add(SquareGridNumbering, {**_NUMBERING, **settings})


def regions(places: Mapping[str, tuple[int, int]]) -> RegionGrid:
    """Named points; a piece goes to the nearest."""
    grid = RegionGrid.new({"fontsize": "9", "snapto": "true", "visible": "false"})
    for name, (x, y) in places.items():
        grid.add(Region, {"name": name, "originx": str(x), "originy": str(y)})
    return grid


def zoned(
    zones: Sequence[tuple[str, Sequence[tuple[int, int]], Grid | None]],
    background: Grid | None = None,
) -> ZonedGrid:
    """Areas with a name each and a grid or none, on a background grid or none.

    A zone without a grid is one location that carries the zone's name; pieces lie where they are
    put. In a zone with a grid locations are named by that grid. The first zone wins.
    """
    grid = ZonedGrid.new()
    for name, corners, own in zones:
        zone = grid.add(
            Zone,
            {
                "highlightProperty": "",
                "locationFormat": "$name$" if own is None else "$gridLocation$",
                "name": name,
                "path": ";".join(f"{x},{y}" for x, y in corners),
                "useHighlight": "false",
                "useParentGrid": "false",
            },
        )
        if own is not None:
            zone.append(own)
    if background is not None:
        grid.append(background)
    grid.add(ZonedGridHighlighter)
    return grid


def _flag(value: bool) -> str:
    return "true" if value else "false"
