"""`hexmarshal check FILE`: every illegal move and every wrong result, each with its rule."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hexmarshal.cli.options import Force, Jobs, Json, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.cli.referee.check_words import print_report
from hexmarshal.cli.referee.folder_check import FolderOptions, check_many, watch
from hexmarshal.cli.rules.plugins import Data, Options, Plugins, assignments, games
from hexmarshal.errors import ExitCode

app = command_app("Check a log, a save or a folder of them against the rules.")


@app.command(
    epilog=examples(
        "hexmarshal check game.vlog",
        "hexmarshal check game.vlog --module game.vmod --report report.html",
        "hexmarshal check setup.vsav --game kharkov --json",
        "hexmarshal check game.vlog --module old.vmod --binding mine.yaml --scenario campaign",
        "hexmarshal check tournament/ --module game.vmod -o results --report season.html",
        "hexmarshal check tournament/ --shard 2/8 -o part2",
        "hexmarshal check tournament/ --cluster tcp://scheduler:8786",
        "hexmarshal check --watch drop/ --module game.vmod",
    )
)
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .vlog, a .vsav or a folder.")],
    *,
    module: Annotated[
        Path | None, typer.Option(metavar="VMOD", help="The module of the game.")
    ] = None,
    game: Annotated[str, typer.Option(metavar="KEY", help="The game whose rules apply.")] = "",
    binding: Annotated[
        Path | None, typer.Option(metavar="YAML", help="How the module shows what the rules know.")
    ] = None,
    scenario: Annotated[
        str, typer.Option(metavar="KEY", help="The scenario, where the file does not tell.")
    ] = "",
    option: Options = None,
    plugin: Plugins = None,
    data: Data = None,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="HTML",
            help="Write a report with pictures; of a folder, with one for each file.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Where results of a folder go; in it, as hexmarshal-check, by default.",
        ),
    ] = None,
    jobs: Jobs = 0,
    watch_folder: Annotated[
        bool,
        typer.Option("--watch", help="Check what is put into the folder, until interrupted."),
    ] = False,
    shard: Annotated[
        str, typer.Option(metavar="I/N", help="Of a folder only the I-th of N parts.")
    ] = "",
    since: Annotated[
        str, typer.Option(metavar="TIME", help="Only files changed since: 2026-11-01, 36h, 7d.")
    ] = "",
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Check N files at most; then resume.")
    ] = None,
    cluster: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Let the workers of a Dask scheduler do it.")
    ] = "",
    any_module: Annotated[
        bool, typer.Option("--any-module", help="Check a game of a module of another name too.")
    ] = False,
    shared: Annotated[
        bool,
        typer.Option("--shared", help="The cluster sees the files by the same paths; send none."),
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="List what was legal, too.")] = False,
    force: Force = False,
    json: Json = False,
) -> int:
    """Check a log or a save against the rules; 1 if a rule was certainly broken, 0 if not.

    A folder is checked file by file, in several processes or by a cluster; what is done and
    unchanged is skipped, and 3 means that no rule was certainly broken, but a file could not be
    read or is of another module.
    """
    from hexmarshal.referee.check.check_inputs import check_path
    from hexmarshal.table.module_finder import Means
    from hexmarshal.vassal.container.atomic import refuse_existing

    registry = games(plugin, data)
    declared = [o.param for o in registry.get(game).game.options] if game else []
    options = assignments(option or [], declared) or None
    means = Means(module, binding, game, scenario, options, any_module=any_module)
    chosen = FolderOptions(
        means,
        tuple(plugin or ()),
        output,
        report,
        jobs,
        shard,
        since,
        limit,
        cluster,
        shared,
        force,
    )
    if file.is_dir():
        return (watch if watch_folder else check_many)(file, chosen, registry, json=json)
    chosen.refuse_for_a_file(watch=watch_folder)
    if report is not None:
        refuse_existing(report, force=force)
    with progress("checking", None) as advance:
        found = check_path(file, means, registry, advance)
    if report is not None:
        from hexmarshal.referee.report.html_report import write_report

        write_report(found, report, means, registry, force=force)
    if json:
        print_json(found.to_json())
    else:
        print_report(found, every=every)
        if report is not None:
            print(f"report: {report}")
    return ExitCode.FINDINGS if found.certain else ExitCode.OK
