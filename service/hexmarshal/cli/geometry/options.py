"""What the map commands share: reading a map and places on it, drawing and saving a picture."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.errors import GeometryError, NotFoundError, Place, UsageError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from hexmarshal.geometry.svg import Picture, Unit
    from hexmarshal.geometry.svg.picture import Backdrop
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = [
    "MapFile",
    "OfBoard",
    "OfMap",
    "OverModule",
    "PngOut",
    "SvgOut",
    "Title",
    "Units",
    "Zoom",
    "amount",
    "backdrop",
    "cells",
    "counters",
    "place_named",
    "read_map",
    "save",
]

MapFile = Annotated[Path, typer.Argument(metavar="MAP", help="The map's terrain, as YAML.")]
SvgOut = Annotated[Path | None, typer.Option("--svg", metavar="OUT", help="Draw it as SVG.")]
PngOut = Annotated[Path | None, typer.Option("--png", metavar="OUT", help="Draw it as PNG.")]
Zoom = Annotated[
    float, typer.Option(metavar="N", min=0.1, max=10, help="Pixels for each unit of the SVG.")
]
Title = Annotated[str, typer.Option(metavar="TEXT", help="The picture's title.")]
Units = Annotated[
    list[str] | None,
    typer.Option(
        "--unit",
        metavar="CELL=SIDE/ARM/LABEL",
        help="Draw a counter, as in 0506=blue/infantry/1-7; may be given several times.",
    ),
]


OverModule = Annotated[
    Path | None,
    typer.Option("--module", metavar="VMOD", help="Draw over the picture of its board."),
]
OfMap = Annotated[
    str, typer.Option("--map", metavar="NAME", help="The map of the module; the first by default.")
]
OfBoard = Annotated[
    str,
    typer.Option("--board", metavar="NAME", help="Its board; the first with a grid by default."),
]


def backdrop(module: Path | None, map: str, board: str, terrain: TerrainMap) -> Backdrop | None:
    """The picture of the module's board, to draw over; the board of the map's name by default."""
    if module is None:
        return None
    from hexmarshal.geometry.svg.picture import Backdrop
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.terrain.pictures import board_picture

    opened = Module.open(module)
    names = [one.name for m in opened.maps() for one in m.boards]
    named = board or (terrain.name_of_map if terrain.name_of_map in names else "")
    data, size = board_picture(opened, map, named)
    return Backdrop(data, "png", *size)


def read_map(file: Path) -> TerrainMap:
    """The map in a file."""
    from hexmarshal.geometry.terrain.terrain_file import load

    return load(file)


def amount(text: str, what: str) -> Fraction:
    """An exact number that is not negative: 2, 1/2 or 0.5."""
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise UsageError(
            f"{what} is {text!r}, which is no number", hint="write 2, 1/2 or 0.5"
        ) from None
    if value < 0:
        raise UsageError(f"{what} is negative: {text}")
    return value


def cell_named(terrain: TerrainMap, name: str) -> Hashable:
    """A cell that the command line names; one that is not there is not found."""
    try:
        return terrain.cell(name)
    except GeometryError as why:
        raise NotFoundError(why.message, place=why.place, hint=why.hint) from None


def cells(terrain: TerrainMap, names: Iterable[str]) -> list[Hashable]:
    """Cells by name; a name may be several, with commas between."""
    return [
        cell_named(terrain, name.strip())
        for several in names
        for name in several.split(",")
        if name.strip()
    ]


def place_named(terrain: TerrainMap, name: str) -> Hashable:
    """A cell, or a side (`0304/N`) or a vertex (`0304@E`) of a map of hexes or squares."""
    from hexmarshal.geometry.lattice.hexes import Hexside, Vertex
    from hexmarshal.geometry.lattice.squares import corner_of_square, side_of_squares

    if terrain.outlines is not None or not {"/", "@"} & set(name):
        return cell_named(terrain, name)
    try:
        if terrain.is_squares:
            square = corner_of_square if "@" in name else side_of_squares
            return square(name, terrain.cell)  # type: ignore[arg-type]
        kind = Vertex if "@" in name else Hexside
        return kind.named(name, terrain.hex, terrain.orientation)
    except GeometryError as why:
        raise NotFoundError(why.message, place=why.place, hint=why.hint) from None


def counters(terrain: TerrainMap, specs: Iterable[str]) -> tuple[Unit, ...]:
    """The counters to draw."""
    from hexmarshal.geometry.svg import Unit
    from hexmarshal.geometry.svg.units import ARMS

    units = []
    for spec in specs:
        cell, equals, look = spec.partition("=")
        side, _, rest = look.partition("/")
        arm, _, label = rest.partition("/")
        if not equals or not side:
            raise UsageError(f"{spec!r} is no counter", hint="write CELL=SIDE/ARM/LABEL")
        if arm and arm not in ARMS:
            raise UsageError(f"there is no arm {arm!r}", hint=f"known are {', '.join(ARMS)}")
        units.append(Unit(cell_named(terrain, cell), side, label, arm))
    return tuple(units)


def save(
    picture: Picture, svg: Path | None, png: Path | None, *, zoom: float, force: bool
) -> list[str]:
    """Write the picture where it is wanted; the names of the files written."""
    from hexmarshal.vassal.container.atomic import refuse_existing, write_atomically

    for file, suffix in ((svg, ".svg"), (png, ".png")):
        if file is not None:
            if file.suffix.lower() in {".svg", ".png"} - {suffix}:
                option = f"--{suffix[1:]}"
                raise UsageError(
                    f"{option} writes no {file.suffix}",
                    place=Place(file=str(file)),
                    hint=f"use --{file.suffix.lower()[1:]} for it",
                )
            refuse_existing(file, force=force)
    written = []
    try:
        for file, data in (
            (svg, picture.svg().encode() if svg else b""),
            (png, picture.png(zoom=zoom) if png else b""),
        ):
            if file is not None:
                write_atomically(file, [data], force=force)
                written.append(str(file))
    except GeometryError as error:
        raise error.at(Place(file=str(png))) from None
    return written
