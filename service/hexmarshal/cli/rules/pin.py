"""`hexmarshal pin FOLDER`: recorded games that must come to the same."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hexmarshal.cli.options import Json, command_app, examples
from hexmarshal.cli.output import print_json
from hexmarshal.cli.rules.plugins import Data, Plugins, games
from hexmarshal.errors import ExitCode, NotFoundError
from hexmarshal.errors.counts import counted

app = command_app("Compare recorded games with what they came to when they were pinned.")


@app.command(
    epilog=examples(
        "hexmarshal pin tests/pinned",
        "hexmarshal pin tests/pinned --renew opening",
        "hexmarshal pin tests/pinned --plugin ./mygame:MyGame",
    )
)
def pin(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder with a pins.yaml.")],
    *,
    renew: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Pin this game as it is now; 'all' for each of them."),
    ] = None,
    plugin: Plugins = None,
    data: Data = None,
    json: Json = False,
) -> int:
    """Play recorded games again and tell what is no longer as it was: boards, offers, results."""
    from hexmarshal.testkit.pins import pinned_games

    registry = games(plugin, data)
    pins = pinned_games(folder)
    wanted = set(renew or ())
    if missing := wanted - {one.name for one in pins} - {"all"}:
        known = ", ".join(one.name for one in pins)
        raise NotFoundError(f"no pinned game {', '.join(sorted(missing))}", hint=f"there: {known}")
    if wanted:
        for one in pins:
            if one.name in wanted or "all" in wanted:
                print(one.renew(registry.get(one.game)))
        return ExitCode.OK
    found = {one.name: one.differences(registry.get(one.game)) for one in pins}
    if json:
        print_json({"games": len(pins), "differences": {k: v for k, v in found.items() if v}})
    else:
        for lines in found.values():
            for line in lines:
                print(line)
        print(
            f"{sum(not lines for lines in found.values())}"
            f" of {counted(len(pins), 'game is', 'games are')} as pinned"
        )
    return ExitCode.FINDINGS if any(found.values()) else ExitCode.OK
