"""Names points of a game's maps as VASSAL would: a module's boards, as placed, with their grids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import HexMarshalError, Place
from hexmarshal.geometry.grids import Size, grid_from_spec
from hexmarshal.vassal.commands import registry
from hexmarshal.vassal.commands.game import BoardChoice, ChooseBoards
from hexmarshal.vassal.components import (
    Board,
    Component,
    Grid,
    HexGrid,
    Map,
    ObliqueHexGridNumbering,
    Region,
    RegionGrid,
    RegularGridNumbering,
    SquareGrid,
    Zone,
    ZonedGrid,
)
from hexmarshal.vassal.imagesize import image_size
from hexmarshal.vassal.location import Location
from hexmarshal.vassal.state import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hexmarshal.geometry.grids import Grid as Geometry
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.placed import PlacedDeck
    from hexmarshal.vassal.state import GameState

__all__ = ["OFFBOARD", "ModuleLocator", "PlacedBoard", "board_size", "grid_of", "place_boards"]

OFFBOARD: Final = "offboard"
# A board whose picture is not at hand is as wide as any map could be.
_UNKNOWN: Final = Size(1 << 20, 1 << 20)


@dataclass(frozen=True, slots=True)
class PlacedBoard:
    """A board on a map: its top left corner in pixels of the map, edge included."""

    name: str
    x: int
    y: int
    size: Size
    reversed: bool = False
    grid: Geometry[Any] | None = None

    def contains(self, x: int, y: int) -> bool:
        """Whether a point of the map lies on the board."""
        return self.size.contains((x - self.x, y - self.y))

    def snap(self, x: int, y: int) -> tuple[int, int]:
        """Where a piece put at a point of the map comes to lie, in pixels of the map."""
        if self.grid is None:
            return x, y
        return self._turned(self.grid.snap(self._turned((x - self.x, y - self.y))), out=True)

    def location_name(self, x: int, y: int) -> str | None:
        """What the board's grid calls a point of the map."""
        if self.grid is None:
            return None
        return self.grid.location_name(self._turned((x - self.x, y - self.y)))

    def pixel_named(self, name: str) -> tuple[int, int] | None:
        """The point of the map that a location name leads to; None if this board has none."""
        if self.grid is None:
            return None
        try:
            return self._turned(self.grid.pixel_named(name), out=True)
        except HexMarshalError:
            return None

    def _turned(self, point: tuple[int, int], *, out: bool = False) -> tuple[int, int]:
        """Between the board as it lies and as its grid sees it; `out` adds the board's corner."""
        x, y = point
        if self.reversed:
            x, y = self.size.width - x, self.size.height - y
        return (x + self.x, y + self.y) if out else (x, y)


def grid_of(component: Grid, size: Size) -> Geometry[Any]:
    """The geometry of a grid component on a board of this size."""
    return grid_from_spec(_spec(component), size)


def _spec(grid: Grid) -> dict[str, object]:
    match grid:
        case HexGrid() | SquareGrid():
            spec: dict[str, object] = {"kind": "hex" if isinstance(grid, HexGrid) else "square"}
            numbering = grid.child(RegularGridNumbering)
            if numbering is not None:
                oblique = isinstance(numbering, ObliqueHexGridNumbering)
                spec["numbering"] = {**_attributes(numbering), "oblique": str(oblique).lower()}
        case RegionGrid():
            regions = [_attributes(region) for region in grid.each(Region, deep=False)]
            spec = {"kind": "region", "regions": regions}
        case ZonedGrid():
            spec = {"kind": "zoned", "zones": [_zone(zone) for zone in grid.zones]}
            if grid.background is not None:
                spec["background"] = _spec(grid.background)
        case _:
            spec = {"kind": grid.class_name}
    return {**spec, "grid": _attributes(grid)}


def _zone(zone: Zone) -> dict[str, object]:
    own = zone.grid
    return {**_attributes(zone), **({} if own is None else {"grid": _spec(own)})}


def _attributes(component: Component) -> dict[str, str]:
    return {str(k): str(v) for k, v in component.element.attrib.items()}


def board_size(module: Module, board: Board) -> Size | None:
    """A board's size: that of its image, or the one given if it has none."""
    if board.image:
        data = module.image(str(board.image))
        found = image_size(data) if data is not None else None
        return Size(*found) if found else None
    width, height = board.width, board.height
    return Size(width, height) if width and height and width > 0 and height > 0 else None


