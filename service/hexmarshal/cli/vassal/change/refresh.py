"""`hexmarshal refresh`: saves, logs and set-ups brought up to a newer module."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, Json, SaveFormat, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import ExitCode, UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.refresh import PieceReport, RefreshReport
    from hexmarshal.vassal.saves.savegame import SavedGame

MOST_KINDS = 20
MOST_NAMES = 5

app = command_app("Bring saves, logs and set-ups up to a newer module.")


@app.command(
    epilog=examples(
        "hexmarshal refresh game.vsav --module new.vmod --dry-run",
        "hexmarshal refresh *.vsav *.vlog --module new.vmod -o refreshed",
        "hexmarshal refresh game.vsav --module new.vmod --from old.vmod -o refreshed",
        "hexmarshal refresh new.vmod --setups -o newer.vmod",
        "hexmarshal refresh game.vsav --module new.vmod --drop-properties -o refreshed",
    )
)
def refresh(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="Saves and logs, or one module.")
    ],
    *,
    module: Annotated[
        Path | None, typer.Option("--module", metavar="NEW", help="The newer module.")
    ] = None,
    extension: Annotated[
        list[Path] | None,
        typer.Option("--extension", metavar="VMDX", help="An extension that defines pieces too."),
    ] = None,
    old: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="OLD",
            help="The older module: finds pieces by their place in the palettes, and lets what no"
            " player touched follow the new module.",
        ),
    ] = None,
    setups: Annotated[
        bool, typer.Option("--setups", help="Refresh the set-ups inside a module.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="OUT", help="The folder to write to; with --setups a file."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only report what would be done.")
    ] = False,
    details: Annotated[
        bool, typer.Option("--details", help="List every piece, not only kinds of changes.")
    ] = False,
    drop_properties: Annotated[
        bool,
        typer.Option(
            "--drop-properties", help="Drop global properties that the module no longer has."
        ),
    ] = False,
    reset_property: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Give a global property the value of a new game; '*': all."
        ),
    ] = None,
    any_module: Annotated[
        bool, typer.Option("--any-module", help="Refresh games of a module of another name too.")
    ] = False,
    format: SaveFormat = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Give the pieces of saved games the definitions of a newer module, keeping their state.

    A piece is found by its gpid, then by its place in the palettes (with --from), then by name.
    What cannot be matched or carried over stays as it was and is reported; then the exit code
    is 1. Decks get what the module says of the deck of their name.
    """
    from hexmarshal.vassal.container.saved_forms import form_of_engine
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.refresh import Refresher

    if output is None and not dry_run:
        raise UsageError(
            "where shall the result go?", hint="give -o OUT, or --dry-run to see what would happen"
        )
    if setups != (module is None):
        raise UsageError(
            "--setups takes no --module: the module itself is the newer one"
            if setups
            else "which module shall the saves be brought up to?",
            hint="hexmarshal refresh game.vmod --setups -o OUT"
            if setups
            else "give --module NEW.vmod",
        )
    form = None if format is None else form_of_engine(format)
    if setups and form is not None:
        raise UsageError(
            "--format is for saves and logs", hint="hexmarshal convert changes a module's set-ups"
        )
    if setups and (drop_properties or reset_property):
        raise UsageError("--drop-properties and --reset-property are for saves and logs")
    if setups and len(files) != 1:
        raise UsageError("--setups takes one module")
    newer = Module.open(files[0] if module is None else module)
    extensions = [Module.open(path) for path in extension or []]
    before = None if old is None else Module.open(old)
    refresher = Refresher.of(newer, extensions, before, any_module=any_module or setups)
    if setups:
        reports = _setups(newer, refresher, None if dry_run else output, force=force)
    else:
        games = _saves(files, newer, refresher)
        if drop_properties or reset_property:
            modules = [newer, *extensions]
            games = [_properties(*one, modules, reset_property or []) for one in games]
        if output is not None and not dry_run:
            fresh = [saved if form is None else saved.in_form(form) for saved, _ in games]
            _write(output, [file.name for file in files], fresh, force=force)
        reports = [report for _, report in games]
    if json:
        print_json({"dry_run": dry_run, "files": [report.as_dict() for report in reports]})
    else:
        for report in reports:
            _print(report, details=details)
        if dry_run:
            print("nothing was written")
        elif output is not None:
            print(f"written: {output}")
    return ExitCode.FINDINGS if any(report.has_findings for report in reports) else ExitCode.OK


