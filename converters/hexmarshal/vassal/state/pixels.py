"""What VASSAL calls a pixel, and where a piece dropped on it comes to lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import NotFoundError, Place
from hexmarshal.errors.names import did_you_mean
from hexmarshal.vassal.state.at_start import own_boards
from hexmarshal.vassal.state.locator import OFFBOARD, ModuleLocator, board_size, grid_of

if TYPE_CHECKING:
    from hexmarshal.geometry.grids import Grid as Geometry
    from hexmarshal.vassal.components import Board, Map
    from hexmarshal.vassal.module import Module

__all__ = ["NamedPixel", "PixelNamer"]


@dataclass(frozen=True, slots=True)
class NamedPixel:
    """A pixel's own name, the point that it snaps to, and what that point is called."""

    location: str
    snap: tuple[int, int]
    snapped_location: str


class PixelNamer:
    """Answers for the pixels of a module's maps and boards."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._maps = {m.name or f"Map{i}": m for i, m in enumerate(module.maps())}
        chosen = {name: tuple(own_boards(m)) for name, m in self._maps.items()}
        self._locator = ModuleLocator(module, chosen)
        self._grids: dict[tuple[str, str], Geometry[Any] | None] = {}

    def on_map(self, map_name: str | None, x: int, y: int) -> NamedPixel:
        """A pixel of a map, its edge included, with the boards that it shows by itself."""
        name = self._map(map_name)[0]
        found = self._locator.locate(name, x, y)
        own = self._locator.on(name).location_name((x, y))
        return NamedPixel(own, found.snap or (x, y), found.name)

    def on_board(self, map_name: str | None, board_name: str, x: int, y: int) -> NamedPixel:
        """A pixel of one board, counted from its own corner, as its grid alone sees it."""
        grid = self._grid(*self._board(map_name, board_name))
        if grid is None:
            return NamedPixel(OFFBOARD, (x, y), OFFBOARD)
        snap = grid.snap((x, y))
        names = [grid.location_name(point) for point in ((x, y), snap)]
        own, snapped = (OFFBOARD if name is None else name for name in names)
        return NamedPixel(own, (snap[0], snap[1]), snapped)

    def named_on_board(self, map_name: str | None, board_name: str, name: str) -> tuple[int, int]:
        """The pixel of one board that has this name, the middle of its cell."""
        grid = self._grid(*self._board(map_name, board_name))
        if grid is None:
            raise NotFoundError(f"the board {board_name!r} has no grid", place=self._module.place)
        x, y = grid.pixel_named(name)
        return x, y

    def _map(self, name: str | None) -> tuple[str, Map]:
        if not self._maps:
            raise NotFoundError("the module has no map", place=self._module.place)
        if name is None:
            return next(iter(self._maps.items()))
        if name not in self._maps:
            raise NotFoundError(
                f"there is no map {name!r}",
                place=self._module.place,
                hint=did_you_mean(name, self._maps, f"maps: {', '.join(self._maps)}"),
            )
        return name, self._maps[name]

    def _board(self, map_name: str | None, name: str) -> tuple[str, Board]:
        at, of_map = self._map(map_name)
        for board in of_map.boards:
            if board.name == name:
                return at, board
        raise NotFoundError(
            f"there is no board {name!r} on the map {at!r}",
            place=self._module.place,
            hint=f"boards: {', '.join(b.name for b in of_map.boards)}",
        )

    def _grid(self, at: str, board: Board) -> Geometry[Any] | None:
        key = at, board.name
        if key not in self._grids:
            size = board_size(self._module, board)
            if size is None:
                raise NotFoundError(
                    f"the size of the board {board.name!r} is not known",
                    place=Place(field=board.name).within(self._module.place),
                    hint="its picture is missing from the module",
                )
            self._grids[key] = None if board.grid is None else grid_of(board.grid, size)
        return self._grids[key]
