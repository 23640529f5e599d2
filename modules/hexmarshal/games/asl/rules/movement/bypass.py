"""Bypass: along the hexsides of a hex with woods or a building, vertex by vertex."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["along_of", "at_vertex", "bypass_step", "place_along", "vertex_exits"]

_BYPASS = "bypass:"


def at_vertex(unit: Unit) -> int | None:
    """The vertex of its hex that a bypassing unit has come to."""
    if not unit.place.startswith(_BYPASS):
        return None
    return int(unit.place.removeprefix(_BYPASS).split("-")[1])


def _vertices_of(start: int, side: int) -> tuple[int, int]:
    """Along a hexside from one of its vertices to the other."""
    return (start, (side + 1) % 6) if start == side else (start, side)


def _start_vertices(now: Situation, unit: Unit, start: Location, cell: str) -> list[int]:
    """The vertices of a hex at which one may begin to pass along it."""
    ground = now.ground
    vertex = at_vertex(unit)
    if cell == start.cell:
        return [] if vertex is None else [vertex]
    entered = ground.side_to(cell, start.cell)
    if entered is None:
        return []
    if vertex is None:
        return [entered, (entered + 1) % 6]
    left = (entered + 3) % 6
    if vertex == left:
        return [(entered + 1) % 6]
    return [entered] if vertex == (left + 1) % 6 else []


def place_along(now: Situation, unit: Unit, start: Location, cell: str, side: int) -> str:
    """The place of a unit that passes along a hexside; '' if it cannot come to it."""
    entered = now.ground.side_to(cell, start.cell) if cell != start.cell else None
    came = along_of(unit) if cell == start.cell else None
    for vertex in _start_vertices(now, unit, start, cell):
        if vertex in (side, (side + 1) % 6) and side not in (entered, came):
            one, two = _vertices_of(vertex, side)
            return f"{_BYPASS}{one}-{two}"
    return ""


def along_of(unit: Unit) -> int | None:
    """The hexside that a bypassing unit passes along."""
    if not unit.place.startswith(_BYPASS):
        return None
    one, two = (int(v) for v in unit.place.removeprefix(_BYPASS).split("-"))
    return one if (one + 1) % 6 == two else two


def bypass_step(
    now: Situation, group: Sequence[Unit], start: Location, cell: str, side: int
) -> Iterator[Violation]:
    """ASL-BYP-1 to ASL-BYP-4: where one may pass along a hexside."""
    ground = now.ground
    row = ground.terrain(cell)
    for unit in group:
        if unit.has(marks.BROKEN):
            yield Violation("ASL-BYP-1", f"{unit.id} is broken", units=(unit.id,))
    if not start.cell or start.level:
        yield Violation("ASL-BYP-1", "bypass is at ground level", cells=(cell,))
        return
    if not row.bypass:
        text = f"{cell} is {row.key.replace('_', ' ')}: there is nothing to bypass"
        yield Violation("ASL-BYP-3", text, cells=(cell,))
        return
    if not place_along(now, group[0], start, cell, side):
        text = f"from {start.cell} one does not come to hexside {side} of {cell}"
        yield Violation("ASL-BYP-1", text, cells=(cell,))
        return
    if not ground.clear_along(cell, side):
        text = f"the {row.key.replace('_', ' ')} in {cell} touches hexside {side}"
        yield Violation("ASL-BYP-1", text, cells=(cell,))
    beyond = ground.across(cell, side)
    if not beyond:
        yield Violation("ASL-BYP-1", f"hexside {side} of {cell} is the map's edge", cells=(cell,))
    elif ground.beneath(beyond).water or ground.beneath(beyond).depression:
        text = f"{beyond} beyond hexside {side} of {cell} is {ground.beneath(beyond).key}"
        yield Violation("ASL-BYP-3", text, cells=(cell, beyond))
    hexside = ground.hexside(cell, side)
    if hexside is not None and hexside.cost is None:
        yield Violation("ASL-BYP-3", f"there is a {hexside.key} on hexside {side}", cells=(cell,))


def vertex_exits(now: Situation, unit: Unit, start: Location, cell: str) -> Iterator[Violation]:
    """ASL-BYP-1: out of bypass one comes to the hexes at the vertex that one has reached."""
    vertex = at_vertex(unit)
    if vertex is None:
        return
    came = along_of(unit)
    sides = {vertex, (vertex - 1) % 6} - {came}
    if now.ground.side_to(start.cell, cell) not in {*sides, came}:
        text = f"{unit.id} is at vertex {vertex} of {start.cell}, not by {cell}"
        yield Violation("ASL-BYP-1", text, cells=(cell,), units=(unit.id,))
