"""`hexmarshal extensions`: which extensions a saved game wants, and which would supply a piece."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hexmarshal.cli.options import InputFile, Json, command_app, examples
from hexmarshal.cli.output import print_json, print_table
from hexmarshal.errors import ExitCode
from hexmarshal.errors.counts import counted

MOST_TOLD = 40

app = command_app("Tell which extensions a saved game wants.")


@app.command(
    epilog=examples(
        "hexmarshal extensions turn5.vsav --module game.vmod --among game_ext",
        "hexmarshal extensions turn5.vsav --module game.vmod --active winter.vmdx --json",
    )
)
def extensions(
    file: InputFile,
    *,
    module: Annotated[Path, typer.Option(metavar="VMOD", help="The module of the game.")],
    active: Annotated[
        list[Path] | None,
        typer.Option(metavar="VMDX", help="An extension that is loaded with the module."),
    ] = None,
    among: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="Inactive extensions: a file, or a folder of them."),
    ] = None,
    any_module: Annotated[
        bool, typer.Option("--any-module", help="Look at a game of a module of another name too.")
    ] = False,
    json: Json = False,
) -> int:
    """Tell what a save was played with, and who would supply the pieces that are missing.

    A piece is missing if neither the module nor an active extension defines its gpid. The exit
    code is 1 if there is one.
    """
    from hexmarshal.vassal.extensions import wanted_extensions
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.ownership import demand_game_of, map_names
    from hexmarshal.vassal.saves.savegame import SavedGame

    saved = SavedGame.open(file)
    base = Module.open(module)
    if not any_module:
        demand_game_of(saved, base.name, map_names(base), "looks at")
    loaded = [Module.open(path) for path in active or []]
    others: list[Path] = []
    for path in among or []:
        others += sorted(path.glob("*.vmdx")) if path.is_dir() else [path]
    done = wanted_extensions(saved, base, loaded, {path.name: Module.open(path) for path in others})
    if json:
        print_json({"file": str(file), **done.as_dict()})
        return ExitCode.FINDINGS if done.missing else ExitCode.OK
    for name, version in done.loaded.items():
        print(f"played with: {name} {version}")
    if not done.loaded:
        print("played with: no extensions")
    if done.missing:
        print_table(
            "Pieces that are not defined",
            ("piece", "gpid", "how many", "supplied by"),
            [
                (
                    m.name or "(no name)",
                    m.gpid,
                    m.count,
                    ", ".join(m.supplied_by) + (" (by name)" if m.by_name else "")
                    if m.supplied_by
                    else "none of them",
                )
                for m in done.missing[:MOST_TOLD]
            ],
            right=("how many",),
        )
        if len(done.missing) > MOST_TOLD:
            print(f"and {len(done.missing) - MOST_TOLD} more: --json lists all")
    total = sum(m.count for m in done.missing)
    kinds = counted(len(done.missing), "kind")
    print(f"{counted(total, 'piece')} of {kinds} {'is' if total == 1 else 'are'} not defined")
    return ExitCode.FINDINGS if done.missing else ExitCode.OK
