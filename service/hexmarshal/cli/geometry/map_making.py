"""`hexmarshal map new`, `paint` and `convert`: terrain for the map of any module."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.geometry.options import MapFile, OfBoard, OfMap
from hexmarshal.cli.options import Force, Json, OutputFile, examples
from hexmarshal.cli.output import print_json, print_table
from hexmarshal.errors import ExitCode, NotFoundError, OutputError, Place, UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL.Image import Image

    from hexmarshal.vassal.terrain.colours import Group
    from hexmarshal.vassal.terrain.painting import Painted

__all__ = ["register"]

_SHOWN = 12


def register(app: typer.Typer) -> None:
    """Put the commands into the group."""
    app.command(
        short_help="Make a terrain file for a module's board.",
        epilog=examples(
            "hexmarshal map new game.vmod -o terrain.yaml",
            "hexmarshal map new game.vmod --map Normandy --board 'Board G' -o g.yaml",
        ),
    )(new)
    app.command(
        short_help="Take terrain from the colours of a picture.",
        epilog=examples(
            "hexmarshal map paint terrain.yaml --module game.vmod",
            "hexmarshal map paint terrain.yaml --module game.vmod --is 0101=sea --is 0412=woods",
            "hexmarshal map paint terrain.yaml --picture map.png --is 0101=sea -o painted.yaml",
        ),
    )(paint)
    app.command(
        short_help="Turn a terrain file into a sheet, and back.",
        epilog=examples(
            "hexmarshal map convert terrain.yaml terrain.xlsx",
            "hexmarshal map convert terrain.xlsx new.yaml --onto terrain.yaml",
        ),
    )(convert)


def _text(file: Path) -> str:
    from hexmarshal.geometry.values_with_lines import text_of

    try:
        return text_of(file.read_bytes(), str(file))
    except FileNotFoundError:
        raise NotFoundError("there is no such file", place=Place(file=str(file))) from None
    except OSError as error:
        raise NotFoundError(
            f"cannot be read: {error.strerror}", place=Place(file=str(file))
        ) from None


def new(
    module: Annotated[Path, typer.Argument(metavar="VMOD", help="The module.")],
    *,
    output: OutputFile,
    of_map: OfMap = "",
    board: OfBoard = "",
    force: Force = False,
    json: Json = False,
) -> None:
    """Make a terrain file for a board: its grid as the module has it, and every cell by name."""
    from hexmarshal.geometry.terrain.terrain_file import loads
    from hexmarshal.vassal.container.atomic import refuse_existing, write_atomically
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.terrain.sidecar import board_of, new_sidecar

    if output.suffix.lower() not in (".yaml", ".yml"):
        raise UsageError(
            "a terrain file is YAML",
            place=Place(file=str(output)),
            hint="'hexmarshal map convert' makes a sheet of it",
        )
    refuse_existing(output, force=force)
    opened = Module.open(module)
    found = board_of(opened, of_map, board)
    text = new_sidecar(opened, found)
    terrain = loads(text)
    write_atomically(output, [text.encode()], force=force)
    about = {
        "written": str(output),
        "map": found.map.name,
        "board": found.board.name,
        "grid": str((terrain.grid or {}).get("kind", "")),
        "cells": len(terrain.names),
    }
    if json:
        print_json(about)
    else:
        print(
            f"written: {output} (map {found.map.name}, board {found.board.name}, "
            f"{counted(len(terrain.names), 'cell')})"
        )


def paint(
    map: MapFile,
    *,
    module: Annotated[
        Path | None, typer.Option("--module", metavar="VMOD", help="Its board has the picture.")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option("--picture", metavar="IMAGE", help="The picture, if not a module's."),
    ] = None,
    of_map: OfMap = "",
    board: OfBoard = "",
    known: Annotated[
        list[str] | None,
        typer.Option(
            "--is",
            metavar="CELL=TERRAIN",
            help="An example; several cells with commas between. May be given several times.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUT", help="Where to write; MAP itself if not."),
    ] = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Take the terrain of cells from the colours of the map's picture.

    First without examples: it shows which cells look alike, for you to name one of each kind. Then
    with examples: each cell becomes as the example that it looks most like. Cells that a person
    has set stay as they are, and count as examples. Those that it is not sure of are listed, in
    the file too, and the exit code is 1 as long as there are any.
    """
    from hexmarshal.geometry.terrain.terrain_file import loads
    from hexmarshal.vassal.container.atomic import write_atomically
    from hexmarshal.vassal.terrain.colours import Looks
    from hexmarshal.vassal.terrain.painting import painted_text

    text = _text(map)
    terrain = loads(text, file=str(map), folder=map.parent)
    looks = Looks(terrain, _picture(module, picture, of_map, board, terrain.name_of_map))
    examples_given = _examples(known or [])
    for name in examples_given:
        terrain.cell(name)
    done = painted_text(text, str(map), looks, examples_given)
    if done is None:
        groups = looks.groups()
        if json:
            print_json({"groups": [_as_json(group) for group in groups], "written": None})
        else:
            _print_groups(groups)
        return ExitCode.FINDINGS
    target = output or map
    if output is not None and output.exists() and not force and not _same(output, map):
        raise OutputError("exists already", place=Place(file=str(output)), hint="use --force")
    write_atomically(target, [done.text.encode()], force=True)
    unlike = looks.groups(done.unlike) if done.unlike else []
    if json:
        print_json(
            {
                "written": str(target),
                "painted": len(done.painted),
                "kept": len(done.kept),
                "doubtful": list(done.doubtful),
                "by_terrain": done.count(),
                "unlike": [_as_json(group) for group in unlike],
            }
        )
    else:
        _print_painted(done, unlike, target)
    return ExitCode.FINDINGS if done.doubtful else ExitCode.OK


