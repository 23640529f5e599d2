"""`hexmarshal convert`: saved games in the form of another VASSAL."""

from __future__ import annotations

from typing import Annotated

import typer

from hexmarshal.cli.options import Force, InputFile, Json, OutputFile, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors.counts import counted

app = command_app("Write a save, a log or a module's set-ups for another VASSAL.")


@app.command(
    epilog=examples(
        "hexmarshal convert turn5.vlog --format 3.7 -o for-ann.vlog",
        "hexmarshal convert game.vmod --format 3.8 -o smaller.vmod",
    )
)
def convert(
    file: InputFile,
    output: OutputFile,
    *,
    format: Annotated[
        str, typer.Option("--format", metavar="3.7|3.8", help="The VASSAL that shall read it.")
    ],
    force: Force = False,
    json: Json = False,
) -> None:
    """Write the same games in the form that VASSAL 3.7 or VASSAL 3.8 writes.

    3.8 packs saved games and reads the older form too; 3.7 cannot read the newer one.
    """
    from hexmarshal.vassal.container.atomic import refuse_existing
    from hexmarshal.vassal.container.saved_forms import form_of_engine
    from hexmarshal.vassal.saves.conversion import convert_file

    form = form_of_engine(format)
    refuse_existing(output, force=force)
    with progress(f"converting {file.name}", None):
        count = convert_file(file, output, form, force=force)
    if json:
        print_json({"output": str(output), "format": format, "converted": count})
        return
    games = counted(count, "saved game")
    print(f"{output}: {games} converted to the form of VASSAL {format}")
