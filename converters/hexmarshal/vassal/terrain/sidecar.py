"""A terrain file for a board of a module: its grid as it is, and every cell by name."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import GeometryError, NotFoundError, Place
from hexmarshal.geometry.grids.hexgrid import HexGrid
from hexmarshal.geometry.grids.zonedgrid import ZonedGrid
from hexmarshal.geometry.terrain.terrain_file import loads, schema
from hexmarshal.geometry.terrain.terrain_file_dump import flow, word
from hexmarshal.vassal.state.locator import board_size, grid_of, grid_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.geometry.grids import Size
    from hexmarshal.vassal.components import Board, Map
    from hexmarshal.vassal.module import Module

__all__ = ["BoardOfModule", "board_of", "grid_differences", "new_sidecar"]

_OPEN: Final = "clear"


@dataclass(frozen=True, slots=True)
class BoardOfModule:
    """A board with its map, and how large it is."""

    map: Map
    board: Board
    size: Size


def board_of(module: Module, map_name: str = "", board_name: str = "") -> BoardOfModule:
    """The board that is meant: the one named, else the first that has a grid."""
    maps = [one for one in module.maps() if not map_name or one.name == map_name]
    if not maps:
        known = ", ".join(one.name for one in module.maps() if one.name)
        raise NotFoundError(
            f"there is no map {map_name!r}", place=module.place, hint=f"maps: {known or 'none'}"
        )
    boards = [
        (one, board)
        for one in maps
        for board in one.boards
        if (board.name == board_name if board_name else board.grid is not None)
    ]
    if not boards:
        known = ", ".join(f"{m.name}: {b.name}" for m in maps for b in m.boards)
        what = f"there is no board {board_name!r}" if board_name else "no board has a grid"
        raise NotFoundError(what, place=module.place, hint=f"boards: {known or 'none'}")
    of_map, board = boards[0]
    size = board_size(module, board)
    if size is None:
        raise NotFoundError(
            f"the size of the board {board.name!r} is not known",
            place=Place(field=board.name).within(module.place),
            hint="its picture is missing from the module",
        )
    return BoardOfModule(of_map, board, size)


def new_sidecar(module: Module, found: BoardOfModule) -> str:
    """The text of a terrain file for the board, every cell on a line of its own."""
    board = found.board
    place = Place(field=board.name).within(module.place)
    if board.grid is None:
        raise NotFoundError(
            f"the board {board.name!r} has no grid",
            place=place,
            hint="give it one in VASSAL's editor, or write a terrain file with listed areas",
        )
    try:
        grid = _grid_section(found)
        text = "\n".join(_lines(module, found, grid)) + "\n"
        names = list(loads(text).names.values())
    except GeometryError as error:
        raise error.at(place) from None
    rows = [f"  {word(name)}: []" for name in names]
    return text + "cells:\n" + "\n".join(rows) + "\n"


def _lines(module: Module, found: BoardOfModule, grid: dict[str, Any]) -> Iterator[str]:
    yield "format: hexmarshal-terrain/1"
    yield f"name: {word(found.board.name)}"
    yield f"# The grid of {_plain(module.name)}, map {_plain(found.map.name)}. Name kinds of"
    yield "# terrain below, and set cells, or let 'hexmarshal map paint' look at the picture."
    yield f"grid: {flow(grid)}"
    yield "terrain:"
    yield f"  {_OPEN}: {{}}"


def _plain(text: str) -> str:
    return " ".join(text.split())


def _grid_section(found: BoardOfModule) -> dict[str, Any]:
    """The section `grid`: VASSAL's own attributes, or the hexes of the one zone that has them."""
    assert found.board.grid is not None
    section = _known(grid_spec(found.board.grid), schema()["$defs"]["vassalGrid"])
    section["width"], section["height"] = found.size
    geometry = grid_of(found.board.grid, found.size)
    if isinstance(geometry, ZonedGrid):
        grids = [geometry.background, *(zone.grid for zone in geometry.zones)]
        hexes = list({id(grid): grid for grid in grids if isinstance(grid, HexGrid)}.values())
        if len(hexes) == 1:
            return _listed(hexes[0], geometry)
    return section


def _known(spec: dict[str, Any], rules: dict[str, Any]) -> dict[str, Any]:
    """Only what a terrain file holds of a grid: attributes of the editor's windows are left out."""
    known = rules["properties"]
    out: dict[str, Any] = {}
    for key, value in spec.items():
        if key not in known:
            continue
        rule = known[key]
        if "$ref" in rule:
            rule = schema()["$defs"]["vassalGrid"]
        if isinstance(value, dict):
            out[key] = _known(value, rule)
        elif isinstance(value, list):
            out[key] = [_known(one, rule["items"]) for one in value]
        else:
            out[key] = value
    return out


def _listed(hexes: HexGrid, around: ZonedGrid) -> dict[str, Any]:
    """The hexes of one zone, as the whole board names them; those outside the zone are none."""
    layout = hexes.layout
    cells = {}
    for cell in hexes.cells():
        middle = hexes.centre(cell)
        name = around.location_name(middle)
        if name and around.cell_at(middle).cell == cell:
            cells[name] = [cell.q, cell.r]
    measures = {
        field: Decimal(repr(float(getattr(layout, field))))
        for field in ("pitch", "breadth", "x0", "y0")
    }
    return {"kind": "hexes", "orientation": layout.orientation.value, **measures, "cells": cells}


def grid_differences(module: Module, found: BoardOfModule, text: str) -> list[str]:
    """How the cells of a terrain file differ from those of the board, in words."""
    ours = loads(text)
    theirs = loads(new_sidecar(module, found))
    told = []
    mine, board = set(ours.names.values()), set(theirs.names.values())
    if missing := sorted(board - mine):
        told.append(f"cells of the board that the file does not have: {_some(missing)}")
    if more := sorted(mine - board):
        told.append(f"cells of the file that the board does not have: {_some(more)}")
    moved = []
    if ours.drawn and theirs.drawn:
        from hexmarshal.geometry.svg.view import View

        one, other = View(ours), View(theirs)
        for name in sorted(mine & board):
            a, b = one.centre(ours.cell(name)), other.centre(theirs.cell(name))
            if abs(a[0] - b[0]) > 1 or abs(a[1] - b[1]) > 1:
                moved.append(name)
    if moved:
        told.append(f"cells that lie elsewhere on the board: {_some(moved)}")
    return told


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:8])
    return f"{len(names)} ({shown}{', ...' if len(names) > 8 else ''})"
