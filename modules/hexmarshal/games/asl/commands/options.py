"""The options that the commands have in common."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.sight.conditions import Conditions

_MOST = 1000
"""No hindrance and no range is greater."""

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the output if it exists.")]
BoardDir = Annotated[
    Path | None,
    typer.Option(
        "--board-dir",
        metavar="DIR",
        envvar="HEXMARSHAL_ASL_BOARDS",
        help="Where boards are that are named without a path.",
    ),
]
Svg = Annotated[
    Path | None, typer.Option("--svg", metavar="OUT", help="Draw it, too (.svg or .png).")
]
Terrain = Annotated[
    Path | None,
    typer.Option(
        "--terrain",
        metavar="XML",
        help="The terrain catalogue [SharedBoardMetadata.xml beside the board, or our own].",
    ),
]
SmokeOption = Annotated[
    list[str] | None,
    typer.Option("--smoke", metavar="HEX=N", help="Smoke of hindrance N in a hex; repeatable."),
]
Vehicles = Annotated[
    list[str] | None,
    typer.Option("--vehicle", metavar="HEX", help="A vehicle or wreck in a hex; repeatable."),
]
Weather = Annotated[
    int,
    typer.Option("--weather", min=0, max=_MOST, metavar="N", help="Hindrance of low visibility."),
]
Given = Annotated[
    list[str] | None,
    typer.Option(
        "--given",
        metavar="WHAT",
        help="mist=1, fog=LEVEL:N, shelling=HEX:N, lit=HEX, flash=HEX, moving=HEX:tracks,"
        " entrenched=HEX, crest=HEX or alpine; repeatable.",
    ),
]
Night = Annotated[
    int | None,
    typer.Option("--night", min=0, max=_MOST, metavar="N", help="The night visibility range."),
]
Save = Annotated[Path, typer.Argument(metavar="SAVE", help="A .vsav or .vlog of VASL.")]
BoardsOfSave = Annotated[
    Path | None,
    typer.Option(
        "--board-dir",
        metavar="DIR",
        envvar="HEXMARSHAL_ASL_BOARDS",
        help="Where VASL keeps its boards [boards, beside the save].",
    ),
]
AtStep = Annotated[
    int | None,
    typer.Option("--step", metavar="N", min=0, help="Of a log: after this step [the last one]."),
]
Reveal = Annotated[bool, typer.Option("--reveal", help="Tell what is concealed and hidden, too.")]


def given_conditions(
    smoke: Sequence[str] | None,
    vehicles: Sequence[str] | None,
    weather: int,
    night: int | None,
    given: Sequence[str] | None,
) -> Conditions:
    """What a user gave besides the board: smoke, vehicles, weather, night and the rest."""
    from hexmarshal.games.asl.commands.condition_syntax import typed_conditions

    return typed_conditions(smoke or (), vehicles or (), weather, night, given or ())
