"""`hexmarshal new GAME`: a folder with a plugin that plays."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hexmarshal.cli.options import Json, command_app, examples
from hexmarshal.cli.output import print_json
from hexmarshal.errors import ExitCode
from hexmarshal.errors.counts import counted

app = command_app("Lay out a new game that plays.")


@app.command(
    "new",
    epilog=examples(
        "hexmarshal new my_game",
        "hexmarshal new the_bridge --title 'The Bridge' --prefix TB",
        "hexmarshal new my_game --into games/my_game",
    ),
)
def new_game(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="The key of the game: small letters, digits, _.")
    ],
    *,
    title: Annotated[
        str, typer.Option("--title", metavar="TEXT", help="What people call it.")
    ] = "",
    prefix: Annotated[
        str, typer.Option("--prefix", metavar="LETTERS", help="What ids of rules begin with.")
    ] = "",
    into: Annotated[
        Path | None,
        typer.Option("--into", metavar="DIR", help="The folder; by default the game's name."),
    ] = None,
    json: Json = False,
) -> int:
    """Lay out a new game: rulebook, data, rules, cases and a VASSAL module.

    It plays as it is: two sides, five rules, one map. docs/add-a-game.md goes on from there.
    """
    from hexmarshal.kit.new import Names, lay_out

    names = Names(game, title, prefix)
    folder = into or Path(names.key)
    written = [*lay_out(folder, names)]
    spec = f"./{names.key}:{names.class_name}"
    if json:
        files = [str(path) for path in written]
        print_json({"folder": str(folder), "plugin": spec, "files": files})
        return ExitCode.OK
    print(f"wrote {counted(len(written), 'file')} to {folder}")
    print(f"  cd {folder}")
    print(f"  hexmarshal verify cases --plugin {spec}")
    print(f"  hexmarshal play {names.key} --plugin {spec} --games 5 --seed 1")
    print(f"  hexmarshal build --plugin {spec} -o {names.key}.vmod")
    return ExitCode.OK
