"""`hexmarshal remap`: another picture for a board, with all that lies on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, Json, command_app, examples
from hexmarshal.errors import BadInputError, Place, UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.scaling.stretch import Pair

app = command_app("Exchange a board's picture, with grid, zones and games.")


@app.command(
    epilog=examples(
        "hexmarshal remap game.vmod --picture larger.png -o new.vmod",
        "hexmarshal remap game.vmod --picture scan.png --at 120,96=310,255"
        " --at 1900,1400=4020,3011 -o new.vmod",
        "hexmarshal remap game.vmod turn5.vsav --board Map --picture scan.png"
        " --at 0101=310,255 --at 3020=4020,3011 -o new",
    )
)
def remap(
    module: Annotated[Path, typer.Argument(metavar="MODULE", help="The module.")],
    others: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Its extensions, saves and logs."),
    ] = None,
    *,
    picture: Annotated[
        Path, typer.Option(metavar="FILE", help="The new picture: PNG, JPEG, GIF or SVG.")
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="OUT", help="A file; for several files a folder."),
    ],
    of_map: Annotated[
        str | None, typer.Option("--map", metavar="NAME", help="The map, if there are several.")
    ] = None,
    board: Annotated[
        str | None, typer.Option("--board", metavar="NAME", help="The board, likewise.")
    ] = None,
    at: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OLD=X,Y",
            help="A pixel x,y or the name of a place on the old board, and the pixel of the new"
            " picture that shows the same. Two far apart tell scale and shift; more are balanced."
            " Without any, the new picture shows what the old one showed.",
        ),
    ] = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Put another picture in the place of a board, and everything on it to where it belongs.

    Grid, zones, regions, at-start stacks, decks, places that traits send to, set-ups, saves and
    logs follow; counters keep their size. Names of places are checked on old and new board.
    """
    from hexmarshal.cli.vassal.change.scale import stretch_files
    from hexmarshal.vassal.container.source import read_file
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.scaling.plan import find_board, remap_plan

    opened = Module.open(module)
    name, found = find_board(opened, of_map, board)
    pairs = [_pair(opened, name, found.name, text) for text in at or ()]
    data = read_file(picture)
    try:
        plan = remap_plan(opened, name, found.name, data, pairs)
    except BadInputError as error:
        raise error.at(Place(file=str(picture))) from error
    if not json and len(pairs) > 2:
        _print_fit(pairs, plan.boards[name, found.name].stretch.point)
    return stretch_files([module, *(others or ())], plan, output, force=force, json=json)


def _pair(module: Module, of_map: str, board: str, text: str) -> Pair:
    from hexmarshal.vassal.state.pixels import PixelNamer

    old, _, new = text.rpartition("=")
    target = _pixel(new)
    if not old or target is None:
        raise UsageError(f"{text!r} is not OLD=X,Y", hint="as in 120,96=310,255 or 0101=310,255")
    source = _pixel(old)
    if source is None:
        source = PixelNamer(module).named_on_board(of_map, board, old)
    return source, target


def _pixel(text: str) -> tuple[int, int] | None:
    x, _, y = text.partition(",")
    try:
        return int(x), int(y)
    except ValueError:
        return None


if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def _print_fit(pairs: Sequence[Pair], put: Callable[[tuple[int, int]], tuple[int, int]]) -> None:
    worst = max(max(abs(a - b) for a, b in zip(put(old), new, strict=True)) for old, new in pairs)
    print(f"{counted(len(pairs), 'point')} fitted; the worst is {counted(worst, 'pixel')} off")
