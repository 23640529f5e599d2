"""`hexmarshal next GAME [KIND] [NAME=VALUE...]`: what may be chosen next for an action."""

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
from hexmarshal.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from hexmarshal.rules.choosing.choices import Choices
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value
    from hexmarshal.rules.verdict import Cost

app = command_app("Show what may be chosen next for an action, step by step.")


@app.command(
    epilog=examples(
        "hexmarshal next mygame",
        "hexmarshal next mygame move --position save.json",
        "hexmarshal next mygame move unit=a1 path=0101,0102 --why",
        "hexmarshal next mygame attack attackers=a1,a2 --slot target --json",
    )
)
def next_(
    game: GameKey,
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="The kind of action, once it is chosen.")
    ] = "",
    params: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME=VALUE", help="The parameters that are chosen so far."),
    ] = None,
    *,
    slot: Annotated[
        str,
        typer.Option(metavar="NAME", help="The parameter to choose, if not the one that follows."),
    ] = "",
    side: Annotated[
        str, typer.Option(metavar="SIDE", help="Who chooses; by default the side that may act.")
    ] = "",
    position: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A position as JSON; else a set-up.")
    ] = None,
    scenario: Scenario = "",
    option: Options = None,
    why: Annotated[
        bool, typer.Option("--why", help="Tell also what is refused, and by which rules.")
    ] = False,
    plugin: Plugins = None,
    data: Data = None,
    json: Json = False,
) -> int:
    """Show what may be chosen next: the kind of action, then each parameter, with its cost.

    A path grows cell by cell and a group member by member; name the next parameter with --slot when
    a list is as long as it should be. What is shown is what the side can know.
    """
    from hexmarshal.rules import engine
    from hexmarshal.rules.choosing.choices import Begun
    from hexmarshal.rules.state import validate

    one = games(plugin, data, game=game).get(game)
    if position is not None:
        start = read_position(position)
    else:
        switches = assignments(option or (), [o.param for o in one.game.options])
        start = engine.start(one, scenario, switches)
    chooser = side or _only_active(start)
    table = one.game.actions
    declared = table[kind].params if kind in table else ()
    begun = Begun.read(table, kind or None, assignments(params or (), declared), slot)
    admitted = validate.admit(one, start)
    found = engine.next_choices(one, admitted, chooser, begun, reasons=why)
    if json:
        print_json(found.to_json())
    else:
        _print(found)
    return ExitCode.OK


def _only_active(position: Position) -> str:
    if position.viewer:
        return position.viewer
    if len(position.active) != 1:
        sides = ", ".join(position.active) or "nobody"
        raise UsageError(f"say which side chooses: {sides} may act", hint="--side SIDE")
    return position.active[0]


def _print(found: Choices) -> None:
    if found.slot:
        rows = [(_shown(choice.value), _bill(choice.cost)) for choice in found.choices]
        rows += [
            (_shown(refused.value), "; ".join(f"{v.rule}: {v.text}" for v in refused.violations))
            for refused in found.refused
        ]
        print_table("", (found.slot, "cost, or why not"), rows)
    if found.free:
        print(f"{found.slot}: any value")
    if found.ready and found.slot:
        after = f"; then {found.then}" if found.then else ""
        print(f"{found.slot} may stay as it is{after}")
    if found.complete:
        print(f"the action may be done as it stands: {found.action}")
    elif found.verdict is not None:
        for broken in found.verdict.violations:
            print(f"as it stands: {broken.rule}: {broken.text}")


def _shown(value: Value) -> str:
    from hexmarshal.rules.values import thaw

    return value if isinstance(value, str) else json_module.dumps(thaw(value), ensure_ascii=False)


def _bill(cost: Cost) -> str:
    return f"{cost.total} {cost.unit}".rstrip() if cost.parts else ""
