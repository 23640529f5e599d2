"""`hexmarshal unpack`: a VASSAL file as a folder of text and images that git can follow."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hexmarshal.cli.options import Force, InputFile, Json, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import ExitCode
from hexmarshal.errors.counts import counted

app = command_app("Unpack a VASSAL file to a folder that git can follow.")


@app.command(
    epilog=examples(
        "hexmarshal unpack game.vmod game",
        "hexmarshal unpack game.vmod game --force    # bring the folder up to date",
    )
)
def unpack(
    file: InputFile,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write.")],
    *,
    force: Force = False,
    json: Json = False,
) -> int:
    """Unpack a module, extension, save or log: XML and pieces on lines, images as files.

    Players' ids (their VASSAL passwords) go to secrets.json, which the written .gitignore names.
    `hexmarshal pack` makes the same file again, byte for byte, unless something was changed.
    """
    from hexmarshal.vassal.container.archive import Archive
    from hexmarshal.vassal.textform import unpack as unpack_to

    archive = Archive.open(file)
    with progress(f"unpacking {file.name}", len(archive.entries)) as advance:
        done = unpack_to(archive, folder, force=force, advance=advance)
    if json:
        print_json(
            {
                "folder": str(folder),
                "kind": done.kind,
                "files": done.files,
                "saves": done.saves,
                "players": done.players,
                "kept_packed": done.kept,
                "notes": done.notes,
            }
        )
        return ExitCode.OK
    saves = f", {done.saves} of them saved games" if done.saves else ""
    print(f"unpacked: {folder} ({done.kind}, {counted(done.files, 'entry', 'entries')}{saves})")
    if done.players:
        ids = counted(done.players, "player's id is", "players' ids are")
        print(f"{ids} in {folder / 'secrets.json'}: do not publish that file")
    for note in done.notes:
        print(f"note: {note}")
    return ExitCode.OK
