"""`hexmarshal results`: what checks of folders have left, put together and shown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hexmarshal.cli.options import Force, Json, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.cli.referee.folder_check import finish, rule_titles
from hexmarshal.cli.rules.plugins import Plugins, games
from hexmarshal.errors import ExitCode

app = command_app(
    "Put the results of checks together, and show them.",
    "hexmarshal results merge part1 part2 part3 -o season",
    "hexmarshal results report season -o season.html",
)


@app.command(epilog=examples("hexmarshal results merge part1 part2 part3 -o season"))
def merge(
    parts: Annotated[
        list[Path], typer.Argument(metavar="DIR", help="What check --shard wrote, each.")
    ],
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Where all results go.")
    ],
    partial: Annotated[
        bool, typer.Option("--partial", help="Also if parts are missing still.")
    ] = False,
    force: Force = False,
    json: Json = False,
) -> int:
    """Put the results of parts together, as if one check had made them.

    Exit codes are those of check on a folder; parts that do not fit together are refused with 3.
    """
    from hexmarshal.referee.batch.merge_results import merge_results

    with progress("merging", len(parts)) as advance:
        summary = merge_results(parts, output, partial=partial, force=force, progress=advance)
    return finish(summary, None, json=json)


@app.command(epilog=examples("hexmarshal results report season -o season.html"))
def report(
    results: Annotated[Path, typer.Argument(metavar="DIR", help="Where check put its results.")],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="HTML", help="Where to write.")],
    plugin: Plugins = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Write the report of a folder from its results.

    Files are not checked again. Reports of single files are linked if they lie where
    check --report with the same name has put them.
    """
    from hexmarshal.referee.batch.merge_results import known_results
    from hexmarshal.referee.batch.pages import Pages
    from hexmarshal.referee.batch.results_store import Results

    titles = rule_titles(games(plugin))
    place = known_results(results)
    kept = Results(place)
    try:
        pages = Pages.at(output, place.resolve().name, force=force, rule_title=titles)
        pages.write_index(kept)
        total = sum(kept.counts().values())
    finally:
        kept.close()
    if json:
        print_json({"report": str(output), "files": total})
    else:
        print(f"report: {output}")
    return ExitCode.OK
