"""`hexmarshal fuzz GAME`: looks for positions and actions that break a plugin."""

from __future__ import annotations

import json as jsons
from pathlib import Path
from typing import Annotated, Any

import typer

from hexmarshal.cli.options import Json, command_app, examples
from hexmarshal.cli.output import print_json
from hexmarshal.cli.rules.plugins import Data, GameKey, Plugins, games
from hexmarshal.errors import BadInputError, ExitCode, NotFoundError, OutputError, Place
from hexmarshal.errors.counts import counted

app = command_app("Try mutated positions and actions, led by the lines of the rules they reach.")


@app.command(
    epilog=examples(
        "hexmarshal fuzz mygame --plugin ./mygame:MyGame --seconds 30 -o crashes",
        "hexmarshal fuzz mygame --replay crashes/1.json",
    )
)
def fuzz(
    game: GameKey,
    *,
    seconds: Annotated[
        float, typer.Option(metavar="N", min=0.1, max=3600, help="How long to try.")
    ] = 10.0,
    tries: Annotated[
        int, typer.Option(metavar="N", min=0, help="End after so many tries; 0 for no such end.")
    ] = 0,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed tries the same.")] = 0,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Where crashes go, a file each."),
    ] = None,
    replay: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Try the input of a crash file once more.")
    ] = None,
    plugin: Plugins = None,
    data: Data = None,
    json: Json = False,
) -> int:
    """Give a plugin what a hostile client would send, and keep whatever breaks it."""
    from hexmarshal.testkit.fuzzer import Fuzzer

    fuzzer = Fuzzer(games(plugin, data).get(game), seed)
    if replay is not None:
        kept = _read(replay)
        crash, _ = fuzzer.attempt(kept["position"], kept["action"])
        crashes = [crash] if crash else []
    else:
        crashes = list(fuzzer.run(seconds, tries))
    for number, crash in enumerate(crashes, start=1):
        if output is not None and replay is None:
            _write(output / f"{number}.json", crash.to_json())
    if json:
        print_json(
            {
                "tried": fuzzer.tried,
                "admitted": fuzzer.admitted,
                "lines": len(fuzzer.lines),
                "crashes": [crash.to_json() for crash in crashes],
            }
        )
    else:
        for crash in crashes:
            print(f"{crash.where}: {crash.error}")
        print(
            f"{counted(fuzzer.tried, 'try', 'tries')}, "
            f"{counted(fuzzer.admitted, 'position')} admitted, "
            f"{counted(len(fuzzer.lines), 'line')} of the rules reached, "
            f"{counted(len(crashes), 'crash', 'crashes')}"
        )
    return ExitCode.FINDINGS if crashes else ExitCode.OK


def _read(path: Path) -> dict[str, Any]:
    place = Place(file=str(path))
    try:
        document = jsons.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise NotFoundError("no such file", place=place) from None
    except (OSError, ValueError, RecursionError) as error:
        raise BadInputError(f"no crash file: {error}", place=place) from None
    held = document if isinstance(document, dict) else {}
    if not all(isinstance(held.get(name), dict) for name in ("position", "action")):
        raise BadInputError("no crash file: 'position' and 'action' are missing", place=place)
    return held


def _write(path: Path, document: dict[str, Any]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(jsons.dumps(document, indent=1) + "\n", "utf-8")
    except OSError as error:
        text = f"cannot be written: {error.strerror}"
        raise OutputError(text, place=Place(file=str(path))) from None
