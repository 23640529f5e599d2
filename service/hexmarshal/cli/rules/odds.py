"""`hexmarshal odds GAME NAME=VALUE...`: the exact distribution of what an attack would bring."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Json, command_app, examples
from hexmarshal.cli.output import print_json, print_table
from hexmarshal.cli.rules.plugins import (
    Data,
    GameKey,
    Options,
    Plugins,
    Scenario,
    assignments,
    games,
    read_position,
)
from hexmarshal.errors import ExitCode

if TYPE_CHECKING:
    from hexmarshal.rules.odds import Distribution
    from hexmarshal.rules.verdict import Answer

app = command_app("Show the exact odds of an attack: column, modifiers, every result.")

BAR = 40


@app.command(
    epilog=examples(
        "hexmarshal odds mygame attackers=a1,a2 target=d3 --position save.json",
        "hexmarshal odds mygame attack=18 defence=5 --json",
    )
)
def odds(
    game: GameKey,
    params: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME=VALUE", help="The parameters of the game's odds query."),
    ] = None,
    *,
    position: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A position as JSON; else a set-up.")
    ] = None,
    scenario: Scenario = "",
    option: Options = None,
    query: Annotated[str, typer.Option(metavar="NAME", help="Another query of the game.")] = "odds",
    side: Annotated[str, typer.Option(metavar="SIDE", help="What this side can know.")] = "",
    plugin: Plugins = None,
    data: Data = None,
    json: Json = False,
) -> int:
    """Show the exact odds of an attack: strengths, column, modifiers, and every result's chance."""
    from hexmarshal.rules import engine
    from hexmarshal.rules.state import validate

    one = games(plugin, data, game=game).get(game)
    if position is not None:
        start = read_position(position)
    else:
        switches = assignments(option or (), [o.param for o in one.game.options])
        start = engine.start(one, scenario, switches)
    declared = one.game.queries.require(query).params
    name, values = one.game.queries.decode({"name": query, **assignments(params or (), declared)})
    answer = engine.ask(one, validate.admit(one, start), name, values, side)
    if json:
        print_json(answer.to_json())
    else:
        _print(answer)
    return ExitCode.OK


def _print(answer: Answer) -> None:
    resolution = answer.resolution
    if resolution is not None:
        for s in resolution.strengths:
            print(f"{s.role or 'strength':<10}{s.label}: {s.printed} counts {s.counted}")
        for m in resolution.modifiers:
            print(f"{m.to:<10}{m.label}: {m.amount:+} ({m.rule})")
        if resolution.column:
            was = f" (from {resolution.base_column})" if resolution.base_column else ""
            print(f"{'column':<10}{resolution.column}{was}")
        for step in (*resolution.steps, *answer.steps):
            print(f"{'':<10}{step.text}" + (f" ({step.rule})" if step.rule else ""))
    for name, value in answer.to_json().items() if resolution is None else ():
        if name != "distribution":
            print(f"{name}: {json_module.dumps(value, ensure_ascii=False)}")
    if answer.distribution is not None:
        _chart(answer.distribution)


def _chart(distribution: Distribution[str]) -> None:
    """Exact fraction, percent, and a bar as long as the chance."""
    rows = (
        (result, chance, f"{float(chance):.2%}", "█" * max(1, round(chance * BAR)))
        for result, chance in distribution.items()
    )
    right = ("chance", "percent")
    print_table("", ("result", "chance", "percent", ""), rows, right=right)
