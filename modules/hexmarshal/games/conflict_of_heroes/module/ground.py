"""What the ground adds to a step, worked out by the rules and laid down as text for the module.

Every hex is told as ` 1-E12=` and a letter for each kind of unit and each of the six ways to enter
it: `0` to `9` is what the step costs beside the move cost of the unit, `a` to `j` is the same where
vehicles may use free hexes, and `-` that it is closed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.rules.movement import barriers
from hexmarshal.games.conflict_of_heroes.rules.movement.move_costs import Route
from hexmarshal.geometry.lattice.hexes import DIRECTIONS
from hexmarshal.rules.state.pieces import Unit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hexmarshal.games.conflict_of_heroes.plugin import ConflictOfHeroes
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.games.conflict_of_heroes.state.tables import Counter

__all__ = ["CLOSED", "FREE", "LETTERS", "TRACKED", "WAYS", "WHEELED", "goes_as", "ground"]

WAYS: Final = len(DIRECTIONS)
CLOSED: Final = "-"
FREE: Final = 10
"""From this letter on a hex gives or takes a free hex."""
LETTERS: Final = "0123456789abcdefghij"
_KINDS: Final = ("light", "heavy", "tracked", "wheeled")
TRACKED, WHEELED = 2, 3
"""The numbers of the kinds of vehicles."""


def goes_as(counter: Counter) -> int:
    """The number of the kind of unit that a counter is to the ground."""
    kind = "light" if counter.light else "heavy" if counter.foot else counter.move_class
    return _KINDS.index(kind)


def ground(plugin: ConflictOfHeroes) -> str:
    """All hexes of all boards."""
    # One of each kind stands for all: what they cost themselves is left out.
    goers = {goes_as(counter): counter for counter in plugin.tables.counters.values()}
    boards = (plugin.situated(replace(plugin.blank(), board=key)) for key in plugin.boards.keys)
    return "".join(_board(now, goers) for now in boards) + " "


def _board(now: Situation, goers: Mapping[int, Counter]) -> str:
    return "".join(f" {cell}={_entering(now, goers, cell)}" for cell in sorted(now.board.hexes))


def _entering(now: Situation, goers: Mapping[int, Counter], cell: str) -> str:
    hexes, names = now.board.hexes, now.board.names
    q, r = hexes[cell]
    from_where = [names.get(type(step)(q - step[0], r - step[1]), "") for step in DIRECTIONS]
    return "".join(_letters(now, goers.get(n), from_where, cell) for n in range(len(_KINDS)))


def _letters(now: Situation, counter: Counter | None, others: Iterable[str], cell: str) -> str:
    return "".join(
        _letter(now, counter, here, cell, way) if counter and here else CLOSED
        for way, here in enumerate(others)
    )


def _letter(now: Situation, counter: Counter, here: str, cell: str, way: int) -> str:
    unit = Unit("goes", counter.key, counter.side, cell=here, facing=way)
    route = Route(now, unit, (cell,), "normal", rapid=False)
    if any(barriers.objections(route, None, occupy=False)):
        return CLOSED
    added = sum(int(part.amount) for part in route.parts()) - counter.move
    if counter.vehicle and route.bonus_hex(here, cell):
        added += FREE
    return LETTERS[added]
