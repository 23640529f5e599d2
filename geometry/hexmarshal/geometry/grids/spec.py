"""Builds a grid from plain attributes, as they stand in a module's build file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hexmarshal.errors import GeometryError, HexMarshalError, Place
from hexmarshal.geometry.grids.attributes import flag, text
from hexmarshal.geometry.grids.grid import Grid, Size
from hexmarshal.geometry.grids.hexgrid import HexGrid
from hexmarshal.geometry.grids.labels import LocationFormat
from hexmarshal.geometry.grids.numbering import Numbering
from hexmarshal.geometry.grids.regiongrid import RegionGrid
from hexmarshal.geometry.grids.squaregrid import SquareGrid
from hexmarshal.geometry.grids.zone import Zone, box_size, parse_path
from hexmarshal.geometry.grids.zonedgrid import ZonedGrid

__all__ = ["grid_from_spec"]

Spec = Mapping[str, Any]


def grid_from_spec(spec: Spec, size: tuple[int, int] | None = None) -> Grid[Any]:
    """Build the grid that a specification describes.

    `kind` is `hex`, `square`, `region` or `zoned`; `width` and `height` (or `size`) are the
    board's. Attributes are texts with the engine's names and defaults:

    - hex, square: `grid` and perhaps `numbering` (with `oblique` true for the oblique kind);
    - region: `grid` and `regions`, each with `name`, `originx`, `originy`;
    - zoned: perhaps `background`, and `zones`, each with the zone's attributes and perhaps `grid`.
    """
    if size is None:
        size = (spec.get("width", 0), spec.get("height", 0))
    board = _size(size)
    return _build(_mapping(spec, "grid"), covers=board, board=board)


def _size(size: tuple[int, int]) -> Size:
    for field, value in zip(("width", "height"), size, strict=True):
        if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 1 << 24:
            raise GeometryError(f"a board cannot have {field} {value!r}", place=Place(field=field))
    return Size(*size)


def _mapping(value: object, field: str) -> Spec:
    if not isinstance(value, Mapping):
        raise GeometryError(f"{value!r} is not a group of attributes", place=Place(field=field))
    return value


def _list(spec: Spec, field: str) -> Sequence[Spec]:
    value = spec.get(field) or ()
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise GeometryError(f"{value!r} is not a list", place=Place(field=field))
    return [_mapping(each, field) for each in value]


def _build(spec: Spec, covers: Size, board: Size) -> Grid[Any]:
    kind = spec.get("kind")
    attributes = _mapping(spec.get("grid") or {}, "grid")
    if kind == "region":
        return RegionGrid.from_attributes(attributes, board, _list(spec, "regions"))
    if kind == "zoned":
        return _zoned(spec, board)
    numbering = None
    if spec.get("numbering") is not None:
        names = _mapping(spec["numbering"], "numbering")
        oblique = flag(names, "oblique", default=False)
        numbering = Numbering.from_attributes(names, oblique=oblique)
    if kind == "hex":
        return HexGrid.from_attributes(attributes, covers, numbering, board)
    if kind == "square":
        return SquareGrid.from_attributes(attributes, covers, numbering, board)
    raise GeometryError(
        f"there is no grid of kind {kind!r}",
        place=Place(field="kind"),
        hint="kinds are hex, square, region and zoned",
    )


def _zoned(spec: Spec, board: Size) -> ZonedGrid:
    background = None
    if spec.get("background") is not None:
        background = _build(_mapping(spec["background"], "background"), covers=board, board=board)
    zones = tuple(_zone(each, background, board) for each in _list(spec, "zones"))
    return ZonedGrid(board, zones, background)


def _zone(attributes: Spec, background: Grid[Any] | None, board: Size) -> Zone:
    name = text(attributes, "name", "")
    path = parse_path(text(attributes, "path", ""), name)
    own = attributes.get("grid")
    if flag(attributes, "useParentGrid", default=False):
        grid = background
    elif own is None:
        grid = None
    else:
        try:
            grid = _build(_mapping(own, "grid"), covers=box_size(path), board=board)
        except HexMarshalError as error:
            raise error.at(Place(cell=name)) from None
    location_format = LocationFormat.parse(text(attributes, "locationFormat", "$name$"))
    return Zone(name, path, location_format, grid)