def place_boards(
    module: Module, of_map: Map, choices: Iterable[BoardChoice], problems: list[Problem]
) -> list[PlacedBoard]:
    """Boards on a map: each right of those before it in its row, below those in its column."""
    known = {board.name: board for board in of_map.boards}
    sizes: dict[tuple[int, int], Size] = {}
    found: list[tuple[BoardChoice, Board, Size]] = []
    for choice in choices:
        board = known.get(choice.name)
        if board is None:
            problems.append(Problem("no such board", Place(field=of_map.name, unit=choice.name)))
            continue
        size = board_size(module, board) or _UNKNOWN
        sizes[choice.column, choice.row] = size
        found.append((choice, board, size))
    placed = []
    for choice, board, size in found:
        left = sum(s.width for (c, r), s in sizes.items() if r == choice.row and c < choice.column)
        above = sum(
            s.height for (c, r), s in sizes.items() if c == choice.column and r < choice.row
        )
        corner = of_map.edge_width + left, of_map.edge_height + above
        turned = choice.reversed and board.reversible
        grid = _grid(board, size, problems)
        placed.append(PlacedBoard(board.name, *corner, size, turned, grid))
    return placed


def _grid(board: Board, size: Size, problems: list[Problem]) -> Geometry[Any] | None:
    if board.grid is None:
        return None
    try:
        return grid_of(board.grid, size)
    except HexMarshalError as error:
        problems.append(Problem(error.message, error.place.within(Place(unit=board.name))))
        return None


class ModuleLocator:
    """Knows the maps of a module with the boards that a game has chosen, and its decks."""

    def __init__(
        self,
        module: Module,
        boards: Mapping[str, tuple[BoardChoice, ...]] | None = None,
        decks: Iterable[PlacedDeck] = (),
    ) -> None:
        self.problems: list[Problem] = []
        self._decks = [deck for deck in decks if deck.name]
        self._maps: dict[str, list[PlacedBoard]] = {}
        chosen = boards or {}
        for number, of_map in enumerate(module.maps()):
            names = [name for name in (of_map.name, f"Map{number}") if name]
            choices = next((chosen[name] for name in names if name in chosen), None)
            if choices is None:
                choices = tuple(default_boards(of_map))
            placed = place_boards(module, of_map, choices, self.problems)
            for name in names:
                self._maps.setdefault(name, placed)

    @classmethod
    def for_game(cls, module: Module, state: GameState) -> ModuleLocator:
        """The locator for a game: its boards as chosen, its decks as they lie."""
        return cls(module, state.boards, state.decks.values())

    def boards(self, map: str) -> tuple[PlacedBoard, ...]:
        """The boards of a map as they lie."""
        return tuple(self._maps.get(map, ()))

    def locate(self, map: str, x: int, y: int) -> Location:
        """What VASSAL calls a point of a map, and where a piece put there comes to lie."""
        snap = self.snap(map, x, y)
        board = self._board_at(map, *snap) or self._board_at(map, x, y)
        name = next((deck.name for deck in self._decks if deck.covers(map, *snap)), None)
        if name is None and board is not None:
            name = board.location_name(*snap)
        on = None if board is None else board.name
        return Location(map, x, y, on, OFFBOARD if name is None else name, snap)

    def snap(self, map: str, x: int, y: int) -> tuple[int, int]:
        """Where a piece comes to lie; at a border the neighbouring board has the last word."""
        board = self._board_at(map, x, y)
        if board is None:
            return x, y
        snapped = board.snap(x, y)
        there = self._board_at(map, *snapped)
        if there is None:
            return _pulled_back(snapped, board)
        return snapped if there is board else there.snap(*snapped)

    def _board_at(self, map: str, x: int, y: int) -> PlacedBoard | None:
        return next((board for board in self._maps.get(map, ()) if board.contains(x, y)), None)


def _pulled_back(point: tuple[int, int], board: PlacedBoard) -> tuple[int, int]:
    """A point exactly one pixel outside its board, put on the board's border."""
    x, y = point
    right, bottom = board.x + board.size.width, board.y + board.size.height
    x = {right: right - 1, board.x - 1: board.x}.get(x, x)
    y = {bottom: bottom - 1, board.y - 1: board.y}.get(y, y)
    return x, y


def default_boards(of_map: Map) -> Iterator[BoardChoice]:
    """What a map shows when no game has chosen: its own set-up, or its only board."""
    picker = of_map.picker
    setup = registry.decode(picker.setup) if picker is not None and picker.setup else None
    if isinstance(setup, ChooseBoards):
        yield from setup.boards
    elif len(of_map.boards) == 1:
        yield BoardChoice(of_map.boards[0].name)
