"""Components stretched: boards with grids, zones and regions, starts, stacks, the edges of maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.vassal.components import (
    Board,
    Component,
    DrawPile,
    Grid,
    HexGrid,
    Map,
    Region,
    SquareGrid,
    Start,
    Zone,
)
from hexmarshal.vassal.scaling.lengths import COUNTER_COMPONENTS, MAP_COMPONENTS
from hexmarshal.vassal.scaling.plan import map_names
from hexmarshal.vassal.scaling.stretch import SAME, nearest
from hexmarshal.vassal.values import Polygon

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.scaling.plan import BoardPlan, Plan
    from hexmarshal.vassal.scaling.stretch import Stretch

__all__ = ["stretch_components"]


def stretch_components(module: Module, plan: Plan, unsure: dict[str, int]) -> dict[str, int]:
    """Change every component that is measured in pixels; how many of each kind were changed."""
    counts: dict[str, int] = {}

    def note(component: Component) -> None:
        counts[component.short_name] = counts.get(component.short_name, 0) + 1

    for name, of_map in map_names(module).items():
        _map(name, of_map, plan, unsure, note)
    if plan.counters != 1:
        for component in module.walk():
            for kind, fields in COUNTER_COMPONENTS.items():
                if isinstance(component, kind):
                    _lengths(component, fields, plan.counters)
                    note(component)
    return counts


def _map(name: str, of_map: Map, plan: Plan, unsure: dict[str, int], note: _Note) -> None:
    factor = plan.maps[name].factor if name in plan.maps else None
    if factor is not None and factor != 1:
        of_map.edge_width = nearest(factor * of_map.edge_width)
        of_map.edge_height = nearest(factor * of_map.edge_height)
        note(of_map)
    for board in of_map.boards:
        planned = plan.board(name, board.name)
        if planned.stretch != SAME:
            _board(board, planned, note)
    shown = {board.name: plan.board(name, board.name) for board in of_map.boards}
    for start in of_map.each(Start):
        on = _of_start(start, shown, unsure)
        if on is not None and on.stretch != SAME:
            start.x, start.y = on.point((start.x, start.y))
            if isinstance(start, DrawPile):
                start.width = on.stretch.width(start.width)
                start.height = on.stretch.height(start.height)
            note(start)
    on_map = plan.on_map(name)
    if on_map is None or on_map.mean == 1:
        return
    for component in of_map.walk():
        for kind, fields in MAP_COMPONENTS.items():
            if isinstance(component, kind) and not any(
                isinstance(above, Board) for above in component.ancestors()
            ):
                _lengths(component, fields, on_map.mean)
                note(component)


def _of_start(
    start: Start, shown: Mapping[str, BoardPlan], unsure: dict[str, int]
) -> BoardPlan | None:
    """What becomes of the board that an at-start stack lies on."""
    if start.owning_board in shown:
        return shown[start.owning_board]
    if len({planned.stretch for planned in shown.values()}) == 1:
        return next(iter(shown.values()))
    words = f"{start.name}: lies on any of several boards that change in different ways, and stays"
    unsure[words] = unsure.get(words, 0) + 1
    return None


def _board(board: Board, planned: BoardPlan, note: _Note) -> None:
    stretch = planned.stretch
    note(board)
    if not board.image:
        board.width = None if board.width is None else stretch.width(board.width)
        board.height = None if board.height is None else stretch.height(board.height)
    for component in board.walk():
        if isinstance(component, Grid):
            _grid(component, stretch)
            note(component)
        elif isinstance(component, Region):
            component.x, component.y = planned.point((component.x, component.y))
            note(component)
        elif isinstance(component, Zone) and component.path.text:
            component.path = Polygon.of([stretch.point(p) for p in component.path.points])
            note(component)
        for kind, fields in MAP_COMPONENTS.items():
            if isinstance(component, kind):
                _lengths(component, fields, stretch.mean)


def _grid(grid: Grid, stretch: Stretch) -> None:
    if not isinstance(grid, HexGrid | SquareGrid):
        return
    if isinstance(grid, HexGrid) and grid.sideways:
        # A sideways grid has its axes exchanged: what it calls x runs down the board.
        stretch = stretch.exchanged()
    grid.dx, grid.dy = grid.dx * float(stretch.across), grid.dy * float(stretch.down)
    grid.x0, grid.y0 = stretch.point((grid.x0, grid.y0))


def _lengths(component: Component, fields: tuple[str, ...], factor: Fraction) -> None:
    for name in fields:
        before = getattr(component, name)
        after = nearest(factor * before)
        setattr(component, name, max(1, after) if before > 0 else after)


if TYPE_CHECKING:
    from collections.abc import Callable

    _Note = Callable[[Component], None]
