"""`hexmarshal move`: components and pieces between a module and an extension of it."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, Json, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import ExitCode, NotFoundError, UsageError
from hexmarshal.errors.counts import counted
from hexmarshal.errors.names import did_you_mean

if TYPE_CHECKING:
    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.extensions import Moved
    from hexmarshal.vassal.module import Module

MOST_TOLD = 40

app = command_app("Move pieces between a module and an extension of it.")


@app.command(
    epilog=examples(
        "hexmarshal move game.vmod winter.vmdx --piece 'Ski*' -o out",
        "hexmarshal move winter.vmdx game.vmod --piece 'Ski*' --save turn5.vsav -o out",
        "hexmarshal move game.vmod desert.vmdx --component 'PieceWindow[name=Desert]' -o out",
        "hexmarshal move game.vmod desert.vmdx --sheet desert.xlsx -o out",
    )
)
def move(
    source: Annotated[Path, typer.Argument(metavar="FROM", help="A module or an extension.")],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="TO", help="The extension (made new if it is not there), or the module."
        ),
    ],
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where to write all files.")
    ],
    piece: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Pieces by name; * is wild. May be given again."),
    ] = None,
    component: Annotated[
        list[str] | None,
        typer.Option(metavar="QUERY", help="Components, such as 'PieceWindow[name=Desert]'."),
    ] = None,
    sheet: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The pieces that have a row in this spreadsheet."),
    ] = None,
    save: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A save or log whose pieces shall still be known."),
    ] = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Move pieces and components over, with the pictures that nothing else shows.

    Pieces get gpids of their new home; set-ups inside the module and the saves that are named
    follow. Both files are written into the folder under their own names.
    """
    from hexmarshal.vassal.container.atomic import make_folder, refuse_existing
    from hexmarshal.vassal.extensions import move_in, move_out, new_extension
    from hexmarshal.vassal.extensions.moving import follow
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame

    saves = save or []
    names = [path.name for path in (source, target, *saves)]
    if len(set(names)) < len(names):
        raise UsageError("two of the files have the same name, and would have to in the folder")
    for name in names:
        refuse_existing(output / name, force=force)
    giving = Module.open(source)
    fresh = not target.exists() and target.suffix.lower() == ".vmdx" and not giving.is_extension
    taking = new_extension(giving, target.stem) if fresh else Module.open(target)
    games = [SavedGame.open(path) for path in saves]
    chosen = _chosen(giving, piece or [], component or [], sheet)
    with progress("moving", None):
        done = (move_in if giving.is_extension else move_out)(giving, chosen, taking)
        followed = [follow(game, done.gpids) for game in games]
    make_folder(output)
    giving.save(output / source.name, force=force)
    taking.save(output / target.name, force=force)
    for path, game in zip(saves, followed, strict=True):
        game.save(output / path.name, force=force)
    if json:
        print_json({"output": [str(output / name) for name in names], **done.as_dict()})
    else:
        _print(done)
        for name in names:
            print(f"wrote {output / name}")
    return ExitCode.FINDINGS if done.warnings else ExitCode.OK


def _chosen(
    module: Module, pieces: list[str], queries: list[str], sheet: Path | None
) -> list[Component]:
    from hexmarshal.vassal.container.source import read_file
    from hexmarshal.vassal.countersheet import SheetRows
    from hexmarshal.vassal.countersheet.listing import slots_by_id

    if not pieces and not queries and sheet is None:
        raise UsageError(
            "what shall be moved?", hint="--piece NAME, --component QUERY, --sheet FILE"
        )
    found: list[Component] = []
    for pattern in pieces:
        matches = [slot for slot in module.slots() if fnmatchcase(slot.name, pattern)]
        if not matches:
            raise NotFoundError(
                f"no piece is called {pattern!r}",
                place=module.place,
                hint=did_you_mean(pattern, {slot.name for slot in module.slots()}),
            )
        found += matches
    for query in queries:
        fitting = list(module.query(query))
        if not fitting:
            raise NotFoundError(f"no component fits {query!r}", place=module.place)
        found += fitting
    if sheet is not None:
        slots = slots_by_id(module)
        for row in SheetRows.read(read_file(sheet), str(sheet)).rows:
            if row.id not in slots:
                raise NotFoundError(f"the module has no piece {row.id!r}", place=row.at("id"))
            found.append(slots[row.id])
    return found


def _print(done: Moved) -> None:
    for name in done.components[:MOST_TOLD]:
        print(f"moved: {name}")
    if len(done.components) > MOST_TOLD:
        print(f"moved: {len(done.components) - MOST_TOLD} more (--json lists all)")
    for warning in done.warnings:
        print(f"warning: {warning}")
    counts = (
        f"{counted(len(done.components), 'component')}, {counted(len(done.pictures), 'picture')}"
    )
    print(f"{counts}, {counted(len(done.gpids), 'gpid')}, {counted(len(done.setups), 'set-up')}")
