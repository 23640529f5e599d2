"""`hexmarshal verify PATH...`: runs conformance cases against the plugins."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Json, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.cli.rules.plugins import Data, Plugins, games
from hexmarshal.errors import ExitCode, HexMarshalError, NotFoundError, Place, UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.rules.cases.conformance import CaseResult

app = command_app("Run conformance cases (YAML or JSON) against a game's rules.")


@app.command(
    epilog=examples(
        "hexmarshal verify tests/conformance",
        "hexmarshal verify my-cases.yaml --case EX-12",
        "hexmarshal verify --schema > cases.schema.json",
    )
)
def verify(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH", help="Files, or folders of them.")
    ] = None,
    *,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of cases.")
    ] = False,
    case: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only this case; may be repeated.")
    ] = None,
    plugin: Plugins = None,
    data: Data = None,
    json: Json = False,
) -> int:
    """Run conformance cases and print, for each that fails, what was expected and what came."""
    from hexmarshal.rules.cases.conformance import SCHEMA, load_cases, run_case

    if schema:
        print_json(SCHEMA)
        return ExitCode.OK
    if not paths:
        raise UsageError("no files named", hint="hexmarshal verify tests/conformance")
    registry = games(plugin, data)
    files = [load_cases(file) for file in _files(paths)]
    wanted = set(case or ())
    chosen = [(f.game, c) for f in files for c in f.cases if not wanted or c.id in wanted]
    if missing := wanted - {c.id for _, c in chosen}:
        raise NotFoundError(f"no case {', '.join(sorted(missing))}")
    results: list[CaseResult] = []
    with progress("cases", len(chosen)) as advance:
        for game, one in chosen:
            try:
                results.append(run_case(registry.get(game), one))
            except HexMarshalError as error:
                raise error.at(Place(file=one.file)) from None
            advance(1)
    failed = [r for r in results if not r.ok]
    if json:
        print_json(
            {
                "cases": len(results),
                "failed": [
                    {
                        "file": r.case.file,
                        "id": r.case.id,
                        "rules": list(r.case.rules),
                        "differences": list(r.differences),
                        "arithmetic": list(r.arithmetic),
                        "got": r.got,
                    }
                    for r in failed
                ],
            }
        )
    else:
        for result in failed:
            for line in report(result):
                print(line)
        rules = {rule for r in results if r.ok for rule in r.case.rules}
        number = counted(len(rules), "rule")
        print(f"{len(results) - len(failed)} of {counted(len(results), 'case')} hold, {number}")
    return ExitCode.FINDINGS if failed else ExitCode.OK


def report(result: CaseResult) -> Iterator[str]:
    """A failing case for a person: expected against got, then the arithmetic."""
    case = result.case
    yield f"{case.file}: {case.id} ({', '.join(case.rules)}) fails"
    for line in result.differences:
        yield f"  {line}"
    if "error" in result.got and isinstance(error := result.got["error"], dict):
        yield f"  error: {error['field']}: {error['message']}"
    for line in result.arithmetic:
        yield f"    {line}"


def _files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            found = sorted(p for p in path.rglob("*") if p.suffix in {".yaml", ".yml", ".json"})
            if not found:
                raise NotFoundError("no .yaml or .json files", place=Place(file=str(path)))
            yield from found
        else:
            yield path
