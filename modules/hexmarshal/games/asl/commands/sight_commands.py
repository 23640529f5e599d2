"""`hexmarshal asl los`, `field` and `terrain`: lines of sight and fields of view on VASL boards."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.errors import ExitCode, UsageError
from hexmarshal.games.asl.commands.options import (
    BoardDir,
    Force,
    Json,
    SightOptions,
    Svg,
    Terrain,
    with_sight_options,
)
from hexmarshal.games.asl.commands.outputs import (
    STANDARD_OUTPUT,
    check_outputs,
    print_json,
    write_picture,
    write_text,
)

if TYPE_CHECKING:
    from hexmarshal.games.asl.commands.csv_batch import AnsweredLines
    from hexmarshal.games.asl.sight.conditions import Conditions
    from hexmarshal.games.asl.sight.explain import Explanation
    from hexmarshal.games.asl.sight.view import Spot
    from hexmarshal.vassal.vasl.board import Board

__all__ = ["field", "los", "terrain"]

_MOST_TOLD = 10
"""So many wrong lines are told one by one."""


@with_sight_options
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
    lines: Annotated[
        Path | None,
        typer.Option(
            metavar="IN",
            help="Many lines: CSV with board,from,from_level,to,to_level; - is standard input.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUT", help="Where the answers to --lines go [-]."),
    ] = None,
    keep_going: Annotated[
        bool,
        typer.Option("--keep-going", help="Answer the other --lines if some are wrong."),
    ] = False,
    options: SightOptions,
) -> int:
    """Tell whether one location sees another, what stops or hinders the line, and by which rule."""
    svg, force = options.svg, options.force
    check_outputs(svg, output, force=force)
    conditions = options.conditions
    if lines is not None:
        if what or options.board_dir is None:
            raise UsageError("--lines goes with --board-dir, and without boards and hexes")
        if svg or from_level or to_level:
            raise UsageError("--svg, --from-level and --to-level are for one line, not for --lines")
        many = _many(lines, options.board_dir, options.terrain, conditions, keep_going=keep_going)
        return _put(many, output, force=force, json=options.json)
    if output is not None or keep_going:
        raise UsageError("-o and --keep-going go with --lines", hint="--svg draws one line")
    if what is None or len(what) < 3:
        raise UsageError("a line needs one or more boards and two hexes")
    from hexmarshal.games.asl.art.sight_picture import draw_line
    from hexmarshal.games.asl.maps.layout import laid_out, typed_spot
    from hexmarshal.games.asl.sight.explain import explain

    ready = laid_out(what[:-2], options.terrain, options.board_dir)
    sight = ready.sight.under(conditions)
    a, b = typed_spot(what[-2], from_level), typed_spot(what[-1], to_level)
    for spot in (a, b):
        ready.board.level(ready.board.hex(spot.hex), spot.level)
    story = explain(sight, a, b)
    answer = story.answer
    if svg is not None:
        picture = draw_line(ready.board, story, (a, b), ready.regions, conditions)
        write_picture(svg, picture, force=force)
    if options.json:
        print_json(_document(ready.board, story, (a, b)))
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


@with_sight_options
def field(
    what: Annotated[
        list[str], typer.Argument(metavar="BOARD.. HEX", help="Boards as in los, and the viewer.")
    ],
    *,
    level: Annotated[int, typer.Option("--level", metavar="N", help="Above its ground.")] = 0,
    options: SightOptions,
) -> int:
    """Tell which hexes a location sees, their ground and their other levels."""
    if len(what) < 2:
        raise UsageError("a field of view needs one or more boards and a hex")
    svg, force = options.svg, options.force
    check_outputs(svg, force=force)
    from hexmarshal.games.asl.art.sight_picture import draw_field
    from hexmarshal.games.asl.maps.layout import laid_out, typed_spot

    ready = laid_out(what[:-1], options.terrain, options.board_dir)
    conditions = options.conditions
    sight = ready.sight.under(conditions)
    spot = typed_spot(what[-1], level)
    ready.board.level(ready.board.hex(spot.hex), spot.level)
    answers, upper = sight.field(spot), sight.other_levels(spot)
    names = ready.board.grid.names
    storeys = {names[index]: seen_levels for index, seen_levels in upper.items()}
    seen = [name for name, blocked in zip(names, answers.blocked, strict=True) if not blocked]
    hindered = {
        name: int(value) for name, value in zip(names, answers.hindrance, strict=True) if value
    }
    if svg is not None:
        title = f"{spot} sees {len(seen)} of {len(names)} hexes"
        write_picture(
            svg,
            draw_field(ready.board, spot, answers, title, ready.regions, conditions, upper),
            force=force,
        )
    if options.json:
        print_json(
            {
                "board": ready.board.name,
                "from": _end(ready.board, spot, sight.elevation(spot)),
                "hexes": len(names),
                "seen": seen,
                "hindered": hindered,
                "levels": {
                    name: {str(n): value for n, value in at.items()} for name, at in storeys.items()
                },
            }
        )
        return ExitCode.OK
    print(f"{spot} sees {len(seen)} of {len(names)} hexes, {len(hindered)} of them hindered")
    print(" ".join(f"{n}+{hindered[n]}" if n in hindered else n for n in seen))
    if storeys:
        print(f"other levels seen, in {len(storeys)} hexes:")
        print(" ".join(_levels(name, at) for name, at in storeys.items()))
    if svg is not None:
        print(f"drawn: {svg}")
    return ExitCode.OK


def terrain(
    board: Annotated[
        str,
        typer.Argument(
            metavar="BOARD", help="A board archive; BOARD@flip, BOARD@A-P, BOARD@1-5 as in los."
        ),
    ],
    *,
    board_dir: BoardDir = None,
    svg: Svg = None,
    catalogue: Terrain = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """List the terrain of a board, and draw its polygons over the board's picture."""
    check_outputs(svg, force=force)
    from hexmarshal.games.asl.art.sight_picture import draw_terrain
    from hexmarshal.games.asl.maps.layout import laid_out

    ready = laid_out([board], catalogue, board_dir)
    regions, by_code = ready.regions, ready.board.catalogue.by_code
    counts: dict[str, int] = {}
    for code, level in zip(regions.terrain.tolist(), regions.elevation.tolist(), strict=True):
        name = f"{by_code[code].name}, elevation {level}"
        counts[name] = counts.get(name, 0) + 1
    if svg is not None:
        write_picture(svg, draw_terrain(ready.board, regions, ready.board.name), force=force)
    if json:
        print_json({"board": ready.board.name, "regions": dict(sorted(counts.items()))})
        return ExitCode.OK
    print(f"{ready.board.name}: {len(regions.polygons)} patches of terrain")
    for name, count in sorted(counts.items()):
        print(f"  {count:5}  {name}")
    if svg is not None:
        print(f"drawn: {svg}")
    return ExitCode.OK


