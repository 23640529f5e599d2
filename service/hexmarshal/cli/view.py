"""`hexmarshal view`: a file in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hexmarshal.cli.options import Json, command_app, examples
from hexmarshal.cli.output import print_json
from hexmarshal.cli.rules.plugins import Options, Plugins, assignments, games
from hexmarshal.errors import ExitCode, UsageError

app = command_app("Look at a file in the browser.")


@app.command(
    epilog=examples(
        "hexmarshal view game.vlog --module game.vmod --open",
        "hexmarshal view turn5.vsav",
        "hexmarshal view game.vsav --module VASL.vmod --board-dir boards",
        "hexmarshal view game.vmod",
        "hexmarshal view map.yaml",
        "hexmarshal view kharkov:training --listen 127.0.0.1:8080",
    )
)
def view(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A log, save, module, terrain file, scenario, or GAME:SCENARIO."
        ),
    ],
    *,
    module: Annotated[
        Path | None, typer.Option("--module", metavar="VMOD", help="The module of a save or log.")
    ] = None,
    binding: Annotated[
        Path | None,
        typer.Option("--binding", metavar="YAML", help="How the module shows what the rules know."),
    ] = None,
    game: Annotated[
        str, typer.Option("--game", metavar="KEY", help="The game, where the file does not tell.")
    ] = "",
    scenario: Annotated[
        str, typer.Option("--scenario", metavar="KEY", help="The scenario that a save began with.")
    ] = "",
    option: Options = None,
    board_dir: Annotated[
        Path | None,
        typer.Option(
            "--board-dir",
            metavar="DIR",
            help="Where boards are that lie outside of the module [boards, beside the file].",
        ),
    ] = None,
    any_module: Annotated[
        bool, typer.Option("--any-module", help="Show a game of a module of another name too.")
    ] = False,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Show masked and hidden pieces as they are.")
    ] = False,
    listen: Annotated[
        str, typer.Option("--listen", metavar="HOST:PORT", help="Where; on this machine only.")
    ] = "127.0.0.1:0",
    open_browser: Annotated[bool, typer.Option("--open", help="Start the browser.")] = False,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Serve a page that shows a file, print its address, and go on until Ctrl-C.

    Only this machine can reach the page. Masked pieces show their mask and hidden ones nothing,
    as for an onlooker.
    """
    from hexmarshal.service.settings import is_local
    from hexmarshal.web.site.listening import require_web

    require_web()
    import asyncio

    from hexmarshal.table.module_finder import Means
    from hexmarshal.web.drawing.gallery import Gallery
    from hexmarshal.web.viewing.opening import open_view
    from hexmarshal.web.viewing.serving import serve_view

    if not listen.rpartition(":")[2].isdecimal() or not is_local(listen):
        raise UsageError(
            f"listen: not a port of this machine: {listen!r}", hint="such as 127.0.0.1:8080"
        )
    registry = games(plugin)
    declared = [o.param for o in registry.get(game).game.options] if game else []
    switches = assignments(option or [], declared) or None
    means = Means(module, binding, game, scenario, switches, board_dir, any_module)
    gallery = Gallery()
    shown = open_view(file, Path(file), means, gallery, reveal=reveal, plugins=tuple(plugin or ()))

    def told(address: str) -> None:
        if json:
            print_json({"file": file, "address": address})
        else:
            print(f"{shown.title}: {address}  (Ctrl-C ends)", flush=True)
        if open_browser:
            import webbrowser

            webbrowser.open(address)

    asyncio.run(serve_view(shown, gallery, listen, told))
    return ExitCode.OK
