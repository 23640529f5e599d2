"""`hexmarshal pack`: a folder that `unpack` wrote, back to a VASSAL file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hexmarshal.cli.options import Force, Json, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import ExitCode
from hexmarshal.errors.counts import counted

app = command_app("Pack a folder that unpack wrote to a VASSAL file.")

_LISTED = 12


@app.command(
    epilog=examples(
        "hexmarshal pack game game.vmod",
        "hexmarshal pack game game.vmod --force",
        "hexmarshal pack game game.vmod --scrub    # without secrets.json",
    )
)
def pack(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to read.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    *,
    scrub: Annotated[
        bool, typer.Option("--scrub", help="Leave players' ids out: write player-1, player-2, ...")
    ] = False,
    force: Force = False,
    json: Json = False,
) -> int:
    """Pack a folder to the module, extension, save or log that it says.

    What was not changed comes out as it was, byte for byte. A file that is new in the folder
    becomes a new entry, one that is gone from it is left out.
    """
    from hexmarshal.vassal.textform import pack as pack_to

    with progress(f"packing {file.name}", None) as advance:
        done = pack_to(folder, file, scrub=scrub, force=force, advance=advance)
    lists = {
        "changed": done.changed,
        "added": done.added,
        "removed": done.removed,
        "packed_otherwise": done.repacked,
    }
    if json:
        print_json(
            {
                "file": str(file),
                "entries": done.entries,
                "identical": done.is_identical,
                "scrubbed": done.scrubbed,
                **lists,
            }
        )
        return ExitCode.OK
    same = "identical to what was unpacked" if done.is_identical else "changed"
    print(f"packed: {file} ({counted(done.entries, 'entry', 'entries')}, {same})")
    for word, names in lists.items():
        for name in names[:_LISTED]:
            print(f"  {word.replace('_', ' ')}: {name}")
        if len(names) > _LISTED:
            print(f"  {word.replace('_', ' ')}: {len(names) - _LISTED} more")
    if done.scrubbed:
        print("players' ids were left out")
    return ExitCode.OK
