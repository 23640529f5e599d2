"""`hexmarshal render`: a map with its pieces as a picture."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Annotated, Any

import typer

from hexmarshal.cli.options import Force, InputFile, Json, OutputFile, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import OutputError, Place, UsageError
from hexmarshal.errors.counts import counted

app = command_app("Draw a map with the pieces of a game on it.")

_SUFFIXES = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP"}


@app.command(
    epilog=examples(
        "hexmarshal render game.vmod -o start.png",
        "hexmarshal render turn5.vsav --module game.vmod -o turn5.png --scale 0.5",
        "hexmarshal render game.vsav --module VASL.vmod --board-dir boards -o game.png",
        "hexmarshal render game.vmod --setup 'Campaign' --map 'Main Map' -o campaign.png",
    )
)
def render(
    file: InputFile,
    output: OutputFile,
    *,
    module: Annotated[
        Path | None, typer.Option("--module", metavar="VMOD", help="The module of a save or log.")
    ] = None,
    extension: Annotated[
        list[Path] | None,
        typer.Option("--extension", metavar="VMDX", help="An extension in use; may be repeated."),
    ] = None,
    setup: Annotated[
        str | None,
        typer.Option("--setup", metavar="NAME", help="Draw this predefined set-up of the module."),
    ] = None,
    at_step: Annotated[
        int, typer.Option("--step", metavar="N", help="Draw a log after its step N; 0: its start.")
    ] = 0,
    map_name: Annotated[
        str | None,
        typer.Option("--map", metavar="NAME", help="Which map; the first one if not given."),
    ] = None,
    scale: Annotated[
        float,
        typer.Option(
            "--scale", "--zoom", metavar="N", help="Size of the picture, 1 = full, at most 4."
        ),
    ] = 1.0,
    board_dir: Annotated[
        Path | None,
        typer.Option(
            "--board-dir",
            metavar="DIR",
            help="Where boards are that lie outside of the module [boards, beside the file].",
        ),
    ] = None,
    any_module: Annotated[
        bool, typer.Option("--any-module", help="Draw a game of a module of another name too.")
    ] = False,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Show masked and hidden pieces as they are.")
    ] = False,
    force: Force = False,
    json: Json = False,
) -> None:
    """Draw a map with the pieces of a save, a set-up or a new game on it.

    Masked pieces show their mask and hidden ones nothing, as for an onlooker.
    """
    from hexmarshal.table.module_readers import boards_of
    from hexmarshal.vassal.container.atomic import refuse_existing, write_atomically
    from hexmarshal.vassal.render import render_map
    from hexmarshal.vassal.render.source import game_to_draw

    form = _SUFFIXES.get(output.suffix.lower())
    if form is None:
        raise UsageError(
            f"cannot write a {output.suffix or 'file without a suffix'}",
            hint=f"the output must end in one of {', '.join(_SUFFIXES)}",
        )
    refuse_existing(output, force=force)
    source, state = game_to_draw(
        file, module, extension or (), setup, at_step, any_module=any_module
    )
    boards = boards_of(source.name, state, file, module, board_dir)
    with progress("Drawing", len(state.table.items)) as step:
        drawn = render_map(
            source, state, map_name, reveal=reveal, scale=scale, step=step, boards=boards
        )
    picture = BytesIO()
    try:
        drawn.image.save(picture, form)
    except (OSError, ValueError) as why:
        # Each format has a largest picture of its own.
        hint = "a smaller --scale, or .png"
        raise OutputError(f"no {form}: {why}", place=Place(file=str(output)), hint=hint) from why
    write_atomically(output, [picture.getvalue()], force=force)
    told: dict[str, Any] = {
        "output": str(output),
        "width": drawn.image.width,
        "height": drawn.image.height,
        "pieces": drawn.drawn,
        "hidden": drawn.hidden,
        "missing": list(drawn.missing),
        "notes": list(boards.notes) if boards is not None else [],
    }
    if json:
        print_json(told)
        return
    print(
        f"{output}: {drawn.image.width} x {drawn.image.height} pixels,"
        f" {counted(drawn.drawn, 'piece')}, {drawn.hidden} hidden"
    )
    for name in drawn.missing:
        print(f"missing image: {name}")
    for note in told["notes"]:
        print(f"note: {note}")
