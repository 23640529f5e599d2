"""`hexmarshal scenario`: one scenario in many forms, checked against its game, and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from hexmarshal.cli.options import Force, Json, command_app, examples
from hexmarshal.cli.output import print_json
from hexmarshal.cli.rules.plugins import Options, Plugins, assignments, games, judging
from hexmarshal.cli.scenario.designing import register
from hexmarshal.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.table.scenarios import Reader

T = TypeVar("T")

app = command_app(
    "Convert, check and show scenarios.",
    "hexmarshal scenario convert kharkov:training training.yaml",
    "hexmarshal scenario convert training.yaml training.vsav --module kharkov.vmod",
    "hexmarshal scenario check training.yaml",
    "hexmarshal scenario show training.yaml -o training.png",
    "hexmarshal scenario template kharkov -o oob.xlsx",
)

Source = Annotated[
    str,
    typer.Argument(
        metavar="IN",
        help="A .yaml, .json, .xlsx, .ods, .csv, .vsav or .vlog file, or GAME:SCENARIO.",
    ),
]
ModuleFile = Annotated[
    Path | None, typer.Option("--module", metavar="VMOD", help="The module of a save.")
]
BindingFile = Annotated[
    Path | None,
    typer.Option("--binding", metavar="YAML", help="How the module shows what the rules know."),
]
GameKey = Annotated[
    str, typer.Option("--game", metavar="KEY", help="The game, where the file does not tell.")
]
ScenarioKey = Annotated[
    str,
    typer.Option("--scenario", metavar="KEY", help="The scenario that a save began with."),
]
Onto = Annotated[
    str,
    typer.Option(
        "--onto",
        metavar="BASE",
        help="A scenario in any form: a sheet is laid onto it, anything else takes its words.",
    ),
]
Replace = Annotated[
    bool,
    typer.Option("--replace", help="Units of BASE that the sheet does not list are taken out."),
]
Encoding = Annotated[
    str, typer.Option("--encoding", metavar="NAME", help="Of a sheet; found out by default.")
]


def _reader(
    source: str,
    plugins: list[str] | None,
    module: Path | None,
    binding: Path | None,
    game: str,
    scenario: str,
    options: list[str] | None,
    onto: str = "",
    encoding: str = "",
    *,
    replacing: bool = False,
) -> Reader:
    from hexmarshal.table.module_finder import Means
    from hexmarshal.table.scenarios import Reader
    from hexmarshal.table.scenarios.forms import game_named

    registry = games(plugins)
    named = game_named(source)
    switched = game or (named[0] if named is not None else "")
    declared = [o.param for o in registry.get(switched).game.options] if switched else []
    switches = assignments(options or [], declared) or None
    means = Means(module, binding, game, scenario, switches)
    return Reader(registry, means, onto, encoding, replacing)


@app.command(
    short_help="Convert a scenario into another form.",
    epilog=examples(
        "hexmarshal scenario convert kharkov:training training.yaml",
        "hexmarshal scenario convert training.yaml training.vsav --module kharkov.vmod",
        "hexmarshal scenario convert training.yaml units.csv --separator semicolon",
        "hexmarshal scenario convert oob.xlsx oob.vsav --game kharkov",
        "hexmarshal scenario convert oob.vsav moved.xlsx --into oob.xlsx",
        "hexmarshal scenario convert setup.csv new.yaml --onto training.yaml",
        "hexmarshal scenario convert new.yaml new.position.json --strict",
    ),
)
def convert(
    source: Source,
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT", help="Ends in .yaml, .json, .position.json, .xlsx, .ods, .csv, .vsav..."
        ),
    ],
    *,
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FORM",
            help="yaml, json, position, message, sheet or save, whatever the name ends in.",
        ),
    ] = "",
    onto: Onto = "",
    module: ModuleFile = None,
    binding: BindingFile = None,
    game: GameKey = "",
    scenario: ScenarioKey = "",
    option: Options = None,
    sheet: Annotated[
        str,
        typer.Option("--sheet", metavar="PART", help="What a sheet holds: battle, setup or both."),
    ] = "both",
    separator: Annotated[
        str, typer.Option("--separator", metavar="NAME", help="comma, semicolon or tab.")
    ] = "",
    encoding: Encoding = "",
    replace: Replace = False,
    into: Annotated[
        Path | None,
        typer.Option(
            "--into",
            metavar="BOOK",
            help="A workbook of yours: OUT is that workbook with the scenario in it, and keeps its "
            "formatting and other columns.",
        ),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Write nothing if something is wrong or the form cannot hold everything.",
        ),
    ] = False,
    plugin: Plugins = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Convert a scenario into another form; what that form cannot hold is told.

    The exit code is 1 where `check` finds something wrong with the scenario, which is told; it is 0
    also where something cannot be held. With --strict it is 1 then too, and nothing is written.
    """
    from hexmarshal.cli.scenario.printing import print_conversion
    from hexmarshal.scenario.sheets import SEPARATORS, Part
    from hexmarshal.table.scenarios import Form
    from hexmarshal.table.scenarios.conversion import convert as run

    reader = _reader(
        source,
        plugin,
        module,
        binding,
        game,
        scenario,
        option,
        onto,
        encoding,
        replacing=replace,
    )
    forms = {form.value: form for form in Form if form is not Form.GAME}
    with judging(reader.registry, source):
        done = run(
            reader,
            source,
            target,
            form=_one_of("--to", to, forms) if to else None,
            part=_one_of("--sheet", sheet, {part.value: part for part in Part}),
            separator=_one_of("--separator", separator, SEPARATORS) if separator else "",
            into=into,
            strict=strict,
            force=force,
        )
    if json:
        print_json(done.to_json())
    else:
        print_conversion(done)
    return ExitCode.OK if done.written and not done.findings else ExitCode.FINDINGS


