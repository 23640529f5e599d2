"""The options that the commands have in common."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

if TYPE_CHECKING:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SightOptions:
    """What `los` and `field` alike are told besides the line: boards, conditions, outputs."""

    board_dir: BoardDir = None
    svg: Svg = None
    terrain: Terrain = None
    smoke: SmokeOption = None
    vehicle: Vehicles = None
    weather: Weather = 0
    night: Night = None
    given: Given = None
    force: Force = False
    json: Json = False

    @property
    def conditions(self) -> Conditions:
        """What lies on the board and in the air: smoke, vehicles, weather, night and the rest."""
        from hexmarshal.games.asl.commands.condition_syntax import typed_conditions

        return typed_conditions(
            self.smoke or (), self.vehicle or (), self.weather, self.night, self.given or ()
        )


def with_sight_options(command: Callable[..., int]) -> Callable[..., int]:
    """A command that has these options besides its own, and gets them as `options`."""
    hints = get_type_hints(SightOptions, include_extras=True)
    shared = {
        one.name: inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=one.default,
            annotation=hints[one.name],
        )
        for one in fields(SightOptions)
    }
    own = inspect.signature(command, eval_str=True).parameters

    @wraps(command)
    def run(*args: Any, **given: Any) -> int:  # noqa: ANN401 - whatever Typer read
        options = SightOptions(**{name: given.pop(name) for name in shared})
        return command(*args, **given, options=options)

    kept = [one for name, one in own.items() if name != "options"]
    run.__signature__ = inspect.Signature([*kept, *shared.values()])  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in (*kept, *shared.values())}
    return run
