"""`hexmarshal merge MODULE EXTENSION... -o OUT`: folds extensions into a module."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, Json, OutputFile, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import ExitCode, UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from hexmarshal.vassal.merge import Merged

app = command_app("Fold extensions into a module.")


@app.command(
    epilog=examples(
        "hexmarshal merge game.vmod desert.vmdx winter.vmdx -o game-all.vmod",
        "hexmarshal merge game.vmod desert.vmdx -o all.vmod --on-collision keep --json",
    )
)
def merge(
    module: Annotated[Path, typer.Argument(metavar="MODULE", help="The module.")],
    extensions: Annotated[
        list[Path], typer.Argument(metavar="EXTENSION", help="The extensions, in order.")
    ],
    *,
    output: OutputFile,
    on_collision: Annotated[
        str,
        typer.Option(
            metavar="HOW",
            help="A file that both have with other content: rename it with what names it, "
            "keep the module's as the engine would, or stop with an error.",
        ),
    ] = "rename",
    any_module: Annotated[
        bool, typer.Option("--any-module", help="Merge an extension of another module.")
    ] = False,
    force: Force = False,
    json: Json = False,
) -> int:
    """Fold extensions into a module: components, pieces with new gpids, files, set-ups."""
    from hexmarshal.vassal.container.atomic import refuse_existing
    from hexmarshal.vassal.merge import COLLISIONS
    from hexmarshal.vassal.merge import merge as fold
    from hexmarshal.vassal.module import Module

    if on_collision not in COLLISIONS:
        raise UsageError(f"no such choice: {on_collision!r}", hint=", ".join(COLLISIONS))
    refuse_existing(output, force=force)
    whole = Module.open(module)
    parts = [Module.open(path) for path in extensions]
    with progress("merging", len(parts)) as advance:
        done = []
        for part in parts:
            done += fold(whole, [part], on_collision=on_collision, any_module=any_module)
            advance(1)
    whole.save(output, force=force)
    if json:
        print_json({"output": str(output), "merged": [one.as_dict() for one in done]})
    else:
        for one in done:
            _print(one)
        print(f"wrote {output}")
    return ExitCode.OK


def _print(one: Merged) -> None:
    print(f"{one.extension}:")
    for what, where in one.placed:
        print(f"  put {what} into {where}")
    for old, new in one.files.items():
        if old != new:
            print(f"  renamed {old} to {new}")
    for entry in one.kept:
        print(f"  kept the module's own {entry}")
    for entry in one.saves:
        print(f"  brought {entry} up to date")
    for warning in one.warnings:
        print(f"  warning: {warning}")
    print(
        f"  {counted(len(one.placed), 'component')}, {counted(len(one.gpids), 'gpid')},"
        f" {counted(len(one.files), 'file')}"
    )
