"""`hexmarshal map render` and `map check`: a picture of a map, and whether it is sound."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.geometry.options import MapFile, Title, Units, Zoom, counters, read_map, save
from hexmarshal.cli.options import Force, Json, OutputFile, command_app, examples
from hexmarshal.cli.output import print_fields, print_json, print_table
from hexmarshal.errors import ExitCode, Place, UsageError

if TYPE_CHECKING:
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

app = command_app(
    "Draw a map, or check it.",
    "hexmarshal map render map.yaml -o map.png",
    "hexmarshal map check map.yaml",
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
    picture = Picture(terrain, (), counters(terrain, unit or ()), title, names, legend)
    svg, png = (output, None) if kind == ".svg" else (None, output)
    written = save(picture, svg, png, zoom=zoom, force=force)
    if json:
        print_json({"pictures": written})
    else:
        print(f"drawn: {written[0]}")
    return ExitCode.OK


@app.command(
    short_help="Check a map, and show what it holds.",
    epilog=examples("hexmarshal map check map.yaml", "hexmarshal map check map.yaml --json"),
)
def check(
    map: MapFile,
    *,
    json: Json = False,
) -> int:
    """Check a map: every name, terrain, side and outline; then show what it holds."""
    terrain = read_map(map)
    unused = _unused(terrain)
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
        print_json({**summary, "terrain": places, "unused": unused})
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
    return ExitCode.FINDINGS if unused else ExitCode.OK


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
