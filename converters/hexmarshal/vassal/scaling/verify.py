"""Whether places keep their names: cells of every board, asked before and after."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.vassal.scaling.plan import map_names
from hexmarshal.vassal.state.pixels import PixelNamer

if TYPE_CHECKING:
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.scaling.plan import Plan
    from hexmarshal.vassal.state.pixels import NamedPixel

__all__ = ["NameCheck", "check_names"]

_ROWS: Final = 24
_MOST_SHOWN: Final = 5
_BORDER: Final = 3
"""Nearer than this to a border, rounding alone may change a name."""


@dataclass(slots=True)
class NameCheck:
    """How many places of boards were asked for their names, and which changed them."""

    asked: int = 0
    changed: int = 0
    examples: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {"asked": self.asked, "changed": self.changed, "examples": self.examples}


def check_names(before: Module, after: Module, plan: Plan) -> NameCheck:
    """Ask points all over each board where a piece snaps to, and what that place is called."""
    done = NameCheck()
    old, new = PixelNamer(before), PixelNamer(after)
    for name, of_map in map_names(before).items():
        for board in of_map.boards:
            planned = plan.board(name, board.name)
            if board.grid is None or planned.old == planned.new:
                continue
            try:
                _check(old, new, name, board.name, planned.old, plan, done)
            except HexMarshalError as why:
                done.examples.append(f"{board.name}: {why.message}")
    return done


def _check(
    old: PixelNamer,
    new: PixelNamer,
    name: str,
    board: str,
    size: tuple[int, int],
    plan: Plan,
    done: NameCheck,
) -> None:
    planned = plan.board(name, board)
    seen: set[tuple[int, int]] = set()
    for row in range(_ROWS):
        for column in range(_ROWS):
            point = (
                (2 * column + 1) * size[0] // (2 * _ROWS),
                (2 * row + 1) * size[1] // (2 * _ROWS),
            )
            was = old.on_board(name, board, *point)
            if was.snap in seen:
                continue
            seen.add(was.snap)
            if _at_border(old, name, board, was):
                continue
            moved = planned.point(was.snap)
            now = new.on_board(name, board, *moved)
            done.asked += 1
            if now.snapped_location != was.snapped_location:
                done.changed += 1
                if len(done.examples) < _MOST_SHOWN:
                    where = f"{board} {was.snap[0]},{was.snap[1]}"
                    names = f"{was.snapped_location!r} is {now.snapped_location!r} now"
                    done.examples.append(f"{where}: {names}")


def _at_border(namer: PixelNamer, of_map: str, board: str, place: NamedPixel) -> bool:
    x, y = place.snap
    around = ((x - _BORDER, y), (x + _BORDER, y), (x, y - _BORDER), (x, y + _BORDER))
    names = {namer.on_board(of_map, board, *point).location for point in around}
    return names != {place.snapped_location}