def _document(board: Board, story: Explanation, spots: tuple[Spot, Spot]) -> dict[str, object]:
    """One line as JSON."""
    answer = story.answer
    return {
        "board": board.name,
        "from": _end(board, spots[0], story.eyes[0]),
        "to": _end(board, spots[1], story.eyes[1]),
        "range": answer.range,
        "blocked": answer.blocked,
        "hindrance": answer.hindrance,
        "rule": answer.rule,
        "entry": answer.cause.entry if answer.rule else "",
        "reason": answer.cause.sentence if answer.rule else "",
        "at": answer.at,
        "hexes": list(story.way),
        "items": [
            {
                "hex": item.hex,
                "terrain": item.terrain,
                "elevation": item.level,
                "rule": item.cause.rule,
                "entry": item.cause.entry,
                "reason": item.cause.sentence,
                "hindrance": item.hindrance,
                "blocks": item.cause.blocks,
                "point": list(item.point),
            }
            for item in story.items
        ],
    }


def _levels(name: str, at: dict[int, int]) -> str:
    """The levels of a hex, `K5/1,2+1`: the second through a hindrance of one."""
    told = (f"{level}+{value}" if value else str(level) for level, value in at.items())
    return f"{name}/{','.join(told)}"


def _end(board: Board, spot: Spot, elevation: float) -> dict[str, object]:
    index = board.hex(spot.hex)
    return {
        "hex": board.grid.names[index],
        "level": spot.level,
        "vertex": spot.vertex,
        "elevation": int(elevation) if elevation == int(elevation) else elevation,
    }


def _many(
    lines: Path,
    folder: Path,
    terrain: Path | None,
    conditions: Conditions,
    *,
    keep_going: bool,
) -> AnsweredLines:
    from hexmarshal.games.asl.commands.csv_batch import read_lines

    return read_lines(lines).answered(folder, terrain, conditions, keep_going=keep_going)


def _put(many: AnsweredLines, output: Path | None, *, force: bool, json: bool) -> int:
    """Write the answers; a number of lines without one is a finding."""
    if output is not None and output != STANDARD_OUTPUT:
        write_text(output, many.csv(), force=force)
        if not json:
            print(f"{output}: {len(many.told)} lines, {many.clear} clear")
    elif not json:
        print(many.csv(), end="")
    if json:
        print_json(many.documents())
    for number in sorted(many.wrong)[:_MOST_TOLD]:
        print(f"error: {many.wrong[number]}", file=sys.stderr)
    if many.wrong:
        print(f"{len(many.wrong)} of {len(many.told)} lines are not answered", file=sys.stderr)
    return ExitCode.FINDINGS if many.wrong else ExitCode.OK
