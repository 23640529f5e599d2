"""`hexmarshal edit`: batch changes to a module or saved game, as a recipe says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, Json, SaveFormat, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import ExitCode, UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from hexmarshal.vassal.recipes import Edited

app = command_app("Change a module or saved game as a recipe says.")


@app.command(
    epilog=examples(
        "hexmarshal edit game.vmod steps.yaml --dry-run",
        "hexmarshal edit game.vmod steps.yaml -o new.vmod",
        "hexmarshal edit --schema > recipe.schema.json",
    )
)
def edit(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A module, extension, save or log.")
    ] = None,
    recipe: Annotated[
        Path | None, typer.Argument(metavar="RECIPE.yaml", help="What to change.")
    ] = None,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="OUT", help="Where to write.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only tell what would change.")
    ] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of recipes and exit.")
    ] = False,
    format: SaveFormat = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Do the steps of a recipe to a file: all of them, or on any error none.

    Exit code 1 says that something in the file cannot be read and was left as it is, that an
    expression holds an old name in a way that is not understood, or that a name to be changed
    stands nowhere.
    """
    if schema:
        from hexmarshal.vassal.recipes import recipe_schema

        print_json(recipe_schema())
        return ExitCode.OK
    if file is None or recipe is None:
        raise UsageError("which file, and which recipe?", hint="try 'hexmarshal edit --help'")
    if output is None and not dry_run:
        raise UsageError(
            "where shall the result go?", hint="give -o OUT, or --dry-run to see what would change"
        )
    done = _run(file, recipe, None if dry_run else output, format, force=force)
    if json:
        print_json(
            {
                "dry_run": dry_run,
                "output": None if dry_run else str(output),
                "changes": [
                    {"step": c.step, "where": c.where, "what": c.what} for c in done.changes
                ],
                "idle_steps": done.idle,
                "problems": done.problems,
                "mentions": done.mentions,
                "missing": done.missing,
            }
        )
    else:
        _print(done)
        print("nothing was written" if dry_run else f"written: {output}")
    findings = done.problems or done.mentions or done.missing
    return ExitCode.FINDINGS if findings else ExitCode.OK


def _run(
    file: Path, recipe_file: Path, output: Path | None, format: str | None, *, force: bool
) -> Edited:
    from hexmarshal.vassal.container.archive import Archive, FileKind
    from hexmarshal.vassal.container.atomic import refuse_existing
    from hexmarshal.vassal.container.saved_forms import form_of_engine
    from hexmarshal.vassal.container.source import read_file
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.recipes import Recipe, edit_module, edit_saved
    from hexmarshal.vassal.saves.savegame import SavedGame

    recipe = Recipe.open(recipe_file)
    form = None if format is None else form_of_engine(format)
    if output is not None:
        refuse_existing(output, force=force)
    if not read_file(file)[:64].lstrip().startswith(b"<"):
        archive = Archive.open(file)
        if archive.kind is FileKind.SAVE:
            saved, done = edit_saved(SavedGame.from_archive(archive), recipe)
            if output is not None:
                (saved if form is None else saved.in_form(form)).save(output, force=force)
            return done
    if form is not None:
        raise UsageError(
            "--format is for saved games", hint="hexmarshal convert changes a module's set-ups"
        )
    module = Module.open(file)
    total = sum(1 for _ in module.slots()) * len(recipe.steps)
    with progress(f"editing {file.name}", total) as advance:
        done = edit_module(module, recipe, advance)
        # Written out even for a dry run: what cannot be written is an error now, not later.
        if output is None:
            module.to_bytes()
    if output is not None:
        module.save(output, force=force)
    return done


def _print(done: Edited) -> None:
    for change in done.changes:
        step = f"step {change.step}" if change.step else "set-ups"
        print(f"{step}: {change.where}: {change.what}")
    for number in done.idle:
        print(f"step {number}: nothing to change")
    for missing in done.missing:
        print(missing)
    for mention in done.mentions:
        print(f"look at: {mention}")
    for problem in done.problems:
        print(f"problem: {problem}")
    print(counted(len(done.changes), "change"))
