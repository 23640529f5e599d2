"""`hexmarshal trace FILE --piece P --key K`: what a key does to a piece, trait by trait."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import InputFile, Json, command_app, examples
from hexmarshal.cli.output import print_json
from hexmarshal.errors import ExitCode
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from hexmarshal.vassal.behaviour import Step, Trace

app = command_app("Tell what a key does to a piece, trait by trait.")


@app.command(
    epilog=examples(
        "hexmarshal trace game.vmod --piece 'Red Squad' --key Ctrl+F",
        "hexmarshal trace game.vmod --piece 127 --key '[Flip]' --json",
        "hexmarshal trace turn5.vsav --piece Truck --key Delete",
    )
)
def trace(
    file: InputFile,
    *,
    piece: Annotated[
        str, typer.Option(metavar="NAME", help="The piece: its name, gpid, or id in a save.")
    ],
    key: Annotated[
        str, typer.Option(metavar="KEY", help="Ctrl+Shift+F, F5, or the name of a command.")
    ],
    module: Annotated[
        Path | None,
        typer.Option(metavar="VMOD", help="The module of an extension, for its prototypes."),
    ] = None,
    json: Json = False,
) -> int:
    """Tell every trait that hears the key, and what the keys do that those send on.

    Conditions are told, and where the piece itself decides them, whether they hold. 1 if no trait
    hears the key, or triggers go round in a circle.
    """
    from hexmarshal.vassal.behaviour import trace as follow
    from hexmarshal.vassal.behaviour.choose import pieces_called
    from hexmarshal.vassal.files import open_file
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.pieces.piece_names import basic_name
    from hexmarshal.vassal.search import Sought

    opened = open_file(file)
    sources = [Module.open(module)] if module is not None else []
    sources += [opened] if isinstance(opened, Module) else []
    definitions = {name: d.text for each in sources for name, d in each.prototypes().items()}
    found = pieces_called(opened, piece)
    told = follow(found[0], Sought("key", key).name, definitions)
    if json:
        print_json(
            {
                "file": str(file),
                "piece": basic_name(found[0]) or piece,
                "key": told.key,
                "heard": told.heard,
                "steps": [step.as_dict() for step in told.steps],
                "problems": told.problems,
            }
        )
    else:
        _print(basic_name(found[0]) or piece, told, len(found) - 1)
    return ExitCode.OK if told.heard and not told.problems else ExitCode.FINDINGS


def _print(name: str, told: Trace, others: int) -> None:
    print(f"{name}: {told.key}")
    for step in told.steps:
        print("  " * (step.depth + 1) + _said(step))
    for problem in told.problems:
        print(f"  {problem}")
    if others:
        print(
            f"{counted(others, 'other piece is', 'other pieces are')} called so;"
            " give the gpid to choose one"
        )


def _said(step: Step) -> str:
    key = f"{step.key}: " if step.depth else ""
    at = f"{step.number}. {step.trait}: " if step.number else ""
    if not step.condition:
        return f"{key}{at}{step.what}"
    now = {True: ", which holds", False: ", which does not hold now", None: ""}[step.holds]
    return f"{key}{at}{step.what} if {step.condition}{now}"
