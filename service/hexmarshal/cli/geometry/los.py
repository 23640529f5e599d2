"""`hexmarshal los MAP A B`: does A see B, and what is in between; without B, all that A sees."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hexmarshal.cli.geometry.options import (
    MapFile,
    OfBoard,
    OfMap,
    OverModule,
    PngOut,
    SvgOut,
    Title,
    Units,
    Zoom,
    amount,
    backdrop,
    cell_named,
    counters,
    place_named,
    read_map,
    save,
)
from hexmarshal.cli.options import Force, Json, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import ExitCode, UsageError
from hexmarshal.errors.counts import counted
from hexmarshal.geometry.lattice.squares import DIRECTION_NAMES, Square

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from fractions import Fraction

    from hexmarshal.geometry.sight.line_of_sight import Sight
    from hexmarshal.geometry.sight.sight_rule import SightRule
    from hexmarshal.geometry.svg.picture import Layer
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

app = command_app("Tell what lies on a line of sight, or what one cell sees.")


class Heights(StrEnum):
    """How heights are compared with the line."""

    FLAT = "flat"
    LEVELS = "levels"
    SLOPE = "slope"


@app.command(
    epilog=examples(
        "hexmarshal los map.yaml 0304 0709",
        "hexmarshal los map.yaml 0304 0709 --svg line.svg --png line.png",
        "hexmarshal los map.yaml 0304 --max-range 6 --png field-of-fire.png",
        "hexmarshal los map.yaml 0304 --facing NE --arc 120",
        "hexmarshal los map.yaml 0304 0709 --from-level 2 --heights slope --json",
    )
)
def los(
    map: MapFile,
    a: Annotated[str, typer.Argument(metavar="A", help="From: a cell, a side or a vertex.")],
    b: Annotated[
        str | None, typer.Argument(metavar="B", help="To; without it, all that A sees.")
    ] = None,
    *,
    heights: Annotated[Heights, typer.Option(help="How heights count.")] = Heights.LEVELS,
    from_level: Annotated[
        str | None, typer.Option(metavar="N", help="A's level, if not the ground's.")
    ] = None,
    to_level: Annotated[
        str | None, typer.Option(metavar="N", help="B's level, if not the ground's.")
    ] = None,
    hindrance_limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="So much hindrance blocks.")
    ] = None,
    max_range: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Nothing farther is seen.")
    ] = None,
    facing: Annotated[
        str | None, typer.Option(metavar="DIR", help="Without B: only this way, as in N or SE.")
    ] = None,
    arc: Annotated[
        int | None,
        typer.Option(
            min=60, max=360, metavar="DEGREES", help="How wide, with --facing [60; squares 90]."
        ),
    ] = None,
    svg: SvgOut = None,
    png: PngOut = None,
    zoom: Zoom = 1.0,
    title: Title = "",
    unit: Units = None,
    module: OverModule = None,
    of_map: OfMap = "",
    board: OfBoard = "",
    force: Force = False,
    json: Json = False,
) -> int:
    """Tell whether A sees B, what blocks and hinders, and all that the line meets in order."""
    from hexmarshal.geometry.sight.sight_rule import Profile, SightRule
    from hexmarshal.geometry.svg import Picture

    if facing is not None and b is not None:
        raise UsageError("--facing is for all that A sees, not for one line", hint="leave B out")
    if arc is not None and facing is None:
        raise UsageError("--arc is how wide --facing looks", hint="say where to: --facing N")
    terrain = read_map(map)
    rule = SightRule(
        profile=Profile(heights.value), hindrance_limit=hindrance_limit, max_range=max_range
    )
    levels = (_level(from_level, "--from-level"), _level(to_level, "--to-level"))
    if b is None:
        wide = arc or (90 if terrain.is_squares else 60)
        layer, document, lines = _field(terrain, a, rule, levels, facing, wide)
    else:
        layer, document, lines = _line(terrain, a, b, rule, levels)
    under = backdrop(module, of_map, board, terrain)
    picture = Picture(
        terrain, (layer,), counters(terrain, unit or ()), title, under is None, backdrop=under
    )
    written = save(picture, svg, png, zoom=zoom, force=force)
    if json:
        print_json({**document, "pictures": written})
    else:
        print("\n".join([*lines, *(f"drawn: {file}" for file in written)]))
    return ExitCode.OK


Levels = tuple["Fraction | None", "Fraction | None"]
Answer = tuple["Layer", dict[str, object], list[str]]


def _level(text: str | None, what: str) -> Fraction | None:
    if text is None:
        return None
    below = text.startswith("-")  # a cellar is a level too
    value = amount(text.removeprefix("-"), what)
    return -value if below else value


def _line(terrain: TerrainMap, a: str, b: str, rule: SightRule, levels: Levels) -> Answer:
    from hexmarshal.geometry.sight.line_of_sight import line_of_sight
    from hexmarshal.geometry.svg import SightLayer

    start, end = place_named(terrain, a), place_named(terrain, b)
    sight = line_of_sight(terrain, start, end, rule, a_level=levels[0], b_level=levels[1])
    events = [
        {
            "event": event.kind.value,
            "what": event.what if isinstance(event.what, str) else terrain.describe(event.what),
            "share": str(event.share),
        }
        for event in sight.trace.events()
    ]
    document: dict[str, object] = {
        "from": a,
        "to": b,
        "range": sight.range,
        "visible": sight.visible,
        "hindrance": sight.hindrance,
        "obstacles": [{"at": sight.place(f), "terrain": f.terrain} for f in sight.obstacles],
        "hindrances": [
            {"at": sight.place(f), "terrain": f.terrain, "value": f.value} for f in sight.hindrances
        ],
        "reasons": list(sight.reasons),
        "trace": events,
    }
    return SightLayer(sight), document, _told(sight, a, b, events)


def _told(sight: Sight, a: str, b: str, events: list[dict[str, str]]) -> list[str]:
    seen = "blocked" if sight.blocked else "clear"
    if not sight.blocked and sight.hindrance:
        seen = f"clear, hindrance {sight.hindrance}"
    lines = [f"{a} to {b}, range {sight.range}: {seen}"]
    lines += [f"  {reason}" for reason in sight.reasons]
    lines.append("the line, in order (share of the way):")
    wide = max((len(event["share"]) for event in events), default=0)
    lines += [f"  {e['share']:>{wide}}  {e['event']} {e['what']}" for e in events]
    return lines


def _field(
    terrain: TerrainMap, a: str, rule: SightRule, levels: Levels, facing: str | None, arc: int
) -> Answer:
    from hexmarshal.geometry.svg import FireLayer

    viewer = cell_named(terrain, a)
    hindrance = _seen(terrain, viewer, rule, levels)
    notes = [f"range {rule.max_range} at most"] if rule.max_range else []
    if facing is not None:
        faced = _facing(terrain, a, facing, arc)
        hindrance = {cell: value for cell, value in hindrance.items() if faced(cell)}
        notes.append(f"{counted(arc, 'degree')} to {facing.upper()}")
    others = [cell for cell in terrain.cells() if cell != viewer]
    seen = [terrain.name(cell) for cell in others if cell in hindrance]
    hidden = [terrain.name(cell) for cell in others if cell not in hindrance]
    layer = FireLayer(viewer, frozenset(hindrance), hindrance, ", ".join(notes))
    document: dict[str, object] = {
        "from": a,
        "visible": seen,
        "hidden": hidden,
        "hindrance": {terrain.name(cell): n for cell, n in hindrance.items() if n},
    }
    lines = [
        f"{a} sees {len(seen)} of {counted(len(others), 'cell')}",
        f"in sight: {' '.join(seen) or 'nothing'}",
        f"hidden:   {' '.join(hidden) or 'nothing'}",
    ]
    return layer, document, lines


def _seen(
    terrain: TerrainMap, viewer: Hashable, rule: SightRule, levels: Levels
) -> dict[Hashable, int]:
    """The cells in sight, each with the hindrance to it."""
    if terrain.tiling.repeats and levels == (None, None):
        from hexmarshal.geometry.sight.fields import visible_from

        field = visible_from(terrain, viewer, rule)
        return {
            cell: int(hindrance)
            for cell, visible, hindrance in zip(*field, strict=True)
            if visible and cell != viewer
        }
    from hexmarshal.geometry.sight.line_of_sight import line_of_sight

    seen: dict[Hashable, int] = {}
    others = [cell for cell in terrain.cells() if cell != viewer]
    with progress("lines", len(others)) as advance:
        for cell in others:
            sight = line_of_sight(terrain, viewer, cell, rule, a_level=levels[0], b_level=levels[1])
            if sight.visible:
                seen[cell] = sight.hindrance
            advance(1)
    return seen


def _facing(terrain: TerrainMap, start: str, name: str, arc: int) -> Callable[[Any], bool]:
    """Whether a cell lies in an arc around a direction; of hexes to a side or to a corner."""
    if terrain.is_squares:
        square = cell_named(terrain, start)
        assert isinstance(square, Square)
        direction = _direction(name, DIRECTION_NAMES)
        return lambda cell: square.in_arc(cell, direction, arc)
    here = terrain.hex(start)
    sides, corners = terrain.orientation.direction_names, terrain.orientation.corner_names
    _direction(name, tuple(dict.fromkeys((*sides, *corners))))
    corner = name.upper() not in sides
    facing = (corners if corner else sides).index(name.upper())
    return lambda cell: here.in_arc(cell, facing, arc, corner=corner)


def _direction(name: str, known: tuple[str, ...]) -> int:
    if name.upper() not in known:
        raise UsageError(f"there is no direction {name!r}", hint=f"known are {', '.join(known)}")
    return known.index(name.upper())
