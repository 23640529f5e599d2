"""`hexmarshal reach MAP FROM --allowance N`: every cell in reach, its exact cost, the best way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hexmarshal.cli.geometry.options import (
    MapFile,
    PngOut,
    SvgOut,
    Title,
    Units,
    Zoom,
    amount,
    cell_named,
    cells,
    counters,
    read_map,
    save,
)
from hexmarshal.cli.options import Force, Json, command_app, examples
from hexmarshal.cli.output import print_json
from hexmarshal.errors import ExitCode, UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable
    from fractions import Fraction

    from hexmarshal.geometry.movement.costs import MoveRule
    from hexmarshal.geometry.movement.paths import Path
    from hexmarshal.geometry.movement.reach import Reach
    from hexmarshal.geometry.svg.picture import Layer
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

app = command_app("Show every cell in reach, with its exact cost.")


@dataclass(frozen=True, slots=True)
class _Enemy:
    """The enemy's units and what they control."""

    units: list[Hashable]
    zone: frozenset[Hashable]


@app.command(
    epilog=examples(
        "hexmarshal reach map.yaml 0506 --allowance 4",
        "hexmarshal reach map.yaml 0506 --allowance 6 --enemy 0705,0503 --to 0809 --png reach.png",
        "hexmarshal reach map.yaml 0506 --allowance 6 --zoc 0604,0605 --zoc-pass --zoc-enter 2",
        "hexmarshal reach map.yaml 0506 --allowance 8 --mode truck --cost woods=4 --bar lake",
    )
)
def reach(
    map: MapFile,
    start: Annotated[str, typer.Argument(metavar="FROM", help="The cell to start from.")],
    *,
    allowance: Annotated[
        str | None, typer.Option(metavar="N", help="Movement points; without it, no limit.")
    ] = None,
    to: Annotated[
        str | None, typer.Option(metavar="CELL", help="Show the best way there, step by step.")
    ] = None,
    mode: Annotated[
        str, typer.Option(metavar="MODE", help="Which of the map's costs count.")
    ] = "foot",
    cost: Annotated[
        list[str] | None,
        typer.Option(metavar="TERRAIN=N", help="What a terrain costs, before the map's own word."),
    ] = None,
    base: Annotated[str, typer.Option(metavar="N", help="A cell without a cost of its own.")] = "1",
    climb: Annotated[
        str, typer.Option(metavar="N", help="Each level up costs so much more.")
    ] = "0",
    bar: Annotated[
        list[str] | None,
        typer.Option(metavar="TERRAIN", help="Cannot be entered or crossed, except by road."),
    ] = None,
    road_bonus: Annotated[
        str, typer.Option(metavar="N", help="More allowance if the whole way is by road.")
    ] = "0",
    minimum_move: Annotated[
        bool, typer.Option("--minimum-move", help="One cell may always be entered.")
    ] = False,
    enemy: Annotated[
        list[str] | None,
        typer.Option(metavar="CELL,CELL", help="Enemy units: they control the cells around them."),
    ] = None,
    zoc: Annotated[
        list[str] | None,
        typer.Option(metavar="CELL,CELL", help="More cells in enemy zones of control."),
    ] = None,
    zoc_pass: Annotated[
        bool, typer.Option("--zoc-pass", help="A move need not end on entering a zone.")
    ] = False,
    zoc_enter: Annotated[str, typer.Option(metavar="N", help="Entering a zone costs more.")] = "0",
    zoc_leave: Annotated[str, typer.Option(metavar="N", help="Leaving a zone costs more.")] = "0",
    zoc_between: Annotated[
        str, typer.Option(metavar="N|no", help="From zone to zone costs more, or is barred.")
    ] = "0",
    svg: SvgOut = None,
    png: PngOut = None,
    zoom: Zoom = 1.0,
    title: Title = "",
    unit: Units = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Show every cell in reach with its exact cost, and the best way to one, broken down."""
    from hexmarshal.geometry.movement.terrain_costs import TerrainCosts, exits_of, movement
    from hexmarshal.geometry.movement.zones import ZonesOfControl, controlled
    from hexmarshal.geometry.svg import Unit

    terrain = _priced(read_map(map), mode, cost or ())
    origin = cell_named(terrain, start)
    units = cells(terrain, enemy or ())
    zone = controlled(units, exits_of(terrain)) | frozenset(cells(terrain, zoc or ()))
    against = _Enemy(units, zone)
    rule: MoveRule[Hashable, Hashable] = TerrainCosts(
        terrain,
        mode=mode,
        base=amount(base, "--base"),
        climb=amount(climb, "--climb"),
        road_bonus=amount(road_bonus, "--road-bonus"),
        barred=_known(terrain, bar or ()),
    )
    if zone or units:
        rule = ZonesOfControl(
            rule,
            zone,
            must_stop=not zoc_pass,
            entering=amount(zoc_enter, "--zoc-enter"),
            leaving=amount(zoc_leave, "--zoc-leave"),
            between=None if zoc_between == "no" else amount(zoc_between, "--zoc-between"),
            occupied=frozenset(units),
        )
    limit = None if allowance is None else amount(allowance, "--allowance")
    found = movement(terrain, rule).reach(origin, allowance=limit, minimum_move=minimum_move)
    way = None if to is None else found.path(cell_named(terrain, to))
    shown = counters(terrain, unit or ())
    given = {each.cell for each in shown}
    shown += tuple(Unit(cell, "red", "", "") for cell in units if cell not in given)
    if origin not in given:
        shown += (Unit(origin, "blue", "", ""),)
    layers = _layers(found, way, against, _note(start, mode, limit))
    from hexmarshal.geometry.svg import Picture

    written = save(Picture(terrain, layers, shown, title), svg, png, zoom=zoom, force=force)
    if json:
        print_json({**_document(terrain, start, found, way, against), "pictures": written})
    else:
        print("\n".join([*_told(terrain, start, found, way), *(f"drawn: {f}" for f in written)]))
    return ExitCode.OK


def _priced(terrain: TerrainMap, mode: str, prices: Collection[str]) -> TerrainMap:
    """The map with other costs for some of its terrains."""
    types = dict(terrain.types)
    modes = {m for one in types.values() for m, _ in one.cost}
    if modes and mode not in modes and not prices:
        raise UsageError(
            f"nothing on the map has a cost for {mode!r}",
            hint=f"it has costs for {', '.join(sorted(modes))}; --cost gives others",
        )
    for price in prices:
        name, equals, text = price.partition("=")
        if not equals:
            raise UsageError(f"{price!r} is no cost", hint="write TERRAIN=N, as in woods=2")
        (known,) = _known(terrain, [name])
        others = tuple((m, c) for m, c in types[known].cost if m != mode)
        types[known] = replace(types[known], cost=(*others, (mode, amount(text, f"--cost {name}"))))
    return replace(terrain, types=types)


def _known(terrain: TerrainMap, names: Iterable[str]) -> frozenset[str]:
    asked = frozenset(names)
    for name in sorted(asked):
        if name not in terrain.types:
            raise UsageError(
                f"the map has no terrain {name!r}",
                hint=f"it declares {', '.join(terrain.types) or 'none'}",
            )
    return asked


def _note(start: str, mode: str, limit: Fraction | None) -> str:
    from hexmarshal.geometry.movement.costs import in_lowest_terms
    from hexmarshal.geometry.svg.movement_layers import mixed

    points = (
        "without limit" if limit is None else f"{mixed(in_lowest_terms(limit))} movement points"
    )
    return f"from {start}, {mode}, {points}"


def _layers(
    found: Reach[Any, Any], way: Path[Any, Any] | None, enemy: _Enemy, note: str
) -> tuple[Layer, ...]:
    from hexmarshal.geometry.svg import ReachLayer, ZoneLayer

    layers: list[Layer] = [ReachLayer(found, note, way)]
    if enemy.zone:
        layers.append(ZoneLayer(sorted(enemy.zone - frozenset(enemy.units), key=repr)))
    return tuple(layers)


def _document(
    terrain: TerrainMap,
    start: str,
    found: Reach[Any, Any],
    way: Path[Any, Any] | None,
    enemy: _Enemy,
) -> dict[str, object]:
    document: dict[str, object] = {
        "from": start,
        "allowance": None if found.allowance is None else str(found.allowance),
        "cells": {terrain.name(cell): str(cost) for cell, cost in found.costs.items()},
        "minimum_move": sorted(terrain.name(cell) for cell in found.forced),
        "zone_of_control": sorted(terrain.name(cell) for cell in enemy.zone),
        "frontier": [
            {"from": terrain.name(edge.start), "to": terrain.name(edge.to), "why": edge.why}
            for edge in found.frontier()
        ],
    }
    if way is not None:
        document["path"] = {
            "to": terrain.name(way.end),
            "cost": str(way.cost),
            "steps": [
                {
                    "from": terrain.name(leg.start),
                    "to": terrain.name(leg.end),
                    "charges": {name: str(cost) for name, cost in leg.charges},
                    "total": str(leg.total),
                    "ends": leg.ends,
                }
                for leg in way.legs
            ],
        }
    return document


def _told(
    terrain: TerrainMap, start: str, found: Reach[Any, Any], way: Path[Any, Any] | None
) -> list[str]:
    by_cost: dict[object, list[str]] = {}
    for cell, cost in found.costs.items():
        mark = "*" if cell in found.forced else ""
        by_cost.setdefault(cost, []).append(terrain.name(cell) + mark)
    lines = [f"{counted(len(found) - 1, 'cell')} in reach of {start}"]
    wide = max(len(str(cost)) for cost in by_cost)
    lines += [f"  {cost!s:>{wide}}  {' '.join(names)}" for cost, names in by_cost.items() if cost]
    if found.forced:
        lines.append("  * only by the minimum move of one cell")
    if way is not None:
        lines.append(f"best way to {terrain.name(way.end)}, cost {way.cost}:")
        lines += [f"  {line}" for line in way.explain(terrain.name)]
    return lines
