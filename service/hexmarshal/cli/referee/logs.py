"""`hexmarshal logs join|split`: whole games from the logs of a game by e-mail, and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, InputFile, Json, OutputFile, command_app, examples
from hexmarshal.cli.output import print_json
from hexmarshal.errors import ExitCode, NotFoundError, OutputError, Place, UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.vassal.logs.join import Joined, Part

# So many differences of a seam are listed; --all lists them all.
_MOST = 12

app = command_app(
    "Join the logs of a game into one, or split one.",
    "hexmarshal logs join 1.vlog 2.vlog 3.vlog -o game.vlog",
    "hexmarshal logs split game.vlog --by turn -o turns/",
)


@app.command(
    epilog=examples(
        "hexmarshal logs join 1.vlog 2.vlog 3.vlog -o game.vlog",
        "hexmarshal logs join *.vlog -o game.vlog --module game.vmod --drop-chat --drop-undone",
    )
)
def join(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="The logs, in the order of play.")
    ],
    *,
    output: OutputFile,
    module: Annotated[
        Path | None, typer.Option(metavar="VMOD", help="Names the places that are told.")
    ] = None,
    drop_chat: Annotated[
        bool, typer.Option("--drop-chat", help="Leave out what players said to each other.")
    ] = False,
    drop_undone: Annotated[
        bool, typer.Option("--drop-undone", help="Leave out steps that were taken back.")
    ] = False,
    any_module: Annotated[
        bool, typer.Option("--any-module", help="Join logs of other modules, too.")
    ] = False,
    any_order: Annotated[
        bool, typer.Option("--any-order", help="Join as given, though another order has no gap.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="List every difference.")] = False,
    force: Force = False,
    json: Json = False,
) -> int:
    """Write one log of a whole game from its logs in order.

    1 says that one does not begin as the one before it ended: the differences are told, and a step
    of ours takes the game over each, so that the whole can be stepped through. Nothing is written
    if the logs cannot be of one game.
    """
    from hexmarshal.vassal.container.atomic import refuse_existing
    from hexmarshal.vassal.logs.join import join_logs

    refuse_existing(output, force=force)
    if any(path.resolve() == output.resolve() for path in files):
        raise OutputError("is one of the logs to join", place=Place(file=str(output)))
    made = join_logs(
        _parts(files),
        drop_chat=drop_chat,
        drop_undone=drop_undone,
        any_module=any_module,
        any_order=any_order,
        place=_places(module),
    )
    made.saved.save(output, force=force)
    differ = any(seam.differences for seam in made.seams)
    if json:
        print_json({"file": str(output), "steps": made.steps, "dropped": made.dropped,
                    "seams": [seam.to_json() for seam in made.seams]})  # fmt: skip
    else:
        _print(made, output, len(files), every=every)
    return ExitCode.FINDINGS if differ else ExitCode.OK


def _parts(files: list[Path]) -> list[Part]:
    from hexmarshal.vassal.logs.join import Part
    from hexmarshal.vassal.saves.savegame import SavedGame

    for path in files:
        if not path.exists():
            raise NotFoundError("no such file", place=Place(file=str(path)))
    return [Part(str(path), SavedGame.open(path)) for path in files]


def _places(module: Path | None) -> Callable[[str, int, int], str] | None:
    if module is None:
        return None
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.state.locator import ModuleLocator

    locator = ModuleLocator(Module.open(module))

    def named(on_map: str, x: int, y: int) -> str:
        found = locator.locate(on_map, x, y)
        return found.name if found is not None and found.name else f"{on_map} {x},{y}"

    return named


def _print(made: Joined, output: Path, count: int, *, every: bool) -> None:
    for seam in made.seams:
        if not seam.differences:
            print(f"{seam.after} goes on where {seam.before} ends")
            continue
        print(f"{seam.after} does not begin as {seam.before} ends, step {seam.step}:")
        shown = seam.differences if every else seam.differences[:_MOST]
        for one in shown:
            print(f"  {one}")
        if len(shown) < len(seam.differences):
            print(f"  and {len(seam.differences) - len(shown)} more (--all lists them)")
    dropped = f", {made.dropped} left out" if made.dropped else ""
    print(f"{output}: {counted(made.steps, 'step')} of {counted(count, 'log')}{dropped}")


@app.command(
    epilog=examples(
        "hexmarshal logs split game.vlog --by turn -o turns/",
        "hexmarshal logs split game.vlog --by step --every 100 -o parts/",
    )
)
def split(
    file: InputFile,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="The folder for the pieces.")
    ],
    by: Annotated[str, typer.Option(metavar="turn|phase|step", help="Where to cut.")] = "turn",
    every: Annotated[
        int, typer.Option(metavar="N", min=1, help="So many steps a piece, with --by step.")
    ] = 1,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write a log as several, each beginning as the game stood then."""
    from hexmarshal.vassal.logs.split import Cut, split_log
    from hexmarshal.vassal.saves.savegame import SavedGame

    try:
        cut = Cut(by)
    except ValueError:
        raise UsageError(f"no cut by {by!r}", hint="turn, phase or step") from None
    saved = SavedGame.open(file)
    if not saved.is_log:
        raise UsageError("holds no steps to split", place=Place(file=str(file)))
    pieces = list(split_log(saved, cut, every))
    if len(pieces) > 5000:
        raise UsageError(
            f"would be {counted(len(pieces), 'file')}", hint="cut less often, with --every"
        )
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"cannot be made: {error.strerror}", place=Place(file=str(output))
        ) from None
    digits = len(str(len(pieces)))
    written = []
    for number, piece in enumerate(pieces, 1):
        path = output / f"{file.stem}-{number:0{digits}}.vlog"
        piece.saved.save(path, force=force)
        written.append({"file": str(path), "first": piece.first, "last": piece.last})
    if json:
        print_json({"pieces": written})
    else:
        for one in written:
            print(f"{one['file']}: steps {one['first']} to {one['last']}")
