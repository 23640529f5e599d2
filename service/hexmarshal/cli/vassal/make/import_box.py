"""`hexmarshal import`: a game box of another program as a VASSAL module."""

from __future__ import annotations

from hexmarshal.cli.options import Force, InputFile, Json, OutputFile, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import ExitCode
from hexmarshal.errors.counts import counted

app = command_app("Make a module of a game box of another program.")


@app.command(
    name="import",
    epilog=examples(
        "hexmarshal import kursk.ztb -o kursk.vmod",
        "hexmarshal import kursk.gbx -o kursk.vmod --json",
    ),
)
def import_box(
    file: InputFile, *, output: OutputFile, force: Force = False, json: Json = False
) -> int:
    """Make a module of a game box of ZunTzu (.ztb) or CyberBoard (.gbx).

    It has the maps, counters and cards, dice, and a set-up for each scenario of the box.

    What the box holds and the module cannot is told; then the exit code is 1.
    """
    from hexmarshal.vassal.container.atomic import refuse_existing
    from hexmarshal.vassal.imports import build_box, open_box

    refuse_existing(output, force=force)
    with progress(f"reading {file.name}", None):
        box = open_box(file)
        built = build_box(box)
        built.module.save(output, force=force)
    if json:
        print_json(
            {
                "output": str(output),
                "name": box.name,
                "maps": built.maps,
                "pieces": built.pieces,
                "setups": built.setups,
                "notes": built.notes,
            }
        )
    else:
        for note in built.notes:
            print(f"note: {note}")
        counts = ", ".join(
            (
                counted(built.maps, "map"),
                counted(built.pieces, "piece"),
                counted(built.setups, "set-up"),
            )
        )
        print(f"{output}: {box.name}: {counts}")
    return ExitCode.FINDINGS if built.notes else ExitCode.OK
