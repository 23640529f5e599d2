"""`hexmarshal map render` and `map check`: a picture of a map, and whether it is sound."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.geometry.map_making import register
from hexmarshal.cli.geometry.options import (
    MapFile,
    OfBoard,
    OfMap,
    OverModule,
    Title,
    Units,
    Zoom,
    backdrop,
    counters,
    read_map,
    save,
)
from hexmarshal.cli.options import Force, Json, OutputFile, command_app, examples
from hexmarshal.cli.output import print_fields, print_json, print_table
from hexmarshal.errors import ExitCode, Place, UsageError

if TYPE_CHECKING:
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

app = command_app(
    "Make, draw and check the terrain of maps.",
    "hexmarshal map new game.vmod -o map.yaml",
    "hexmarshal map paint map.yaml --module game.vmod --is 0101=sea --is 0412=woods",
    "hexmarshal map render map.yaml -o map.png",
    "hexmarshal map check map.yaml --module game.vmod",
)


@app.command(
    epilog=examples(
        "hexmarshal map render map.yaml -o map.svg",
        "hexmarshal map render map.yaml -o map.png --zoom 2 --unit 0506=blue/armour/7",
    )
)
def render(
    map: MapFile,
    output: OutputFile,
    *,
    names: Annotated[bool, typer.Option("--names/--no-names", help="The cells' names.")] = True,
    legend: Annotated[bool, typer.Option("--legend/--no-legend", help="What is what.")] = True,
    zoom: Zoom = 1.0,
    title: Title = "",
    unit: Units = None,
    module: OverModule = None,
    of_map: OfMap = "",
    board: OfBoard = "",
    force: Force = False,
    json: Json = False,
) -> int:
    """Draw a map as SVG or PNG, by the ending of the output's name."""
    from hexmarshal.geometry.svg import Picture

    kind = output.suffix.lower()
    if kind not in (".svg", ".png"):
        raise UsageError(
            f"a picture cannot be {kind or 'without an ending'}",
            place=Place(file=str(output)),
            hint="let the name end in .svg or .png",
        )
    terrain = read_map(map)
    under = backdrop(module, of_map, board, terrain)
    shown = counters(terrain, unit or ())
    picture = Picture(terrain, (), shown, title, names, legend, under)
    svg, png = (output, None) if kind == ".svg" else (None, output)
    written = save(picture, svg, png, zoom=zoom, force=force)
    if json:
        print_json({"pictures": written})
    else:
        print(f"drawn: {written[0]}")
    return ExitCode.OK


@app.command(
    short_help="Check a map, and show what it holds.",
    epilog=examples(
        "hexmarshal map check map.yaml",
        "hexmarshal map check map.yaml --module game.vmod --json",
    ),
)
def check(
    map: MapFile,
    *,
    module: Annotated[
        Path | None, typer.Option("--module", metavar="VMOD", help="Compare it with its board.")
    ] = None,
    of_map: OfMap = "",
    board: OfBoard = "",
    json: Json = False,
) -> int:
    """Check a map: every name, terrain, side and outline; then show what it holds.

    With --module also whether its cells are those of the board, under the same names.
    """
    terrain = read_map(map)
    unused = _unused(terrain)
    unlike = _unlike(map, terrain, module, of_map, board) if module is not None else []
    summary: dict[str, object] = {
        "map": terrain.name_of_map or str(map),
        "cells": len(terrain.names),
        "levels": " ".join(
            str(level) for level in sorted({terrain.level(c) for c in terrain.cells()})
        ),
        "sides": len(terrain.side_terrain),
        "vertices": len(terrain.vertex_terrain),
        "shapes": len(terrain.shapes),
        "paths": len(terrain.paths),
    }
    places = _places(terrain)
    if json:
        print_json({**summary, "terrain": places, "unused": unused, "differences": unlike})
    else:
        print_fields(summary)
        print_table(
            "",
            ("terrain", "sight", "height", "places"),
            [
                (name, kind.sight.value, kind.height, places[name])
                for name, kind in terrain.types.items()
            ],
            right=("height", "places"),
        )
        for name in unused:
            print(f"unused: terrain {name}")
        for text in unlike:
            print(f"not as on the board: {text}")
    return ExitCode.FINDINGS if unused or unlike else ExitCode.OK


def _unlike(map: Path, terrain: TerrainMap, module: Path, of_map: str, board: str) -> list[str]:
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.terrain.sidecar import board_of, grid_differences

    opened = Module.open(module)
    names = [one.name for m in opened.maps() for one in m.boards]
    named = board or (terrain.name_of_map if terrain.name_of_map in names else "")
    text = map.read_text(encoding="utf-8-sig")
    return grid_differences(opened, board_of(opened, of_map, named), text)


def _places(terrain: TerrainMap) -> dict[str, int]:
    """How many cells, sides, vertices, shapes and paths have each terrain."""
    count = Counter(dict.fromkeys(terrain.types, 0))
    for layer in (terrain.cell_terrain, terrain.side_terrain, terrain.vertex_terrain):
        count.update(kind for kinds in layer.values() for kind in kinds)
    count.update(shape.terrain for shape in terrain.shapes)
    count.update(path.terrain for path in terrain.paths)
    return dict(count)


def _unused(terrain: TerrainMap) -> list[str]:
    return [name for name, places in _places(terrain).items() if not places]


register(app)
