"""`hexmarshal games`: the games whose rules are installed."""

from __future__ import annotations

import sys

from hexmarshal.cli.options import Json, command_app, examples
from hexmarshal.cli.output import print_json, print_table
from hexmarshal.cli.rules.plugins import Plugins, games
from hexmarshal.errors import ExitCode

app = command_app("List the games whose rules are installed.")


@app.command(
    "games",
    epilog=examples("hexmarshal games", "hexmarshal games --plugin ./mygame:plugin --json"),
)
def list_games(*, plugin: Plugins = None, json: Json = False) -> int:
    """List the games whose rules are installed, and plugins that are broken."""
    registry = games(plugin)
    rows: list[dict[str, object]] = []
    for one in registry.plugins():
        game = one.game
        rows.append(
            {
                "key": game.key,
                "title": game.title,
                "version": game.version,
                "sides": [side.key for side in game.sides],
                "scenarios": [scenario.key for scenario in one.scenarios()],
                "options": [option.param.name for option in game.options],
            }
        )
    if json:
        broken = [{"key": b.key, "source": b.source, "error": b.error} for b in registry.broken]
        print_json({"games": rows, "broken": broken})
    else:
        shown = (
            (r["key"], r["title"], r["version"], _words(r["sides"]), _words(r["scenarios"]))
            for r in rows
        )
        if rows:
            print_table("", ("key", "title", "data", "sides", "scenarios"), shown)
        else:
            print("No game is installed.")
        for b in registry.broken:
            print(f"broken: {b.key} ({b.source}): {b.error}", file=sys.stderr)
    return ExitCode.FINDINGS if registry.broken else ExitCode.OK


def _words(names: object) -> str:
    return ", ".join(names) if isinstance(names, list) else ""
