"""Where the points of a map come to lie when its boards change: board by board, as they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.geometry.terrain.boards import BoardMap
from hexmarshal.geometry.terrain.boards import MapBoard as LaidBoard
from hexmarshal.vassal.scaling.stretch import nearest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hexmarshal.geometry.grids import Size
    from hexmarshal.geometry.terrain.boards import PlacedBoard
    from hexmarshal.vassal.commands.game import BoardChoice
    from hexmarshal.vassal.scaling.plan import Plan

__all__ = ["Layouts"]


class Layouts:
    """The maps of a module with the boards that a game has chosen, before and after."""

    def __init__(
        self, plan: Plan, chosen: Mapping[str, tuple[BoardChoice, ...]] | None = None
    ) -> None:
        self._plan = plan
        choices = {plan.names.get(name, name): boards for name, boards in (chosen or {}).items()}
        self._maps = {
            name: _MapLayout(name, choices.get(name, shown.shown), plan)
            for name, shown in plan.maps.items()
        }

    def point(self, of_map: str | None, point: tuple[int, int]) -> tuple[int, int]:
        """Where a pixel of a map comes to lie; a map that is not known stays as it is."""
        layout = self._maps.get(self._plan.names.get(of_map or "", ""))
        return point if layout is None else layout.point(point)


class _MapLayout:
    """The boards of one map, before and after."""

    def __init__(self, name: str, choices: tuple[BoardChoice, ...], plan: Plan) -> None:
        self._of = plan.maps[name]
        laid: dict[tuple[int, int], BoardChoice] = {}
        for choice in choices:
            at = choice.column, choice.row
            if (name, choice.name) in plan.boards and min(at) >= 0:
                laid.setdefault(at, choice)
        boards = [*laid.values()]
        self._plans = [plan.board(name, board.name) for board in boards]
        edge, factor = self._of.edge, self._of.factor
        scaled = nearest(factor * edge[0]), nearest(factor * edge[1])
        self._old = self._lay(boards, [each.old for each in self._plans], edge)
        self._new = self._lay(boards, [each.new for each in self._plans], scaled)

    def _lay(
        self, boards: Sequence[BoardChoice], sizes: Sequence[Size], edge: tuple[int, int]
    ) -> BoardMap:
        turned = [board.reversed and board.name in self._of.reversible for board in boards]
        return BoardMap.lay_out(
            (
                (LaidBoard(board.name, size, None, around), board.column, board.row)
                for board, size, around in zip(boards, sizes, turned, strict=True)
            ),
            edge,
        )

    def point(self, point: tuple[int, int]) -> tuple[int, int]:
        """A point beside all boards goes with the nearest."""
        if not self._plans:
            factor = self._of.factor
            return nearest(factor * point[0]), nearest(factor * point[1])
        boards = self._old.boards
        number = min(range(len(boards)), key=lambda i: _distance(boards[i], point))
        old, new = boards[number], self._new.boards[number]
        local = self._plans[number].point(old.board.local(old.inward(point)))
        return new.outward(new.board.laid(local))


def _distance(placed: PlacedBoard, point: tuple[int, int]) -> int:
    x, y = placed.nearest(point)
    return abs(x - point[0]) + abs(y - point[1])
