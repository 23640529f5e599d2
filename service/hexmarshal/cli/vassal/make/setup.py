"""`hexmarshal setup`: set-ups of any module as YAML or a sheet, and back, without rules."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, Json, OutputFile, command_app, examples
from hexmarshal.cli.output import print_json
from hexmarshal.errors import BadInputError, ExitCode, NotFoundError, Place, UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.state.game_state import GameState
    from hexmarshal.vassal.tabletop import Tabletop

app = command_app(
    "Set-ups of any module as YAML or a sheet, and back.",
    "hexmarshal setup read game.vsav --module game.vmod -o setup.yaml",
    "hexmarshal setup write setup.yaml --module game.vmod -o new.vsav",
)

ModuleFile = Annotated[Path, typer.Option("--module", metavar="VMOD", help="The module.")]
_YAML = (".yaml", ".yml")
_MOST = 20


@app.command(
    short_help="Write down what lies on a table.",
    epilog=examples(
        "hexmarshal setup read game.vsav --module game.vmod -o setup.yaml",
        "hexmarshal setup read game.vsav --module game.vmod -o setup.xlsx",
        "hexmarshal setup read game.vmod --module game.vmod --setup Campaign -o campaign.yaml",
    ),
)
def read(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A save, the end of a log, or a module with --setup."),
    ],
    *,
    module: ModuleFile,
    output: OutputFile,
    setup: Annotated[
        str, typer.Option("--setup", metavar="NAME", help="A set-up that the module has.")
    ] = "",
    any_module: Annotated[
        bool, typer.Option("--any-module", help="Read a game of a module of another name too.")
    ] = False,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write down what lies on a table: each piece by name, with map, location, side and looks.

    What no set-up holds, such as who plays, is told as left out. Who hides or masks a piece is
    called player-1 and so on: a player's id is a password.
    """
    from hexmarshal.vassal.container.atomic import refuse_existing, write_atomically
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.privacy.secrets import scrub
    from hexmarshal.vassal.saves.ownership import demand_game_of, map_names
    from hexmarshal.vassal.tabletop import read_table

    _demand_ending(output)
    refuse_existing(output, force=force)
    opened = Module.open(module)
    saved = _of_module(opened, setup) if setup else _saved(file)
    if not setup and not any_module:
        demand_game_of(saved, opened.name, map_names(opened), "reads")
    tabletop, left_out = read_table(opened, _last_state(scrub(saved)))
    write_atomically(output, [_written(tabletop, output)], force=force)
    unknown = sum(entry.saved is not None for entry in tabletop.pieces)
    if json:
        print_json(
            {
                "written": str(output),
                "pieces": len(tabletop.pieces),
                "not_of_the_module": unknown,
                "left_out": list(left_out),
            }
        )
        return
    for text in left_out:
        print(f"left out: {text}", file=sys.stderr)
    if unknown:
        print(
            f"note: {counted(unknown, 'piece is', 'pieces are')} kept whole:"
            " the module defines none such now"
        )
    print(
        f"written: {output} ({counted(len(tabletop.pieces), 'piece')},"
        f" {counted(len(tabletop.decks), 'deck')})"
    )


def _demand_ending(output: Path) -> None:
    from hexmarshal.workbook import ENDINGS

    known = (*_YAML, *(ending for ending in ENDINGS if ending != ".xlsm"))
    if output.suffix.lower() not in known:
        raise UsageError(
            "a set-up is YAML or a sheet",
            place=Place(file=str(output)),
            hint=f"let the name end in one of {' '.join(known)}",
        )


def _saved(file: Path) -> SavedGame:
    from hexmarshal.vassal.saves.savegame import SavedGame

    return SavedGame.open(file)


def _of_module(module: Module, name: str) -> SavedGame:
    from hexmarshal.vassal.components import PredefinedSetup
    from hexmarshal.vassal.container.archive import Archive
    from hexmarshal.vassal.saves.savegame import SavedGame

    setups = {one.name: one for one in module.each(PredefinedSetup) if one.file}
    if name not in setups:
        raise NotFoundError(
            f"the module has no set-up {name!r}",
            place=module.place,
            hint=f"it has {', '.join(setups) or 'none'}",
        )
    return SavedGame.from_archive(Archive.from_bytes(module.read(str(setups[name].file))))


def _last_state(saved: SavedGame) -> GameState:
    from collections import deque

    from hexmarshal.vassal.saves.log import GameLog

    if not saved.is_log:
        return saved.state()
    log = GameLog(saved)
    last = deque(log.replay(), maxlen=1)
    return last[0][1] if last else log.start()


def _written(tabletop: Tabletop, output: Path) -> bytes:
    from hexmarshal.vassal.tabletop.table_sheet import table_sheet
    from hexmarshal.vassal.tabletop.table_text import table_text

    if output.suffix.lower() in _YAML:
        return table_text(tabletop).encode()
    return table_sheet(tabletop, output.name, "\t" if output.suffix.lower() == ".tsv" else ",")


@app.command(
    short_help="Lay a set-up out as a saved game.",
    epilog=examples(
        "hexmarshal setup write setup.yaml --module game.vmod -o new.vsav",
        "hexmarshal setup write setup.xlsx --module game.vmod -o new.vsav --json",
    ),
)
def write(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A .yaml file, or a sheet (.xlsx, .ods, .csv).")
    ],
    *,
    module: ModuleFile,
    output: OutputFile,
    force: Force = False,
    json: Json = False,
) -> int:
    """Lay a set-up out as a saved game that VASSAL opens.

    A piece is found by its slot, or by its name and side. Where a name is not clear, or a location
    is not there, each such entry is told with what there is to choose from, nothing is written,
    and the exit code is 1.
    """
    from hexmarshal.vassal.container.atomic import refuse_existing, write_atomically
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.tabletop import lay_table
    from hexmarshal.vassal.tabletop.table_sheet import read_table_sheet
    from hexmarshal.vassal.tabletop.table_text import read_table_text

    if output.suffix.lower() != ".vsav":
        raise UsageError("a saved game ends in .vsav", place=Place(file=str(output)))
    refuse_existing(output, force=force)
    data = _bytes(file)
    read_it = read_table_text if file.suffix.lower() in _YAML else read_table_sheet
    tabletop, places = read_it(data, str(file))
    opened = Module.open(module)
    notes = []
    if tabletop.module and tabletop.module != opened.name:
        notes.append(f"the set-up is of {tabletop.module!r}, the module is {opened.name!r}")
    laid = lay_table(opened, tabletop, places)
    if not laid.problems:
        write_atomically(output, [laid.save(opened).to_bytes()], force=force)
    if json:
        found = [{"message": p.message, "place": p.place.as_dict()} for p in laid.problems]
        written = None if found else str(output)
        print_json({"written": written, "problems": found, "notes": notes})
    else:
        for note in notes:
            print(f"note: {note}", file=sys.stderr)
        for problem in laid.problems[:_MOST]:
            print(f"{problem.place}: {problem.message}")
        if len(laid.problems) > _MOST:
            print(f"and {len(laid.problems) - _MOST} more; --json lists them all")
        if laid.problems:
            print("nothing written", file=sys.stderr)
        else:
            print(f"written: {output} ({counted(len(tabletop.pieces), 'piece')})")
    return ExitCode.FINDINGS if laid.problems else ExitCode.OK


def _bytes(file: Path) -> bytes:
    place = Place(file=str(file))
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise NotFoundError("there is no such file", place=place) from None
    except OSError as error:
        raise BadInputError(f"cannot be read: {error.strerror}", place=place) from None
