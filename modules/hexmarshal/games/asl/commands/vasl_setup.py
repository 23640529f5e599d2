"""`hexmarshal asl setup`: a scenario or position as a save of the user's VASL."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import Annotated

import typer

from hexmarshal.errors import ExitCode
from hexmarshal.games.asl.commands.draw import position_named
from hexmarshal.vassal.container.atomic import refuse_existing

__all__ = ["setup"]


def setup(
    what: Annotated[
        str, typer.Argument(metavar="SCENARIO|POSITION", help="A scenario, or a position as JSON.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="Where the .vsav goes.")
    ],
    *,
    module: Annotated[Path, typer.Option("--module", metavar="VMOD", help="Your VASL module.")],
    board_dir: Annotated[
        Path | None,
        typer.Option(
            "--board-dir",
            metavar="DIR",
            envvar="HEXMARSHAL_ASL_BOARDS",
            help="Where VASL keeps its boards [boards, beside the module].",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document instead of text.")
    ] = False,
) -> int:
    """Write a save that VASL opens, with the counters of your module on your boards.

    1 if something cannot be shown there; it is told, and all else is written.
    """
    from hexmarshal.games.asl.plugin import AdvancedSquadLeader
    from hexmarshal.games.asl.vasl.opening import boards_for
    from hexmarshal.games.asl.vasl.save_writer import write_vasl_save
    from hexmarshal.vassal.module import Module

    refuse_existing(output, force=force)
    folder = boards_for(module, board_dir)
    plugin = AdvancedSquadLeader(folder)
    position = position_named(plugin, what)
    written = write_vasl_save(position, plugin, Module.open(module), folder)
    written.saved.save(output, force=force)
    if json:
        document = {
            "output": str(output),
            "units": written.pieces,
            "cannot": list(written.cannot),
        }
        print(jsonlib.dumps(document, ensure_ascii=False, indent=2))
    else:
        print(f"written: {output}, {len(written.pieces)} units")
        for text in written.cannot:
            print(f"not shown: {text}")
    return ExitCode.FINDINGS if written.cannot else ExitCode.OK
