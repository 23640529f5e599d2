"""`hexmarshal merge3 BASE OURS THEIRS`: two versions that were made apart, put together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hexmarshal.cli.options import Force, Json, OutputFile, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import ExitCode, Place, UsageError
from hexmarshal.errors.counts import counted

MOST_TAKEN = 30

app = command_app("Merge two versions of a module that were made apart.")


@app.command(
    epilog=examples(
        "hexmarshal merge3 base.vmod mine.vmod yours.vmod -o both.vmod",
        "hexmarshal merge3 base.vmod mine.vmod yours.vmod -o both.vmod --favour theirs --json",
        "git config merge.vassal.driver 'hexmarshal merge3 %O %A %B -o %A --force'",
    )
)
def merge3(
    base: Annotated[Path, typer.Argument(metavar="BASE", help="What both were made of.")],
    ours: Annotated[Path, typer.Argument(metavar="OURS", help="One version.")],
    theirs: Annotated[Path, typer.Argument(metavar="THEIRS", help="The other version.")],
    *,
    output: OutputFile,
    favour: Annotated[
        str,
        typer.Option(metavar="ours|theirs", help="Whose word counts where both changed a thing."),
    ] = "ours",
    any_module: Annotated[
        bool, typer.Option("--any-module", help="Merge what is no version of one module, too.")
    ] = False,
    force: Force = False,
    json: Json = False,
) -> int:
    """Put together what two people changed in copies of a module, an extension or a save.

    Components, pieces trait by trait, set-ups piece by piece, pages line by line, pictures whole.
    Where both changed the same thing, it is told, the favoured side's word goes into the result,
    and the exit code is 1. Versions that were not made of BASE are refused, unless one was renamed
    and still has most of it.
    """
    from hexmarshal.vassal.container.atomic import refuse_existing
    from hexmarshal.vassal.files import open_file
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.threeway import (
        FAVOURS,
        Account,
        demand_kindred_games,
        merge_games,
        merge_modules,
    )

    if favour not in FAVOURS:
        raise UsageError(f"no such choice: {favour!r}", hint="--favour ours, --favour theirs")
    refuse_existing(output, force=force)
    first, second, third = (open_file(path) for path in (base, ours, theirs))
    account = Account(favour)
    with progress("merging", None):
        match first, second, third:
            case Module(), Module(), Module():
                merge_modules(first, second, third, account, any_module=any_module)
                second.save(output, force=force)
            case SavedGame(), SavedGame(), SavedGame():
                if not any_module:
                    demand_kindred_games(first, second, third)
                merge_games(first, second, third, account).save(output, force=force)
            case _:
                raise UsageError(
                    "modules and saved games cannot be merged", place=Place(file=str(theirs))
                )
    if json:
        print_json(
            {
                "output": str(output),
                "taken": account.taken,
                "conflicts": [conflict.as_dict() for conflict in account.conflicts],
            }
        )
    else:
        for words in account.taken[:MOST_TAKEN]:
            print(f"from theirs: {words}")
        if len(account.taken) > MOST_TAKEN:
            print(f"from theirs: {len(account.taken) - MOST_TAKEN} more (--json lists all)")
        for conflict in account.conflicts:
            print(f"conflict: {conflict}")
        print(
            f"{counted(len(account.taken), 'change')} taken over,"
            f" {counted(len(account.conflicts), 'conflict')}"
        )
        print(f"wrote {output}")
    return ExitCode.FINDINGS if account.conflicts else ExitCode.OK
