"""`hexmarshal diff A B`: what changed between two VASSAL files, in words."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Json, ShowSecrets, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import ExitCode, Place, UsageError

if TYPE_CHECKING:
    from hexmarshal.vassal.diff import Difference

app = command_app("Tell in words what changed between two VASSAL files.")

MOST_DETAILS = 12
# What git names in the place of a file that is not there on one side.
_NOTHING = os.devnull


@app.command(
    epilog=examples(
        "hexmarshal diff game-1.0.vmod game-1.1.vmod",
        "hexmarshal diff turn4.vsav turn5.vsav --module game.vmod",
        "hexmarshal diff old.vmod new.vmod --json | jq .summary",
    )
)
def diff(
    a: Annotated[Path, typer.Argument(metavar="A", help="The older file.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="The newer file.")],
    *,
    module: Annotated[
        Path | None,
        typer.Option(metavar="VMOD", help="Names places of saves and logs by its grids."),
    ] = None,
    all_details: Annotated[
        bool,
        typer.Option("--all", help="Print every detail of every change, and long values whole."),
    ] = False,
    show_secrets: ShowSecrets = False,
    json: Json = False,
) -> int:
    """Tell what changed from A to B; 1 if anything did, 0 if nothing that counts did."""
    from hexmarshal.vassal.diff import diff_modules, diff_saves
    from hexmarshal.vassal.files import open_file
    from hexmarshal.vassal.module import Module

    if _NOTHING in {str(a), str(b)}:
        return _whole_file(a, b, json=json)
    old, new = open_file(a), open_file(b)
    with progress("comparing", None):
        if isinstance(old, Module) and isinstance(new, Module):
            if module is not None:
                raise UsageError("--module goes with saves and logs")
            found = diff_modules(old, new, show_secrets=show_secrets)
        elif not isinstance(old, Module) and not isinstance(new, Module):
            base = None if module is None else Module.open(module)
            found = diff_saves(old, new, modules=(base, base), show_secrets=show_secrets)
        else:
            raise UsageError(
                "a module and a saved game cannot be compared", place=Place(file=str(b))
            )
    if json:
        print_json({"a": str(a), "b": str(b), **found.as_dict()})
    else:
        _print(found, None if all_details else MOST_DETAILS)
    return ExitCode.FINDINGS if found else ExitCode.OK


def _whole_file(a: Path, b: Path, *, json: bool) -> int:
    """Of a file that is new or gone, what it is."""
    from hexmarshal.vassal.diff import Change, Difference
    from hexmarshal.vassal.files import open_file
    from hexmarshal.vassal.module import Module

    kind, path = ("added", b) if str(a) == _NOTHING else ("removed", a)
    found = Difference()
    if str(path) != _NOTHING:
        file = open_file(path)
        name = file.name if isinstance(file, Module) else path.name
        found.add([Change(kind, "module" if isinstance(file, Module) else "game", name)])
    if json:
        print_json({"a": str(a), "b": str(b), **found.as_dict()})
    else:
        _print(found, None)
    return ExitCode.FINDINGS if found else ExitCode.OK


def _print(found: Difference, most: int | None) -> None:
    for group, changes in found.groups().items():
        print(f"{group}:")
        for change in changes:
            print(f"  {change}")
            shown = change.details[:most]
            for detail in shown:
                print(f"      {detail.shown(whole=most is None)}")
            if len(shown) < len(change.details):
                print(f"      ... and {len(change.details) - len(shown)} more (--all)")
        print()
    counts = (
        f"{group}: " + ", ".join(f"{number} {kind}" for kind, number in kinds.items())
        for group, kinds in found.summary().items()
    )
    print("; ".join(counts) or "no differences")
