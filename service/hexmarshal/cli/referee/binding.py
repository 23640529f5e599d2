"""`hexmarshal binding`: drafts a binding for a module, and tells what one covers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, Json, command_app, examples
from hexmarshal.cli.output import print_fields, print_json
from hexmarshal.cli.rules.plugins import Plugins, games
from hexmarshal.errors import ExitCode, NotFoundError, Place
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from hexmarshal.table.module_readers import KnownCounters

app = command_app(
    "Bind a module to the rules of a game.",
    "hexmarshal binding new old.vmod --game kharkov -o mine.yaml",
    "hexmarshal binding check old.vmod --binding mine.yaml",
)

ModuleFile = Annotated[Path, typer.Argument(metavar="MODULE", help="A .vmod file.")]


@app.command(
    short_help="Draft a binding for a module.",
    epilog=examples(
        "hexmarshal binding new old.vmod --game kharkov",
        "hexmarshal binding new old.vmod --game kharkov -o mine.yaml",
    ),
)
def new(
    module: ModuleFile,
    *,
    game: Annotated[str, typer.Option(metavar="KEY", help="The game whose rules apply.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="OUT", help="Where to write.")
    ] = None,
    force: Force = False,
    plugin: Plugins = None,
    json: Json = False,
) -> None:
    """Draft a binding: what can be told from the module is filled in, the rest is asked."""
    from hexmarshal.rules import engine
    from hexmarshal.table.binding.draft import draft_binding
    from hexmarshal.vassal.container.atomic import write_atomically
    from hexmarshal.vassal.module import Module

    rules = games(plugin).get(game)
    starts = [engine.start(rules, scenario.key) for scenario in rules.scenarios()]
    text = draft_binding(Module.open(module), rules.game, starts)
    if output is not None:
        write_atomically(output, [text.encode()], force=force)
    questions = [line[3:].strip() for line in text.splitlines() if line.startswith("# ?")]
    if json:
        file = None if output is None else str(output)
        print_json({"output": file, "binding": text, "questions": questions})
    elif output is None:
        print(text, end="")
    else:
        print(
            f"written: {output}"
            f" ({counted(len(questions), 'question in it is', 'questions in it are')}"
            " for you to settle)"
        )


@app.command(
    short_help="Tell which counters a binding covers.",
    epilog=examples(
        "hexmarshal binding check game.vmod",
        "hexmarshal binding check old.vmod --binding mine.yaml",
    ),
)
def check(
    module: ModuleFile,
    *,
    binding: Annotated[
        Path | None, typer.Option(metavar="YAML", help="Instead of the one in the module.")
    ] = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Tell which counters of a module a binding covers; 1 if it leaves some out."""
    from hexmarshal.table.binding import ENTRY, Binding
    from hexmarshal.table.binding.coverage import coverage
    from hexmarshal.table.module_readers import reader_for
    from hexmarshal.vassal.module import Module

    opened = Module.open(module)
    found = Binding.open(binding) if binding is not None else Binding.inside(opened)
    reader = reader_for(opened.name) if found is None else None
    if reader is not None:
        return _known_counters(reader.counters(opened), json=json)
    if found is None:
        raise NotFoundError(
            "the module carries no binding",
            place=Place(file=str(module), entry=ENTRY),
            hint="hexmarshal binding new drafts one; --binding names another",
        )
    covered = coverage(opened, found, games(plugin).get(found.game))
    if json:
        print_json(covered.to_json())
    else:
        print_fields(covered.counts())
        for problem in covered.problems:
            print(problem)
        for text in covered.not_known:
            print(f"not known, unless it is announced: {text}")
    return ExitCode.FINDINGS if covered.problems else ExitCode.OK


def _known_counters(found: KnownCounters, *, json: bool) -> int:
    """What a game's own reader knows of a module that needs no binding."""
    if json:
        print_json(found.to_json())
    else:
        print_fields({**found.counts, **found.details, "unknown": len(found.unknown)})
        for name in found.unknown:
            print(f"unknown: {name}")
    return ExitCode.FINDINGS if found.unknown else ExitCode.OK


@app.command(epilog=examples("hexmarshal binding schema > binding.schema.json"))
def schema() -> None:
    """Print the JSON Schema of a binding."""
    from hexmarshal.table.binding import schema as binding_schema

    print_json(binding_schema())
