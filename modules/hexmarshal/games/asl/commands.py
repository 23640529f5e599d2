"""`hexmarshal asl`: lines of sight and fields of view on VASL boards."""

from __future__ import annotations

import json as jsonlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.errors import ExitCode, UsageError
from hexmarshal.vassal.atomic import write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.sight.conditions import Conditions
    from hexmarshal.games.asl.sight.view import Spot

app = typer.Typer(
    help="Lines of sight of Advanced Squad Leader on VASL boards.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

_EXAMPLES = "\b\nExamples:\n"

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the output if it exists.")]
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
    int, typer.Option("--weather", min=0, metavar="N", help="Hindrance of low visibility.")
]
Night = Annotated[
    int | None, typer.Option("--night", min=0, metavar="N", help="The night visibility range.")
]


@app.callback()
def asl() -> None:
    """Lines of sight of Advanced Squad Leader on VASL boards."""


@app.command(
    epilog=_EXAMPLES
    + "  hexmarshal asl los boards/bd01 K5 M7\n"
    + "  hexmarshal asl los boards/bd01 K5 M7 --from-level 2 --svg line.svg\n"
    + "  hexmarshal asl los boards/bd01 boards/bd02@flip bd01:K5 bd02:C3\n"
    + "  hexmarshal asl los boards/bd01@A-P boards/bd02 / boards/bd03 bd01:K5 bd03:C3\n"
    + "  hexmarshal asl los boards/bd02 H5 P5 --smoke L5=2 --weather 1 --json\n"
    + "  hexmarshal asl los --board-dir boards --lines lines.csv -o answers.csv"
)
def los(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOARD.. FROM TO",
            help="Boards from left to right, a / before each new row, and two hexes. BOARD@flip"
            " lies upside down, BOARD@A-P and BOARD@1-5 are cropped; HEX^V is vertex V of a hex.",
        ),
    ] = None,
    *,
    from_level: Annotated[int, typer.Option(metavar="N", help="Levels above its ground.")] = 0,
    to_level: Annotated[int, typer.Option(metavar="N", help="Levels above its ground.")] = 0,
    board_dir: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the boards of --lines are.")
    ] = None,
    lines: Annotated[
        Path | None,
        typer.Option(metavar="IN", help="Many lines: CSV with board,from,from_level,to,to_level."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="OUT", help="Answers to --lines.")
    ] = None,
    svg: Svg = None,
    terrain: Terrain = None,
    smoke: SmokeOption = None,
    vehicle: Vehicles = None,
    weather: Weather = 0,
    night: Night = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Tell whether one location sees another, what stops or hinders the line, and by which rule."""
    conditions = _conditions(smoke, vehicle, weather, night)
    if lines is not None:
        if what or board_dir is None:
            raise UsageError("--lines goes with --board-dir, and without boards and hexes")
        return _many(board_dir, lines, output, terrain, conditions, force=force, json=json)
    if what is None or len(what) < 3:
        raise UsageError("a line needs one or more boards and two hexes")
    from hexmarshal.games.asl.layout import laid_out
    from hexmarshal.games.asl.picture import draw_line
    from hexmarshal.games.asl.sight.explain import explain

    ready = laid_out(what[:-2], terrain)
    sight = ready.sight.under(conditions)
    a, b = _spot(what[-2], from_level), _spot(what[-1], to_level)
    story = explain(sight, a, b)
    answer = story.answer
    if svg is not None:
        _draw(svg, draw_line(ready.board, story, (a, b), ready.regions), force=force)
    if json:
        _print_json(
            {
                "from": str(a),
                "to": str(b),
                "range": answer.range,
                "blocked": answer.blocked,
                "hindrance": answer.hindrance,
                "rule": answer.rule,
                "entry": answer.cause.entry if answer.rule else "",
                "at": answer.at,
                "items": [
                    {
                        "hex": i.hex,
                        "terrain": i.terrain,
                        "level": i.level,
                        "rule": i.cause.rule,
                        "hindrance": i.hindrance,
                        "blocks": i.cause.blocks,
                        "point": list(i.point),
                    }
                    for i in story.items
                ],
            }
        )
        return ExitCode.OK
    verdict = "blocked" if answer.blocked else "clear"
    if answer.hindrance:
        verdict += f", hindrance +{answer.hindrance}"
    print(f"{a} to {b}, range {answer.range}: {verdict}")
    if answer.rule:
        at = f" at {answer.at}" if answer.at else ""
        print(f"  {answer.rule}{at}: {answer.cause.sentence} [{answer.cause.entry}]")
    for item in story.items:
        print(f"  {item} ({item.cause.rule})")
    if svg is not None:
        print(f"drawn: {svg}")
    return ExitCode.OK


@app.command(
    epilog=_EXAMPLES
    + "  hexmarshal asl field boards/bd02 K5 --svg view.svg\n"
    + "  hexmarshal asl field boards/bd01 F5 --level 2 --json"
)
def field(
    board: Annotated[
        str,
        typer.Argument(
            metavar="BOARD", help="A board archive; BOARD@flip, BOARD@A-P, BOARD@1-5 as in los."
        ),
    ],
    hex: Annotated[str, typer.Argument(metavar="HEX", help="Where the viewer is.")],
    *,
    level: Annotated[int, typer.Option("--level", metavar="N", help="Above its ground.")] = 0,
    svg: Svg = None,
    terrain: Terrain = None,
    smoke: SmokeOption = None,
    vehicle: Vehicles = None,
    weather: Weather = 0,
    night: Night = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Tell which hexes a location sees at ground level."""
    from hexmarshal.games.asl.layout import laid_out
    from hexmarshal.games.asl.picture import draw_field

    ready = laid_out([board], terrain)
    sight = ready.sight.under(_conditions(smoke, vehicle, weather, night))
    spot = _spot(hex, level)
    answers = sight.field(spot)
    names = ready.board.grid.names
    seen = [name for name, blocked in zip(names, answers.blocked, strict=True) if not blocked]
    hindered = {
        name: int(value) for name, value in zip(names, answers.hindrance, strict=True) if value
    }
    if svg is not None:
        title = f"{spot} sees {len(seen)} of {len(names)} hexes"
        viewer = ready.board.hex(spot.hex)
        _draw(svg, draw_field(ready.board, viewer, answers, title, ready.regions), force=force)
    if json:
        _print_json({"from": str(spot), "seen": seen, "hindered": hindered, "hexes": len(names)})
        return ExitCode.OK
    print(f"{spot} sees {len(seen)} of {len(names)} hexes, {len(hindered)} of them hindered")
    print(" ".join(f"{n}+{hindered[n]}" if n in hindered else n for n in seen))
    if svg is not None:
        print(f"drawn: {svg}")
    return ExitCode.OK


