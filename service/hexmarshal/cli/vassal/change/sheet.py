"""`hexmarshal sheet`: the counters and cards of a module as a spreadsheet, and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, Json, OutputFile, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import ExitCode, UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from hexmarshal.vassal.countersheet import Applied

MOST_TOLD = 40

app = command_app(
    "Take the counters of a module into a spreadsheet, and back.",
    "hexmarshal sheet list game.vmod -o counters.xlsx",
    "hexmarshal sheet apply game.vmod counters.xlsx -o new.vmod",
)

ModuleFile = Annotated[Path, typer.Argument(metavar="MODULE", help="A module or an extension.")]
Inside = Annotated[
    str,
    typer.Option(
        "--in",
        metavar="QUERY",
        help="Only pieces inside such a component: 'PieceWindow[name=Counters]'.",
    ),
]


@app.command(
    name="list",
    epilog=examples(
        "hexmarshal sheet list game.vmod -o counters.xlsx",
        "hexmarshal sheet list game.vmod --in 'DrawPile' -o cards.csv",
    ),
)
def list_counters(
    module: ModuleFile,
    *,
    output: OutputFile,
    inside: Inside = "",
    force: Force = False,
    json: Json = False,
) -> int:
    """Write every counter and card as a row of a spreadsheet.

    The file is an .xlsx, .ods or .csv. Columns: id (the gpid), name, kind, where, template, image,
    prototypes; then one for every marker, dynamic property, layer (its pictures) and label that
    any piece has.
    """
    from hexmarshal.vassal.container.atomic import refuse_existing, write_atomically
    from hexmarshal.vassal.countersheet import counter_sheet
    from hexmarshal.vassal.module import Module
    from hexmarshal.workbook import make_workbook

    refuse_existing(output, force=force)
    with progress(f"listing {module.name}", None):
        sheet = counter_sheet(Module.open(module), inside)
        data = make_workbook([sheet], output.name)
    write_atomically(output, [data], force=force)
    rows, columns = len(sheet.rows) - 1, len(sheet.rows[0])
    if json:
        print_json({"output": str(output), "rows": rows, "columns": list(sheet.rows[0])})
    else:
        print(f"{output}: {counted(rows, 'piece')}, {counted(columns, 'column')}")
    return ExitCode.OK


@app.command(
    epilog=examples(
        "hexmarshal sheet apply game.vmod counters.xlsx --dry-run",
        "hexmarshal sheet apply game.vmod counters.xlsx --pictures art -o new.vmod",
        "hexmarshal sheet apply game.vmod new-units.csv --draw counter.svg -o new.vmod",
        "hexmarshal sheet apply game.vmod counters.xlsx --remove-missing --setups -o new.vmod",
    )
)
def apply(
    module: ModuleFile,
    sheet: Annotated[Path, typer.Argument(metavar="SHEET", help="An .xlsx, .ods or .csv file.")],
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="OUT", help="Where to write.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only tell what would change.")
    ] = False,
    pictures: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Where new pictures lie; the folder of the sheet by default."
        ),
    ] = None,
    draw: Annotated[
        Path | None,
        typer.Option(
            metavar="SVG",
            help="Draws new counters without a picture: {name}, {Marker: X} are filled in.",
        ),
    ] = None,
    remove_missing: Annotated[
        bool, typer.Option("--remove-missing", help="Take pieces out that have no row.")
    ] = False,
    inside: Inside = "",
    setups: Annotated[
        bool, typer.Option("--setups", help="Bring the set-ups inside the module up to it.")
    ] = False,
    force: Force = False,
    json: Json = False,
) -> int:
    """Change, add and remove pieces as the rows say.

    A row without an id is a new piece: a copy of its template (an id or a name), with what the
    other cells say; blank cells are as in the template. In a row with an id a blank cell takes the
    marker, property or layer away. On any error nothing is written, and the cell is named.
    """
    from hexmarshal.vassal.container.atomic import refuse_existing
    from hexmarshal.vassal.container.source import read_file
    from hexmarshal.vassal.countersheet import SheetRows, apply_sheet
    from hexmarshal.vassal.module import Module

    if output is None and not dry_run:
        raise UsageError(
            "where shall the result go?", hint="give -o OUT, or --dry-run to see what would change"
        )
    if output is not None and not dry_run:
        refuse_existing(output, force=force)
    opened = Module.open(module)
    rows = SheetRows.read(read_file(sheet), str(sheet))
    folder = pictures or sheet.parent
    template = "" if draw is None else read_file(draw).decode("utf-8", "replace")
    with progress(f"changing {module.name}", None):
        done = apply_sheet(
            opened,
            rows,
            lambda name: _picture(folder, name),
            drawing=template,
            inside=inside,
            remove_missing=remove_missing,
        )
        if setups:
            _refresh(opened)
        data = opened.to_bytes()
    if output is not None and not dry_run:
        opened.save(output, force=force)
    if json:
        told = None if dry_run else str(output)
        print_json({"dry_run": dry_run, "output": told, "bytes": len(data), **done.as_dict()})
    else:
        _print(done)
        print("nothing was written" if dry_run else f"wrote {output}")
    return ExitCode.OK


def _picture(folder: Path, name: str) -> bytes | None:
    """A picture of the user's, by its bare name: a sheet reaches no other folder."""
    if Path(name).name != name:
        return None
    path = folder / name
    return path.read_bytes() if path.is_file() else None


def _refresh(module: object) -> None:
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.refresh import Refresher, refresh_setups

    assert isinstance(module, Module)
    refresh_setups(module, Refresher.of(module, [], None, any_module=True))


def _print(done: Applied) -> None:
    groups = (
        ("changed", done.changed),
        ("added", done.added),
        ("removed", done.removed),
        ("picture", done.pictures),
    )
    for word, lines in groups:
        for line in lines[:MOST_TOLD]:
            print(f"{word}: {line}")
        if len(lines) > MOST_TOLD:
            print(f"{word}: {len(lines) - MOST_TOLD} more (--json lists all)")
    if done.unmentioned:
        print(
            counted(done.unmentioned, "piece has no row and stays", "pieces have no row and stay")
            + " (--remove-missing takes them out)"
        )
    counts = f"{len(done.changed)} changed, {len(done.added)} added, {len(done.removed)} removed"
    print(f"{counts}, {counted(len(done.pictures), 'picture')}")