def _setups(
    module: Module, refresher: object, output: Path | None, *, force: bool
) -> list[RefreshReport]:
    from hexmarshal.vassal.container.atomic import refuse_existing
    from hexmarshal.vassal.refresh import Refresher, refresh_setups

    assert isinstance(refresher, Refresher)
    if output is not None:
        refuse_existing(output, force=force)
    with progress("refreshing set-ups", None) as advance:
        reports = refresh_setups(module, refresher, advance)
    if output is not None:
        module.save(output, force=force)
    return reports


def _saves(
    files: list[Path], module: Module, refresher: object
) -> list[tuple[SavedGame, RefreshReport]]:
    from hexmarshal.vassal.refresh import Refresher, for_module
    from hexmarshal.vassal.saves.savegame import SavedGame

    assert isinstance(refresher, Refresher)
    names = [file.name for file in files]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two of the files are called {twice}: they would overwrite each other")
    done: list[tuple[SavedGame, RefreshReport]] = []
    for file in files:
        saved = SavedGame.open(file)
        total = sum(1 for node in saved.root.walk() if node.text.startswith("+/"))
        with progress(f"refreshing {file.name}", total) as advance:
            fresh, report = refresher.refresh(saved, str(file), advance)
        done.append((for_module(fresh, module), report))
    return done


def _properties(
    saved: SavedGame, report: RefreshReport, modules: list[Module], reset: list[str]
) -> tuple[SavedGame, RefreshReport]:
    from hexmarshal.vassal.refresh.properties import reset_properties

    changed, report.properties = reset_properties(saved, modules, reset)
    return changed, report


def _write(folder: Path, names: list[str], games: list[SavedGame], *, force: bool) -> None:
    from hexmarshal.vassal.container.atomic import make_folder, refuse_existing

    make_folder(folder)
    # All or nothing as far as can be told before: no file is written if one would be refused.
    for name in names:
        refuse_existing(folder / name, force=force)
    for name, game in zip(names, games, strict=True):
        game.save(folder / name, force=force)


def _print(report: RefreshReport, *, details: bool) -> None:
    print(report.file)
    for what, count in report.counts().items():
        if count:
            print(f"  {what}: {count}")
    for line in report.properties:
        print(f"  property {line}")
    for problem in report.problems:
        print(f"  problem: {problem}")
    if details:
        for piece in report.pieces:
            for line in _lines(piece):
                print(f"  {line}")
        return
    _print_kinds(report)


def _print_kinds(report: RefreshReport) -> None:
    from hexmarshal.vassal.refresh import kept_by_reason, kinds_of_change, lost_by_trait

    kinds = [*kinds_of_change(report).items()]
    if kinds:
        print("  in how many pieces and decks (--details lists them):")
    for kind, count in kinds[:MOST_KINDS]:
        print(f"    {kind}: {count}")
    if len(kinds) > MOST_KINDS:
        print(f"    ... and {counted(len(kinds) - MOST_KINDS, 'more kind')} of change")
    for reason, names in kept_by_reason(report).items():
        print(f"  kept as they were, {_some(names)}: {reason}")
    for trait, names in lost_by_trait(report).items():
        print(f"  lost: {trait} has no counterpart in the new definition of {_some(names)}")


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:MOST_NAMES])
    return f"{len(names)} ({shown}{', ...' if len(names) > MOST_NAMES else ''})"


def _lines(piece: PieceReport) -> list[str]:
    who = f"{piece.name or piece.definition or 'a piece without a name'} ({piece.id})"
    if piece.kept:
        return [f"kept as it was: {who}: {piece.kept}"]
    lines = [f"refreshed by {piece.match.value}: {who}: {'; '.join(piece.changes)}"]
    lines += [f"  note: {note}" for note in piece.notes]
    lines += [f"  lost: {lost} has no counterpart in the new definition" for lost in piece.lost]
    return lines
