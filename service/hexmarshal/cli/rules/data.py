"""`hexmarshal data GAME`: the files that a game plays with, and a user's own in their place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, Json, command_app, examples
from hexmarshal.cli.output import print_json, print_table
from hexmarshal.cli.rules.plugins import GameKey, Plugins, games
from hexmarshal.errors import ExitCode, HexMarshalError, NotFoundError, UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.kit.data import Source
    from hexmarshal.rules.plugin import GamePlugin

app = command_app("Show, copy and check the data that a game plays with.")


@app.command(
    "data",
    epilog=examples(
        "hexmarshal data mygame",
        "hexmarshal data mygame --template my-data",
        "hexmarshal data mygame --data my-data",
        "hexmarshal data mygame --schema units > units.schema.json",
        "hexmarshal play mygame --data my-data --games 5",
    ),
)
def show_data(
    game: GameKey,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE", help="With --template: only these files."),
    ] = None,
    *,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="DIR", help="Check the files of this folder."),
    ] = None,
    template: Annotated[
        Path | None,
        typer.Option("--template", metavar="DIR", help="Copy the game's files to this folder."),
    ] = None,
    schema: Annotated[
        str,
        typer.Option("--schema", metavar="KIND", help="Print the JSON Schema of a kind of file."),
    ] = "",
    plugin: Plugins = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Show a game's data file by file: whose it is, and what in it no rulebook prints.

    A folder of your own with files of the same names takes the place of ours, file by file; a file
    NAME.patch.yaml changes only what it names of NAME.yaml. With --data every file is checked, and
    every scenario is set up; the answer is 1 if something is wrong.
    """
    if bool(data) + bool(template) + bool(schema) > 1:
        raise UsageError("one of --data, --template and --schema at a time")
    if names and not template:
        raise UsageError("files are named with --template only")
    source = _source(games(plugin).get(game), game)
    if schema:
        return _schema(source, schema)
    if template:
        return _template(source, template, names or [], force=force, as_json=json)
    if data is None:
        return _report(source, [*source.problems()], as_json=json)
    own = source.data.source(data)
    problems = [*own.problems()] or [*_played(plugin, data, game)]
    return _report(own, problems, as_json=json)


def _played(plugin: list[str] | None, data: Path, game: str) -> Iterator[HexMarshalError]:
    """What is wrong with files that are each right by themselves."""
    from hexmarshal.kit.data.report import play_problems

    try:
        one = games(plugin, [str(data)], game=game).get(game)
    except HexMarshalError as error:
        yield error
    else:
        yield from play_problems(one)


def _source(plugin: GamePlugin, game: str) -> Source:
    from hexmarshal.kit.data import Source

    found = getattr(plugin, "data", None)
    if not isinstance(found, Source):
        raise NotFoundError(
            f"{game} keeps no data in files that could be replaced",
            hint="'hexmarshal games' lists the games",
        )
    return found


def _schema(source: Source, kind: str) -> int:
    schemas = source.data.schemas()
    if kind not in schemas:
        raise NotFoundError(f"no kind of file {kind!r}", hint=f"there are: {', '.join(schemas)}")
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    print_json({**head, **schemas[kind]})
    return ExitCode.OK


def _template(source: Source, folder: Path, names: list[str], *, force: bool, as_json: bool) -> int:
    from hexmarshal.kit.data.template import write_template

    written = [*write_template(source.data, folder, names=names, force=force)]
    if as_json:
        print_json({"written": [str(path) for path in written]})
        return ExitCode.OK
    print(
        f"wrote {counted(len(written), 'file')} to {folder}: change some, and throw the others away"
    )
    print(f"then: hexmarshal data {source.data.game} --data {folder}")
    return ExitCode.OK


def _report(source: Source, problems: list[HexMarshalError], *, as_json: bool) -> int:
    from hexmarshal.kit.data.report import reports

    found = [*reports(source)]
    if as_json:
        print_json(
            {
                "game": source.data.game,
                "folder": str(source.folder) if source.folder else None,
                "files": [one.to_json() for one in found],
                "problems": [error.as_dict() for error in problems],
            }
        )
    else:
        rows = ((one.name, one.kind, one.whose, one.invented) for one in found)
        print_table("", ("file", "kind", "whose", "not the rulebook's"), rows)
        _tell(problems)
        if source.folder is not None and not problems:
            still = sum(one.whose in ("ours", "same") for one in found)
            of = counted(len(found), "file is", "files are")
            print(f"nothing is wrong; {still} of {of} still ours")
    return ExitCode.FINDINGS if problems else ExitCode.OK


def _tell(problems: list[HexMarshalError]) -> None:
    for error in problems:
        print(f"wrong: {error}")
        if error.hint:
            print(f"  hint: {error.hint}")
