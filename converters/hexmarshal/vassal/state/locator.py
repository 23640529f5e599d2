"""Names points of a game's maps as VASSAL would: a module's boards, as placed, with their grids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import HexMarshalError, Place
from hexmarshal.geometry.grids import Size, grid_from_spec
from hexmarshal.geometry.terrain.boards import OFFBOARD, BoardMap
from hexmarshal.geometry.terrain.boards import MapBoard as LaidBoard
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
from hexmarshal.vassal.images.image_size import image_size
from hexmarshal.vassal.state.game_state import Problem
from hexmarshal.vassal.state.location import Location

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hexmarshal.geometry.grids import Grid as Geometry
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.state.game_state import GameState
    from hexmarshal.vassal.state.placed import PlacedDeck

__all__ = [
    "OFFBOARD",
    "ModuleLocator",
    "board_size",
    "default_boards",
    "grid_of",
    "grid_spec",
    "lay_boards",
]

# A board whose picture is not at hand is as wide as any map could be.
_UNKNOWN: Final = Size(1 << 20, 1 << 20)
# The size of most pictures stands at their beginning; a board is large, and is not read for it.
_HEAD: Final = 1 << 16
_NO_BOARDS: Final = BoardMap(())


def grid_of(component: Grid, size: Size) -> Geometry[Any]:
    """The geometry of a grid component on a board of this size."""
    return grid_from_spec(grid_spec(component), size)


def grid_spec(grid: Grid) -> dict[str, object]:
    """The attributes of a grid component, as the geometry and terrain files take them."""
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
                spec["background"] = grid_spec(grid.background)
        case _:
            spec = {"kind": grid.class_name}
    return {**spec, "grid": _attributes(grid)}


def _zone(zone: Zone) -> dict[str, object]:
    own = zone.grid
    return {**_attributes(zone), **({} if own is None else {"grid": grid_spec(own)})}


def _attributes(component: Component) -> dict[str, str]:
    return {str(k): str(v) for k, v in component.element.attrib.items()}


def board_size(module: Module, board: Board) -> Size | None:
    """A board's size: that of its image, or the one given if it has none."""
    if board.image:
        name = str(board.image)
        head = module.image_head(name, _HEAD)
        found = image_size(head) if head is not None else None
        if found is None and head is not None:  # it may come later
            found = image_size(module.image(name) or b"")
        return Size(*found) if found else None
    width, height = board.width, board.height
    return Size(width, height) if width and height and width > 0 and height > 0 else None


def lay_boards(
    module: Module, of_map: Map, choices: Iterable[BoardChoice], problems: list[Problem]
) -> BoardMap:
    """The boards of a map as chosen; one that cannot be laid is left out and told of."""
    known = {board.name: board for board in of_map.boards}
    laid: dict[tuple[int, int], LaidBoard] = {}
    for choice in choices:
        board = known.get(choice.name)
        place = Place(field=of_map.name, unit=choice.name)
        at = choice.column, choice.row
        if board is None:
            problems.append(Problem("no such board", place))
        elif at in laid or min(at) < 0:
            problems.append(Problem(f"no room in column {at[0]}, row {at[1]}", place))
        else:
            size = board_size(module, board) or _UNKNOWN
            turned = choice.reversed and board.reversible
            laid[at] = LaidBoard(board.name, size, _grid(board, size, problems), turned)
    padding = max(0, of_map.edge_width), max(0, of_map.edge_height)
    return BoardMap.lay_out(((board, *at) for at, board in laid.items()), padding)


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
        self._maps: dict[str, BoardMap] = {}
        chosen = boards or {}
        for number, of_map in enumerate(module.maps()):
            names = [name for name in (of_map.name, f"Map{number}") if name]
            choices = next((chosen[name] for name in names if name in chosen), None)
            if choices is None:
                choices = tuple(default_boards(of_map))
            laid = lay_boards(module, of_map, choices, self.problems)
            for name in names:
                self._maps.setdefault(name, laid)

    @classmethod
    def for_game(cls, module: Module, state: GameState) -> ModuleLocator:
        """The locator for a game: its boards as chosen, its decks as they lie."""
        return cls(module, state.boards, state.decks.values())

    def on(self, map: str) -> BoardMap:
        """The boards of a map as they lie; a map that is not known has none."""
        return self._maps.get(map) or _NO_BOARDS

    def locate(self, map: str, x: int, y: int) -> Location:
        """What VASSAL calls a point of a map, and where a piece put there comes to lie."""
        boards = self.on(map)
        snap = boards.snap((x, y))
        placed = boards.board_at(snap) or boards.board_at((x, y))
        name = next((deck.name for deck in self._decks if deck.covers(map, *snap)), None)
        return Location(
            map,
            x,
            y,
            None if placed is None else placed.board.name,
            boards.location_name(snap) if name is None else name,
            (snap.x, snap.y),
        )

    def snap(self, map: str, x: int, y: int) -> tuple[int, int]:
        """Where a piece comes to lie; at a border the neighbouring board has the last word."""
        return self.on(map).snap((x, y))


def default_boards(of_map: Map) -> Iterator[BoardChoice]:
    """What a map shows when no game has chosen: its own set-up, or its only board."""
    picker = of_map.picker
    setup = registry.decode(picker.setup) if picker is not None and picker.setup else None
    if isinstance(setup, ChooseBoards):
        yield from setup.boards
    elif len(of_map.boards) == 1:
        yield BoardChoice(of_map.boards[0].name)
