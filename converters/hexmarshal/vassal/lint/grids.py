"""Checks of grids: those that name nothing, that have no size, and what stands at no place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.geometry.grids import Size
from hexmarshal.vassal.components import (
    Board,
    Grid,
    HexGrid,
    LatticeGrid,
    Map,
    RegionGrid,
    SetupStack,
    SquareGrid,
    Start,
    Zone,
    ZonedGrid,
)
from hexmarshal.vassal.components.boards import Region
from hexmarshal.vassal.lint.checks import Check, Found, Severity
from hexmarshal.vassal.state.locator import board_size, grid_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.lint.subject import ModuleSubject

__all__ = ["CHECKS"]

_LARGE: Final = Size(1 << 15, 1 << 15)


def _nameless_grid(subject: ModuleSubject) -> Iterator[Found]:
    for grid in subject.each(Grid):
        message = _names_nothing(grid)
        if message:
            yield subject.found(grid, message)


def _names_nothing(grid: Grid) -> str:
    match grid:
        case LatticeGrid() if grid.stock and grid.numbering is None:
            return "the grid has no numbering, so that its cells have no names"
        case LatticeGrid() if grid.numbering is not None and _is_blank(grid.numbering):
            return "the grid's numbering shows nothing of a cell's number"
        case RegionGrid() if not any(region.name for region in grid.each(Region)):
            return "the grid has no regions"
        case ZonedGrid() if not grid.zones and grid.background is None:
            return "the grid has neither zones nor a background grid"
    return ""


def _is_blank(numbering: Component) -> bool:
    return numbering.get("locationFormat", "$gridLocation$").strip() == ""


def _degenerate(subject: ModuleSubject) -> Iterator[Found]:
    for component in subject.components:
        message = _no_size(component)
        if message:
            soft = Severity.WARNING if isinstance(component, Zone) else None
            yield subject.found(component, message, severity=soft)
    for board in subject.each(Board):
        grid = board.grid
        if grid is not None and grid.stock and not _no_size(grid):
            try:
                grid_of(grid, _size(subject, board) or _LARGE)
            except HexMarshalError as why:
                yield subject.found(grid, f"the grid cannot be used: {why.message}")


def _size(subject: ModuleSubject, board: Board) -> Size | None:
    try:
        return board_size(subject.module, board)
    except HexMarshalError:
        return None


def _no_size(component: Component) -> str:
    try:
        match component:
            case HexGrid() | SquareGrid() if component.dx <= 0 or component.dy <= 0:
                return f"cells of {component.dx} by {component.dy} pixels have no size"
            case Board() if not component.image and component.stock:
                if min(component.width or 0, component.height or 0) <= 0:
                    return "the board has neither an image nor a size"
            case Zone() if len(set(component.path.points)) < 3:
                return "the zone's outline has fewer than three corners: nothing lies in it"
    except HexMarshalError:
        return ""  # a number that cannot be read is the matter of another check
    return ""


def _start_nowhere(subject: ModuleSubject) -> Iterator[Found]:
    for start in subject.each(Start):
        of_map = next((a for a in start.ancestors() if isinstance(a, Map)), None)
        if of_map is None or not of_map.stock or not start.owning_board:
            continue
        boards = {board.name: board for board in _boards(subject, of_map)}
        board = boards.get(start.owning_board)
        if board is None:
            message = f"is to stand on the board {start.owning_board!r}, which its map has not"
            yield subject.unresolved(start, message, field="owningBoard")
        elif isinstance(start, SetupStack) and start.use_grid_location and start.location:
            yield from _unknown_location(subject, start, board)


def _boards(subject: ModuleSubject, of_map: Map) -> list[Board]:
    boards = of_map.boards
    shared = subject.maps.get(of_map.get("useBoards"))
    return boards + (shared.boards if shared is not None else [])


def _unknown_location(subject: ModuleSubject, start: SetupStack, board: Board) -> Iterator[Found]:
    grid = board.grid
    size = _size(subject, board)
    if grid is None:
        yield subject.found(start, f"is to stand at {start.location!r} of a board without a grid")
    elif size is not None and grid.stock and all(c.stock for c in grid.walk()):
        try:
            grid_of(grid, size).pixel_named(start.location)
        except HexMarshalError:
            message = f"is to stand at {start.location!r}, which the board's grid does not know"
            yield subject.found(start, message, field="location")


CHECKS: Final[tuple[Check[ModuleSubject], ...]] = (
    Check(
        "nameless-grid",
        Severity.INFO,
        "A grid gives no names to its cells",
        "add a numbering, regions or zones if moves shall be reported by location",
        _nameless_grid,
    ),
    Check(
        "degenerate-grid",
        Severity.ERROR,
        "A grid, zone or board has no size, or a grid cannot be used",
        "correct its measures",
        _degenerate,
    ),
    Check(
        "start-nowhere",
        Severity.WARNING,
        "An at-start stack or deck stands on a board or at a location that is not there",
        "correct the board or the location: its pieces do not appear where they should",
        _start_nowhere,
    ),
)
