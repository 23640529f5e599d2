"""`hexmarshal scenario types`, `template` and `schema`: what a designer begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, Json, OutputFile, examples
from hexmarshal.cli.output import print_json, print_table
from hexmarshal.cli.rules.plugins import Plugins, games, judging
from hexmarshal.errors import Place, UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from hexmarshal.rules.plugin import GamePlugin

__all__ = ["register"]

Game = Annotated[str, typer.Argument(metavar="GAME", help="The key of the game.")]


def register(app: typer.Typer) -> None:
    """Put the commands into the group."""
    app.command(
        short_help="List the names that a game's scenarios use.",
        epilog=examples(
            "hexmarshal scenario types kharkov",
            "hexmarshal scenario types conflict_of_heroes --side soviet",
            "hexmarshal scenario types kharkov --json",
        ),
    )(types)
    app.command(
        short_help="Make a workbook to fill in.",
        epilog=examples(
            "hexmarshal scenario template kharkov -o oob.xlsx",
            "hexmarshal scenario template kharkov -o oob.ods --scenario campaign",
            "hexmarshal scenario template conflict_of_heroes -o mine.xlsx --empty",
        ),
    )(template)
    app.command(
        short_help="Print the JSON Schema of a scenario.",
        epilog=examples(
            "hexmarshal scenario schema > scenario.schema.json",
            "hexmarshal scenario schema kharkov > kharkov.schema.json",
        ),
    )(schema)


def types(
    game: Game,
    *,
    side: Annotated[
        str, typer.Option("--side", metavar="KEY", help="Only what this side may have.")
    ] = "",
    plugin: Plugins = None,
    json: Json = False,
) -> None:
    """List a game's types of units, with their values.

    Also its sides, boxes, flags and kinds of markers: the names that a scenario may use.
    """
    from hexmarshal.rules.values import thaw

    one = games(plugin).get(game).game
    rows = [
        {
            "key": kind.key,
            "title": kind.title,
            "side": kind.side,
            "values": {name: thaw(value) for name, value in kind.values.items()},
        }
        for kind in one.unit_types
        if not side or not kind.side or side.startswith(kind.side)
    ]
    if side and side not in [s.key for s in one.sides]:
        raise UsageError(
            f"{one.title} has no side {side!r}", hint=", ".join(s.key for s in one.sides)
        )
    names = {
        "sides": {s.key: s.title for s in one.sides},
        "maps": {board.key: board.title for board in one.boards},
        "boxes": {box.key: box.title for box in one.boxes},
        "flags": {flag.key: flag.title for flag in one.flags or ()},
        "markers": {kind.key: kind.title for kind in one.markers},
        "values": {param.name: param.doc for param in one.attributes},
    }
    if json:
        print_json({"game": one.key, "types": rows, **names})
        return
    shown = ((r["key"], r["title"], r["side"], _words(r["values"])) for r in rows)
    print_table(f"{one.title}: types of units", ("type", "title", "side", "values"), shown)
    for title, known in names.items():
        if known:
            print_table(title.capitalize(), ("key", "title"), list(known.items()))


def _words(values: object) -> str:
    if not isinstance(values, dict):
        return ""
    return ", ".join(
        f"{name} {' '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in values.items()
    )


def template(
    game: Game,
    *,
    output: OutputFile,
    scenario: Annotated[
        str,
        typer.Option("--scenario", metavar="KEY", help="The example; the game's first by default."),
    ] = "",
    empty: Annotated[bool, typer.Option("--empty", help="Titles and lists, and no units.")] = False,
    plugin: Plugins = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Make a workbook to fill in: .xlsx or .ods, with lists of types, sides and hexes.

    It holds a scenario of the game as an example, and is read again as it is.
    """
    from hexmarshal.vassal.container.atomic import refuse_existing, write_atomically

    registry = games(plugin)
    one = registry.get(game)
    if output.suffix.lower() not in (".xlsx", ".ods"):
        raise UsageError(
            "a template is a workbook",
            place=Place(file=str(output)),
            hint="let the name end in .xlsx or .ods",
        )
    refuse_existing(output, force=force)
    with judging(registry, game):
        data, units = _template(one, scenario, output.name, empty=empty)
    write_atomically(output, [data], force=force)
    if json:
        print_json({"written": str(output), "game": game, "units": units})
    else:
        print(f"written: {output} ({game}, {counted(units, 'unit')} as an example)")


def _template(one: GamePlugin, scenario: str, name: str, *, empty: bool) -> tuple[bytes, int]:
    from hexmarshal.errors import NotFoundError
    from hexmarshal.rules import engine
    from hexmarshal.table.scenarios import scenario_of
    from hexmarshal.table.scenarios.template import template_workbook

    known = [info.key for info in one.scenarios()]
    if not known:
        raise NotFoundError(f"{one.game.title} has no scenario to show")
    example = scenario_of(one, engine.start(one, scenario or known[0], {}))
    data = template_workbook(one, example, name, empty=empty)
    return data, 0 if empty else len(example.units)


def schema(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="With all the names that this game knows.")
    ] = "",
    *,
    plugin: Plugins = None,
) -> None:
    """Print the JSON Schema of a scenario, for editors that complete and check as you type."""
    if not game:
        from hexmarshal.scenario import schema as scenario_schema

        print_json(scenario_schema())
        return
    from hexmarshal.table.scenarios.game_schema import game_schema

    registry = games(plugin)
    with judging(registry, game):
        print_json(game_schema(registry.get(game)))