def _one_of(option: str, word: str, known: Mapping[str, T]) -> T:
    if word not in known:
        raise UsageError(f"{option} cannot be {word!r}", hint=f"one of {', '.join(known)}")
    return known[word]


@app.command(
    short_help="Check a scenario against its game.",
    epilog=examples(
        "hexmarshal scenario check mine.yaml",
        "hexmarshal scenario check setup.csv --onto mine.yaml",
        "hexmarshal scenario check game.vsav --module game.vmod --json",
    ),
)
def check(
    file: Source,
    *,
    onto: Onto = "",
    module: ModuleFile = None,
    binding: BindingFile = None,
    game: GameKey = "",
    scenario: ScenarioKey = "",
    option: Options = None,
    encoding: Encoding = "",
    replace: Replace = False,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Check a scenario against its game; 1 if something is wrong, 0 if not.

    Units, cells, ground, stacks, totals against the counters that there are, set-up areas: each
    finding has its place in the file.
    """
    from hexmarshal.table.scenarios import check_scenario

    reader = _reader(
        file, plugin, module, binding, game, scenario, option, onto, encoding, replacing=replace
    )
    with judging(reader.registry, file):
        loaded = reader.read(file)
        found = check_scenario(loaded)
    if json:
        print_json(
            {
                "file": file,
                "game": loaded.scenario.game,
                "units": len(loaded.scenario.units),
                "findings": [one.to_json() for one in found],
                "notes": list(loaded.notes),
                "left_out": list(loaded.left_out),
            }
        )
    else:
        from hexmarshal.cli.scenario.printing import print_findings

        print_findings(loaded, found)
    return ExitCode.FINDINGS if found else ExitCode.OK


@app.command(
    short_help="Show a scenario as tables and a picture.",
    epilog=examples(
        "hexmarshal scenario show kharkov:campaign",
        "hexmarshal scenario show mine.yaml -o mine.svg",
        "hexmarshal scenario show setup.vsav --module game.vmod -o setup.png --zoom 2",
    ),
)
def show(
    file: Source,
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUT", help="Draw it: a .svg or a .png file."),
    ] = None,
    onto: Onto = "",
    module: ModuleFile = None,
    binding: BindingFile = None,
    game: GameKey = "",
    scenario: ScenarioKey = "",
    option: Options = None,
    encoding: Encoding = "",
    names: Annotated[bool, typer.Option("--names/--no-names", help="The cells' names.")] = True,
    legend: Annotated[bool, typer.Option("--legend/--no-legend", help="What is what.")] = True,
    zoom: Annotated[
        float, typer.Option(metavar="N", min=0.1, max=10, help="Pixels for each unit of the SVG.")
    ] = 1.0,
    plugin: Plugins = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Show a scenario: its table in the terminal, its map as a picture."""
    from hexmarshal.cli.scenario.printing import draw, print_scenario
    from hexmarshal.scenario import scenario_document

    reader = _reader(file, plugin, module, binding, game, scenario, option, onto, encoding)
    picture = None
    with judging(reader.registry, file):
        loaded = reader.read(file).sound()
        if output is not None:
            picture = draw(loaded, output, names=names, legend=legend, zoom=zoom, force=force)
    if json:
        document = scenario_document(loaded.scenario)
        print_json(
            {
                "scenario": document,
                "notes": list(loaded.notes),
                "left_out": list(loaded.left_out),
                "picture": picture,
            }
        )
    else:
        print_scenario(loaded)
        if picture is not None:
            print(f"drawn: {picture}")


register(app)
