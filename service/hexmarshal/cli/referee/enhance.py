"""`hexmarshal enhance`: adds to a module what the rules of its game can give."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, Json, command_app, examples
from hexmarshal.cli.output import print_json, print_table
from hexmarshal.cli.rules.plugins import Plugins, games
from hexmarshal.errors import ExitCode, NotFoundError, Place, UsageError

if TYPE_CHECKING:
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.referee.enhancing import Enhancement, Part
    from hexmarshal.vassal.module import Module

app = command_app("Add charts, marks, set-ups and more to a module.")

_PARTS = "numbering, los, turns, marks, charts, rules, setups, binding"


@app.command(
    epilog=examples(
        "hexmarshal enhance old.vmod --binding mine.yaml -o new.vmod",
        "hexmarshal enhance old.vmod --binding mine.yaml --dry-run",
        "hexmarshal enhance old.vmod --binding mine.yaml -o new.vmod --without los --without marks",
        "hexmarshal enhance old.vmod --binding mine.yaml -o new.vmod --setup training",
        "hexmarshal enhance old.vmod --unknown -o new.vmod --chart crt.xlsx --phase Move",
        "hexmarshal enhance old.vmod --unknown -o new.vmod --terrain map.yaml --sight-range 8",
    )
)
def enhance(
    module: Annotated[Path, typer.Argument(metavar="MODULE", help="A .vmod file.")],
    *,
    binding: Annotated[
        Path | None, typer.Option(metavar="YAML", help="Instead of the one in the module.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="OUT", help="Where to write.")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option(metavar="PART", help=f"Leave one out: {_PARTS}.")
    ] = None,
    setup: Annotated[
        list[str] | None,
        typer.Option(metavar="SCENARIO", help="Only this set-up: a scenario's key, or a file."),
    ] = None,
    numbering: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Of a new grid numbering, as VASSAL names it."),
    ] = None,
    unknown: Annotated[
        bool,
        typer.Option("--unknown", help="The game's rules are not known: add what needs none."),
    ] = False,
    chart: Annotated[
        list[Path] | None,
        typer.Option("--chart", metavar="SHEET", help="With --unknown: a chart of each sheet."),
    ] = None,
    rules: Annotated[
        list[Path] | None,
        typer.Option("--rules", metavar="TEXT", help="With --unknown: a help page of a text."),
    ] = None,
    phase: Annotated[
        list[str] | None,
        typer.Option("--phase", metavar="NAME", help="With --unknown: of a new turn tracker."),
    ] = None,
    terrain: Annotated[
        Path | None,
        typer.Option(
            "--terrain", metavar="YAML", help="With --unknown: a chart of what the terrain hides."
        ),
    ] = None,
    sight_range: Annotated[
        int,
        typer.Option("--sight-range", metavar="N", min=1, max=40, help="How far that chart goes."),
    ] = 6,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would be added.")] = (
        False
    ),
    plugin: Plugins = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Add to a module what it lacks and the rules can give; old saves still load.

    Nothing that is there is changed or taken away, and doing it twice adds nothing more.
    """
    from hexmarshal.referee.enhancing import enhance as add_to
    from hexmarshal.referee.enhancing import read_setup
    from hexmarshal.table.binding import ENTRY, Binding
    from hexmarshal.table.module_finder import Means
    from hexmarshal.vassal.container.atomic import refuse_existing
    from hexmarshal.vassal.container.source import read_file
    from hexmarshal.vassal.module import Module

    if output is None and not dry_run:
        hint = "give -o OUT, or --dry-run to see what would be added"
        raise UsageError("where shall the result go?", hint=hint)
    parts = _parts(without or [])
    settings = dict(_setting(word) for word in numbering or ())
    if output is not None and not dry_run:
        refuse_existing(output, force=force)
    opened = Module.open(module)
    if unknown:
        from hexmarshal.geometry.terrain.terrain_file import load

        ground = load(terrain) if terrain is not None else None
        done = _unknown(opened, parts, chart, rules, setup, phase, settings, ground, sight_range)
        return _finish(opened, done, output, dry_run=dry_run, force=force, as_json=json)
    if chart or rules or phase or terrain:
        raise UsageError("--chart, --rules, --phase and --terrain go with --unknown")
    if binding is not None:
        text, place = read_file(binding), Place(file=str(binding))
    elif opened.has(ENTRY):
        text, place = opened.read(ENTRY), Place(file=str(module), entry=ENTRY)
    else:
        raise NotFoundError(
            "the module carries no binding",
            place=Place(file=str(module), entry=ENTRY),
            hint="hexmarshal binding new drafts one; --binding names it; --unknown does without",
        )
    registry = games(plugin)
    game = registry.get(Binding.parse(text, place).game)
    means = Means(module, binding, game.game.key)
    setups = [read_setup(registry, means, game, named) for named in setup] if setup else None
    done = add_to(opened, text, place, game, without=parts, numbering=settings, setups=setups)
    return _finish(opened, done, output, dry_run=dry_run, force=force, as_json=json)


def _finish(
    opened: Module,
    done: Enhancement,
    output: Path | None,
    *,
    dry_run: bool,
    force: bool,
    as_json: bool,
) -> int:
    if dry_run:
        # What cannot be written is an error now, not later.
        opened.to_bytes()
    elif output is not None:
        opened.save(output, force=force)
    if as_json:
        print_json({"output": None if dry_run else str(output), **done.to_json()})
    else:
        _print(done)
        print("nothing was written" if dry_run else f"written: {output}")
    return ExitCode.OK


def _unknown(
    opened: Module,
    parts: set[Part],
    chart: list[Path] | None,
    rules: list[Path] | None,
    setup: list[str] | None,
    phase: list[str] | None,
    numbering: dict[str, str],
    terrain: TerrainMap | None,
    sight_range: int,
) -> Enhancement:
    from hexmarshal.referee.enhancing.unknown import Wishes, enhance_unknown
    from hexmarshal.vassal.container.source import read_file

    def files(named: list[Path] | None) -> dict[str, bytes]:
        return {str(file): read_file(file) for file in named or ()}

    given = [Path(name) for name in setup or ()]
    phases = tuple(phase or ())
    wishes = Wishes(
        files(chart), files(rules), files(given), phases, numbering, terrain, sight_range
    )
    return enhance_unknown(opened, wishes, without=parts)


def _parts(names: list[str]) -> set[Part]:
    from hexmarshal.referee.enhancing import Part

    try:
        return {Part(name) for name in names}
    except ValueError as error:
        raise UsageError(f"--without: {error}", hint=f"parts: {_PARTS}") from None


def _setting(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals:
        raise UsageError(f"not NAME=VALUE: {word!r}", hint="such as --numbering hDescend=true")
    return name, value


def _print(done: Enhancement) -> None:
    rows = [(a.part.value, a.outcome.value, a.what, a.why) for a in done.additions]
    print_table("", ("part", "outcome", "what", "why"), rows)
    if not done.changed:
        print("nothing to add")