@app.command(epilog=_EXAMPLES + "  hexmarshal asl terrain boards/bd02 --svg terrain.svg")
def terrain(
    board: Annotated[
        str,
        typer.Argument(
            metavar="BOARD", help="A board archive; BOARD@flip, BOARD@A-P, BOARD@1-5 as in los."
        ),
    ],
    *,
    svg: Svg = None,
    catalogue: Terrain = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """List the terrain of a board, and draw its polygons over the board's picture."""
    from hexmarshal.games.asl.layout import laid_out
    from hexmarshal.games.asl.picture import draw_terrain

    ready = laid_out([board], catalogue)
    regions, by_code = ready.regions, ready.board.catalogue.by_code
    counts: dict[str, int] = {}
    for code, level in zip(regions.terrain.tolist(), regions.elevation.tolist(), strict=True):
        name = f"{by_code[code].name}, elevation {level}"
        counts[name] = counts.get(name, 0) + 1
    if svg is not None:
        _draw(svg, draw_terrain(ready.board, regions, ready.board.name), force=force)
    if json:
        _print_json({"board": ready.board.name, "regions": dict(sorted(counts.items()))})
        return ExitCode.OK
    print(f"{ready.board.name}: {len(regions.polygons)} patches of terrain")
    for name, count in sorted(counts.items()):
        print(f"  {count:5}  {name}")
    return ExitCode.OK


def _spot(text: str, level: int) -> Spot:
    from hexmarshal.games.asl.sight.view import Spot

    name, caret, vertex = text.partition("^")
    if caret and not re.fullmatch("[0-5]", vertex):
        raise UsageError(f"{text!r}: a vertex is ^0 to ^5", hint="0 is the left one at the top")
    return Spot(name, level, int(vertex) if caret else None)


def _conditions(
    smoke: Sequence[str] | None, vehicles: Sequence[str] | None, weather: int, night: int | None
) -> Conditions:
    from hexmarshal.games.asl.sight.conditions import Conditions, Smoke

    clouds = {}
    for text in smoke or ():
        name, _, value = text.rpartition("=")
        if not name or not value.isdecimal() or not int(value):
            raise UsageError(f"--smoke takes HEX=N with N from 1 on, not {text!r}")
        clouds[name] = Smoke(int(value))
    return Conditions(clouds, frozenset(vehicles or ()), weather, night)


def _many(
    folder: Path,
    lines: Path,
    output: Path | None,
    terrain: Path | None,
    conditions: Conditions,
    *,
    force: bool,
    json: bool,
) -> int:
    from hexmarshal.games.asl.many import answered, read_lines, table_of_answers

    rows = answered(read_lines(lines), folder, terrain, conditions)
    if output is not None:
        _write(output, table_of_answers(rows), force=force)
    if json:
        _print_json(rows)
    elif output is None:
        print(table_of_answers(rows), end="")
    else:
        seen = sum(not row["blocked"] for row in rows)
        print(f"{output}: {len(rows)} lines, {seen} clear")
    return ExitCode.OK


def _write(path: Path, text: str, *, force: bool) -> None:
    write_atomically(path, [text.encode("utf-8")], force=force)


def _draw(path: Path, svg: str, *, force: bool) -> None:
    if path.suffix.lower() != ".png":
        _write(path, svg, force=force)
        return
    from hexmarshal.geometry.svg.png import png

    write_atomically(path, [png(svg)], force=force)


def _print_json(document: object) -> None:
    print(jsonlib.dumps(document, ensure_ascii=False, indent=2))