def _same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and one.samefile(other)


def _picture(
    module: Path | None, picture: Path | None, of_map: str, board: str, name: str
) -> Image:
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.terrain.pictures import board_image, file_image

    if (module is None) == (picture is None):
        raise UsageError("say where the picture is", hint="--module VMOD, or --picture IMAGE")
    if picture is not None:
        try:
            return file_image(picture.read_bytes(), str(picture))
        except FileNotFoundError:
            raise NotFoundError("there is no such file", place=Place(file=str(picture))) from None
    assert module is not None
    opened = Module.open(module)
    names = [one.name for m in opened.maps() for one in m.boards]
    return board_image(opened, of_map, board or (name if name in names else ""))


def _examples(words: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in words:
        cells, equals, terrain = text.partition("=")
        if not equals or not cells.strip() or not terrain.strip():
            raise UsageError(f"{text!r} is no example", hint="write CELL=TERRAIN, 0412=woods")
        for cell in cells.split(","):
            if found.setdefault(cell.strip(), terrain.strip()) != terrain.strip():
                raise UsageError(
                    f"{cell.strip()} is {found[cell.strip()]} and {terrain.strip()}",
                    hint="a cell is an example of one terrain",
                )
    return found


def _as_json(group: Group) -> dict[str, object]:
    return {"cells": list(group.cells), "colour": group.colour}


def _print_groups(groups: Sequence[Group]) -> None:
    rows = [
        (len(group.cells), group.colour, ", ".join(group.cells[:6])) for group in groups[:_SHOWN]
    ]
    print_table("Cells that look alike", ("cells", "colour", "such as"), rows, right=("cells",))
    if len(groups) > _SHOWN:
        print(f"and {len(groups) - _SHOWN} smaller groups")
    print(f"Look at them, then name what they are: --is {groups[0].example}=...")


def _print_painted(done: Painted, unlike: Sequence[Group], target: Path) -> None:
    rows = list(done.count().items())
    print_table("", ("terrain", "cells"), rows, right=("cells",))
    if done.doubtful:
        shown = ", ".join(done.doubtful[: 3 * _SHOWN])
        more = f", and {len(done.doubtful) - 3 * _SHOWN} more" if len(done.doubtful) > 36 else ""
        print(f"doubtful: {shown}{more}")
    for group in unlike[:3]:
        print(f"unlike all examples: {counted(len(group.cells), 'cell')} such as {group.example}")
    print(
        f"written: {target} ({counted(len(done.painted), 'cell')} painted,"
        f" {len(done.kept)} kept as they were set, {len(done.doubtful)} doubtful)"
    )


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A terrain file, or a sheet.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="A sheet, or a terrain file.")],
    *,
    onto: Annotated[
        Path | None,
        typer.Option("--onto", metavar="MAP", help="The terrain file that a sheet changes."),
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Turn a terrain file into a sheet (.xlsx, .ods, .csv), and back.

    The sheet has a row a cell: terrain, level, and what lies on each of its sides.
    """
    from hexmarshal.vassal.container.atomic import refuse_existing, write_atomically
    from hexmarshal.vassal.terrain.sheet import lay_terrain_sheet, terrain_sheet
    from hexmarshal.workbook import ENDINGS

    changed: int | None = None
    same = onto is not None and _same(onto, target)
    if not same:
        refuse_existing(target, force=force)
    if source.suffix.lower() in (".yaml", ".yml"):
        if target.suffix.lower() not in ENDINGS:
            raise UsageError(
                "OUT is no sheet",
                place=Place(file=str(target)),
                hint=f"let it end in one of {' '.join(ENDINGS)}",
            )
        write_atomically(
            target, [terrain_sheet(_text(source), str(source), target.name)], force=force
        )
        about: dict[str, object] = {"written": str(target)}
    else:
        if onto is None:
            raise UsageError(
                "a sheet has no grid", hint="name the terrain file that it changes with --onto"
            )
        try:
            data = source.read_bytes()
        except OSError as error:
            raise NotFoundError(
                f"cannot be read: {error.strerror}", place=Place(file=str(source))
            ) from None
        text, changed = lay_terrain_sheet(_text(onto), str(onto), data, str(source))
        if same and not force:
            raise OutputError("exists already", place=Place(file=str(target)), hint="use --force")
        write_atomically(target, [text.encode()], force=force or same)
        about = {"written": str(target), "changed": changed}
    if json:
        print_json(about)
    else:
        told = "" if changed is None else f" ({counted(changed, 'entry', 'entries')} changed)"
        print(f"written: {target}{told}")
