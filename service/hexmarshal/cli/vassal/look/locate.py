"""`hexmarshal locate`: what VASSAL calls a pixel."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, InputFile, Json, command_app, examples
from hexmarshal.cli.output import print_fields, print_json, progress
from hexmarshal.errors import BadInputError, HexMarshalError, Place, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.state.pixels import NamedPixel, PixelNamer

app = command_app("Tell what VASSAL calls a pixel of a map or board.")


def _answer(namer: PixelNamer, question: dict[str, object], place: Place) -> NamedPixel:
    x, y = question.get("x"), question.get("y")
    of_map, board = question.get("map"), question.get("board")
    for name, value in (("x", x), ("y", y)):
        if not isinstance(value, int) or isinstance(value, bool):
            raise BadInputError("is not a whole number", place=Place(field=name).within(place))
    for name, value in (("map", of_map), ("board", board)):
        if value is not None and not isinstance(value, str):
            raise BadInputError("is not text", place=Place(field=name).within(place))
    assert isinstance(x, int)
    assert isinstance(y, int)
    on = of_map if isinstance(of_map, str) else None
    try:
        if isinstance(board, str):
            return namer.on_board(on, board, x, y)
        return namer.on_map(on, x, y)
    except HexMarshalError as error:
        raise error.at(place) from None


def _questions(path: Path) -> Iterator[tuple[dict[str, object], Place]]:
    from hexmarshal.geometry.values_with_lines import text_of
    from hexmarshal.vassal.container.source import read_file

    text = text_of(read_file(path), str(path))
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        place = Place(file=str(path), line=number)
        try:
            found = jsonlib.loads(line)
        except ValueError:
            raise BadInputError("not JSON", place=place, hint="one object a line") from None
        if not isinstance(found, dict):
            raise BadInputError("not an object", place=place, hint='as in {"x": 10, "y": 20}')
        yield found, place


@app.command(
    # A pixel left of a board or above it is a negative number, not an option.
    context_settings={"ignore_unknown_options": True},
    epilog=examples(
        "hexmarshal locate game.vmod 412 388",
        "hexmarshal locate game.vmod 412 388 --map 'Main Map' --board North",
        "hexmarshal locate game.vmod --points in.jsonl -o out.jsonl",
    ),
)
def locate(
    file: InputFile,
    x: Annotated[int | None, typer.Argument(metavar="X", help="Pixels from the left.")] = None,
    y: Annotated[int | None, typer.Argument(metavar="Y", help="Pixels from the top.")] = None,
    *,
    map_name: Annotated[
        str | None, typer.Option("--map", metavar="NAME", help="The map; else the first.")
    ] = None,
    board: Annotated[
        str | None,
        typer.Option("--board", metavar="NAME", help="Count from this board's own corner."),
    ] = None,
    points: Annotated[
        Path | None,
        typer.Option("--points", metavar="IN.jsonl", help="Many: map, board, x, y a line."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="OUT.jsonl", help="Where to write.")
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Tell what VASSAL calls a pixel, and where a piece dropped there would snap to.

    With a board, pixels count from the board's own corner and its grid alone answers; without,
    they are pixels of the map with its edge, as in piece coordinates.
    """
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.state.pixels import PixelNamer

    if (points is None) == (x is None or y is None):
        raise UsageError("give either X and Y, or --points")
    namer = PixelNamer(Module.open(file))
    if points is None:
        asked: dict[str, object] = {"map": map_name, "board": board, "x": x, "y": y}
        found = _answer(namer, asked, Place(file=str(file)))
        told = {"location": found.location, "snap": list(found.snap)}
        if json:
            print_json({**asked, **told, "snapped_location": found.snapped_location})
        else:
            print_fields(
                {**told, "snapped": found.snapped_location, "snap": "{},{}".format(*found.snap)}
            )
        return
    answers = []
    questions = list(_questions(points))
    with progress("Locating", len(questions)) as step:
        for question, place in questions:
            found = _answer(namer, question, place)
            answers.append({**question, "location": found.location, "snap": list(found.snap)})
            step(1)
    if output is None:
        for answer in answers:
            print_json(answer, lines=True)
        return
    from hexmarshal.vassal.container.atomic import write_atomically

    text = "".join(f"{jsonlib.dumps(answer, ensure_ascii=False)}\n" for answer in answers)
    write_atomically(output, [text.encode("utf-8")], force=force)
