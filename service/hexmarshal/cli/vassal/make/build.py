"""`hexmarshal build`: a game's VASSAL module from the game's own data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hexmarshal.cli.options import Force, Json, OutputFile, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.cli.rules.plugins import Plugins
from hexmarshal.errors import ExitCode
from hexmarshal.errors.counts import counted

app = command_app("Build a game's VASSAL module.")


@app.command(
    epilog=examples(
        "hexmarshal build mygame -o mygame.vmod",
        "hexmarshal build mygame -o mine.vmod --data my-data --force",
        "hexmarshal build --plugin ./mygame:MyGame -o mygame.vmod",
        "hexmarshal build --from ./my_module.py:build -o my-game.vmod",
    )
)
def build(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Which game.")] = "",
    *,
    output: OutputFile,
    source: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="MODULE:ATTRIBUTE",
            help="A function that gives the module; a module with a slash is a path.",
        ),
    ] = "",
    plugin: Plugins = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="DIR", help="Files of your own in place of the game's."),
    ] = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Build a module from the game's data: maps, counters, charts and set-ups.

    The same data gives the same file, byte for byte.
    """
    from hexmarshal.cli.vassal.make.offers import offer
    from hexmarshal.vassal.container.atomic import refuse_existing

    make = offer(game, source, plugin or ())
    refuse_existing(output, force=force)
    with progress(f"building {output.name}", None):
        module = make(data)
        path = module.save(output, force=force)
    size = path.stat().st_size
    slots = sum(1 for _ in module.build().slots())
    if json:
        print_json(
            {
                "file": str(path),
                "bytes": size,
                "name": module.root.name,
                "version": module.root.version,
                "maps": [each.name for each in module.build().maps()],
                "counters": slots,
            }
        )
        return ExitCode.OK
    of = f"{module.root.name} {module.root.version}"
    what = f"{of}, {counted(slots, 'counter')}, {size / 1e6:.1f} MB"
    print(f"built: {path} ({what})")
    return ExitCode.OK
